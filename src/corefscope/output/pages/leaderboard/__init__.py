"""The leaderboard of a shared task as one HTML page: sortable tables, a choice of settings, languages and groups.

It links to a report page for each submission.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isinf
from typing import NamedTuple
from urllib.parse import quote

from ....comparison.paired_tests import shown_p
from ....comparison.tasks.result import TaskResult, TaskSettings
from ....comparison.tasks.task import TaskPart
from ....core.errors import CorefscopeError
from ....core.metrics import METRICS
from ....core.numbers import headline
from ....core.request import Progress
from ....core.result import Plain
from ....core.version import __version__
from ....formats.naming import is_reserved
from ....formats.processes import DeadWorkerError, how_many, side_by_side
from ....formats.target import TargetDirectory
from ...results.systems import averages, by_dataset, documents, other_metrics, shown_rank
from ..report import join, resource, whole, write_report

SCRIPT = "board.js"
Pages = Mapping[tuple[str, str], str]
"""Addresses of report pages, by system and data set, as the leaderboard links to them."""

KINDS = {"language": "Languages", "group": "Groups"}
LOWEST = -1.0
"""The sort key of submissions without a score, below all scores."""


def render(result: TaskResult | TaskSettings, per_document: bool, pages: Pages) -> str:
    """The page as text; it needs no other file, and links to the report pages."""
    style = read("page.css") + read("board.css")
    board = collect(result, per_document, pages)
    page = whole("board.html.j2", style, join([SCRIPT], read), read=read, board=board)
    return page.encode("utf-8", errors="backslashreplace").decode("utf-8") + "\n"  # names of files may be no text


def read(name: str) -> str:
    """A template or module of the leaderboard, or one that it shares with the report page."""
    try:
        return resource(name, __package__)
    except FileNotFoundError:
        return resource(name)


def collect(result: TaskResult | TaskSettings, per_document: bool, pages: Pages) -> Plain:
    """The leaderboard of each setting, and the status of each submission."""
    settings: Mapping[str, TaskResult] = {"": result} if isinstance(result, TaskResult) else result
    first = next(iter(settings.values()))
    submissions = list(_submissions(first, pages))
    submissions.sort(key=lambda one: (one["status"] == "scored", -(one["errors"] or 0)))  # the worst first
    return {
        "version": __version__,
        "title": first.task.name,
        "description": first.task.description.splitlines(),
        "systems": len(first),
        "datasets": len(first.datasets),
        "languages": first.task.languages_of(first.datasets),
        "settings": [_setting(title, of_setting, per_document, pages) for title, of_setting in settings.items()],
        "parts": [
            {
                "title": title,
                "options": [
                    {"value": str(part), "name": first.task.language_name(part.name), "datasets": len(part.datasets)}
                    for part in first.parts
                    if part.kind == kind
                ],
            }
            for kind, title in KINDS.items()
            if any(part.kind == kind for part in first.parts)
        ],
        "submissions": submissions,
        "checked": bool(first.checks),
        "warnings": result.warnings,
        "signature": result.signature,
    }


def _setting(title: str, result: TaskResult, per_document: bool, pages: Pages) -> Plain:
    metric = result.scheme.rank_by
    perfect = METRICS[metric].scale.perfect
    shown = dict(by_dataset(result, metric)[-len(result.datasets) :])
    ranks = list(result.ranks.values())
    averaged: dict[TaskPart | None, dict[str, Plain]] = {}
    for part in (None, *result.parts):
        datasets = part.datasets if part else None
        averaged[part] = {}
        for system, cell in averages(result, metric, datasets).items():
            value = result.average(system, metric, datasets)
            sort_value = LOWEST if value is None or isinf(value) else value
            averaged[part][system] = {"text": cell.text, "note": cell.note, "best": cell.bold, "value": sort_value}
    values = {
        (system, name): headline(report[metric])
        for system, reports in result.items()
        for name, report in reports.items()
        if not report.nothing(metric)
    }
    lowest = min((interval.low for interval in result.intervals.values()), default=0.0)
    return {
        "title": title,
        "metric": METRICS[metric].title,
        "best": "ascending" if perfect == 0 else "descending",
        "level": f"{100 * result.scheme.plan.level:g} %",
        "floor": max(0, min(90, int(lowest * 10) * 10)),  # where the pictures of intervals begin
        "columns": [
            {"name": name, "parts": [number for number, part in enumerate(result.parts) if name in part.datasets]}
            for name in result.datasets
        ],
        "parts": [{"value": str(part), "name": result.task.language_name(part.name)} for part in result.parts],
        "rows": [
            {
                "system": system,
                "rank": shown_rank(rank),
                "place": place,
                "tied": rank is not None and ranks.count(rank) > 1,
                "shared": shared.reason if (shared := result.shared_ranks.get(system)) else "",
                "disjoint": bool(shared and shared.why_disjoint),
                "opens": place > 1 and rank != ranks[place - 2],
                "macro": averaged[None][system],
                "interval": list(result.intervals[system]) if system in result.intervals else None,
                "parts": [averaged[part][system] for part in result.parts],
                "cells": [
                    {
                        "text": shown[name][system].text,
                        "note": shown[name][system].note,
                        "best": shown[name][system].bold,
                        "value": values.get((system, name), LOWEST),
                        "scored": name in result[system],
                        "page": pages.get((system, name)),
                        "why": problem.message if (problem := result.problem(system, name)) else "",
                    }
                    for name in result.datasets
                ],
            }
            for place, (system, rank) in enumerate(result.ranks.items(), 1)
        ],
        "by_metric": other_metrics(result),
        "documents": list(documents(result)) if per_document else [],
        "comparisons": [
            {**contrast._asdict(), "p": shown_p(contrast.p), "adjusted": shown_p(contrast.adjusted)}
            for contrast in result.ranking.comparisons
        ],
        "notes": result.notes,
        "signature": result.signature,
    }


def _submissions(result: TaskResult, pages: Pages) -> Iterator[Plain]:
    """Every submission: its status, the findings of validation, and the address of its report."""
    for system in result.ranks:
        for dataset, submission in result.task.systems[system].items():
            problem, check = result.problem(system, dataset), result.checks.get((system, dataset))
            codes = sorted(check.codes.items()) if check else []
            yield {
                "system": system,
                "dataset": dataset,
                "file": os.path.basename(submission.path),
                "status": problem.status if problem else "scored",
                "message": problem.message if problem else "",
                "errors": check.errors if check else None,
                "warnings": check.warnings if check else None,
                "codes": ", ".join(f"{code} ×{count:,}" for code, count in codes),
                "page": pages.get((system, dataset)),
            }


# ---- report pages of submissions

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
    arguments: Plain


class ReportPages(NamedTuple):
    """The pages that were written, and the problems of the others."""

    written: dict[tuple[str, str], str]
    """The paths of pages, by system and data set."""
    refused: list[str]
    """Why some submissions have no page."""

    def seen_from(self, board: str) -> dict[tuple[str, str], str]:
        """The addresses of the pages, as a leaderboard at this path links to them."""
        addresses = {}
        for submission, path in self.written.items():
            try:
                below = os.path.relpath(path, os.path.dirname(os.path.abspath(board)))
                addresses[submission] = quote(below.replace(os.sep, "/"))
            except ValueError:  # it is on another drive of Windows
                whole_path = os.path.abspath(path).replace(os.sep, "/")
                addresses[submission] = f"file:///{quote(whole_path, safe='/:')}"
        return addresses


def write_reports(
    result: TaskResult, folder: str, *, jobs: int | None = None, progress: Progress | None = None
) -> ReportPages:
    """Write the report page of every submission that was scored: FOLDER/SYSTEM/DATASET.html.

    All pages appear together, when the last one is written: an interruption leaves neither pages nor directories.
    """
    arguments = {
        name: value
        for name, value in result.scheme.request.arguments.items()
        if name not in ("baseline", "digests") and value is not None
    }
    systems, datasets = _file_names(result), _file_names(result.datasets)
    todo, written, refused = [], {}, []
    directory = _PageDirectory(folder)
    with directory:
        for system, reports in result.items():
            for dataset in reports:
                out, temporary = directory.paths(systems[system], f"{datasets[dataset]}.html")
                paths = result.task.datasets[dataset], result.task.systems[system][dataset].path, out, temporary
                todo.append(PageJob(system, dataset, *paths, arguments))
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
        for parent, _, names in os.walk(self._temporary):
            place = os.path.join(self._real_path, os.path.relpath(parent, self._temporary))
            for name in names:
                os.makedirs(place, exist_ok=True)
                os.replace(os.path.join(parent, name), os.path.join(place, name))
        self._discard()


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


def _file_names(names: Iterable[str]) -> dict[str, str]:
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
