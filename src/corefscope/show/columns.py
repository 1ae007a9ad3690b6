"""Text in columns of a terminal: how wide it is there, how it is cut, padded and wrapped, and tables of it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence

CUT = "…"
GAP = "  "
ROOM = 100  # columns, where there is no terminal to ask and nobody says otherwise
LEAST = 20
STYLED = re.compile("\x1b\\[[0-9;]*m")

Style = Callable[[int, int, str], str]
"""How a cell looks: its row (0 is the head), its column and its text."""


def terminal_width() -> int:
    """The columns that there are: what COLUMNS says, or else the terminal."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdecimal() and 0 < len(given) < 7 and int(given):
        return max(int(given), LEAST)
    try:
        return max(os.get_terminal_size(sys.__stdout__.fileno()).columns or ROOM, LEAST)  # type: ignore[union-attr]
    except (OSError, ValueError, AttributeError):  # a pipe, a closed stream, no stream at all
        return ROOM


def width_of(text: str) -> int:
    """The columns that a text takes: two for wide characters, none for combining ones and styles.

    >>> width_of("abc"), width_of("東京"), width_of("e\u0301")
    (3, 4, 1)
    """
    if "\x1b" in text:
        text = STYLED.sub("", text)
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


def wrapped(text: str, width: int, indent: str = "  ") -> list[str]:
    """Lines of a text, broken between words; those after the first are indented. Words are never broken.

    >>> wrapped("a note that is too long", 12)
    ['a note that', '  is too', '  long']
    """
    begun = text.lstrip(" ")
    first, *words = begun.split(" ")
    lines: list[str] = []
    line = " " * (len(text) - len(begun)) + first
    used = width_of(line)
    for word in words:
        needed = width_of(word)
        if used + 1 + needed > width:
            lines.append(line.rstrip())
            line, used = indent + word, len(indent) + needed
        else:
            line, used = f"{line} {word}", used + 1 + needed
    return [*lines, line.rstrip()]


def folded(text: str, width: int) -> str:
    r"""Text whose long lines are wrapped, each under its own beginning; styles take no columns.

    >>> print(folded("x\n    one two three", 12))
    x
        one two
          three
    """
    lines: list[str] = []
    for line in text.split("\n"):
        plain = STYLED.sub("", line)
        indent = " " * (len(plain) - len(plain.lstrip(" ")) + 2)
        lines += wrapped(line, width, indent) if width_of(line) > width else [line]
    return "\n".join(lines)


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    *,
    width: int | None = None,
    style: Style | None = None,
    sparse: bool = False,
) -> list[str]:
    """Lines of columns: the first ``left`` of them to the left, the others to the right.

    Columns that do not fit into ``width`` follow in blocks below, with the first ``left`` again. In a ``sparse``
    table, a row that has nothing in a block is left out there.

    >>> print("|".join(table(["", "one", "two"], [["a", "1", "2"]], width=7)))
       one|a    1||   two|a    2
    """
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    labels = list(range(min(left, len(widths))))
    used = sum(widths[: len(labels)]) + len(GAP) * (len(labels) - 1)
    lines: list[str] = []
    for block in blocks(widths[len(labels) :], used, width):
        columns = [len(labels) + at for at in block]
        if lines:
            lines.append("")
        for number, row in enumerate((head, *rows)):
            if sparse and number and not any(row[at] for at in columns):
                continue
            cells = []
            for at in (*labels, *columns):
                space = " " * (widths[at] - width_of(row[at]))
                text = style(number, at, row[at]) if style and row[at] else row[at]
                cells.append(text + space if at < left else space + text)
            lines.append(GAP.join(cells).rstrip())
    return lines


def blocks(widths: Sequence[int], used: int, width: int | None) -> list[list[int]]:
    """Which columns stand side by side, to the right of what is ``used`` already; at least one in every block."""
    if width is None:
        return [list(range(len(widths)))]
    found: list[list[int]] = [[]]
    taken = used
    for at, needed in enumerate(widths):
        if found[-1] and taken + len(GAP) + needed > width:
            found.append([])
            taken = used
        found[-1].append(at)
        taken += len(GAP) + needed
    return found


def side_by_side(tables: Sequence[Sequence[str]], width: int) -> list[str]:
    """Small tables next to each other, as many as fit, the others below."""
    widths = [max(map(width_of, lines)) + len(GAP) for lines in tables]
    lines: list[str] = []
    for block in blocks(widths, -2 * len(GAP), width):
        if lines:
            lines.append("")
        for number in range(max(len(tables[at]) for at in block)):
            cells = [tables[at][number] if number < len(tables[at]) else "" for at in block]
            lines.append(GAP.join(map(padded, cells, (widths[at] for at in block))).rstrip())
    return lines
