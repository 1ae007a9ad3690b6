"""Maximum-weight assignment for large connected components, with NumPy and SciPy.

*Prices* (dual variables) prove that an assignment is best: every row i has a price u ≥ 0 and every column j a price
v ≥ 0, so that u + v ≥ weight in every cell; then no assignment weighs more than the dual bound Σ u + Σ v. One that
weighs just as much is best: its cells are *tight* (reduced cost u + v − weight = 0), and all rows and columns that it
leaves out have a price of 0.

Good prices are found first, with NumPy; SciPy then assigns as many tight cells as possible. Rows and columns that are
left out although they have a price are assigned one by one, along shortest augmenting paths, which corrects prices on
the way. That is done in whole numbers, so that it ends with a proof: weights are rounded to 2⁻⁵² of the largest.

``scipy.sparse.csgraph.min_weight_full_bipartite_matching`` finds the same totals, but takes 27 s instead of 3 s for
200,000 cells, and that grows quadratically; given reduced costs, it takes 41 s instead of 5 s for 500,000 tied cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import frexp, inf, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.matching.assignment import Row
from ..core.numbers import Numeric

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Prices = tuple[Numeric, Numeric]
"""Of rows and of columns: for every cell, the two together are at least its weight (but for rounding)."""

BITS = 52
FEW = 0.02  # of the rows and columns; if fewer are left out, better prices are not worth their time
WORTH = 0.99  # of Σ u + Σ v: better prices must be so much lower, since they make hardly any cell quite tight
SOFTNESS = [0.16 / 2**n for n in range(13)]
ROUNDS = 20
ENOUGH = 1 / 16  # of what all weights are multiples of: prices that are so near can be rounded
PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of it: where prices are rounded

Edges = list[list[tuple[int, int, int]]]
"""For each row its cells: a lower bound of the reduced cost without the price of the row; the column; the weight.

While rows are assigned, prices of columns only rise, so the first reduced cost is the lowest."""


def best_assignment(rows: Integers, columns: Integers, weights: Floats) -> Integers:
    """Choose the cells of a maximum-weight assignment; in the order of rows and columns.

    Weights are above 0, and no cell is repeated.

    >>> best_assignment(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]))
    array([1, 2])
    """
    cells = LargeAssignment(renumber(rows), renumber(columns), weights)
    return cells.order[cells.solve()]


def assign_large(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Choose the pairs (row, column) of positive weight of a maximum-weight assignment; columns are any numbers."""
    columns = list(dict.fromkeys(j for row in rows for j in row))
    number_of = {j: number for number, j in enumerate(columns)}
    i = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    j = np.fromiter([number_of[j] for row in rows for j in row], dtype=np.int64)
    weights = np.fromiter([weight for row in rows for weight in row.values()], dtype=np.float64)
    positive = np.flatnonzero(weights > 0)
    i, j = i[positive], j[positive]
    chosen = best_assignment(i, j, weights[positive])
    return [(i, columns[j]) for i, j in zip(i[chosen].tolist(), j[chosen].tolist(), strict=True)]


