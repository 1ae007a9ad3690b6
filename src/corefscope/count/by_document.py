"""Best totals of many cells: max Σ weight over one-to-one assignments, of all documents at once.

Cells that certainly belong to a best assignment are taken first, in rounds over all cells. What is left falls into
connected components: the large ones are solved with NumPy and SciPy, the others in plain Python. No assignment of one
that is too large for it is sought: it gets two bounds.
"""

from __future__ import annotations

from itertools import pairwise
from math import fsum
from typing import Any, NamedTuple

from ..scale.histogram import stable_order, stably_sorted
from .best_total import best_total
from .bounds import bound
from .large_total import best_assignment, components_of

SMALL = 5000  # cells; so few are left to plain Python
HARDLY = 1000  # times as many cells as a round takes are left: it took hardly any
MANY = 1000  # cells of a document: errors of so many sums would be seen
KERNEL_LIMIT = 1_000_000
"""The most cells of one connected component whose best total is found; of more, it gets bounds."""


class Between(NamedTuple):
    """A total that is at least ``low`` and at most ``high``; numbers, or arrays with one for each document."""

    low: Any
    high: Any

    @property
    def is_open(self) -> bool:
        """Whether the total is not known."""
        different: Any = self.low != self.high
        return bool(different if isinstance(different, bool) else different.any())


class Choice(NamedTuple):
    """Cells by how a best assignment chooses among them; cells are named by their number."""

    certain: list[Any]
    """Those that are taken for certain: first those alone in row and column, then one round after the other."""
    solved: Any
    """Those taken of large components."""
    rest: Any
    """Those that are left to be searched: all cells of small components."""
    bounded: list[Bounded]
    """Components that are too large to be solved; what is taken of them is among those that are ``solved``."""


class Bounded(NamedTuple):
    """A component that is too large to be solved."""

    cell: int
    """One of its cells."""
    excess: float
    """By how much its best total may be above that of the cells taken."""


def choose(rows: Any, columns: Any, weights: Any, kernel_limit: int) -> Choice:
    """Part cells by how a best assignment chooses among them. Rows and columns are numbers from 0 on."""
    import numpy as np

    alone, left = _alone(rows, columns)
    taken, still = take_certain(rows[left], columns[left], weights[left], kernel_limit)
    certain, rest = [alone, *(left[cells] for cells in taken)], left[still]
    solved, bounded = rest[:0], []
    if len(rest) > min(SMALL, kernel_limit):
        components = components_of(rows[rest], columns[rest])
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
    size: int, documents: Any, rows: Any, columns: Any, weights: Any, kernel_limit: int = KERNEL_LIMIT
) -> Between:
    """Max Σ weight of each of so many documents; entities of different documents have different numbers."""
    import numpy as np

    whole, weights = weights.dtype.kind != "f", weights.astype(float)
    choice = choose(rows, columns, weights, kernel_limit)
    taken = np.concatenate([*choice.certain, choice.solved])
    low = _sums(size, documents[taken], weights[taken])
    rest = choice.rest[np.argsort(documents[choice.rest], kind="stable")]
    cells = list(zip(*(array[rest].tolist() for array in (rows, columns, weights)), strict=True))
    starts = np.flatnonzero(np.diff(documents[rest], prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(cells)]):
        low[documents[rest[start]]] += best_total(cells[start:end])
    high = low.copy()
    for cell, excess in choice.bounded:
        high[documents[cell]] += excess
    return Between(low.astype(np.int64), high.astype(np.int64)) if whole else Between(low, high)


def _sums(size: int, documents: Any, weights: Any) -> Any:
    """Σ weight by document; of a document that has many cells, rounded once."""
    import numpy as np

    if len(weights) < MANY * size:
        return np.bincount(documents, weights=weights, minlength=size).astype(float)
    order = stable_order(documents)
    ends = np.cumsum(np.bincount(documents, minlength=size))[:-1]
    return np.array([fsum(of_one.tolist()) for of_one in np.split(weights[order], ends)])


def _alone(rows: Any, columns: Any) -> tuple[Any, Any]:
    """The cells that are the only one of their row and of their column, and all others."""
    import numpy as np

    alone = (np.bincount(rows)[rows] == 1) & (np.bincount(columns)[columns] == 1)
    return np.flatnonzero(alone), np.flatnonzero(~alone)


def take_certain(rows: Any, columns: Any, weights: Any, kernel_limit: int = KERNEL_LIMIT) -> tuple[list[Any], Any]:
    """Take cells that belong to some best assignment, in rounds: those of each round, and the cells left over.

    A cell is taken if it weighs at least as much as the best others of its row and of its column together. Of very
    many cells, rounds end when they take hardly any.
    """
    import numpy as np

    rounds: list[Any] = []
    # Cells in the order of rows, and once more in that of columns: to look cells up in another order is slow.
    order, of_rows = stably_sorted(rows)
    by_row = order, of_rows, columns[order], weights[order]
    order, of_columns = stably_sorted(columns)
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
        taken = leaders[leads_both & (by_row[3][leaders] >= rivals + rival[column])]
        if not len(taken):
            break
        rounds.append(cells[taken])
        gone, columns_gone = np.zeros(int(of_rows[-1]) + 1, dtype=bool), np.zeros(most, dtype=bool)
        gone[of_rows[taken]] = columns_gone[of_columns[taken]] = True
        by_row = _without(gone, columns_gone, *by_row)
        if len(by_row[0]) > max(kernel_limit, HARDLY * len(taken)):
            break
        by_column = _without(gone, columns_gone, *by_column)
    return rounds, np.sort(by_row[0])


def _leaders(names: Any, weights: Any) -> tuple[Any, Any]:
    """Of cells grouped by name: which one leads each group, and the best other weight there."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], names[1:] != names[:-1])))
    most = np.repeat(np.maximum.reduceat(weights, starts), np.diff(starts, append=len(names)))
    best = np.flatnonzero(weights == most)
    del most  # all that is as long as the cells is large
    first = best[np.searchsorted(best, starts)]
    others = weights.copy()
    others[first] = 0.0
    return first, np.maximum.reduceat(others, starts)


def _without(gone: Any, columns_gone: Any, cells: Any, rows: Any, columns: Any, weights: Any) -> tuple[Any, ...]:
    """The cells that have no row (and no column) in common with those taken."""
    import numpy as np

    touched = gone[rows]
    touched |= columns_gone[columns]
    left = np.flatnonzero(~touched)
    return cells[left], rows[left], columns[left], weights[left]
