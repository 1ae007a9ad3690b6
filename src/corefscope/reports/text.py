"""The table for people: percentages with two decimals, and the signature under it."""

from __future__ import annotations

from collections.abc import Sequence

from ..counts import F1, AnyScore, Score, headline
from ..metrics import METRICS
from ..results import Report

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def render(report: Report, per_document: bool, colour: bool) -> str:
    """Metrics as rows with recall, precision and F1; with ``per_document`` one row of F1 per document before."""
    parts = []
    if per_document:
        parts.append(_documents(report, colour))
    parts.append(_pooled(report, colour))
    read = [f"{side:8}  read {said}\n" for side, said in zip(("key", "response"), report.inputs, strict=False)]
    parts.append(_styled("".join(read) + report.signature, DIM, colour) + "\n")
    return "\n".join(parts)


def shown(text: str) -> str:
    """Text from a file, made harmless: what a terminal would obey is escaped.

    >>> shown(chr(27) + "[31m")[1:]
    'x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _pooled(report: Report, colour: bool) -> str:
    rows = [[METRICS[name].title, *_cells(report[name])] for name in report]
    head = ["", "Recall", "Precision", "F1", "Value"]
    if not any(row[4] for row in rows):  # measures of one number have a column of their own
        head, rows = head[:4], [row[:4] for row in rows]
    lines = _table(head, rows)
    lines[0] = _styled(lines[0], DIM, colour)
    for at, name in enumerate(report, 1):
        if METRICS[name].parts:
            lines[at] = _styled(lines[at], BOLD, colour)
    return "\n".join(lines) + "\n"


def _documents(report: Report, colour: bool) -> str:
    rows = [
        [shown(name), *(percent(headline(scores[metric])) for metric in report)]
        for name, scores in report.documents.items()
    ]
    figures = "F1" if all(hasattr(score, "f1") for score in report.values()) else "score"
    lines = _table([f"{figures} per document", *(METRICS[name].title for name in report)], rows)
    lines[0] = _styled(lines[0], DIM, colour)
    return "\n".join(lines) + "\n"


def _cells(score: AnyScore) -> list[str]:
    if isinstance(score, Score):
        return [*(percent(value) for value in score), ""]
    if isinstance(score, F1):
        return ["", "", percent(score.f1), ""]
    direction = getattr(score, "direction", "")
    return ["", "", "", f"{percent(score.value)}{direction and '-' + direction}"]


def percent(value: float) -> str:
    """A ratio as a percentage.

    >>> percent(0.81205)
    '81.20'
    """
    return f"{100 * value:.2f}"


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of columns of text, all to the left."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    ]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with the first column to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]


def _styled(text: str, style: str, colour: bool) -> str:
    return f"{style}{text}{PLAIN}" if colour else text
