"""The files of a submission: which of them is the response to which data set.

Files may be in a directory of the submission, have a wrong name, or be an archive in the archive. What is not found
is missing, and the message says what is there instead.

Only regular files of the submission itself are read, whatever program unpacked it. Symbolic links, named pipes,
sockets and devices are refused by name: a link may lead to the keys, and a pipe never ends. A hard link cannot be
told from any other file, so it is read, unless it is the same file as one of the keys.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping

from ...base.errors import amount
from ...study.tasks.task import Submission
from .names import key_of

SHOWN = 5
"""Names of files in a message."""
LEFT_BY_SYSTEMS = ("__MACOSX",)
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What is not read, by its mode."""
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".7z", ".rar")


FileId = tuple[int, int]
"""Device and inode: hard links to one file share them."""
UNKNOWN = 0, 0


def find_responses(folder: str, keys: Mapping[str, str]) -> dict[str, Submission]:
    """By data set, the response below a directory; ``keys`` has the file or the directory of each key.

    A response is called like its key, up to the first point of the name. Where there are several, the one that is
    least deep counts. A response that is not a regular file, or a directory that holds anything but regular files and
    directories, is faulty, and so is a hard link to a key.
    """
    entries = list(_entries(folder))
    key_ids = {_file_id(path) for key in keys.values() for path in _tree(key)} - {UNKNOWN}
    return {dataset: _find(folder, entries, key, key_ids) for dataset, key in keys.items()}


def _entries(folder: str) -> Iterator[str]:
    """Everything below a directory except hidden files; links to directories are listed, not followed."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_ignored(name))
        yield from (os.path.join(parent, name) for name in folders)
        yield from (os.path.join(parent, name) for name in sorted(files) if not _is_ignored(name))


def _tree(path: str) -> list[str]:
    """A path and everything below it, hidden files included: the reader of a directory looks into hidden ones."""
    inside = (os.path.join(parent, name) for parent, *names in os.walk(path) for name in (*names[0], *names[1]))
    return [path, *sorted(inside)]


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name in LEFT_BY_SYSTEMS


def _mode(path: str) -> int:
    """The kind of a file, that of a link itself; 0 if it cannot be told."""
    try:
        return os.lstat(path).st_mode
    except OSError:
        return 0


def _is_regular(path: str) -> bool:
    return stat.S_ISREG(_mode(path))


def _is_directory(path: str) -> bool:
    return stat.S_ISDIR(_mode(path))


def _file_id(path: str) -> FileId:
    try:
        status = os.stat(path)
    except OSError:
        return UNKNOWN  # a key that is not there is reported where it is read
    return (status.st_dev, status.st_ino) if status.st_ino else UNKNOWN


def _find(folder: str, entries: list[str], key: str, key_ids: Collection[FileId]) -> Submission:
    wanted = key_of(key)
    is_kind = _is_directory if os.path.isdir(key) else _is_regular
    named = [path for path in entries if key_of(path) == wanted]
    found = [path for path in named if is_kind(path)]
    depth = min((path.count(os.sep) for path in found), default=0)
    nearest = [path for path in found if path.count(os.sep) == depth]
    if len(nearest) == 1:
        return _checked(folder, nearest[0], key_ids)
    if not nearest and (refused := list(filter(None, (_fault(folder, path, key_ids) for path in named)))):
        return Submission("", "faulty", refused[0])
    what = f"directory {wanted}" if os.path.isdir(key) else f"file {wanted}.*"
    names = [os.path.relpath(path, folder) for path in nearest or entries if nearest or not _is_directory(path)]
    listed = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
    if nearest:
        return Submission("", "faulty", f"there is more than one {what}: {listed}")
    there = f"{amount(len(names), 'file')}: {listed}" if names else "nothing"
    packed = [name for name in names if name.lower().endswith(ARCHIVES)]
    remedy = f"; {packed[0]} is an archive in the archive: pack the files themselves" if packed else ""
    return Submission("", "missing", f"there is no {what}; the submission has {there}{remedy}")


def _checked(folder: str, path: str, key_ids: Collection[FileId]) -> Submission:
    """A response, if it and everything in it may be read."""
    for file in _tree(path):
        if fault := _fault(folder, file, key_ids):
            return Submission("", "faulty", fault)
    return Submission(path)


def _fault(folder: str, path: str, key_ids: Collection[FileId]) -> str:
    """Why something of a submission is not read; empty if it is a directory, or a regular file of its own."""
    mode, name = _mode(path), os.path.relpath(path, folder)
    if stat.S_ISDIR(mode):
        return ""
    if not stat.S_ISREG(mode):
        return f"{name} is {KINDS.get(stat.S_IFMT(mode), 'not a regular file')}: a submission is made of plain files"
    if _file_id(path) in key_ids:
        return f"{name} is a hard link to a key: a submission is made of files of its own"
    return ""
