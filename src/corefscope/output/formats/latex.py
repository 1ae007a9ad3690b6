"""LaTeX: booktabs tables and lines, ready to paste; notes and the signature are comments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from unicodedata import normalize

from ..layout import Cell, Sheet, Text, column_widths, lay_out, sheets_of, with_minus_signs
from ..text import shown

NAMED = {"\\": "backslash", "^": "asciicircum", '"': "quotedbl", "<": "less", ">": "greater", "|": "bar"}
GREEK = {"α": "alpha", "κ": "kappa", "φ": "phi", "Δ": "Delta", "ρ": "rho", "τ": "tau"}
ARROWS = {"↑": "uparrow", "↓": "downarrow"}
SIGNS = {"±": "pm", "≤": "leq", "≥": "geq", "×": "times", "·": "cdot", "∅": "emptyset", **ARROWS}
SPECIAL = {
    **{character: f"\\{character}" for character in "{}$&#%_"},
    **{character: rf"\text{name}{{}}" for character, name in NAMED.items()},
    **{character: rf"$\{name}$" for character, name in (GREEK | SIGNS).items()},
    "~": r"\textasciitilde{}",
    "³": r"\textsuperscript{3}",
    "²": r"\textsuperscript{2}",
    "₀": r"\textsubscript{0}",
    "−": "$-$",
    "–": "--",
    "…": r"\dots{}",
    **{bar: rf"\rule{{.5em}}{{.{height}em}}" for height, bar in enumerate("▁▂▃▄▅▆▇█", 1)},
}

NEEDED = r"\usepackage{booktabs} and \usepackage[T1]{fontenc}; in two columns, write table* instead of table"


def render(result: object, per_document: bool, colour: bool, *, table: str = "paper") -> str:  # noqa: ARG001
    """A table environment for each table, lines as paragraphs, notes and signature as comments; needs booktabs.

    A table that is wider than a page is transposed or split.
    """
    layout = lay_out(result, per_document, table=table)
    about = f"{layout.caption}." if layout.caption else ""
    signatures = [f"signature: {signature}" for signature in layout.signatures]
    comments = [NEEDED, *signatures, *layout.notes, *layout.comments]
    parts = ["".join(f"% {shown(line)}\n" for line in comments)]
    labels: Counter[str] = Counter()
    for block in layout.blocks:
        if isinstance(block, Text):
            parts.append(_text(block))
        for sheet in sheets_of(block):
            pieces = fitting(with_minus_signs(sheet))
            for number, piece in enumerate(pieces, 1):
                part = f"Part {number} of {len(pieces)}." if len(pieces) > 1 else ""
                own = [f"{escaped(line)}." for line in (sheet.title, sheet.note) if line]
                caption = [f"{escaped(sheet.caption)}."] if sheet.caption else [*own, about]
                parts.append(_table(piece, " ".join(filter(None, [*caption, part])), label_of(sheet, labels)))
    return "\n".join(parts)


def label_of(sheet: Sheet, labels: Counter[str]) -> str:
    """A label that no other table has; ``labels`` counts those in use."""
    words = re.findall(r"[a-z0-9]+", normalize("NFKC", f"{sheet.title} {sheet.head[0]} {sheet.across}").lower())
    base = "tab:" + ("-".join(words) or "scores")
    labels[base] += 1
    return base if labels[base] == 1 else f"{base}-{labels[base]}"


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escaped("B³ 50%")
    'B\\textsuperscript{3} 50\\%'
    """
    return "".join(SPECIAL.get(character, character) for character in shown(text))


