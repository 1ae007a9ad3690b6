"""In-engine selection of certain cells for CEAF: the engine takes cells until the others fit into this process.

By margins
    The other cells of a row share its k' − n other mentions with counterparts. None of them weighs more than one cell
    of all of these would whose response entity has nothing else. A cell that outweighs this bound of its row and that
    of its column together is in every best assignment, and no other such cell shares its row or column.
By leaders
    A cell that is the heaviest of its row and of its column is taken if it is certain
    (:func:`corefscope.core.matching.assignment.is_certain`), in rounds, while there are more cells than fit.

The cells that were taken are fetched as a histogram; no weight is ever added up by an engine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.matching.assignment import is_certain
from ...core.numbers import Numeric
from ...core.table import Weighing
from ..batched_table import CellHistogram, OpenCells, PartialAssignment
from ..large_assignment import renumber
from . import sql
from .base import Columns, Scratch
from .sql import Symbol, at_least_0

SIZES = ("n", "k", "r", "km", "rm")
CELL = ("place", "key", "response", *SIZES)
SLACK = 1e-9
"""A smaller margin is not certain: weights are rounded."""
SLOW_ROUND = 0.9
"""Share of cells left after a round: with more, further rounds would take hardly any."""
FAR_TOO_MANY = 10
"""With so many times the cells that may be fetched, every round is worth its time."""


def margin(
    weighing: Weighing,
    n: Numeric,
    k: Numeric,
    r: Numeric,
    km: Numeric,
    rm: Numeric,
    at_least_0: Callable[[Numeric], Numeric],
) -> Numeric:
    """Compute by how much a cell outweighs all alternatives of its row and its column together."""
    in_row, in_column = km - n, rm - n
    row = weighing(in_row, k, in_row, km, in_row)
    column = weighing(in_column, in_column, r, in_column, rm)
    return weighing(n, k, r, km, rm) - (at_least_0(row) + at_least_0(column))


class CertainCells:
    """Partial assignments of documents whose cells are in the engine."""

    def __init__(self, scratch: Scratch, cells: str, local: int) -> None:
        self._scratch, self._cells, self._local = scratch, cells, local
        self._held: tuple[tuple[int, int], Columns] | None = None

    def take(self, weighing: Weighing, first: int, after: int) -> PartialAssignment:
        """Take the certain cells of the documents from ``first`` up to ``after``."""
        if not self._held or self._held[0] != (first, after):
            self._held = None
            here = sql.between(first, after)
            if _number(self._scratch.fetch(sql.counted(self._cells, here), "counting cells")) > self._local:
                return self._take_in_engine(weighing, first, here)
            self._held = (first, after), self._fetch(self._cells, here)
        return _take_here(weighing, self._held[1], first)

    def _take_in_engine(self, weighing: Weighing, first: int, here: str) -> PartialAssignment:
        """Take cells in the engine: by margins at once, then by leaders in rounds."""
        name = weighing.term.__name__.replace("_", " ")
        n, k, r, km, rm = map(Symbol, SIZES)
        weight, outweighs = weighing(n, k, r, km, rm), margin(weighing, n, k, r, km, rm, at_least_0)
        columns = [*CELL, f"CAST({weight} AS DOUBLE) AS weight", f"CAST({outweighs} AS DOUBLE) AS margin"]
        in_range = f"SELECT {', '.join(columns)} FROM {self._cells} t{here}"
        weighed = f"(SELECT * FROM ({in_range}) u WHERE weight > 0)"
        certain = f"SELECT {', '.join(CELL)} FROM {weighed} w WHERE margin > CAST('{SLACK}' AS DOUBLE)"
        taken = [self._scratch.make("taken", certain, f"peeling {name}")]
        left, number = self._left(weighed, taken[0], f"peeling {name}")
        while number > self._local:
            step = f"peeling {name}, round {len(taken)}: {number:,} cells left"
            leading = self._scratch.make("taken", _select_leaders(left), step)
            if not _number(self._scratch.fetch(sql.counted(leading), step)):
                self._scratch.drop(leading)
                break
            taken.append(leading)
            before, number_before = left, number
            left, number = self._left(before, leading, step)
            self._scratch.drop(before)
            if SLOW_ROUND * number_before < number < FAR_TOO_MANY * self._local:
                break
        united = " UNION ALL ".join([f"SELECT {', '.join(CELL)} FROM {table} u" for table in taken])
        taken_cells = self._scratch.fetch(sql.histogram(f"({united})", SIZES), "fetching cells")
        rows = self._fetch(left, "")
        self._scratch.drop(left, *taken)
        return _partial_assignment(taken_cells, rows, first)

    def _left(self, cells: str, taken: str, step: str) -> tuple[str, int]:
        """Keep the cells that share no row and no column with those that were taken; count them."""
        others = " AND ".join(
            [
                f"NOT EXISTS (SELECT 1 FROM {taken} {table} WHERE {table}.{side} = c.{side})"
                for side, table in sql.SIDES
            ]
        )
        statement = f"SELECT {', '.join([*CELL, 'weight'])} FROM {cells} c WHERE {others}"
        left = self._scratch.make("left", statement, step)
        return left, _number(self._scratch.fetch(sql.counted(left), step))

    def _fetch(self, cells: str, here: str) -> Columns:
        """Fetch cells, and number their rows and columns from 0 on."""
        fetched = self._scratch.fetch(sql.selected(cells, CELL, here), "fetching cells")
        return {**fetched, **{side: renumber(fetched[side]) for side in ("key", "response")}}


def _take_here(weighing: Weighing, cells: Columns, first: int) -> PartialAssignment:
    """Take cells by margins only; :mod:`corefscope.scale.batch_assignment` takes the others."""
    n, k, r, km, rm = (cells[name] for name in SIZES)
    certain = margin(weighing, n, k, r, km, rm, lambda value: np.maximum(value, 0)) > SLACK
    left = weighing(n, k, r, km, rm) > 0
    for side in ("key", "response"):
        numbers = cells[side]
        touched = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=bool)
        touched[numbers[certain]] = True
        left &= ~touched[numbers]
    taken_cells = {name: cells[name][certain] for name in ("place", *SIZES)}
    taken_cells["count"] = np.ones(len(taken_cells["n"]), dtype=np.int64)
    return _partial_assignment(taken_cells, {name: column[left] for name, column in cells.items()}, first)


def _partial_assignment(taken: Columns, left: Columns, first: int) -> PartialAssignment:
    return PartialAssignment(
        CellHistogram(taken["place"] - first, tuple([taken[name] for name in SIZES]), taken["count"]),
        OpenCells(left["place"] - first, *[left[name] for name in CELL[1:]]),
    )


def _number(rows: Columns) -> int:
    return int(rows["count"][0])


def _select_leaders(left: str) -> str:
    """Select the certain cells among those that weigh most in their row and in their column."""
    ranks = []
    for side, other in (("key", "response"), ("response", "key")):
        over = f"OVER (PARTITION BY {side} ORDER BY weight DESC, {other})"
        ranks += [f"ROW_NUMBER() {over} AS {side}_rank", f"LEAD(weight) {over} AS {side}_next"]
    ranked = f"SELECT {', '.join([*CELL, 'weight', *ranks])} FROM {left} l"
    certain = is_certain(Symbol("weight"), *[Symbol(f"COALESCE({side}_next, 0)") for side, _ in sql.SIDES])
    where = f"key_rank = 1 AND response_rank = 1 AND {certain} = 1"
    return f"SELECT {', '.join(CELL)} FROM ({ranked}) ranked WHERE {where}"
