"""Maximum-weight assignment of a sparse matrix, with SciPy's choice among ties, in plain Python.

SciPy itself takes 0.3 s to import, more than a whole score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...numbers import Numeric
from ...registry import HOOKS

Row = dict[int, Numeric]
"""Weights by column: floats, or ints where the answer must be exact. Missing columns weigh 0."""

CROWDED = 20_000  # weights; from here on SciPy is worth its import
SEARCHED = 1_000_000  # weights times rows of one connected component: SciPy is worth its import, too
DENSE = 30_000_000  # cells of the largest matrix that is made


def assign(rows: Sequence[Row], columns: int, *, connected: bool = False) -> list[tuple[int, int]]:
    """Choose the pairs (row, column) of positive weight that ``scipy.optimize.linear_sum_assignment`` chooses.

    Rows without any weight matter: they occupy columns and so decide how ties are broken elsewhere. If all rows are
    ``connected``, each of them may have to search among all weights; where a matrix of them would be too large for
    SciPy, any maximum-weight assignment is chosen.

    >>> assign([{0: 1.0, 1: 1.0}, {1: 1.0}], columns=2)
    [(0, 0), (1, 1)]
    """
    weights = sum(map(len, rows))
    crowded = weights > CROWDED or (connected and weights * min(len(rows), columns) > SEARCHED)
    if crowded:
        try:
            if len(rows) * columns <= DENSE:
                return list(HOOKS["assign_matrix"](rows, columns))
            if connected:
                return list(HOOKS["assign_large"](rows))
        except ModuleNotFoundError:  # NumPy or SciPy is missing, as in a browser: it takes longer
            pass
    return [(i, j) for i, j in assign_all(rows, columns) if rows[i].get(j, 0) > 0]


def assign_component(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Choose the pairs (row, column) of one connected component; columns are any numbers.

    >>> assign_component([{7: 3.0, -1: 2.0}, {7: 2.0}])
    [(0, -1), (1, 7)]
    """
    columns = list(dict.fromkeys(j for row in rows for j in row))
    number_of = {j: number for number, j in enumerate(columns)}
    local = [{number_of[j]: weight for j, weight in row.items()} for row in rows]
    return [(i, columns[j]) for i, j in assign(local, len(columns), connected=True)]


def assign_all(rows: Sequence[Row], columns: int) -> list[tuple[int, int]]:
    """Assign every row a column if there are enough columns, else every column a row.

    >>> assign_all([{0: 1.0}, {0: 2.0}, {}], columns=2)
    [(0, 1), (1, 0)]
    """
    if columns >= len(rows):
        return list(enumerate(_shortest_augmenting_paths(rows, columns)[0]))
    turned = _transposed(rows, columns)
    return sorted((i, j) for j, i in enumerate(_shortest_augmenting_paths(turned, len(rows))[0]))


def tight_edges(rows: Sequence[Row], columns: int) -> list[Row]:
    """Keep the weights, which are ints, of reduced cost 0.

    A pair whose reduced cost is positive is in no best assignment.

    >>> tight_edges([{0: 2, 1: 2}, {0: 2, 1: 1}, {1: 1}], columns=3)
    [{0: 2, 1: 2}, {0: 2}, {1: 1}]
    """
    if columns < len(rows):
        return _transposed(tight_edges(_transposed(rows, columns), len(rows)), len(rows))
    _, potentials, column_potentials = _shortest_augmenting_paths(rows, columns)
    return [
        {j: weight for j, weight in row.items() if weight + potential + column_potentials.get(j, 0) == 0}
        for row, potential in zip(rows, potentials, strict=True)
    ]


def _transposed(rows: Sequence[Row], columns: int) -> list[Row]:
    turned: list[Row] = [{} for _ in range(columns)]
    for i, row in enumerate(rows):
        for j, weight in row.items():
            turned[j][i] = weight
    return turned


def _shortest_augmenting_paths(rows: Sequence[Row], columns: int) -> tuple[list[int], list[Numeric], Row]:
    """Find columns of rows, and potentials, by the Jonker-Volgenant algorithm in Crouse's rectangular form.

    For one row after the other, a shortest path to a free column is found and the assignment is changed
    along it; potentials keep the reduced costs from becoming negative.
    """
    row_potential: list[Numeric] = [0] * len(rows)
    column_potential: Row = {}
    row_of: dict[int, int] = {}
    column_of = [-1] * len(rows)
    raised: set[int] = set()  # columns whose potential rounding has lifted above 0
    free_from = 0  # every column before it is taken
    for start, row in enumerate(rows):
        while free_from in row_of:
            free_from += 1
        if not row and not raised:  # all columns are equally near: the first free one is taken
            row_of[free_from], column_of[start] = start, free_from
            continue
        if not raised:
            near = {j: 0 - weight - column_potential.get(j, 0) for j, weight in row.items()}
            nearest = min(near.values())
            free = [j for j, distance in near.items() if distance == nearest and j not in row_of]
            if free and nearest < 0:  # mostly; of several, it is the one that the search below would come to last
                row_potential[start] = nearest
                column_of[start] = min(free)
                row_of[column_of[start]] = start
                continue
        search = _Search(columns, free_from, row_of, column_potential, raised)
        i, nearest = start, 0
        while True:
            search.visit(i, rows[i], nearest, row_potential[i])
            j, nearest = search.take_nearest()
            if j not in row_of:
                break
            i = row_of[j]
        # New potentials: what the path passed is lifted to the level of its end, in SciPy's order of operations.
        row_potential[start] += nearest
        for i in search.visited[1:]:
            row_potential[i] += nearest - search.distance[column_of[i]]
        search.lower_columns(nearest, raised)
        # Backwards along the path, every row gets the column that led to it; its old one goes to the row before.
        i = -1
        while i != start:
            i = search.came_from[j]
            row_of[j] = i
            column_of[i], j = j, column_of[i]
    return column_of, row_potential, column_potential


