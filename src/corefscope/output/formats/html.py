"""HTML: tables and lines for notebooks and pages of one's own, with the signature under them.

The fragment is plain ASCII, so that the encoding of the surrounding page does not matter. It inherits colours and
fonts. A shared task is rendered as a complete page instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ...comparison.tasks.result import TaskResult, TaskSettings
from ...core.errors import amount
from ..layout import Beside, Block, Cell, Layout, Sheet, Text, lay_out, sheets_of
from ..text import shown

MOST = 200
"""Maximum number of rows of a table, lines of a text, and blocks in a cell of a notebook."""
QUIET = "opacity: .7; font-size: smaller"
STYLES = {"strong": "font-weight: bold", "dim": "opacity: .7"}


def render(
    result: object,
    per_document: bool,
    colour: bool,  # noqa: ARG001
    *,
    pages: Mapping[tuple[str, str], str] | None = None,
    table: str = "full",
) -> str:
    """The blocks one below the other, then notes and signature; a shared task as its leaderboard.

    ``pages`` are the addresses of report pages that a leaderboard links to, by system and data set.
    """
    if isinstance(result, TaskResult | TaskSettings) and table == "full":
        from ..pages import leaderboard  # with Jinja2

        return leaderboard.render(result, per_document, pages or {})
    return render_layout(lay_out(result, per_document, table=table))


def render_in_notebook(result: object) -> str:
    """The blocks for a cell of a notebook: long tables and texts are cut."""
    layout = lay_out(result)
    blocks: list[Block] = []
    for block in layout.blocks[:MOST]:
        if isinstance(block, Text) and (more := len(block.lines) - MOST) > 0:
            block = block._replace(lines=[*block.lines[:MOST], f"… {amount(more, 'more line')}"])
        sheets = []
        for sheet in sheets_of(block):
            if (more := len(sheet.rows) - MOST) > 0:
                note = f"… {amount(more, 'more row')}{'; ' if sheet.note else ''}{sheet.note}"
                sheet = sheet._replace(rows=sheet.rows[:MOST], bars=sheet.bars[:MOST], note=note)
            sheets.append(sheet)
        blocks.append(Beside(sheets) if sheets else block)
    unshown = [f"{amount(len(layout.blocks) - MOST, 'more part')} not shown"] if len(layout.blocks) > MOST else []
    return render_layout(layout._replace(blocks=blocks, notes=[*unshown, *layout.notes]))


def render_layout(layout: Layout) -> str:
    """A layout as a fragment of a page."""
    blocks = [
        _text(block) if isinstance(block, Text) else "\n".join(map(_table, sheets_of(block)))
        for block in layout.blocks
    ]
    notes = [f'<p style="{QUIET}">{escaped(note)}</p>' for note in (*layout.notes, *layout.comments)]
    signatures = [f'<p style="{QUIET}"><code>{escaped(signature)}</code></p>' for signature in layout.signatures]
    return "\n".join(['<div class="corefscope">', *blocks, *notes, *signatures, "</div>\n"])


def escaped(text: str) -> str:
    """Text that HTML shows as it is.

    >>> escaped("B³ <i>")
    'B&#179; &lt;i&gt;'
    """
    return escape(shown(text)).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _text(text: Text) -> str:
    lines = []
    for spans in text.spans:
        parts = [(STYLES.get(span.style), escaped(span.text)) for span in spans]
        lines.append("".join(f'<span style="{style}">{text}</span>' if style else text for style, text in parts))
    return f'<div style="white-space: pre-wrap">{"<br>".join(lines)}</div>'


def _table(sheet: Sheet) -> str:
    titles = [_cell("th", Cell(title), column < sheet.left) for column, title in enumerate(sheet.head)]
    caption = f'<caption style="text-align: left">{escaped(sheet.title)}</caption>' if sheet.title else ""
    bars_head = "<th></th>" if sheet.bars else ""
    lines = [f"<table>{caption}", f"<thead><tr>{''.join(titles)}{bars_head}</tr></thead>", "<tbody>"]
    for number, row in enumerate(sheet.rows):
        bold = number in sheet.strong
        cells = [
            _cell("td", cell._replace(bold=cell.bold or bold), column < sheet.left) for column, cell in enumerate(row)
        ]
        cells += [_cell("td", Cell(sheet.bars[number]), True)] if sheet.bars else []
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    if sheet.note:
        lines.append(f'<p style="{QUIET}">{escaped(sheet.note)}</p>')
    return "\n".join(lines)


def _cell(tag: str, cell: Cell, text: bool) -> str:
    inner = escaped(cell.text) + (f"<sup>{escaped(cell.mark)}</sup>" if cell.mark else "")
    if cell.bold and inner:
        inner = f"<b>{inner}</b>"
    if cell.note:
        inner += f' <span style="{QUIET}">{escaped(cell.note)}</span>'
    # Blanks are kept: some cells are indented.
    return f'<{tag} style="text-align: {"left" if text else "right"}; white-space: pre-wrap">{inner}</{tag}>'
