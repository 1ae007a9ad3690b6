"""Tables and lines for the terminal."""

from __future__ import annotations

from ..layout import Beside, Block, Sheet, Text, lay_out, plain_rows
from ..text import (
    BOLD,
    DIM,
    padded,
    shown,
    side_by_side,
    styled,
    table,
    terminal_width,
    width_of,
    wrapped,
    wrapped_signature,
)

ENDLESS = 1_000_000  # columns
STYLES = {"strong": BOLD, "dim": DIM}


def render(result: object, per_document: bool, colour: bool, *, wide: bool = False, table: str = "full") -> str:
    """The blocks one below the other, then notes and signature, no line wider than the terminal.

    With ``wide`` everything is shown, and tables are not broken.
    """
    layout = lay_out(result, per_document, None if wide else terminal_width(), table)
    width = ENDLESS if wide else terminal_width()
    blocks = [_block(block, width, colour) for block in layout.blocks]
    under = [line for note in (*layout.notes, *layout.comments) for line in wrapped(shown(note), width)]
    under += [line for signature in layout.signatures for line in wrapped_signature(shown(signature), width)]
    return "\n\n".join([*blocks, styled("\n".join(under), DIM, colour)]) + "\n"


def _block(block: Block, width: int, colour: bool) -> str:
    if isinstance(block, Text):
        return _text(block, width, colour)
    if isinstance(block, Beside):
        return "\n".join(side_by_side([_table(sheet, None, colour) for sheet in block.sheets], width))
    above = wrapped(shown(block.title), width) if block.title else []
    below = wrapped(shown(block.note), width) if block.note else []
    lines = _table(block, None if block.whole else width, colour)
    longest = max(map(width_of, lines))
    broken = len(lines) != len(block.bars) + 1
    if not broken and longest + 2 + max(map(len, block.bars), default=0) <= width:
        bars = zip(lines, ["", *block.bars], strict=True)
        lines = [f"{padded(line, longest)}  {bar}".rstrip() for line, bar in bars]
    return "\n".join([*above, *lines, *(styled(line, DIM, colour) for line in below)])


def _text(text: Text, width: int, colour: bool) -> str:
    lines = [
        "".join(styled(shown(span.text), STYLES.get(span.style, ""), colour and bool(span.style)) for span in line)
        for line in text.spans
    ]
    return "\n".join(part for line in lines for part in (wrapped(line, width) if text.wrap else [line]))


def _table(sheet: Sheet, width: int | None, colour: bool) -> list[str]:
    """Columns that do not fit the terminal continue below."""

    def style(row: int, column: int, text: str) -> str:
        strong = row and (row - 1 in sheet.strong or sheet.rows[row - 1][column].bold)
        return styled(text, BOLD if strong else DIM, bool(strong or not row))

    rows = [list(map(shown, row)) for row in plain_rows(sheet)]
    head = [shown(title) for title in sheet.head]
    return table(head, rows, sheet.left, width=width, style=style if colour else None, sparse=sheet.sparse)
