"""CEAF where the data are: cells that certainly belong to a best assignment are taken until the rest fits here.

By margins
    The other cells of a row share its k' − n other mentions with counterparts. None of them weighs more than one cell
    of all of these would whose response entity has nothing else. A cell that outweighs this bound of its row and that
    of its column together is in every best assignment, and no other such cell shares its row or column.
By leaders
    A cell that weighs most in its row and in its column, and at least as much as the second of both together, is in
    some best assignment. This is done in rounds, as long as there are more cells than can be brought here.

What is taken comes home as a histogram; no weight is ever added up by an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...scale.batched_table import CellHistogram as Looks
from ...scale.batched_table import OpenCells as Left
from ...scale.batched_table import PartialAssignment as Peeled
from ...scale.engines import sql
from ...scale.engines.base import Scratch
from ..weighing import Weighing
from . import choices

LOOK = ("n", "k", "r", "km", "rm")
SLACK = 1e-9
"""What is closer than that is not certain: weights are rounded."""
HARDLY = 0.9
"""Of the cells are left after a round: further rounds would take hardly any."""
FAR = 10
"""Times as many cells as may come home: then every round is worth its time."""


def margin(weighing: Weighing, n: Any, k: Any, r: Any, km: Any, rm: Any, at_least_0: Callable[[Any], Any]) -> Any:
    """By how much a cell outweighs whatever else its row and its column can have."""
    in_row, in_column = km - n, rm - n
    row = weighing(in_row, k, in_row, km, in_row)
    column = weighing(in_column, in_column, r, in_column, rm)
    return weighing(n, k, r, km, rm) - (at_least_0(row) + at_least_0(column))


class Peeling:
    """The cells of all documents in the engine, by how they are weighed."""

    def __init__(self, scratch: Scratch, cells: str, local: int) -> None:
        self._scratch, self._cells, self._local = scratch, cells, local
        self._held: tuple[tuple[int, int], Mapping[str, Any]] | None = None

    def peeled(self, weighing: Weighing, first: int, after: int) -> Peeled:
        """What is known of a best assignment in the documents from one on, up to another."""
        if not self._held or self._held[0] != (first, after):
            self._held = None
            here = sql.between(first, after)
            if _number(self._scratch.fetch(sql.counted(self._cells, here), "counting cells")) > self._local:
                return self._peeled_there(weighing, first, here)
            self._held = (first, after), _numbered(self._fetched(self._cells, here))
        return _peeled_here(weighing, self._held[1], first)

    def _peeled_there(self, weighing: Weighing, first: int, here: str) -> Peeled:
        """In the engine: by margins at once, then by leaders in rounds."""
        name = weighing.term.__name__.replace("_", " ")
        weighed = choices.weighed(self._cells, weighing, margin, here)
        taken = [self._scratch.make("taken", choices.certain(weighed, SLACK), f"peeling {name}")]
        left, number = self._left(weighed, taken[0], f"peeling {name}")
        while number > self._local:
            step = f"peeling {name}, round {len(taken)}: {number:,} cells left"
            leading = self._scratch.make("taken", choices.leading(left), step)
            if not _number(self._scratch.fetch(sql.counted(leading), step)):
                self._scratch.drop(leading)
                break
            taken.append(leading)
            before, number_before = left, number
            left, number = self._left(before, leading, step)
            self._scratch.drop(before)
            if HARDLY * number_before < number < FAR * self._local:
                break
        looks = self._scratch.fetch(sql.histogram(choices.together(taken), LOOK), "fetching cells")
        rows = _numbered(self._fetched(left, ""))
        self._scratch.drop(left, *taken)
        return Peeled(_looks(looks, first), _left(rows, first))

    def _left(self, cells: str, taken: str, step: str) -> tuple[str, int]:
        """The cells that share no row and no column with those that were taken, and how many they are."""
        left = self._scratch.make("left", choices.not_touched(cells, taken), step)
        return left, _number(self._scratch.fetch(sql.counted(left), step))

    def _fetched(self, cells: str, here: str) -> Mapping[str, Any]:
        columns = ("place", "key", "response", *LOOK)
        return self._scratch.fetch(sql.selected(cells, columns, here), "fetching cells")


def _peeled_here(weighing: Weighing, cells: Mapping[str, Any], first: int) -> Peeled:
    """By margins only: what follows is done where documents are told apart."""
    import numpy as np

    n, k, r, km, rm = (cells[name] for name in LOOK)
    certain = margin(weighing, n, k, r, km, rm, lambda value: np.maximum(value, 0)) > SLACK
    left = weighing(n, k, r, km, rm) > 0
    for side in ("key", "response"):
        numbers = cells[side]
        touched = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=bool)
        touched[numbers[certain]] = True
        left &= ~touched[numbers]
    looks = {name: cells[name][certain] for name in ("place", *LOOK)}
    looks["count"] = np.ones(len(looks["n"]), dtype=np.int64)
    return Peeled(_looks(looks, first), _left({name: column[left] for name, column in cells.items()}, first))


def _number(rows: Mapping[str, Any]) -> int:
    return int(rows["count"][0])


def _looks(rows: Mapping[str, Any], first: int) -> Looks:
    return Looks(rows["place"] - first, tuple([rows[name] for name in LOOK]), rows["count"])


def _left(rows: Mapping[str, Any], first: int) -> Left:
    return Left(rows["place"] - first, rows["key"], rows["response"], *[rows[name] for name in LOOK])


def _numbered(cells: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same cells, their rows and columns numbered from 0 on."""
    return {**cells, **{side: _dense(cells[side]) for side in ("key", "response")}}


def _dense(numbers: Any) -> Any:
    """Numbers without gaps, from 0 on."""
    import numpy as np

    if not len(numbers):
        return numbers
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 8 * len(numbers) + 1024:
        return np.unique(numbers, return_inverse=True)[1]
    there = np.zeros(high - low + 1, dtype=bool)
    there[numbers - low] = True
    return (np.cumsum(there) - 1)[numbers - low]
