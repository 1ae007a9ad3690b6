"""The contingency table of a document: how many mentions each key entity shares with each response entity.

Every table metric is a ratio of sums over its cells and margins. A sum over cells is written as a *term*,
plain arithmetic on ``n`` (mentions shared), ``k`` and ``r`` (sizes of the two entities); the same term runs
on Python numbers here and on arrays in :mod:`corefscope.scale.arrays`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log
from operator import mul, sub
from typing import NamedTuple, Protocol

from ..base.numbers import Numeric, in_order
from ..match.assignment import CellGroups, best_total, group_cells
from .terms import Term, Weighing, columns

SizeTerm = Callable[[Numeric], Numeric]
"""What an entity contributes: a function of its size."""


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


class Table(Protocol):
    """All that a metric may ask of a table. Sums may be numbers, or arrays with one number for each document.

    The last two members are of one document and name single entities: a table that knows only how many cells look
    the same (:mod:`corefscope.scale.batched_table`) has none of them. The rows of metrics that ask for them say so
    (``Metric.each_entity``).
    """

    total: int
    """Σ k: the sizes of the key entities added up; a mention in two of them counts twice."""
    entities: int
    """The number of key entities."""
    common: int
    """Σ n: the mentions of key entities that have counterparts."""
    missing: int
    """Σ k − Σ n: the mentions of key entities that have no counterpart."""
    pieces: int
    """The number of cells: of pairs of entities that share mentions."""
    mentions: int
    """The distinct mentions of the key."""
    matched: int
    """The distinct mentions that are matched: those of the key and of the response are the same number."""

    @property
    def T(self) -> Table:  # noqa: N802  (as in NumPy)
        """The table with its sides swapped: the precision of a table is the recall of its transpose."""

    def over_cells(self, term: Term) -> Numeric:
        """Σ over the cells of a term of n, k and r."""

    def over_entities(self, term: SizeTerm) -> Numeric:
        """Σ over the key entities of a term of their size."""

    def over_cells_and_matched(self, term: Callable[[Numeric, Numeric], Numeric]) -> Numeric:
        """Σ over the cells of a term of n and of how many mentions of the response entity have counterparts."""

    def over_best_cells(self) -> Numeric:
        """Σ over the key entities of what they share with the response entity they share most with.

        A mention without counterpart counts as an entity of its own, with which 1 is shared.
        """

    def over_profiles(self, *terms: Callable[[Numeric, Numeric, Numeric, Numeric], Numeric]) -> tuple[Numeric, ...]:
        """Σ over the bars of the size profiles (:mod:`corefscope.count.profiles`) of each of some terms.

        Terms are of start, width, size in the key and size in the response.
        """

    def pairs_in_cells(self) -> int:
        """Σ C2(n): the pairs of mentions that key and response both put together."""

    def pairs_in_entities(self) -> int:
        """Σ C2(k): the pairs of mentions that the key puts together."""

    def pairs_of_matched(self) -> tuple[int, int]:
        """The pairs that the key puts together, and those that the response does, among mentions with counterpart."""

    def n_log_n(self, n: Numeric) -> Numeric:
        """(n · log n), for terms and for sums; 0 for 0."""

    def best(self, term: Term) -> float:
        """The largest Σ of a term over cells no two of which share a row or a column."""

    def best_of(self, weighing: Weighing) -> float:
        """The same where entities may also be mapped to mentions without counterpart."""

    def each_entity(self) -> Iterable[tuple[int, int]]:
        """The size of each key entity, and how many of its mentions have no counterpart."""

    def each_cell(self) -> Iterable[tuple[int, int, int]]:
        """(key entity, response entity, n), with entities as numbers in the order of ``each_entity``."""


class Contingency:
    """One document as a table; rows are key entities, columns response entities.

    ``cells`` are counted from the key: the mentions of a key entity by the response entity that owns their
    counterparts. ``back`` is counted from the response, ``shared`` by membership instead of ownership. All
    three are the same unless counterparts are not mutual, or a mention stands in several entities.
    """

    __slots__ = (
        *(
            "_columns",
            "_mirrored",
            "_groups",
            "_transpose",
            "back",
            "cells",
            "common",
            "entities",
            "key_sizes",
            "matched",
        ),
        *("mentions", "missing", "pieces", "response_mentions", "response_sizes", "shared", "total"),
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
        self._mirrored = back is None
        self.shared = cells if shared is None else shared
        self.entities, self.pieces = len(key_sizes), len(cells.n)
        self.total, self.common = self._sum(key_sizes), self._sum(cells.n)
        self.missing = self.total - self.common
        self.mentions, self.response_mentions = mentions or (self.total, self._sum(response_sizes))
        self.matched = self.common if matched is None else matched
        self._transpose: Contingency | None = None
        self._groups: CellGroups | None = None
        self._columns: dict[Term, Sequence[Numeric]] = {}

    @classmethod
    def of_pairs(
        cls, key_sizes: Sequence[int], response_sizes: Sequence[int], pairs: dict[tuple[int, int], int]
    ) -> Contingency:
        """From the number of mentions that each (key entity, response entity) share."""
        return cls(key_sizes, response_sizes, Cells.of_pairs(pairs, key_sizes, response_sizes))

    @property
    def T(self) -> Contingency:  # noqa: N802  (as in NumPy)
        """The same cells from the other side, made once."""
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
    def _sum(sizes: Numeric) -> int:
        return sum(sizes)

    def over_cells(self, term: Term) -> Numeric:
        """Σ term(n, k, r)"""
        return in_order(self._values(term))

    def _values(self, term: Term) -> Sequence[Numeric]:
        """The value of a term in each cell; with it, terms that are likely to be asked for next are worked out."""
        if term not in self._columns:
            here, across = columns(term, *self.cells[2:])
            self._columns.update(here)
            if self._mirrored:
                self.T._columns.update(across)
        return self._columns[term]

    def over_entities(self, term: SizeTerm) -> Numeric:
        """Σ term(k)"""
        return in_order(map(term, self.key_sizes))

    def over_cells_and_matched(self, term: Callable[[Numeric, Numeric], Numeric]) -> Numeric:
        """Σ term(n, r'), where r' = Σ n over the cells of the same column."""
        return in_order(map(term, self.cells.n, self._matched_sizes()))

    def over_best_cells(self) -> Numeric:
        """Σ max n over the cells of each row; 1 for a row without cells."""
        best: dict[int, int] = {}
        for i, n in zip(self.cells.rows, self.cells.n, strict=True):
            if n > best.get(i, 0):
                best[i] = n
        return sum(best.values()) + len(self.key_sizes) - len(best)

    def over_profiles(self, *terms: Callable[[Numeric, Numeric, Numeric, Numeric], Numeric]) -> tuple[Numeric, ...]:
        """Σ term(start, width, k, r)"""
        from .profiles import profiles  # which few metrics need

        bars = profiles(self, self.T)
        return tuple([in_order([term(*bar) for bar in bars]) for term in terms])

    def pairs_in_cells(self) -> int:
        """Σ C2(n)"""
        return self._pairs(self.cells.n, self.common)

    def pairs_in_entities(self) -> int:
        """Σ C2(k)"""
        return self._pairs(self.key_sizes, self.total)

    def pairs_of_matched(self) -> tuple[int, int]:
        """Σ C2(k') and Σ C2(r'), where k' and r' are the sums of n over the cells of a row and of a column."""
        rows, columns, n, _, _ = self.cells
        by_row, by_column = _sums(rows, n, self.entities), _sums(columns, n, len(self.response_sizes))
        return self._pairs(by_row, self.common), self._pairs(by_column, self.common)

    @staticmethod
    def _pairs(sizes: Numeric, total: int) -> int:
        """Σ C2(x) = (Σ x² − Σ x)/2"""
        squares: int = sum(map(mul, sizes, sizes))
        return (squares - total) // 2

    @staticmethod
    def n_log_n(n: Numeric) -> Numeric:
        """(n · log n), 0 for 0."""
        return n * log(n) if n else 0.0

    def sizes(self) -> dict[int, int]:
        """{k: number of entities}"""
        return Counter(self.key_sizes)

    def best(self, term: Term) -> float:
        """Max Σ term(n, k, r) over assignments."""
        cells = self.shared
        weights = self._values(term) if cells is self.cells else columns(term, *cells[2:])[0][term]
        # Most connected components are so small that the best choice can be seen; only the rest is searched.
        self._groups = self._groups or group_cells(cells.rows, cells.columns)
        alone, one_of, one_or_two, others = self._groups
        weight_of = weights.__getitem__
        total = in_order(map(weight_of, alone))
        for group in one_of:
            total += max(map(weight_of, group))
        for crossing, in_row, in_column in one_or_two:
            total += max(weights[crossing], max(map(weight_of, in_row)) + max(map(weight_of, in_column)))
        if others:
            total += best_total([(cells.rows[cell], cells.columns[cell], weights[cell]) for cell in others])
        return total

    def best_of(self, weighing: Weighing) -> float:
        """The cells, and those of entities with mentions without counterpart."""
        lone = list(weighing.lone(self.each_entity(), self.T.each_entity()))
        n, k, r = self.shared[2:]
        if weighing.common_only and self.T.missing:
            r = self._matched_sizes()
        elif not lone:
            return self.best(weighing.term)
        weights = columns(weighing.term, n, k, r)[0][weighing.term]
        return best_total([*zip(self.shared.rows, self.shared.columns, weights, strict=True), *lone])

    def _matched_sizes(self) -> Sequence[int]:
        """R' of each cell: how many mentions of its response entity have counterparts."""
        matched = _sums(self.cells.columns, self.cells.n, len(self.response_sizes))
        return [matched[j] for j in self.cells.columns]

    def each_entity(self) -> Iterable[tuple[int, int]]:
        """(k, k − k'), where k' is the sum of n over the cells of the row."""
        matched = _sums(self.cells.rows, self.cells.n, self.entities)
        return list(zip(self.key_sizes, map(sub, self.key_sizes, matched), strict=True))

    def each_cell(self) -> Iterable[tuple[int, int, int]]:
        """(row, column, n)"""
        return zip(self.cells.rows, self.cells.columns, self.cells.n, strict=True)


def _sums(names: Sequence[int], values: Sequence[int], count: int) -> list[int]:
    """Σ of the values of each of so many names, which are numbers from 0."""
    totals = [0] * count
    for name, value in zip(names, values):  # noqa: B905  (a hot loop over columns of one table)
        totals[name] += value
    return totals
