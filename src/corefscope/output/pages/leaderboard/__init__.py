"""The leaderboard of a shared task as one HTML page: sortable tables, a choice of settings, languages and groups."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from math import isinf
from typing import Any

from ....comparison.tasks.result import TaskResult, TaskSettings
from ....comparison.tasks.task import TaskPart
from ....core.metrics import METRICS
from ....core.numbers import headline
from ....core.version import __version__
from ...results.systems import averages, by_dataset, documents, shown_rank, tables
from ...text import p_value
from ..report.page import join, resource, whole

SCRIPT = "board.js"
Pages = Mapping[tuple[str, str], str]
"""Addresses of report pages, by system and data set, as the leaderboard links to them."""

Plain = dict[str, Any]
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
    title = os.path.basename(os.path.abspath(first.task.path))
    submissions = list(_submissions(first, pages))
    submissions.sort(key=lambda one: (one["status"] == "scored", -(one["errors"] or 0)))  # the worst first
    return {
        "version": __version__,
        "title": title if os.path.isdir(first.task.path) else os.path.splitext(title)[0],
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
    *_, by_metric = tables(result)
    averaged = {part: _averages(result, part) for part in (None, *result.parts)}
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
        "by_metric": by_metric,
        "documents": list(documents(result)) if per_document else [],
        "comparisons": [
            {**contrast._asdict(), "p": p_value(contrast.p), "adjusted": p_value(contrast.adjusted)}
            for contrast in result.ranking.comparisons
        ],
        "notes": result.notes,
        "signature": result.signature,
    }


def _averages(result: TaskResult, part: TaskPart | None) -> dict[str, Plain]:
    """By system the macro average over all data sets, or over those of a part."""
    metric, datasets = result.scheme.rank_by, part.datasets if part else None
    cells = {}
    for system, cell in averages(result, metric, datasets).items():
        value = result.average(system, metric, datasets)
        sort_value = LOWEST if value is None or isinf(value) else value
        cells[system] = {"text": cell.text, "best": cell.bold, "value": sort_value}
    return cells


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
                "message": problem.message.replace("\n  ", "; ") if problem else "",
                "errors": check.errors if check else None,
                "warnings": check.warnings if check else None,
                "codes": ", ".join(f"{code} ×{count:,}" for code, count in codes),
                "page": pages.get((system, dataset)),
            }
