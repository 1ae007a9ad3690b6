"""Key and response as files, directories or patterns: which file belongs to which, and their documents in turn."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..base.errors import InputError, Warnings
from .inputs import Input
from .pairs import Pair, PairReader
from .source import path_name

Name = str | os.PathLike[str]
WILD = re.compile(r"[*?\[]")
SHOWN = 10  # file names in a message


class Corpus:
    """The pairs of documents of one pair of files, or of many, read one file after the other."""

    def __init__(
        self,
        key: Name,
        response: Name,
        warnings: Warnings,
        key_format: str | None = None,
        response_format: str | None = None,
        *,
        digests: bool = False,
    ) -> None:
        self.inputs = Input(path_name(key)), Input(path_name(response))
        self._warnings, self._digests = warnings, digests
        self._formats = key_format, response_format
        self._files = pair_files(*(side.name for side in self.inputs))
        self._opened: PairReader | None = None
        self._seen: set[str] = set()
        self.headless: dict[str, None] = {}
        """The names of files that do not say which words are heads."""
        self.progress = 0, len(self._files)
        """How far reading has come: documents of one pair of files, else files."""
        if len(self._files) == 1:
            self._open(self._files[0])

    def __iter__(self) -> Iterator[Pair]:
        for at, files in enumerate(self._files):
            pairs = self._opened or self._open(files)
            try:
                for number, pair in enumerate(pairs):
                    self.progress = (number, len(pairs.names)) if len(self._files) == 1 else (at, len(self._files))
                    for side, document in zip(self.inputs, pair, strict=True):
                        side.add(document)
                    yield self._named(pair, files.name)
                    del pair  # or it would be kept while the next one is read
            finally:
                self.close()

    def close(self) -> None:
        """Close what is open."""
        if self._opened:
            self._opened.close()
            self._opened = None

    def _open(self, files: Files) -> PairReader:
        self._opened = pairs = PairReader(files.key, files.response, self._warnings, *self._formats)
        formats = pairs.key_format, pairs.response_format
        for side, reader, format_ in zip(self.inputs, (pairs.key, pairs.response), formats, strict=True):
            side.formats[format_] = None
            if not reader.has_heads:
                self.headless[reader.source.name] = None
            if self._digests:
                side.hashes.append(reader.source.digest())
        return pairs

    def _named(self, pair: Pair, file: str) -> Pair:
        """Documents of several files may be called the same: the later ones are known by their file too."""
        name = pair.key.id
        if len(self._files) > 1 and name in self._seen:
            name = f"{file}: {name}"
            pair.key.id = pair.response.id = name
        self._seen.add(name)
        return pair


class Files(NamedTuple):
    """A key file and the response file that belongs to it."""

    key: str
    response: str
    name: str = ""
    """What tells it from the other pairs; empty if it is the only one."""


def pair_files(key: str, response: str) -> list[Files]:
    """The pairs of files that two names stand for.

    Files of two directories belong together by their path in them, or else by that without suffixes; those of two
    patterns by what the wildcards stand for, or else by their names.
    """
    if not (_many(key) or _many(response)) or (_misspelt(key) or _misspelt(response)):
        return [Files(key, response)]
    for one, other in ((key, response), (response, key)):
        if _many(one) and not _many(other):
            what = "is a directory" if os.path.isdir(one) else "stands for many files"
            raise InputError(
                f"{what}, but {other} is one file", path=one, hint="name one file in it, or many on both sides"
            )
    keys, responses = _named_files(key), _named_files(response)
    pairs = {name: (keys.pop(name), responses.pop(name)) for name in list(keys) if name in responses}
    stems, other_stems = _by_stem(keys), _by_stem(responses)
    for stem in stems.keys() & other_stems.keys():
        if len(stems[stem]) == len(other_stems[stem]) == 1:
            pairs[stem] = (keys.pop(stems[stem][0]), responses.pop(other_stems[stem][0]))
    lonely = [("response", list(keys.values())), ("key", list(responses.values()))]
    if keys or responses:
        told = [
            f"{len(files)} without a {side}: {', '.join(files[:SHOWN])}{' …' if len(files) > SHOWN else ''}"
            for side, files in lonely
            if files
        ]
        raise InputError(
            f"the files of {key!r} and {response!r} cannot be paired by name\n  " + "\n  ".join(told),
            hint="files belong together if they are called the same in both directories",
        )
    return [Files(*pairs[name], name) for name in sorted(pairs)]


def refuse_pipes(paths: Iterable[Name], why: str) -> None:
    """Refuse what can be read only once."""
    for path in paths:
        name = path_name(path)
        if name == "-" or (os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name))):
            raise InputError("can be read only once", path=name, hint=f"save it to a file first: {why}")


def _many(name: str) -> bool:
    return os.path.isdir(name) or (WILD.search(name) is not None and not os.path.exists(name))


def _misspelt(name: str) -> bool:
    """Whether this may be a pattern but is none that any file matches: then it is missed like any other file."""
    return _many(name) and not os.path.isdir(name) and not _matching(name)


def _named_files(name: str) -> dict[str, str]:
    """The files of a directory by their paths in it, or those of a pattern by what its wildcards stand for."""
    if os.path.isdir(name):
        from pathlib import Path

        root = Path(name)
        files = [path for path in root.rglob("*") if path.is_file()]
        found = {path.relative_to(root).as_posix(): str(path) for path in files if not path.name.startswith(".")}
    else:
        found = _matching(name)
    if not found:
        raise InputError("has no files", path=name, hint="check the spelling of the path")
    return found


def _matching(pattern: str) -> dict[str, str]:
    from glob import glob

    files = sorted(path for path in glob(pattern, recursive=True) if os.path.isfile(path))
    # Each run of wildcards becomes a group: what it stands for is the name of the file.
    parts = re.split(r"((?:\*\*/?)+|\*|\?|\[[^\]]*\])", pattern)
    groups = "".join(f"({_expression(part)})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    named = {}
    for path in files:
        match = re.fullmatch(groups, path)
        named["/".join(match.groups()) if match else os.path.basename(path)] = path
    return named if len(named) == len(files) else {os.path.basename(path): path for path in files}


def _expression(wildcard: str) -> str:
    if wildcard.startswith("**"):
        return r"(?:.*/)?" if wildcard.endswith("/") else ".*"
    return {"*": "[^/]*", "?": "[^/]"}.get(wildcard) or wildcard.replace("[!", "[^")


def _by_stem(files: dict[str, str]) -> dict[str, list[str]]:
    """Names by what comes before the first point of their last part."""
    found: dict[str, list[str]] = {}
    for name in files:
        directory, slash, last = name.rpartition("/")
        found.setdefault(directory + slash + (last.partition(".")[0] or last), []).append(name)
    return found
