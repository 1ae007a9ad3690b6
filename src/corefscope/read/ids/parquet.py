"""Tables in Parquet files, read with pyarrow."""

from __future__ import annotations

import os
from importlib import import_module
from itertools import count
from typing import Any

from ...base.errors import InputError
from ..jsonl.json_text import shortened
from .header import COLUMNS, DocumentRows, Table, find_columns
from .ids import ONE_DOCUMENT


def parquet_table(path: str) -> Table:
    """The rows of a file by document and entity; ids that are whole numbers are taken as text, as in CSV.

    The file is opened by its path: Parquet is binary, and what :class:`~.source.Source` reads is text.
    """
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise InputError(
            "is a Parquet file, which needs pyarrow", path=path, hint="pip install 'corefscope[parquet]'"
        ) from None
    if not os.path.isfile(path):
        raise InputError("Parquet cannot be read from a pipe", path=path, hint="name the file")
    try:
        with parquet.ParquetFile(path) as file:
            return _table(file, path)
    except InputError:
        raise
    except Exception as error:  # pyarrow raises errors of many kinds
        what = (str(error).splitlines() or ["?"])[0]
        raise InputError(f"is no Parquet file that can be read: {what}", path=path, hint="write it again") from None


def _table(file: Any, path: str) -> Table:
    header = [str(name) for name in file.schema_arrow.names]
    columns = find_columns(header, path)
    names = [header[at] if at >= 0 else "" for at in columns]
    table: Table = {}
    before = 0
    for batch in file.iter_batches(columns=[name for name in names if name]):
        size = batch.num_rows
        cells = [
            _texts(batch.column(name).to_pylist(), role, before, path) if name else [ONE_DOCUMENT] * size
            for name, role in zip(names, COLUMNS, strict=True)
        ]
        for row, document, mention, entity in zip(count(before + 1), *cells, strict=False):
            rows = table.get(document)
            if rows is None:
                rows = table[document] = DocumentRows(row, {})
            rows.entities.setdefault(entity, []).append(mention)
        before += size
    return table


def _texts(cells: list[Any], role: str, before: int, path: str) -> list[str]:
    """Cells as text, each of them there."""
    if set(map(type, cells)) <= {str} and all(cells):
        return cells
    texts = []
    for row, cell in enumerate(cells, before + 1):
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)  # pandas writes columns so that had gaps once
        if cell is None or cell == "" or cell != cell:
            raise InputError(
                f"the cell of the {role} is empty",
                path=path,
                line=row,
                hint="each row must name its mention and entity (rows are counted from 1)",
            )
        if isinstance(cell, bool) or not isinstance(cell, str | int):
            raise InputError(
                f"the {role} is {shortened(repr(cell))}",
                path=path,
                line=row,
                hint="ids must be strings or whole numbers",
            )
        texts.append(str(cell))
    return texts
