"""Total weight of a maximum-weight assignment of sparse cells.

No pairs are needed, so every cell that certainly belongs to some best assignment is taken first, and only the other
cells are solved, one connected component after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from ...components import components
from ...numbers import Numeric, in_order
from ...registry import HOOKS
from .sparse import assign_component

LARGE = 3000  # cells of a component; from here on NumPy and SciPy are worth their import


def best_total(cells: Iterable[tuple[int, int, float]]) -> float:
    """Sum the weights of a maximum-weight assignment; cells are (row, column, weight).

    Cells that are certain (:func:`is_certain`) are taken first. When no such cell is left, each connected component
    of the other cells is solved by itself.

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


def is_certain(weight: Numeric, row_rival: Numeric, column_rival: Numeric) -> Numeric:
    """Whether a cell belongs to some maximum-weight assignment, given the best other cells of its row and column.

    If it weighs at least as much as both together, taking it and crossing out its row and column loses nothing.
    The arguments are numbers, arrays or expressions of engines.
    """
    return weight >= row_rival + column_rival


Lines = dict[int, dict[int, float]]
"""Weights of cells by row and column, or by column and row."""


def _take_certain_cells(by_row: Lines, by_column: Lines) -> float:
    """Remove the certain cells with their rows and columns; return their total weight."""
    total = 0.0
    waiting = dict.fromkeys(by_row)  # a stack: a row that is put on it again moves to the top
    while waiting:
        i, _ = waiting.popitem()
        if i not in by_row:
            continue
        j, weight, other_of_row = _heaviest_cell(by_row[i])
        other_of_column = 0.0
        for name, found in by_column[j].items():
            if found > other_of_column and name != i:
                other_of_column = found
        if is_certain(weight, other_of_row, other_of_column):
            total += weight
            for other in reversed(_cross_out(i, j, by_row, by_column)):
                waiting.pop(other, None)
                waiting[other] = None
    return total


def _heaviest_cell(row: dict[int, float]) -> tuple[int, float, float]:
    """Column and weight of the heaviest cell of a row, and the weight of the next heaviest.

    Only the heaviest cell can be certain.
    """
    cells = iter(row.items())
    j, weight = next(cells)
    second = 0.0
    for name, found in cells:
        if found > weight:
            if weight > second:
                second = weight
            j, weight = name, found
        elif found > second:
            second = found
    return j, weight, second


def _cross_out(i: int, j: int, by_row: Lines, by_column: Lines) -> dict[int, None]:
    """Remove a row and a column; return the rows that lose a competitor, from the last to the first.

    They may have a certain cell now. The search ends when all rows that are left have been found.
    """
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
    return again


def _solve(rows: list[dict[int, float]]) -> float:
    """Find the best total of one connected component: of large ones with NumPy and SciPy."""
    if sum(map(len, rows)) > LARGE:
        try:
            return fsum([rows[i][j] for i, j in HOOKS["assign_large"](rows)])
        except ModuleNotFoundError:  # as in a browser: it takes longer
            pass
    return in_order([rows[i][j] for i, j in assign_component(rows)])


class CellGroups(NamedTuple):
    """Cells by how an assignment can choose among them; cells are named by their number."""

    alone: list[int]
    """The only cell of its row and of its column: always taken."""
    one_of: list[list[int]]
    """Cells of one row that are alone in their columns, or the reverse: one of them is taken."""
    one_or_two: list[tuple[int, list[int], list[int]]]
    """A cell with the others of its row and the others of its column, which are alone otherwise: the cell is taken,
    or one of each."""
    others: list[int]
    """All others: the connected components that need a search."""


def group_cells(rows: Sequence[int], columns: Sequence[int]) -> CellGroups:
    """Group cells by how an assignment can choose among them."""
    alone: list[int] = []
    row_choices: dict[int, list[int]] = {}  # by row, its cells that are alone in their columns
    column_choices: dict[int, list[int]] = {}  # by column, its cells that are alone in their rows
    crossings: list[int] = []  # cells that are alone neither in their row nor in their column
    shared_rows, shared_columns = find_repeated(rows), find_repeated(columns)
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
        crossed_rows = find_repeated([rows[cell] for cell in crossings])
        crossed_columns = find_repeated([columns[cell] for cell in crossings])
        for cell in crossings:
            i, j = rows[cell], columns[cell]
            if i in crossed_rows or j in crossed_columns:
                others += [cell, *row_choices.pop(i, ()), *column_choices.pop(j, ())]
            else:
                one_or_two.append((cell, row_choices.pop(i), column_choices.pop(j)))
    # By first cell, so that weights are added in the order of the cells.
    one_of = sorted([*row_choices.values(), *column_choices.values()])
    return CellGroups(alone, one_of, one_or_two, others)


def find_repeated(names: Iterable[int]) -> set[int]:
    """Find the names that occur more than once."""
    seen: set[int] = set()
    again: set[int] = set()
    for name in names:  # on tables of one document, this is faster than a Counter
        if name in seen:
            again.add(name)
        else:
            seen.add(name)
    return again