def find_components(rows: Integers, columns: Integers) -> Integers:
    """Number the connected components from 0 on: for each cell the number of its component."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first_column, size = int(rows.max()) + 1, int(rows.max()) + int(columns.max()) + 2
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, first_column + columns)), shape=(size, size))
    found: Integers = connected_components(graph, directed=False)[1][rows]
    return found


def renumber(names: Integers) -> Integers:
    """Replace names by numbers from 0 on without gaps, in the same order."""
    if not len(names):
        return names
    low, high = int(names.min()), int(names.max())
    if high - low > 8 * len(names) + 1024:
        return np.unique(names, return_inverse=True)[1]
    present = np.zeros(high - low + 1, dtype=bool)
    present[names - low] = True
    numbers: Integers = (np.cumsum(present) - 1)[names - low]
    return numbers


def find_starts(names: Integers) -> Integers:
    """Find where runs of equal names begin."""
    return np.flatnonzero(np.concatenate(([True], names[1:] != names[:-1])))


class PricedCells:
    """Cells in the order of rows, with prices; all rows and columns, numbered from 0 on, have cells."""

    tiny: ClassVar[float] = 1e-300
    """The smallest divisor."""
    largest: ClassVar[float] = inf
    """The largest exponent."""

    def __init__(self, order: Integers, rows: Integers, columns: Integers, weights: Numeric) -> None:
        self.order = order
        self.rows: Integers = rows[order]
        self.columns: Integers = columns[order]
        self.weights: Numeric = weights[order]
        self.by_column: Integers = np.argsort(self.columns, kind="stable")
        self.rows_by_column: Integers = self.rows[self.by_column]
        self.weights_by_column: Numeric = self.weights[self.by_column]
        self.row_starts: Integers = find_starts(self.rows)
        self.column_starts: Integers = find_starts(self.columns[self.by_column])
        self.shape: tuple[int, int] = len(self.row_starts), len(self.column_starts)

    def row_prices(self, column_prices: Numeric) -> Numeric:
        """Find the least prices of rows, given those of columns."""
        prices = np.maximum.reduceat(self.weights - column_prices[self.columns], self.row_starts)
        return np.maximum(prices, 0, out=prices)

    def least_prices(self, column_prices: Numeric) -> Prices:
        """Find the least prices of rows, given those of columns, and of columns, given those of rows."""
        rows = self.row_prices(column_prices)
        columns = np.maximum.reduceat(self.weights_by_column - rows[self.rows_by_column], self.column_starts)
        np.maximum(columns, 0, out=columns)
        return self.row_prices(columns), columns

    def soften(self, weights: Numeric, prices: Prices, softness: float, rounds: int) -> Prices:
        """Improve prices by Sinkhorn's iteration: rows and columns choose softly among their cells until they agree.

        The softer the choice, the faster they agree; the harder it is, the nearer prices are to the best. The result
        is returned as prices, so that the next choice begins with it and no power grows too large.
        """
        row_prices, column_prices = prices
        gain = weights - row_prices[self.rows] - column_prices[self.columns]
        attraction = np.exp(np.minimum(gain / softness, self.largest))
        attraction_by_column = attraction[self.by_column]
        staying, column_staying = np.exp(-row_prices / softness), np.exp(-column_prices / softness)
        of_column = np.ones_like(column_prices)
        for _ in range(rounds):
            chosen = np.add.reduceat(attraction * of_column[self.columns], self.row_starts)
            of_row = 1 / np.maximum(staying + chosen, self.tiny)
            of_row *= balance((staying * of_row).sum(), (column_staying * of_column).sum(), self.shape)
            chosen = np.add.reduceat(attraction_by_column * of_row[self.rows_by_column], self.column_starts)
            of_column = 1 / np.maximum(column_staying + chosen, self.tiny)
        return row_prices - softness * np.log(of_row), column_prices - softness * np.log(of_column)


def balance(rows: float, columns: float, shape: tuple[int, int]) -> float:
    """Solve x · rows − columns / x = all rows − all columns for x; ``rows`` and ``columns`` stay unassigned.

    Then equally many of both are assigned. Sinkhorn's iteration by itself would balance this last.
    """
    more = shape[0] - shape[1]
    both = sqrt(more * more + 4 * rows * columns) + abs(more)
    if not rows or not columns or not both:
        return 1.0
    return float(both / (2 * rows) if more >= 0 else 2 * columns / both)


class LargeAssignment(PricedCells):
    """Cells in the order of rows and columns, whose weights are whole numbers, and an assignment of tight cells."""

    def __init__(self, rows: Integers, columns: Integers, weights: Floats) -> None:
        whole: Integers = np.rint(np.ldexp(weights, BITS - frexp(float(weights.max()))[1])).astype(np.int64)
        super().__init__(np.lexsort((columns, rows)), rows, columns, whole)
        self.prices: Prices = self.least_prices(np.zeros(self.shape[1], dtype=np.int64))
        self.column_of: Integers = self._assign_tight()
        if self.count_left_out() > FEW * sum(self.shape):
            with np.errstate(all="ignore"):
                self._take_soft_prices()

    def solve(self) -> Integers:
        """Assign all rows and columns that have a price; return the cells of the assignment."""
        column_of: list[int] = self.column_of.tolist()
        row_of = [-1] * self.shape[1]
        for i, j in enumerate(column_of):
            if j >= 0:
                row_of[j] = i
        prices, column_prices = (side.tolist() for side in self.prices)
        for own, others, sides in (
            (self.rows, self.columns, (prices, column_prices, column_of, row_of)),
            (self.columns, self.rows, (column_prices, prices, row_of, column_of)),
        ):
            edges: Edges = []  # made if they are needed: they take a hundred bytes a cell
            for start, price in enumerate(sides[0]):
                if sides[2][start] < 0 and price:
                    edges = edges or self._edges(own, others, sides[1])
                    _assign_one(start, edges, *sides)
        return np.flatnonzero(self.columns == np.array(column_of)[self.rows])

    def _edges(self, own: Integers, others: Integers, other_prices: list[int]) -> Edges:
        """List for each row (or column) its cells, those with the least reduced cost first."""
        least = np.array(other_prices)[others] - self.weights
        order = np.lexsort((least, own))
        cells = list(zip(*(array[order].tolist() for array in (least, others, self.weights)), strict=True))
        ends = np.cumsum(np.bincount(own)).tolist()
        return [cells[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _assign_tight(self) -> Integers:
        """Find for each row its column in a largest assignment of tight cells, or -1."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        row_prices, column_prices = self.prices
        tight = np.flatnonzero(row_prices[self.rows] + column_prices[self.columns] == self.weights)
        places = self.rows[tight], self.columns[tight]
        graph = csr_array((np.ones(len(tight), dtype=np.int8), places), shape=self.shape)
        return maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)  # type: ignore[no-any-return]

    def count_left_out(self) -> int:
        """Count the rows and columns that are not assigned although they have a price."""
        unassigned = np.ones(self.shape[1], dtype=bool)
        unassigned[self.column_of[self.column_of >= 0]] = False
        rows, columns = (self.column_of < 0) & (self.prices[0] > 0), unassigned & (self.prices[1] > 0)
        return int(rows.sum() + columns.sum())

    def _take_soft_prices(self) -> None:
        """Replace the prices by those of ever harder choices, if these are much lower."""
        unit, most = int(np.gcd.reduce(self.weights)), int(self.weights.max())
        weights = self.weights / most
        prices: Prices = np.zeros(self.shape[0]), np.zeros(self.shape[1])
        for softness in SOFTNESS:
            if softness * most < ENOUGH * unit:
                break
            prices = self.soften(weights, prices, softness, ROUNDS)
        # Some of the best prices are multiples of what all weights are multiples of. Wherever between such multiples
        # prices are rounded up or down, rows and columns in opposite directions, best ones stay best.
        # (No price need be above the largest weight; should powers have grown too large, any prices will do.)
        units = np.clip(np.nan_to_num(prices[1]), 0, 1) * (most / unit)
        rounded = [np.maximum(np.ceil(units - part), 0).astype(np.int64) * unit for part in PARTS]
        best = min(map(self.least_prices, rounded), key=_dual_bound)
        if _dual_bound(best) < WORTH * _dual_bound(self.prices):
            self.prices = best
            self.column_of = self._assign_tight()


