"""Contingency table of a document: the number of mentions that each key entity shares with each response entity.

Every table metric is a ratio of sums over the cells and margins of this table. A sum over cells is written as a
*term*, plain arithmetic on ``n`` (mentions shared), ``k`` and ``r`` (sizes of the two entities); the same term runs
on Python numbers here, on arrays in :mod:`corefscope.scale.arrays` and on exact fractions for explanations.

In this order: terms, the table, and tabulation of an alignment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from operator import mul, sub
from typing import TYPE_CHECKING, NamedTuple, Protocol

from .matching.alignment import NONE, Alignment, Side, check_pairs
from .matching.assignment import CellGroups, best_total, group_cells
from .numbers import Counts, Numeric, in_order
from .registry import HOOKS

if TYPE_CHECKING:
    from .metrics.base import Metric

Term = Callable[[Numeric, Numeric, Numeric], Numeric]
"""The contribution of a cell, from n, k and r only: arithmetic and ``where``, no ``if`` and no ``and``."""
MANY = 1 << 16  # distinct (n, k, r) whose values are cached
_VECTORISED: dict[Term, None] = {}


def vectorised_term(term: Term) -> Term:
    """Marks a term that is defined for every cell, 1 ≤ n ≤ k, r: a table computes all such terms in one pass.

    A term that is not marked gives the same sums, in a pass of its own.
    """
    _VECTORISED[term] = None
    return term


class Values(dict[tuple[int, int, int], tuple[Numeric, ...]]):
    """The values of some terms by (n, k, r): first those of all terms of (n, k, r), then those of (n, r, k).

    Most entities are small, so a few dozen (n, k, r) make up almost all cells of a corpus: a lookup takes a fraction
    of the time of the arithmetic.

    >>> values = Values([lambda n, k, r: 2 * n / (k + r), lambda n, k, r: n * n / k])
    >>> values[2, 2, 4], list(values)
    ((0.6666666666666666, 2.0, 0.6666666666666666, 1.0), [(2, 2, 4)])
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        super().__init__()
        self._terms = tuple(terms)

    def __missing__(self, cell: tuple[int, int, int]) -> tuple[Numeric, ...]:
        if len(self) >= MANY:
            self.clear()
        n, k, r = cell
        values = self[cell] = tuple([term(n, *sizes) for sizes in ((k, r), (r, k)) for term in self._terms])
        return values


_cached_values = lru_cache(maxsize=64)(Values)
"""The values of some terms, shared by all tables."""


def term_values(
    term: Term, n: Sequence[int], k: Sequence[int], r: Sequence[int]
) -> tuple[Mapping[Term, Sequence[Numeric]], Mapping[Term, Sequence[Numeric]]]:
    """The value of a term in each cell, with all marked terms if it is one of them; the same with k and r swapped."""
    exact = bool(n) and not isinstance(n[0], int)  # fractions are not cached: 2 and Fraction(2) are equal keys
    if exact or term not in _VECTORISED:
        return {term: list(map(term, n, k, r))}, {}
    terms = tuple(_VECTORISED)
    by_cell = map(_cached_values(terms).__getitem__, zip(n, k, r))  # noqa: B905  (a hot loop over columns of one table)
    values = [*zip(*by_cell)] or [()] * (2 * len(terms))  # noqa: B905  (the same loop)
    return dict(zip(terms, values)), dict(zip(terms, values[len(terms) :]))  # noqa: B905  (the same loop)


class Weighing(NamedTuple):
    """The weights of cells in an assignment. Called with n, k, r, k' and r': what a cell adds for its two entities.

    k' and r' are how many mentions of the two entities have counterparts. A key entity that lacks some may be mapped
    to one of these alone, which is a cell (1, k, 1) that no other entity wants; so may a response entity. An entity
    has that for certain, and a cell that is taken instead weighs so much less. Then max Σ over all assignments = Σ of
    what entities have alone + max Σ over those of the cells by their reduced weights (cells of 0 or less are not
    worth taking). All is arithmetic, for numbers, arrays and the expressions of engines.

    >>> from corefscope.core.metrics.ceaf import shared_mentions
    >>> Weighing(shared_mentions, lone_key=True)(3, 5, 4, 4, 3), Weighing(shared_mentions)(3, 5, 4, 4, 3)
    (2, 3)
    """

    term: Term
    lone_key: bool = False
    """Whether a key entity may be mapped to a mention of its own that has no counterpart."""
    lone_response: bool = False
    """Whether a response entity may; one of a single such mention may not."""
    common_only: bool = False
    """Whether response entities have the size of what they share with the key: r' for r."""

    def __call__(
        self, n: Numeric, k: Numeric, r: Numeric, key_matched: Numeric, response_matched: Numeric
    ) -> Numeric:
        """The reduced weight of a cell."""
        weight = self.term(n, k, response_matched if self.common_only else r)
        if self.lone_key:
            weight = weight - self.alone_in_key(k, key_matched)
        if self.lone_response:
            weight = weight - self.alone_in_response(r, response_matched)
        return weight

    def alone_in_key(self, k: Numeric, matched: Numeric) -> Numeric:
        """What a key entity has without any cell; 0 if all its mentions have counterparts."""
        return (k > matched) * self.term(1, k, 1)

    def alone_in_response(self, r: Numeric, matched: Numeric) -> Numeric:
        """What a response entity has."""
        return (r > matched) * (r > 1) * self.term(1, 1, r)

    def lone(
        self, key: Iterable[tuple[int, int]], response: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Numeric]]:
        """The further cells (row, column, weight), from the size and the lone mentions of each entity.

        Negative numbers are rows and columns of their own.
        """
        if self.lone_key:
            yield from ((i, -1 - i, self.term(1, k, 1)) for i, (k, lone) in enumerate(key) if lone)
        if self.lone_response:
            yield from ((-1 - j, j, self.term(1, 1, r)) for j, (r, lone) in enumerate(response) if lone and r > 1)


