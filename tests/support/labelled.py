"""Random tables of mentions with their entities, and files of them."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

Rows = list[tuple[str, Any, Any]]
"""Document, mention and entity."""


class Made(NamedTuple):
    """Two sides; documents are to be left out if there is one only."""

    key: Rows
    response: Rows
    documents: bool


def made(random: Random, mentions: int = 40) -> Made:
    """Two sides that resemble each other: entities split and merged, mentions moved, and some on one side only."""
    named = random.random() < 0.6
    documents = [f"d{number}" for number in range(random.choice((2, 5)) if named else 1)]
    numbers = random.random() < 0.5
    key: Rows = []
    response: Rows = []
    for document in documents:
        entities = max(1, int(mentions / random.choice((1, 2, 4, 8))))
        merged = random.choice((1, 1, 2))
        for number in range(random.randrange(mentions)):
            mention: Any = 10**12 + number if numbers else f"m {number}"
            entity = random.randrange(entities)
            moved = random.randrange(entities) if random.random() < 0.2 else entity
            moved = moved // merged + (10_000 if random.random() < 0.1 else 0)
            chance = random.random()
            if chance > 0.05:
                key.append((document, mention, entity if numbers else f"e{entity}"))
            if not 0.05 < chance < 0.1:
                response.append((document, mention, moved))
    for side in (key, response):
        if not side:
            side.append((documents[0], -1 if numbers else "only", 0 if numbers else "e"))
        random.shuffle(side)
    return Made(key, response, named)


def columns(rows: Rows, documents: bool) -> dict[str, list[Any]]:
    """The columns of a table."""
    names = ("document", "mention", "entity")
    return {name: [row[at] for row in rows] for at, name in enumerate(names) if documents or at}


def write(path: Path, rows: Rows, documents: bool) -> str:
    """A file of the rows, CSV or Parquet."""
    table = columns(rows, documents)
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table(table), path)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
    return str(path)
