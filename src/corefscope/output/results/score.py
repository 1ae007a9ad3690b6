"""Layouts of scores: of one response, or under several settings, with copy reports; and tables for other results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...core.errors import amount
from ...core.metrics import METRICS, headline_first
from ...core.numbers import F1, Score, headline, ratio
from ...core.report import INPUTS, Report, Scores
from ...formats.settings import SettingsReport
from ..layout import Block, Layout, Sheet, Text
from ..text import distinct_percents, percent

if TYPE_CHECKING:
    from ...comparison.key_sets import KeySetReport
    from ...comparison.mean_report import AveragedReport
    from ...llm.copy_report import CopyReport
    from ...measures.sampled_key import SampledKeyReport
    from ...measures.windows import WindowCurve

LISTED = 3
"""Maximum number of documents that are named."""
COPIED = "same"
OTHERS = {
    "changed": "in another spelling",
    "replaced": "replaced",
    "glued": "glued together",
    "split": "split",
    "left out": "left out",
    "invented": "invented",
    "set aside": "before or after the text",
}
"""Labels for words that were not simply copied."""


def printed_lines(report: Report) -> list[str]:
    """Copy reports, a few lines for each side; indented lines belong to the first."""
    if not any(side.copy_reports for side in report.inputs):
        return []
    from ...llm.copy_report import merge_reports  # few responses are printed text

    sides = zip(INPUTS, report.inputs, strict=False)
    copied = [(name, merge_reports(side.copy_reports)) for name, side in sides if side.copy_reports]
    return [line for name, copy_report in copied for line in _copy_lines(name, copy_report)]


def _copy_lines(side: str, report: CopyReport) -> Iterator[str]:
    from ...llm.copy_report import describe_located  # few responses are printed text

    if not report.documents:
        from ...llm.options import FAITHFUL, PrintedOptions  # few responses are printed text

        if (reading := PrintedOptions.parse(report.signed).reading) != FAITHFUL:
            yield f"{side} printed: --reading {reading} does not follow words and tags, so no format loss is known"
        return
    words = report.words
    total = sum(number for kind, number in words.items() if kind not in ("invented", "set aside"))
    others = [f"{words[kind]:,} {label}" for kind, label in OTHERS.items() if words[kind]]
    copied = f"{words[COPIED]:,} of {amount(total, 'word')} copied ({percent(ratio(words[COPIED], total))} %)"
    style = f" in style {'+'.join(report.styles)}" if report.styles else ""
    if report.style_share is not None:
        style += f" (explains {percent(report.style_share)} % of tags)"
    if located := report.located:
        yield f"{side} printed{style}: {describe_located(located)}"
        if not total:
            return
        style = ""
    yield f"{side} printed{style}: " + ", ".join([copied, *others])
    fates, reasons = (", ".join(f"{n:,} {name}" for name, n in c.items()) for c in (report.fates, report.dropped))
    yield f"  tags: {fates}" + (f" ({reasons})" if reasons else "")
    documents = report.documents
    incomplete = {
        "cut off": [f"{d.name} behind word {d.cut_off:,} of {d.of:,}" for d in documents if d.cut_off],
        "not printed": [document.name for document in documents if document.absent],
    }
    for problem, names in incomplete.items():
        if names:
            more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
            yield f"  {problem}: {', '.join(names[:LISTED])}{more}"


CAPTION = "Scores in percent"
NOTHING = "–"
"""Shown where neither side has anything to count."""


def lay_out(report: Report, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Metrics as rows with recall, precision and F1; with ``per_document`` one row of F1 per document before."""
    metrics = headline_first(report)
    sheets = [metric_sheet(report, metrics)]
    if per_document:
        sheets.insert(0, by_metric(f"{figure_shown([report])} per document", report.documents, metrics))
    printed: list[Block] = []
    if lines := printed_lines(report):
        printed.append(Text(lines))
    if report.format_loss:
        losses = [
            [METRICS[name].title, *map(percent, (lost.format_loss, lost.coreference_loss, lost.landed, lost.ceiling))]
            for name, lost in report.format_loss.items()
        ]
        head = ["points", "Format loss", "Coreference loss", "Ideal placement", "Ceiling"]
        printed.append(Sheet.of(head, losses))
    return Layout([*printed, *sheets], [report.signature], input_lines(report), CAPTION)


def lay_out_averaged(report: AveragedReport, per_document: bool, width: int | None) -> Layout:
    """The same, with the means over documents below the pooled scores."""
    layout = lay_out(report, per_document, width)
    scored = report.document_means()
    rows = [
        [METRICS[name].title, *([""] * (3 - len(scored[name]))), *[shown_figure(figure) for figure in scored[name]]]
        for name in headline_first(scored)
    ]
    below = Sheet.of([mean_over_documents(report), "Recall", "Precision", figure_shown([report])], rows)
    return layout._replace(blocks=[*layout.blocks, below])


