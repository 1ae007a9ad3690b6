"""How a report is shown: one row of REPORTS per format.

A renderer takes a report, whether to show documents one by one, and whether the text may hold terminal colours,
and returns text; printing is left to the command line.
"""

from __future__ import annotations

from collections.abc import Callable

from ..results import Report
from . import json, text

Render = Callable[[Report, bool, bool], str]

REPORTS: dict[str, tuple[str, Render]] = {
    "text": ("a table", text.render),
    "json": ("JSON with counts, unrounded", json.render),
}
