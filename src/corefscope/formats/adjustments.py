"""Adjustments of finished reports: absent annotation layers, a baseline from a file, official last digits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from ..core.baselines import of_file
from ..core.errors import InputError
from ..core.metrics import METRICS, counted
from ..core.naming import split_names
from ..core.pipeline import Scoring
from ..core.presets import PRESETS
from ..core.report import Report, Row, Rows
from ..core.request import Request
from ..core.rules import RULES
from ..core.steps import align
from ..core.table import tabulate
from .corpus import Corpus
from .reading import iter_pairs

NEAR = 1e-6  # hundredths of a per cent; rounding errors are far smaller


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
        if name not in named
        and all((witness := METRICS[name].scope.witness) in report and report.nothing(witness) for report in reports)
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


def _only(report: Report, names: Sequence[str]) -> Report:
    """A report with some of its metrics."""
    columns = [metric.name for metric in counted(report)]
    kept = [columns.index(metric.name) for metric in counted(names)]

    def rows(of_all: Rows) -> Rows:
        return {document: tuple([row[i] for i in kept]) for document, row in of_all.items()}

    other = report.alternative
    differing = {name: both for name, both in other.differing.items() if name in names} if other else {}
    return Report(
        report.options,
        names,
        rows(report.rows),
        warnings=report.warnings,
        alternative=other and other._replace(differing=differing),
        baseline_rows=[*map(rows, report.baseline_rows)],
        high_rows=rows(report.high_rows) if report.high_rows else None,
        inputs=report.inputs,
        missing=report.missing,
    )


def by_scoring(request: Request, reports: Iterable[Sequence[Report]]) -> list[list[Report]]:
    """Apply :func:`without_absent` to each scoring; reports by response and scoring."""
    ways = [without_absent(request, of_one_way) for of_one_way in zip(*reports, strict=True)]
    return [list(of_one_response) for of_one_response in zip(*ways, strict=True)]


def unmeasured(scorings: Sequence[Scoring]) -> list[Scoring]:
    """Scorings in the same ways for the response that others are measured from."""
    return [Scoring(scoring.options._replace(baseline=""), scoring.names) for scoring in scorings]


def measured_from(report: Report, baseline: Report) -> Report:
    """The scores of a report measured from those of another response, (s − b)/(1 − b), pooled and in each document.

    A document that only one of them has (in formats without words) counts as one without mentions in the other.
    """
    names = dict.fromkeys((*report.rows, *baseline.rows))
    nothing = tuple((0,) * len(metric.fields) for metric in counted(report))

    def completed(rows: Rows) -> Rows:
        return {name: rows.get(name, nothing) for name in names}

    (file,) = baseline.inputs[1:]
    return Report(
        report.options._replace(baseline=of_file(file.digest)),
        tuple(report),
        completed(report.rows),
        warnings=list(dict.fromkeys((*report.warnings, *baseline.warnings))),
        baseline_rows=[completed(baseline.rows)],
        inputs=(*report.inputs, file) if len(report.inputs) > 1 else report.inputs,
        missing=report.missing,
    )


def with_official_digits(request: Request, corpus: Corpus, report: Report) -> Report:
    """The report, with sums in the official arithmetic if the second decimal of a percentage depends on them.

    Where the files cannot be read again, as pipes cannot, it stays as it is.
    """
    rows = official_rows(request, corpus, report) if needs_official_digits(report) else None
    return report.with_rows(rows) if rows else report


def needs_official_digits(report: Report) -> bool:
    """Whether a figure is between two hundredths of a per cent, so that rounding errors say how it is printed.

    A figure of 15.625 per cent is printed as 15.62 or 15.63, whichever the rounding errors of its sums say. If that
    happens under the rules of a reference program (once in thousands of figures), documents are counted again, in the
    arithmetic of that program.
    """
    if report.baseline_rows or report.high_rows or report.options.weights:
        return False
    return RULES[report.options.rules].last_digits is not None and any(_between(report, name) for name in report)


def official_rows(request: Request, corpus: Corpus, report: Report) -> Rows | None:
    """The rows of a report counted again in the official arithmetic; None if its files cannot be read again."""
    sums = RULES[report.options.rules].last_digits
    assert sums is not None
    whole = [pair for pair in corpus.files if pair.key not in corpus.missing]
    if not all(os.path.isfile(path) for pair in whole for path in (pair.key, pair.response)):
        return None
    from .tables.rows import has_many_rows  # 3 ms, once in thousands of figures

    metrics = counted(report)
    rows: dict[str, Row] = {}
    try:
        for pair in iter_pairs(request, corpus.part(whole)):
            row = report.rows[pair.key.id]
            if not has_many_rows(*pair):  # no reference program has ever seen documents of so many ids
                counts = sums(tabulate(align(*pair, report.options)))
                row = tuple([counts.get(metric.name, old) for metric, old in zip(metrics, row, strict=True)])
            rows[pair.key.id] = row
    except (InputError, OSError, KeyError):  # the files are others now, or rows are not of documents
        return None
    return rows


def _between(report: Report, name: str) -> bool:
    """Whether a figure of a metric lies between two hundredths of a per cent; sums of integers have no errors."""
    counts = [count for metric in counted([name]) for count in report.counts(metric.name).values()]
    if not any(isinstance(count, float) for count in counts):
        return False
    return any(abs(figure * 10_000 % 1 - 0.5) < NEAR for figure in report[name] if isinstance(figure, float))
