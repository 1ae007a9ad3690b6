"""The layout of a result, before a format renders it: tables, lines of text, notes, and the signature.

Every result has a row in RESULTS: the function of ``output/results`` that makes its layout. Every format for people
(text, Markdown, LaTeX) renders any layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..core.registry import Registry
from .columns import GAP, width_of

RESULTS: Registry[Callable[[Any, bool, int | None], Layout]] = Registry(
    lazy={
        "Report": "corefscope.output.results.score:lay_out",
        "SettingsReport": "corefscope.output.results.score:lay_out",
        "Comparison": "corefscope.output.results.systems:lay_out_comparison",
        "TaskResult": "corefscope.output.results.systems:lay_out_task",
        "TaskSettings": "corefscope.output.results.systems:lay_out_task",
        "Agreement": "corefscope.output.results.systems:lay_out_agreement",
        "Correlation": "corefscope.output.results.studies:lay_out_correlation",
        "Curves": "corefscope.output.results.studies:lay_out_curves",
        "Criteria": "corefscope.output.results.studies:lay_out_criteria",
        "ErrorReport": "corefscope.output.results.errors:lay_out",
        "Explanation": "corefscope.output.results.explanation:lay_out_difference",
        "MetricExplanation": "corefscope.output.results.explanation:lay_out_metric",
        "CatalogueListing": "corefscope.output.results.catalogues:lay_out",
        "StatisticsReport": "corefscope.output.results.files:lay_out_statistics",
        "Validation": "corefscope.output.results.files:lay_out_validation",
    }
)
"""The class of a result, and the function that lays it out. Its module is imported when such a result is shown."""


class Cell(NamedTuple):
    """One cell as people see it."""

    text: str = ""
    bold: bool = False
    note: str = ""
    """Smaller text beside it: an interval, a star."""


class Sheet(NamedTuple):
    """One table."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    strong: Sequence[int] = ()
    """Rows that stand out."""
    title: str = ""
    note: str = ""
    """A line below the table."""
    caption: str = ""
    """A sentence that describes it, for formats in which tables have captions."""
    left: int = 1
    """How many columns are text; the others are numbers."""
    whole: bool = False
    """Whether it is never broken, even if it is wider than the terminal."""
    sparse: bool = False
    """Whether a row may be left out where the table is broken and the row has nothing."""
    bars: Sequence[str] = ()
    """A bar for each row, where there is room for them."""

    @classmethod
    def of(cls, head: Sequence[str], rows: Iterable[Iterable[str]], **more: Any) -> Sheet:
        """A table of plain texts."""
        return cls(head, [list(map(Cell, row)) for row in rows], **more)


class Beside(NamedTuple):
    """Small tables that may stand next to each other."""

    sheets: Sequence[Sheet]


class Span(NamedTuple):
    """A part of a line."""

    text: str
    style: str = ""
    """``strong``, ``dim``, or nothing."""


class Text(NamedTuple):
    """Lines of text. An indented line belongs to the line above it."""

    lines: Sequence[str | Sequence[Span]]
    wrap: bool = True
    """Whether long lines are broken."""

    @property
    def spans(self) -> list[list[Span]]:
        """The lines, each as a list of parts."""
        return [[Span(line)] if isinstance(line, str) else list(line) for line in self.lines]


Block = Sheet | Beside | Text


class Layout(NamedTuple):
    """All that is shown of a result."""

    blocks: Sequence[Block]
    signatures: Sequence[str]
    """One, unless the result was made from results that have several."""
    notes: Sequence[str] = ()
    caption: str = ""
    """A description of all tables, for formats in which tables have captions."""


def sheets_of(block: Block) -> Sequence[Sheet]:
    """The tables of a block."""
    return block.sheets if isinstance(block, Beside) else [block] if isinstance(block, Sheet) else []


def sheet_width(sheet: Sheet) -> int:
    """The columns of a terminal that a table takes if it is not broken.

    >>> sheet_width(Sheet.of(["", "F1"], [["system", "50.00"]]))
    13
    """
    widths = column_widths(sheet)
    return sum(widths) + len(GAP) * (len(widths) - 1)


def column_widths(sheet: Sheet) -> list[int]:
    """The same of each of its columns."""
    cells = [[f"{cell.text} {cell.note}".rstrip() for cell in row] for row in sheet.rows]
    return [max(map(width_of, column)) for column in zip(sheet.head, *cells, strict=True)]


def lay_out(result: Any, per_document: bool = False, width: int | None = None) -> Layout:
    """The layout of a result: everything, or what fits a terminal of that ``width``."""
    for base in type(result).__mro__:
        if base.__name__ in RESULTS:
            return RESULTS[base.__name__](result, per_document, width)
    raise TypeError(f"{type(result).__name__} cannot be shown")
