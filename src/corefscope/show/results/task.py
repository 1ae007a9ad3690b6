"""How the result of a shared task is laid out: systems by data sets, then systems by metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...count.metrics import METRICS
from ...study.resampling.paired import TIE
from ...study.tasks.result import TaskResult
from ..layout import Cell, Layout, Sheet
from .score import CAPTION, NOTHING, by_document, shown_figure

Columns = Iterable[tuple[str, Mapping[str, Cell]]]
"""Titles, each with the cell of every system; a data set may be called like another column."""


def lay_out(result: TaskResult, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """The ranking metric on every data set, and all metrics averaged; the best in bold."""
    metric = result.scheme.rank_by
    title = METRICS[metric].title
    sheets = []
    for dataset in result.datasets if per_document else ():
        reports = {system: result[system][dataset] for system in result.ranks if dataset in result[system]}
        if reports:
            sheets.append(by_document(f"{title} on {dataset}", reports, metric))
    averages = [(METRICS[name].title, _averages(result, name)) for name in result.metrics]
    sheets += [_sheet(title, result, _by_dataset(result, metric)), _sheet("Macro average", result, averages)]
    return Layout(sheets, [result.signature], result.notes, CAPTION)


def _by_dataset(result: TaskResult, metric: str) -> Columns:
    """Rank, average, and the score on every data set; the status of a submission that was not scored."""
    ranks = {system: Cell(NOTHING if rank is None else str(rank)) for system, rank in result.ranks.items()}
    columns: list[tuple[str, Mapping[str, Cell]]] = [("Rank", ranks), ("Macro", _averages(result, metric))]
    statuses = {(problem.system, problem.dataset): problem.status for problem in result.problems}
    for dataset in result.datasets:
        scores = {system: result[system][dataset].figure(metric) for system in result if dataset in result[system]}
        unscored = {system: Cell(statuses[system, dataset]) for system in result if system not in scores}
        cells = _cells(metric, scores, marked=None not in scores.values())
        columns.append((dataset, {**cells, **unscored}))
    return columns


def _averages(result: TaskResult, metric: str) -> dict[str, Cell]:
    nothing = result.nothing(metric)
    return _cells(metric, {system: None if nothing else result.average(system, metric) for system in result})


def _cells(metric: str, scores: Mapping[str, float | None], *, marked: bool = True) -> dict[str, Cell]:
    """The scores of a column, the best of them in bold.

    Nobody is best (``marked``) at what the key does not have: those who have a score there have errors only.
    """
    perfect = METRICS[metric].perfect
    distances = {system: abs(perfect - score) for system, score in scores.items() if score is not None}
    least = min(distances.values(), default=0.0)
    return {
        system: Cell(shown_figure(score), marked and system in distances and distances[system] - least < TIE)
        for system, score in scores.items()
    }


def _sheet(corner: str, result: TaskResult, columns: Columns) -> Sheet:
    titles, cells = zip(*columns, strict=True)
    return Sheet(
        [corner, *titles], [[Cell(system), *(column[system] for column in cells)] for system in result.ranks]
    )