def mean_over_documents(report: AveragedReport) -> str:
    """What a column of means is called."""
    return f"mean over {amount(len(report.documents), 'document')}"


def metric_sheet(report: Report, metrics: Sequence[str]) -> Sheet:
    """Metrics as rows with recall, precision and F1; measures of one number have a column of their own."""
    rows = [[METRICS[name].title, *figures(report, name)] for name in metrics]
    head = ["", "Recall", "Precision", "F1", "Value"]
    if not any(row[4] for row in rows):
        head, rows = head[:4], [row[:4] for row in rows]
    means = [index for index, name in enumerate(metrics) if METRICS[name].parts]
    return Sheet.of(head, rows, strong=means)


def lay_out_settings(result: SettingsReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Settings as rows, metrics as columns, F1 in the cells."""
    sheets: list[Sheet] = []
    for names in setting_rows(result):
        metrics = headline_first(result[names[0]])
        sheets += documents_by_setting(result, names, metrics) if per_document else ()
        reports = {name: result[name] for name in names}
        sheets.append(by_metric(figure_shown(reports.values()), reports, metrics))
    return Layout(sheets, [result.signature], [*setting_notes(result), *input_lines(result)], CAPTION)


def lay_out_windows(result: WindowCurve, per_document: bool, _: int | str | None) -> Layout:
    """Sizes of windows as rows, metrics as columns: F1 in the cells, then what distance costs."""
    metrics = headline_first(result.metrics)
    documents = [by_metric(f"windows {name}", report.documents, metrics) for name, report in result.items()]
    costs = [[name, *[shown_figure(result.cost(name, metric)) for metric in metrics]] for name in result.sizes]
    sheets = [
        *(documents if per_document else ()),
        by_metric(f"{figure_shown(result.values())}, windows", result, metrics),
        Sheet.of(["whole − windows", *titles(metrics)], costs),
    ]
    return Layout(sheets, [result.signature], input_lines(result), CAPTION)


def documents_by_setting(result: SettingsReport, names: Sequence[str], metrics: Sequence[str]) -> list[Sheet]:
    """A table for each document, with these settings as rows."""
    by_name = {name: result[name].documents for name in names}
    return [
        by_metric(document, {name: of[document] for name, of in by_name.items() if document in of}, metrics)
        for document in dict.fromkeys(document for of in by_name.values() for document in of)
    ]


def setting_rows(result: SettingsReport) -> list[list[str]]:
    """The settings that are rows of a table, in groups that have the same metrics.

    A setting whose metrics are all scored in the row of another with the same options has no row of its own.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, report in result.items():
        if not row_of(result, name):
            groups.setdefault(tuple(report), []).append(name)
    return list(groups.values())


def row_of(result: SettingsReport, name: str) -> str:
    """The other setting whose row has the scores of this one; empty if it has a row of its own."""
    own = result[name]
    same = [other for other, report in result.items() if report.options == own.options and {*own} < {*report}]
    return same[0] if same else ""


def setting_notes(result: SettingsReport) -> list[str]:
    """The options in which settings differ, and where the scores of those without a row are."""
    shared, notes = set(result.signature.split("|")), []
    for name, report in result.items():
        own = [option for option in str(report.options).split("|") if option not in shared]
        if row := row_of(result, name):
            notes.append(f"{name}: {', '.join(titles(report))} of {row}")
        elif own:
            notes.append(f"{name}: {', '.join(own)}")
    return notes


def lay_out_keys(result: KeySetReport, per_document: bool, _: int | str | None) -> Layout:  # noqa: ARG001
    """Metrics as rows: best, mean, worst, ceiling and relative scores; then keys as rows."""
    rows = [
        [METRICS[name].title, *map(percent, (*summary, summary.relative))]
        for name in headline_first(result.metrics)
        for summary in [result.over_keys(name)]
    ]
    figure = figure_shown(result.values())
    summary = Sheet.of([f"{figure}, {len(result)} keys", "Best", "Mean", "Worst", "Ceiling", "Relative"], rows)
    notes = [
        "Ceiling: mean of the keys against each other; Relative: mean / ceiling",
        *[f"{name}  read {report.inputs[0]}" for name, report in result.items()],
    ]
    by_key = by_metric(figure, result, headline_first(result.metrics))
    return Layout([summary, by_key], [result.signature], notes, CAPTION)


SAMPLES = {"uniform": "entities sampled at random", "size": "entities of mentions sampled at random"}


def lay_out_sampled_key(result: SampledKeyReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """A row for each estimate, with its intervals."""
    from ...measures.sampled_key import ESTIMATORS  # few keys are samples

    rows = []
    for name, score in result.items():
        for figure, one in zip(("R", "P"), score, strict=True):
            intervals = (
                NOTHING if low is None or high is None else f"{percent(low)}–{percent(high)}"
                for low, high in (one[2:4], one[4:6])
            )
            figures = shown_figure(one.estimate), shown_figure(one.sd), *intervals, shown_figure(one.uncorrected)
            rows.append([f"{ESTIMATORS[name].title} {figure}", *figures])
    head = ["Sampled key", "Estimate", "Sd", "95 % interval", "Bootstrap", "Uncorrected"]
    how = SAMPLES.get(result.sampled_key, f"weights of column {result.sampled_key}")
    notes = [
        f"{amount(result.entities, 'entity', 'entities')} of {result.mentions:,} mentions: {how}",
        *input_lines(result),
    ]
    return Layout([Sheet.of(head, rows)], [result.signature], notes, "Estimates in percent")


def input_lines(result: Report | SettingsReport | SampledKeyReport) -> list[str]:
    """The inputs, a line for each side, and one for a side that was laid over the words of the other."""
    lines = []
    for side, source in zip(INPUTS, result.inputs, strict=False):
        lines.append(f"{side:8}  read {source}")
        if source.projection:
            other = "response" if side == "key" else "key"
            lines.append(f"{side:8}  over the words of the {other}: {source.projection}")
    if missing := getattr(result, "missing", ()):
        names = ", ".join(fault.path for fault in missing[:LISTED])
        more = f" and {len(missing) - LISTED:,} more" if len(missing) > LISTED else ""
        lines.append(f"missing   {amount(len(missing), 'file')} with faults: {names}{more}")
    return lines


def note_on_rules(report: Report) -> str:
    """The scores that differ under the reference rules, the main metric first."""
    other = report.alternative
    if other is None or not other.differing:
        return ""
    parts: list[str] = []
    for name in headline_first(other.differing):
        chosen, reference = distinct_percents(*map(headline, other.differing[name]))
        chosen = NOTHING if report.nothing(name) else chosen
        under = ("", "", "") if parts else (" is", f" under rules {report.options.rules}", f" under {other.rules}")
        parts.append(f"{METRICS[name].title}{under[0]} {chosen}{under[1]} but {reference}{under[2]}")
    return "; ".join(parts)


def figure_shown(reports: Iterable[Report]) -> str:
    """The name of the figure in a table of one figure per metric: F1, unless a metric has none."""
    return "F1" if all(hasattr(score, "f1") for report in reports for score in report.values()) else "score"


def figures(scores: Scores, name: str) -> list[str]:
    """Recall, precision, F1 and value of a metric; empty where it has none."""
    score, nothing = scores[name], scores.nothing(name)
    if isinstance(score, Score):
        return [*map(shown_figure, [None] * 3 if nothing else score, scores.at_most[name]), ""]
    shown = shown_headline(scores, name)
    if isinstance(score, F1):
        return ["", "", shown, ""]
    direction = "" if nothing else getattr(score, "direction", "")
    return ["", "", "", f"{shown}{direction and '-' + direction}"]


def shown_headline(scores: Scores, name: str) -> str:
    """F1 or the value of a metric."""
    return shown_figure(scores.figure(name), headline(scores.at_most[name]))


def shown_figure(value: float | None, at_most: float | None = None) -> str:
    """A figure in percent, or the range in which it is; a dash where there is nothing to count.

    >>> shown_figure(0.5), shown_figure(None), shown_figure(0.22361, 0.22409), shown_figure(0.22361, 0.22362)
    ('50.00', '–', '22.36–22.41', '22.36')
    """
    if value is None:
        return NOTHING
    return "–".join(dict.fromkeys(percent(figure) for figure in (value, at_most) if figure is not None))


def titles(metrics: Iterable[str]) -> list[str]:
    """The titles of metrics."""
    return [METRICS[metric].title for metric in metrics]


def by_metric(corner: str, scores: Mapping[str, Scores], metrics: Iterable[str]) -> Sheet:
    """A row for each of ``scores``, a column for each metric; F1 or the value in the cells."""
    names = list(metrics)
    rows = [
        [label, *(shown_headline(row, name) if name in row else "" for name in names)]
        for label, row in scores.items()
    ]
    return Sheet.of([corner, *titles(names)], rows)


def by_document(corner: str, reports: Mapping[str, Report], metric: str) -> Sheet:
    """One metric: documents as rows, systems as columns."""
    columns = [report.documents for report in reports.values()]
    rows = [[name, *(shown_headline(scores[name], metric) for scores in columns)] for name in columns[0]]
    return Sheet.of([corner, *reports], rows)
