"""Pairing of key and response files given as files, directories or patterns."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from ..core.errors import InputError

SHOWN = 10  # file names in a message
SAME_NAMES = "files are paired if they have the same name in both directories"
SPELLING = "check the spelling of the path"
WITH_COMPANIONS = (".ann", ".entities", ".mmax")
"""Suffixes of files that have others beside them (text, words, configuration): of a directory, only these count."""


class Files(NamedTuple):
    """A key file and the response file that belongs to it."""

    key: str
    response: str
    name: str = ""
    """Name of the pair; empty if it is the only one."""


def pair_files(key: str, response: str, lonely: dict[str, InputError] | None = None) -> list[Files]:
    """The pairs of files that two names denote, in the order of their names.

    Files of two directories are paired by their path in them, or else by that without suffixes; those of two
    patterns by the text that the wildcards match, or else by their names. Files without a counterpart are an error,
    or one each in ``lonely``, by path.
    """
    if not (stands_for_many(key) or stands_for_many(response)) or (_misspelt(key) or _misspelt(response)):
        return [Files(key, response)]
    for one, other in ((key, response), (response, key)):
        if stands_for_many(one) and not stands_for_many(other):
            if not exists(other):
                raise InputError("no such file or directory", path=other, hint=SPELLING)
            what = "is a directory" if os.path.isdir(one) else "matches many files"
            hint = "name one file in it, or many on both sides"
            raise InputError(f"{what}, but {other} is one file", path=one, hint=hint)
    keys, responses = _named_files(key), _named_files(response)
    pairs = {name: (keys.pop(name), responses.pop(name)) for name in list(keys) if name in responses}
    stems, other_stems = _by_stem(keys), _by_stem(responses)
    for stem in stems.keys() & other_stems.keys():
        if len(stems[stem]) == len(other_stems[stem]) == 1:
            pairs[stem] = (keys.pop(stems[stem][0]), responses.pop(other_stems[stem][0]))
    left = [("response", list(keys.values())), ("key", list(responses.values()))]
    if lonely is not None:
        for side, files in left:
            lonely.update({path: InputError(f"has no {side}", path=path, hint=SAME_NAMES) for path in files})
    elif keys or responses:
        missing = [
            f"{len(files)} without a {side}: {', '.join(files[:SHOWN])}{' …' if len(files) > SHOWN else ''}"
            for side, files in left
            if files
        ]
        raise InputError(
            f"the files of {key!r} and {response!r} cannot be paired by name\n  " + "\n  ".join(missing),
            hint=SAME_NAMES,
        )
    return [Files(*pairs[name], name) for name in sorted(pairs, key=lambda name: shared_name(*pairs[name]) or name)]


def files_named(name: str) -> list[str]:
    """The files of a directory or pattern, sorted; of everything else, the name itself."""
    return sorted(_named_files(name).values()) if stands_for_many(name) and not _misspelt(name) else [name]


def shared_name(key: str, response: str) -> str:
    """The end of two paths that both share; files whose suffixes differ share the rest of their name.

    >>> shared_name("gold/bc/x.conllu", "system/bc/x.conllu"), shared_name("gold/x.conll", "system/x.jsonl")
    ('bc/x.conllu', 'x')
    """
    directories, names = zip(
        *(path.replace(os.sep, "/").rpartition("/")[::2] for path in (key, response)), strict=True
    )
    stems = {name.partition(".")[0] for name in names}
    if len(stems) > 1:
        return ""
    parts = zip(*(reversed(directory.split("/")) for directory in directories), strict=False)
    shared = [part for part, _ in takewhile(lambda both: both[0] == both[1], parts)]
    return "/".join(filter(None, [*reversed(shared), names[0] if names[0] == names[1] else stems.pop()]))


def exists(name: str) -> bool:
    """Whether there is such a file or directory, or a file that matches the pattern; true for ``-``."""
    return name == "-" or os.path.exists(name) or (stands_for_many(name) and not _misspelt(name))


def is_file_name(name: str) -> bool:
    """Whether a file can have this name: JSON can hold null characters and lone surrogates, file names cannot."""
    try:
        return bool(name) and b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False


def is_wild(name: str) -> bool:
    """Whether there are wildcards in a name."""
    return any(sign in name for sign in "*?[")


def stands_for_many(name: str) -> bool:
    """Whether a name is a directory, or a pattern."""
    return os.path.isdir(name) or (is_wild(name) and not os.path.exists(name))


def _misspelt(name: str) -> bool:
    """Whether this is a pattern that no file matches; it is reported like a file that does not exist."""
    return stands_for_many(name) and not os.path.isdir(name) and not _matching(name)


def _named_files(name: str) -> dict[str, str]:
    """The files of a directory by their paths in it, or those of a pattern by the text that its wildcards match."""
    if os.path.isdir(name):
        from pathlib import Path  # 10 ms, for directories only

        files = list(map(Path, _files_below(name)))
        files = [path for path in files if path.suffix in WITH_COMPANIONS] or files
        named = {path.relative_to(name).as_posix(): str(path) for path in files}
    else:
        named = _matching(name)
    if not named:
        raise InputError("has no files", path=name, hint=SPELLING)
    return named


def _files_below(folder: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """The files of a directory and of those below it, unless hidden; links are followed unless they lead back."""
    real = os.path.realpath(folder)
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".") and real not in above]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=folder) from None
    for entry in entries:
        if entry.is_dir():
            yield from _files_below(entry.path, (*above, real))
        elif entry.is_file():
            yield entry.path


def _matching(pattern: str) -> dict[str, str]:
    from glob import glob  # 5 ms, for patterns only

    files = sorted(path for path in glob(pattern, recursive=True) if os.path.isfile(path))
    # Each run of wildcards becomes a group, whose text is the name of the file.
    # Windows has two separators and ignores case.
    parts = re.split(r"((?:\*\*/?)+|\*|\?|\[[^\]]*\])", pattern.replace(os.sep, "/"))
    groups = "".join(f"({_expression(part)})" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    expression = re.compile(groups, re.IGNORECASE if os.path.normcase("A") == "a" else 0)
    named = {}
    for path in files:
        match = expression.fullmatch(path.replace(os.sep, "/"))
        named["/".join(match.groups()) if match else os.path.basename(path)] = path
    return named if len(named) == len(files) else {os.path.basename(path): path for path in files}


def _expression(wildcard: str) -> str:
    if wildcard.startswith("**"):
        return r"(?:.*/)?" if wildcard.endswith("/") else ".*"
    return {"*": "[^/]*", "?": "[^/]"}.get(wildcard) or wildcard.replace("[!", "[^")


def _by_stem(files: dict[str, str]) -> dict[str, list[str]]:
    """Names by their part before the first dot of the file name."""
    names_by_stem: dict[str, list[str]] = {}
    for name in files:
        directory, slash, last = name.rpartition("/")
        names_by_stem.setdefault(directory + slash + (last.partition(".")[0] or last), []).append(name)
    return names_by_stem