def _table(sheet: Sheet, caption: str, label: str) -> str:
    columns = "l" * sheet.left + "r" * (len(sheet.head) - sheet.left)
    widths = column_widths(sheet)
    size = next((size for size in SIZES if fits(widths, size)), SMALLEST)
    lines = [
        r"\begin{table}",
        r"\centering",
        *SIZES[size],
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([_indented(title) for title in sheet.head]),
        r"\midrule",
        *(_line([_cell(cell, index in sheet.strong) for cell in row]) for index, row in enumerate(sheet.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\caption{{{caption}}}", rf"\label{{{label}}}"] if caption else []),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = _indented(cell.text)
    bold = text and (strong or cell.bold)
    note = rf" {{\footnotesize {escaped(cell.note)}}}" if cell.note else ""
    mark = rf"$^\{ARROWS[cell.mark]}$" if cell.mark else ""
    if mark and not note:
        mark = rf"\rlap{{{mark}}}"  # of no width: figures stay aligned
    return (rf"\textbf{{{text}}}" if bold else text) + mark + note


def _indented(text: str) -> str:
    """Text with its indentation kept."""
    begun = text.lstrip(" ")
    return r"\ " * (len(text) - len(begun)) + escaped(begun.rstrip(" "))


def _line(cells: list[str]) -> str:
    guard = "{}" if cells[0].startswith("[") else ""  # or it would belong to the end of the line before
    return guard + " & ".join(cells) + r" \\"


def _text(text: Text) -> str:
    lines = []
    for spans in text.spans:
        line = "".join(span.text for span in spans)
        depth = len(line) - len(line.lstrip(" "))
        margin = rf"\hspace*{{{depth}ex}}" if depth else ""
        texts = [rf"\textbf{{{escaped(s.text)}}}" if s.style == "strong" else escaped(s.text) for s in spans]
        lines.append(margin + "".join(texts).lstrip(" "))
    return r"\noindent " + "\\newline\n".join(lines) + "\n"


LINE = 345
"""Width of the text on a page of one column, in points."""


USUAL, SMALL, SMALLEST = (5.8, 12), (5.3, 8), (4.7, 6)
"""Sizes of print: the mean width of a character, and the space between two columns, in points."""
SIZES: dict[tuple[float, int], list[str]] = {
    USUAL: [],
    SMALL: [r"\small", r"\setlength{\tabcolsep}{4pt}"],
    SMALLEST: [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"],
}
"""How a table is set in a size of print."""


def fitting(sheet: Sheet) -> list[Sheet]:
    """The tables that show a table: itself if it fits, else transposed or in parts, whichever are fewer.

    Only tables with one column of names, the rest being figures, are changed.

    >>> wide = Sheet.of(["F1", *map(str, range(40))], [["ours", *["50.00"] * 40]])
    >>> [(table.head, len(table.rows)) for table in fitting(wide)]
    [(['F1', 'ours'], 40)]
    """
    if fits(column_widths(sheet), SMALLEST) or sheet.left != 1:
        return [sheet]
    return min((_in_parts(table) for table in (transposed(sheet), sheet)), key=len)


def fits(widths: Sequence[int], size: tuple[float, float]) -> bool:
    """Whether columns of so many characters fit the width of a page in this size of print."""
    character, between = size
    return sum(character * width + between for width in widths) <= LINE


def transposed(sheet: Sheet) -> Sheet:
    """Swap rows and columns; a strong row becomes a column of bold figures."""
    rows = [
        [cell._replace(bold=True) for cell in row] if number in sheet.strong else list(row)
        for number, row in enumerate(sheet.rows)
    ]
    corner, *titles = sheet.head
    body = [[Cell(title), *(row[column] for row in rows)] for column, title in enumerate(titles, 1)]
    head = [sheet.across or corner, *(row[0].text for row in rows)]
    return sheet._replace(head=head, rows=body, strong=(), bars=(), across=corner if sheet.across else "")


def _in_parts(sheet: Sheet) -> list[Sheet]:
    """As many columns in each part as fit beside the names of the rows; at least one."""
    names, *widths = column_widths(sheet)
    parts: list[list[int]] = [[]]
    for column, width in enumerate(widths, 1):
        if parts[-1] and not fits([names, width, *(widths[other - 1] for other in parts[-1])], SMALLEST):
            parts.append([])
        parts[-1].append(column)
    sheets = []
    for part in parts:
        head, *rows = [[row[column] for column in (0, *part)] for row in ([*map(Cell, sheet.head)], *sheet.rows)]
        sheets.append(sheet._replace(head=[cell.text for cell in head], rows=rows, bars=()))
    return sheets
