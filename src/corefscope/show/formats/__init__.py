"""How results are shown: one row of REPORTS per format.

A renderer takes a result, whether to show documents one by one, and whether the text may hold terminal colours,
and returns text; printing is left to the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import delimited, json, latex, markdown, terminal

Render = Callable[[Any, bool, bool], str]


class Rendering(NamedTuple):
    """One row of the catalogue."""

    title: str
    render: Render
    suffix: str


REPORTS: dict[str, Rendering] = {
    "text": Rendering("a table", terminal.render, ".txt"),
    "json": Rendering("JSON with counts, unrounded", json.render, ".json"),
    "csv": Rendering("one record a line, unrounded", delimited.render, ".csv"),
    "tsv": Rendering("the same with tabs", delimited.tsv, ".tsv"),
    "markdown": Rendering("a Markdown table", markdown.render, ".md"),
    "latex": Rendering("a LaTeX table (booktabs)", latex.render, ".tex"),
}
