"""CSV and TSV: one record a line, unrounded, the signature in each."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

from ...formats.tables.writer import spreadsheet_cell, write_rows
from ..text import shown


def render(
    result: Any,
    per_document: bool,
    colour: bool,  # noqa: ARG001
    delimiter: str = ",",
    *,
    spreadsheet: bool = False,
    terminal: bool = False,
) -> str:
    """The records of a result under a line with their names; what lacks a signature of its own gets that of all.

    What a record lacks, or what is None, is empty. The ``columns`` of a result come first, records or not. Text of
    files is written as it is: people join tables on ids. With ``spreadsheet``, text that a spreadsheet would run gets
    a single quote in front; for a ``terminal``, control characters are escaped.
    """
    records = result.to_records(per_document)
    for record in records:
        record.setdefault("signature", result.signature)
    names = dict.fromkeys([*getattr(result, "columns", ()), *(name for record in records for name in record)])
    rows = [list(names), *([record.get(name, "") for name in names] for record in records)]
    if terminal:
        rows = [[_escaped(spreadsheet_cell(cell) if spreadsheet else cell) for cell in row] for row in rows]
    text = io.StringIO()
    write_rows(text, rows, delimiter, spreadsheet=spreadsheet)
    return text.getvalue()


def _escaped(cell: Any) -> Any:
    """A cell whose text a terminal does not obey."""
    return cell if cell is None or isinstance(cell, (int, float)) else shown(str(cell))


tsv = partial(render, delimiter="\t")
