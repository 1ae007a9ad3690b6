"""Contingency tables of many documents as histograms: Σ over cells = Σ over distinct (n, k, r) of count · term.

Equal cells contribute equally, so a table of a billion mentions is a few thousand rows of integers. The sums of a
:class:`BatchedTable` are arrays with one number for each document, and the metrics run on them unchanged. Sums of
integers are exact whatever the sizes. Sums of floats do not depend on the order in which rows arrive: those of one
document are rounded once (``math.fsum``), those of many are added up in the order of the sorted histogram.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from math import fsum
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import Numeric
from ..core.table import SizeTerm, Term, Weighing
from .batch_assignment import KERNEL_LIMIT, Bounds, best_by_document
from .large_assignment import Integers

Runs = tuple[Integers, Integers, Integers]
"""Documents, sizes and numbers of entities, as arrays; a size may occur several times."""


def profiles_by_document(key: Runs, response: Runs) -> tuple[Integers, tuple[Integers, Integers, Integers, Integers]]:
    """The bars of many documents, as arrays: the document of each, and its four numbers. Some bars are 0 wide."""
    ends = [_ends(*side) for side in (key, response)]
    documents, end = (np.concatenate([ends[0][at], ends[1][at]]) for at in (0, 1))
    in_key = np.arange(len(documents)) < len(ends[0][0])
    order = np.lexsort((end, documents))
    documents, end, in_key = documents[order], end[order], in_key[order]
    start = np.concatenate(([0], end[:-1])) * np.concatenate(([False], documents[1:] == documents[:-1]))
    # The entities that end at a bar or after it: of either side, the first run that has not ended before.
    # If that belongs to another document, this side has no more entities here.
    sizes = []
    for ours, (of_documents, _, of_sizes) in zip((in_key, ~in_key), ends, strict=True):
        run: Integers = np.cumsum(ours) - ours
        same = np.append(of_documents, -1)[run] == documents
        sizes.append(np.where(same, np.append(of_sizes, 0)[run], 0))
    return documents, (start, end - start, sizes[0], sizes[1])


def _ends(documents: Integers, sizes: Integers, entities: Integers) -> Runs:
    """Documents, how many entities of a document are in this run or before it, and sizes: largest first."""
    order = np.lexsort((-sizes, documents))
    documents, ends = documents[order], np.cumsum(entities[order])
    first = np.searchsorted(documents, documents)
    return documents, ends - np.concatenate(([0], ends))[first], sizes[order]


Numbers = NDArray[Any]
"""An array of 64-bit integers, of floats, or of Python integers."""


class CellHistogram(NamedTuple):
    """The distinct rows of a table, by document, and how often each occurs: parallel arrays, in any order."""

    documents: Integers
    """The number of the document, from 0 on."""
    columns: tuple[Integers, ...]
    """The values of the rows, such as n, k and r."""
    counts: Integers


class SortedHistogram(NamedTuple):
    """A histogram sorted by documents, then by columns, so that its sums have one order."""

    size: int
    """The number of documents, those without any rows included."""
    round_once: bool
    """Whether sums of floats are rounded once; there is one document."""
    columns: tuple[Numbers, ...]
    counts: Numbers
    starts: Integers
    """Where the rows of a document begin, of the documents that have some."""
    present: Integers
    """These documents."""

    @classmethod
    def of(cls, histogram: CellHistogram, size: int, wide: bool, round_once: bool) -> SortedHistogram:
        """Sort a histogram; ``wide`` if its sums need Python integers."""
        unsorted = (histogram.documents, *histogram.columns, histogram.counts)
        arrays = [np.asarray(array, dtype=np.int64) for array in unsorted]
        order = _order(arrays)
        documents, *columns = [array[order] for array in arrays]
        starts = np.flatnonzero(np.diff(documents, prepend=-1))
        *values, counts = (column.astype(object) if wide else column for column in columns)
        return cls(size, round_once, tuple(values), counts, starts, documents[starts])

    def sum(self, values: Numbers | int) -> Numbers:
        """Σ count · value of each document: integers exactly, floats in one order or rounded once."""
        products = values * self.counts
        if products.dtype == object and any(isinstance(value, float) for value in products.tolist()):
            products = products.astype(float)
        if self.round_once and products.dtype.kind == "f":
            return np.array([fsum(products.tolist())])
        sums = np.zeros(self.size, dtype=products.dtype)
        if len(products):
            sums[self.present] = np.add.reduceat(products, self.starts)
        return sums

    @property
    def documents(self) -> Integers:
        """The document of each row."""
        return np.repeat(self.present, np.diff(self.starts, append=len(self.counts)))


def _order(arrays: Sequence[Integers]) -> Integers:
    """The order of rows by the first array, then by the second and so on; sorted rows take no time."""
    packed = np.zeros(len(arrays[0]), dtype=np.int64)
    most = 1
    for array in arrays:
        size = int(array.max(initial=0)) + 1
        most *= size
        if most >= 1 << 63:
            return np.lexsort(arrays[::-1])
        packed = packed * size + array
    return np.argsort(packed, kind="stable")


WIDE = 1 << 31  # mentions of a document: the squares of larger numbers exceed 64 bits


class OpenCells(NamedTuple):
    """Cells that are not decided yet: parallel arrays of integers."""

    documents: Integers
    rows: Integers
    """The number of the key entity, from 0 on, which no entity of another document has."""
    columns: Integers
    """The number of the response entity."""
    n: Integers
    k: Integers
    r: Integers
    key_matched: Integers
    """How many mentions of the key entity have counterparts."""
    response_matched: Integers


class PartialAssignment(NamedTuple):
    """The cells that a best assignment certainly takes, and those that remain to be decided."""

    taken: CellHistogram
    """(n, k, r, k', r') of the certain cells; the other cells of their rows and columns are gone."""
    left: OpenCells


Peeling = Callable[[Weighing], PartialAssignment]
"""Finds the certain cells for a weighing; called when the best total is needed."""


class BatchedTable:
    """The contingency tables of some documents, known by histograms. A :class:`~corefscope.core.table.Table`.

    A mention is in at most one entity of a side. If ``unsolved``, a requested best total is known by its bounds only:
    this table gives the lower bound, and ``at_most`` the upper one.

    Parameters
    ----------
    documents
        The number of documents.
    cells
        Histogram of the cells: (n, k, r).
    key, response
        Histograms of the entities: size, mentions with counterpart, and the most mentions shared with one entity of
        the other side (0 if there are none).
    matched
        Histograms of the cells as (n, mentions with counterpart of the response entity), and the same of the key
        entity.
    peeling
        Finds the certain cells of a best assignment.
    kernel_limit
        The most cells of a connected component for which the best total is found; of more, bounds are given.
    is_all
        Whether there are no other documents. The sums of a document are the same in whatever batch it is.
    """

    def __init__(
        self,
        documents: int,
        cells: CellHistogram,
        key: CellHistogram,
        response: CellHistogram,
        matched: tuple[CellHistogram, CellHistogram],
        peeling: Peeling,
        *,
        kernel_limit: int = KERNEL_LIMIT,
        is_all: bool = True,
    ) -> None:
        most_mentions = 0.0
        for side in (key, response):
            sizes = np.asarray(side.columns[0], dtype=float) * side.counts
            most_mentions += float(np.bincount(side.documents, weights=sizes).max(initial=0.0))
        wide = most_mentions > WIDE
        self.documents = documents
        self._wide, self._round_once = wide, is_all and documents == 1
        sides, of_other = ([self._sorted(histogram) for histogram in both] for both in ((key, response), matched))
        self._peeling, self._kernel_limit = peeling, kernel_limit
        self._best: dict[Weighing, Bounds] = {}
        self._high = False
        self._set(self._sorted(cells), sides, of_other)

    def _sorted(self, histogram: CellHistogram) -> SortedHistogram:
        return SortedHistogram.of(histogram, self.documents, self._wide, self._round_once)

    def _set(
        self, cells: SortedHistogram, sides: Sequence[SortedHistogram], matched: Sequence[SortedHistogram]
    ) -> None:
        """Set what depends on the side that the tables are seen from."""
        self._cells, self._sides, self._matched = cells, sides, matched
        key = sides[0]
        self._sums: dict[Term, Numbers] = {}
        self._transpose: BatchedTable | None = None
        self._turned_from: ref[BatchedTable] | None = None  # weak: a cycle would keep every batch in memory
        # One number for each document, which metrics take for a number.
        self.total: Numeric = key.sum(key.columns[0])
        self.common: Numeric = cells.sum(cells.columns[0])
        self.entities: Numeric = key.sum(1)
        self.pieces: Numeric = cells.sum(1)
        self.missing: Numeric = self.total - self.common
        self.mentions: Numeric = self.total
        self.matched: Numeric = self.common

    @property
    def T(self) -> BatchedTable:  # noqa: N802  (as in NumPy)
        """The same tables seen from the other side, rows in the same order."""
        turned = self._transpose or (self._turned_from() if self._turned_from else None)
        if turned is None:
            n, k, r = self._cells.columns
            cells = self._cells._replace(columns=(n, r, k))
            turned = self._transpose = copy(self)
            turned._set(cells, self._sides[::-1], self._matched[::-1])
            turned._turned_from = ref(self)
        return turned

    def over_cells(self, term: Term) -> Numeric:
        """Σ term(n, k, r)"""
        if term not in self._sums:
            self._sums[term] = self._cells.sum(term(*self._cells.columns))
        return self._sums[term]

    def over_entities(self, term: SizeTerm) -> Numeric:
        """Σ term(k)"""
        key = self._sides[0]
        return key.sum(term(key.columns[0]))

    def over_cells_and_matched(self, term: Callable[[Numeric, Numeric], Numeric]) -> Numeric:
        """Σ term(n, r'), where r' = Σ n over the cells of the same column."""
        cells = self._matched[0]
        return cells.sum(term(*cells.columns))

    def over_best_cells(self) -> Numeric:
        """Σ max n over the cells of each row; 1 for a row without cells."""
        key = self._sides[0]
        best = key.columns[2]
        return key.sum(best + (best == 0))

    def over_profiles(self, *terms: Callable[[Numeric, Numeric, Numeric, Numeric], Numeric]) -> tuple[Numeric, ...]:
        """Σ over the bars of the size profiles of each of some terms."""
        sides = []
        for side, other in zip(self._sides, (self.T, self), strict=True):
            entities = side.documents, side.columns[0].astype(np.int64), side.counts.astype(np.int64)
            # The mentions of the other side without counterpart are singletons of this one.
            missing = other.missing.astype(np.int64)
            lacking = np.flatnonzero(missing)
            singletons = lacking, np.ones_like(lacking), missing[lacking]
            documents, sizes, counts = map(np.concatenate, zip(entities, singletons, strict=True))
            sides.append((documents, sizes, counts))
        documents, bars = profiles_by_document(*sides)
        histogram = CellHistogram(documents, bars, np.ones_like(documents))
        rows = self._sorted(histogram)
        return tuple([rows.sum(term(*rows.columns)) for term in terms])

    def pairs_in_cells(self) -> Numeric:
        """Σ C2(n)"""
        return self._cells.sum(_pairs(self._cells.columns[0]))

    def pairs_in_entities(self) -> Numeric:
        """Σ C2(k)"""
        return self.over_entities(_pairs)

    def pairs_of_matched(self) -> tuple[Numeric, Numeric]:
        """Σ C2(k') and Σ C2(r'), where k' and r' are the mentions of an entity that have counterparts."""
        key, response = (side.sum(_pairs(side.columns[1])) for side in self._sides)
        return key, response

    @staticmethod
    def n_log_n(n: Numeric) -> Numeric:
        """(n · log n), 0 for 0."""
        return n * np.log(np.maximum(n, 1).astype(float))

    def best(self, term: Term) -> Numeric:
        """Max Σ term(n, k, r) over assignments; if it is not known, the lower bound, or in ``at_most`` the upper."""
        return self.best_of(Weighing(term))

    def best_of(self, weighing: Weighing) -> Numeric:
        """The weight of entities alone, plus what a best assignment of cells adds to it."""
        if weighing not in self._best:
            self._best[weighing] = self._search(weighing)
        total = self._best[weighing].high if self._high else self._best[weighing].low
        key, response = self._sides
        if weighing.lone_key:
            total = total + key.sum(weighing.alone_in_key(*key.columns[:2]))
        if weighing.lone_response:
            total = total + response.sum(weighing.alone_in_response(*response.columns[:2]))
        return total

    def _search(self, weighing: Weighing) -> Bounds:
        """The weight of a best assignment of cells, by document."""
        taken, left = self._peeling(weighing)
        rows = self._sorted(taken)
        known = rows.sum(weighing(*rows.columns))
        weights = weighing(*left[3:])
        cells = *left[:3], weights
        worth = weights > 0
        if not worth.all():
            cells = tuple([column[worth] for column in cells])
        chosen = best_by_document(self.documents, *cells, self._kernel_limit)
        return Bounds(known + chosen.low, known + chosen.high)

    @property
    def unsolved(self) -> bool:
        """Whether a requested best total is known by its bounds only."""
        return any(total.is_open for total in self._best.values())

    @property
    def at_most(self) -> BatchedTable:
        """The same table with the upper bounds of best totals."""
        high = copy(self)
        high._high, high._transpose, high._turned_from = True, None, None
        return high


def _pairs(k: Numeric) -> Numeric:
    """C2(k) = k(k − 1)/2"""
    return k * (k - 1) // 2
