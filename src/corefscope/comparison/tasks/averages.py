"""Macro averages over data sets, their confidence intervals, and ranks with ties.

Ranking: systems are sorted by their macro average. The first opens a cluster. It is compared with every system below
it by approximate randomisation; the p-values are adjusted by Holm's method for the number of these comparisons. The
first system whose adjusted p is below .05 opens the next cluster and is compared with those below it, and so on. The
rank of a system is 1 + the number of systems in earlier clusters: 1, 1, 3.

The test: in every document of every data set, the two systems are swapped with probability ½; the documents of each
data set are pooled and scored, and the macro averages over data sets are subtracted. p is the share of such
differences at least as large as the observed one, as in :mod:`..paired_tests`. The documents of all data sets
form one sequence, in the order of the task, so resample b of D documents takes the numbers b·D to b·D + D − 1 of the
stream (:mod:`..count_matrix`).

Intervals: documents are drawn with replacement within each data set. In each resample, each data set is pooled over
the documents that were drawn from it and scored; the scores are averaged over data sets. The interval is between
the 2.5 % and 97.5 % quantiles of these averages. Each data set has its own stream: its seed is that of the plan plus
its index in the task.

Systems of several runs are tested, and have intervals, over runs and documents (:mod:`..runs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.metrics import METRICS, counted
from ...core.numbers import AnyScore, Counts, headline, ratio
from ...core.report import Report, Scores
from ..mean_report import MeanReport
from ..paired_tests import SIGNIFICANT, TIE, holm, p_equals, randomisation_p_values
from ..resampling import Interval, Plan, headline_of

if TYPE_CHECKING:
    from .result import TaskResult


ByMetric = Mapping[str, Any]
"""A score by metric: what it has depends on the metric, as in ``Scores``."""


def missing_score(metric: str, rules: str) -> AnyScore:
    """The score of a missing submission: 0, or the worst value of a metric whose perfect value is 0.

    An infinite value makes the average infinite; JSON has null for it.

    >>> missing_score("muc", "corefud-1.2"), missing_score("d_err", "corefud-1.2").value
    (Score(recall=0.0, precision=0.0, f1=0.0), 1.0)
    """
    row = METRICS[metric]
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    shape: AnyScore = Scores([metric], nothing, rules)[metric]
    worst = row.scale.range[1] if row.scale.perfect == 0 else 0.0
    return type(shape)._make("" if isinstance(value, str) else worst for value in shape)


Test = Callable[[str, Sequence[str]], Sequence[float]]
"""Computes the p-values of the differences between a system and others."""


class Contrast(NamedTuple):
    """The best system of a cluster and one below it."""

    best: str
    system: str
    difference: float
    """The macro average of the system minus that of the best."""
    p: float
    adjusted: float
    """After Holm's correction for the number of systems below the best."""


class SharedRank(NamedTuple):
    """Why a system has the same rank as a better one."""

    best: str
    """The best system of the rank."""
    adjusted: float | None
    """The adjusted p-value of the difference from the best; None if their averages are equal."""
    why_disjoint: str = ""
    """Where the confidence intervals of both are disjoint, why the difference is not significant all the same."""

    @property
    def reason(self) -> str:
        """The reason in a few words."""
        if self.adjusted is None:
            return f"the same average as {self.best}"
        return f"not significantly below {self.best}, {p_equals(self.adjusted)}"

    def __str__(self) -> str:
        return (
            f"{self.reason}; their intervals are disjoint, but {self.why_disjoint}"
            if self.why_disjoint
            else self.reason
        )


class Ranking(NamedTuple):
    """Systems from the best to the worst, in clusters."""

    clusters: tuple[tuple[str, ...], ...]
    comparisons: tuple[Contrast, ...] = ()

    @property
    def ranks(self) -> dict[str, int]:
        """1 for all systems of the first cluster, and so on.

        >>> Ranking((("a", "b"), ("c",))).ranks
        {'a': 1, 'b': 1, 'c': 3}
        """
        ranks: dict[str, int] = {}
        for cluster in self.clusters:
            ranks.update(dict.fromkeys(cluster, len(ranks) + 1))
        return ranks


def rank_by_average(averages: Mapping[str, float], perfect: float) -> Ranking:
    """Rank without a test: only equal averages share a rank."""
    order = _order(averages, perfect)
    clusters: list[list[str]] = [[name] for name in order[:1]]
    for before, name in pairwise(order):
        if abs(averages[name] - averages[before]) > TIE:
            clusters.append([])
        clusters[-1].append(name)
    return Ranking(tuple(map(tuple, clusters)))


