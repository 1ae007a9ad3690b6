"""From a key file to a directory of files with noise, one for each kind and level."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack

from ...base.document import Document
from ...base.errors import InputError, OptionError, Warnings
from ...read.formats import DocumentReader, open_reader
from ...read.source import refuse_pipes
from ...write.target import Target
from . import LEVELS, PERTURBATIONS, check_levels, plan, select, with_something_to_change
from .imprint import FORMAT, imprinted
from .manifest import Manifest, PerturbedFile

Progress = Callable[[int, int, str], None]


def perturb_file(
    key: str | os.PathLike[str],
    directory: str | os.PathLike[str],
    *,
    kinds: str | Iterable[str] | None = None,
    levels: Iterable[int] = LEVELS,
    seed: int = 0,
    key_format: str | None = None,
    progress: Progress | None = None,
) -> tuple[Manifest, list[str]]:
    """Write a CorefUD file with noise for each kind and level, and a manifest; returned with what is worth a warning.

    Parameters
    ----------
    key
        A CorefUD file.
    directory
        Where to write; it is made if there is none. Files are called ``drop-030.conllu`` and so on.
    kinds
        Kinds of noise; without it, all for which the key has something to change.
    levels
        In percent.
    seed
        The same seed makes the same files.
    key_format
        ``corefud``, if it is not recognised.
    progress
        Called before each kind with its number, the number of kinds and its name.
    """
    selected = select(kinds) if kinds is not None else tuple(PERTURBATIONS)
    steps = check_levels(levels)
    refuse_pipes([key], "noise needs a key in a file, with which its files are compared later", OptionError)
    warnings = Warnings()
    format_, reader = open_reader(key, key_format, warnings)
    try:
        if format_ != FORMAT:
            hint = f"convert it first: corefscope convert {os.fspath(key)} key.conllu"
            raise InputError(f"noise is written over CorefUD, but this is {format_}", path=os.fspath(key), hint=hint)
        totals, ordered = _survey(reader, selected, seed)
        digest = reader.source.digest()
    finally:
        reader.source.close()
    if os.path.realpath(os.path.dirname(os.fspath(key)) or ".") == os.path.realpath(directory):
        raise OptionError(f"the key is in {os.fspath(directory)}: write noise to another directory, not over it")
    changing = with_something_to_change(totals, kinds is not None, os.fspath(key), warnings)
    _make_directory(directory)
    files = {}
    for number, kind in enumerate(changing):
        if progress:
            progress(number, len(changing), kind)
        files[kind] = _write(key, directory, kind, steps, seed, ordered)
    where = os.path.relpath(os.path.realpath(key), os.path.realpath(directory))
    manifest = Manifest(where, format_, digest, seed, files)
    manifest.write(directory)
    return manifest, list(warnings)


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


def _make_directory(directory: str | os.PathLike[str]) -> None:
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", path=os.fspath(directory)) from None


def _write(
    key: str | os.PathLike[str],
    directory: str | os.PathLike[str],
    kind: str,
    levels: tuple[int, ...],
    seed: int,
    ordered: bool,
) -> list[PerturbedFile]:
    """The files of one kind, all in one reading of the key."""
    names = {level: f"{kind}-{level:03d}.conllu" for level in levels}
    changes = dict.fromkeys(levels, 0)
    with ExitStack() as stack:
        _, reader = open_reader(key, FORMAT, Warnings())
        stack.callback(reader.source.close)
        files = {
            level: _File(stack.enter_context(Target(os.path.join(directory, name))), ordered)
            for level, name in names.items()
        }
        for document in reader:
            noise = plan(document, kind, seed)
            for level, file in files.items():
                changes[level] += noise.changes_at(level)
                file.add(noise.at(level))
        for file in files.values():
            file.finish()
    return [PerturbedFile(level, names[level], changes[level]) for level in levels]


class _File:
    """One file on its way; if the key comes back to documents, its sentences wait until all are there."""

    def __init__(self, target: Target, ordered: bool) -> None:
        self._target = target
        self._ordered = ordered
        self._taken: set[str] = set()
        self._waiting: dict[int, str] = {}

    def add(self, document: Document) -> None:
        sentences = imprinted(document, self._taken)
        if self._ordered:
            self._put(sentences)
        else:
            self._waiting.update(sentences)

    def finish(self) -> None:
        self._put(self._waiting)

    def _put(self, sentences: Mapping[int, str]) -> None:
        for number in sorted(sentences):
            self._target.write(sentences[number] + "\n\n")
