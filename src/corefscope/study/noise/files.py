"""From a key file to a directory of files with noise, one for each kind and level.

Over CorefUD, other entities are written over the text of the key. Only what coreference is written in changes: the
header, ``Entity``, and the attributes that refer to entities (``Bridge``, ``SplitAnte``), which follow their mentions
as far as noise leaves them. Everything else stays byte for byte. CoNLL-UA is written anew, words and all its layers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from functools import partial

from ...base.document import Document
from ...base.errors import InputError, OptionError, Warnings
from ...evaluate.request import Path, Progress
from ...read.formats import open_reader
from ...read.source import DocumentReader, refuse_pipes
from ...write.convert import written_in
from ...write.formats import WRITERS
from ...write.imprinting import imprinted
from ...write.losses import Losses
from ...write.target import Target, TargetDirectory
from . import LEVELS, OF_KEYS, check_levels, plan, select, with_something_to_change
from .manifest import Manifest, PerturbedFile

SUFFIXES = {"corefud": ".conllu", "ua": ".conllua"}
"""The formats that noise is written in, that of the key: those that have relations."""


def perturb_file(
    key: Path,
    directory: Path,
    *,
    kinds: str | Iterable[str] | None = None,
    levels: Iterable[int] = LEVELS,
    seed: int = 0,
    key_format: str | None = None,
    progress: Progress | None = None,
) -> tuple[Manifest, list[str]]:
    """Write files with noise, ``drop-030.conllu`` and so on, and a manifest; returned with what is worth a warning.

    ``key`` is a file in CorefUD or CoNLL-UA. ``directory`` is made if there is none; its files appear when all of
    them are complete, or not at all. ``progress`` is called before each kind. The rest is as for
    :func:`~corefscope.curves`; the same seed makes the same files.
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
    changing = with_something_to_change(totals, kinds is not None, os.fspath(key), warnings)
    where = _seen_from(os.path.realpath(directory), os.path.realpath(key))
    with TargetDirectory(os.fspath(directory)) as target:
        files = {}
        for number, kind in enumerate(changing):
            if progress:
                progress(number, len(changing), kind)
            names = {level: f"{kind}-{level:03d}{SUFFIXES[format_]}" for level in steps}
            if WRITERS[format_].imprint:
                files[kind] = _write_over(key, target, names, kind, seed, ordered)
            else:
                anew = partial(_write_anew, key, format_, target, kind, seed)
                files[kind] = [anew(level, name) for level, name in names.items()]
        manifest = Manifest(where, format_, digest, seed, files)
        manifest.write(target)
    return manifest, list(warnings)


def _seen_from(directory: str, path: str) -> str:
    """A path from a directory, as all systems write it; from another drive of Windows, only the whole path."""
    try:
        return os.path.relpath(path, directory).replace(os.sep, "/")
    except ValueError:
        return path


def _survey(reader: DocumentReader, kinds: Iterable[str], seed: int) -> tuple[dict[str, int], bool]:
    """How much each kind can change, and whether documents come in the order of the text."""
    totals = dict.fromkeys(kinds, 0)
    last, ordered = 0, True
    for document in reader:
        for kind in totals:
            totals[kind] += plan(document, kind, seed).changes.total
        numbers = [sentence.number for sentence in document.sentences]
        ordered = ordered and numbers == sorted(numbers) and numbers[:1] > [last]
        last = numbers[-1] if numbers else last
    return totals, ordered


def _write_over(
    key: Path, directory: TargetDirectory, names: Mapping[int, str], kind: str, seed: int, ordered: bool
) -> list[PerturbedFile]:
    """The files of one kind, all in one reading of the key.

    If the key comes back to documents, its sentences wait until all are there.
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
                    _write_out(waiting[level], target)
        for level, target in targets.items():
            _write_out(waiting[level], target)
    return [PerturbedFile(level, name, changes[level]) for level, name in names.items()]


def _write_anew(
    key: Path, format_: str, directory: TargetDirectory, kind: str, seed: int, level: int, name: str
) -> PerturbedFile:
    """The file of one level, from its documents."""
    changes = 0

    def noisy(documents: Iterable[Document]) -> Iterator[Document]:
        nonlocal changes
        for document in documents:
            noise = plan(document, kind, seed)
            changes += noise.changes_at(level)
            yield noise.at(level)

    _, reader = open_reader(key, format_, Warnings())
    with closing(reader.source), directory.file(name) as target:
        for text in written_in(format_, noisy(reader), reader, Losses()):
            target.write(text)
    return PerturbedFile(level, name, changes)


def _write_out(sentences: dict[int, str], target: Target) -> None:
    for number in sorted(sentences):
        target.write(sentences.pop(number) + "\n\n")
