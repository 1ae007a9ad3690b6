"""Tables known by the looks of their cells: Σ over cells = Σ over looks (n, k, r) of how many there are × the term.

Cells that look alike contribute alike, so a table of a billion mentions is a few thousand rows of whole numbers. A
:class:`Stack` holds the tables of one or of many documents; its sums are arrays with one number for each document,
and the metrics run on them unchanged. Sums of whole numbers are exact whatever the sizes. Sums of floats do not
depend on the order in which rows arrive: of one document they are rounded once (``math.fsum``), of many they are
added up in the order of the looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.numbers import Counts
from .batch_assignment import KERNEL_LIMIT, Bounds, best_by_document
from .looks import Looks, Sorted
from .profiles import profiles_by_document
from .table import SizeTerm
from .terms import Term, Weighing

if TYPE_CHECKING:
    from .metrics.base import Metric

__all__ = ["Looks", "OpenCells", "PartialAssignment", "Peeling", "Stack", "rows_by_document"]

WIDE = 1 << 31  # mentions of a document; the squares of more than these are no 64-bit numbers


class OpenCells(NamedTuple):
    """Cells that are not decided yet: NumPy arrays of equal length, of whole numbers."""

    documents: Any
    rows: Any
    """The key entity: a number from 0 on; entities of several documents have different numbers."""
    columns: Any
    """The response entity, numbered in the same way."""
    n: Any
    k: Any
    r: Any
    key_matched: Any
    """How many mentions of the key entity have counterparts."""
    response_matched: Any


class PartialAssignment(NamedTuple):
    """Part of a maximum-weight assignment, and the cells that are still open."""

    taken: Looks
    """(n, k, r, k', r') of the cells that certainly belong to it; others of their rows and columns are gone."""
    left: OpenCells
    """The cells among which it has to choose."""


Peeling = Callable[[Weighing], PartialAssignment]
"""From the weights of cells to a partial assignment; called when it is needed."""


class Stack:
    """The tables of some documents, known by their looks. A :class:`~corefscope.count.table.Table`.

    Every mention stands in one entity of a side at most. ``unsolved`` says whether a best total was asked for that
    lies between two bounds: then this table gives the lower one, and ``at_most`` the table that gives the upper one.

    Parameters
    ----------
    documents
        How many documents there are.
    cells
        The looks (n, k, r) of cells.
    key, response
        The looks of entities: size, mentions with counterpart, and the most mentions shared with one other entity (0
        if there are none).
    matched
        The looks of cells as (n, mentions with counterpart of the response entity), and the same of the key entity.
    peeled
        From the weights of cells to a partial assignment.
    kernel_limit
        The most cells that hang together of which the best total is found, and not bounds.
    """

    def __init__(
        self,
        documents: int,
        cells: Looks,
        key: Looks,
        response: Looks,
        matched: tuple[Looks, Looks],
        peeled: Peeling,
        *,
        kernel_limit: int = KERNEL_LIMIT,
    ) -> None:
        wide = sum(_most_mentions(side) for side in (key, response)) > WIDE
        sides, of_other = ([Sorted.of(rows, documents, wide) for rows in both] for both in ((key, response), matched))
        self._set(Sorted.of(cells, documents, wide), sides, of_other, _Best(documents, wide, peeled, kernel_limit))

    def _set(self, cells: Sorted, sides: Sequence[Sorted], matched: Sequence[Sorted], best: _Best) -> None:
        self._cells, self._sides, self._matched, self._best = cells, sides, matched, best
        key = sides[0]
        self._sums: dict[Term, Any] = {}
        self._transpose: Stack | None = None
        self._high = False
        self.documents = cells.size
        self.total, self.common = key.sum(key.columns[0]), cells.sum(cells.columns[0])
        self.entities, self.pieces = key.sum(1), cells.sum(1)
        self.missing = self.total - self.common
        self.mentions, self.matched = self.total, self.common

    @property
    def T(self) -> Stack:  # noqa: N802  (as in NumPy)
        """The same looks from the other side, in the same order."""
        if self._transpose is None:
            n, k, r = self._cells.columns
            cells = self._cells._replace(columns=(n, r, k))
            turned = self._transpose = object.__new__(Stack)
            turned._set(cells, self._sides[::-1], self._matched[::-1], self._best)
            turned._transpose, turned._high = self, self._high
        return self._transpose

    def over_cells(self, term: Term) -> Any:
        """Σ term(n, k, r)"""
        if term not in self._sums:
            self._sums[term] = self._cells.sum(term(*self._cells.columns))
        return self._sums[term]

    def over_entities(self, term: SizeTerm) -> Any:
        """Σ term(k)"""
        key = self._sides[0]
        return key.sum(term(key.columns[0]))

    def over_cells_and_matched(self, term: Callable[[Any, Any], Any]) -> Any:
        """Σ term(n, r'), where r' = Σ n over the cells of the same column."""
        cells = self._matched[0]
        return cells.sum(term(*cells.columns))

    def over_best_cells(self) -> Any:
        """Σ max n over the cells of each row; 1 for a row without cells."""
        key = self._sides[0]
        best = key.columns[2]
        return key.sum(best + (best == 0))

    def over_profiles(self, *terms: Callable[[Any, Any, Any, Any], Any]) -> tuple[Any, ...]:
        """Σ over the bars of the size profiles of each of some terms."""
        import numpy as np

        sides = [
            [np.concatenate(both) for both in zip(_runs(side), _singletons(other), strict=True)]
            for side, other in zip(self._sides, (self.T, self), strict=True)
        ]
        documents, bars = profiles_by_document(*map(tuple, sides))  # type: ignore[arg-type]
        rows = Sorted.of(Looks(documents, bars, np.ones_like(documents)), self.documents, self.total.dtype == object)
        return tuple([rows.sum(term(*rows.columns)) for term in terms])

    def pairs_in_cells(self) -> Any:
        """Σ C2(n)"""
        return self._cells.sum(_pairs(self._cells.columns[0]))

    def pairs_in_entities(self) -> Any:
        """Σ C2(k)"""
        return self.over_entities(_pairs)

    def pairs_of_matched(self) -> tuple[Any, Any]:
        """Σ C2(k') and Σ C2(r'), where k' and r' are the mentions of an entity that have counterparts."""
        key, response = (side.sum(_pairs(side.columns[1])) for side in self._sides)
        return key, response

    @staticmethod
    def n_log_n(n: Any) -> Any:
        """(n · log n), 0 for 0."""
        import numpy as np

        return n * np.log(np.maximum(n, 1).astype(float))

    def best(self, term: Term) -> Any:
        """Max Σ term(n, k, r) over assignments; where it is not known, a lower bound, or in ``at_most`` an upper."""
        return self.best_of(Weighing(term))

    def best_of(self, weighing: Weighing) -> Any:
        """What entities have alone, and what a best assignment of cells adds to it."""
        total = self._best[weighing].high if self._high else self._best[weighing].low
        key, response = self._sides
        if weighing.lone_key:
            total = total + key.sum(weighing.alone_in_key(*key.columns[:2]))
        if weighing.lone_response:
            total = total + response.sum(weighing.alone_in_response(*response.columns[:2]))
        return total

    @property
    def unsolved(self) -> bool:
        """Whether a best total that was asked for is not known."""
        return any(total.is_open for total in self._best.values())

    @property
    def at_most(self) -> Stack:
        """The same table with upper bounds of best totals."""
        high = object.__new__(Stack)
        high.__dict__.update(self.__dict__)
        high._high, high._transpose = True, None
        return high


class _Best(dict[Weighing, Bounds]):
    """By how cells weigh, what a best assignment of each document adds up to; found when it is asked for."""

    def __init__(self, documents: int, wide: bool, peeled: Peeling, kernel_limit: int) -> None:
        super().__init__()
        self._documents, self._wide, self._peeled, self._kernel_limit = documents, wide, peeled, kernel_limit

    def __missing__(self, weighing: Weighing) -> Bounds:
        taken, left = self._peeled(weighing)
        rows = Sorted.of(taken, self._documents, self._wide)
        known = rows.sum(weighing(*rows.columns))
        weights = weighing(*left[3:])
        cells = *left[:3], weights
        worth = weights > 0
        if not worth.all():
            cells = tuple([column[worth] for column in cells])
        chosen = best_by_document(self._documents, *cells, self._kernel_limit)
        total = self[weighing] = Bounds(known + chosen.low, known + chosen.high)
        return total


def rows_by_document(stack: Stack, metrics: Iterable[Metric]) -> Iterator[tuple[Counts, ...]]:
    """The counts of some metrics, one document after the other, as plain numbers."""
    import numpy as np

    def columns(metric: Metric) -> Iterator[Counts]:
        """What is the same for all documents is one number."""
        counts = [np.broadcast_to(array, stack.documents).tolist() for array in metric.counts(stack)]
        return zip(*counts, strict=True)

    return zip(*map(columns, metrics), strict=True)


def _most_mentions(entities: Looks) -> float:
    """The mentions of one side in the document that has most."""
    import numpy as np

    sizes = np.asarray(entities.columns[0], dtype=float) * entities.count
    return float(np.bincount(entities.documents, weights=sizes).max(initial=0.0))


def _pairs(k: Any) -> Any:
    """C2(k) = k(k − 1)/2"""
    return k * (k - 1) // 2


def _runs(side: Sorted) -> tuple[Any, Any, Any]:
    """Documents, sizes and numbers of the entities of a side."""
    return side.documents, side.columns[0].astype("int64"), side.count.astype("int64")


def _singletons(other: Stack) -> tuple[Any, Any, Any]:
    """The mentions of the other side without counterpart, as singletons of this one."""
    import numpy as np

    missing = other.missing.astype(np.int64)
    documents = np.flatnonzero(missing)
    return documents, np.ones_like(documents), missing[documents]
