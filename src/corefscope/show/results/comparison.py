"""How a comparison of systems is laid out: scores with intervals, then differences from the baseline."""

from __future__ import annotations

from ...count.metrics import METRICS, headline_metric
from ...study.compare import Comparison
from ...study.resampling import SIGNIFICANT, Study
from ..layout import Cell, Layout, Sheet
from ..text import p_value, percent
from .score import CAPTION, NOTHING, by_document, figure_shown, read, shown_figure, titles


def lay_out(comparison: Comparison, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """Systems as rows, metrics as columns, the best in bold."""
    metrics, study = comparison.metrics, comparison.study
    sheets = [
        by_document(f"{METRICS[metric].title} per document", comparison.reports, metric)
        for metric in metrics
        if per_document
    ]
    sheets.append(_scores(comparison))
    notes: list[str] = []
    if study:
        level = f"{100 * study.plan.level:g} %"
        notes.append(
            f"[low, high]: {level} interval from {study.plan.resamples:,} resamples of {comparison.resampled}"
        )
    if study and study.differences:
        rows = [
            [Cell(system), *(_difference(comparison, study, system, metric) for metric in metrics)]
            for system in study.differences
        ]
        sheets.append(Sheet([f"− {study.baseline}", *titles(metrics)], rows))
        adjusted = ", p adjusted by Holm's method" if len(study.differences) > 1 else ""
        notes += [
            f"differences from {study.baseline}; * is p < {SIGNIFICANT} ({study.plan.test} test{adjusted})",
            _detectable(comparison, study),
        ]
    sides = [line for line in read(next(iter(comparison.reports.values()))) if not line.startswith("response")]
    return Layout(sheets, [comparison.signature], [*notes, *comparison.notes, *sides], CAPTION)


def _scores(comparison: Comparison) -> Sheet:
    best = {metric: comparison.best(metric) for metric in comparison.metrics}
    rows = []
    for name, report in comparison.reports.items():
        cells = [Cell(name)]
        for metric in comparison.metrics:
            figure = report.figure(metric)
            interval = None if figure is None else comparison.interval(name, metric)
            note = f"[{percent(interval.low)}, {percent(interval.high)}]" if interval else ""
            cells.append(Cell(shown_figure(figure), name in best[metric], note))
        rows.append(cells)
    return Sheet([figure_shown(comparison.reports.values()), *titles(comparison.metrics)], rows)


def _difference(comparison: Comparison, study: Study, system: str, metric: str) -> Cell:
    if any(comparison[name].nothing(metric) for name in (system, study.baseline)):
        return Cell(NOTHING)
    difference = study.differences[system][metric]
    significant = difference.adjusted < SIGNIFICANT
    low, high = (f"{100 * value:+.2f}" for value in difference.interval)
    star = "*" if significant else ""
    p = p_value(difference.adjusted)
    note = f"[{low}, {high}] p{p}" if p.startswith("<") else f"[{low}, {high}] p={p}"
    return Cell(f"{100 * difference.difference:+.2f}{star}", significant, note)


def _detectable(comparison: Comparison, study: Study) -> str:
    metric = headline_metric(comparison.metrics)
    least = max(differences[metric].detectable for differences in study.differences.values())
    units = comparison.resampled.partition(":")[0]
    return (
        f"with these {study.documents} {units}, a true difference of {percent(least)} points of"
        f" {METRICS[metric].title} would be found four times in five, smaller ones less often"
    )
