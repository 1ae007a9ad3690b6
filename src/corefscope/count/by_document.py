"""Best totals of many cells: max Σ weight over one-to-one assignments, of all documents at once.

Cells that certainly belong to a best assignment are taken first, in rounds over all cells. What is left falls into
connected components: the large ones are solved with NumPy and SciPy, the others in plain Python. No assignment of one
that is too large for it is sought: it gets two bounds.
"""

from __future__ import annotations

from itertools import pairwise

from ..base.annotations import Any
from ..base.record import Record
from .best_total import best_total
from .large_total import best_assignment, sizes_of_components

SMALL = 5000  # cells; so few are left to plain Python
KERNEL_LIMIT = 1_000_000
"""The most cells of one connected component whose best total is found; of more, it gets bounds."""


class Interval(Record):
    """A total that is at least ``low`` and at most ``high``; numbers, or arrays with one for each document."""

    low: Any
    high: Any

    @property
    def is_open(self) -> bool:
        """Whether the total is not known."""
        different: Any = self.low != self.high
        return bool(different if isinstance(different, bool) else different.any())


class Choice(Record):
    """Cells by how a best assignment chooses among them; cells are named by their number."""

    certain: list[Any]
    """Those that are taken for certain: first those alone in row and column, then one round after the other."""
    solved: Any
    """Those taken of large components."""
    rest: Any
    """Those that are left to be searched: all cells of small components."""


def choose(rows: Any, columns: Any, weights: Any) -> Choice:
    """Part cells by how a best assignment chooses among them. Rows and columns are numbers from 0 on."""
    alone, left = _alone(rows, columns)
    taken, still = take_certain(rows[left], columns[left], weights[left])
    certain, rest = [alone, *(left[cells] for cells in taken)], left[still]
    solved = rest[:0]
    if len(rest) > SMALL:
        large = sizes_of_components(rows[rest], columns[rest]) > SMALL
        if large.any():
            solved, rest = rest[large], rest[~large]
            solved = solved[best_assignment(rows[solved], columns[solved], weights[solved])]
    return Choice(certain, solved, rest)


def best_by_document(
    size: int, documents: Any, rows: Any, columns: Any, weights: Any, kernel_limit: int = KERNEL_LIMIT
) -> Interval:
    """Max Σ weight of each of so many documents; entities of different documents have different numbers."""
    import numpy as np

    whole, weights = weights.dtype.kind != "f", weights.astype(float)
    choice = choose(rows, columns, weights)
    taken = np.concatenate([*choice.certain, choice.solved])
    totals = np.bincount(documents[taken], weights=weights[taken], minlength=size).astype(float)
    rest = choice.rest[np.argsort(documents[choice.rest], kind="stable")]
    cells = list(zip(*(array[rest].tolist() for array in (rows, columns, weights)), strict=True))
    starts = np.flatnonzero(np.diff(documents[rest], prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(cells)]):
        totals[documents[rest[start]]] += best_total(cells[start:end])
    if whole:
        totals = totals.astype(np.int64)
    return Interval(totals, totals)


def _alone(rows: Any, columns: Any) -> tuple[Any, Any]:
    """The cells that are the only one of their row and of their column, and all others."""
    import numpy as np

    alone = (np.bincount(rows)[rows] == 1) & (np.bincount(columns)[columns] == 1)
    return np.flatnonzero(alone), np.flatnonzero(~alone)


def take_certain(rows: Any, columns: Any, weights: Any) -> tuple[list[Any], Any]:
    """Take cells that belong to some best assignment, in rounds: those of each round, and the cells left over.

    A cell is taken if it weighs at least as much as the best others of its row and of its column together.
    """
    import numpy as np

    rounds: list[Any] = []
    by_row, by_column = np.argsort(rows, kind="stable"), np.argsort(columns, kind="stable")
    alive = np.ones(len(weights), dtype=bool)
    while len(by_row) > SMALL:
        leaders, rivals = _leaders(rows, weights, by_row)
        column_leaders, column_rivals = _leaders(columns, weights, by_column)
        number_of = np.zeros(int(columns.max()) + 1, dtype=np.int64)  # of a column among those that have leaders
        number_of[columns[column_leaders]] = np.arange(len(column_leaders))
        column = number_of[columns[leaders]]
        leads_both = column_leaders[column] == leaders
        taken = leaders[leads_both & (weights[leaders] >= rivals + column_rivals[column])]
        if not len(taken):
            break
        rounds.append(taken)
        alive &= ~(_marked(rows, taken) | _marked(columns, taken))
        by_row, by_column = by_row[alive[by_row]], by_column[alive[by_column]]
    return rounds, np.flatnonzero(alive)


def _leaders(names: Any, weights: Any, order: Any) -> tuple[Any, Any]:
    """Of the cells in ``order``, grouped by name: which one leads each group, and the best other weight there."""
    import numpy as np

    grouped = names[order]
    starts = np.flatnonzero(np.concatenate(([True], grouped[1:] != grouped[:-1])))
    del grouped  # all that is as long as the cells is large
    heavy = weights[order]
    most = np.repeat(np.maximum.reduceat(heavy, starts), np.diff(starts, append=len(order)))
    best = np.flatnonzero(heavy == most)
    first = best[np.searchsorted(best, starts)]
    heavy[first] = 0.0
    return order[first], np.maximum.reduceat(heavy, starts)


def _marked(names: Any, taken: Any) -> Any:
    """The cells that have a row (or column) in common with those taken."""
    import numpy as np

    mark = np.zeros(int(names.max()) + 1, dtype=bool)
    mark[names[taken]] = True
    return mark[names]
