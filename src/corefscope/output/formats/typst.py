"""Typst: tables as figures and lines, ready to paste; notes and the signature are comments."""

from __future__ import annotations

import re
from collections import Counter

from ..layout import Cell, Sheet, Text, lay_out, sheets_of, with_minus_signs
from ..text import shown
from .latex import fitting, label_of

SPECIAL = re.compile(
    r"""[\\#$*_`<>@\[\]{}~'"/=-]  # markup, and the signs that typography replaces
    | ^\+(?=\ |$) | (?<=\.)\. | (?<=\d)\.(?=\ |$)  # items of lists, ellipses""",
    re.VERBOSE,
)
MARK = "#let mark(sign) = box(width: 0pt, align(left, super(sign))) // beside a figure, which stays aligned"


def render(result: object, per_document: bool, colour: bool, *, table: str = "paper") -> str:  # noqa: ARG001
    """A figure for each table, lines as paragraphs, notes and signature as comments.

    A table that is wider than a page is transposed or split.
    """
    layout = lay_out(result, per_document, table=table)
    signatures = [f"signature: {signature}" for signature in layout.signatures]
    comments = "".join(f"// {shown(line)}\n" for line in [*signatures, *layout.notes, *layout.comments])
    labels: Counter[str] = Counter()
    parts = []
    for block in layout.blocks:
        if isinstance(block, Text):
            parts.append(_text(block))
        for sheet in sheets_of(block):
            pieces = fitting(with_minus_signs(sheet))
            own = ". ".join(filter(None, (sheet.title, sheet.note))) or layout.caption
            for number, piece in enumerate(pieces, 1):
                part = f" (part {number} of {len(pieces)})" if len(pieces) > 1 else ""
                caption = (sheet.caption or own) + part
                parts.append(_table(piece, caption, label_of(sheet, labels)))
    marks = [f"{MARK}\n"] if any("#mark[" in part for part in parts) else []
    return "\n".join([comments, *marks, *parts])


def escaped(text: str) -> str:
    r"""Text that Typst prints as it is.

    >>> print(escaped("#a_b* + 50.0 %..."))
    \#a\_b\* + 50.0 %.\.\.
    """
    return SPECIAL.sub(r"\\\g<0>", shown(text))


def _table(sheet: Sheet, caption: str, label: str) -> str:
    align = ["left"] * sheet.left + ["right"] * (len(sheet.head) - sheet.left)
    rows = [[_cell(cell, index in sheet.strong) for cell in row] for index, row in enumerate(sheet.rows)]
    lines = [
        "#figure(",
        "  table(",
        f"    columns: {len(sheet.head)}, align: ({', '.join(align)},), inset: (y: 3pt), stroke: none,",
        "    table.hline(),",
        f"    table.header({', '.join(f'[{_indented(title)}]' for title in sheet.head)}),",
        "    table.hline(stroke: 0.5pt),",
        *(f"    {', '.join(f'[{cell}]' for cell in row)}," for row in rows),
        "    table.hline(),",
        "  ),",
        f"  caption: [{escaped(caption)}.]," if caption else "",
        f") <{label}>",
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = _indented(cell.text)
    bold = text and (strong or cell.bold)
    mark = f"#{'super' if cell.note else 'mark'}[{escaped(cell.mark)}]" if cell.mark else ""
    note = f" #text(0.8em)[{escaped(cell.note)}]" if cell.note else ""
    return (f"#strong[{text}]" if bold else text) + mark + note


def _indented(text: str) -> str:
    """Text with its indentation kept."""
    begun = text.lstrip(" ")
    indent = len(text) - len(begun)
    return (f"#h({indent * 0.5:g}em);" if begun and indent else "") + escaped(begun.rstrip(" "))


def _text(text: Text) -> str:
    lines = []
    for spans in text.spans:
        line = "".join(span.text for span in spans)
        depth = len(line) - len(line.lstrip(" "))
        margin = (
            f"#h({depth * 0.5:g}em);" if depth else ""
        )  # without semicolon, a bracket behind it would belong to it
        texts = [
            f"#strong[{escaped(span.text)}];" if span.style == "strong" else escaped(span.text) for span in spans
        ]
        lines.append(margin + "".join(texts).lstrip(" "))
    return " \\\n".join(lines) + "\n"
