"""Layouts of results about files: statistics side by side, and problems found by validation."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from ...core.document import TYPES as MENTION_TYPES
from ...core.errors import amount
from ...core.numbers import ratio
from ...formats.fitting import LABELS
from ...formats.stats import FileStatistics, Statistics, StatisticsReport
from ...formats.validate.checking import Inspection, Validation
from ...formats.validate.problems import Code, Problem
from ..layout import Layout, Sheet, Span, Text
from ..text import cut_inside, padded, shown


class Row(NamedTuple):
    """A row of statistics: a label, a figure for each column, and the wholes they are shares of."""

    label: str
    figures: Sequence[float | None] = ()
    wholes: Sequence[float] = ()

    @classmethod
    def of(cls, label: str, columns: Sequence[Statistics], figures: Sequence[float | None], whole: str = "") -> Row:
        """A row whose wholes are another figure of the same columns."""
        return cls(label, figures, [getattr(column, whole) for column in columns] if whole else ())


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
    *("words", "mentions", "entities", "singletons"),
    *("zeros", "discontinuous", "nested", "crossing", "repeated"),
)
"""The columns of documents; columns of zeros are omitted."""

ENDS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000, 10_000, 100_000, sys.maxsize)
"""The upper ends of the ranges of lengths and sizes."""

TYPES = 10  # entity types that are shown
NAME = 24  # columns of a name above a column
BAR = 30  # characters of the longest bar
SHARE = 5  # columns of a share
MANY_FILES = 20  # from here on, problems are shown by code
PLACES = 3  # of a warning in many files


def lay_out_statistics(report: StatisticsReport, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Figures as rows and files as columns; documents before them on request."""
    heads, columns = _names([file.path for file in report.files]), [file.total for file in report.files]
    sheets = [_documents(head, file) for head, file in zip(heads, report.files, strict=True) if per_document]
    if report.with_total:
        heads.append("total")
        columns.append(report.total)
    rows = [
        Row.of(label, columns, [attrgetter(figure)(column) for column in columns], whole)
        for label, figure, whole in FIGURES
    ]
    relations = [
        Row.of(f"  {label}", columns, [column.relations[name] for column in columns])
        for name, label in LABELS.items()
        if any(column.relations[name] for column in columns)
    ]
    sections = {
        "beyond identity": relations,
        "words per mention": _lengths(columns, "span_lengths", "mentions"),
        "entities by size": _lengths(columns, "chain_lengths", "entities"),
        "types of mentions": [
            Row.of(f"  {name}", columns, [column.mention_types[name] for column in columns], "mentions")
            for name in MENTION_TYPES
            if any(column.mention_types[name] for column in columns)
        ],
        "types of entities": _types(columns),
    }
    bars = [""] * len(rows)
    for title, section in sections.items():
        if section:
            rows += [Row(""), Row(title), *section]
            with_bars = len(columns) == 1 and section is not relations
            bars += ["", "", *(_bars(section) if with_bars else [""] * len(section))]
    return Layout([*sheets, _sheet("", heads, rows, bars if any(bars) else ())], [report.signature])


def _documents(head: str, file: FileStatistics) -> Sheet:
    """A row for each document."""
    figures = [name for name in PER_DOCUMENT if any(getattr(document, name) for _, document in file.documents)]
    rows = [
        Row(name, [getattr(document, figure) for figure in (*figures, "coreference_rate")])
        for name, document in file.documents
    ]
    return _sheet(head, [*figures, "rate"], rows)


def _lengths(columns: Sequence[Statistics], histogram: str, whole: str) -> list[Row]:
    """A histogram of lengths, long ones in ranges; empty ranges at the end are omitted."""
    rows = []
    for before, last in zip((0, *ENDS), ENDS, strict=False):
        first = before + 1
        counts = [_sum(getattr(column, histogram), range(first, last + 1)) for column in columns]
        lengths = f"{first:,}–{last:,}" if first < last else str(first)
        rows.append(Row.of(f"  over {before:,}" if last == sys.maxsize else f"  {lengths}", columns, counts, whole))
    while rows and not any(rows[-1].figures):
        rows.pop()
    return rows


def _types(columns: Sequence[Statistics]) -> list[Row]:
    """The most frequent types of the last column, which is the total if there is one."""
    types = columns[-1].entity_types
    names = sorted(types, key=lambda name: (-types[name], name))
    groups = [(cut_inside(shown(name), NAME), {name}) for name in names[:TYPES]]
    if names[TYPES:]:
        groups.append((f"{len(names) - TYPES} other types", set(names[TYPES:])))
    return [
        Row.of(f"  {label}", columns, [_sum(column.entity_types, group) for column in columns], "entities")
        for label, group in groups
    ]


def _sum(histogram: Mapping[str, int] | Mapping[int, int] | None, keys: Container[object]) -> int | None:
    return None if histogram is None else sum(count for key, count in histogram.items() if key in keys)


def _bars(rows: list[Row]) -> Iterator[str]:
    """Bars to eighths of a character; a count that is not 0 always has one."""
    counts = [row.figures[0] or 0 for row in rows]
    for count in counts:
        full, rest = divmod(math.ceil(8 * BAR * ratio(count, max(counts))), 8)
        yield "█" * full + " ▏▎▍▌▋▊▉"[rest].strip()


