"""How statistics of files are laid out: files side by side, and bars."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Container, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from ...base.numbers import ratio
from ...write.stats import FileStatistics, Statistics, StatisticsReport
from ..columns import CUT, cut, padded, width_of
from ..layout import Layout, Sheet
from ..text import shown


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


def lay_out(report: StatisticsReport, per_document: bool, width: int) -> Layout:  # noqa: ARG001
    """Figures as rows and files as columns; documents before them on request."""
    heads, columns = _names([file.path for file in report.files]), [file.total for file in report.files]
    sheets = [_documents(head, file) for head, file in zip(heads, report.files, strict=True) if per_document]
    if report.with_total:
        heads.append("total")
        columns.append(report.total)
    rows = [_row(label, columns, attrgetter(figure), whole) for label, figure, whole in FIGURES]
    for title, section in (("words per mention", _lengths(columns)), ("types of entities", _types(columns))):
        if section:
            rows += [Row(""), Row(title), *(_with_bars(section) if len(columns) == 1 else section)]
    return Layout([*sheets, _sheet("", heads, rows)], [report.signature])


def _row(label: str, columns: Sequence[Statistics], figure: Callable[[Statistics], Any], whole: str = "") -> Row:
    wholes = [getattr(each, whole) for each in columns] if whole else ()
    return Row(label, [figure(each) for each in columns], wholes)


def _documents(head: str, file: FileStatistics) -> Sheet:
    """A row for each document."""
    figures = [name for name in PER_DOCUMENT if any(getattr(each, name) for _, each in file.documents)]
    heads = [*figures, "rate"]
    rows = [
        Row(name, [getattr(each, figure) for figure in (*figures, "coreference_rate")])
        for name, each in file.documents
    ]
    return _sheet(head, heads, rows)


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


def _with_bars(rows: list[Row]) -> list[Row]:
    """Bars to eighths of a character; whatever is not 0 is seen."""
    barred = []
    for row in rows:
        share = ratio(row.numbers[0] or 0, max(row.numbers[0] or 0 for row in rows))
        full, rest = divmod(math.ceil(8 * BAR * share), 8)
        barred.append(row._replace(bar="█" * full + " ▏▎▍▌▋▊▉"[rest].strip()))
    return barred


def _sheet(corner: str, heads: Sequence[str], rows: Sequence[Row]) -> Sheet:
    """Numbers to the right, shares behind them."""
    labels = [corner, *(row.label for row in rows)]
    head, *lines = zip(labels, *(_column(head, rows, at) for at, head in enumerate(heads)), strict=True)
    bars = [row.bar for row in rows]
    return Sheet.of(head, lines, bars=bars if any(bars) else ())


def _column(head: str, rows: Sequence[Row], at: int) -> list[str]:
    """The cells of a column under its head, each with as much room behind its number as the others need."""
    cells = [(head, ""), *(_cell(row, at) for row in rows)]
    room = SHARE if any(share for _, share in cells) else 0
    return [number + padded(share, room, right=True) if number else "" for number, share in cells]


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
