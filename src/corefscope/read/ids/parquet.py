"""Tables in Parquet files, read with pyarrow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import Any

from ...base.errors import CorefscopeError
from ..jsonl.json_text import shortened
from ..source import Source
from ..unpacking import max_memory, max_unpacked, refuse_memory, refuse_size
from .ids import ONE_DOCUMENT
from .rows import Batch, Table, tabulated
from .table import COLUMNS, find_columns

BATCH = 1 << 12
"""Rows that are unpacked at a time: a column of equal long texts is small in the file, whatever its metadata say."""
ROW_SIZE = 64
"""Bytes that a row takes besides its texts while it is scored: 2 GB are 30 million rows."""


def parquet_table(source: Source) -> Table:
    """The rows of a file by document and entity; ids that are whole numbers are taken as text, as in CSV.

    It is read by batches of rows, and refused when these are larger than a file may be once it is unpacked, or would
    take more memory than :func:`max_memory`. Its metadata tell how many rows there are before any is read.
    """
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        source.refuse("is a Parquet file, which needs pyarrow", "pip install 'corefscope[parquet]'")
    if not os.path.isfile(source.name):
        source.refuse("Parquet cannot be read from a pipe", "name the file")
    try:
        with parquet.ParquetFile(source.file) as file:
            table = tabulated(_batches(file, source))
        source.check_unchanged()
        import_module("pyarrow").default_memory_pool().release_unused()  # or it would keep what it unpacked
    except (CorefscopeError, MemoryError):
        raise
    except Exception as error:  # pyarrow raises errors of many kinds
        what = (str(error).splitlines() or ["?"])[0]
        source.check_unchanged()
        source.refuse(f"is no Parquet file that can be read: {what}", "write it again")
    return table


def _batches(file: Any, source: Source) -> Iterator[Batch]:
    header = [str(name) for name in file.schema_arrow.names]
    names = [header[index] if index >= 0 else "" for index in find_columns(header, source)]
    before = unpacked = needed = 0
    limit, memory = max_unpacked(), max_memory()
    if file.metadata.num_rows * ROW_SIZE > memory:
        raise refuse_memory(source.name)
    for batch in file.iter_batches(BATCH, columns=[name for name in names if name]):
        size = batch.num_rows
        unpacked += batch.nbytes
        if unpacked > limit:
            raise refuse_size(source.name)
        if unpacked > memory or batch.nbytes > memory // 8:
            raise refuse_memory(source.name)
        documents, mentions, entities = (
            _texts(_cells(batch.column(name)), role, before, source) if name else [ONE_DOCUMENT] * size
            for name, role in zip(names, COLUMNS, strict=True)
        )
        needed += size * ROW_SIZE + sum(map(len, chain(documents, mentions, entities)))
        if needed > memory:
            raise refuse_memory(source.name)
        yield range(before + 1, before + size + 1), documents, mentions, entities
        before += size


def _cells(column: Any) -> list[Any]:
    """The cells of a column; those of a dictionary share its texts, which may be long."""
    dictionary = getattr(column, "dictionary", None)
    if dictionary is None:
        cells: list[Any] = column.to_pylist()
        return cells
    texts = dictionary.to_pylist()
    return [None if index is None else texts[index] for index in column.indices.to_pylist()]


def _texts(cells: list[Any], role: str, before: int, source: Source) -> list[str]:
    """Cells as text; an empty one is an error."""
    if set(map(type, cells)) <= {str} and all(cells):
        return cells
    texts = []
    for row, cell in enumerate(cells, before + 1):
        if isinstance(cell, float) and cell.is_integer():
            cell = int(cell)  # pandas writes columns so that had gaps once
        if cell is None or cell == "" or cell != cell:
            hint = "each row must name its mention and entity (rows are counted from 1)"
            source.refuse(f"the cell of the {role} is empty", hint, row)
        if isinstance(cell, bool) or not isinstance(cell, str | int):
            source.refuse(f"the {role} is {shortened(repr(cell))}", "ids must be strings or whole numbers", row)
        texts.append(str(cell))
    return texts
