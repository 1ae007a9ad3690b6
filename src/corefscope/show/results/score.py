"""How scores are laid out: of one response, or of one response under several settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...base.numbers import F1, AnyScore, Score, headline
from ...count.metrics import METRICS
from ...evaluate.results import Report, SettingsReport
from ..layout import Layout, Sheet
from ..text import percent

CAPTION = "Scores in percent"


def lay_out(result: Report | SettingsReport, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """The tables of a report, or of reports by their settings."""
    return _report(result, per_document) if isinstance(result, Report) else _settings(result, per_document)


def _report(report: Report, per_document: bool) -> Layout:
    """Metrics as rows with recall, precision and F1; with ``per_document`` one row of F1 per document before."""
    rows = [[METRICS[name].title, *figures(report[name])] for name in report]
    head = ["", "Recall", "Precision", "F1", "Value"]
    if not any(row[4] for row in rows):  # measures of one number have a column of their own
        head, rows = head[:4], [row[:4] for row in rows]
    made_of_others = [at for at, name in enumerate(report) if METRICS[name].parts]
    pooled = Sheet.of(head, rows, strong=made_of_others)
    sheets = [_documents(report), pooled] if per_document else [pooled]
    return Layout(sheets, [report.signature], read(report), CAPTION)


def _documents(report: Report) -> Sheet:
    head = [f"{figure_shown([report])} per document", *(METRICS[name].title for name in report)]
    rows = [
        [name, *(percent(headline(scores[metric])) for metric in report)] for name, scores in report.documents.items()
    ]
    return Sheet.of(head, rows)


def _settings(result: SettingsReport, per_document: bool) -> Layout:
    """Settings as rows, metrics as columns, F1 in the cells."""
    metrics = list(dict.fromkeys(name for report in result.values() for name in report))
    corner = figure_shown(result.values())
    sheets = []
    documents = list(next(iter(result.values())).documents) if per_document else []
    for document in [*documents, ""]:
        rows = []
        for title, report in result.items():
            scores = report.documents[document] if document else report
            rows.append([title, *(percent(headline(scores[name])) if name in report else "" for name in metrics)])
        sheets.append(Sheet.of([document or corner, *(METRICS[name].title for name in metrics)], rows))
    return Layout(sheets, [result.signature], [*_told_apart(result), *read(result)], CAPTION)


def _told_apart(result: SettingsReport) -> Iterator[str]:
    """What each setting has that the signature of all does not say."""
    shared = set(result.signature.split("|"))
    for title, report in result.items():
        own = [option for option in str(report.options).split("|") if option not in shared]
        if own:
            yield f"{title}: {', '.join(own)}"


def read(result: Report | SettingsReport) -> list[str]:
    """What was read, a line for each side."""
    return [f"{side:8}  read {source}" for side, source in zip(("key", "response"), result.inputs, strict=False)]


def figure_shown(reports: Iterable[Report]) -> str:
    """What a table of one figure per metric shows: F1, unless a metric has none."""
    return "F1" if all(hasattr(score, "f1") for report in reports for score in report.values()) else "score"


def figures(score: AnyScore) -> list[str]:
    """Recall, precision, F1 and value of a score; what it does not have is empty."""
    if isinstance(score, Score):
        return [*(percent(value) for value in score), ""]
    if isinstance(score, F1):
        return ["", "", percent(score.f1), ""]
    direction = getattr(score, "direction", "")
    return ["", "", "", f"{percent(score.value)}{direction and '-' + direction}"]
