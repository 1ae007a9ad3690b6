"""The leaderboard of a shared task as one HTML page: tables that sort, settings, languages and groups to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...study.tasks import TaskResult, TaskSettings

SCRIPT = "board.js"

Pages = Mapping[tuple[str, str], str]
"""The address of the report page of a submission, by system and data set, as the leaderboard links to it."""


def render(result: TaskResult | TaskSettings, per_document: bool, pages: Pages) -> str:
    """The page as text; it needs no other file, and links to the report pages that there are."""
    from ..page.page import join, whole
    from .data import collect

    style = read("page.css") + read("board.css")
    board = collect(result, per_document, pages)
    page = whole("board.html.j2", style, join([SCRIPT], read), read=read, board=board)
    return page.encode("utf-8", errors="backslashreplace").decode("utf-8") + "\n"  # names may be no text at all


def read(name: str) -> str:
    """A template or module of the board, or one that the report page has, too."""
    from ..page.page import resource

    try:
        return resource(name, __package__)
    except FileNotFoundError:
        return resource(name)
