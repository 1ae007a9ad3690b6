"""Best one-to-one assignment of rows to columns, for sparse non-negative weights: how much in total?

No pairs are needed, so every cell that is certain to be part of some best assignment is taken first, and only what
is left is solved, one connected component after the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.components import components
from ..base.numbers import in_order
from ..match.assignment import assign

LARGE = 3000  # cells of a component; from here on NumPy and SciPy are worth their import


def best_total(cells: Iterable[tuple[int, int, float]]) -> float:
    """Σ of the weights of a best one-to-one assignment; cells are (row, column, weight).

    A cell that weighs at least as much as the best other cell of its row and the best other cell of its
    column together belongs to some best assignment: taking it and crossing out its row and column loses
    nothing. When no such cell is left, each connected component of what remains is solved by itself.

    >>> best_total([(0, 0, 3.0), (0, 1, 2.0), (1, 0, 2.0)])
    4.0
    """
    by_row: dict[int, dict[int, float]] = {}
    by_column: dict[int, dict[int, float]] = {}
    for i, j, weight in cells:
        by_row.setdefault(i, {})[j] = weight
        by_column.setdefault(j, {})[i] = weight
    total = _take_certain_cells(by_row, by_column)
    rows = list(by_row.values())
    del by_row, by_column  # what is left is solved with copies of its own
    for group in components(rows) if rows else ():
        total += _solve([rows[i] for i in group])
    return total


def _take_certain_cells(by_row: dict[int, dict[int, float]], by_column: dict[int, dict[int, float]]) -> float:
    """The weight of the cells that are certain; they are taken out, with their rows and columns."""
    total = 0.0
    waiting = dict.fromkeys(by_row)  # a stack: a row that is put on it again moves to the top
    while waiting:
        i, _ = waiting.popitem()
        row = by_row.get(i)
        if row is None:
            continue
        # Only the heaviest cell of a row can be certain; what it would push out is the best other cell of its row
        # and the best other cell of its column.
        j, weight, other_of_row, other_of_column = -1, -1.0, 0.0, 0.0
        for name, found in row.items():
            if found > weight:
                j, weight, other_of_row = name, found, max(weight, 0.0)
            elif found > other_of_row:
                other_of_row = found
        for name, found in by_column[j].items():
            if found > other_of_column and name != i:
                other_of_column = found
        if weight < other_of_row + other_of_column:
            continue
        total += weight
        # Cross out the row and the column. Rows that lose a competitor may have a certain cell now: look again, first
        # at the last of them. They are found from the last to the first, until all rows there are have been found.
        again: dict[int, None] = {}
        columns = by_row.pop(i)
        for other in reversed(by_column.pop(j)):
            if other != i:
                del by_row[other][j]
                if by_row[other]:
                    again[other] = None
                else:
                    del by_row[other]
        for other in reversed(columns):
            if other != j:
                left = by_column[other]
                del left[i]
                if len(again) < len(by_row):
                    again |= dict.fromkeys(reversed(left))
        for other in reversed(again):
            waiting.pop(other, None)
            waiting[other] = None
    return total


def _solve(rows: list[dict[int, float]]) -> float:
    """The best total of one component: small ones right here, large ones with NumPy and SciPy."""
    numbers: dict[int, int] = {}
    for row in rows:
        for j in row:
            numbers.setdefault(j, len(numbers))
    if sum(map(len, rows)) > LARGE:
        try:
            return _solve_large(rows, numbers)
        except ModuleNotFoundError:  # as in a browser: it takes longer
            pass
    local = [{numbers[j]: weight for j, weight in row.items()} for row in rows]
    return in_order([local[i][j] for i, j in assign(local, len(numbers))])


def _solve_large(rows: list[dict[int, float]], numbers: dict[int, int]) -> float:
    import numpy as np

    from .large_total import best_of_many

    i = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    j = np.fromiter([numbers[j] for row in rows for j in row], dtype=np.int64)
    weights = np.fromiter([weight for row in rows for weight in row.values()], dtype=np.float64)
    some = weights > 0
    return best_of_many(i[some], j[some], weights[some])
