"""LaTeX: booktabs tables and lines, ready to paste, with the signature as a note of the caption."""

from __future__ import annotations

from ...base.annotations import Any
from ..layout import Cell, Sheet, Span, Text, lay_out, sheets_of
from ..text import shown

NAMED = {"\\": "backslash", "^": "asciicircum", '"': "quotedbl", "<": "less", ">": "greater", "|": "bar"}
GREEK = {"κ": "kappa", "φ": "phi", "Δ": "Delta", "ρ": "rho", "τ": "tau"}
SIGNS = {"±": "pm", "≤": "leq", "≥": "geq", "×": "times", "·": "cdot", "∅": "emptyset"}
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


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """One table environment for each table, lines as paragraphs; needs the package booktabs."""
    layout = lay_out(result, per_document)
    notes = " ".join(f"{escaped(note)}." for note in layout.notes)
    signatures = " ".join(rf"\texttt{{{escaped(signature)}}}" for signature in layout.signatures)
    about = f"{layout.caption}." if layout.caption else ""
    caption = " ".join(filter(None, [about, notes, f"Signature: {signatures}"]))
    parts = ["% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}\n"]
    for block in layout.blocks:
        parts += [_text(block)] if isinstance(block, Text) else [_table(sheet, caption) for sheet in sheets_of(block)]
    if not any(map(sheets_of, layout.blocks)):
        parts.append(rf"\noindent {caption}" + "\n")
    return "\n".join(parts)


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escaped("B³ 50%")
    'B\\textsuperscript{3} 50\\%'
    """
    return "".join(SPECIAL.get(character, character) for character in shown(text))


def _table(sheet: Sheet, caption: str) -> str:
    columns = "l" * sheet.left + "r" * (len(sheet.head) - sheet.left)
    about = " ".join(f"{escaped(line)}." for line in (sheet.title, sheet.note) if line)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([_indented(title) for title in sheet.head]),
        r"\midrule",
        *(_line([_cell(cell, index in sheet.strong) for cell in row]) for index, row in enumerate(sheet.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{about and about + ' '}{caption}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = _indented(cell.text)
    bold = text and (strong or cell.bold)
    note = rf" {{\footnotesize {escaped(cell.note)}}}" if cell.note else ""
    return (rf"\textbf{{{text}}}" if bold else text) + note


def _indented(text: str) -> str:
    """What stands under something else in its column begins further to the right."""
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
        lines.append(margin + "".join(_span(span) for span in spans).lstrip(" "))
    return r"\noindent " + "\\newline\n".join(lines) + "\n"


def _span(span: Span) -> str:
    text = escaped(span.text)
    return rf"\textbf{{{text}}}" if span.style == "strong" else text
