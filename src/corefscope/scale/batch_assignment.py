"""Total weights of maximum-weight assignments of many documents at once, with NumPy.

Cells that certainly belong to a best assignment are taken first, in rounds over all cells. The other cells form
connected components: the large ones are solved with NumPy and SciPy, the small ones in plain Python. A component of
more than ``KERNEL_LIMIT`` cells gets two bounds.
"""

from __future__ import annotations

from itertools import pairwise
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.matching.assignment import best_total, is_certain
from ..core.numbers import Numeric
from .bounds import bound
from .large_assignment import Floats, Integers, best_assignment, find_components, find_starts, sort_stably

SMALL = 5000  # cells: smaller components are solved in plain Python
SLOW_ROUND = 1000  # rounds end if they leave so many times the cells they take
FSUM_CELLS = 1000  # cells of a document: rounding errors of longer sums would be visible
KERNEL_LIMIT = 1_000_000
"""Cells of the largest connected component whose best total is found; larger ones get bounds."""


CellArrays = tuple[Integers, Integers, Integers, Floats]
"""Numbers, rows, columns and weights of cells."""


class Bounds(NamedTuple):
    """Bounds of a total, from ``low`` to ``high``; numbers, or arrays with one number for each document."""

    low: Numeric
    high: Numeric

    @property
    def is_open(self) -> bool:
        """Whether the total is not known."""
        return bool(np.any(self.low != self.high))


class Choice(NamedTuple):
    """Cells by how a best assignment chooses among them; cells are named by their number."""

    certain: list[Integers]
    """Certain cells: first those alone in row and column, then one round after the other."""
    solved: Integers
    """Cells taken from large components."""
    rest: Integers
    """Cells that are left to be searched: all cells of small components."""
    bounded: list[Bounded]
    """Components that are too large to be solved; what is taken of them is among those that are ``solved``."""


class Bounded(NamedTuple):
    """A component that is too large to be solved."""

    cell: int
    """One of its cells."""
    excess: float
    """By how much its best total may be above that of the cells taken."""


def choose(rows: Integers, columns: Integers, weights: Floats, kernel_limit: int) -> Choice:
    """Group cells by how a best assignment chooses among them. Rows and columns are numbers from 0 on."""
    is_alone = (np.bincount(rows)[rows] == 1) & (np.bincount(columns)[columns] == 1)
    alone, left = np.flatnonzero(is_alone), np.flatnonzero(~is_alone)
    taken, still = take_certain(rows[left], columns[left], weights[left], kernel_limit)
    certain, rest = [alone, *(left[cells] for cells in taken)], left[still]
    solved, bounded = rest[:0], []
    if len(rest) > min(SMALL, kernel_limit):
        components = find_components(rows[rest], columns[rest])
        sizes = np.bincount(components)
        chosen = []
        for component in np.flatnonzero(sizes > kernel_limit).tolist():
            cells = rest[components == component]
            assigned, high = bound(rows[cells], columns[cells], weights[cells])
            chosen.append(cells[assigned])
            bounded.append(Bounded(int(cells[0]), max(high - fsum(weights[chosen[-1]].tolist()), 0.0)))
        sizes = sizes[components]
        large = (sizes > SMALL) & (sizes <= kernel_limit)
        if large.any():
            cells = rest[large]
            chosen.append(cells[best_assignment(rows[cells], columns[cells], weights[cells])])
        if chosen:
            solved, rest = np.concatenate(chosen), rest[(sizes <= SMALL) & (sizes <= kernel_limit)]
    return Choice(certain, solved, rest, bounded)


