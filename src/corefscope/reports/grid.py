"""Tables that fit the terminal: what is too wide continues below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

GAP = "  "


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], width: int, labels: int = 1) -> list[str]:
    """Lines of a table, numbers to the right; columns that do not fit follow in blocks below, with the labels again.

    A row that has nothing in a block is left out there.

    >>> print("|".join(grid(["", "one", "two"], [["a", "1", "2"]], width=7)))
       one|a    1||   two|a    2
    """
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left = sum(widths[:labels]) + len(GAP) * (labels - 1)
    lines: list[str] = []
    for block in blocks(widths[labels:], left, width):
        shown = [*range(labels), *(labels + at for at in block)]
        if lines:
            lines.append("")
        for row in (head, *(row for row in rows if any(row[at] for at in shown[labels:]))):
            cells = [row[at].ljust(widths[at]) if at < labels else row[at].rjust(widths[at]) for at in shown]
            lines.append(GAP.join(cells).rstrip())
    return lines


def blocks(widths: Sequence[int], left: int, width: int) -> list[list[int]]:
    """Which columns stand side by side; at least one in every block."""
    blocks: list[list[int]] = [[]]
    used = left
    for at, needed in enumerate(widths):
        if blocks[-1] and used + len(GAP) + needed > width:
            blocks.append([])
            used = left
        blocks[-1].append(at)
        used += len(GAP) + needed
    return blocks


def side_by_side(tables: Sequence[Sequence[str]], width: int) -> list[str]:
    """Small tables next to each other, as many as fit, the others below."""
    widths = [max(map(len, table)) + len(GAP) for table in tables]
    lines: list[str] = []
    for block in blocks(widths, -2 * len(GAP), width):
        if lines:
            lines.append("")
        height = max(len(tables[at]) for at in block)
        padded = [[*tables[at], *[""] * (height - len(tables[at]))] for at in block]
        lines += [
            GAP.join(cell.ljust(widths[at]) for cell, at in zip(row, block, strict=True)).rstrip()
            for row in zip(*padded, strict=True)
        ]
    return lines


def as_csv(records: Iterable[Mapping[str, Any]], signature: str) -> str:
    """Records as CSV, unrounded; what is undefined is empty. The signature stands in every row."""
    import csv
    import io

    rows = [{**record, "signature": signature} for record in records]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_json(content: Mapping[str, Any]) -> str:
    """Plain values as JSON."""
    import json

    return json.dumps(content, indent=1) + "\n"
