"""Names of files: without suffixes, for annotators and systems; suffixes of compression; names of documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ..core.errors import InputError, OptionError
from ..core.naming import listed_names

COMPRESSED = (".gz", ".xz", ".bz2")
RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
"""Device names of Windows, which no file can have, in any case and with any suffix."""


def names_of(paths: Sequence[str | os.PathLike[str]], names: str | Sequence[str] | None = None) -> tuple[str, ...]:
    """These names, or without them as much of the paths as tells them apart.

    >>> names_of(["runs/a.conllu.gz", "runs/b.conllu"])
    ('a', 'b')
    >>> names_of(["anna/dev.conllu", "bela/dev.conllu"])
    ('anna/dev', 'bela/dev')
    >>> names_of(["runs/a.conllu", "runs/b.conllu", "runs/a.conllu"])
    ('a', 'b', 'a (2)')
    >>> names_of(["dev.key.conllu", "dev.sys.conllu.xz"])
    ('dev.key', 'dev.sys')
    """
    if names is not None:
        return checked_names(names, len(paths))
    parts = [_parts(os.fspath(path)) for path in paths]
    deepest = max(map(len, parts), default=1)
    different = len(set(parts))
    depth = next(n for n in range(1, deepest + 1) if len({path[-n:] for path in parts}) == different)
    times: dict[str, int] = {}
    distinct = []
    for name in ("/".join(path[-depth:]) for path in parts):
        times[name] = times.get(name, 0) + 1
        distinct.append(f"{name} ({times[name]})" if times[name] > 1 else name)
    return tuple(distinct)


Paths = Sequence[str | os.PathLike[str]]
NamedPaths = Paths | Mapping[str, str | os.PathLike[str]]
"""Files, or files by name."""


def paths_and_names(files: NamedPaths, names: str | Sequence[str] | None) -> tuple[Paths, str | Sequence[str] | None]:
    """The files, and the names given for them: those of a dictionary, if it is one.

    >>> paths_and_names({"ours": "a.conllu"}, None), paths_and_names(["a.conllu"], "ours")
    ((['a.conllu'], ['ours']), (['a.conllu'], 'ours'))
    """
    if not isinstance(files, Mapping):
        return files, names
    if names is not None:
        raise OptionError("the files are a dictionary, which has their names: leave names out")
    return list(files.values()), list(files)


def _parts(path: str) -> tuple[str, ...]:
    """Folders and name, without the suffixes of compression and format."""
    from pathlib import PurePath  # 10 ms, for comparisons of systems only

    *folders, name = PurePath(path).parts or ("",)
    unpacked = name.removesuffix(packed_suffix(name))
    return (*folders, unpacked.rpartition(".")[0] or unpacked or name)


def packed_suffix(path: str) -> str:
    """The end of a name that says the file is compressed; nothing if it is not.

    >>> packed_suffix("key.conllu.gz"), packed_suffix("key.conllu")
    ('.gz', '')
    """
    return next((path[-len(suffix) :] for suffix in COMPRESSED if path.lower().endswith(suffix)), "")


def is_reserved(name: str) -> bool:
    """Whether Windows takes a file name for that of a device.

    >>> [is_reserved(name) for name in ("CON", "nul.html", "com1.tar.gz", "console", "a.con")]
    [True, True, True, False, False]
    """
    return name.partition(".")[0].rstrip().lower() in RESERVED


def checked_names(names: str | Sequence[str], count: int, of: str = "files") -> tuple[str, ...]:
    """Names, perhaps separated by commas, once it is known that there are enough and that they differ."""
    listed = tuple(
        [name.strip() for name in (names.split(",") if isinstance(names, str) else listed_names("names", names))]
    )
    if len(listed) != count:
        raise OptionError(f"{len(listed)} names for {count} {of}: name each of them")
    if len(set(listed)) < count or not all(listed):
        raise OptionError(f"names must differ and not be empty: {', '.join(listed)}")
    return listed


def no_such_document(name: str, names: Sequence[str], path: str) -> InputError:
    """The error about a document that is not in a file; the hint names those whose names are similar.

    >>> print(no_such_document("lettr", ["diary", "letter"], "k.conllu"))
    k.conllu: there is no document 'lettr'
      hint: documents are called 'letter' …
    """
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=3, cutoff=0.3) or names[:3]
    hint = "documents are called " + ", ".join(map(repr, near)) + (" …" if len(names) > len(near) else "")
    return InputError(f"there is no document {name!r}", path=path, hint=hint)
