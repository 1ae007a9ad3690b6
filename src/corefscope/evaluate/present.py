"""Metrics of what files may not have: a report on files without it has no rows of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.naming import split_names
from ..count.metrics import METRICS, counted
from .presets import PRESETS
from .request import Request
from .results import Report, Rows


def without_absent(request: Request, reports: Sequence[Report]) -> list[Report]:
    """Reports on responses to one key, without metrics of which none has anything.

    A metric that was named stays, and so does everything if nothing else were left.
    """
    optional = [name for name in reports[0] if METRICS[name].scope.witness] if reports else []
    if not optional:
        return [*reports]
    named = _named(request)
    absent = [
        name
        for name in optional
        if name not in named and all(_has_nothing(report, METRICS[name].scope.witness) for report in reports)
    ]
    kept = [name for name in reports[0] if name not in absent]
    return [_only(report, kept) for report in reports] if absent and kept else [*reports]


def as_printed(request: Request, report: Report) -> Report:
    """The report as tables show it: of a group, nothing that a convention makes in this format."""
    formats, named = report.options.format.split("+"), _named(request)
    kept = [name for name in report if name in named or {*formats}.isdisjoint(METRICS[name].scope.by_convention_in)]
    return _only(report, kept) if 0 < len(kept) < len(report) else report


def _named(request: Request) -> set[str]:
    """The metrics that are asked for by their own names, or by a preset."""
    preset = request.arguments.get("preset")
    return request.named or (set(split_names(PRESETS[preset].metrics)) if preset else set())


def _has_nothing(report: Report, teller: str) -> bool:
    return teller in report and report.nothing(teller)


def _only(report: Report, names: Sequence[str]) -> Report:
    """The same report with some of its metrics."""
    columns = [metric.name for metric in counted(report)]
    kept = [columns.index(metric.name) for metric in counted(names)]

    def rows(of_all: Rows) -> Rows:
        return {document: tuple([row[i] for i in kept]) for document, row in of_all.items()}

    return Report(
        report.options,
        names,
        rows(report.rows),
        warnings=report.warnings,
        alternative=report.alternative,
        baseline_rows=[*map(rows, report.baseline_rows)],
        high_rows=rows(report.high_rows) if report.high_rows else None,
        inputs=report.inputs,
    )


def by_scoring(request: Request, reports: Iterable[Sequence[Report]]) -> list[list[Report]]:
    """The same of every way of scoring, by response and way."""
    ways = [without_absent(request, of_one_way) for of_one_way in zip(*reports, strict=True)]
    return [list(of_one_response) for of_one_response in zip(*ways, strict=True)]
