"""A shared task as a Codabench competition: a bundle to upload, and the program in it that scores submissions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...core.errors import OptionError
from ...formats.target import Target, TargetDirectory, is_within, refuse_overwriting

if TYPE_CHECKING:
    from ...comparison.tasks import Task


def write_bundle(task: Task, out: str, *, details: str) -> None:
    """Write the bundle of a task into a new directory, or as one archive if the name ends in ``.zip``."""
    inputs = [*task.datasets.values(), task.path]
    _check_place(out, inputs)
    from .bundle import bundle_files

    files = bundle_files(task, details)
    if _is_archive(out):
        from ...output.vendored import archive

        with Target(out) as zipped:
            zipped.write(archive(files.items()))
        return
    with TargetDirectory(out) as directory:
        for name, content in files.items():
            with directory.file(name, packed=True) as file:
                file.write(content if isinstance(content, bytes) else content.read_bytes())


def _is_archive(out: str) -> bool:
    return out.lower().endswith(".zip")


def _check_place(out: str, inputs: list[str]) -> None:
    """Refuse, before anything is read, to write over inputs, among them, or into what somebody has edited."""
    refuse_overwriting(out, inputs)
    for path in inputs:
        if os.path.isdir(path) and is_within(out, path):
            raise OptionError(f"{out} is in {path}, which is an input: name another place")
    if os.path.isdir(out) and (_is_archive(out) or os.listdir(out)):
        raise OptionError(f"{out} is there already, and is not empty: name another place, or remove it")
    if os.path.exists(out) and not os.path.isdir(out) and not _is_archive(out):
        raise OptionError(f"{out} is a file: name a directory, or a file that ends in .zip")
