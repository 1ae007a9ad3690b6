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


def read_directory(path: str) -> Task:
    """The task of a directory; InputError if it is not laid out as one."""
    folders = [entry for entry in _entries(Path(path)) if entry.is_dir()]
    if not folders:
        raise InputError("has no subdirectories", path=path, hint=f"what is expected: {LAYOUT}; or a manifest")
    datasets: dict[str, str] = {}
    responses: dict[str, dict[str, str]] = {}
    for folder in folders:
        datasets[folder.name], responses[folder.name] = _dataset(folder)
    systems = sorted({system for files in responses.values() for system in files})
    if not systems:
        raise InputError("has keys, but no responses", path=path, hint=f"what is expected: {LAYOUT}")
    return Task(
        path,
        datasets,
        {system: {name: _submission(path, name, system, responses[name]) for name in datasets} for system in systems},
    )


def _dataset(folder: Path) -> tuple[str, dict[str, str]]:
    """The key and the responses by system."""
    keys: list[str] = []
    found: dict[str, str] = {}
    for entry in _entries(folder):
        if entry.name.partition(".")[0].lower() in KEYS:
            keys.append(str(entry))
            continue
        system = entry.name if entry.is_dir() else names_of([entry])[0]
        if system in found:
            raise InputError(
                f"two files of the system {system!r}: {os.path.basename(found[system])} and {entry.name}",
                path=str(folder),
                hint="each system has one response to a data set; its name is that of the file without suffixes",
            )
        found[system] = str(entry)
    if len(keys) != 1:
        which = ", ".join(map(os.path.basename, keys))
        raise InputError(
            f"there are {len(keys)} keys: {which}" if keys else "there is no key",
            path=str(folder),
            hint=f"what is expected: {LAYOUT}",
        )
    return keys[0], found


def _submission(path: str, dataset: str, system: str, files: dict[str, str]) -> Submission:
    if system in files:
        return Submission(files[system])
    return Submission("", "missing", f"there is no {os.path.join(path, dataset, system)}.*")


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
