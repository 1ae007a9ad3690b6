"""CSV and TSV: one record a line, unrounded, the signature in each."""

from __future__ import annotations

import io
from functools import partial

from ...core.result import Result
from ...formats.tables.writer import spreadsheet_cell, write_rows
from ..text import shown


def render(
    result: Result,
    per_document: bool,
    colour: bool,  # noqa: ARG001
    delimiter: str = ",",
    *,
    spreadsheet: bool = False,
    terminal: bool = False,
) -> str:
    """The records of a result under a header line; a record without a signature gets that of the result.

    Missing values are empty. The ``columns`` of a result come first, even without records. Text of files is written
    unchanged, because people join tables on ids. With ``spreadsheet``, text that a spreadsheet would run gets a
    single quote in front; for a ``terminal``, control characters are escaped.
    """
    records = result.to_records(per_document)
    for record in records:
        record.setdefault("signature", result.signature)
    names = dict.fromkeys([*getattr(result, "columns", ()), *(name for record in records for name in record)])
    rows = [list(names), *([record.get(name, "") for name in names] for record in records)]
    if terminal:
        cells = [[spreadsheet_cell(cell) if spreadsheet else cell for cell in row] for row in rows]
        rows = [[cell if isinstance(cell, int | float | None) else shown(str(cell)) for cell in row] for row in cells]
    text = io.StringIO()
    write_rows(text, rows, delimiter, spreadsheet=spreadsheet)
    return text.getvalue()


tsv = partial(render, delimiter="\t")
