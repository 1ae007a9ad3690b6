"""Tables for the terminal."""

from __future__ import annotations

from typing import Any

from ..columns import table, terminal_width, wrapped
from ..layout import Cell, Sheet, lay_out
from ..text import BOLD, DIM, shown, styled


def render(result: Any, per_document: bool, colour: bool) -> str:
    """The tables one below the other, then notes and signature; only the signature may be wider than the terminal."""
    layout = lay_out(result, per_document)
    width = terminal_width()
    tables = [_table(sheet, width, colour) for sheet in layout.sheets]
    under = [line for note in layout.notes for line in wrapped(shown(note), width)]
    return "\n".join([*tables, styled("\n".join([*under, shown(layout.signature)]), DIM, colour) + "\n"])


def _table(sheet: Sheet, width: int, colour: bool) -> str:
    """Columns that do not fit the terminal continue below."""

    def style(row: int, column: int, text: str) -> str:
        strong = row and (row - 1 in sheet.strong or sheet.rows[row - 1][column].bold)
        return styled(text, BOLD if strong else DIM, bool(strong or not row))

    rows = [[_plain(cell) for cell in row] for row in sheet.rows]
    head = [shown(title) for title in sheet.head]
    return "\n".join(table(head, rows, width=width, style=style if colour else None)) + "\n"


def _plain(cell: Cell) -> str:
    return shown(cell.text) + (f" {cell.note}" if cell.note else "")
