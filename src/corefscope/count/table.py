"""The contingency table of a document: how many mentions each key entity shares with each response entity.

Every table metric is a ratio of sums over its cells and margins. A sum over cells is written as a *term*,
plain arithmetic on ``n`` (mentions shared), ``k`` and ``r`` (sizes of the two entities); the same term runs
on Python numbers here and on arrays in :mod:`corefscope.evaluate.labels`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import log
from operator import mul
from typing import Any

from ..match.alignment import NONE, Alignment, Side
from .best_total import best_total
from .cells import Cells

Term = Callable[[Any, Any, Any], Any]
"""What a cell contributes: a function of n, k and r."""
SizeTerm = Callable[[Any], Any]
"""What an entity contributes: a function of its size."""


class Contingency:
    """One document as a table; rows are key entities, columns response entities.

    ``cells`` are counted from the key: the mentions of a key entity by the response entity that owns their
    counterparts. ``back`` is counted from the response, ``shared`` by membership instead of ownership. All
    three are the same unless counterparts are not mutual, or a mention stands in several entities.
    """

    __slots__ = (
        "_transpose",
        "back",
        "cells",
        "key_sizes",
        "matched",
        "mentions",
        "response_mentions",
        "response_sizes",
        "shared",
        "total",
    )

    def __init__(
        self,
        key_sizes: Sequence[int],
        response_sizes: Sequence[int],
        cells: Cells,
        *,
        back: Cells | None = None,
        shared: Cells | None = None,
        matched: int | None = None,
        mentions: tuple[int, int] | None = None,
    ) -> None:
        self.key_sizes = key_sizes
        self.response_sizes = response_sizes
        self.cells = cells
        self.back = cells.T if back is None else back
        self.shared = cells if shared is None else shared
        self.total = self._sum(key_sizes)
        """Σ of the sizes of the key entities; a mention in two of them counts twice."""
        self.mentions, self.response_mentions = mentions or (self.total, self._sum(response_sizes))
        """Distinct mentions of both sides."""
        self.matched = cells.total if matched is None else matched
        self._transpose: Contingency | None = None

    @property
    def T(self) -> Contingency:  # noqa: N802  (as in NumPy)
        """The table with its sides swapped: the precision of a table is the recall of its transpose."""
        if self._transpose is None:
            self._transpose = type(self)(
                self.response_sizes,
                self.key_sizes,
                self.back,
                back=self.cells,
                shared=None if self.shared is self.cells else self.shared.T,
                matched=self.matched,
                mentions=(self.response_mentions, self.mentions),
            )
        return self._transpose

    @staticmethod
    def _sum(sizes: Any) -> int:
        return sum(sizes)

    def over_cells(self, term: Term) -> Any:
        """Σ over the cells of a term of n, k and r."""
        return sum(map(term, self.cells.n, self.cells.k, self.cells.r))

    def over_entities(self, term: SizeTerm) -> Any:
        """Σ over the key entities of a term of their size."""
        return sum(map(term, self.key_sizes))

    def pairs_in_cells(self) -> int:
        """Σ C2(n): the pairs of mentions that key and response both put together."""
        return self._pairs(self.cells.n, self.cells.total)

    def pairs_in_entities(self) -> int:
        """Σ C2(k): the pairs of mentions that the key puts together."""
        return self._pairs(self.key_sizes, self.total)

    def pairs_of_twins(self) -> tuple[int, int]:
        """The pairs that the key puts together, and those that the response does, among mentions with counterpart."""
        cells = self.cells
        by_row, by_column = (_sums(names, cells.n).values() for names in (cells.rows, cells.columns))
        return self._pairs(by_row, cells.total), self._pairs(by_column, cells.total)

    @staticmethod
    def _pairs(sizes: Any, total: int) -> int:
        """Σ C2(x) = (Σ x² − Σ x)/2"""
        squares: int = sum(map(mul, sizes, sizes))
        return (squares - total) // 2

    def over_cells_and_twins_back(self, term: Callable[[Any, Any], Any]) -> Any:
        """Σ over the cells of a term of n and of how many mentions of the response entity are counterparts."""
        twins = _sums(self.cells.columns, self.cells.n)
        return sum(map(term, self.cells.n, [twins[j] for j in self.cells.columns]))

    def over_best_cells(self) -> Any:
        """Σ over the key entities of what they share with the response entity they share most with.

        A mention without counterpart counts as an entity of its own, with which 1 is shared.
        """
        best: dict[int, int] = {}
        for i, n in zip(self.cells.rows, self.cells.n, strict=True):
            if n > best.get(i, 0):
                best[i] = n
        return sum(best.values()) + len(self.key_sizes) - len(best)

    @property
    def missing(self) -> int:
        """The mentions of the key that have no counterpart."""
        return self.total - self.cells.total

    def missing_by_entity(self) -> list[int]:
        """The same for each key entity."""
        twins = _sums(self.cells.rows, self.cells.n)
        return [size - twins.get(i, 0) for i, size in enumerate(self.key_sizes)]

    def sorted_sizes(self) -> list[int]:
        """The sizes of the key entities, largest first."""
        return sorted(self.key_sizes, reverse=True)

    @staticmethod
    def log(value: Any) -> Any:
        """The natural logarithm, for terms."""
        return log(value)

    def best(self, term: Term, besides: Sequence[tuple[int, int, float]] = ()) -> float:
        """The largest Σ of a term over cells no two of which share a row or a column.

        ``besides`` are further cells (row, column, weight); negative numbers are rows and columns of their own.
        """
        cells = self.shared
        weights = list(map(term, cells.n, cells.k, cells.r))
        if besides:
            return best_total([*zip(cells.rows, cells.columns, weights, strict=True), *besides])
        alone, stars, bows, tangled = cells.parted()
        total: float = sum([weights[at] for at in alone])
        for star in stars:
            total += max([weights[at] for at in star])
        for knot, in_row, in_column in bows:
            others = max([weights[at] for at in in_row]) + max([weights[at] for at in in_column])
            total += max(weights[knot], others)
        if tangled:
            total += best_total([(cells.rows[at], cells.columns[at], weights[at]) for at in tangled])
        return total


def _sums(names: Sequence[int], values: Sequence[int]) -> dict[int, int]:
    totals = dict.fromkeys(names, 0)
    for name, value in zip(names, values):  # noqa: B905  (a hot loop over columns of one table)
        totals[name] += value
    return totals


def tabulate(alignment: Alignment) -> Contingency:
    """Count an alignment."""
    key, response = alignment.key, alignment.response
    key_sizes = list(map(len, key.entities))
    response_sizes = list(map(len, response.entities))
    cells = Cells.count(_pairs(key, response, alignment.to_response), key_sizes, response_sizes)
    back = shared = None
    repeats = key.repeats or response.repeats
    if repeats or not alignment.mutual:
        back = Cells.count(_pairs(response, key, alignment.to_key), response_sizes, key_sizes)
    if repeats:
        shared = Cells.count(_memberships(alignment), key_sizes, response_sizes)
    return Contingency(
        key_sizes,
        response_sizes,
        cells,
        back=back,
        shared=shared,
        matched=alignment.matched,
        mentions=(len(key.mentions), len(response.mentions)),
    )


def tabulate_partition(alignment: Alignment) -> Contingency:
    """Count an alignment as if every mention stood only in the entity that owns it, and had one counterpart."""
    pairs = [(k, r) for k, r in enumerate(alignment.to_response) if r >= 0 and alignment.to_key[r] == k]
    key, response = ({i: at for at, i in enumerate(dict.fromkeys(side.owner))} for side in alignment[:2])
    key_sizes, response_sizes = (list(Counter(side.owner).values()) for side in alignment[:2])
    owners = alignment.key.owner, alignment.response.owner
    cells = Counter((key[owners[0][k]], response[owners[1][r]]) for k, r in pairs)
    return Contingency(key_sizes, response_sizes, Cells.count(cells, key_sizes, response_sizes))


def _pairs(side: Side, other: Side, counterpart: list[int]) -> Counter[tuple[int, int]]:
    """How many mentions of each entity have their counterpart in each entity of the other side."""
    owner = other.owner
    if not side.repeats:
        return Counter([(i, owner[m]) for i, m in zip(side.owner, counterpart, strict=True) if m >= 0])
    return Counter(
        (i, owner[counterpart[number]])
        for i, entity in enumerate(side.entities)
        for number in entity
        if counterpart[number] != NONE
    )


def _memberships(alignment: Alignment) -> Counter[tuple[int, int]]:
    """The same from the key, with every response entity that holds the counterpart."""
    holders: dict[int, list[int]] = {}
    for j, entity in enumerate(alignment.response.entities):
        for number in entity:
            holders.setdefault(number, []).append(j)
    return Counter(
        (i, j)
        for i, entity in enumerate(alignment.key.entities)
        for number in entity
        for j in holders.get(alignment.to_response[number], ())
    )
