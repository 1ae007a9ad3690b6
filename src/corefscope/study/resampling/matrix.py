"""The rows of counts of several reports over the same documents, side by side in one matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...count.arrays import score_arrays
from ...count.baselines import above
from ...count.metrics import counted
from ...evaluate.results import FIGURES, Report, Rows
from ...evaluate.rules import RULES
from .outcome import headline_of

Array = NDArray[np.float64]
Figures = dict[str, Array]
"""Recall, precision, f1 or value of every resample."""


class Systems:
    """What resampling reads. A row of a system is its counts of all metrics, then those of its score baselines.

    ``matrix`` has the documents as columns and the rows of one system after those of the other.
    """

    def __init__(self, reports: Sequence[Report], names: Sequence[str]) -> None:
        first = reports[0]
        self.names = names
        self.documents = len(first.rows)
        self._conventions = RULES[first.options.rules].conventions
        self._metrics = counted(names)
        self._places: list[tuple[str, slice]] = []
        self._fields = 0
        for metric in self._metrics:
            self._places.append((metric.name, slice(self._fields, self._fields + len(metric.fields))))
            self._fields += len(metric.fields)
        layers = [layer for report in reports for layer in (report.rows, *report.baseline_rows)]
        self.width = self._fields * (1 + len(first.baseline_rows))
        """The number of rows of one system."""
        self.matrix = np.concatenate([self._counts(layer, list(first)) for layer in layers])
        self._count = len(reports)

    def _counts(self, rows: Rows, names: Sequence[str]) -> Array:
        """Fields × documents; ``names`` are the metrics that were scored."""
        at = {metric.name: number for number, metric in enumerate(counted(names))}
        wanted = [at[metric.name] for metric in self._metrics]
        flat = [[count for number in wanted for count in row[number]] for row in rows.values()]
        return np.ascontiguousarray(np.array(flat, dtype=np.float64).reshape(len(flat), self._fields).T)

    def pooled(self, weights: Array) -> list[Array]:
        """The sums of the counts of each system, fields × resamples."""
        sums = (weights @ self.matrix.T).T  # this way round OpenBLAS is fast whatever the shapes
        return np.split(np.ascontiguousarray(sums), self._count)

    def by_document(self) -> list[Array]:
        """The counts of each system, fields × documents."""
        return np.split(self.matrix, self._count)

    def scores(self, pooled: Array) -> dict[str, Figures]:
        """The figures of each metric for every column of counts of one system."""
        scores, *baselines = [
            score_arrays(self.names, {name: layer[place] for name, place in self._places}, self._conventions)
            for layer in np.split(pooled, self.width // self._fields)
        ]
        if baselines:
            scores = {name: above(scores[name], [baseline[name] for baseline in baselines]) for name in scores}
        return {
            name: {figure: getattr(score, figure) for figure in FIGURES if hasattr(score, figure)}
            for name, score in scores.items()
        }

    def headlines(self, pooled: Array) -> Array:
        """The one figure of each metric that is compared: metrics × columns."""
        return np.array([headline_of(found) for found in self.scores(pooled).values()])

    def counting(self) -> dict[str, int]:
        """In how many documents each metric has anything to count, in some system."""
        found: dict[str, int] = {}
        rows = [system[: self._fields] for system in self.by_document()]
        for name, place in self._places:
            some: NDArray[np.bool_] = np.any([(system[place] != 0).any(axis=0) for system in rows], axis=0)
            found[name] = int(some.sum())
        return found
