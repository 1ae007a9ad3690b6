"""How the result of a shared task is laid out: systems by data sets, then systems by metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.numbers import headline
from ...count.metrics import METRICS
from ...study.resampling.paired import TIE
from ...study.tasks.result import TaskResult
from ..layout import Cell, Layout, Sheet
from ..text import percent
from .score import CAPTION

UNRANKED = "–"


def lay_out(result: TaskResult, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """The ranking metric on every data set, and all metrics averaged; the best in bold."""
    submitted = [name for name in result.datasets if any(name in result[system] for system in result)]
    sheets = [_documents(result, name) for name in submitted] if per_document else []
    return Layout([*sheets, _by_dataset(result), _by_metric(result)], [result.signature], result.notes, CAPTION)


def _by_dataset(result: TaskResult) -> Sheet:
    """One row per system with its rank, its average, and what it scores on every data set."""
    metric = result.scheme.rank_by
    ranks = {system: Cell(UNRANKED if rank is None else str(rank)) for system, rank in result.ranks.items()}
    macro = _cells(metric, {system: result.average(system, metric) for system in result})
    columns = [("Rank", ranks), ("Macro", macro)]
    said = {(problem.system, problem.dataset): problem.status for problem in result.problems}
    for name in result.datasets:
        scored = {system: headline(result[system][name][metric]) for system in result if name in result[system]}
        lacking = {system: Cell(said[system, name]) for system in result if name not in result[system]}
        columns.append((name, {**_cells(metric, scored), **lacking}))
    return _sheet(METRICS[metric].title, list(result.ranks), columns)


def _by_metric(result: TaskResult) -> Sheet:
    """One row per system with the average of every metric."""
    columns = [
        (METRICS[metric].title, _cells(metric, {system: result.average(system, metric) for system in result}))
        for metric in result.metrics
    ]
    return _sheet("Macro average", list(result.ranks), columns)


def _documents(result: TaskResult, dataset: str) -> Sheet:
    """The ranking metric on every document of a data set: documents as rows, systems as columns."""
    metric = result.scheme.rank_by
    reports = {system: result[system][dataset] for system in result.ranks if dataset in result[system]}
    documents = list(next(iter(reports.values())).documents)
    columns = [
        (system, {name: Cell(percent(headline(scores[metric]))) for name, scores in report.documents.items()})
        for system, report in reports.items()
    ]
    return _sheet(f"{METRICS[metric].title} on {dataset}", documents, columns)


def _cells(metric: str, figures: Mapping[str, float | None]) -> dict[str, Cell]:
    """The figures of a column, the best of them in bold."""
    perfect = METRICS[metric].perfect
    distances = [abs(perfect - value) for value in figures.values() if value is not None]
    least = min(distances, default=0.0)

    def cell(value: float | None) -> Cell:
        return Cell(UNRANKED) if value is None else Cell(percent(value), abs(perfect - value) - least < TIE)

    return {name: cell(value) for name, value in figures.items()}


def _sheet(corner: str, names: Sequence[str], columns: Sequence[tuple[str, Mapping[str, Cell]]]) -> Sheet:
    rows = [[Cell(name), *(cells[name] for _, cells in columns)] for name in names]
    return Sheet([corner, *(title for title, _ in columns)], rows)
