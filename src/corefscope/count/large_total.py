"""Max Σ of weights over one-to-one assignments, of so many cells that all hang together that no plain search will do.

*Prices* prove that an assignment is best: every row i has a price u ≥ 0 and every column j a price v ≥ 0, so that
u + v ≥ weight in every cell; then no assignment weighs more than Σ u + Σ v. One that weighs just as much is best: its
cells are *tight* (u + v = weight), and whatever it leaves out has a price of 0.

Good prices are found first, with NumPy; SciPy then assigns as much as it can in tight cells. What is left out
although it has a price is assigned one by one, along shortest paths, which corrects prices on the way. That is
done in whole numbers, so that it ends with a proof: weights are rounded to 2⁻⁵² of the largest.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import frexp, fsum, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

BITS = 52
FEW = 0.02  # of the rows and columns; so many are left out: better prices are not worth their time
WORTH = 0.99  # of Σ u + Σ v: better prices must be so much lower, since they make hardly any cell quite tight
SOFTNESS = [0.16 / 2**n for n in range(13)]
ROUNDS = 20
TINY = 1e-300  # what is divided by is not less
ENOUGH = 1 / 16  # of what all weights are multiples of: prices that are so near can be rounded
PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of it: where prices are rounded

Edges = list[list[tuple[int, int, int]]]
"""For each row its cells: what the slack is at least, but for the price of the row; the column; the weight.

While rows are assigned, prices of columns only rise: at first the slack is least."""


def components_of(rows: Integers, columns: Integers) -> Integers:
    """Which connected component each cell belongs to: numbers from 0 on."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first_column, size = int(rows.max()) + 1, int(rows.max()) + int(columns.max()) + 2
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, first_column + columns)), shape=(size, size))
    found: Integers = connected_components(graph, directed=False)[1][rows]
    return found


def best_assignment(rows: Integers, columns: Integers, weights: Floats) -> Integers:
    """Which cells have the largest Σ of weights, no two in a row or column; in the order of rows and columns.

    Weights are above 0, and no cell stands twice.

    >>> import numpy as np
    >>> best_assignment(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]))
    array([1, 2])
    """
    import numpy as np

    rows, columns = (np.unique(names, return_inverse=True)[1] for names in (rows, columns))
    cells = _Cells(rows, columns, weights)
    return cells.order[cells.best_assignment()]


def best_of_many(rows: Integers, columns: Integers, weights: Floats) -> float:
    """Max Σ weight over assignments, summed with ``math.fsum``."""
    return fsum(weights[best_assignment(rows, columns, weights)].tolist())


