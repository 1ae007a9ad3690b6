"""Rows of counts of many documents: kept as columns, added up exactly, made into Python's numbers one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any

from ...base.numbers import Counts
from ...count.metrics.base import Metric

if TYPE_CHECKING:
    from ...count.histogram import Stack

Columns = list[list[Any]]
"""For each metric an array for each of its fields, with one number for each document."""

SAFE = 1 << 62


def counts_of(stack: Stack, metrics: Sequence[Metric]) -> Columns:
    """The counts of some metrics for all documents of a stack at once."""
    import numpy as np

    return [[np.broadcast_to(array, stack.documents) for array in metric.counts(stack)] for metric in metrics]


class Totals:
    """Sums over documents that come in batches: whole numbers exactly, the floats of a batch rounded once."""

    def __init__(self) -> None:
        self._sums: list[list[list[Any]]] = []

    def add(self, columns: Columns) -> None:
        """Add a batch."""
        self._sums.append([[_sum(array) for array in arrays] for arrays in columns])

    def row(self) -> tuple[Counts, ...]:
        """The counts of all documents together; empty if there was no batch."""
        by_metric = zip(*self._sums, strict=True)
        return tuple([tuple(map(_total, zip(*batches, strict=True))) for batches in by_metric])


def _sum(array: Any) -> Any:
    """Σ of an array as a Python number."""
    if array.dtype.kind == "f":
        return fsum(array.tolist())
    if array.dtype.kind in "iu" and int(abs(array).max(initial=0)) * len(array) < SAFE:
        return int(array.sum())
    return _total(array.tolist())


def _total(numbers: Sequence[Any]) -> Any:
    return fsum(numbers) if any(isinstance(number, float) for number in numbers) else sum(numbers)


class Gathered:
    """Rows of batches of documents on their way into a report."""

    def __init__(self, keeps: bool) -> None:
        """``keeps`` says whether rows of documents are kept, or only their totals."""
        self._keeps = keeps
        self._names: list[str] = []
        self._batches: list[Columns] = []
        self._totals = Totals()

    def add(self, names: Sequence[str], columns: Columns) -> None:
        """Add a batch."""
        self._totals.add(columns)
        if self._keeps:
            self._names += names
            self._batches.append(columns)

    def rows(self) -> ArrayRows:
        """All rows."""
        return ArrayRows(self._names, self._batches, self._totals.row())


class ArrayRows(Mapping[str, tuple[Counts, ...]]):
    """The row of each document by its name, in the order of names; ``totals`` is the sum of all rows.

    They take as much memory as their arrays; without any names, as their totals, which are not nothing.
    """

    def __init__(self, names: Sequence[str], batches: Sequence[Columns], totals: tuple[Counts, ...]) -> None:
        import numpy as np

        self._at = {name: index for index, name in enumerate(names)}
        self._columns = [
            [np.concatenate(arrays) for arrays in zip(*of_metric, strict=True)]
            for of_metric in zip(*batches, strict=True)
        ]
        self.totals = totals

    def __getitem__(self, name: str) -> tuple[Counts, ...]:
        at = self._at[name]
        return tuple([tuple([_plain(array[at]) for array in arrays]) for arrays in self._columns])

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def __bool__(self) -> bool:
        return True


def _plain(number: Any) -> Any:
    """Python's number; in an array of objects it is one already."""
    return number.item() if hasattr(number, "item") else number
