"""A report page for each submission of a shared task, and where the leaderboard finds it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from ...base.annotations import TYPE_CHECKING, Any
from ...base.errors import CorefscopeError
from ...base.naming import is_reserved
from ...base.processes import how_many, side_by_side
from ...base.record import Record
from ...evaluate.request import Progress
from ..page import write_report

if TYPE_CHECKING:
    from ...study.tasks import TaskResult

LONGEST = 80  # characters of a name


class PageJob(Record):
    """One page to be written."""

    system: str
    dataset: str
    key: str
    response: str
    out: str
    arguments: dict[str, Any]


class ReportPages(Record):
    """What became of the pages."""

    written: dict[tuple[str, str], str]
    """By system and data set where the page is."""
    refused: list[str]
    """Why there is none of some submissions."""

    def seen_from(self, board: str) -> dict[tuple[str, str], str]:
        """The addresses of the pages, as a leaderboard at this path links to them."""
        base = os.path.dirname(os.path.abspath(board))
        return {which: _address(path, base) for which, path in self.written.items()}


def _address(path: str, base: str) -> str:
    """The address of a page from a directory; on another drive of Windows, its whole path."""
    try:
        return quote(os.path.relpath(path, base).replace(os.sep, "/"))
    except ValueError:
        return "file:///" + quote(os.path.abspath(path).replace(os.sep, "/"), safe="/:")


def write_reports(
    result: TaskResult, folder: str, *, jobs: int | None = None, progress: Progress | None = None
) -> ReportPages:
    """Write the report page of every submission that was scored: FOLDER/SYSTEM/DATASET.html."""
    todo = list(_jobs(result, folder))
    for job in todo:
        os.makedirs(os.path.dirname(job.out), exist_ok=True)
    written, refused = {}, []
    for number, (job, message) in enumerate(zip(todo, _done(todo, jobs), strict=True), 1):
        if message:
            refused.append(f"no report of {job.system} on {job.dataset}: {message}")
        else:
            written[job.system, job.dataset] = job.out
        if progress:
            progress(number, len(todo), f"report of {job.system} on {job.dataset}")
    return ReportPages(written, refused)


def _jobs(result: TaskResult, folder: str) -> Iterator[PageJob]:
    arguments = {
        name: value
        for name, value in result.scheme.request.arguments.items()
        if name not in ("baseline", "digests") and value is not None
    }
    systems, datasets = _file_names(result), _file_names(result.datasets)
    for system, reports in result.items():
        for dataset in reports:
            out = os.path.join(folder, systems[system], f"{datasets[dataset]}.html")
            response = result.task.systems[system][dataset].path
            yield PageJob(system, dataset, result.task.datasets[dataset], response, out, arguments)


def _done(todo: Sequence[PageJob], jobs: int | None) -> Iterator[str]:
    """What is wrong with each page, one after the other; nothing if it was written."""
    workers = min(how_many(jobs), len(todo))
    if workers > 1 and not any(callable(value) for job in todo for value in job.arguments.values()):
        with side_by_side(workers) as pool:
            if pool is not None:
                yield from pool.map(_write, todo)
                return
    yield from map(_write, todo)


def _write(job: PageJob) -> str:
    title = f"{job.system} on {job.dataset}"
    try:
        write_report(job.key, [job.response], job.out, names=[job.system], title=title, **job.arguments)
    except (CorefscopeError, OSError) as error:
        return str(error)
    return ""


def _file_names(names: Iterator[str] | Sequence[str] | TaskResult) -> dict[str, str]:
    """A name for the file of each that any system takes; no two are the same, whatever their case.

    Windows has names that are devices, and removes points and spaces at the end.

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
