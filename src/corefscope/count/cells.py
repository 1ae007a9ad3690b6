"""The cells of a contingency table that are not 0, and how an assignment can choose among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Parted(NamedTuple):
    """Cells by how an assignment can choose among them; cells are named by their number."""

    alone: list[int]
    """The only cell of its row and of its column: always taken."""
    one_of: list[list[int]]
    """Cells of one row that are alone in their columns, or the reverse: one of them is taken."""
    one_or_two: list[tuple[int, list[int], list[int]]]
    """A cell with the others of its row and the others of its column, which are alone otherwise: the cell is taken,
    or one of each."""
    others: list[int]
    """All others: the components that need a search."""


class Cells(NamedTuple):
    """The cells of a table that are not 0, as parallel columns (lists or arrays), seen from one side."""

    rows: Sequence[int]
    columns: Sequence[int]
    n: Sequence[int]
    """Mentions in common."""
    k: Sequence[int]
    """Sizes of the entities of this side."""
    r: Sequence[int]
    """Sizes of the entities of the other side."""

    @classmethod
    def of_pairs(cls, pairs: dict[tuple[int, int], int], sizes: Sequence[int], other_sizes: Sequence[int]) -> Cells:
        """From the number of mentions of each (entity, other entity)."""
        rows = [i for i, _ in pairs]
        columns = [j for _, j in pairs]
        return cls(rows, columns, list(pairs.values()), [sizes[i] for i in rows], [other_sizes[j] for j in columns])

    @property
    def T(self) -> Cells:  # noqa: N802  (as in NumPy)
        """The same cells seen from the other side."""
        return Cells(self.columns, self.rows, self.n, self.r, self.k)


def part(rows: Sequence[int], columns: Sequence[int]) -> Parted:
    """Put cells into the groups in which an assignment can choose."""
    alone: list[int] = []
    row_choices: dict[int, list[int]] = {}  # by row, its cells that are alone in their columns
    column_choices: dict[int, list[int]] = {}  # by column, its cells that are alone in their rows
    crossings: list[int] = []  # cells that are alone neither in their row nor in their column
    shared_rows, shared_columns = repeated(rows), repeated(columns)
    for cell, i, j in zip(range(len(rows)), rows, columns):  # noqa: B905  (a hot loop over columns of one table)
        if i in shared_rows:
            if j in shared_columns:
                crossings.append(cell)
            elif i in row_choices:
                row_choices[i].append(cell)
            else:
                row_choices[i] = [cell]
        elif j in shared_columns:
            if j in column_choices:
                column_choices[j].append(cell)
            else:
                column_choices[j] = [cell]
        else:
            alone.append(cell)
    one_or_two: list[tuple[int, list[int], list[int]]] = []
    others: list[int] = []
    if crossings:
        # A crossing that is the only one of its row and of its column joins one row with one column, and nothing
        # else: all their other cells are alone otherwise, and there are some, or it would not be a crossing.
        # Where crossings share a row or a column, the cells of these rows and columns depend on each other.
        crossed_rows = repeated([rows[cell] for cell in crossings])
        crossed_columns = repeated([columns[cell] for cell in crossings])
        for cell in crossings:
            i, j = rows[cell], columns[cell]
            if i in crossed_rows or j in crossed_columns:
                others += [cell, *row_choices.pop(i, ()), *column_choices.pop(j, ())]
            else:
                one_or_two.append((cell, row_choices.pop(i), column_choices.pop(j)))
    # By first cell, so that weights are added in the order of the cells.
    one_of = sorted([*row_choices.values(), *column_choices.values()])
    return Parted(alone, one_of, one_or_two, others)


def repeated(names: Iterable[int]) -> set[int]:
    """The names that occur more than once."""
    seen: set[int] = set()
    again: set[int] = set()
    for name in names:  # on tables of one document, this is faster than a Counter
        if name in seen:
            again.add(name)
        else:
            seen.add(name)
    return again
