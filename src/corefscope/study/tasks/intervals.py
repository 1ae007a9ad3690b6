"""How sure macro averages are: documents are drawn with replacement within each data set.

In each resample, each data set is pooled over the documents that were drawn from it and scored; the scores are
averaged over data sets. The interval is what lies between the 2.5 % and 97.5 % quantiles of these averages. Each data
set has a stream of its own (:mod:`..resampling.draws`): its seed is that of the plan plus its place in the task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.numbers import headline, ratio
from ..resampling import Interval, headline_of

if TYPE_CHECKING:
    from .result import TaskResult


def macro_intervals(result: TaskResult) -> dict[str, Interval]:
    """By system the interval of its macro average of the ranking metric.

    A submission that scores 0 because it is missing does so in every resample. If no data set has two documents,
    there is nothing to draw.
    """
    metric, plan = result.scheme.rank_by, result.scheme.plan
    datasets = result.counting(metric)
    documents = [len(report.rows) for by_dataset in result.values() for report in by_dataset.values()]
    if max(documents, default=0) < 2 or result.nothing(metric):
        return {}
    import numpy as np

    sums: dict[str, Any] = {system: np.zeros(plan.resamples) for system in result}
    counts = dict.fromkeys(result, 0)
    for number, name in enumerate(result.task.datasets):
        if name not in datasets:
            continue
        drawn = _resampled(result, name, plan.seed + number)
        for system in result:
            scores = result.scores(system, name)
            if scores is not None:
                sums[system] += drawn[system] if system in drawn else headline(scores[metric])
                counts[system] += 1
    edges = (1 - plan.level) * 0.5, (1 + plan.level) * 0.5
    return {
        system: Interval(*(ratio(float(edge), counts[system]) for edge in np.quantile(sums[system], edges)))
        for system in result
        if counts[system] and result.average(system, metric) is not None
    }


def _resampled(result: TaskResult, dataset: str, seed: int) -> dict[str, Any]:
    """The score of each system that has the data set, in every resample."""
    from ..resampling.matrix import CountMatrix

    reports = {system: result[system][dataset] for system in result if dataset in result[system]}
    if not reports:
        return {}
    metric, plan = result.scheme.rank_by, result.scheme.plan._replace(seed=seed)
    figures = CountMatrix(list(reports.values()), (metric,)).bootstrap(plan)
    return {system: headline_of(of[metric]) for system, of in zip(reports, figures, strict=True)}
