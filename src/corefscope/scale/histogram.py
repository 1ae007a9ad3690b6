"""Histograms of cells and entities, whose sums do not depend on the order of rows; and stable sorting of integers."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

Numbers = Any
"""An array of integers, of floats or of Python integers, which metrics take for a number."""


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
    columns: tuple[Numbers, ...]
    counts: Numbers
    starts: Integers
    """Where the rows of a document begin, of the documents that have some."""
    present: Integers
    """These documents."""

    @classmethod
    def of(cls, histogram: CellHistogram, size: int, wide: bool) -> SortedHistogram:
        """Sort a histogram; ``wide`` if its sums need Python integers."""
        unsorted = (histogram.documents, *histogram.columns, histogram.counts)
        arrays = [np.asarray(array, dtype=np.int64) for array in unsorted]
        order = _order(arrays)
        documents, *columns = [array[order] for array in arrays]
        starts = np.flatnonzero(np.diff(documents, prepend=-1))
        *values, counts = (column.astype(object) if wide else column for column in columns)
        return cls(size, tuple(values), counts, starts, documents[starts])

    def sum(self, values: Numbers | int) -> Numbers:
        """Σ count · value of each document: integers exactly, floats in one order or rounded once."""
        products = values * self.counts
        if products.dtype == object and any(isinstance(value, float) for value in products.tolist()):
            products = products.astype(float)
        if self.size == 1 and products.dtype.kind == "f":
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


def stable_order(numbers: Integers) -> Integers:
    """The stable sorting order of non-negative integers."""
    return stably_sorted(numbers)[0]


def stably_sorted(numbers: Integers) -> tuple[Integers, Integers]:
    """The stable sorting order of non-negative integers, and the sorted integers.

    >>> stably_sorted(np.array([2, 0, 2, 1]))
    (array([1, 3, 0, 2]), array([0, 1, 2, 2]))
    """
    bits = len(numbers).bit_length()
    if not len(numbers) or int(numbers.max()) >> (62 - bits) or (numbers[1:] >= numbers[:-1]).all():
        order = np.argsort(numbers, kind="stable")
        return order, numbers[order]
    packed = (numbers.astype(np.int64) << bits) | np.arange(len(numbers))
    packed.sort()  # faster than argsort
    return packed & ((1 << bits) - 1), packed >> bits
