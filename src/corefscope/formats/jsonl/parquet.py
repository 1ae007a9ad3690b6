"""Parquet of Hugging Face data sets: each row is a document, with the fields that a line of jsonlines has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...core.errors import Warnings
from ..source import ITEM_SIZE, Source, TranslatedSource, max_memory, memory_error, spooled
from ..tables.reader import open_parquet
from .fields import CLUSTER_FIELDS, COMPANIONS, NAME_FIELDS, SENTENCE_FIELDS, WORD_FIELDS
from .reader import JsonlReader

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

FLAT_CLUSTER = "coreference_clusters"
"""Field of WinoBias: one cluster as a flat list of first and last words, as strings."""
FLAT_PART = "part_number"
"""Its field of what jsonlines call ``part_id``."""
NUMBER = re.compile("[0-9]{1,15}", re.ASCII)
FIELDS = {*WORD_FIELDS, *CLUSTER_FIELDS, *COMPANIONS, *NAME_FIELDS, *SENTENCE_FIELDS, "part_id", "subtoken_map"}
ROWS = 64
"""Rows that are in memory together: each is a document."""


def holds_documents(source: Source) -> bool:
    """Whether rows of a Parquet file are documents with words and clusters, and not mentions."""
    with open_parquet(source) as file:
        names = set(file.schema_arrow.names)
    return not names.isdisjoint(WORD_FIELDS) and not names.isdisjoint((*CLUSTER_FIELDS, FLAT_CLUSTER))


class ParquetDocumentsReader(JsonlReader):
    """The rows of a file, as jsonlines: row n is line n."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        if not isinstance(source, TranslatedSource):  # else it is read once more
            source = TranslatedSource(source, spooled(_lines(source), source.name))
        super().__init__(source, warnings, side)


def _lines(source: Source) -> Iterator[bytes]:
    """The rows as lines of JSON."""
    with open_parquet(source) as file:
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            source.refuse("has two columns of one name", "write it again")
        _check_size(file, source)
        columns = [name for name in names if name in FIELDS or name in (FLAT_CLUSTER, FLAT_PART)]
        number = 0
        for batch in file.iter_batches(ROWS, columns=columns, use_threads=False):
            if batch.nbytes > max_memory() // 8:
                raise memory_error(source.name)
            for row in batch.to_pylist():
                number += 1
                if FLAT_CLUSTER in row:
                    row["clusters"] = _pairs(row.pop(FLAT_CLUSTER), number, source)
                    if FLAT_PART in row:
                        row["part_id"] = row.pop(FLAT_PART)
                row.pop(FLAT_PART, None)
                yield json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass") + b"\n"


def _check_size(file: ParquetFile, source: Source) -> None:
    """Refuse a file whose rows would take too much memory: its metadata have the number of values of each column."""
    for index in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(index)
        values = sum(group.column(column).num_values for column in range(group.num_columns))
        if values * ITEM_SIZE * min(1, ROWS / max(group.num_rows, 1)) > max_memory():
            raise memory_error(source.name)


def _pairs(flat: object, row: int, source: Source) -> list[list[list[int]]]:
    """One cluster from a flat list of first and last words."""
    numbers = [] if flat is None else flat
    if (
        not isinstance(numbers, list)
        or len(numbers) % 2
        or not all(NUMBER.fullmatch(str(number)) for number in numbers)
    ):
        hint = "it must list first and last words in turn"
        source.refuse(f"{FLAT_CLUSTER} is {str(flat)[:60]}", hint, row)
    pairs = [[int(first), int(last)] for first, last in zip(numbers[::2], numbers[1::2], strict=True)]
    return [pairs] if pairs else []
