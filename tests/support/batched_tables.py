"""Batched tables made from plain ones, as an engine would make them: histograms whose rows are in any order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from corefscope.core.metrics.base import Metric
from corefscope.core.numbers import Counts
from corefscope.core.table import Contingency, Weighing
from corefscope.scale.batch_assignment import KERNEL_LIMIT
from corefscope.scale.batched_table import BatchedTable, CellHistogram, OpenCells, PartialAssignment

Rows = list[tuple[int, ...]]


def stack_of(
    tables: Sequence[Contingency], *, seed: int | None = None, kernel_limit: int = KERNEL_LIMIT, taken: bool = True
) -> BatchedTable:
    """The tables of some documents as one stack; with a seed, its rows are shuffled.

    Cells alone in row and column are ``taken``, or left like all others.
    """
    draw = random.Random(seed)
    cells: Rows = []
    sides: list[Rows] = [[], []]
    matched: list[Rows] = [[], []]
    for document, table in enumerate(tables):
        for turned, side, of_other in zip((table, table.T), sides, matched, strict=True):
            shared, best, across = Counter[int](), Counter[int](), Counter[int]()
            for i, j, n in turned.each_cell():
                shared[i] += n
                across[j] += n
                best[i] = max(best[i], n)
            side += [(document, k, shared[i], best[i]) for i, (k, _) in enumerate(turned.each_entity())]
            of_other += [(document, n, across[j]) for _, j, n in turned.each_cell()]
        cells += [(document, *look) for look in zip(*table.cells[2:], strict=True)]

    def looks(rows: Iterable[tuple[int, ...]], width: int) -> CellHistogram:
        counted = [(*row, count) for row, count in Counter(rows).items()]
        documents, *columns, count = _columns(counted, 2 + width, draw if seed is not None else None)
        return CellHistogram(documents, tuple(columns), count)

    def peeled(weighing: Weighing) -> PartialAssignment:
        certain: Rows = []
        left: Rows = []
        rows = columns = 0
        for document, table in enumerate(tables):
            in_row, in_column = Counter(table.cells.rows), Counter(table.cells.columns)
            own, other = ([k - lone for k, lone in side.each_entity()] for side in (table, table.T))
            for i, j, *look in zip(*table.cells, strict=True):
                look += own[i], other[j]
                if taken and in_row[i] == in_column[j] == 1 and weighing(*look) > 0:
                    certain.append((document, *look))
                else:
                    left.append((document, rows + i, columns + j, *look))
            rows, columns = rows + len(table.key_sizes), columns + len(table.response_sizes)
        return PartialAssignment(looks(certain, 5), OpenCells(*_columns(left, 8, draw if seed is not None else None)))

    return BatchedTable(
        len(tables),
        looks(cells, 3),
        looks(sides[0], 3),
        looks(sides[1], 3),
        (looks(matched[0], 2), looks(matched[1], 2)),
        peeled,
        kernel_limit=kernel_limit,
    )


def _columns(rows: Rows, width: int, draw: random.Random | None) -> list[Any]:
    if draw:
        draw.shuffle(rows)
    return list(np.array(rows, dtype=np.int64).reshape(-1, width).T)


def rows_by_document(table: BatchedTable, metrics: Iterable[Metric]) -> Iterator[tuple[Counts, ...]]:
    """The counts of some metrics, one document after the other, as plain numbers."""

    def rows(metric: Metric) -> Iterator[Counts]:
        counts = [np.broadcast_to(array, table.documents).tolist() for array in metric.counts(table)]
        return zip(*counts, strict=True)

    return zip(*map(rows, metrics), strict=True)
