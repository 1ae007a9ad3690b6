"""Directories of perturbed files, one for each kind and level, with a ``manifest.json``.

Over CorefUD, the new entities are written over the text of the key. Only coreference changes: the header, ``Entity``,
and the attributes that refer to entities (``Bridge``, ``SplitAnte``), which follow their mentions as far as the noise
leaves them. Everything else stays byte for byte. CoNLL-UA is written anew, with words and all layers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from typing import NamedTuple

from ...core.document import Document
from ...core.errors import InputError, OptionError, Warnings
from ...core.request import Path, Progress
from ...core.version import __version__
from ...formats.convert import written_in
from ...formats.corefud.writer import imprinted
from ...formats.detection import open_reader
from ...formats.losses import Losses
from ...formats.source import DocumentReader, Source, refuse_pipes
from ...formats.target import Target, TargetDirectory
from ...formats.writers import WRITERS
from . import LEVELS, OF_KEYS, PERTURBATIONS, check_levels, effective_kinds, plan, select

MANIFEST = "manifest.json"
SCHEMA = "corefscope-perturbations-1"


class PerturbedFile(NamedTuple):
    """One file of the directory."""

    level: int
    """In percent."""
    name: str
    changes: int
    """The number of changes in all documents together."""


class Manifest(NamedTuple):
    """The key, the seed, and the files of each kind of noise."""

    key: str
    """The path of the key, from the directory."""
    key_format: str
    key_sha256: str
    seed: int
    kinds: Mapping[str, list[PerturbedFile]]
    version: str = __version__

    def write(self, directory: TargetDirectory) -> None:
        """Write ``manifest.json``, after all other files."""
        content = {
            "schema": SCHEMA,
            "version": self.version,
            **self._asdict(),
            "kinds": {
                kind: {
                    "title": PERTURBATIONS[kind].title,
                    "of": PERTURBATIONS[kind].of,
                    "files": [{"level": file.level, "file": file.name, "changes": file.changes} for file in files],
                }
                for kind, files in self.kinds.items()
            },
        }
        with directory.file(MANIFEST) as target:
            target.write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Manifest:
        """Read the manifest of a directory; InputError if it is missing or malformed."""
        path = path_in(directory)
        hint = "make such a directory with: corefscope perturb KEY -o DIR"
        try:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path, hint=hint) from None
        except (ValueError, RecursionError):
            raise InputError("is no JSON", path=path, hint=hint) from None
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise InputError(f"is not of the schema {SCHEMA}", path=path, hint=hint)
        try:
            return cls(
                str(content["key"]),
                str(content["key_format"]),
                str(content["key_sha256"]),
                int(content["seed"]),
                {kind: _read_files(content["kinds"][kind]["files"]) for kind in select(content["kinds"])},
                str(content["version"]),
            )
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise InputError("has a missing or malformed field", path=path, hint=hint) from None

    def key_path(self, directory: str | os.PathLike[str], moved: str | os.PathLike[str] | None = None) -> str:
        """The path of the key (``moved`` if given); InputError if it is missing or has changed."""
        path = os.path.normpath(os.path.join(directory, self.key)) if moved is None else os.fspath(moved)
        if not os.path.exists(path):
            raise InputError(f"there is no key {path}", path=path_in(directory), hint="give its path: --key FILE")
        with closing(Source.open(path)) as source:
            digest = source.digest()
        if digest != self.key_sha256:
            raise InputError(
                f"the key {path} is not the one that these files were made from",
                path=path_in(directory),
                hint="perturb it again, or give the path of the original key: --key FILE",
            )
        return path


def path_in(directory: str | os.PathLike[str], name: str = MANIFEST) -> str:
    """The path of the manifest, or of another file of the directory."""
    return os.path.join(directory, name)


def _read_files(rows: list[dict[str, str]]) -> list[PerturbedFile]:
    """The files of a kind of noise, by level; ValueError if there is none, or one outside the directory."""
    files = sorted(PerturbedFile(int(row["level"]), row["file"], int(row["changes"])) for row in rows)
    for _, name, _ in files:
        if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
            raise ValueError(name)
    if not files:
        raise ValueError("no files")
    return files


SUFFIXES = {"corefud": ".conllu", "ua": ".conllua"}
"""The extension by format of the key; files with noise have the same format."""


def perturb_file(
    key: Path,
    directory: Path,
    *,
    kinds: str | Iterable[str] | None = None,
    levels: Iterable[int] = LEVELS,
    seed: int = 0,
    key_format: str | None = None,
    progress: Progress | None = None,
    planned: Callable[[int, int, int], None] | None = None,
) -> tuple[Manifest, list[str]]:
    """Write files with noise, ``drop-030.conllu`` and so on, and a manifest; return the manifest and warnings.

    ``key`` is a file in CorefUD or CoNLL-UA. ``directory`` is created if needed; its files appear when all of
    them are complete, or not at all. ``planned`` is called before the first one with the number of kinds, of files,
    and of bytes (about), ``progress`` before each kind. The rest is as for :func:`~corefscope.curves`; the same seed
    makes the same files.
    """
    selected = select(kinds) if kinds is not None else OF_KEYS
    steps = check_levels(levels)
    refuse_pipes([key], "noise needs a key in a file, with which its files are compared later", OptionError)
    warnings = Warnings()
    format_, reader = open_reader(key, key_format, warnings)
    with closing(reader.source):
        if format_ not in SUFFIXES:
            hint = f"convert it first: corefscope convert {os.fspath(key)} key.conllu"
            message = f"noise is written over CorefUD, or as CoNLL-UA, but this is {format_}"
            raise InputError(message, path=os.fspath(key), hint=hint)
        totals, ordered = _survey(reader, selected, seed)
        digest = reader.source.digest()
    if os.path.isdir(directory) and os.path.samefile(os.path.dirname(os.fspath(key)) or ".", directory):
        raise OptionError(f"the key is in {os.fspath(directory)}: write noise to another directory, not over it")
    changing = effective_kinds(totals, kinds is not None, os.fspath(key), warnings)
    if planned:
        number = len(changing) * len(steps)
        planned(len(changing), number, number * reader.source.size)
    where = _relative_path(os.path.realpath(directory), os.path.realpath(key))
    with TargetDirectory(os.fspath(directory)) as target:
        files = {}
        for number, kind in enumerate(changing):
            if progress:
                progress(number, len(changing), kind)
            names = {level: f"{kind}-{level:03d}{SUFFIXES[format_]}" for level in steps}
            if WRITERS[format_].imprint:
                files[kind] = _write_over_key(key, target, names, kind, seed, ordered)
            else:
                files[kind] = [
                    _write_anew(key, format_, target, kind, seed, level, name) for level, name in names.items()
                ]
        manifest = Manifest(where, format_, digest, seed, files)
        manifest.write(target)
    return manifest, list(warnings)


def _relative_path(directory: str, path: str) -> str:
    """A path relative to a directory, with forward slashes; the absolute path if Windows has it on another drive."""
    try:
        return os.path.relpath(path, directory).replace(os.sep, "/")
    except ValueError:
        return path


def _survey(reader: DocumentReader, kinds: Iterable[str], seed: int) -> tuple[dict[str, int], bool]:
    """Count the changes of each kind; check whether documents are in the order of the text."""
    totals = dict.fromkeys(kinds, 0)
    last, ordered = 0, True
    for document in reader:
        for kind in totals:
            totals[kind] += plan(document, kind, seed).changes.total
        numbers = [sentence.number for sentence in document.sentences]
        ordered = ordered and numbers == sorted(numbers) and numbers[:1] > [last]
        last = numbers[-1] if numbers else last
    return totals, ordered


def _write_over_key(
    key: Path, directory: TargetDirectory, names: Mapping[int, str], kind: str, seed: int, ordered: bool
) -> list[PerturbedFile]:
    """Write all files of one kind while reading the key once.

    If the parts of a document are not adjacent in the key, sentences are kept until all are known.
    """
    changes = dict.fromkeys(names, 0)
    ids: dict[int, set[str]] = {level: set() for level in names}
    waiting: dict[int, dict[int, str]] = {level: {} for level in names}
    with ExitStack() as stack:
        _, reader = open_reader(key, "corefud", Warnings())
        stack.enter_context(closing(reader.source))
        targets = {level: stack.enter_context(directory.file(name)) for level, name in names.items()}
        for document in reader:
            noise = plan(document, kind, seed)
            for level, target in targets.items():
                changes[level] += noise.changes_at(level)
                waiting[level].update(imprinted(noise.at(level), ids[level], Losses()))
                if ordered:
                    _write_sentences(waiting[level], target)
        for level, target in targets.items():
            _write_sentences(waiting[level], target)
    return [PerturbedFile(level, name, changes[level]) for level, name in names.items()]


def _write_anew(
    key: Path, format_: str, directory: TargetDirectory, kind: str, seed: int, level: int, name: str
) -> PerturbedFile:
    """Write the file of one level from its documents."""
    changes: list[int] = []

    def noisy(documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            noise = plan(document, kind, seed)
            changes.append(noise.changes_at(level))
            yield noise.at(level)

    _, reader = open_reader(key, format_, Warnings())
    with closing(reader.source), directory.file(name) as target:
        for text in written_in(format_, noisy(reader), reader, Losses()):
            target.write(text)
    return PerturbedFile(level, name, sum(changes))


def _write_sentences(sentences: dict[int, str], target: Target) -> None:
    for number in sorted(sentences):
        target.write(sentences.pop(number) + "\n\n")
