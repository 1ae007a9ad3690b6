"""How the result of a shared task is laid out: systems by data sets, by languages and groups, and by metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...base.errors import amount
from ...count.metrics import METRICS
from ...study.resampling.paired import TIE
from ...study.tasks.result import TaskResult, TaskSettings
from ..layout import Cell, Layout, Sheet
from ..text import percent
from .score import CAPTION, NOTHING, by_document, shown_figure

Columns = Sequence[tuple[str, Mapping[str, Cell]]]
"""Titles, each with the cell of every system; a data set may be called like another column."""
KINDS = ("language", "group")
BEST = "The best figures are bold"


def lay_out(result: TaskResult | TaskSettings, per_document: bool, width: int | None) -> Layout:
    """The ranking metric on every data set, and all metrics averaged; the best in bold.

    Of several settings, first what they have in common; what has a ``width`` shows of all but the first setting only
    the ranking metric.
    """
    notes = result.notes
    if isinstance(result, TaskResult):
        sheets = [*(documents(result) if per_document else ()), *tables(result)]
        return Layout(sheets, [result.signature], notes, CAPTION)
    sheets = [_overview(result)]
    for title, of_setting in result.items():
        sheets += documents(of_setting, title) if per_document else ()
        made = list(tables(of_setting, title))
        sheets += made if width is None or of_setting is result.first else _by_dataset_only(made)
    if width is not None and len(result) > 1:
        notes = [*notes, "--wide shows all tables of all settings"]
    return Layout(sheets, [result.signature], notes, CAPTION)


def documents(result: TaskResult, setting: str = "") -> Iterator[Sheet]:
    """The ranking metric on every document, a table for each data set."""
    metric = result.scheme.rank_by
    for dataset in result.datasets:
        reports = {system: result[system][dataset] for system in result.ranks if dataset in result[system]}
        if reports:
            yield by_document(f"{METRICS[metric].title} on {dataset}", reports, metric)._replace(title=setting)


def tables(result: TaskResult, setting: str = "") -> Iterator[Sheet]:
    """Systems by data sets, by parts of the task, and by metrics; each under the title of its setting."""
    metric = result.scheme.rank_by
    title = METRICS[metric].title
    under = f" ({setting})" if setting else ""
    systems = amount(len(result), "system")
    best = BEST if len(result) > 1 else ""
    datasets = amount(len(result.datasets), "data set")
    sure = f", {100 * result.scheme.plan.level:g} % intervals" if result.intervals else ""
    about = f"{title}{under} in percent of {systems} on {datasets}, with ranks and macro averages{sure}. {best}"
    yield _sheet(title, result, by_dataset(result, metric), setting, about)
    for kind in KINDS:
        parts = [part for part in result.parts if part.kind == kind]
        if parts:
            columns = [(part.name, averages(result, metric, part.datasets)) for part in parts]
            about = f"Macro averages of {title}{under} in percent by {kind}, over the data sets of each. {best}"
            yield _sheet(f"{title} by {kind}", result, columns, setting, about)
    metrics = [(METRICS[name].title, averages(result, name)) for name in result.metrics]
    about = f"Macro averages over {datasets}{under} in percent of {systems}, by metric. {best}"
    yield _sheet("Macro average", result, metrics, setting, about)


def _by_dataset_only(sheets: Iterable[Sheet]) -> list[Sheet]:
    return [sheet for sheet in sheets if "Rank" in sheet.head]


def _overview(result: TaskSettings) -> Sheet:
    """The macro average of the ranking metric and the rank of each system in each setting."""
    columns = []
    for title, of_setting in result.items():
        cells, ranks = averages(of_setting, of_setting.scheme.rank_by), of_setting.ranks
        ranked = {system: cell._replace(note=f"({shown_rank(ranks[system])})") for system, cell in cells.items()}
        columns.append((title, cells if of_setting.nothing(of_setting.scheme.rank_by) else ranked))
    metrics = dict.fromkeys(METRICS[of_setting.scheme.rank_by].title for of_setting in result.values())
    about = f"Macro averages in percent, with ranks in brackets, by setting ({', '.join(metrics)})."
    return _sheet("Macro average", result.first, columns, "", f"{about} {BEST}")


def by_dataset(result: TaskResult, metric: str) -> Columns:
    """Rank, average, and the score on every data set; the status of a submission that was not scored."""
    ranks = {system: Cell(shown_rank(rank)) for system, rank in result.ranks.items()}
    columns: list[tuple[str, Mapping[str, Cell]]] = [("Rank", ranks), ("Macro", averages(result, metric))]
    if result.intervals:
        intervals = {system: Cell(shown_interval(result, system)) for system in result}
        columns.append((f"{100 * result.scheme.plan.level:g} %", intervals))
    statuses = {(problem.system, problem.dataset): problem.status for problem in result.problems}
    for dataset in result.datasets:
        scores = {system: result[system][dataset].figure(metric) for system in result if dataset in result[system]}
        unscored = {system: Cell(statuses[system, dataset]) for system in result if system not in scores}
        cells = _cells(metric, scores, marked=None not in scores.values())
        columns.append((dataset, {**cells, **unscored}))
    return columns


def shown_rank(rank: int | None) -> str:
    """A rank; a dash if there is none."""
    return NOTHING if rank is None else str(rank)


def shown_interval(result: TaskResult, system: str) -> str:
    """Low and high of the interval of a macro average; a dash if there is none."""
    interval = result.intervals.get(system)
    return "–".join(map(percent, interval)) if interval else NOTHING


def averages(result: TaskResult, metric: str, datasets: tuple[str, ...] | None = None) -> dict[str, Cell]:
    """By system the macro average of a metric over all data sets, or over these; the best in bold."""
    nothing = result.nothing(metric, datasets)
    scores = {system: None if nothing else result.average(system, metric, datasets) for system in result}
    return _cells(metric, scores)


def _cells(metric: str, scores: Mapping[str, float | None], *, marked: bool = True) -> dict[str, Cell]:
    """The scores of a column, the best of them in bold.

    Nobody is best (``marked``) at what the key does not have: those who have a score there have errors only.
    """
    perfect = METRICS[metric].scale.perfect
    distances = {system: abs(perfect - score) for system, score in scores.items() if score is not None}
    least = min(distances.values(), default=0.0)
    return {
        system: Cell(shown_figure(score), marked and system in distances and distances[system] - least < TIE)
        for system, score in scores.items()
    }


def _sheet(corner: str, result: TaskResult, columns: Columns, title: str, caption: str) -> Sheet:
    titles, cells = zip(*columns, strict=True)
    rows = [[Cell(system), *(column[system] for column in cells)] for system in result.ranks]
    return Sheet([corner, *titles], rows, title=title, caption=caption.strip())
