"""A report page for each submission of a shared task, linked from the leaderboard."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import quote

from ....comparison.tasks.result import TaskResult
from ....core.errors import CorefscopeError
from ....core.request import Progress
from ....formats.naming import is_reserved
from ....formats.processes import DeadWorkerError, how_many, side_by_side
from ....formats.target import TargetDirectory
from ..report import write_report

LONGEST = 80  # characters of a name
DIED = "the process that wrote it has died (was there enough memory?)"


class PageJob(NamedTuple):
    """One page to be written."""

    system: str
    dataset: str
    key: str
    response: str
    out: str
    temporary: str
    """Where it is written until all pages are complete."""
    arguments: dict[str, Any]


class ReportPages(NamedTuple):
    """The pages that were written, and the problems of the others."""

    written: dict[tuple[str, str], str]
    """The paths of pages, by system and data set."""
    refused: list[str]
    """Why some submissions have no page."""

    def seen_from(self, board: str) -> dict[tuple[str, str], str]:
        """The addresses of the pages, as a leaderboard at this path links to them."""
        base = os.path.dirname(os.path.abspath(board))
        return {submission: _address(path, base) for submission, path in self.written.items()}


def _address(path: str, base: str) -> str:
    """The address of a page from a directory; on another drive of Windows, its whole path."""
    try:
        return quote(os.path.relpath(path, base).replace(os.sep, "/"))
    except ValueError:
        return "file:///" + quote(os.path.abspath(path).replace(os.sep, "/"), safe="/:")


def write_reports(
    result: TaskResult, folder: str, *, jobs: int | None = None, progress: Progress | None = None
) -> ReportPages:
    """Write the report page of every submission that was scored: FOLDER/SYSTEM/DATASET.html.

    All pages appear together, when the last one is written: an interruption leaves neither pages nor directories.
    """
    written, refused = {}, []
    directory = _PageDirectory(folder)
    with directory:
        todo = list(_jobs(result, directory))
        for number, (job, message) in enumerate(zip(todo, _write_all(todo, jobs), strict=True), 1):
            if message:
                refused.append(f"no report of {job.system} on {job.dataset}: {message}")
            else:
                written[job.system, job.dataset] = job.out
            if progress:
                progress(number, len(todo), f"report of {job.system} on {job.dataset}")
    return ReportPages(written, refused)


class _PageDirectory(TargetDirectory):
    """A directory of directories, which are merged with existing ones."""

    def paths(self, *names: str) -> tuple[str, str]:
        """The path of a file, and the one that it has until all files are complete."""
        return os.path.join(self.path, *names), os.path.join(self._temporary, *names)

    def _finish(self) -> None:
        for directory, _, _ in os.walk(self._temporary, topdown=False):
            with suppress(OSError):  # it has pages
                os.rmdir(directory)
        if os.path.exists(self._temporary):
            _merge(self._temporary, self._real_path)


def _merge(source: str, place: str) -> None:
    """Move a file, or a directory into one that may be there; files of the same names are replaced."""
    if os.path.isdir(source) and os.path.isdir(place):
        for name in os.listdir(source):
            _merge(os.path.join(source, name), os.path.join(place, name))
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.replace(source, place)


def _jobs(result: TaskResult, directory: _PageDirectory) -> Iterator[PageJob]:
    arguments = {
        name: value
        for name, value in result.scheme.request.arguments.items()
        if name not in ("baseline", "digests") and value is not None
    }
    systems, datasets = _file_names(result), _file_names(result.datasets)
    for system, reports in result.items():
        for dataset in reports:
            out, temporary = directory.paths(systems[system], f"{datasets[dataset]}.html")
            response = result.task.systems[system][dataset].path
            yield PageJob(system, dataset, result.task.datasets[dataset], response, out, temporary, arguments)


def _write_all(todo: Sequence[PageJob], jobs: int | None) -> Iterator[str]:
    """Write all pages; yield the problem of each in their order, empty if there is none."""
    workers = min(how_many(jobs), len(todo))
    if workers > 1 and not any(callable(value) for job in todo for value in job.arguments.values()):
        with side_by_side(workers) as pool:
            if pool is not None:
                for task in [pool.submit(_write, job) for job in todo]:
                    try:
                        yield str(task.result())
                    except DeadWorkerError:
                        yield DIED
                return
    yield from map(_write, todo)


def _write(job: PageJob) -> str:
    title = f"{job.system} on {job.dataset}"
    if os.path.isdir(job.out):
        return f"{job.out}: cannot be written: is a directory"
    try:
        os.makedirs(os.path.dirname(job.temporary), exist_ok=True)
        write_report(job.key, [job.response], job.temporary, names=[job.system], title=title, **job.arguments)
    except (CorefscopeError, OSError) as error:
        return str(error).replace(job.temporary, job.out)
    return ""


def _file_names(names: Iterator[str] | Sequence[str] | TaskResult) -> dict[str, str]:
    """A file name for each name that is valid on every system; names differ even if case is ignored.

    Windows reserves the names of devices, and removes dots and spaces at the end.

    >>> _file_names(["en_gum", "../a b", "A_b", "..", "CON.v2"])
    {'en_gum': 'en_gum', '../a b': 'a_b', 'A_b': 'A_b-2', '..': 'page', 'CON.v2': '_CON.v2'}
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII).strip("._")[:LONGEST].rstrip("._") or "page"
        if is_reserved(plain):
            plain = f"_{plain}"
        file, number = plain, 1
        while file.lower() in taken:
            number += 1
            file = f"{plain}-{number}"
        taken.add(file.lower())
        files[name] = file
    return files
