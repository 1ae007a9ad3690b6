"""Markdown: pipe tables and lines, with the signature under them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..layout import Cell, Sheet, Text, lay_out, sheets_of
from ..text import shown

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#&])")
LIST = re.compile(r"^(\d*)([-+.)=])(?=\2|\s|$)")
"""The beginning of a line that Markdown would read as a list item, or as the underline of a title."""


def render(result: object, per_document: bool, colour: bool, *, table: str = "paper") -> str:  # noqa: ARG001
    """The blocks one below the other, then notes and signature; what is beside a table for a paper as a comment."""
    layout = lay_out(result, per_document, table=table)
    notes = "".join(f"- {escaped(note)}\n" for note in layout.notes)
    signatures = "  \n".join("`" + shown(signature).replace("`", "'") + "`" for signature in layout.signatures)
    blocks = [
        _text(block) if isinstance(block, Text) else "\n".join(map(_table, sheets_of(block)))
        for block in layout.blocks
    ]
    return "\n".join([*blocks, *([notes] if notes else []), f"{signatures}\n", *_comment(layout.comments)])


def _comment(lines: Sequence[str]) -> list[str]:
    """Lines as an HTML comment, which two hyphens would end."""
    return ["\n".join(["<!--", *(shown(line).replace("--", "- -") for line in lines), "-->\n"])] if lines else []


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> escaped("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return SPECIAL.sub(r"\\\1", shown(text))


def _text(text: Text) -> str:
    """Lines of a paragraph; indented lines are items of a list."""
    lines: list[str] = []
    for spans in text.spans:
        line = "".join(span.text for span in spans)
        depth = len(line) - len(line.lstrip(" "))
        marked = ""
        for span in spans:
            part = escaped(span.text)
            core = part.strip(" ")
            marked += part.replace(core, f"**{core}**") if core and span.style == "strong" else part
        marked = " ".join(marked.split())
        margin = "  " if depth > 3 else ""
        lines.append(f"{margin}- {marked}" if depth else LIST.sub(r"\1\\\2", marked) + "  ")
    return "\n".join(lines).rstrip(" ") + "\n"


def _table(sheet: Sheet) -> str:
    rule = [":--"] * sheet.left + ["--:"] * (len(sheet.head) - sheet.left)
    rows = [[_cell(cell, index in sheet.strong) for cell in row] for index, row in enumerate(sheet.rows)]
    lines = [f"| {' | '.join(cells)} |" for cells in (map(_indented, sheet.head), rule, *rows)]
    title = sheet.caption or sheet.title
    above = [escaped(title), ""] if title else []
    below = ["", escaped(sheet.note)] if sheet.note else []
    return "\n".join([*above, *lines, *below]) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = _indented(cell.text)
    if text and (strong or cell.bold):
        text = f"**{text}**"
    return text + escaped(cell.mark) + (f" {escaped(cell.note)}" if cell.note else "")


def _indented(text: str) -> str:
    """Text with its indentation kept, since Markdown removes blanks at the beginning of a cell."""
    begun = text.lstrip(" ")
    return "&nbsp;" * (len(text) - len(begun)) + escaped(begun.rstrip(" ")) if begun else ""
