"""Counts of many documents as columns: sums over batches, rows for a report, and a file of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

import numpy as np

from ..core.metrics import METRICS, counted
from ..core.metrics.base import Metric
from ..core.numbers import Counts
from ..core.options import Options
from ..core.rules import RULES
from ..formats.tables.writer import TableFile
from .arrays import plain, score_arrays
from .batched_table import BatchedTable, Numbers

Columns = list[list[Numbers]]
"""For each metric an array for each of its fields, with one number for each document."""

SAFE = 1 << 62


def counts_of(table: BatchedTable, metrics: Sequence[Metric]) -> Columns:
    """The counts of some metrics for all documents of a table."""
    return [[np.broadcast_to(array, table.documents) for array in metric.counts(table)] for metric in metrics]


class RowCollector:
    """Collects the rows of batches of documents, or only their totals if ``keeps`` is false.

    Totals of integers are exact; the floats of a batch are rounded once.
    """

    def __init__(self, keeps: bool) -> None:
        self._keeps = keeps
        self._names: list[str] = []
        self._batches: list[Columns] = []
        self._sums: list[list[list[float]]] = []

    def add(self, names: Sequence[str], columns: Columns) -> None:
        """Add a batch."""
        self._sums.append([[_sum(array) for array in arrays] for arrays in columns])
        if self._keeps:
            self._names += names
            self._batches.append(columns)

    def rows(self) -> ArrayRows:
        """All rows, and their totals."""
        by_metric = zip(*self._sums, strict=True)
        totals = tuple([tuple(map(_total, zip(*batches, strict=True))) for batches in by_metric])
        return ArrayRows(self._names, self._batches, totals)


def _sum(array: Numbers) -> float:
    """Σ of an array as a Python number."""
    if array.dtype.kind == "f":
        return fsum(array.tolist())
    if array.dtype.kind in "iu" and int(abs(array).max(initial=0)) * len(array) < SAFE:
        return int(array.sum())
    return _total(array.tolist())


def _total(numbers: Sequence[float]) -> float:
    return fsum(numbers) if any(isinstance(number, float) for number in numbers) else sum(numbers)


class ArrayRows(Mapping[str, tuple[Counts, ...]]):
    """The counts of each document by its name, in the order of names, stored as arrays; ``totals`` are their sums.

    It is true even without any documents: then it has totals only.
    """

    def __init__(self, names: Sequence[str], batches: Sequence[Columns], totals: tuple[Counts, ...]) -> None:
        self._at = {name: index for index, name in enumerate(names)}
        self._columns = [
            [np.concatenate(arrays) for arrays in zip(*of_metric, strict=True)]
            for of_metric in zip(*batches, strict=True)
        ]
        self.totals = totals

    def __getitem__(self, name: str) -> tuple[Counts, ...]:
        at = self._at[name]
        return tuple([plain(tuple([array[at] for array in arrays])) for arrays in self._columns])

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def __bool__(self) -> bool:
        return True


class DocumentFile:
    """A file with the scores of each document, ``muc_recall`` and so on; empty where there is nothing to count.

    With several responses, the first column is the response. ``file`` must be closed by the caller.
    """

    def __init__(
        self, path: str, options: Options, metrics: Sequence[str], *, several: bool, spreadsheet: bool
    ) -> None:
        self._names, self._several = metrics, several
        self._counted = [metric.name for metric in counted(metrics)]
        self._conventions = RULES[options.rules].conventions
        nothing = [[np.zeros(1, dtype=np.int64) for _ in METRICS[name].fields] for name in self._counted]
        names = ["response", "document"] if several else ["document"]
        figures = {name: str if figure.dtype.kind in "UO" else float for name, figure in self._figures(nothing)}
        self.file = TableFile(path, {**dict.fromkeys(names, str), **figures}, spreadsheet=spreadsheet)

    def add(self, response: str, documents: Sequence[str], columns: Columns) -> None:
        """Write the scores of a batch of documents."""
        first = [[response] * len(documents)] if self._several else []
        self.file.add([*first, documents, *[figure for _, figure in self._figures(columns)]])

    def _figures(self, columns: Columns) -> Iterator[tuple[str, Numbers]]:
        """Names and values of all figures."""
        counts = dict(zip(self._counted, columns, strict=True))
        empty = {name: ~np.any([array != 0 for array in arrays], axis=0) for name, arrays in counts.items()}
        for name, score in score_arrays(self._names, counts, self._conventions).items():
            nothing = np.all([empty[part.name] for part in counted([name])], axis=0)
            for figure, values in score._asdict().items():
                array = np.asarray(values)
                unknown = "" if array.dtype.kind in "UO" else np.nan
                yield f"{name}_{figure}", np.where(nothing, unknown, array)
