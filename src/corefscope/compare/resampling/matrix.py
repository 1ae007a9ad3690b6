"""The rows of counts of several reports over the same documents, side by side in one matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.baselines import above
from ...core.metrics import METRICS, counted
from ...core.report import FIGURES, Report, Rows
from ...core.rules import RULES
from ...scale.arrays import score_arrays
from . import draws
from .outcome import Figures, Interval, Plan, PValues, headline_of
from .paired import TESTS, Evidence

Array = NDArray[np.float64]


class CountMatrix:
    """What resampling reads. The rows of a system are its counts of all metrics, then those of its score baselines.

    ``matrix`` has the documents as columns and the rows of one system after those of the other. If only one
    report has a document, because its response does, the counts of the others are 0 there.
    """

    def __init__(self, reports: Sequence[Report], names: Sequence[str]) -> None:
        first = reports[0]
        self.names = names
        documents = list(dict.fromkeys(document for report in reports for document in report.rows))
        self.documents = len(documents)
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
        self.matrix = np.concatenate([self._counts(layer, list(first), documents) for layer in layers])

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

    def scores(self, pooled: Array) -> Figures:
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
            name: {figure: getattr(score, figure) for figure in FIGURES if hasattr(score, figure)}
            for name, score in scores.items()
        }

    def headlines(self, pooled: Array) -> Array:
        """The one figure of each metric that is compared: metrics × columns."""
        return np.array([headline_of(figures) for figures in self.scores(pooled).values()])

    def counting(self) -> dict[str, int]:
        """In how many documents each metric has anything to count, in some system."""
        by_system = np.array(self.by_document()) != 0  # systems × fields × documents
        return {name: int(by_system[:, rows].any(axis=(0, 1)).sum()) for name, rows in self._fields.items()}

    def bootstrap(self, plan: Plan) -> list[Figures]:
        """The figures of each system in each resample."""
        drawn = draws.bootstrap(plan.seed, self.documents, plan.resamples, len(self.matrix))
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
        """What lies between the (1 − level)/2 quantile and its mirror, interpolated."""
        low, high = np.quantile(values, [(1 - level) * 0.5, (1 + level) * 0.5])
        return Interval(float(low), float(high))

    def spread(self, values: Array) -> float:
        """The standard deviation."""
        return float(values.std(ddof=1))

    def p_values(self, plan: Plan, observed: list[list[float]], resampled: list[list[Array]]) -> PValues:
        """Of the differences from the baseline, by the test of the plan."""
        return TESTS[plan.test].p_values(Evidence(self, plan, np.array(observed), np.array(resampled)))
