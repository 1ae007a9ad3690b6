"""What is shown, before it is known how: tables of cells with notes under them, and flat records.

Every result that can be reported has a function here or in a module of its own that makes its sheets; every format
(text, Markdown, LaTeX, CSV …) renders any sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from typing import Any, NamedTuple

from ..base.numbers import F1, AnyScore, Score, headline
from ..count.metrics import METRICS
from ..evaluate.results import Report, SettingsReport
from .text import percent


class Cell(NamedTuple):
    """One cell as people see it."""

    text: str = ""
    bold: bool = False
    note: str = ""
    """What stands smaller beside it: an interval, a star."""


class Sheet(NamedTuple):
    """One table: the first column names the rows, the others hold numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    strong: Sequence[int] = ()
    """Rows that stand out."""


class Layout(NamedTuple):
    """All that is shown of a result."""

    sheets: Sequence[Sheet]
    notes: Sequence[str]
    signature: str


@singledispatch
def lay_out(result: Any, per_document: bool) -> Layout:  # noqa: ARG001
    """The tables of a result."""
    raise TypeError(f"{type(result).__name__} cannot be shown")


@lay_out.register
def _report(report: Report, per_document: bool) -> Layout:
    """Metrics as rows with recall, precision and F1; with ``per_document`` one row of F1 per document before."""
    rows = [[METRICS[name].title, *figures(report[name])] for name in report]
    head = ["", "Recall", "Precision", "F1", "Value"]
    if not any(row[4] for row in rows):  # measures of one number have a column of their own
        head, rows = head[:4], [row[:4] for row in rows]
    made_of_others = [at for at, name in enumerate(report) if METRICS[name].parts]
    pooled = Sheet(head, [list(map(Cell, row)) for row in rows], made_of_others)
    return Layout([*([_documents(report)] if per_document else []), pooled], read(report), report.signature)


def _documents(report: Report) -> Sheet:
    head = [f"{figure_shown([report])} per document", *(METRICS[name].title for name in report)]
    rows = [
        [name, *(percent(headline(scores[metric])) for metric in report)] for name, scores in report.documents.items()
    ]
    return Sheet(head, [list(map(Cell, row)) for row in rows])


@lay_out.register
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
            cells = [percent(headline(scores[name])) if name in report else "" for name in metrics]
            rows.append(list(map(Cell, [title, *cells])))
        sheets.append(Sheet([document or corner, *(METRICS[name].title for name in metrics)], rows))
    return Layout(sheets, [*_told_apart(result), *read(result)], result.signature)


def _told_apart(result: SettingsReport) -> Iterator[str]:
    """What each setting has that the signature of all does not say."""
    shared = set(result.signature.split("|"))
    for title, report in result.items():
        own = [option for option in str(report.options).split("|") if option not in shared]
        if own:
            yield f"{title}: {', '.join(own)}"


def read(result: Report | SettingsReport) -> list[str]:
    """What was read, a line for each side."""
    return [f"{side:8}  read {said}" for side, said in zip(("key", "response"), result.inputs, strict=False)]


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
