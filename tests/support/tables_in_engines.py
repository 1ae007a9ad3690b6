"""What looks alike in two tables of mentions, counted plainly; and what an engine found, in the same form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from math import fsum
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from scipy.optimize import linear_sum_assignment

from corefscope.core.table import Weighing
from corefscope.scale.engines import counting
from corefscope.scale.engines.base import Engine
from corefscope.scale.engines.counting import Facts
from corefscope.scale.engines.sql import LabelledTable
from corefscope.scale.engines.tabulate import tabulate

Row = tuple[Any, Any, Any]
"""Document, mention, entity."""
COLUMNS = ("document", "mention", "entity")


class Looked(NamedTuple):
    """How many look so, by document: cells (n, k, r), entities (size, matched, best), cells (n, matched)."""

    cells: Counter[Any]
    key: Counter[Any]
    response: Counter[Any]
    matched: Counter[Any]
    matched_back: Counter[Any]


class Cell(NamedTuple):
    """A cell with the names of its entities."""

    part: str
    key: Any
    response: Any
    look: tuple[int, int, int, int, int]


def cells_of(key: list[Row], response: list[Row], part: Callable[[Any], str] = str, least: int = 1) -> list[Cell]:
    """The cells of two tables, without entities that have fewer mentions than the least."""
    owners, sizes, kept = [], [], []
    for rows in (key, response):
        owners.append({(document, mention): (part(document), entity) for document, mention, entity in rows})
        sizes.append(Counter(owners[-1].values()))
        kept.append({at: entity for at, entity in owners[-1].items() if sizes[-1][entity] >= least})
    shared = Counter((kept[0][at], kept[1][at]) for at in kept[0].keys() & kept[1].keys())
    matched: list[Counter[Any]] = [Counter(), Counter()]
    for pair, n in shared.items():
        for side, entity in enumerate(pair):
            matched[side][entity] += n
    return [
        Cell(k[0], k[1], r[1], (n, sizes[0][k], sizes[1][r], matched[0][k], matched[1][r]))
        for (k, r), n in shared.items()
    ]


def counted_plainly(key: list[Row], response: list[Row], part: Callable[[Any], str] = str, least: int = 1) -> Looked:
    """What an engine should find."""
    cells = cells_of(key, response, part, least)
    entities: list[Counter[Any]] = []
    for side, rows in enumerate((key, response)):
        sizes = Counter((part(document), entity) for document, _, entity in rows)
        matched: Counter[Any] = Counter()
        best: dict[Any, int] = defaultdict(int)
        for cell in cells:
            name = cell.part, (cell.key, cell.response)[side]
            matched[name] += cell.look[0]
            best[name] = max(best[name], cell.look[0])
        entities.append(
            Counter((name[0], size, matched[name], best[name]) for name, size in sizes.items() if size >= least)
        )
    return Looked(
        Counter((cell.part, *cell.look[:3]) for cell in cells),
        entities[0],
        entities[1],
        Counter((cell.part, cell.look[0], cell.look[4]) for cell in cells),
        Counter((cell.part, cell.look[0], cell.look[3]) for cell in cells),
    )


class Recorded(NamedTuple):
    """What a stack is made of, instead of one."""

    documents: int
    cells: Any
    key: Any
    response: Any
    matched: tuple[Any, Any]
    peeling: Callable[[Weighing], Any]
    kernel_limit: int
    is_all: bool


class Found(NamedTuple):
    """What an engine found about one response."""

    facts: Facts
    names: list[str]
    looked: Looked
    peeled: list[list[Any]]
    """By batch, what is known of a best assignment for each of the weighings that were asked for."""


def found_by(
    engine: Engine, key: LabelledTable, response: LabelledTable, *weighings: Weighing, **options: Any
) -> list[Found]:
    """What an engine finds, for each response."""
    results = []
    with (
        patch.object(counting, "BatchedTable", Recorded),
        closing(tabulate(engine, key, response, **options)) as tables,
    ):
        for tabulated in tables:
            looked = Looked(*(Counter() for _ in Looked._fields))
            names: list[str] = []
            peeled: list[list[Any]] = []
            if not tabulated.facts.fatal:
                for some, stack in tabulated.batches():
                    batch: Any = stack
                    assert batch.documents == len(some)
                    parts = [batch.cells, batch.key, batch.response, *batch.matched]
                    for counter, looks in zip(looked, parts, strict=True):
                        columns = [column.tolist() for column in (looks.documents, *looks.columns, looks.counts)]
                        for place, *look, count in zip(*columns, strict=True):
                            counter[(some[place], *look)] += count
                    names += some
                    peeled.append([batch.peeling(weighing) for weighing in weighings])
            results.append(Found(tabulated.facts, names, looked, peeled))
    return results


def columns_of(rows: list[Row], *names: str) -> dict[str, list[Any]]:
    """Rows as columns; those of the document can be left out."""
    listed = zip(*rows, strict=True)
    named = dict(zip(COLUMNS, map(list, listed), strict=True))
    return {name: named[name] for name in names or COLUMNS}


def best(cells: list[tuple[Any, Any, float]]) -> float:
    """The best total of cells (row, column, weight), by SciPy."""
    rows, columns = (
        {name: at for at, name in enumerate(dict.fromkeys(cell[side] for cell in cells))} for side in (0, 1)
    )
    matrix = np.zeros((len(rows), len(columns)))
    for row, column, weight in cells:
        matrix[rows[row], columns[column]] = max(weight, 0)
    chosen = linear_sum_assignment(matrix, maximize=True)
    return fsum(matrix[chosen])


def best_total(peeled: Any, weighing: Weighing) -> float:
    """What was taken, and the best of what is left."""
    taken = zip(*(column.tolist() for column in (peeled.taken.counts, *peeled.taken.columns)), strict=True)
    total = fsum(count * weighing(*look) for count, *look in taken)
    left = zip(*(column.tolist() for column in peeled.left[1:]), strict=True)
    return total + best([(row, column, weighing(*look)) for row, column, *look in left])
