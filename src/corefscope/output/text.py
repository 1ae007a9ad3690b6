"""Text as people read it: numbers, escaped control characters, styles, and columns of a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TextIO
from unicodedata import combining, east_asian_width

from ..core.numbers import percent as percent

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
CUT = "…"
GAP = "  "
ROOM = 80  # columns, if the output is no terminal
LEAST = 20  # columns
COMBINING = "\u0300"  # the first character that may not be one column wide
DASHES = "–—…"  # one column wide each
STYLED = "\x1b\\[[0-9;]*m"

Style = Callable[[int, int, str], str]
"""From the row of a cell (0 is the head), its column and its text to the styled text."""


def shown(text: str) -> str:
    """Text with control characters escaped, so that a terminal does not obey them.

    >>> shown(chr(27) + "[31m")[1:]
    'x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def distinct_percents(one: float, other: float) -> tuple[str, str]:
    """Two ratios as percentages, with enough decimals to show that they differ.

    >>> distinct_percents(0.5, 0.51), distinct_percents(0.97999, 0.98)
    (('50.00', '51.00'), ('97.999', '98.000'))
    """
    first, second = 100 * one, 100 * other
    digits = next((n for n in range(2, 11) if round(first, n) != round(second, n)), 2)
    return percent(one, digits), percent(other, digits)


def styled(text: str, style: str, colour: bool) -> str:
    """The text in a style, if ``colour`` is on."""
    return f"{style}{text}{PLAIN}" if colour else text


def terminal_width(stream: TextIO | None = None, default: int = ROOM) -> int:
    """The columns of a stream (standard output), or a default in a pipe; the variable COLUMNS overrides both."""
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named):
        return max(int(named), LEAST)
    stream = stream or sys.__stdout__
    try:
        columns = os.get_terminal_size(stream.fileno()).columns if stream else 0
    except (ValueError, OSError):  # closed, or no terminal
        columns = 0
    return max(columns or default, LEAST)


def width_of(text: str) -> int:
    """The columns that a text takes: two for wide characters, none for combining characters and styles.

    >>> width_of("abc"), width_of("東京"), width_of("e\u0301")
    (3, 4, 1)
    """
    if "\x1b" in text:
        text = re.sub(STYLED, "", text)
    if text.isascii() or max(set(text).difference(DASHES), default="") < COMBINING:
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, width: int) -> str:
    """A text cut to fit into ``width`` columns.

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


def cut_inside(text: str, width: int) -> str:
    """A text cut in the middle to fit into ``width`` columns; its beginning and end stay.

    >>> cut_inside("coreference", 7), cut_inside("core", 7)
    ('cor…nce', 'core')
    """
    if width_of(text) <= width:
        return text
    end = cut(text[::-1], max(width, 0) // 2 + 1)[-2::-1]
    return cut(text, width - width_of(end)) + end


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text with spaces after it, or before it."""
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def wrapped(text: str, width: int, indent: str | None = None) -> list[str]:
    """Lines of a text, broken between words; words are never broken.

    Lines after the first are indented, by default two columns more than the first.

    >>> wrapped("a note that is too long", 12), wrapped("  one two", 8)
    (['a note that', '  is too', '  long'], ['  one', '    two'])
    """
    if width_of(text) <= width:
        return [text]
    if indent is None:
        plain = re.sub(STYLED, "", text)
        indent = " " * (len(plain) - len(plain.lstrip(" ")) + 2)
    start = len(text) - len(text.lstrip(" "))
    first, *words = text[start:].split(" ")
    lines: list[str] = []
    line = text[:start] + first
    used = width_of(line)
    for word in words:
        needed = width_of(word)
        if used + 1 + needed > width:
            lines.append(line.rstrip())
            line, used = indent + word, len(indent) + needed
        else:
            line, used = f"{line} {word}", used + 1 + needed
    return [*lines, line.rstrip()]


def wrapped_message(text: str, stream: TextIO) -> str:
    """A message with its long lines broken, if the stream is a terminal or the variable COLUMNS is set.

    In a pipe, lines stay whole: people search logs for them.
    """
    if not (stream.isatty() or os.environ.get("COLUMNS", "").isdecimal()):
        return text
    width = terminal_width(stream)
    lines = text.split("\n")
    return "\n".join(
        part for line in lines for part in wrapped(line, width, " " * (len(line) - len(line.lstrip(" ")) + 4))
    )


def wrapped_signature(signature: str, width: int) -> list[str]:
    """Lines of a signature, broken before ``|``: ``--signature`` accepts all of them as one string.

    >>> wrapped_signature("clusters|match:exact|v1.0", 20)
    ['clusters|match:exact', '|v1.0']
    """
    first, *parts = signature.split("|")
    lines = [first]
    for part in parts:
        if width_of(lines[-1]) + 1 + width_of(part) <= width:
            lines[-1] += f"|{part}"
        else:
            lines.append(f"|{part}")
    return lines


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    *,
    width: int | None = None,
    style: Style | None = None,
    sparse: bool = False,
) -> list[str]:
    """Lines of a table: the first ``left`` columns are left-aligned, the others right-aligned.

    Columns that do not fit into ``width`` follow in blocks below, which repeat the first ``left``. In a ``sparse``
    table, a block omits rows that are empty in it.

    >>> print("|".join(table(["", "one", "two"], [["a", "1", "2"]], width=7)))
       one|a    1||   two|a    2
    """
    widths = [max(map(width_of, column)) for column in zip(head, *rows, strict=True)]
    labels = list(range(min(left, len(widths))))
    used = sum(widths[: len(labels)]) + len(GAP) * (len(labels) - 1)
    lines: list[str] = []
    for block in blocks(widths[len(labels) :], used, width):
        columns = [len(labels) + index for index in block]
        if lines:
            lines.append("")
        for line, row in enumerate((head, *rows)):
            if sparse and line and not any(row[column] for column in columns):
                continue
            cells = []
            for column in (*labels, *columns):
                text = style(line, column, row[column]) if style and row[column] else row[column]
                cells.append(padded(text, widths[column], right=column >= left))
            lines.append(GAP.join(cells).rstrip())
    return lines


def blocks(widths: Sequence[int], used: int, width: int | None) -> list[list[int]]:
    """Groups of columns that fit side by side, to the right of ``used`` columns; at least one in each."""
    if width is None:
        return [list(range(len(widths)))]
    groups: list[list[int]] = [[]]
    taken = used
    for column, needed in enumerate(widths):
        if groups[-1] and taken + len(GAP) + needed > width:
            groups.append([])
            taken = used
        groups[-1].append(column)
        taken += len(GAP) + needed
    return groups


def side_by_side(tables: Sequence[Sequence[str]], width: int) -> list[str]:
    """Small tables next to each other, as many as fit, the others below."""
    widths = [max(map(width_of, lines)) + len(GAP) for lines in tables]
    lines: list[str] = []
    for block in blocks(widths, -2 * len(GAP), width):
        if lines:
            lines.append("")
        rows = zip_longest(*(tables[index] for index in block), fillvalue="")
        lines += [GAP.join(map(padded, cells, (widths[index] for index in block))).rstrip() for cells in rows]
    return lines
