"""How a comparison of systems is laid out: the best first, how sure that is, and what else was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...count.metrics import METRICS, headline_metric
from ...study.compare import Comparison
from ...study.resampling import SIGNIFICANT, Study
from ..columns import GAP, cut_inside
from ..layout import Cell, Layout, Sheet, sheet_width
from ..text import p_value, percent
from .score import CAPTION, NOTHING, by_document, figure_shown, read, shown_figure, titles

SHORTEST_NAME = 12  # columns


def lay_out(comparison: Comparison, per_document: bool, width: int | None) -> Layout:
    """Systems as rows, the best first, and metrics as columns, the one to speak of first; the best in bold.

    What has a ``width`` shows how sure that one metric is, and of the others the scores.
    """
    main = headline_metric(comparison.metrics)
    metrics = [main, *(metric for metric in comparison.metrics if metric != main)]
    study = comparison.study
    sheets = [
        by_document(f"{METRICS[metric].title} per document", comparison.reports, metric)
        for metric in metrics
        if per_document
    ]
    notes: list[str] = []
    if study:
        level = f"{100 * study.plan.level:g} %"
        notes.append(
            f"[low, high]: {level} interval from {study.plan.resamples:,} resamples of {comparison.resampled}"
        )
    everything = list(_everything(comparison, metrics))
    fits = width is None or max(map(sheet_width, everything)) <= width
    sheets += everything if fits else _overview(comparison, metrics, width or 0)
    if study and study.differences:
        adjusted = ", p adjusted by Holm's method" if len(study.differences) > 1 else ""
        notes += [
            f"differences from {study.baseline}; * is p < {SIGNIFICANT} ({study.plan.test} test{adjusted})",
            _detectable(comparison, study),
        ]
    if study and not fits:
        notes.append("--wide shows intervals and differences of all metrics")
    sides = [line for line in read(next(iter(comparison.reports.values()))) if not line.startswith("response")]
    return Layout(sheets, [comparison.signature], [*notes, *comparison.notes, *sides], CAPTION)


def _overview(comparison: Comparison, metrics: Sequence[str], width: int) -> Iterator[Sheet]:
    """The metric to speak of with its interval and what differs; then the others, by the numbers of the systems."""
    main, *others = metrics
    ranked, study = comparison.ranked(main), comparison.study
    head, columns = [METRICS[main].title], [_scores(comparison, main, ranked)]
    if study and study.differences:
        head.append(f"− {study.baseline}")
        columns.append([_difference(comparison, study, system, main) for system in ranked])
    digits = len(str(len(ranked)))
    numbers = [f"{number:{digits}}" for number in range(1, len(ranked) + 1)]
    room = max(width - sheet_width(_sheet(head, *columns)) - len(GAP) - digits - 1, SHORTEST_NAME)
    names = [f"{number} {cut_inside(system, room)}" for number, system in zip(numbers, ranked, strict=True)]
    yield _sheet([figure_shown(comparison.reports.values()), *head], map(Cell, names), *columns)
    columns = [_scores(comparison, metric, ranked, intervals=False) for metric in others]
    by_name, by_number = (_sheet(["", *titles(others)], map(Cell, labels), *columns) for labels in (names, numbers))
    if others:
        yield by_name if sheet_width(by_name) <= width else by_number


def _everything(comparison: Comparison, metrics: Sequence[str]) -> Iterator[Sheet]:
    """All scores with their intervals, then all differences from the baseline."""
    ranked, study = comparison.ranked(metrics[0]), comparison.study
    columns = [_scores(comparison, metric, ranked) for metric in metrics]
    yield _sheet([figure_shown(comparison.reports.values()), *titles(metrics)], map(Cell, ranked), *columns)
    if study and study.differences:
        others = [system for system in ranked if system != study.baseline]
        rows = [
            [Cell(system), *(_difference(comparison, study, system, metric) for metric in metrics)]
            for system in others
        ]
        yield Sheet([f"− {study.baseline}", *titles(metrics)], rows)


def _sheet(head: Sequence[str], *columns: Iterable[Cell]) -> Sheet:
    return Sheet(head, [list(row) for row in zip(*columns, strict=True)])


def _scores(comparison: Comparison, metric: str, systems: Sequence[str], *, intervals: bool = True) -> list[Cell]:
    """A column of scores."""
    best = comparison.best(metric)
    cells = []
    for name in systems:
        figure = comparison[name].figure(metric)
        interval = comparison.interval(name, metric) if intervals and figure is not None else None
        note = f"[{percent(interval.low)}, {percent(interval.high)}]" if interval else ""
        cells.append(Cell(shown_figure(figure), name in best, note))
    return cells


def _difference(comparison: Comparison, study: Study, system: str, metric: str) -> Cell:
    if system == study.baseline:
        return Cell()
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
        f"with these {study.documents} {units}, 80 % power to detect a difference of {percent(least)}"
        f" {METRICS[metric].title} points"
    )
