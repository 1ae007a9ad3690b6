"""Intervals and tests over runs and documents: se² = V_runs + max(V_documents − V_rest, 0)

A system is a method that was run R times, with other seeds, on the same D documents. The score of a run on a document
is supposed to be

    method + document + method × document + run + rest,

where documents, runs and rest are random. The null hypothesis is that two methods score the same on average over all
documents of this kind and all runs: that one of them suits some documents better, or had luckier seeds, is no
difference between methods. The statistic is the difference δ of the means over runs of pooled scores. Its variance is
made of three estimates, from pseudo-values p = D·s − (D − 1)·s₋ of each run and document, where s is the pooled
score of the run and s₋ the same without the document:

- V_runs = c·Σ(s − s̄)²/f: how the runs of a system differ, both systems together; f = R₁ + R₂ − 2, c = 1/R₁ + 1/R₂;
- V_documents: the variance over documents of the difference of mean pseudo-values, divided by D;
- V_rest: c/D times the mean square of what runs and documents do not explain. It is in both of the others.

δ/se has a t-distribution; V_runs has f degrees of freedom, the part of the documents that remains in the same
proportion of their D − 1, and both together those of Satterthwaite (1946). Of one system, c = 1/R and f = R − 1. A
system of one run is supposed to vary like the other. Of several data sets, scores and variances are of the mean.

This is the model of Obuchowski and Rockette (1995), with the error term of Hillis (2007), for readers (here runs) of
cases (documents). Resampling runs and documents counts the rest three times, and that of few runs is too narrow;
swapping systems in documents does not know that runs differ (``python -m benchmarks.runs``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, sqrt
from typing import NamedTuple

import numpy as np

from ..core.metrics import METRICS
from ..core.numbers import headline, ratio
from ..core.report import Report
from .count_matrix import Array, CountMatrix
from .mean_report import runs_of
from .paired_tests import TIE
from .resampling import POWER, Difference, Figures, Interval, headline_of


class RunScores(NamedTuple):
    """One figure of a system: of every run the score, and by data set the pseudo-values, runs × documents."""

    scores: Array
    pseudo_values: Sequence[Array]


class StandardError(NamedTuple):
    """The standard error of a mean over runs, or of a difference between two, and its degrees of freedom."""

    se: float
    freedom: float

    def times(self, factor: float) -> StandardError:
        """That of a multiple."""
        return self._replace(se=self.se * factor)

    def interval(self, value: float, level: float) -> Interval:
        """The value ± t·se."""
        far = self._quantile((1 + level) * 0.5) * self.se
        return Interval(value - far, value + far)

    def p_value(self, difference: float) -> float:
        """The two-sided p-value of the t-test that the difference is 0."""
        from scipy.special import stdtr

        if abs(difference) <= TIE or not isfinite(self.se):
            return 1.0
        return float(2 * stdtr(self.freedom, -abs(difference) / self.se)) if self.se else 0.0

    def detectable(self, level: float) -> float:
        """The true difference that the test has 80 % power to detect."""
        return (self._quantile((1 + level) * 0.5) + self._quantile(POWER)) * self.se

    def _quantile(self, share: float) -> float:
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, share))


def standard_error(systems: Sequence[RunScores]) -> StandardError:
    """The standard error of the mean over runs of a system of several, or of the difference between two systems."""
    runs = [len(system.scores) for system in systems]
    freedom, share = sum(runs) - len(runs), sum(1 / count for count in runs)
    between = share / freedom * sum(float(((one.scores - one.scores.mean()) ** 2).sum()) for one in systems)
    datasets = len(systems[0].pseudo_values)
    spreads, rest, least = 0.0, 0.0, 0.0
    for tables in zip(*[system.pseudo_values for system in systems], strict=True):
        documents = tables[0].shape[1]
        if documents < 2:
            continue
        means = [table.mean(axis=0) for table in tables]
        spread = float((means[0] - means[1] if len(means) > 1 else means[0]).var(ddof=1)) / documents
        residuals = [
            table - of_document - table.mean(axis=1)[:, None] + table.mean()
            for table, of_document in zip(tables, means, strict=True)
        ]
        squares = sum(float((residual**2).sum()) for residual in residuals)
        rest += share * squares / (freedom * (documents - 1) * documents) / datasets**2
        spreads += spread / datasets**2
        least += (spread / datasets**2) ** 2 / (documents - 1)
    remaining = max(spreads - rest, 0.0)
    variance = between + remaining
    inverse = between**2 / freedom + (remaining * least / spreads if remaining else 0.0)
    return StandardError(sqrt(variance), ratio(variance**2, inverse, freedom))


def run_scores(datasets: Sequence[Report], names: Sequence[str]) -> Figures[RunScores]:
    """The figures of every run of a system; ``datasets`` are its reports, whose runs belong together."""
    runs = max(len(runs_of(report)) for report in datasets)
    columns = []
    for report in datasets:
        matrix = CountMatrix(runs_of(report), names)
        of_runs = [_pseudo_values(matrix, counts) for counts in matrix.by_document()]
        columns.append(of_runs * (runs if len(of_runs) == 1 else 1))  # what all runs lack is the same for all
    first = columns[0][0]
    return {
        metric: {
            figure: RunScores(
                np.mean([[of_run[metric][figure][0] for of_run in of_runs] for of_runs in columns], axis=0),
                [np.array([of_run[metric][figure][1] for of_run in of_runs]) for of_runs in columns],
            )
            for figure in figures
        }
        for metric, figures in first.items()
    }


def _pseudo_values(matrix: CountMatrix, counts: Array) -> Figures[tuple[float, Array]]:
    """By metric and figure the pooled score of one run, and its pseudo-value for each document."""
    pooled, documents = counts.sum(axis=1, keepdims=True), counts.shape[1]
    whole, without = matrix.scores(pooled), matrix.scores(pooled - counts)
    return {
        metric: {
            figure: (
                float(values[0]),
                documents * values[0] - (documents - 1) * np.asarray(without[metric][figure], dtype=float),
            )
            for figure, values in figures.items()
        }
        for metric, figures in whole.items()
    }


def interval_of(report: Report, scores: Mapping[str, RunScores], metric: str, level: float) -> dict[str, Interval]:
    """The interval of each figure of a system of several runs, within the range of the metric."""
    least, most = (-np.inf, np.inf) if report.options.baseline else METRICS[metric].scale.range
    intervals = {}
    for figure, of_runs in scores.items():
        value = getattr(report[metric], figure)
        low, high = standard_error([of_runs]).interval(value, level)
        intervals[figure] = Interval(max(low, min(least, value)), min(high, max(most, value)))
    return intervals


def difference_of(
    reports: tuple[Report, Report],
    scores: tuple[Mapping[str, RunScores], Mapping[str, RunScores]],
    metric: str,
    level: float,
) -> Difference:
    """The difference of a system from the baseline, one of which has several runs; p is not yet adjusted."""
    own, baseline = (headline(report[metric]) for report in reports)
    error = standard_error([headline_of(figures) for figures in scores])
    p = error.p_value(own - baseline)
    return Difference(own - baseline, error.interval(own - baseline, level), p, p, False, error.detectable(level))
