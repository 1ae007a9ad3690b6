"""LaTeX: booktabs tables, ready to paste, with the signature as a note of the caption."""

from __future__ import annotations

from typing import Any

from ..layout import Cell, Sheet, lay_out
from ..text import shown

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "³": r"\textsuperscript{3}",
    "²": r"\textsuperscript{2}",
    "₀": r"\textsubscript{0}",
    "κ": r"$\kappa$",
    "φ": r"$\phi$",
    "Δ": r"$\Delta$",
    "±": r"$\pm$",
    "−": r"$-$",
    "–": "--",
    "…": r"\dots{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
}


def render(result: Any, per_document: bool, colour: bool) -> str:  # noqa: ARG001
    """One table environment for each table; needs the package booktabs."""
    layout = lay_out(result, per_document)
    notes = " ".join(f"{escaped(note)}." for note in layout.notes)
    caption = f"Scores in percent. {notes} Signature: \\texttt{{{escaped(layout.signature)}}}"
    parts = ["% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}\n"]
    parts += [_table(sheet, caption) for sheet in layout.sheets]
    return "\n".join(parts)


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escaped("B³ 50%")
    'B\\textsuperscript{3} 50\\%'
    """
    return "".join(SPECIAL.get(character, character) for character in shown(text))


def _table(sheet: Sheet, caption: str) -> str:
    columns = "l" + "r" * (len(sheet.head) - 1)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _line([escaped(title) for title in sheet.head]),
        r"\midrule",
        *(_line([_cell(cell, at in sheet.strong) for cell in row]) for at, row in enumerate(sheet.rows)),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{caption}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cell(cell: Cell, strong: bool) -> str:
    text = escaped(cell.text)
    if text and (strong or cell.bold):
        text = rf"\textbf{{{text}}}"
    return text + (rf" {{\footnotesize {escaped(cell.note)}}}" if cell.note else "")


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
