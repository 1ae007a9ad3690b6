"""Total weights of maximum-weight assignments of many documents at once, with NumPy.

Cells that certainly belong to a best assignment are taken first, in rounds over all cells. The other cells form
connected components: the large ones are solved with NumPy and SciPy, the small ones in plain Python.

A component of more than ``KERNEL_LIMIT`` cells gets two bounds: some assignment below, a dual bound above (prices are
explained in :mod:`.large_assignment`). They take a limited number of passes over all cells, so time and memory grow
linearly. Prices come from Sinkhorn's iteration. Cells whose prices are no higher than their weight are assigned
first, as many as can be; then rows that are left out bid for columns: an auction.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import floor, fsum
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.matching.assignment import best_total, is_certain
from ..core.numbers import Numeric
from .large_assignment import (
    Floats,
    Integers,
    PricedCells,
    Prices,
    best_assignment,
    find_components,
    find_starts,
    renumber,
)

CLOSE = 0.008  # of the upper bound: bounds that are so near need no better prices
STAGES = ((0.32, 2), (0.08, 5), (0.025, 9)), ((0.01, 20),), ((0.005, 40),)
"""How softly is chosen, as a part of a typical price, and for how many rounds; after each stage there are bounds."""
WORK = 3  # passes over all cells: how long rows bid
ROUND, ROUNDS = 2000, 1000  # cells: what every round of bids costs besides; so many rounds are always granted
PATHS = 6  # rounds of augmenting paths through tight cells
LONGEST = 50  # cells of a path
CHOICES = 50  # rounds in which rows choose scarce columns
GOLDEN, SILVER = 0.6180339887498949, 0.41421356237309515  # whose multiples differ, to break ties
UNASSIGNED = -1


def bound(rows: Integers, columns: Integers, weights: Floats) -> tuple[Integers, float]:
    """Find the cells of some assignment, and an upper bound of the largest total.

    Weights are above 0, and no cell is repeated.

    >>> bound(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]))
    (array([1, 2]), 4.0)
    """
    rows, columns = renumber(rows), renumber(columns)
    if rows.max() > 1.1 * columns.max():  # the fewer bid for the more, or most of them would bid in vain
        rows, columns = columns, rows
    component = _Component(rows, columns, weights)
    prices = component.least_prices(np.zeros(component.shape[1]))
    high = component.dual_bound(prices)
    best = component.assign_tight(prices)
    low = component.total(best)
    stages = component.soft_prices()
    while low < (1 - CLOSE) * high and (stage := next(stages, None)):
        softness, column_prices = stage
        prices = component.least_prices(column_prices)
        high = min(high, component.dual_bound(prices))
        column_of, bids = component.auction(prices, component.assign_tight(prices), softness)
        high = min(high, component.dual_bound(component.least_prices(bids)))
        if (total := component.total(column_of)) > low:
            best, low = column_of, total
    return np.sort(component.order[component.cells(best)]), high


class _Component(PricedCells):
    """The cells of one connected component, in the order of rows."""

    tiny: ClassVar[float] = 1e-30
    largest: ClassVar[float] = 60

    def __init__(self, rows: Integers, columns: Integers, weights: Floats) -> None:
        super().__init__(np.argsort(rows, kind="stable"), rows, columns, weights)
        self.row_sizes = np.diff(self.row_starts, append=len(rows))
        self.most = float(weights.max())
        self.unit = float(np.gcd.reduce(weights.astype(np.int64))) if (weights == np.floor(weights)).all() else 0.0

    def dual_bound(self, prices: Prices) -> float:
        """Add up prices, and all that rounding may have taken off them.

        Each price of a row is a difference, wrong by 2⁻⁵³ of it at most, and no price is above the largest weight; a
        sum in pairs is wrong by 2⁻⁵³ for each of its at most 64 levels. If weights are multiples of something, so is
        the best total.
        """
        total = float(prices[0].sum()) + float(prices[1].sum())
        high = total * (1 + 2.0**-46) + self.shape[0] * self.most * 2.0**-51
        return floor(high / self.unit) * self.unit if self.unit else high

    def cells(self, column_of: Integers) -> Integers:
        """List the cells that are assigned."""
        return np.flatnonzero(column_of[self.rows] == self.columns)

    def total(self, column_of: Integers) -> float:
        """Sum the weights that are assigned."""
        return float(self.weights[self.cells(column_of)].sum())

    def soft_prices(self) -> Iterator[tuple[float, Floats]]:
        """Yield the prices of columns by Sinkhorn's iteration, of ever harder choices.

        32-bit numbers are enough: nothing depends on the last digits.
        """
        typical = float(np.maximum.reduceat(self.weights, self.row_starts).mean())
        weights = (self.weights / typical).astype(np.float32)
        prices: Prices = np.zeros(self.shape[0], dtype=np.float32), np.zeros(self.shape[1], dtype=np.float32)
        for stage in STAGES:
            with np.errstate(all="ignore"):
                for softness, rounds in stage:
                    prices = self.soften(weights, prices, softness, rounds)
            found = np.clip(np.nan_to_num(prices[1] * typical), 0, self.most).astype(float)
            # Some of the best prices are multiples of what all weights are multiples of.
            yield softness * typical, np.ceil(found / self.unit - 0.5) * self.unit if self.unit else found

    def assign_tight(self, prices: Prices) -> Integers:
        """Find for each row its column in an assignment of many tight cells, or −1."""
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
        """Auction columns: rows that have a price and no column bid for the column they gain most by.

        The row that loses a column bids again. A bid is raised by a step at least. Returns for each row its column,
        and the prices of columns, 0 if they are unassigned.
        """
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
    """Assign greedily: rows choose the column that fewest others can have, until hardly any cell can be added.

    Returns for each row its column, and for each column its row; −1 for none.
    """
    column_of, row_of = (np.full(size, UNASSIGNED) for size in shape)
    for _ in range(CHOICES):
        if not len(rows):
            break
        starts = find_starts(rows)
        sizes = np.diff(starts, append=len(rows))
        others = np.bincount(columns)[columns] + (GOLDEN * rows + SILVER * columns) % 1
        fewest = np.flatnonzero(others == np.repeat(np.minimum.reduceat(others, starts), sizes))
        chosen = fewest[np.searchsorted(fewest, starts)]
        # Of rows that choose the same column, the one with fewest cells gets it.
        chosen = chosen[np.argsort(-sizes, kind="stable")]
        row_of[columns[chosen]] = rows[chosen]
        got = chosen[row_of[columns[chosen]] == rows[chosen]]
        column_of[rows[got]] = columns[got]
        free = (column_of[rows] == UNASSIGNED) & (row_of[columns] == UNASSIGNED)
        rows, columns = rows[free], columns[free]
    return column_of, row_of


def _reassign(roots: Integers, graph: tuple[Integers, Integers], column_of: Integers, row_of: Integers) -> int:
    """Assign rows that have no column along augmenting paths; return how many got one.

    All roots search at once: every column is reached once, so the trees of different roots have nothing in common,
    and each root takes one path at most.
    """
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
    """List the cells of some rows, given their starts and sizes; and where each row starts in the list."""
    ends = np.cumsum(sizes)
    begins = ends - sizes
    return np.repeat(starts - begins, sizes) + np.arange(ends[-1]), begins


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
    bounded: list[tuple[int, float]]
    """Components that are too large to be solved: one cell of each, and by how much its best total may be above that
    of the cells taken, which are among those that are ``solved``."""


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
            bounded.append((int(cells[0]), max(high - fsum(weights[chosen[-1]].tolist()), 0.0)))
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
    order = np.argsort(documents, kind="stable")
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
    by_row, by_column = (
        (order, rows[order], columns[order], weights[order])
        for order in (np.argsort(side, kind="stable") for side in (rows, columns))
    )
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