def _sheet(corner: str, heads: Sequence[str], rows: Sequence[Row], bars: Sequence[str] = ()) -> Sheet:
    """Right-aligned figures, followed by their shares in columns that have any."""
    columns = [[corner, *(row.label for row in rows)]]
    for index, head in enumerate(heads):
        cells = [(head, ""), *(_cell(row, index) for row in rows)]
        room = SHARE if any(share for _, share in cells) else 0
        columns.append([figure + padded(share, room, right=True) if figure else "" for figure, share in cells])
    head_line, *lines = zip(*columns, strict=True)
    return Sheet.of(head_line, lines, bars=bars)


def _cell(row: Row, index: int) -> tuple[str, str]:
    """A figure and its share in whole percents: empty for 0, and <1% or >99% instead of a rounded 0 or 100."""
    if not row.figures:
        return "", ""
    figure = row.figures[index]
    if figure is None:
        return "–", ""
    text = f"{figure:,.2f}" if isinstance(figure, float) else f"{figure:,}"
    if not row.wholes or not figure:
        return text, ""
    percent = round(100 * ratio(figure, row.wholes[index]))
    share = "<1%" if percent == 0 else ">99%" if percent == 100 and figure < row.wholes[index] else f"{percent}%"
    return text, share


def _names(paths: Sequence[str]) -> list[str]:
    """The names of files above their columns: without directory and suffix if they stay distinct."""
    names = [os.path.basename(path) or path for path in paths]
    stems, _, suffixes = zip(*(name.rpartition(".") for name in names), strict=True)
    if len(set(names)) < len(set(paths)):
        names = list(paths)
    elif len(paths) > 1 and len(set(suffixes)) == 1 and all(stems):
        names = list(stems)
    return [cut_inside(shown(name), NAME) for name in names]


def lay_out_validation(validation: Validation, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """Each file with its problems, or the problems of many files by code; then the totals of several files."""
    inspections = validation.inspections
    if len(inspections) > MANY_FILES:
        blocks = list(_by_code(validation))
    else:
        blocks = [block for inspection in inspections for block in _file(inspection, validation.strict)]
    if len(inspections) > 1:
        verdict = _verdict(validation.count("error"), validation.count("warning"))
        blocks.append(Text([f"{len(inspections):,} files: {verdict}"]))
    return Layout(blocks, [validation.signature])


def _by_code(validation: Validation) -> Iterator[Text]:
    """Each code with the places of its errors, or of its first warnings, in all files."""
    codes = {code.code: code for inspection in validation.inspections for code in inspection.codes.values()}
    for code in sorted(codes.values(), key=lambda code: (code.severity, code.code)):
        found = [inspection for inspection in validation.inspections if code.code in inspection.codes]
        problems = [problem for inspection in found for problem in inspection.problems if problem.code == code.code]
        count = sum(inspection.counts[code.code] for inspection in found)
        kept = problems if code.severity == "error" else problems[:PLACES]
        yield _group(code, count, kept, validation.strict, len(found))


def _file(inspection: Inspection, strict: bool) -> Iterator[Text]:
    """A summary line, then each code with the lines where it was found."""
    verdict = _verdict(inspection.count("error", strict), inspection.count("warning", strict))
    tally = inspection.tally
    contents = (
        f"; {tally.format}, {amount(tally.documents, 'document')}, {amount(tally.sentences, 'sentence')},"
        f" {amount(tally.words, 'word')}, {amount(tally.mentions, 'mention')}"
        f" in {amount(tally.entities, 'entity', 'entities')} ({amount(tally.singletons, 'singleton')})"
    )
    line = [Span(inspection.path, "strong"), Span(f": {verdict}")]
    yield Text([[*line, Span(contents, "dim")] if tally.format else line])
    for code in sorted(inspection.codes.values(), key=lambda code: (code.severity, code.code)):
        found = [problem for problem in inspection.problems if problem.code == code.code]
        yield _group(code, inspection.counts[code.code], found, strict)


def _group(code: Code, count: int, problems: Sequence[Problem], strict: bool, files: int = 0) -> Text:
    """A code with its problems; consecutive problems with the same hint show it once, after the last.

    If they are those of many ``files``, each is shown with its file.
    """
    severity = "error" if strict else code.severity
    inside = f" in {amount(files, 'file')}" if files else ""
    times = "" if count == 1 else f" ({count:,} times{inside})"
    lines: list[str | list[Span]] = [[Span("  "), Span(code.title, "strong"), Span(f": {severity}{times}")]]
    hint = problems[0].hint if problems else code.hint
    for problem in problems:
        if problem.hint != hint:
            lines += _hint(hint)
            hint = problem.hint
        where = f"line {problem.line}" if problem.line else "whole file"
        if files:
            where = f"{problem.path}:{problem.line}" if problem.line else problem.path
        lines.append(f"    {where}: {problem.message}")
    if count > len(problems):
        lines.append(f"    and {count - len(problems):,} more" if problems else "    (not shown)")
    return Text([*lines, *_hint(hint)])


def _hint(hint: str) -> list[list[Span]]:
    """The line of a hint; the official validator mostly gives none."""
    return [[Span(f"    hint: {hint}", "dim")]] if hint else []


def _verdict(errors: int, warnings: int) -> str:
    counts = {"error": errors, "warning": warnings}
    return ", ".join(amount(count, severity) for severity, count in counts.items() if count) or "no problems"
