"""``corefscope stats``: what files hold, side by side."""

from __future__ import annotations

import argparse
import gc
import math
import os
import sys
from collections.abc import Callable, Container, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from ..counts import ratio
from ..errors import Warnings
from ..readers.catalogue import FORMATS
from ..reports.text import DIM, PLAIN, shown
from ..stats import SCHEMA, FileStatistics, Statistics, file_statistics
from . import arguments
from .terminal import colourful, complain

DESCRIPTION = "Count what files hold: words, mentions, entities, how mentions lie in each other, how long chains are."
EXAMPLES = """\
examples:
  corefscope stats key.conllu
  corefscope stats key.conllu response.conllu
      side by side, to see what a system finds more or less of
  corefscope stats key.conllu --per-document
  corefscope stats train.conllu dev.conllu test.conllu --total
  corefscope stats *.conllu --format json
"""
OUTPUTS = {"text": "a table and bars", "json": "all figures and histograms, unrounded"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file (.gz, .xz, .bz2 too; - is standard input)")
    titles = {name: row.title for name, row in FORMATS.items()}
    parser.add_argument(
        "--file-format",
        type=arguments.one_of("format", titles),
        metavar="|".join(titles),
        help="the format of the files, if it is not to be recognised",
    )
    parser.add_argument("--per-document", action="store_true", help="show every document as well")
    parser.add_argument("--total", action="store_true", help="show the total of all files as well")
    arguments.add_choice(parser, "format", OUTPUTS, "text")
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings")


def run(options: argparse.Namespace) -> int:
    """Read the files, say what is odd, print the figures."""
    warnings = Warnings()
    gc.disable()  # as in scoring: documents come and go without reference cycles
    try:
        files = [file_statistics(path, options.file_format, warnings) for path in options.files]
    finally:
        gc.enable()
    if not options.quiet:
        for warning in warnings:
            complain("warning", warning)
    if options.format == "json":
        sys.stdout.write(as_json(files, options.per_document, warnings))
    else:
        from shutil import get_terminal_size

        text = as_text(
            files,
            per_document=options.per_document,
            total=options.total,
            width=get_terminal_size((80, 24)).columns,
            colour=colourful(sys.stdout),
            blocks=_can_show_blocks(sys.stdout),
        )
        sys.stdout.write(text)
    return 0


def as_json(files: Sequence[FileStatistics], per_document: bool, warnings: Warnings) -> str:
    """What the schema ``corefscope-stats-1`` describes."""
    import json

    content = {
        "schema": SCHEMA,
        "files": [file.to_dict(per_document) for file in files],
        "total": sum((file.total for file in files), Statistics()).to_dict(),
        "warnings": list(warnings),
    }
    return json.dumps(content, indent=1) + "\n"


# ---- text


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
NAME = 24  # characters of a name above a column
BAR = 30  # characters of the longest bar


def as_text(
    files: Sequence[FileStatistics], *, per_document: bool, total: bool, width: int, colour: bool, blocks: bool
) -> str:
    """Figures as rows and files as columns, as many beside each other as fit; documents before them on request.

    ``blocks`` says whether the terminal can show what bars are made of, and dashes.
    """
    heads, columns = _names([file.path for file in files]), [file.total for file in files]
    tables = [_documents(head, file) for head, file in zip(heads, files, strict=True) if per_document]
    if total:
        heads.append("total")
        columns.append(sum(columns, Statistics()))
    rows = [_row(label, columns, attrgetter(figure), whole) for label, figure, whole in FIGURES]
    for title, section in (("words per mention", _lengths(columns)), ("types of entities", _types(columns))):
        if section:
            rows += [Row(""), Row(title), *(_with_bars(section, blocks) if len(columns) == 1 else section)]
    labels = max(len(row.label) for row in rows)
    widths = [_widths(head, rows, at) for at, head in enumerate(heads)]
    tables += [_table("", heads, rows, some) for some in _fitting(widths, width - labels)]
    if colour:
        tables = [f"{DIM}{head}{PLAIN}\n{rest}" for head, rest in (table.split("\n", 1) for table in tables)]
    return "\n".join(tables) if blocks else "\n".join(tables).replace("–", "-")


def _row(label: str, columns: Sequence[Statistics], figure: Callable[[Statistics], Any], whole: str = "") -> Row:
    wholes = [getattr(each, whole) for each in columns] if whole else ()
    return Row(label, [figure(each) for each in columns], wholes)


def _documents(head: str, file: FileStatistics) -> str:
    """A row for each document."""
    figures = [name for name in PER_DOCUMENT if any(getattr(each, name) for _, each in file.documents)]
    heads = [*figures, "rate"]
    rows = [
        Row(shown(name), [getattr(each, figure) for figure in (*figures, "coreference_rate")])
        for name, each in file.documents
    ]
    return _table(head, heads, rows, range(len(heads)))


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


# ---- tables


def _table(corner: str, heads: Sequence[str], rows: Sequence[Row], some: Sequence[int]) -> str:
    """Some of the columns, numbers to the right and shares behind them."""
    labels = max(len(corner), *(len(row.label) for row in rows)) if rows else len(corner)
    widths = {at: _widths(heads[at], rows, at) for at in some}
    lines = [corner.ljust(labels) + "".join(f"  {heads[at]:>{widths[at][0]}}{'':{widths[at][1]}}" for at in some)]
    for row in rows:
        line = row.label.ljust(labels)
        for at in some if row.numbers else ():
            number, share = _cell(row, at)
            line += f"  {number:>{widths[at][0]}}{share:>{widths[at][1]}}"
        lines.append(f"{line}  {row.bar}")
    return "".join(line.rstrip() + "\n" for line in lines)


def _widths(head: str, rows: Sequence[Row], at: int) -> tuple[int, int]:
    """The width of the numbers of a column, and of its shares."""
    cells = [_cell(row, at) for row in rows if row.numbers]
    shares = max((len(share) for _, share in cells), default=0)
    return max(len(head), *(len(number) for number, _ in cells)) if cells else len(head), shares and 5


def _fitting(widths: list[tuple[int, int]], width: int) -> list[list[int]]:
    """Columns in groups that fit beside each other, at least one to a group."""
    groups: list[list[int]] = [[]]
    left = width
    for at, (numbers, shares) in enumerate(widths):
        left -= 2 + numbers + shares
        if left < 0 and groups[-1]:
            groups.append([])
            left = width - 2 - numbers - shares
        groups[-1].append(at)
    return groups


def _cell(row: Row, at: int) -> tuple[str, str]:
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
    return name if len(name) <= NAME else f"{name[: NAME // 2 - 1]}…{name[-NAME // 2 :]}"


def _can_show_blocks(stream: Any) -> bool:
    try:
        "█–".encode(getattr(stream, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
