"""The alignment of the cleaner: edit distance over whole words, and its own way back through the table.

Every word that differs costs 1, whether replaced, left out or invented. Zeros cost nothing, but for the first
column: there they cost 1 like other words, so the table is not always that of an edit distance. Where several ways
are as good, the way back decides, from the end: a zero, then equal words, then replace, delete, insert. So every cell
near the way must be what it is there, and all cells are filled; those of a row at once, and of the rows some are
kept, from which others are made again on the way back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Costs = Any
"""A row of costs: an array of NumPy, which is imported when a table is made."""

CELLS = 10**9
"""The most cells of a table: some 30,000 words, which the cleaner would need minutes and tens of gigabytes for."""
KEPT = 128
"""One row in so many is kept."""


def way(printed: Sequence[str], forms: Sequence[str], zeros: bool) -> list[tuple[int, int]]:
    """Steps from the end to the beginning: the printed word and the form that each of them uses; -1 for none.

    ``zeros``: what begins with ``##`` is a zero, and is there in addition to the forms. Printed words that are left
    when the forms are used up have no step.

    >>> way(["Ann", "##", "has", "a", "dog"], ["Ann", "had", "dog"], zeros=True)
    [(4, 2), (3, 1), (2, -1), (1, -1), (0, 0)]
    """
    table = _Table(printed, forms, zeros)
    steps = []
    row, column = len(printed), len(forms)
    while row and column:
        word, form = row - 1, column - 1
        if table.is_zero[word]:
            column += 1
            step = word, -1
        elif printed[word] == forms[form] or table.at(row, column) == table.at(row - 1, column - 1) + 1:
            step = word, form
        elif table.at(row, column) == table.at(row - 1, column) + 1:
            column += 1
            step = word, -1
        else:
            row += 1
            step = -1, form
        steps.append(step)
        row, column = row - 1, column - 1
    return [*steps, *((-1, form) for form in range(column - 1, -1, -1))]


class _Table:
    """Costs by how many printed words and how many forms were read."""

    def __init__(self, printed: Sequence[str], forms: Sequence[str], zeros: bool) -> None:
        import numpy as np

        self.printed = printed
        self.is_zero = [zeros and word.startswith("##") for word in printed]
        self._numpy: Any = np
        places: dict[str, list[int]] = {}
        for column, form in enumerate(forms, start=1):
            places.setdefault(form, []).append(column)
        self._places = {form: np.array(columns) for form, columns in places.items()}
        self._columns = np.arange(len(forms) + 1, dtype=np.int32)
        self._kept = [self._columns]
        self._block: list[Costs] = []
        self._first = -1
        for number, row in enumerate(self._rows(0, len(printed)), start=1):
            if number % KEPT == 0:
                self._kept.append(row)

    def at(self, row: int, column: int) -> int:
        """The cost of one cell."""
        first = row // KEPT
        if first != self._first:
            start = first * KEPT
            self._block = [self._kept[first], *self._rows(start, min(start + KEPT, len(self.printed)))]
            self._first = first
        return int(self._block[row - first * KEPT][column])

    def _rows(self, start: int, stop: int) -> Iterator[Costs]:
        """The rows behind some row that is kept."""
        row = self._kept[start // KEPT]
        for number in range(start, stop):
            row = row.copy() if self.is_zero[number] else self._row(row, self._places.get(self.printed[number]))
            row[0] = number + 1
            yield row

    def _row(self, above: Costs, same: Costs | None) -> Costs:
        """The row of a word, which is the same as some forms: from above, from the corner, then from the left."""
        np = self._numpy
        row = above + 1
        np.minimum(row[1:], above[:-1] + 1, out=row[1:])
        if same is not None:
            row[same] = above[same - 1]
        swept = np.minimum.accumulate(row - self._columns) + self._columns
        if same is None or (swept[same] == row[same]).all():
            return swept
        costs, fixed = row.tolist(), {*same.tolist()}  # zeros were dear in the first column: equal words keep that
        for column in range(1, len(costs)):
            if column not in fixed:
                costs[column] = min(costs[column], costs[column - 1] + 1)
        return np.array(costs, dtype=np.int32)
