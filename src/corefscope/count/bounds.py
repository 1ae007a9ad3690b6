"""Two bounds of a best total: Σ of the weights of some assignment ≤ max Σ ≤ Σ of prices of rows and columns.

For kernels too large to be solved (:mod:`corefscope.count.large_total` explains prices, and finds the total of
smaller ones). Everything here is a limited number of passes over all cells, so time and memory grow as their number
does. Prices are those at which rows and columns agree, choosing softly. Cells whose prices are no higher than their
weight are assigned first, as many as can be; then rows that are left out bid for columns: an auction.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

from ..scale.histogram import stably_sorted
from .large_total import level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

CLOSE = 0.008  # of the upper bound: bounds that are so near need no better prices
STAGES = ((0.32, 2), (0.08, 5), (0.025, 9)), ((0.01, 20),), ((0.005, 40),)
"""How softly is chosen, as a part of a typical price, and for how many rounds; after each stage there are bounds."""
WORK = 3  # passes over all cells: how long rows bid
ROUND, ROUNDS = 2000, 1000  # cells: what every round of bids costs besides; so many rounds are always granted
PATHS = 6  # rounds of paths through tight cells
LONGEST = 50  # cells of a path
CHOICES = 50  # rounds in which rows choose scarce columns
GOLDEN, SILVER = 0.6180339887498949, 0.41421356237309515  # of which no multiples are alike, to break ties
TINY = 1e-30  # what is divided by is not less
LARGEST = 60  # of an exponent
UNASSIGNED = -1


class Bounds(NamedTuple):
    """A certain total and a certain limit."""

    chosen: Integers
    """The cells of an assignment."""
    high: float
    """No assignment weighs more."""


def bound(rows: Integers, columns: Integers, weights: Floats) -> Bounds:
    """Bounds of max Σ weight over assignments; weights are above 0, and no cell stands twice.

    >>> import numpy as np
    >>> bound(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]))
    Bounds(chosen=array([1, 2]), high=4.0)
    """
    import numpy as np

    rows, columns = _dense(rows), _dense(columns)
    if rows.max() > 1.1 * columns.max():  # the fewer bid for the more, or most of them would bid in vain
        rows, columns = columns, rows
    kernel = _Kernel(rows, columns, weights)
    prices = kernel.least_prices(np.zeros(kernel.shape[1]))
    high = kernel.total(prices)
    best = kernel.assigned(prices)
    low = kernel.weight(best)
    stages = kernel.soft_prices()
    while low < (1 - CLOSE) * high and (stage := next(stages, None)):
        softness, column_prices = stage
        prices = kernel.least_prices(column_prices)
        high = min(high, kernel.total(prices))
        column_of, bids = kernel.auction(prices, kernel.assigned(prices), softness)
        high = min(high, kernel.total(kernel.least_prices(bids)))
        if (weight := kernel.weight(column_of)) > low:
            best, low = column_of, weight
    return Bounds(np.sort(kernel.order[kernel.cells(best)]), high)


Prices = tuple[Any, Any]
"""Of rows and of columns: for every cell, the two together are at least its weight (but for rounding)."""


class _Kernel:
    """The cells in the order of rows; all rows and columns, from 0 on, have one."""

    def __init__(self, rows: Integers, columns: Integers, weights: Floats) -> None:
        import numpy as np

        self.order, self.rows = stably_sorted(rows)
        self.columns, self.weights = columns[self.order], weights[self.order]
        self.row_starts = _starts(self.rows)
        self.row_sizes = np.diff(self.row_starts, append=len(rows))
        self.by_column, columns_sorted = stably_sorted(self.columns)
        self.rows_by_column = self.rows[self.by_column]
        self.weights_by_column = self.weights[self.by_column]
        self.column_starts = _starts(columns_sorted)
        self.shape = len(self.row_starts), len(self.column_starts)
        self.most = float(weights.max())
        self.unit = float(np.gcd.reduce(weights.astype(np.int64))) if (weights == np.floor(weights)).all() else 0.0

    def row_prices(self, column_prices: Floats) -> Floats:
        """The least prices of rows, given those of columns."""
        import numpy as np

        prices: Floats = np.maximum.reduceat(self.weights - column_prices[self.columns], self.row_starts)
        return np.maximum(prices, 0, out=prices)

    def least_prices(self, column_prices: Floats) -> Prices:
        """The least prices of rows, given those of columns, and of columns, given those of rows."""
        import numpy as np

        rows = self.row_prices(column_prices)
        columns = np.maximum.reduceat(self.weights_by_column - rows[self.rows_by_column], self.column_starts)
        np.maximum(columns, 0, out=columns)
        return self.row_prices(columns), columns

    def total(self, prices: Prices) -> float:
        """Σ of prices, and of all that rounding may have taken off them.

        Each price of a row is a difference, wrong by 2⁻⁵³ of it at most, and no price is above the largest weight; a
        sum in pairs is wrong by 2⁻⁵³ for each of its at most 64 levels. If weights are multiples of something, so is
        the best total.
        """
        total = float(prices[0].sum()) + float(prices[1].sum())
        high = total * (1 + 2.0**-46) + self.shape[0] * self.most * 2.0**-51
        return floor(high / self.unit) * self.unit if self.unit else high

    def cells(self, column_of: Integers) -> Integers:
        """The cells that are assigned."""
        import numpy as np

        return np.flatnonzero(column_of[self.rows] == self.columns)

    def weight(self, column_of: Integers) -> float:
        """Σ of the weights that are assigned."""
        return float(self.weights[self.cells(column_of)].sum())

    def soft_prices(self) -> Iterator[tuple[float, Floats]]:
        """Prices of columns at which rows and columns, each choosing softly among its cells, agree; ever less softly.

        Sinkhorn's iteration, as in :mod:`corefscope.count.large_total`, in short numbers: nothing depends on digits.
        """
        import numpy as np

        typical = float(np.maximum.reduceat(self.weights, self.row_starts).mean())
        weights = (self.weights / typical).astype(np.float32)
        prices, column_prices = (np.zeros(size, dtype=np.float32) for size in self.shape)
        for stage in STAGES:
            with np.errstate(all="ignore"):
                for softness, rounds in stage:
                    prices, column_prices = self._agreed(weights, prices, column_prices, softness, rounds)
            found = np.clip(np.nan_to_num(column_prices * typical), 0, self.most).astype(float)
            # Some of the best prices are multiples of what all weights are multiples of.
            yield softness * typical, np.ceil(found / self.unit - 0.5) * self.unit if self.unit else found

    def _agreed(self, weights: Any, prices: Any, column_prices: Any, softness: float, rounds: int) -> tuple[Any, Any]:
        """Prices after some rounds of choosing softly."""
        import numpy as np

        gain = weights - prices[self.rows] - column_prices[self.columns]
        attraction = np.exp(np.minimum(gain / np.float32(softness), LARGEST))
        by_column = attraction[self.by_column]
        staying, column_staying = np.exp(-prices / softness), np.exp(-column_prices / softness)
        of_column = np.ones_like(column_prices)
        for _ in range(rounds):
            chosen = np.add.reduceat(attraction * of_column[self.columns], self.row_starts)
            of_row = 1 / np.maximum(staying + chosen, TINY)
            of_row *= np.float32(level((staying * of_row).sum(), (column_staying * of_column).sum(), self.shape))
            chosen = np.add.reduceat(by_column * of_row[self.rows_by_column], self.column_starts)
            of_column = 1 / np.maximum(column_staying + chosen, TINY)
        return prices - softness * np.log(of_row), column_prices - softness * np.log(of_column)

    def assigned(self, prices: Prices) -> Integers:
        """For each row its column in an assignment of many tight cells, or −1."""
        import numpy as np

        tight = np.flatnonzero(prices[0][self.rows] + prices[1][self.columns] - self.weights <= self.most * 2.0**-40)
        rows, columns = self.rows[tight], self.columns[tight]
        column_of, row_of = _scarce_first(rows, columns, self.shape)
        graph = np.searchsorted(rows, np.arange(self.shape[0] + 1)), columns
        for _ in range(PATHS):
            roots = np.flatnonzero((column_of == UNASSIGNED) & (prices[0] > 0))
            if not len(roots) or not _reassign(roots, graph, column_of, row_of):
                break
        return column_of

    def auction(self, prices: Prices, column_of: Integers, step: float) -> tuple[Integers, Floats]:
        """Rows that have a price and no column bid for the column they gain most by; its row has to bid again.

        A bid is raised by a step at least. Also the prices that columns have in the end, 0 if nobody has them.
        """
        import numpy as np

        price, column_of = prices[1].copy(), column_of.copy()
        row_of = np.full(self.shape[1], UNASSIGNED)
        assigned = np.flatnonzero(column_of >= 0)
        row_of[column_of[assigned]] = assigned
        bidders = np.flatnonzero((column_of == UNASSIGNED) & (prices[0] > 0))
        work = WORK * len(self.rows) + ROUND * ROUNDS
        while len(bidders) and work > 0:
            cells, starts = _cells_of(self.row_starts[bidders], self.row_sizes[bidders])
            work -= len(cells) + ROUND
            columns = self.columns[cells]
            gain = self.weights[cells] - price[columns]
            most = np.maximum.reduceat(gain, starts)
            best = np.flatnonzero(gain == np.repeat(most, self.row_sizes[bidders]))
            best = best[np.searchsorted(best, starts)]
            gain[best] = 0
            second = np.maximum(np.maximum.reduceat(gain, starts), 0)
            wants = most > 0  # others are better off without
            bid_for, who = columns[best][wants], bidders[wants]
            bid = price[bid_for] + (most - second)[wants] + step
            order = np.argsort(bid, kind="stable")
            bid_for, who, bid = bid_for[order], who[order], bid[order]
            before = row_of[bid_for]
            row_of[bid_for], price[bid_for] = who, bid  # the last, highest bid stays
            won = row_of[bid_for] == who
            losers = before[won]
            losers = losers[losers >= 0]
            column_of[losers] = UNASSIGNED
            column_of[who[won]] = bid_for[won]
            bidders = np.concatenate([losers, who[~won]])
        price[row_of == UNASSIGNED] = 0
        return column_of, price


def _scarce_first(rows: Integers, columns: Integers, shape: tuple[int, int]) -> tuple[Integers, Integers]:
    """An assignment to which hardly any cell can be added: rows choose the column that fewest others can have.

    For each row its column, and for each column its row; −1 for none.
    """
    import numpy as np

    column_of, row_of = (np.full(size, UNASSIGNED) for size in shape)
    for _ in range(CHOICES):
        if not len(rows):
            break
        starts = _starts(rows)
        sizes = np.diff(starts, append=len(rows))
        others = np.bincount(columns)[columns] + (GOLDEN * rows + SILVER * columns) % 1
        fewest = np.flatnonzero(others == np.repeat(np.minimum.reduceat(others, starts), sizes))
        chosen = fewest[np.searchsorted(fewest, starts)]
        chosen = chosen[
            np.argsort(-sizes, kind="stable")
        ]  # of rows that choose the same, that with fewest cells gets it
        row_of[columns[chosen]] = rows[chosen]
        got = chosen[row_of[columns[chosen]] == rows[chosen]]
        column_of[rows[got]] = columns[got]
        free = (column_of[rows] == UNASSIGNED) & (row_of[columns] == UNASSIGNED)
        rows, columns = rows[free], columns[free]
    return column_of, row_of


def _reassign(roots: Integers, graph: tuple[Integers, Integers], column_of: Integers, row_of: Integers) -> int:
    """Give columns to rows that have none, along paths on which others change theirs; how many got one.

    From all roots at once: every column is reached once, so the trees of different roots have nothing in common, and
    each root takes one path at most.
    """
    import numpy as np

    starts, columns = graph
    reached_from = np.full(len(row_of), UNASSIGNED)
    root_of = np.full(len(column_of), UNASSIGNED)
    root_of[roots] = roots
    end_of = np.full(len(column_of), UNASSIGNED)  # by root, the free column in which its path ends
    rows = roots
    for _ in range(LONGEST):
        if not len(rows):
            break
        sizes = starts[rows + 1] - starts[rows]
        cells, _ = _cells_of(starts[rows], sizes)
        reached, by = columns[cells], np.repeat(rows, sizes)
        new = reached_from[reached] == UNASSIGNED
        reached, by = reached[new], by[new]
        reached_from[reached] = by
        first = reached_from[reached] == by
        reached, by = reached[first], by[first]
        free = row_of[reached] == UNASSIGNED
        end_of[root_of[by[free]]] = reached[free]
        reached, by = reached[~free], by[~free]
        rows = row_of[reached]
        root_of[rows] = root_of[by]
        rows = rows[end_of[root_of[rows]] == UNASSIGNED]
    ends = end_of[roots]
    ends = ends[ends >= 0]
    count = len(ends)
    while len(ends):
        rows = reached_from[ends]
        before = column_of[rows]
        column_of[rows], row_of[ends] = ends, rows
        ends = before[before >= 0]
    return count


def _cells_of(starts: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The cells of some rows, from where they begin and how many they are; and where each row begins among them."""
    import numpy as np

    ends = np.cumsum(sizes)
    begins = ends - sizes
    return np.repeat(starts - begins, sizes) + np.arange(ends[-1]), begins


def _starts(names: Integers) -> Integers:
    """Where runs of equal names begin."""
    import numpy as np

    return np.flatnonzero(np.concatenate(([True], names[1:] != names[:-1])))


def _dense(names: Integers) -> Integers:
    """Names without gaps, in the same order."""
    import numpy as np

    present = np.bincount(names) > 0
    dense: Integers = (np.cumsum(present) - 1)[names]
    return dense
