"""A task as a directory: one subdirectory per data set, with the key and the responses of all systems."""

from __future__ import annotations

import os
from pathlib import Path

from ...base.errors import InputError
from ...base.naming import names_of
from .task import Submission, Task

KEYS = ("key", "gold")
NO_SUBMISSIONS = ("readme", "license", "licence")
LAYOUT = "one subdirectory per data set, with a file key.* (or gold.*) and a file for each system, named like it"


def read_directory(path: str, *, keys_only: bool = False) -> Task:
    """The task of a directory; InputError if it is not laid out as one. With ``keys_only`` it may lack systems."""
    folders = [entry for entry in _entries(Path(path)) if entry.is_dir()]
    if not folders:
        raise InputError("has no subdirectories", path=path, hint=f"what is expected: {LAYOUT}; or a manifest")
    contents = {folder.name: _dataset(folder) for folder in folders}
    systems = sorted({system for _, responses in contents.values() for system in responses})
    if not systems and not keys_only:
        raise InputError("has keys, but no responses", path=path, hint=f"what is expected: {LAYOUT}")
    return Task(
        path,
        {name: key for name, (key, _) in contents.items()},
        {
            system: {
                name: Submission(responses[system])
                if system in responses
                else Submission("", "missing", f"there is no {os.path.join(path, name, system)}.*")
                for name, (_, responses) in contents.items()
            }
            for system in systems
        },
    )


def _dataset(folder: Path) -> tuple[str, dict[str, str]]:
    """The key and the responses by system."""
    keys: list[str] = []
    responses: dict[str, str] = {}
    for entry in _entries(folder):
        if entry.name.partition(".")[0].lower() in KEYS:
            keys.append(str(entry))
            continue
        system = entry.name if entry.is_dir() else names_of([entry])[0]
        if system in responses:
            raise InputError(
                f"two files of the system {system!r}: {os.path.basename(responses[system])} and {entry.name}",
                path=str(folder),
                hint="each system has one response to a data set; its name is that of the file without suffixes",
            )
        responses[system] = str(entry)
    if len(keys) != 1:
        which = ", ".join(map(os.path.basename, keys))
        message = f"there are {len(keys)} keys: {which}" if keys else "there is no key"
        raise InputError(message, path=str(folder), hint=f"what is expected: {LAYOUT}")
    return keys[0], responses


def _entries(folder: Path) -> list[Path]:
    """What is in a directory, without hidden files, backup copies and what is there to be read by people."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(folder)) from None
    return [
        entry
        for entry in entries
        if not entry.name.startswith(".")
        and not entry.name.endswith("~")
        and entry.name.partition(".")[0].lower() not in NO_SUBMISSIONS
    ]
