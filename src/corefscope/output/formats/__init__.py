"""How results are written: one row of REPORTS per format, each for every result.

``REPORTS["markdown"].render(result)`` returns text; printing is left to the command line. The module of a format is
imported when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

PICTURES = (".svg", ".png", ".pdf")
"""Suffixes of the files that :mod:`..pictures` can draw."""


class Rendering(NamedTuple):
    """One row of the catalogue."""

    title: str
    suffix: str
    module: str
    function: str = "render"
    for_programs: bool = False
    """Whether it holds everything, unrounded; the other formats are for people."""
    for_spreadsheets: bool = False
    """Whether spreadsheets open it: ``spreadsheet=True`` keeps them from running cells as formulas."""

    def render(self, result: object, per_document: bool = False, colour: bool = False, **more: Any) -> str:
        """A result as text, optionally with its documents and with terminal colours.

        ``more`` are options of some formats: ``wide`` of text, ``pages`` of HTML, and of CSV and TSV
        ``spreadsheet``, which puts a single quote in front of text that a spreadsheet would run as a formula, and
        ``terminal``, which escapes control characters.
        """
        module = import_module(f".{self.module}", __package__)
        text: str = getattr(module, self.function)(result, per_document, colour, **more)
        return text


REPORTS: dict[str, Rendering] = {
    "text": Rendering("a table", ".txt", "terminal"),
    "json": Rendering("JSON with counts, unrounded", ".json", "json", for_programs=True),
    "csv": Rendering("one record a line, unrounded", ".csv", "delimited", for_programs=True, for_spreadsheets=True),
    "tsv": Rendering("the same with tabs", ".tsv", "delimited", "tsv", for_programs=True, for_spreadsheets=True),
    "markdown": Rendering("a Markdown table", ".md", "markdown"),
    "html": Rendering("an HTML table, or the leaderboard of a task as a page", ".html", "html"),
    "latex": Rendering("a LaTeX table (booktabs)", ".tex", "latex"),
}
