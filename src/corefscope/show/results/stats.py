"""How statistics are shown: files side by side, as many as fit, and bars."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from ...base.numbers import ratio
from ...write.stats import SCHEMA, FileStatistics, Statistics
from ..columns import CUT, Style, cut, padded, table, width_of
from ..formats.json import as_json
from ..text import DIM, shown, styled


def json(files: Sequence[FileStatistics], per_document: bool = False, warnings: Iterable[str] = ()) -> str:
    """What the schema ``corefscope-stats-1`` describes."""
    content = {
        "schema": SCHEMA,
        "files": [file.to_dict(per_document) for file in files],
        "total": sum((file.total for file in files), Statistics()).to_dict(),
        "warnings": list(warnings),
    }
    return as_json(content)


class Row(NamedTuple):
    """One line: a label, a number for each column, what the numbers are shares of, and a bar."""

    label: str
    numbers: Sequence[float | None] = ()
    wholes: Sequence[float] = ()
    bar: str = ""


FIGURES = (
    ("documents", "documents", ""),
    ("sentences", "sentences", ""),
    ("words", "words", ""),
    ("mentions", "mentions", ""),
    ("  per 100 words", "mentions_per_100_words", ""),
    ("  zeros", "zeros", "mentions"),
    ("  discontinuous", "discontinuous", "mentions"),
    ("  nested in another", "nested", "mentions"),
    ("  crossing another", "crossing", "mentions"),
    ("    of the same entity", "crossing_same_entity", "mentions"),
    ("  repeated", "repeated", "mentions"),
    ("entities", "entities", ""),
    ("  singletons", "singletons", "entities"),
    ("  coreference rate", "coreference_rate", ""),
    ("chain length, mean", "chain_length.mean", ""),
    ("  median", "chain_length.median", ""),
    ("  longest", "chain_length.max", ""),
    ("without singletons, mean", "chain_length_without_singletons.mean", ""),
    ("  median", "chain_length_without_singletons.median", ""),
)
"""Label, figure, and the figure of which it is a share."""

PER_DOCUMENT = (
    "words",
    "mentions",
    "entities",
    "singletons",
    "zeros",
    "discontinuous",
    "nested",
    "crossing",
    "repeated",
)
"""The columns of documents; those with nothing but 0 are left out."""

BINS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 50), (51, sys.maxsize))
"""Lengths of mentions that are shown together: first and last."""

TYPES = 10  # entity types that are shown
NAME = 24  # columns of a name above a column
BAR = 30  # characters of the longest bar
SHARE = 5  # columns of a share


def text(
    files: Sequence[FileStatistics],
    per_document: bool = False,
    *,
    total: bool = False,
    width: int = 100,
    colour: bool = False,
    blocks: bool = True,
) -> str:
    """Figures as rows and files as columns, as many beside each other as fit; documents before them on request.

    ``blocks`` says whether the terminal can show what bars are made of, and dashes.
    """
    heads, columns = _names([file.path for file in files]), [file.total for file in files]
    style = _dim_head if colour else None
    tables = [_documents(head, file, width, style) for head, file in zip(heads, files, strict=True) if per_document]
    if total:
        heads.append("total")
        columns.append(sum(columns, Statistics()))
    rows = [_row(label, columns, attrgetter(figure), whole) for label, figure, whole in FIGURES]
    for title, section in (("words per mention", _lengths(columns)), ("types of entities", _types(columns))):
        if section:
            rows += [Row(""), Row(title), *(_with_bars(section, blocks) if len(columns) == 1 else section)]
    tables.append(_table("", heads, rows, width, style))
    found = "\n\n".join("\n".join(lines) for lines in tables) + "\n"
    return found if blocks else found.replace("–", "-")


def _dim_head(row: int, _: int, cell: str) -> str:
    return styled(cell, DIM, not row)


def _row(label: str, columns: Sequence[Statistics], figure: Callable[[Statistics], Any], whole: str = "") -> Row:
    wholes = [getattr(each, whole) for each in columns] if whole else ()
    return Row(label, [figure(each) for each in columns], wholes)


def _documents(head: str, file: FileStatistics, width: int, style: Style | None) -> list[str]:
    """A row for each document."""
    figures = [name for name in PER_DOCUMENT if any(getattr(each, name) for _, each in file.documents)]
    heads = [*figures, "rate"]
    rows = [
        Row(shown(name), [getattr(each, figure) for figure in (*figures, "coreference_rate")])
        for name, each in file.documents
    ]
    return _table(head, heads, rows, width, style)


def _lengths(columns: Sequence[Statistics]) -> list[Row]:
    """How many mentions have how many words; bins after the last that holds any are left out."""
    rows = []
    for first, last in BINS:
        label = str(first) if first == last else f"over {first - 1}" if last == sys.maxsize else f"{first}–{last}"
        within = partial(_sum, histogram="span_lengths", keys=range(first, last + 1))
        rows.append(_row(f"  {label}", columns, within, "mentions"))
    while rows and not any(rows[-1].numbers):
        rows.pop()
    return rows


def _types(columns: Sequence[Statistics]) -> list[Row]:
    """The types that most entities of the last column have, which is the total if there is one."""
    types = columns[-1].entity_types
    names = sorted(types, key=lambda name: (-types[name], name))
    groups = [(_shortened(shown(name)), [name]) for name in names[:TYPES]]
    if names[TYPES:]:
        groups.append((f"{len(names) - TYPES} other types", names[TYPES:]))
    tallies = [(label, partial(_sum, histogram="entity_types", keys=set(some))) for label, some in groups]
    return [_row(f"  {label}", columns, tally, "entities") for label, tally in tallies]


def _sum(each: Statistics, histogram: str, keys: Container[object]) -> int | None:
    counts = getattr(each, histogram)
    return None if counts is None else sum(often for key, often in counts.items() if key in keys)


def _with_bars(rows: list[Row], blocks: bool) -> list[Row]:
    """Bars to eighths of a character, if there are blocks; whatever is not 0 is seen."""
    found = []
    for row in rows:
        share = ratio(row.numbers[0] or 0, max(row.numbers[0] or 0 for row in rows))
        full, rest = divmod(math.ceil(8 * BAR * share), 8) if blocks else (math.ceil(BAR * share), 0)
        found.append(row._replace(bar=("█" if blocks else "#") * full + " ▏▎▍▌▋▊▉"[rest].strip()))
    return found


def _table(corner: str, heads: Sequence[str], rows: Sequence[Row], width: int, style: Style | None) -> list[str]:
    """Numbers to the right, shares behind them, and a bar at the end."""
    labels = [corner, *(row.label for row in rows)]
    columns = [_column(head, rows, at) for at, head in enumerate(heads)]
    head, *lines = zip(labels, *columns, strict=True)
    return table(head, lines, width=width, style=style)


def _column(head: str, rows: Sequence[Row], at: int) -> list[str]:
    """The cells of a column under its head, each with as much behind its number as the others have."""
    cells = [(head, ""), *(_cell(row, at) for row in rows)]
    shares = SHARE if any(share for _, share in cells) else 0
    bars = max((len(row.bar) for row in rows), default=0)
    behind = ["", *(f"  {row.bar}" if bars else "" for row in rows)]
    return [
        number + padded(padded(share, shares, right=True) + bar, shares + (bars and bars + 2)) if number else ""
        for (number, share), bar in zip(cells, behind, strict=True)
    ]


def _cell(row: Row, at: int) -> tuple[str, str]:
    """A number and its share; a row without numbers has none."""
    if not row.numbers:
        return "", ""
    number = row.numbers[at]
    if number is None:
        return "–", ""
    text = f"{number:,.2f}" if isinstance(number, float) else f"{number:,}"
    return text, _percent(number, row.wholes[at]) if row.wholes else ""


def _percent(number: float, whole: float) -> str:
    """A share in whole percents: nothing for 0, and never 0 or 100 for what is merely near it."""
    if not number:
        return ""
    percent = round(100 * ratio(number, whole))
    return "<1%" if percent == 0 else ">99%" if percent == 100 and number < whole else f"{percent}%"


def _names(paths: Sequence[str]) -> list[str]:
    """What files are called above their columns: without directories and suffix, if that tells them apart."""
    names = [os.path.basename(path) or path for path in paths]
    stems, _, suffixes = zip(*(name.rpartition(".") for name in names), strict=True)
    if len(set(names)) < len(set(paths)):
        names = list(paths)
    elif len(paths) > 1 and len(set(suffixes)) == 1 and all(stems):
        names = list(stems)
    return [_shortened(shown(name)) for name in names]


def _shortened(name: str) -> str:
    if width_of(name) <= NAME:
        return name
    return cut(name, NAME // 2) + cut(name[::-1], NAME // 2 + 1).removesuffix(CUT)[::-1]
