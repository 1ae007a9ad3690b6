"""Maximum-weight assignment where nearly every pair has a weight, with SciPy's choice among ties.

:func:`assign_dense` holds a few rows at a time and not the whole matrix. It does best where most rows find a free
column at once, as in dense groups of mentions. Where they do not, SciPy takes over, as long as the matrix fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.matching.assignment.sparse import DENSE, Row

Line = Callable[[int], NDArray[np.float64] | NDArray[np.int64]]
"""From the number of a row, or of a column, to its weights."""

PATIENCE = 4  # rows looked at for each row assigned, before SciPy takes over


def assign_dense(row: Line, column: Line, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """Choose the pairs (row, column) of positive weight that SciPy chooses; weights are 0 or more.

    >>> weights = np.array([[1.0, 1.0], [0.0, 1.0]])
    >>> assign_dense(lambda i: weights[i], lambda j: weights[:, j], weights.shape)
    [(0, 0), (1, 1)]
    """
    rows, columns = shape
    if rows > columns:
        return sorted((i, j) for j, i in assign_dense(column, row, (columns, rows)))
    fits = rows * columns <= DENSE
    chosen = _Assignment(row, rows, columns).solve(PATIENCE * rows if fits else None)
    if chosen is None:
        return assign_matrix(np.array([row(i) for i in range(rows)], dtype=float))
    return [(i, j) for i, j in enumerate(chosen) if row(i)[j] > 0]


def assign_rows(rows: Sequence[Row], columns: int) -> list[tuple[int, int]]:
    """Choose the same pairs from sparse rows, by a matrix. Rows may be the same object."""
    matrix = np.zeros((len(rows), columns))
    filled: dict[int, int] = {}
    for i, row in enumerate(rows):
        first = filled.setdefault(id(row), i)
        if first == i:
            matrix[i, list(row)] = list(row.values())
        else:
            matrix[i] = matrix[first]
    return assign_matrix(matrix)


def assign_matrix(weights: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Choose the same pairs from a matrix, which is overwritten."""
    from scipy.optimize import linear_sum_assignment

    costs = np.negative(weights, out=weights)
    chosen = zip(*(side.tolist() for side in linear_sum_assignment(costs)), strict=True)
    return [(i, j) for i, j in chosen if costs[i, j] < 0]


class _Assignment:
    """The Jonker-Volgenant algorithm in Crouse's rectangular form, in SciPy's order of operations.

    For one row after the other, a shortest path to a free column is found and the assignment is changed along it.
    """

    def __init__(self, row: Line, rows: int, columns: int) -> None:
        self._row = row
        self._rows, self._columns = rows, columns
        self._row_potential = [0.0] * rows
        self._column_potential = np.zeros(columns)
        self._column_of = [-1] * rows
        self._row_of = np.full(columns, -1)
        self._looked = 0

    def solve(self, patience: int | None) -> list[int] | None:
        """Find for each row its column; None if that takes more looks at rows than ``patience``."""
        for start in range(self._rows):
            self._assign(start)
            if patience is not None and self._looked > patience:
                return None
        return self._column_of

    def _assign(self, start: int) -> None:
        # The columns that remain are scanned from the last to the first.
        remaining = np.arange(self._columns - 1, -1, -1)
        distance = np.full(self._columns, np.inf)
        came_from = np.full(self._columns, -1)
        visited: list[int] = []
        taken: list[int] = []
        i, nearest = start, 0.0
        while True:
            visited.append(i)
            reached = nearest - self._row(i) - self._row_potential[i] - self._column_potential
            if taken:
                nearer = reached < distance
                nearer[taken] = False
                distance[nearer], came_from[nearer] = reached[nearer], i
            else:
                distance, came_from[:] = reached, i
            left = remaining[: self._columns - len(taken)]
            distances = distance[left]
            nearest = float(distances.min())
            slots = np.flatnonzero(distances == nearest)
            free = slots[self._row_of[left[slots]] < 0]
            # Of several equally near columns the last free one, or the first if none is free.
            slot = int(free[-1] if len(free) else slots[0])
            j = int(left[slot])
            taken.append(j)
            left[slot] = left[-1]
            if len(free):
                break
            i = int(self._row_of[j])
        self._looked += len(visited)
        # New potentials: what the path passed is lifted to the level of its end.
        self._row_potential[start] += nearest
        for i in visited[1:]:
            self._row_potential[i] += nearest - float(distance[self._column_of[i]])
        self._column_potential[taken] -= nearest - distance[taken]
        # Backwards along the path, every row gets the column that led to it; its old one goes to the row before.
        i = -1
        while i != start:
            i = int(came_from[j])
            self._row_of[j] = i
            self._column_of[i], j = j, self._column_of[i]
