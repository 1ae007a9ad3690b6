"""Rows that look different, and how many there are of each: sums over them have one order only."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any, NamedTuple


class Looks(NamedTuple):
    """Rows that look different, in any order: NumPy arrays of equal length, of whole numbers."""

    documents: Any
    """The number of the document, from 0 on."""
    columns: tuple[Any, ...]
    """What they look like, such as n, k and r."""
    count: Any
    """How many look so."""


class Sorted(NamedTuple):
    """Looks in the order of documents, then of columns: sums over them have one order only."""

    size: int
    """How many documents there are, those without any rows included."""
    columns: tuple[Any, ...]
    count: Any
    starts: Any
    """Where the rows of a document begin, of the documents that have some."""
    present: Any
    """These documents."""

    @classmethod
    def of(cls, looks: Looks, size: int, wide: bool) -> Sorted:
        """From looks in any order; ``wide`` if Python's numbers are needed."""
        import numpy as np

        arrays = [np.asarray(array, dtype=np.int64) for array in (looks.documents, *looks.columns, looks.count)]
        order = _order(arrays)
        documents, *columns, count = [array[order] for array in arrays]
        starts = np.flatnonzero(np.diff(documents, prepend=-1))
        if wide:
            *columns, count = (array.astype(object) for array in (*columns, count))
        return cls(size, tuple(columns), count, starts, documents[starts])

    def sum(self, values: Any) -> Any:
        """Σ count · value of each document: whole numbers exactly, floats in one order or rounded once."""
        import numpy as np

        values = values * self.count
        if values.dtype == object and any(isinstance(value, float) for value in values.tolist()):
            values = values.astype(float)
        if self.size == 1 and values.dtype.kind == "f":
            return np.array([fsum(values.tolist())])
        sums = np.zeros(self.size, dtype=values.dtype)
        if len(values):
            sums[self.present] = np.add.reduceat(values, self.starts)
        return sums

    @property
    def documents(self) -> Any:
        """The document of each row."""
        import numpy as np

        return np.repeat(self.present, np.diff(self.starts, append=len(self.count)))


def _order(arrays: Sequence[Any]) -> Any:
    """How to sort by the first array, then by the second and so on. Rows in this order already take no time."""
    import numpy as np

    packed: Any = 0
    most = 1
    for array in arrays:
        size = int(array.max(initial=0)) + 1
        most *= size
        if most >= 1 << 63:
            return np.lexsort(arrays[::-1])
        packed = packed * size + array
    return np.argsort(packed, kind="stable")
