"""The layout of a result, before a format renders it: tables, lines of text, notes, and the signature.

Every result has a row in RESULTS: the function of ``output/results`` that makes its layout. Every format for people
(text, Markdown, LaTeX) renders any layout.
"""

# Annotations are evaluated here: NamedTuple compiles those that are strings, field by field.

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..core.errors import OptionError
from ..core.registry import Registry
from .text import GAP, width_of

RESULTS: Registry[Callable[..., "Layout"]] = Registry(
    lazy={
        "Report": "corefscope.output.results.score:lay_out",
        "AveragedReport": "corefscope.output.results.score:lay_out_averaged",
        "KeySetReport": "corefscope.output.results.score:lay_out_keys",
        "SampledKeyReport": "corefscope.output.results.score:lay_out_sampled_key",
        "SettingsReport": "corefscope.output.results.score:lay_out_settings",
        "WindowCurve": "corefscope.output.results.score:lay_out_windows",
        "Comparison": "corefscope.output.results.systems:lay_out_comparison",
        "TaskResult": "corefscope.output.results.systems:lay_out_task",
        "TaskSettings": "corefscope.output.results.systems:lay_out_task",
        "Agreement": "corefscope.output.results.systems:lay_out_agreement",
        "GapReport": "corefscope.output.results.probes:lay_out_gap",
        "ProbeReport": "corefscope.output.results.probes:lay_out_probe",
        "Correlation": "corefscope.output.results.systems:lay_out_correlation",
        "Curves": "corefscope.output.results.systems:lay_out_curves",
        "Criteria": "corefscope.output.results.systems:lay_out_criteria",
        "ErrorReport": "corefscope.output.results.errors:lay_out",
        "Explanation": "corefscope.output.results.explanation:lay_out_difference",
        "MetricExplanation": "corefscope.output.results.explanation:lay_out_metric",
        "CatalogueListing": "corefscope.output.results.catalogues:lay_out",
        "StatisticsReport": "corefscope.output.results.files:lay_out_statistics",
        "Validation": "corefscope.output.results.files:lay_out_validation",
    }
)
"""By class of result, the function that lays it out; its module is imported when such a result is shown."""

PAPER = "corefscope.output.results.paper"
PAPER_TABLES: Registry[Callable[[Any, bool, str], "Layout"]] = Registry(
    lazy={
        "Report": f"{PAPER}:lay_out_report",
        "AveragedReport": f"{PAPER}:lay_out_averaged",
        "SettingsReport": f"{PAPER}:lay_out_settings",
        "WindowCurve": "corefscope.output.results.score:lay_out_windows",
        "KeySetReport": "corefscope.output.results.score:lay_out_keys",
        "Comparison": f"{PAPER}:lay_out_comparison",
        "TaskResult": f"{PAPER}:lay_out_task",
        "TaskSettings": f"{PAPER}:lay_out_task_settings",
        "Agreement": f"{PAPER}:lay_out_annotators",
    }
)
"""By class of result, the function that lays out its table for a paper; other results have one layout only."""
TABLES: dict[str, str] = {
    "paper": "one table, ready to paste: scores, the best in bold, marks of significance",
    "intervals": "scores with confidence intervals",
    "differences": "differences from the baseline or the best system, with p-values",
    "full": "everything",
}
"""Tables of results that compare systems."""

HYPHEN = re.compile(r"(?<![\w.])-(?=\d)")
"""One that means minus."""


class Cell(NamedTuple):
    """One cell of a table."""

    text: str = ""
    bold: bool = False
    note: str = ""
    """Smaller text beside it: an interval, a p-value."""
    mark: str = ""
    """An arrow at its upper right: significance."""

    @property
    def plain(self) -> str:
        """The cell as plain text."""
        return f"{self.text}{self.mark} {self.note}" if self.note else self.text + self.mark


class Sheet(NamedTuple):
    """One table."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    strong: Sequence[int] = ()
    """Rows that are emphasised."""
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
    """Whether rows that are empty in one part of a broken table are omitted there."""
    bars: Sequence[str] = ()
    """A bar for each row, shown if it fits."""
    across: str = ""
    """What the columns are, as the corner of the transposed table; empty if its corner stays."""

    @classmethod
    def of(cls, head: Sequence[str], rows: Iterable[Iterable[str]], **more: Any) -> "Sheet":
        """A table of plain texts."""
        return cls(head, [list(map(Cell, row)) for row in rows], **more)


class Beside(NamedTuple):
    """Small tables that may be placed side by side."""

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
    """Everything that is shown of a result."""

    blocks: Sequence[Block]
    signatures: Sequence[str]
    """Several if the result was made from results with different signatures."""
    notes: Sequence[str] = ()
    caption: str = ""
    """A description of all tables, for formats in which tables have captions."""
    comments: Sequence[str] = ()
    """Figures and facts beside a table for a paper: comments in formats that have them, notes in others."""


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
    """The columns of a terminal that each column of a table takes."""
    return [max(map(width_of, column)) for column in zip(sheet.head, *plain_rows(sheet), strict=True)]


def with_minus_signs(sheet: Sheet) -> Sheet:
    """The table with minus signs instead of hyphens before figures, as print has them.

    >>> with_minus_signs(Sheet.of(["", "Δ"], [["run -1", "-0.70"]])).rows[0][1].text
    '−0.70'
    """

    def minus(cell: Cell) -> Cell:
        return cell._replace(text=HYPHEN.sub("−", cell.text), note=HYPHEN.sub("−", cell.note))

    return sheet._replace(rows=[[*row[: sheet.left], *map(minus, row[sheet.left :])] for row in sheet.rows])


def plain_rows(sheet: Sheet) -> list[list[str]]:
    """The rows as plain text, with blanks so that figures of a column are aligned beside marks and notes.

    >>> cells = Cell("+25.78", mark="↑", note="p=.012"), Cell("-0.70", note="[-2.4, +1.2]")
    >>> plain_rows(Sheet(["A"], [[cell] for cell in cells]))
    [['+25.78↑       p=.012'], ['-0.70  [-2.4, +1.2]']]
    """
    columns = list(zip(*sheet.rows, strict=True))
    marked = [any(cell.mark for cell in column) for column in columns]
    room = [max(width_of(cell.note) for cell in column) for column in columns]

    def plain(column: int, cell: Cell) -> str:
        note = " " * (room[column] - width_of(cell.note)) + cell.note if cell.note else ""
        return cell._replace(mark=cell.mark or " " * marked[column], note=note).plain

    return [[plain(column, cell) for column, cell in enumerate(row)] for row in sheet.rows]


def lay_out(result: object, per_document: bool = False, width: int | None = None, table: str = "full") -> Layout:
    """The layout of a result: everything, or what fits a terminal of that ``width``; or one table for a paper."""
    OptionError.check("table", table, TABLES)
    names = [base.__name__ for base in type(result).__mro__]
    for name in names:
        if table != "full" and name in PAPER_TABLES:
            return PAPER_TABLES[name](result, per_document, table)
    for name in names:
        if name in RESULTS:
            return RESULTS[name](result, per_document, width)
    raise TypeError(f"{type(result).__name__} cannot be shown")
