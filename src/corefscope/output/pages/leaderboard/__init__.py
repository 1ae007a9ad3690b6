"""The leaderboard of a shared task as one HTML page: tables that sort, settings, languages and groups to choose."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ....comparison.tasks.result import TaskResult
from ....core.metrics import METRICS
from ....core.numbers import headline
from ....core.version import __version__
from ...results.systems import averages, by_dataset, documents, shown_rank, tables
from ...text import p_value
from ..report.page import join, resource, whole

if TYPE_CHECKING:
    from ....comparison.tasks import TaskSettings
    from ....comparison.tasks.task import TaskPart


SCRIPT = "board.js"
Pages = Mapping[tuple[str, str], str]
"""The address of the report page of a submission, by system and data set, as the leaderboard links to it."""

Plain = dict[str, Any]
KINDS = {"language": "Languages", "group": "Groups"}
LOWEST = -1.0
"""Sorts below all scores: nothing to count, or nothing submitted."""


def render(result: TaskResult | TaskSettings, per_document: bool, pages: Pages) -> str:
    """The page as text; it needs no other file, and links to the report pages that there are."""
    style = read("page.css") + read("board.css")
    board = collect(result, per_document, pages)
    page = whole("board.html.j2", style, join([SCRIPT], read), read=read, board=board)
    return page.encode("utf-8", errors="backslashreplace").decode("utf-8") + "\n"  # names may be no text at all


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
    return {
        "version": __version__,
        "title": _title(first),
        "systems": len(first),
        "datasets": len(first.datasets),
        "languages": len({part.name for part in first.parts if part.kind == "language"}),
        "settings": [_setting(title, of_setting, per_document, pages) for title, of_setting in settings.items()],
        "parts": [
            {
                "title": title,
                "options": [
                    {"value": str(part), "name": part.name, "datasets": len(part.datasets)}
                    for part in first.parts
                    if part.kind == kind
                ],
            }
            for kind, title in KINDS.items()
            if any(part.kind == kind for part in first.parts)
        ],
        "submissions": sorted(_submissions(first, pages), key=_worst_first),
        "checked": bool(first.checks),
        "warnings": result.warnings,
        "signature": result.signature,
    }


def _title(result: TaskResult) -> str:
    """The name of the task: that of its directory, or of the file that describes it."""
    name = os.path.basename(os.path.abspath(result.task.path))
    return name if os.path.isdir(result.task.path) else os.path.splitext(name)[0]


def _setting(title: str, result: TaskResult, per_document: bool, pages: Pages) -> Plain:
    metric = result.scheme.rank_by
    perfect = METRICS[metric].scale.perfect
    shown = dict(by_dataset(result, metric)[-len(result.datasets) :])
    ranks = list(result.ranks.values())
    *_, by_metric = tables(result)
    averaged = {part: _averages(result, part) for part in (None, *result.parts)}
    return {
        "title": title,
        "metric": METRICS[metric].title,
        "best": "ascending" if perfect == 0 else "descending",
        "level": f"{100 * result.scheme.plan.level:g} %",
        "floor": _floor(result),
        "columns": [{"name": name, "parts": _parts(result, name)} for name in result.datasets],
        "parts": [{"value": str(part), "name": part.name} for part in result.parts],
        "rows": [
            {
                "system": system,
                "rank": shown_rank(rank),
                "place": place,
                "tied": rank is not None and ranks.count(rank) > 1,
                "opens": place > 1 and rank != ranks[place - 2],
                "macro": averaged[None][system],
                "interval": list(result.intervals[system]) if system in result.intervals else None,
                "parts": [averaged[part][system] for part in result.parts],
                "cells": [
                    {
                        "text": shown[name][system].text,
                        "best": shown[name][system].bold,
                        "value": _value(result, system, name),
                        "scored": name in result[system],
                        "page": pages.get((system, name)),
                        "why": problem.message if (problem := result.problem(system, name)) else "",
                    }
                    for name in result.datasets
                ],
            }
            for place, (system, rank) in enumerate(result.ranks.items(), 1)
        ],
        "by_metric": by_metric,
        "documents": list(documents(result)) if per_document else [],
        "comparisons": [
            {**contrast._asdict(), "p": p_value(contrast.p), "adjusted": p_value(contrast.adjusted)}
            for contrast in result.ranking.comparisons
        ],
        "notes": result.notes,
        "signature": result.signature,
    }


def _floor(result: TaskResult) -> int:
    """Where the pictures of intervals begin: no average is lower."""
    lowest = min((interval.low for interval in result.intervals.values()), default=0.0)
    return max(0, min(90, int(lowest * 10) * 10))


def _averages(result: TaskResult, part: TaskPart | None) -> dict[str, Plain]:
    """By system the macro average over all data sets, or over those of a part."""
    metric, datasets = result.scheme.rank_by, part.datasets if part else None
    return {
        system: {"text": cell.text, "best": cell.bold, "value": _sortable(result.average(system, metric, datasets))}
        for system, cell in averages(result, metric, datasets).items()
    }


def _sortable(value: float | None) -> float:
    return LOWEST if value is None or abs(value) == float("inf") else value


def _value(result: TaskResult, system: str, dataset: str) -> float:
    """The value that a column is sorted by."""
    report = result[system].get(dataset)
    metric = result.scheme.rank_by
    return LOWEST if report is None or report.nothing(metric) else headline(report[metric])


def _parts(result: TaskResult, dataset: str) -> list[int]:
    """The numbers of the parts that a data set is in."""
    return [number for number, part in enumerate(result.parts) if dataset in part.datasets]


def _submissions(result: TaskResult, pages: Pages) -> Iterator[Plain]:
    """Every submission: whether it was scored, what validation found, and where its report is."""
    for system in result.ranks:
        for dataset, submission in result.task.systems[system].items():
            problem, check = result.problem(system, dataset), result.checks.get((system, dataset))
            yield {
                "system": system,
                "dataset": dataset,
                "file": os.path.basename(submission.path),
                "status": problem.status if problem else "scored",
                "message": problem.message if problem else "",
                "errors": check.errors if check else None,
                "warnings": check.warnings if check else None,
                "codes": ", ".join(f"{code} ×{count:,}" for code, count in sorted(check.codes.items()))
                if check
                else "",
                "page": pages.get((system, dataset)),
            }


def _worst_first(submission: Plain) -> tuple[bool, int]:
    return submission["status"] == "scored", -(submission["errors"] or 0)
