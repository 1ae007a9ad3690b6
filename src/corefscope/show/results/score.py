"""How scores are laid out: of one response, or under several settings; and tables that other results share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...base.numbers import F1, Score, headline
from ...count.metrics import METRICS, headline_metric
from ...evaluate.results import INPUTS, Report, Scores, SettingsReport
from ..layout import Layout, Sheet
from ..text import percent

CAPTION = "Scores in percent"
NOTHING = "–"
"""Stands where neither side has anything to count."""


def lay_out(result: Report | SettingsReport, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """The tables of a report, or of reports by their settings."""
    return _report(result, per_document) if isinstance(result, Report) else _settings(result, per_document)


def _report(report: Report, per_document: bool) -> Layout:
    """Metrics as rows with recall, precision and F1; with ``per_document`` one row of F1 per document before."""
    rows = [[METRICS[name].title, *figures(report, name)] for name in report]
    head = ["", "Recall", "Precision", "F1", "Value"]
    if not any(row[4] for row in rows):  # measures of one number have a column of their own
        head, rows = head[:4], [row[:4] for row in rows]
    made_of_others = [index for index, name in enumerate(report) if METRICS[name].parts]
    sheets = [Sheet.of(head, rows, strong=made_of_others)]
    if per_document:
        sheets.insert(0, by_metric(f"{figure_shown([report])} per document", report.documents, report))
    return Layout(sheets, [report.signature], read(report), CAPTION)


def _settings(result: SettingsReport, per_document: bool) -> Layout:
    """Settings as rows, metrics as columns, F1 in the cells."""
    metrics = list(dict.fromkeys(name for report in result.values() for name in report))
    documents = list(next(iter(result.values())).documents) if per_document else []
    sheets = [
        by_metric(document, {title: report.documents[document] for title, report in result.items()}, metrics)
        for document in documents
    ]
    sheets.append(by_metric(figure_shown(result.values()), result, metrics))
    return Layout(sheets, [result.signature], [*_own_options(result), *read(result)], CAPTION)


def _own_options(result: SettingsReport) -> Iterator[str]:
    """The options of each setting that the common signature does not have."""
    shared = set(result.signature.split("|"))
    for title, report in result.items():
        own = [option for option in str(report.options).split("|") if option not in shared]
        if own:
            yield f"{title}: {', '.join(own)}"


def read(result: Report | SettingsReport) -> list[str]:
    """What was read, a line for each side."""
    return [f"{side:8}  read {source}" for side, source in zip(INPUTS, result.inputs, strict=False)]


def note_on_rules(report: Report) -> str:
    """What the reference rules give where they give something else; the metric to speak of comes first."""
    other = report.alternative
    if other is None or not other.differing:
        return ""
    first = headline_metric(list(other.differing))
    parts: list[str] = []
    for name in (first, *(name for name in other.differing if name != first)):
        chosen, reference = (100 * headline(score) for score in other.differing[name])
        digits = next(n for n in range(2, 11) if round(chosen, n) != round(reference, n))
        title = METRICS[name].title
        if parts:
            parts.append(f"{title} {chosen:.{digits}f} but {reference:.{digits}f}")
        else:
            rules = f"under rules {report.options.rules} but {reference:.{digits}f} under {other.rules}"
            parts.append(f"{title} is {chosen:.{digits}f} {rules}")
    return "; ".join(parts)


def figure_shown(reports: Iterable[Report]) -> str:
    """What a table of one figure per metric shows: F1, unless a metric has none."""
    return "F1" if all(hasattr(score, "f1") for report in reports for score in report.values()) else "score"


def figures(scores: Scores, name: str) -> list[str]:
    """Recall, precision, F1 and value of a metric; what it does not have is empty."""
    score, nothing = scores[name], scores.nothing(name)
    if isinstance(score, Score):
        return [*(shown_figure(None if nothing else value) for value in score), ""]
    headline = shown_figure(scores.figure(name))
    if isinstance(score, F1):
        return ["", "", headline, ""]
    direction = "" if nothing else getattr(score, "direction", "")
    return ["", "", "", f"{headline}{direction and '-' + direction}"]


def shown_figure(value: float | None) -> str:
    """A figure in percent, and a dash where there is nothing to count.

    >>> shown_figure(0.5), shown_figure(None)
    ('50.00', '–')
    """
    return NOTHING if value is None else percent(value)


def titles(metrics: Iterable[str]) -> list[str]:
    """What people call these metrics."""
    return [METRICS[metric].title for metric in metrics]


def by_metric(corner: str, scores: Mapping[str, Scores], metrics: Iterable[str]) -> Sheet:
    """A row for each of ``scores``, a column for each metric; F1 or the value in the cells."""
    names = list(metrics)
    rows = [
        [label, *(shown_figure(row.figure(name)) if name in row else "" for name in names)]
        for label, row in scores.items()
    ]
    return Sheet.of([corner, *titles(names)], rows)


def by_document(corner: str, reports: Mapping[str, Report], metric: str) -> Sheet:
    """One metric: documents as rows, systems as columns."""
    columns = [report.documents for report in reports.values()]
    rows = [[name, *(shown_figure(scores[name].figure(metric)) for scores in columns)] for name in columns[0]]
    return Sheet.of([corner, *reports], rows)
