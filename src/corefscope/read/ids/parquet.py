"""Tables in Parquet files, read with pyarrow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module

from ...base.annotations import Any
from ...base.errors import CorefscopeError
from ..jsonl.json_text import shortened
from ..source import Source
from ..unpacking import max_unpacked, refuse_size
from .ids import ONE_DOCUMENT
from .rows import Batch, Table, tabulated
from .table import COLUMNS, find_columns


def parquet_table(source: Source) -> Table:
    """The rows of a file by document and entity; ids that are whole numbers are taken as text, as in CSV.

    It is read by batches of rows, and refused when these are larger than a file may be once it is unpacked.
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
    except CorefscopeError:
        raise
    except Exception as error:  # pyarrow raises errors of many kinds
        what = (str(error).splitlines() or ["?"])[0]
        source.check_unchanged()
        source.refuse(f"is no Parquet file that can be read: {what}", "write it again")
    return table


def _batches(file: Any, source: Source) -> Iterator[Batch]:
    header = [str(name) for name in file.schema_arrow.names]
    names = [header[index] if index >= 0 else "" for index in find_columns(header, source)]
    before = unpacked = 0
    limit = max_unpacked()
    for batch in file.iter_batches(columns=[name for name in names if name]):
        size = batch.num_rows
        unpacked += batch.nbytes
        if unpacked > limit:
            raise refuse_size(source.name)
        documents, mentions, entities = (
            _texts(batch.column(name).to_pylist(), role, before, source) if name else [ONE_DOCUMENT] * size
            for name, role in zip(names, COLUMNS, strict=True)
        )
        yield range(before + 1, before + size + 1), documents, mentions, entities
        before += size


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