SizeTerm = Callable[[Numeric], Numeric]
"""The contribution of an entity: a function of its size."""


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
    def of_pairs(
        cls, pairs: Mapping[tuple[int, int], int], sizes: Sequence[int], other_sizes: Sequence[int]
    ) -> Cells:
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
    (``EngineSupport.each_entity``).
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
        """Σ over the bars of the size profiles (:mod:`corefscope.measures.profiles`) of each of some terms.

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


class IdTable(Table, Protocol):
    """The table of two large documents of ids, made without an alignment."""

    mentions: int
    matched: int
    ids_in_common: int

    @property
    def T(self) -> IdTable:  # noqa: N802
        """The same with the sides swapped."""

    @property
    def unsolved(self) -> bool:
        """Whether a best total is known by two bounds only; then ``at_most`` has the greater one."""

    @property
    def at_most(self) -> IdTable:
        """The same with the greatest totals that there can be."""

    def count(self, metric: Metric) -> Counts:
        """The counts of a metric."""


class Contingency:
    """One document as a table; rows are key entities, columns response entities.

    ``cells`` are counted from the key: the mentions of a key entity by the response entity that owns their
    counterparts. ``back`` is counted from the response, ``shared`` by membership instead of ownership. All
    three are the same unless counterparts are not mutual, or a mention is in several entities or has several matches.
    """

    __slots__ = (
        *("_columns", "_groups", "_mirrored", "_transpose", "back", "cells", "common", "entities", "key_sizes"),
        *("matched", "mentions", "missing", "pieces", "response_mentions", "response_sizes", "shared", "total"),
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
        self.back: Cells = cells.T if back is None else back
        self._mirrored = back is None
        self.shared: Cells = cells if shared is None else shared
        self.entities: int = len(key_sizes)
        self.pieces: int = len(cells.n)
        self.total: int = self._sum(key_sizes)
        self.common: int = self._sum(cells.n)
        self.missing: int = self.total - self.common
        self.mentions: int = mentions[0] if mentions else self.total
        self.response_mentions: int = mentions[1] if mentions else self._sum(response_sizes)
        self.matched: int = self.common if matched is None else matched
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
        """The same table from the other side, made once."""
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
        """The value of a term in each cell; vectorised terms are computed together."""
        if term not in self._columns:
            here, across = term_values(term, *self.cells[2:])
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
        bars = HOOKS["size_profiles"](self, self.T)
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
        weights = self._values(term) if cells is self.cells else term_values(term, *cells[2:])[0][term]
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
        weights = term_values(weighing.term, n, k, r)[0][weighing.term]
        return best_total([*zip(self.shared.rows, self.shared.columns, weights, strict=True), *lone])

    def _matched_sizes(self) -> Sequence[int]:
        """For each cell r', the number of mentions of its response entity that have counterparts."""
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
    """The sum of the values of each name; names are the numbers from 0 up to ``count``."""
    totals = [0] * count
    for name, value in zip(names, values):  # noqa: B905  (a hot loop over columns of one table)
        totals[name] += value
    return totals


def tabulate(alignment: Alignment) -> Contingency:
    """Count an alignment."""
    key, response = alignment.key, alignment.response
    key_sizes = list(map(len, key.entities))
    response_sizes = list(map(len, response.entities))
    cells = Cells.of_pairs(_pairs(key, response, alignment.to_response), key_sizes, response_sizes)
    back = shared = None
    repeats = key.repeats or response.repeats
    if repeats or not alignment.mutual:
        back = Cells.of_pairs(_pairs(response, key, alignment.to_key), response_sizes, key_sizes)
    if repeats or alignment.shared is not None:
        matches = alignment.shared
        memberships = (
            _memberships(alignment) if matches is None else {at: len(found) for at, found in matches.items()}
        )
        shared = Cells.of_pairs(memberships, key_sizes, response_sizes)
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
    key_owner, response_owner = alignment.key.owner, alignment.response.owner
    key_sizes, response_sizes = Counter(key_owner), Counter(response_owner)
    row_of = {entity: i for i, entity in enumerate(key_sizes)}
    column_of = {entity: j for j, entity in enumerate(response_sizes)}
    cells = Counter((row_of[key_owner[k]], column_of[response_owner[r]]) for k, r in pairs)
    return Contingency.of_pairs(list(key_sizes.values()), list(response_sizes.values()), cells)


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
    """The same from the key, with every response entity that holds the counterpart.

    InputError if repeated mentions make more than ``MAX_PAIRS`` pairs of entities.
    """
    holders: dict[int, list[int]] = {}
    for j, entity in enumerate(alignment.response.entities):
        for number in entity:
            holders.setdefault(number, []).append(j)
    counterparts = (alignment.to_response[number] for entity in alignment.key.entities for number in entity)
    numbers = [len(holders.get(counterpart, ())) for counterpart in counterparts]
    check_pairs(alignment.response, sum(numbers), len(numbers))  # mentions in one entity of each side have one pair
    return Counter(
        (i, j)
        for i, entity in enumerate(alignment.key.entities)
        for number in entity
        for j in holders.get(alignment.to_response[number], ())
    )
