"""The files of a submission: which of them is the response to which data set.

A submission is whatever somebody has packed: files may lie in a directory of it, be called wrongly, or be an archive
once more. What is not found is missing, and the message says what is there instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from ...base.errors import amount
from ...study.tasks.task import Submission
from .names import key_of

SHOWN = 5
"""Names of files in a message."""
LEFT_BY_SYSTEMS = ("__MACOSX",)
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".7z", ".rar")


def find_responses(folder: str, keys: Mapping[str, str]) -> dict[str, Submission]:
    """By data set, the response below a directory; ``keys`` has the file or the directory of each key.

    A response is called like its key, up to the first point of the name. Where there are several, the one that is
    least deep counts.
    """
    entries = list(_entries(folder))
    return {dataset: _find(folder, entries, key) for dataset, key in keys.items()}


def _entries(folder: str) -> Iterator[str]:
    """Files and directories below a directory; no links, which might lead out of it, to the keys."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_ignored(parent, name))
        yield from (os.path.join(parent, name) for name in folders)
        yield from (os.path.join(parent, name) for name in sorted(files) if not _is_ignored(parent, name))


def _is_ignored(parent: str, name: str) -> bool:
    return name.startswith(".") or name in LEFT_BY_SYSTEMS or os.path.islink(os.path.join(parent, name))


def _find(folder: str, entries: list[str], key: str) -> Submission:
    wanted = key_of(key)
    is_kind = os.path.isdir if os.path.isdir(key) else os.path.isfile
    found = [path for path in entries if key_of(path) == wanted and is_kind(path)]
    depth = min((path.count(os.sep) for path in found), default=0)
    nearest = [path for path in found if path.count(os.sep) == depth]
    if len(nearest) == 1:
        return Submission(nearest[0])
    what = f"directory {wanted}" if os.path.isdir(key) else f"file {wanted}.*"
    names = [os.path.relpath(path, folder) for path in nearest or entries if nearest or os.path.isfile(path)]
    listed = ", ".join(names[:SHOWN]) + (" …" if len(names) > SHOWN else "")
    if nearest:
        return Submission("", "faulty", f"there is more than one {what}: {listed}")
    there = f"{amount(len(names), 'file')}: {listed}" if names else "nothing"
    packed = [name for name in names if name.lower().endswith(ARCHIVES)]
    remedy = f"; {packed[0]} is an archive in the archive: pack the files themselves" if packed else ""
    return Submission("", "missing", f"there is no {what}; the submission has {there}{remedy}")
