"""Markdown: pipe tables, with the signature under them."""

from __future__ import annotations

import re
from typing import Any

from ..layout import Cell, Sheet, lay_out
from ..text import shown

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#&])")


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """The tables one below the other, then notes and signature."""
    layout = lay_out(result, per_document)
    notes = "".join(f"- {escaped(note)}\n" for note in layout.notes)
    parts = [*map(_table, layout.sheets), *([notes] if notes else []), f"`{_code(layout.signature)}`\n"]
    return "\n".join(parts)


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> escaped("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return SPECIAL.sub(r"\\\1", shown(text))


def _code(text: str) -> str:
    return shown(text).replace("`", "'")


def _table(sheet: Sheet) -> str:
    head = [escaped(title) for title in sheet.head]
    lines = [_line(head), _line([":--", *["--:"] * (len(head) - 1)])]
    for at, row in enumerate(sheet.rows):
        lines.append(_line([_cell(cell, at in sheet.strong) for cell in row]))
    return "\n".join(lines) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = escaped(cell.text)
    if text and (strong or cell.bold):
        text = f"**{text}**"
    return text + (f" {escaped(cell.note)}" if cell.note else "")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
