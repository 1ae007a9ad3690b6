"""The counts of several reports over the same documents as one matrix, and the random weights that resample it.

A draw is one 64-bit number of PCG64(seed), a stream that NumPy promises never to change. Resample b of D documents
takes the numbers b·D to b·D + D − 1 of the stream, whatever the metrics, the systems and the size of a chunk:

- bootstrap: the number x draws document (x >> 32) · D >> 32;
- randomisation: x swaps the document of its place if its highest bit is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.baselines import above
from ..core.metrics import METRICS, counted
from ..core.report import FIGURES, Report, Rows
from ..core.rules import RULES
from ..scale.arrays import score_arrays
from .paired_tests import TESTS, PValues
from .resampling import Figures, Interval, Plan, headline_of

Array = NDArray[np.float64]

CELLS = 1_000_000
"""Cells of a matrix that is held at a time; a few matrices of 8 bytes a cell are."""


class CountMatrix:
    """The counts to be resampled. The rows of a system are its counts of all metrics, then those of its baselines.

    ``matrix`` has the documents as columns and the rows of one system after those of the other. If only one
    report has a document, because its response does, the counts of the others are 0 there.
    """

    def __init__(self, reports: Sequence[Report], names: Sequence[str]) -> None:
        first = reports[0]
        self.names = names
        documents = list(dict.fromkeys(document for report in reports for document in report.rows))
        self.documents: int = len(documents)
        self._systems = len(reports)
        self._layers = 1 + len(first.baseline_rows)
        self._conventions = RULES[first.options.rules].conventions
        self._metrics = counted(names)
        self._fields: dict[str, slice] = {}
        """By metric its rows in a layer."""
        self._height = 0
        for metric in self._metrics:
            self._fields[metric.name] = slice(self._height, self._height + len(metric.fields))
            self._height += len(metric.fields)
        layers = [layer for report in reports for layer in (report.rows, *report.baseline_rows)]
        self.matrix: Array = np.concatenate([self._counts(layer, list(first), documents) for layer in layers])

    def _counts(self, rows: Rows, scored: Sequence[str], documents: Sequence[str]) -> Array:
        """Fields × documents."""
        in_row = counted(scored)
        nothing = [0] * self._height
        columns = [in_row.index(metric) for metric in self._metrics]
        flat = [
            [count for column in columns for count in rows[document][column]] if document in rows else nothing
            for document in documents
        ]
        return np.ascontiguousarray(np.array(flat, dtype=np.float64).reshape(len(flat), self._height).T)

    def pooled(self, weights: Array) -> list[Array]:
        """The sums of the counts of each system, fields × resamples."""
        sums = (weights @ self.matrix.T).T  # this way round OpenBLAS is fast whatever the shapes
        return np.split(np.ascontiguousarray(sums), self._systems)

    def by_document(self) -> list[Array]:
        """The counts of each system, fields × documents."""
        return np.split(self.matrix, self._systems)

    def scores(self, pooled: Array) -> Figures[Array]:
        """The figures of each metric for every column of counts of one system."""
        scores, *baselines = [
            score_arrays(self.names, {name: layer[rows] for name, rows in self._fields.items()}, self._conventions)
            for layer in np.split(pooled, self._layers)
        ]
        if baselines:
            scores = {
                name: above(score, [baseline[name] for baseline in baselines], METRICS[name].scale.perfect)
                for name, score in scores.items()
            }
        return {
            name: {figure: values for figure, values in score._asdict().items() if figure in FIGURES}
            for name, score in scores.items()
        }

    def headlines(self, pooled: Array) -> Array:
        """The one figure of each metric that is compared: metrics × columns."""
        return np.array([headline_of(figures) for figures in self.scores(pooled).values()])

    def counting(self) -> dict[str, int]:
        """In how many documents each metric has anything to count, in some system."""
        by_system = np.array(self.by_document()) != 0  # systems × fields × documents
        return {name: int(by_system[:, rows].any(axis=(0, 1)).sum()) for name, rows in self._fields.items()}

    def bootstrap(self, plan: Plan) -> list[Figures[Array]]:
        """The figures of each system in each resample."""
        drawn = bootstrap_weights(plan.seed, self.documents, plan.resamples, len(self.matrix))
        chunks = [[self.scores(pooled) for pooled in self.pooled(weights)] for weights in drawn]
        return [
            {
                metric: {figure: np.concatenate([chunk[metric][figure] for chunk in of_system]) for figure in figures}
                for metric, figures in of_system[0].items()
            }
            for of_system in zip(*chunks, strict=True)
        ]

    def minus(self, values: Array, others: Array) -> Array:
        """The difference of two figures in each resample."""
        return values - others

    def interval(self, values: Array, level: float) -> Interval:
        """The percentile interval: from the (1 − level)/2 quantile to its mirror, interpolated."""
        low, high = np.quantile(values, [(1 - level) * 0.5, (1 + level) * 0.5])
        return Interval(float(low), float(high))

    def spread(self, values: Array) -> float:
        """The standard deviation."""
        return float(values.std(ddof=1))

    def p_values(self, plan: Plan, observed: list[list[float]], resampled: list[list[Array]]) -> PValues:
        """Of the differences from the baseline, by the test of the plan."""
        return TESTS[plan.test].p_values(self, plan, np.array(observed), np.array(resampled))


def bootstrap_weights(seed: int, documents: int, resamples: int, width: int = 0) -> Iterator[Array]:
    """How often each document is drawn, with replacement: resamples × documents, in chunks.

    ``width`` is the number of columns of another matrix that is held for each resample.
    """
    for numbers in _numbers(seed, documents, resamples, width):
        drawn = ((numbers >> np.uint64(32)) * np.uint64(documents) >> np.uint64(32)).astype(np.int64)
        drawn += np.arange(len(drawn))[:, None] * documents
        times = np.bincount(drawn.ravel(), minlength=drawn.size)
        yield times.reshape(drawn.shape).astype(np.float64)


def random_swaps(seed: int, documents: int, resamples: int, width: int = 0) -> Iterator[Array]:
    """1 where the two systems change places in a document, 0 where they do not, with equal chance."""
    for numbers in _numbers(seed, documents, resamples, width):
        yield (numbers >> np.uint64(63)).astype(np.float64)


def all_swaps(documents: int, width: int = 0) -> Iterator[Array]:
    """Every way of changing places, once."""
    for chunk in _chunks(2**documents, max(documents, width)):
        yield (np.arange(chunk.start, chunk.stop)[:, None] >> np.arange(documents) & 1).astype(np.float64)


def _chunks(resamples: int, width: int) -> Iterator[range]:
    """The numbers of the resamples, in chunks that fit with this many columns."""
    rows = max(CELLS // max(width, 1), 1)
    for start in range(0, resamples, rows):
        yield range(start, min(start + rows, resamples))


def _numbers(seed: int, documents: int, resamples: int, width: int) -> Iterator[NDArray[np.uint64]]:
    """The stream, in chunks of resamples × documents."""
    stream = np.random.PCG64(seed)
    for chunk in _chunks(resamples, max(documents, width)):
        yield stream.random_raw(len(chunk) * documents).reshape(len(chunk), documents)
