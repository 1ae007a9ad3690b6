"""Tables that fit a page: those that are wider are turned round, or continue below."""

from __future__ import annotations

from collections.abc import Sequence

from ..columns import blocks
from ..layout import Cell, Sheet, column_widths, sheet_width

NARROW = 66
"""Characters of the usual size in a line of a page of one column, all between columns included."""
PAGE = 88
"""The same in small print, which takes less room between columns."""


def fitting(sheet: Sheet) -> list[Sheet]:
    """The tables that show a table: itself if it fits, else with rows for columns, else in parts.

    Only tables whose rows have one name, and then figures, are changed.

    >>> from corefscope.show.layout import Sheet
    >>> wide = Sheet.of(["F1", *map(str, range(40))], [["ours", *["50.00"] * 40]])
    >>> [(table.head, len(table.rows)) for table in fitting(wide)]
    [(['F1', 'ours'], 40)]
    """
    if sheet_width(sheet) <= PAGE or sheet.left != 1:
        return [sheet]
    turned = transposed(sheet)
    if sheet_width(turned) <= PAGE:
        return [turned]
    return min((_in_parts(sheet), _in_parts(turned)), key=len)


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
    """As many columns in each part as fit beside the names of the rows."""
    names, *widths = column_widths(sheet)
    return [_part(sheet, [column + 1 for column in block]) for block in blocks(widths, names, PAGE)]


def _part(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    chosen = [0, *columns]
    head = [sheet.head[column] for column in chosen]
    return sheet._replace(head=head, rows=[[row[column] for column in chosen] for row in sheet.rows], bars=())
