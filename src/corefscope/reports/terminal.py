"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .grid import GAP, blocks
from .sheets import Cell, Sheet, lay_out
from .text import BOLD, DIM, shown, styled


def render(result: Any, per_document: bool, colour: bool) -> str:
    """The tables one below the other, then notes and signature."""
    layout = lay_out(result, per_document)
    tables = [_table(sheet, colour) for sheet in layout.sheets]
    under = [shown(line) for line in (*layout.notes, layout.signature)]
    return "\n".join([*tables, styled("\n".join(under), DIM, colour) + "\n"])


def _table(sheet: Sheet, colour: bool) -> str:
    """Columns that do not fit the terminal continue below."""
    head = [Cell(title) for title in sheet.head]
    texts = [[_plain(cell) for cell in row] for row in (head, *sheet.rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    parts = []
    for block in blocks(widths[1:], widths[0], _room(sum(widths) + len(GAP) * len(widths))):
        columns = [0, *(at + 1 for at in block)]
        lines = [styled(_line(texts[0], columns, widths), DIM, colour)]
        for at, (text, row) in enumerate(zip(texts[1:], sheet.rows, strict=True)):
            bold = [colour and cell.bold for cell in row]
            lines.append(styled(_line(text, columns, widths, bold), BOLD, colour and at in sheet.strong))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _room(needed: int) -> int:
    """The width of the terminal; asked for only if a table is wide, because asking costs an import."""
    if needed <= 80:
        return needed
    from shutil import get_terminal_size

    return get_terminal_size((120, 24)).columns


def _plain(cell: Cell) -> str:
    return shown(cell.text) + (f" {cell.note}" if cell.note else "")


def _line(
    texts: Sequence[str], columns: Sequence[int], widths: Sequence[int], bold: Sequence[bool] | None = None
) -> str:
    """The first column to the left, numbers to the right; styles do not count as width."""
    cells = []
    for at in columns:
        text = texts[at].rjust(widths[at]) if at else texts[at].ljust(widths[at])
        cells.append(styled(text, BOLD, bold is not None and bold[at]))
    return GAP.join(cells).rstrip()
