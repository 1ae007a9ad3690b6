"""How a comparison of systems is laid out: scores with intervals, then differences from the baseline."""

from __future__ import annotations

from ...base.numbers import headline
from ...count.metrics import METRICS, headline_metric
from ...study.compare import Comparison
from ...study.resampling import SIGNIFICANT, Difference
from ..layout import Cell, Layout, Sheet, figure_shown, lay_out, read
from ..text import percent


@lay_out.register
def _comparison(comparison: Comparison, per_document: bool) -> Layout:
    """Systems as rows, metrics as columns, the best in bold."""
    sheets = [_documents(comparison, name) for name in comparison.metrics] if per_document else []
    sheets.append(_scores(comparison))
    notes = list(comparison.notes)
    found = comparison.study
    if found:
        level = f"{100 * found.plan.level:g} %"
        notes.insert(
            0, f"[low, high]: {level} interval from {found.plan.resamples:,} resamples of {comparison.resampled}"
        )
        if found.differences:
            sheets.append(_differences(comparison))
            adjusted = ", p adjusted by Holm's method" if len(found.differences) > 1 else ""
            notes.insert(
                1,
                f"differences from {found.baseline}; * is p < {SIGNIFICANT} ({found.plan.test} test{adjusted})",
            )
            notes.insert(2, _detectable(comparison))
    sides = [line for line in read(next(iter(comparison.reports.values()))) if line.startswith("key")]
    return Layout(sheets, [*notes, *sides], comparison.signature)


def _scores(comparison: Comparison) -> Sheet:
    best = {metric: comparison.best(metric) for metric in comparison.metrics}
    rows = []
    for name, report in comparison.reports.items():
        cells = [Cell(name)]
        for metric in comparison.metrics:
            interval = comparison.interval(name, metric)
            note = f"[{percent(interval.low)}, {percent(interval.high)}]" if interval else ""
            cells.append(Cell(percent(headline(report[metric])), name in best[metric], note))
        rows.append(cells)
    return _sheet(figure_shown(comparison.reports.values()), comparison, rows)


def _differences(comparison: Comparison) -> Sheet:
    assert comparison.study is not None
    rows = [
        [Cell(name), *(_difference(differences[metric]) for metric in comparison.metrics)]
        for name, differences in comparison.study.differences.items()
    ]
    return _sheet(f"− {comparison.study.baseline}", comparison, rows)


def _difference(found: Difference) -> Cell:
    star = "*" if found.adjusted < SIGNIFICANT else ""
    low, high = (f"{100 * value:+.2f}" for value in found.interval)
    return Cell(
        f"{100 * found.difference:+.2f}{star}",
        found.adjusted < SIGNIFICANT,
        f"[{low}, {high}] {_p(found.adjusted)}",
    )


def _p(value: float) -> str:
    """A p-value in three digits.

    >>> _p(0.0123), _p(0.00001), _p(1)
    ('p=.012', 'p<.001', 'p=1')
    """
    if value < 0.0005:
        return "p<.001"
    return "p=" + (f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1")


def _detectable(comparison: Comparison) -> str:
    assert comparison.study is not None
    metric = headline_metric(comparison.metrics)
    least = max(differences[metric].detectable for differences in comparison.study.differences.values())
    what = comparison.resampled.partition(":")[0]
    return (
        f"with these {comparison.study.documents} {what}, a true difference of {percent(least)} points of"
        f" {METRICS[metric].title} would be found four times in five, smaller ones less often"
    )


def _documents(comparison: Comparison, metric: str) -> Sheet:
    """One metric: documents as rows, systems as columns."""
    names = list(comparison.reports)
    rows = [
        [Cell(document), *(Cell(percent(headline(comparison[name].documents[document][metric]))) for name in names)]
        for document in comparison[names[0]].documents
    ]
    return Sheet([f"{METRICS[metric].title} per document", *names], rows)


def _sheet(title: str, comparison: Comparison, rows: list[list[Cell]]) -> Sheet:
    return Sheet([title, *(METRICS[metric].title for metric in comparison.metrics)], rows)
