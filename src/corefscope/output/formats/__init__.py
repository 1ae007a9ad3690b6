"""How results are written: one row of REPORTS per format, each for every result.

``REPORTS["markdown"].render(result)`` returns text; printing is left to the command line. CSV and TSV are
rendered here; the module of another format is imported when it is used.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import NamedTuple

from ...core.result import Result
from ..text import shown

PICTURES = (".svg", ".png", ".pdf")
"""Suffixes of the files that :mod:`..pictures` can draw."""


def render_csv(
    result: Result,
    per_document: bool,
    colour: bool,  # noqa: ARG001
    delimiter: str = ",",
    *,
    spreadsheet: bool = False,
    terminal: bool = False,
) -> str:
    """The records of a result under a header line, unrounded; one without a signature gets that of the result.

    Missing values are empty. The ``columns`` of a result come first, even without records. Text of files is written
    unchanged, because people join tables on ids.
    """
    from ...formats.tables.writer import spreadsheet_cell, write_rows  # 20 ms

    records = result.to_records(per_document)
    for record in records:
        record.setdefault("signature", result.signature)
    names = dict.fromkeys([*result.columns, *(name for record in records for name in record)])
    rows = [list(names), *([record.get(name, "") for name in names] for record in records)]
    if terminal:
        cells = [[spreadsheet_cell(cell) if spreadsheet else cell for cell in row] for row in rows]
        rows = [[cell if isinstance(cell, int | float | None) else shown(str(cell)) for cell in row] for row in cells]
    text = io.StringIO()
    write_rows(text, rows, delimiter, spreadsheet=spreadsheet)
    return text.getvalue()


class Rendering(NamedTuple):
    """One row of the catalogue."""

    title: str
    suffix: str
    renderer: str | Callable[..., str]
    """A function, or the module whose ``render`` it is."""
    for_programs: bool = False
    """Whether it holds everything, unrounded; the other formats are for people."""
    for_spreadsheets: bool = False
    """Whether spreadsheets open it: ``spreadsheet=True`` keeps them from running cells as formulas."""

    def __repr__(self) -> str:
        return f"<Rendering {self.title}>"

    def render(self, result: object, per_document: bool = False, colour: bool = False, **more: object) -> str:
        """A result as text, optionally with its documents and with terminal colours.

        ``more`` are options of some formats: ``table`` of all for people, one of ``TABLES`` (by default ``paper`` in
        Markdown, LaTeX and Typst, and ``full`` in text and HTML); ``wide`` of text, ``pages`` of HTML, and of CSV and
        TSV ``spreadsheet``, which puts a single quote in front of text that a spreadsheet would run as a formula, and
        ``terminal``, which escapes control characters.
        """
        function = self.renderer
        if isinstance(function, str):
            function = import_module(f".{function}", __package__).render
        text: str = function(result, per_document, colour, **more)
        return text


REPORTS: dict[str, Rendering] = {
    "text": Rendering("a table", ".txt", "terminal"),
    "json": Rendering("JSON with counts, unrounded", ".json", "json_text", for_programs=True),
    "csv": Rendering("one record a line, unrounded", ".csv", render_csv, True, True),
    "tsv": Rendering("the same with tabs", ".tsv", partial(render_csv, delimiter="\t"), True, True),
    "markdown": Rendering("a Markdown table", ".md", "markdown"),
    "html": Rendering("an HTML table, or the leaderboard of a task as a page", ".html", "html"),
    "latex": Rendering("a LaTeX table (booktabs)", ".tex", "latex"),
    "typst": Rendering("a Typst table", ".typ", "typst"),
}