def rank_by_significance(averages: Mapping[str, float], perfect: float, p_values: Test) -> Ranking:
    """Rank with a test: systems share a rank unless significantly below the best system of that rank."""
    clusters: list[tuple[str, ...]] = []
    compared: list[Contrast] = []
    left = _order(averages, perfect)
    while left:
        best, *others = left
        ps = p_values(best, others) if others else []
        contrasts = [
            Contrast(best, name, averages[name] - averages[best], p, adjusted)
            for name, p, adjusted in zip(others, ps, holm(ps), strict=True)
        ]
        compared += contrasts
        size = next((rank for rank, row in enumerate(contrasts, 1) if row.adjusted < SIGNIFICANT), len(left))
        clusters.append(tuple(left[:size]))
        left = left[size:]
    return Ranking(tuple(clusters), tuple(compared))


def _order(averages: Mapping[str, float], perfect: float) -> list[str]:
    """Sort systems by the distance of their average from the perfect value; ties keep their order."""
    return sorted(averages, key=lambda name: abs(perfect - averages[name]))


def randomisation_test(
    reports: Mapping[str, Sequence[Report]], averages: Mapping[str, float], count: int, metric: str, plan: Plan
) -> Test:
    """The randomisation test over all documents of all data sets; of several runs, the test over runs and documents.

    ``reports`` are those of each system, one for each data set; ``count`` is the number of averaged data sets.
    """

    def p_values(best: str, others: Sequence[str]) -> list[float]:
        several = [name for name in others if has_runs(reports[best]) or has_runs(reports[name])]
        single = [name for name in others if name not in several]
        found = dict(zip(single, randomised(best, single), strict=True)) if single else {}
        found |= {name: over_runs(best, name) for name in several}
        return [found[name] for name in others]

    def over_runs(best: str, other: str) -> float:
        from ..runs import run_scores, standard_error

        both = [headline_of(run_scores(reports[name], (metric,))[metric]) for name in (best, other)]
        error = standard_error(both).times(ratio(len(reports[best]), count))
        return error.p_value(averages[other] - averages[best])

    def randomised(best: str, others: Sequence[str]) -> list[float]:
        import numpy as np

        from ..count_matrix import CountMatrix

        # Sums over data sets are compared, so that nothing has to be divided by their number.
        observed = np.array([[(averages[name] - averages[best]) * count] for name in others])
        by_dataset = zip(*(reports[name] for name in (best, *others)), strict=True)
        datasets = [CountMatrix(of_dataset, (metric,)) for of_dataset in by_dataset]
        return [row[0].p for row in randomisation_p_values(datasets, observed, plan)]

    return p_values


def has_runs(reports: Iterable[Report]) -> bool:
    """Whether a system with these reports has several runs."""
    return any(isinstance(report, MeanReport) for report in reports)


def macro_intervals(result: TaskResult) -> dict[str, Interval]:
    """The confidence interval of each system's macro average of the ranking metric.

    A missing submission that scores 0 does so in every resample. Empty if no data set has two documents.
    """
    metric, plan = result.scheme.rank_by, result.scheme.plan
    datasets = result.counting(metric)
    documents = [len(report.rows) for by_dataset in result.values() for report in by_dataset.values()]
    if max(documents, default=0) < 2 or result.nothing(metric):
        return {}
    import numpy as np

    from ..count_matrix import CountMatrix

    single = [system for system in result if not has_runs(result[system].values())]
    sums = {system: np.zeros(plan.resamples) for system in single}
    counts = dict.fromkeys(single, 0)
    for number, name in enumerate(result.task.datasets):
        if name not in datasets:
            continue
        reports = {system: result[system][name] for system in single if name in result[system]}
        own_stream = plan._replace(seed=plan.seed + number)
        figures = CountMatrix(list(reports.values()), (metric,)).bootstrap(own_stream) if reports else []
        drawn = {system: headline_of(of[metric]) for system, of in zip(reports, figures, strict=True)}
        for system in single:
            scores = result.scores(system, name)
            if scores is not None:
                sums[system] += drawn[system] if system in drawn else headline(scores[metric])
                counts[system] += 1
    edges = (1 - plan.level) * 0.5, (1 + plan.level) * 0.5
    resampled = {
        system: Interval(*(ratio(float(edge), counts[system]) for edge in np.quantile(sums[system], edges)))
        for system in single
        if counts[system]
    }
    return {
        system: resampled[system] if system in resampled else _interval_over_runs(result, system, average)
        for system in result
        if (system in resampled or system not in single) and (average := result.average(system, metric)) is not None
    }


def _interval_over_runs(result: TaskResult, system: str, average: float) -> Interval:
    """The interval of the macro average of a system of several runs."""
    from ..runs import run_scores, standard_error  # needs NumPy

    metric = result.scheme.rank_by
    scored = [name for name in result.counting(metric) if result.scores(system, name) is not None]
    reports = [result[system][name] for name in scored if name in result[system]]
    if not reports:  # what is missing scores the same in all runs
        return Interval(average, average)
    error = standard_error([headline_of(run_scores(reports, (metric,))[metric])])
    return error.times(ratio(len(reports), len(scored))).interval(average, result.scheme.plan.level)
