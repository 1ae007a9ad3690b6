"""Best one-to-one assignment where nearly every pair has a score: rows of scores are made when they are needed.

:func:`assign_row_by_row` answers as ``scipy.optimize.linear_sum_assignment`` does, its choice among equally good
answers included, but holds a few rows at a time and not the whole matrix. It does best where most rows find a free
column at once, as in crowds of mentions. Where they do not, SciPy takes over, as long as the matrix fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .assignment import DENSE, assign_matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Line = Callable[[int], "NDArray[np.float64] | NDArray[np.int64]"]
"""The scores of one mention with all of the other side."""

PATIENCE = 4  # rows looked at for each row assigned, before SciPy is asked


def assign_row_by_row(row: Line, column: Line, shape: tuple[int, int]) -> list[tuple[int, int]]:
    """The pairs (row, column) of positive score in the assignment that SciPy would choose.

    ``row(i)`` has the scores of row i, ``column(j)`` those of column j; scores are 0 or more.

    >>> import numpy as np
    >>> scores = np.array([[1.0, 1.0], [0.0, 1.0]])
    >>> assign_row_by_row(lambda i: scores[i], lambda j: scores[:, j], scores.shape)
    [(0, 0), (1, 1)]
    """
    rows, columns = shape
    if rows > columns:
        return sorted((i, j) for j, i in assign_row_by_row(column, row, (columns, rows)))
    fits = rows * columns <= DENSE
    chosen = _Assignment(row, rows, columns).solve(PATIENCE * rows if fits else None)
    if chosen is None:
        import numpy as np

        return assign_matrix(np.array([row(i) for i in range(rows)], dtype=float))
    return [(i, j) for i, j in enumerate(chosen) if row(i)[j] > 0]


class _Assignment:
    """Crouse's rectangular variant of Jonker and Volgenant's algorithm, in SciPy's order of operations.

    For one row after the other, a shortest path to a free column is found and the assignment is changed along it.
    (``assignment`` has the same for sparse scores.)
    """

    def __init__(self, row: Line, rows: int, columns: int) -> None:
        import numpy as np

        self._row = row
        self._rows, self._columns = rows, columns
        self._row_potential = [0.0] * rows
        self._column_potential = np.zeros(columns)
        self._column_of = [-1] * rows
        self._row_of = np.full(columns, -1)
        self._looked = 0

    def solve(self, patience: int | None) -> list[int] | None:
        """For each row its column; None if that takes more looks at rows than there is patience."""
        for start in range(self._rows):
            self._assign(start)
            if patience is not None and self._looked > patience:
                return None
        return self._column_of

    def _assign(self, start: int) -> None:
        import numpy as np

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
