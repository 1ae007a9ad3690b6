"""Parquet of Hugging Face data sets: each row is a document, with the fields that a line of jsonlines has."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...core.errors import Warnings
from ..source import PARQUET, Source, max_memory, refuse_memory, spooled
from ..tables.reader import open_parquet
from .fields import CLUSTER_FIELDS, COMPANIONS, NAME_FIELDS, SENTENCE_FIELDS, WORD_FIELDS
from .reader import JsonlReader

FLAT_CLUSTER = "coreference_clusters"
"""Field of WinoBias: one cluster as a flat list of first and last words, as strings."""
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
        if source.read(source.start, source.start + len(PARQUET)) == PARQUET:
            lines = Source(source.name, spooled(_lines(source), source.name))
            source.close()
            source = lines
        super().__init__(source, warnings, side)


def _lines(source: Source) -> Iterator[bytes]:
    """The rows as lines of JSON."""
    with open_parquet(source) as file:
        columns = [name for name in file.schema_arrow.names if name in FIELDS or name == FLAT_CLUSTER]
        for batch in file.iter_batches(ROWS, columns=columns):
            if batch.nbytes > max_memory() // 8:
                raise refuse_memory(source.name)
            for row in batch.to_pylist():
                if FLAT_CLUSTER in row:
                    row["clusters"] = _pairs(row.pop(FLAT_CLUSTER), source)
                yield json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass") + b"\n"


def _pairs(flat: list[str] | None, source: Source) -> list[list[list[int]]]:
    """One cluster from a flat list of first and last words."""
    numbers = flat or []
    if len(numbers) % 2 or not all(str(number).isdecimal() for number in numbers):
        source.refuse(f"{FLAT_CLUSTER} is {str(flat)[:60]}", "it must list first and last words in turn")
    pairs = [[int(first), int(last)] for first, last in zip(numbers[::2], numbers[1::2], strict=True)]
    return [pairs] if pairs else []