class _Cells:
    """The cells, in the order of rows and columns, with prices of both; all rows and columns, from 0 on, have one."""

    def __init__(self, rows: Integers, columns: Integers, weights: Floats) -> None:
        import numpy as np

        self.order = order = np.lexsort((columns, rows))
        self.rows, self.columns, self.weights = rows[order], columns[order], weights[order]
        self.whole: Integers = np.rint(np.ldexp(self.weights, BITS - frexp(float(weights.max()))[1])).astype(np.int64)
        self.by_column = np.argsort(self.columns, kind="stable")
        self.row_starts, self.column_starts = (
            np.flatnonzero(np.diff(names, prepend=-1)) for names in (self.rows, self.columns[self.by_column])
        )
        self.shape = len(self.row_starts), len(self.column_starts)
        self.price, self.column_price = self._least_prices(np.zeros(self.shape[1], dtype=np.int64))
        self.column_of = self._assigned_in_tight()
        if self._left_out() > FEW * sum(self.shape):
            with np.errstate(all="ignore"):
                self._take_soft_prices()

    def best_assignment(self) -> Integers:
        """Which cells are assigned once nothing is left out that has a price."""
        import numpy as np

        column_of: list[int] = self.column_of.tolist()
        row_of = [-1] * self.shape[1]
        for i, j in enumerate(column_of):
            if j >= 0:
                row_of[j] = i
        prices, column_prices = self.price.tolist(), self.column_price.tolist()
        edges: Edges = []  # made if they are needed: they take a hundred bytes a cell
        for i, price in enumerate(prices):
            if column_of[i] < 0 and price:
                edges = edges or self._edges(self.rows, self.columns, column_prices)
                _assign_one(i, edges, prices, column_prices, column_of, row_of)
        edges = []
        for j, price in enumerate(column_prices):
            if row_of[j] < 0 and price:
                edges = edges or self._edges(self.columns, self.rows, prices)
                _assign_one(j, edges, column_prices, prices, row_of, column_of)
        return np.flatnonzero(self.columns == np.array(column_of)[self.rows])

    def _edges(self, ours: Integers, others: Integers, other_prices: list[int]) -> Edges:
        """For each row its cells, those with the least slack first. (Or for each column, with all turned.)"""
        import numpy as np

        least = np.array(other_prices)[others] - self.whole
        order = np.lexsort((least, ours))
        arrays: Any = least[order], others[order], self.whole[order]
        cells = list(zip(*(array.tolist() for array in arrays), strict=True))
        ends = np.cumsum(np.bincount(ours)).tolist()
        return [cells[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _slack(self) -> Integers:
        """U + v − weight: 0 in tight cells."""
        slack: Integers = self.price[self.rows] + self.column_price[self.columns] - self.whole
        return slack

    def _row_prices(self, column_prices: Integers) -> Integers:
        """The least prices of rows, given those of columns."""
        import numpy as np

        prices: Integers = np.maximum.reduceat(self.whole - column_prices[self.columns], self.row_starts)
        return np.maximum(prices, 0)

    def _least_prices(self, column_prices: Integers) -> tuple[Integers, Integers]:
        """The least prices of rows, given those of columns, and of columns, given those of rows."""
        import numpy as np

        rows = self._row_prices(column_prices)
        missing = (self.whole - rows[self.rows])[self.by_column]
        columns = np.maximum(np.maximum.reduceat(missing, self.column_starts), 0)
        return self._row_prices(columns), columns

    def _assigned_in_tight(self) -> Integers:
        """For each row its column in a largest assignment of tight cells, or -1."""
        import numpy as np
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        tight = np.flatnonzero(self._slack() == 0)
        places = self.rows[tight], self.columns[tight]
        graph = csr_array((np.ones(len(tight), dtype=np.int8), places), shape=self.shape)
        return maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)  # type: ignore[no-any-return]

    def _left_out(self) -> int:
        """How many rows and columns are not assigned although they have a price."""
        import numpy as np

        unassigned = np.ones(self.shape[1], dtype=bool)
        unassigned[self.column_of[self.column_of >= 0]] = False
        rows, columns = (self.column_of < 0) & (self.price > 0), unassigned & (self.column_price > 0)
        return int(rows.sum() + columns.sum())

    def _take_soft_prices(self) -> None:
        """Prices at which rows and columns, each choosing softly among its cells, agree: Sinkhorn's iteration.

        The softer the choice, the faster they agree; the harder it is, the nearer prices are to the best. What they
        have agreed on is kept as prices, so that the next choice begins with it and no power grows too large.
        """
        import numpy as np

        unit, most = int(np.gcd.reduce(self.whole)), int(self.whole.max())
        weights = self.whole / most
        rows_by_column = self.rows[self.by_column]
        prices, column_prices = (np.zeros(size) for size in self.shape)
        for softness in SOFTNESS:
            if softness * most < ENOUGH * unit:
                break
            attraction = np.exp((weights - prices[self.rows] - column_prices[self.columns]) / softness)
            attraction_by_column = attraction[self.by_column]
            staying, column_staying = np.exp(-prices / softness), np.exp(-column_prices / softness)
            of_column = np.ones(self.shape[1])
            for _ in range(ROUNDS):
                chosen = np.add.reduceat(attraction * of_column[self.columns], self.row_starts)
                of_row = 1 / np.maximum(staying + chosen, TINY)
                of_row *= level((staying * of_row).sum(), (column_staying * of_column).sum(), self.shape)
                chosen = np.add.reduceat(attraction_by_column * of_row[rows_by_column], self.column_starts)
                of_column = 1 / np.maximum(column_staying + chosen, TINY)
            prices, column_prices = prices - softness * np.log(of_row), column_prices - softness * np.log(of_column)
        # Some of the best prices are multiples of what all weights are multiples of. Wherever between such multiples
        # prices are rounded up or down, rows and columns in opposite directions, best ones stay best.
        # (No price need be above the largest weight; should powers have grown too large, any prices will do.)
        units = np.clip(np.nan_to_num(column_prices), 0, 1) * (most / unit)
        rounded = [np.maximum(np.ceil(units - part), 0).astype(np.int64) * unit for part in PARTS]
        price, column_price = min(map(self._least_prices, rounded), key=lambda both: _total(*both))
        if _total(price, column_price) < WORTH * _total(self.price, self.column_price):
            self.price, self.column_price = price, column_price
            self.column_of = self._assigned_in_tight()


def level(rows: float, columns: float, shape: tuple[int, int]) -> float:
    """The x with x · rows − columns / x = all rows − all columns, of so many rows and columns that stay unassigned.

    Then equally many of both are assigned. If all rows are dearer and all columns cheaper, hardly anything else
    changes, so that they would come to agree on this last.
    """
    more = shape[0] - shape[1]
    both = sqrt(more * more + 4 * rows * columns) + abs(more)
    if not rows or not columns or not both:
        return 1.0
    return float(both / (2 * rows) if more >= 0 else 2 * columns / both)


def _total(*prices: Integers) -> float:
    return sum([float(of_side.sum(dtype=float)) for of_side in prices])


def _assign_one(
    start: int, edges: Edges, prices: list[int], other_prices: list[int], partner: list[int], other_partner: list[int]
) -> None:
    """Assign a row that has a price, or bring its price down to 0, along a shortest path.

    A path leads through cells and back through assigned ones; its length is the sum of slacks. It ends in a column
    that is free, or in a row that gives up its column, which is as long again as its price. (Columns are assigned
    likewise, rows and columns turned.)
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