class _Search:
    """Search for a shortest path from one row to a free column.

    The dense algorithm scans, at each step, a list of the columns that remain, at first from the last to the
    first, and takes the nearest; of several equally near ones the last free one in the list, or the first
    in the list if none is free. A column is taken off by moving the end of the list into its slot.

    Here, columns that no visited row has a weight for are *plain*. A plain column without potential is as far
    away as the rows visited so far leave it, so one number stands for all of them. Free columns have no
    potential, and a weight only brings a column nearer, so some free column is always at least as near as any
    plain one with a potential of 0 or less, and wins the tie. Hence of all plain columns only the last free one
    in the list is ever looked at.

    In exact arithmetic no potential is above 0. Rounding can lift one by a hair, and that is enough to make its
    column the nearest: such columns are not plain.
    """

    def __init__(
        self,
        columns: int,
        free_from: int,
        row_of: dict[int, int],
        column_potential: Row,
        raised: Iterable[int],
    ) -> None:
        self.columns = columns
        self.free_from = free_from
        self.row_of = row_of
        self.column_potential = column_potential
        self.distance: Row = {}
        self.came_from: dict[int, int] = {}
        self.special: set[int] = set()  # remaining columns that are not plain: each has a distance of its own
        self.taken: list[int] = []
        self.visited: list[int] = []
        self.plain_distances: list[Numeric] = []  # by visited row
        self.moved: dict[int, int] = {}  # slot of the list -> the column moved into it
        self.slot_of: dict[int, int] = {}  # and back
        for j in raised:
            self._make_special(j)

    def visit(self, i: int, row: Row, so_far: Numeric, potential: Numeric) -> None:
        """Let row i, reached at distance ``so_far``, bring the remaining columns nearer."""
        for j in row:
            if j not in self.distance:
                self._make_special(j)
        self.visited.append(i)
        self.plain_distances.append(so_far - potential)
        for j in self.special:
            reached = so_far - row.get(j, 0) - potential - self.column_potential.get(j, 0)
            nearest = self.distance[j]
            if nearest is None or reached < nearest:
                self.distance[j], self.came_from[j] = reached, i

    def take_nearest(self) -> tuple[int, Numeric]:
        """Take the nearest column off the list: the column and its distance."""
        near = list(self.special)
        plain = self._last_free_plain()
        if plain is not None:
            # The first row that came so near is where the path to a plain column comes from.
            best = min(self.plain_distances)
            self.distance[plain] = best
            self.came_from[plain] = self.visited[self.plain_distances.index(best)]
            near.append(plain)
        nearest = min([self.distance[j] for j in near])
        slots = {self._slot(j): j for j in near if self.distance[j] == nearest}
        slot = max([slot for slot, j in slots.items() if j not in self.row_of], default=min(slots))
        chosen = slots[slot]
        if plain is not None and chosen != plain:
            del self.distance[plain]  # it stays plain: the next row may leave it, and all others, at another distance
        self._take(chosen, slot)
        return chosen, nearest

    def lower_columns(self, nearest: Numeric, raised: set[int]) -> None:
        """Lower the potentials of the columns on the path, which ends at distance ``nearest``; update ``raised``."""
        for column in self.taken:
            if self.distance[column] != nearest:
                potential = self.column_potential.get(column, 0) - (nearest - self.distance[column])
                self.column_potential[column] = potential
                if potential > 0:
                    raised.add(column)
                else:
                    raised.discard(column)

    def _make_special(self, j: int) -> None:
        """Give a column the distance that the rows visited so far leave it at."""
        self.special.add(j)
        self.distance[j] = None
        for i, plain in zip(self.visited, self.plain_distances, strict=True):
            reached = plain - self.column_potential.get(j, 0)
            if self.distance[j] is None or reached < self.distance[j]:
                self.distance[j], self.came_from[j] = reached, i

    def _last_free_plain(self) -> int | None:
        """The plain column that a scan of the list would end on, if one is free."""
        free = [j for j in self.slot_of if j not in self.row_of and j not in self.distance]
        # Columns that never moved stand in falling order: the last of them is the lowest number.
        for j in range(self.free_from, self.columns):
            if j not in self.row_of and j not in self.slot_of and j not in self.distance:
                free.append(j)
                break
        return max(free, key=self._slot, default=None)

    def _slot(self, j: int) -> int:
        return self.slot_of.get(j, self.columns - 1 - j)

    def _take(self, j: int, slot: int) -> None:
        """Cross a column off the list: the column at the end moves into its slot."""
        self.taken.append(j)
        self.special.discard(j)
        end = self.columns - len(self.taken)
        if slot != end:
            last = self.moved.get(end, self.columns - 1 - end)
            self.moved[slot] = last
            self.slot_of[last] = slot
