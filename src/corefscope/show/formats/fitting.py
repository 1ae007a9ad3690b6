"""Tables that fit a page: those that are wider are turned round, or continue below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..layout import Cell, Sheet, column_widths

LINE = 345
"""Points in a line of a page of one column."""


class Print(NamedTuple):
    """How much room a table takes, in points."""

    character: float
    """Figures, bold ones among them, and names: on average."""
    between: float
    """What lies between two columns."""

    def width(self, widths: Sequence[int]) -> float:
        """That of columns of so many characters."""
        return sum(self.character * width + self.between for width in widths)


USUAL, SMALL = Print(5.8, 12), Print(5.3, 8)


def fitting(sheet: Sheet) -> list[Sheet]:
    """The tables that show a table: itself if it fits, else with rows for columns, else in parts.

    Only tables whose rows have one name, and then figures, are changed.

    >>> from corefscope.show.layout import Sheet
    >>> wide = Sheet.of(["F1", *map(str, range(40))], [["ours", *["50.00"] * 40]])
    >>> [(table.head, len(table.rows)) for table in fitting(wide)]
    [(['F1', 'ours'], 40)]
    """
    if fits(sheet, SMALL) or sheet.left != 1:
        return [sheet]
    turned = transposed(sheet)
    return min((_in_parts(table) for table in (turned, sheet)), key=len)


def fits(sheet: Sheet, size: Print) -> bool:
    """Whether a table is no wider than a page if it is printed like that."""
    return size.width(column_widths(sheet)) <= LINE


def transposed(sheet: Sheet) -> Sheet:
    """Rows become columns; a row that stands out becomes a column of bold figures."""
    rows = [
        [cell._replace(bold=True) for cell in row] if number in sheet.strong else list(row)
        for number, row in enumerate(sheet.rows)
    ]
    corner, *titles = sheet.head
    body = [[Cell(title), *(row[column] for row in rows)] for column, title in enumerate(titles, 1)]
    return sheet._replace(head=[corner, *(row[0].text for row in rows)], rows=body, strong=(), bars=())


def _in_parts(sheet: Sheet) -> list[Sheet]:
    """As many columns in each part as fit beside the names of the rows; at least one."""
    names, *widths = column_widths(sheet)
    parts: list[list[int]] = [[]]
    for column, width in enumerate(widths, 1):
        if parts[-1] and SMALL.width([names, width, *(widths[other - 1] for other in parts[-1])]) > LINE:
            parts.append([])
        parts[-1].append(column)
    return [_part(sheet, part) for part in parts]


def _part(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    chosen = [0, *columns]
    head = [sheet.head[column] for column in chosen]
    return sheet._replace(head=head, rows=[[row[column] for column in chosen] for row in sheet.rows], bars=())
