"""Tables for papers: one table with a caption of one line; what else there is to know becomes comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from ...analysis.agreement import Agreement
from ...comparison.mean_report import AveragedReport
from ...comparison.paired_tests import SIGNIFICANT, shown_p
from ...comparison.systems import Comparison
from ...comparison.tasks.result import TaskResult, TaskSettings
from ...core.errors import OptionError
from ...core.metrics import METRICS, headline_metric, paper_metrics
from ...core.numbers import headline
from ...core.report import Report
from ...formats.settings import SettingsReport
from ..layout import Block, Cell, Layout, Sheet, Text, sheets_of
from ..text import percent
from .score import (
    NOTHING,
    by_document,
    by_metric,
    documents_by_setting,
    figure_shown,
    input_lines,
    mean_over_documents,
    metric_sheet,
    row_of,
    setting_notes,
    setting_rows,
    titles,
)
from .score import lay_out as lay_out_score
from .systems import (
    BETTER,
    WORSE,
    averages,
    by_dataset,
    difference_cell,
    documents,
    key_read,
    lay_out_agreement,
    method,
    score_cells,
    settings_overview,
    sheet_from,
    shown_rank,
    significance,
    system_sheet,
)

PERCENT = {"F1": "F1 (%)", "score": "Scores (%)"}
BEST = "best in bold"
ACROSS = "Metric"
LEVEL = f"p < {SIGNIFICANT:g}".replace("0.", ".")


def lay_out_report(report: Report, per_document: bool, table: str) -> Layout:  # noqa: ARG001
    """The metrics that have anything to count, the headline metric first, with recall, precision and F1."""
    layout = lay_out_score(report, per_document, None)
    counting = [name for name in report if not report.nothing(name)] or list(report)
    main = headline_metric(counting)
    sheet = metric_sheet(report, [main, *(name for name in counting if name != main)])
    blocks = [*layout.blocks[:-1], without_empty_columns(sheet)]
    return layout._replace(blocks=blocks, notes=(), comments=layout.notes)


def lay_out_averaged(report: AveragedReport, per_document: bool, table: str) -> Layout:
    """The same table with one more column: the mean of each score over documents."""
    layout = lay_out_report(report, per_document, table)
    means = {METRICS[name].title: percent(headline(mean)) for name, mean in report.document_means().items()}
    sheet = layout.blocks[-1]
    assert isinstance(sheet, Sheet)
    rows = [[*row, Cell(means.get(row[0].text, ""))] for row in sheet.rows]
    head = [*sheet.head, f"{figure_shown([report]).capitalize()}, {mean_over_documents(report)}"]
    return layout._replace(blocks=[*layout.blocks[:-1], sheet._replace(head=head, rows=rows)])


def without_empty_columns(sheet: Sheet) -> Sheet:
    """The table without columns that have no figure in any row."""
    filled = {column for row in sheet.rows for column, cell in enumerate(row) if cell.text not in ("", NOTHING)}
    kept = [column for column in range(len(sheet.head)) if not column or column in filled]
    rows = [[row[column] for column in kept] for row in sheet.rows]
    return sheet._replace(head=[sheet.head[column] for column in kept], rows=rows)


def lay_out_settings(result: SettingsReport, per_document: bool, table: str) -> Layout:  # noqa: ARG001
    """Settings as rows and metrics as columns; settings with other metrics have a table of their own."""
    sheets: list[Block] = []
    for names in setting_rows(result):
        reports = {name: result[name] for name in names}
        named = {metric for name, report in result.items() if row_of(result, name) in names for metric in report}
        scored = list(reports[names[0]])
        chosen = paper_metrics(scored)
        metrics = _counting([*chosen, *(metric for metric in scored if metric in named.difference(chosen))], reports)
        sheets += documents_by_setting(result, names, metrics) if per_document else ()
        figure = figure_shown(reports.values())
        caption = f"{PERCENT[figure]}, by setting"
        sheets.append(by_metric("Setting", reports, metrics)._replace(caption=caption, across=ACROSS))
    return Layout(sheets, [result.signature], comments=[*setting_notes(result), *input_lines(result)])


def _counting(metrics: Sequence[str], reports: dict[str, Report]) -> list[str]:
    """The metrics of which some report has anything to count; all of them if there are none."""
    return [name for name in metrics if not all(one.nothing(name) for one in reports.values())] or list(metrics)


def lay_out_comparison(comparison: Comparison, per_document: bool, table: str) -> Layout:
    """Systems as rows, the best first, and metrics as columns, the headline metric first."""
    metrics = _counting(paper_metrics(comparison.metrics), comparison.reports)
    ranked = comparison.ranked(metrics[0])
    sheets = [
        by_document(f"{METRICS[metric].title} per document", comparison.reports, metric)
        for metric in (metrics if per_document else ())
    ]
    sheets.append(_comparison_sheet(comparison, ranked, metrics, table))
    comments = [*method(comparison, metrics[0]), *comparison.notes, *key_read(comparison)]
    if comparison.study and table == "paper":
        comments += _in_words(comparison, ranked, metrics)
    return Layout(sheets, [comparison.signature], comments=comments)


def _comparison_sheet(comparison: Comparison, ranked: Sequence[str], metrics: Sequence[str], table: str) -> Sheet:
    study = comparison.study
    about = PERCENT[figure_shown(comparison.reports.values())]
    if len(ranked) > 1:
        about += f", {BEST}"
    if comparison.runs and table != "differences":
        about += ", ± standard deviation over runs"
    head = ["System", *titles(metrics)]
    if table == "paper":
        columns = [score_cells(comparison, metric, ranked, intervals=False) for metric in metrics]
        if study and study.differences:
            columns = [
                [
                    cell._replace(mark=significance(comparison, study, system, metric))
                    for cell, system in zip(column, ranked, strict=True)
                ]
                for column, metric in zip(columns, metrics, strict=True)
            ]
            about += f"; {_legend(columns)} {study.baseline} ({LEVEL})"
        sheet = sheet_from(head, map(Cell, ranked), *columns)._replace(caption=about, across=ACROSS)
        return sheet if len(ranked) > 1 else not_bold(sheet)
    if study is None or (table == "differences" and not study.differences):
        reason = comparison.why_not or "nothing was resampled" if study is None else "there is one system only"
        raise OptionError(f"there is no table of {table}: {reason}")
    if table == "intervals":
        columns = [score_cells(comparison, metric, ranked) for metric in metrics]
        caption = f"{about}, with {100 * study.plan.level:g} % intervals"
        return sheet_from(head, map(Cell, ranked), *columns)._replace(caption=caption, across=ACROSS)
    others = [system for system in ranked if system != study.baseline]
    columns = [
        [difference_cell(comparison, study, system, metric)._replace(bold=False) for system in others]
        for metric in metrics
    ]
    about = f"Differences from {study.baseline}, {100 * study.plan.level:g} % intervals"
    legend = _legend(columns).removesuffix(" than").removesuffix(" from")
    caption = f"{about}; {legend} ({LEVEL})"
    return sheet_from(head, map(Cell, others), *columns)._replace(caption=caption, across=ACROSS)


def _legend(columns: Sequence[Sequence[Cell]]) -> str:
    """What the marks of a table mean, as the beginning of a sentence that ends with the baseline."""
    used = {cell.mark for column in columns for cell in column}
    if not used.difference({""}):
        return "no significant difference from"
    meanings = {BETTER: "better", WORSE: "worse"}
    shown = {sign: word for sign, word in meanings.items() if sign in used}
    return f"{'/'.join(shown)}: {'/'.join(shown.values())} than"


def _in_words(comparison: Comparison, ranked: Sequence[str], metrics: Sequence[str]) -> Iterator[str]:
    """Intervals and differences of a table that does not show them."""
    study = comparison.study
    assert study is not None
    columns = [score_cells(comparison, metric, ranked) for metric in metrics]
    for system, *cells in zip(ranked, *columns, strict=True):
        yield f"{system}: {_named(metrics, cells)}"
    for system in ranked if study.differences else ():
        if system != study.baseline:
            cells = [difference_cell(comparison, study, system, metric) for metric in metrics]
            yield f"{system} against {study.baseline}: {_named(metrics, cells)}"


def _named(metrics: Sequence[str], cells: Sequence[Cell]) -> str:
    named = zip(titles(metrics), cells, strict=True)
    return "; ".join(f"{title} {cell._replace(mark='').plain}" for title, cell in named)


def lay_out_annotators(agreement: Agreement, per_document: bool, table: str) -> Layout:  # noqa: ARG001
    """The tables of agreement; what the measures mean becomes comments."""
    _, *blocks = lay_out_agreement(agreement, per_document, None).blocks
    texts = [line for block in blocks if isinstance(block, Text) for line in block.spans]
    comments = ["".join(span.text for span in line) for line in texts]
    caption = f"Agreement of {', '.join(agreement.annotators)} (%)"
    sheets: list[Block] = []
    for sheet in chain.from_iterable(map(sheets_of, blocks)):
        corner = sheet.head[0]
        named = sheet._replace(caption=f"{caption}: {corner}" if corner else caption)
        sheets.append(named._replace(head=[corner or "Measure", *sheet.head[1:]]))
    return Layout(sheets, [agreement.signature], comments=comments)


def lay_out_task(result: TaskResult, per_document: bool, table: str) -> Layout:
    """Systems by data sets in the ranking metric, with ranks and macro averages; or what the ranks rest on."""
    sheets = [*(documents(result) if per_document else ()), _task_sheet(result, table)]
    return Layout(
        sheets, [result.signature], comments=[*result.heading, *result.notes, *_ranks_and_intervals(result)]
    )


def lay_out_task_settings(result: TaskSettings, per_document: bool, table: str) -> Layout:
    """The macro averages and ranks of all settings; or for each setting what its ranks rest on."""
    sheets = [sheet for name, one in result.items() for sheet in (documents(one, name) if per_document else ())]
    if table == "paper":
        ranking = [one.scheme.rank_by for one in result.values() if not one.nothing(one.scheme.rank_by)]
        metrics = " and ".join(dict.fromkeys(titles(ranking)))
        caption = f"Macro {metrics or 'averages'} (%) by setting, ranks in brackets"
        overview = settings_overview(result)._replace(caption=_with_best(caption, result.first))
        sheets.append(without_empty_columns(overview))
    else:
        for name, one in result.items():
            sheet = _task_sheet(one, table)
            sheets.append(sheet._replace(title=name, caption=f"{name}: {sheet.caption}"))
    intervals = [f"{name}: {line}" for name, one in result.items() for line in _ranks_and_intervals(one)]
    return Layout(sheets, [result.signature], comments=[*result.first.heading, *result.notes, *intervals])


def _with_best(caption: str, result: TaskResult) -> str:
    return f"{caption}, {BEST}" if len(result) > 1 else caption


def _task_sheet(result: TaskResult, table: str) -> Sheet:
    metric = result.scheme.rank_by
    title = METRICS[metric].title
    if table == "differences":
        rows = [
            [one.system, one.best, f"{100 * one.difference:+.2f}", shown_p(one.p), shown_p(one.adjusted)]
            for one in result.ranking.comparisons
        ]
        if not rows:
            raise OptionError(f"there is no table of {table}: no systems were tested against each other")
        caption = f"Differences in macro {title} from the best of each rank, p by Holm's method"
        return Sheet.of(["System", "Best of the rank", "Difference", "p", "Adjusted"], rows, left=2, caption=caption)
    if table == "intervals" and not result.intervals:
        raise OptionError(f"there is no table of {table}: nothing was resampled")
    ranks = {system: Cell(shown_rank(rank)) for system, rank in result.ranks.items()}
    columns = [("Rank", ranks), *by_dataset(result, metric)[1:]]
    if table == "intervals":
        columns = columns[:3]
        caption = f"Macro {title} (%) with {100 * result.scheme.plan.level:g} % intervals"
    else:
        columns = [*columns[:2], *columns[-len(result.datasets) :]]
        caption = f"{title} (%) by data set, and macro average"
    if result.runs:
        caption += ", ± standard deviation over runs"
    sheet = system_sheet("System", result, columns, "", _with_best(caption, result))._replace(across="Data set")
    return sheet if len(result) > 1 else not_bold(sheet)


def not_bold(sheet: Sheet) -> Sheet:
    """The table of one system, in which no figure is the best."""
    return sheet._replace(rows=[[cell._replace(bold=False) for cell in row] for row in sheet.rows])


def _ranks_and_intervals(result: TaskResult) -> Iterator[str]:
    """The reasons of shared ranks, and the intervals of macro averages."""
    for system, shared in result.shared_ranks.items():
        yield f"{system}: rank {result.ranks[system]} is shared, {shared.reason}"
    averaged = averages(result, result.scheme.rank_by)
    for system, interval in result.intervals.items():
        yield f"{system}: macro {averaged[system].text} [{', '.join(map(percent, interval))}]"
