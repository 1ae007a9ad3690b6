"""Two clusterings of millions of mentions, as Parquet, in chunks: what linking records or documents produces.

Entities have skewed sizes, 5 on average. In the response some are split, some merged, and some mentions moved; either
side lacks some mentions. Ids are 64-bit numbers in no order. Memory does not grow with the mentions.

``python -m benchmarks.clusterings DIRECTORY MENTIONS`` makes ``key.parquet`` and ``response.parquet``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

CHUNK = 1_000_000
KEY, RESPONSE, MENTION = 1, 2, 3
"""What ids are of: the same number gives different ids."""


class Recipe(NamedTuple):
    """Shares of the entities that are split and merged, of the mentions that are moved, and that a side lacks."""

    mentions: int
    moved: float = 0.1
    split: float = 0.1
    merged: float = 0.1
    lacking: float = 0.02
    document: int = 0
    """Mentions of a document; 0: there is one document, and no column for it."""
    text: bool = False
    """Whether ids are texts of 20 characters."""
    random: bool = False
    """Whether the response is labels at random, five a class."""
    seed: int = 0


def chunks(recipe: Recipe) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Arrays of the documents, mentions, key entities and response entities (-1: that side lacks the mention)."""
    entities = 0
    for number, start in enumerate(range(0, recipe.mentions, CHUNK)):
        random = np.random.default_rng([recipe.seed, number])
        size = min(CHUNK, recipe.mentions - start)
        sizes = 1 + np.minimum(random.pareto(1.5, size) * 2.25, 10_000).astype(np.int64)
        key = np.repeat(np.arange(size), sizes)[:size]
        index = np.arange(size)
        response = 2 * _merged(random, key, recipe.merged)
        response += _chosen(random, key, recipe.split) & random.integers(0, 2, size).astype(bool)
        width = recipe.document or size
        other = np.minimum(index - index % width + random.integers(0, width, size), size - 1)
        response = np.where(random.random(size) < recipe.moved, response[other], response)
        if recipe.random:
            response = random.integers(0, max(size // 5, 1), size)
        key, response = key + entities, response + 2 * entities
        entities += size
        key[random.random(size) < recipe.lacking] = -1
        response[random.random(size) < recipe.lacking] = -1
        order = random.permutation(size)
        yield tuple([array[order] for array in ((start + index) // width, start + index, key, response)])  # type: ignore[misc]


def _chosen(random: np.random.Generator, key: Any, share: float) -> Any:
    """Of each mention, whether its entity is among those chosen."""
    return (random.random(int(key[-1]) + 1) < share)[key]


def _merged(random: np.random.Generator, key: Any, share: float) -> Any:
    """Of each mention, the number of its entity, or of the next one if the two are merged."""
    return key + (_chosen(random, key, share) & (key < key[-1]))


def ids(numbers: Any, kind: int, text: bool) -> Any:
    """Other numbers for these, one for each, in no order (a mixture of bits that can be undone)."""
    mixed = numbers.astype(np.uint64) + np.uint64(kind * 0x9E3779B97F4A7C15 % (1 << 64))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed = (mixed ^ (mixed >> np.uint64(31))).view(np.int64)
    if not text:
        return mixed
    return np.char.mod("rec:%016x", mixed.view(np.uint64))


def write(directory: Path, recipe: Recipe) -> None:
    """Make ``key.parquet`` and ``response.parquet``."""
    import pyarrow
    from pyarrow import parquet

    writers: dict[str, Any] = {}
    try:
        for documents, mentions, *sides in chunks(recipe):
            for name, kind, entities in zip(("key", "response"), (KEY, RESPONSE), sides, strict=True):
                there = entities >= 0
                columns = {"document": documents[there]} if recipe.document else {}
                columns["mention"] = ids(mentions[there], MENTION, recipe.text)
                columns["entity"] = ids(entities[there], kind, recipe.text)
                table = pyarrow.table(columns)
                if name not in writers:
                    path = directory / f"{name}.parquet"
                    writers[name] = parquet.ParquetWriter(path, table.schema, compression="zstd")
                writers[name].write_table(table)
    finally:
        for writer in writers.values():
            writer.close()


def main() -> None:
    """Make a pair of files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clusterings", description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("mentions", type=int)
    parser.add_argument("--moved", type=float, default=0.1, metavar="SHARE")
    parser.add_argument("--document", type=int, default=0, metavar="MENTIONS")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--random", action="store_true")
    options = vars(parser.parse_args())
    directory = options.pop("directory")
    directory.mkdir(parents=True, exist_ok=True)
    write(directory, Recipe(**options))


if __name__ == "__main__":
    main()
