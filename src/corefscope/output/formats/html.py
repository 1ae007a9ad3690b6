"""HTML: tables and lines for notebooks and pages of one's own, with the signature under them.

It is a fragment in plain ASCII, so it reads alike whatever the encoding of what surrounds it. Colours and fonts are
those of the surroundings, light or dark. A shared task is a page of its own instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib import import_module
from typing import Any

from ...core.errors import amount
from ..layout import Beside, Block, Cell, Layout, Sheet, Span, Text, lay_out, sheets_of
from ..text import shown

PAGES = {"TaskResult": "pages.leaderboard", "TaskSettings": "pages.leaderboard"}
"""Results that are a whole page, and the package of ``output`` that makes it."""
MOST = 200
"""Rows of a table, lines of a text, and tables and texts that a cell of a notebook shows."""
QUIET = "opacity: .7; font-size: smaller"
STYLES = {"strong": "font-weight: bold", "dim": "opacity: .7"}


def render(
    result: Any,
    per_document: bool,
    colour: bool,  # noqa: ARG001
    *,
    pages: Mapping[Any, str] | None = None,
) -> str:
    """The blocks one below the other, then notes and signature; or the page of its own that a result has.

    ``pages`` are the addresses of report pages that such a page links to.
    """
    if type(result).__name__ in PAGES:
        module = import_module(f"..{PAGES[type(result).__name__]}", __package__)
        text: str = module.render(result, per_document, pages or {})
        return text
    return _rendered(lay_out(result, per_document))


def in_notebook(result: Any) -> str:
    """The same for a cell of a notebook: of long tables and texts, how they begin."""
    layout = lay_out(result)
    blocks = layout.blocks[:MOST]
    more = [f"{amount(len(layout.blocks) - MOST, 'more part')} not shown"] if len(layout.blocks) > MOST else []
    return _rendered(layout._replace(blocks=list(map(_begun, blocks)), notes=[*more, *layout.notes]))


def _begun(block: Block) -> Block:
    if isinstance(block, Beside):
        return Beside([_begun_sheet(sheet) for sheet in block.sheets])
    if isinstance(block, Sheet):
        return _begun_sheet(block)
    more = len(block.lines) - MOST
    return block._replace(lines=[*block.lines[:MOST], f"… {amount(more, 'more line')}"]) if more > 0 else block


def _begun_sheet(sheet: Sheet) -> Sheet:
    more = len(sheet.rows) - MOST
    if more <= 0:
        return sheet
    note = f"… {amount(more, 'more row')}{'; ' if sheet.note else ''}{sheet.note}"
    return sheet._replace(rows=sheet.rows[:MOST], bars=sheet.bars[:MOST], note=note)


def _rendered(layout: Layout) -> str:
    blocks = [
        _text(block) if isinstance(block, Text) else "\n".join(map(_table, sheets_of(block)))
        for block in layout.blocks
    ]
    notes = [f'<p style="{QUIET}">{escaped(note)}</p>' for note in layout.notes]
    signatures = [f'<p style="{QUIET}"><code>{escaped(signature)}</code></p>' for signature in layout.signatures]
    return "\n".join(['<div class="corefscope">', *blocks, *notes, *signatures, "</div>\n"])


def of_layout(layout: Layout) -> str:
    """What has been laid out, as a fragment of a page."""
    return _rendered(layout)


def escaped(text: str) -> str:
    """Text that HTML shows as it is.

    >>> escaped("B³ <i>")
    'B&#179; &lt;i&gt;'
    """
    return escape(shown(text)).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _text(text: Text) -> str:
    lines = ["".join(map(_span, spans)) for spans in text.spans]
    return f'<div style="white-space: pre-wrap">{"<br>".join(lines)}</div>'


def _span(span: Span) -> str:
    style = STYLES.get(span.style)
    return f'<span style="{style}">{escaped(span.text)}</span>' if style else escaped(span.text)


def _table(sheet: Sheet) -> str:
    bars = [*sheet.bars] or [""] * len(sheet.rows)
    titles = [_cell("th", Cell(title), column < sheet.left) for column, title in enumerate(sheet.head)]
    rows = ["".join(titles) + ("<th></th>" if sheet.bars else "")]
    for number, (cells, bar) in enumerate(zip(sheet.rows, bars, strict=True)):
        strong = number in sheet.strong
        row = [
            _cell("td", cell._replace(bold=cell.bold or strong), column < sheet.left)
            for column, cell in enumerate(cells)
        ]
        rows.append("".join(row) + (_cell("td", Cell(bar), True) if sheet.bars else ""))
    caption = f'<caption style="text-align: left">{escaped(sheet.title)}</caption>' if sheet.title else ""
    note = f'\n<p style="{QUIET}">{escaped(sheet.note)}</p>' if sheet.note else ""
    head, *body = [f"<tr>{row}</tr>" for row in rows]
    lines = [f"<table>{caption}", f"<thead>{head}</thead>", "<tbody>", *body, "</tbody></table>"]
    return "\n".join(lines) + note


def _cell(tag: str, cell: Cell, text: bool) -> str:
    inner = escaped(cell.text)
    if cell.bold and inner:
        inner = f"<b>{inner}</b>"
    if cell.note:
        inner += f' <span style="{QUIET}">{escaped(cell.note)}</span>'
    # Blanks count: what stands under something else is indented.
    return f'<{tag} style="text-align: {"left" if text else "right"}; white-space: pre-wrap">{inner}</{tag}>'