def _dual_bound(prices: Prices) -> float:
    return sum([float(side.sum(dtype=float)) for side in prices])


def _assign_one(  # noqa: C901, PLR0912  (Dijkstra's search and the change along its path)
    start: int, edges: Edges, prices: list[int], other_prices: list[int], partner: list[int], other_partner: list[int]
) -> None:
    """Assign a row that has a price, or bring its price down to 0, along a shortest augmenting path.

    A path leads through cells and back through assigned ones; its length is the sum of reduced costs. It ends in a
    column that is free, or in a row that gives up its column, which adds the price of that row. (To assign a column,
    swap rows and columns.)
    """
    length: dict[int, int] = {}  # of the path to a column
    came_from: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []
    passed = [(start, -1, 0)]
    shortest, free, giving_up = prices[start], -1, start
    i, so_far = start, 0
    while True:
        to_row = so_far + prices[i]
        for least, j, weight in edges[i]:
            if to_row + least >= shortest:
                break
            to_column = to_row + other_prices[j] - weight
            if to_column < length.get(j, shortest) and to_column < shortest:
                length[j], came_from[j] = to_column, i
                if other_partner[j] < 0:
                    shortest, free = to_column, j
                else:
                    heappush(waiting, (to_column, j))
        while waiting:
            so_far, j = heappop(waiting)
            if length[j] == so_far:
                break
        else:
            break
        if so_far >= shortest:
            break
        i = other_partner[j]
        passed.append((i, j, so_far))
        if so_far + prices[i] < shortest:
            shortest, free, giving_up = so_far + prices[i], -1, i
    for i, j, so_far in passed:  # lift what lies nearer than the end to its level
        prices[i] -= shortest - so_far
        if j >= 0:
            other_prices[j] += shortest - so_far
    if free < 0 and giving_up == start:
        return
    if free < 0:
        free, partner[giving_up] = partner[giving_up], -1
    i, j = -1, free
    while i != start:
        i = came_from[j]
        other_partner[j] = i
        partner[i], j = j, partner[i]