def best_by_document(
    size: int,
    documents: Integers,
    rows: Integers,
    columns: Integers,
    weights: Integers | Floats,
    kernel_limit: int = KERNEL_LIMIT,
) -> Bounds:
    """Find the largest total of each of ``size`` documents; no two documents share numbers of entities."""
    whole, floats = weights.dtype.kind != "f", weights.astype(float)
    choice = choose(rows, columns, floats, kernel_limit)
    taken = np.concatenate([*choice.certain, choice.solved])
    low = _sums(size, documents[taken], floats[taken])
    rest = choice.rest[np.argsort(documents[choice.rest], kind="stable")]
    cells = list(zip(*(array[rest].tolist() for array in (rows, columns, floats)), strict=True))
    starts = np.flatnonzero(np.diff(documents[rest], prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(cells)]):
        low[documents[rest[start]]] += best_total(cells[start:end])
    high = low.copy()
    for cell, excess in choice.bounded:
        high[documents[cell]] += excess
    return Bounds(low.astype(np.int64), high.astype(np.int64)) if whole else Bounds(low, high)


def _sums(size: int, documents: Integers, weights: Floats) -> Floats:
    """Sum weights by document; in documents of many cells, with ``math.fsum``."""
    if len(weights) < FSUM_CELLS * size:
        return np.bincount(documents, weights=weights, minlength=size).astype(float)
    order = sort_stably(documents)[0]
    ends = np.cumsum(np.bincount(documents, minlength=size))[:-1]
    return np.array([fsum(of_one.tolist()) for of_one in np.split(weights[order], ends)])


def take_certain(
    rows: Integers, columns: Integers, weights: Floats, kernel_limit: int = KERNEL_LIMIT
) -> tuple[list[Integers], Integers]:
    """Take certain cells in rounds; return those of each round, and the cells left over.

    Of very many cells, rounds end when they take hardly any.
    """
    rounds: list[Integers] = []
    # Cells in the order of rows, and once more in that of columns: to look cells up in another order is slow.
    order, of_rows = sort_stably(rows)
    by_row = order, of_rows, columns[order], weights[order]
    order, of_columns = sort_stably(columns)
    by_column = order, rows[order], of_columns, weights[order]
    while len(by_row[0]) > SMALL:
        cells, of_rows, of_columns, _ = by_row
        leaders, rivals = _leaders(of_rows, by_row[3])
        column_leaders, column_rivals = _leaders(by_column[2], by_column[3])
        led_columns = by_column[2][column_leaders]
        most = int(led_columns[-1]) + 1
        leading_row, rival = np.zeros(most, dtype=np.int64), np.zeros(most)  # by column
        leading_row[led_columns], rival[led_columns] = by_column[1][column_leaders], column_rivals
        column = of_columns[leaders]
        leads_both = leading_row[column] == of_rows[leaders]
        taken = leaders[leads_both & is_certain(by_row[3][leaders], rivals, rival[column])]
        if not len(taken):
            break
        rounds.append(cells[taken])
        gone, columns_gone = np.zeros(int(of_rows[-1]) + 1, dtype=bool), np.zeros(most, dtype=bool)
        gone[of_rows[taken]] = columns_gone[of_columns[taken]] = True
        by_row = _without(gone, columns_gone, by_row)
        if len(by_row[0]) > max(kernel_limit, SLOW_ROUND * len(taken)):
            break
        by_column = _without(gone, columns_gone, by_column)
    return rounds, np.sort(by_row[0])


def _leaders(names: Integers, weights: Floats) -> tuple[Integers, Floats]:
    """Find the heaviest cell of each group of cells with one name, and the best other weight of the group."""
    starts = find_starts(names)
    most = np.repeat(np.maximum.reduceat(weights, starts), np.diff(starts, append=len(names)))
    best = np.flatnonzero(weights == most)
    del most  # all that is as long as the cells is large
    first = best[np.searchsorted(best, starts)]
    others = weights.copy()
    others[first] = 0.0
    return first, np.maximum.reduceat(others, starts)


def _without(rows_gone: NDArray[np.bool_], columns_gone: NDArray[np.bool_], cells: CellArrays) -> CellArrays:
    """Drop the cells that have a row or a column in common with those taken."""
    numbers, rows, columns, weights = cells
    touched = rows_gone[rows]
    touched |= columns_gone[columns]
    left = np.flatnonzero(~touched)
    return numbers[left], rows[left], columns[left], weights[left]
