"""Text in columns of a terminal: how wide it is there, and how it is cut and padded to fit."""

from __future__ import annotations

from collections.abc import Sequence

CUT = "…"


def width_of(text: str) -> int:
    """The columns that a text takes: two for wide characters, none for combining ones.

    >>> width_of("abc"), width_of("東京"), width_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, width: int) -> str:
    """A text that takes no more than so many columns.

    >>> cut("coreference", 5), cut("core", 5), cut("東京タワー", 5)
    ('core…', 'core', '東京…')
    """
    if width_of(text) <= width:
        return text
    kept, used = "", 0
    for character in text:
        used += width_of(character)
        if used > width - 1:
            break
        kept += character
    return kept + CUT if width > 0 else ""


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text with spaces after it, or before it."""
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of columns: the first ``left`` of them to the left, the others to the right."""
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    return [
        "  ".join(padded(cell, widths[at], right=at >= left) for at, cell in enumerate(row)).rstrip()
        for row in (head, *rows)
    ]
