"""Ranks with ties: systems share a rank unless they differ significantly from the best of their cluster.

Systems are sorted by their macro average. The first opens a cluster. It is compared with every system below it by
approximate randomisation; the p-values are adjusted by Holm's method for the number of these comparisons. The first
system whose adjusted p is below .05 opens the next cluster and is compared with those below it, and so on. The rank
of a system is 1 + the number of systems in earlier clusters: 1, 1, 3.

The test: in every document of every data set, the two systems change places with probability ½; the documents of each
data set are pooled and scored, and the macro averages over data sets are subtracted. p is the share of such
differences at least as large as the observed one, as in :mod:`..resampling.paired`. The documents of
all data sets stand in one row, in the order of the task, so resample b of D documents takes the numbers b·D to
b·D + D − 1 of the stream (:mod:`..resampling.draws`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...evaluate.results import Report
from ..resampling import SIGNIFICANT, Plan, holm
from ..resampling.paired import TIE, swapping

Test = Callable[[str, Sequence[str]], Sequence[float]]
"""p-values of the differences between a system and others."""


class Contrast(NamedTuple):
    """The best system of a cluster and one below it."""

    best: str
    system: str
    difference: float
    """The macro average of the system minus that of the best."""
    p: float
    adjusted: float
    """After Holm's correction for the number of systems below the best."""


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


def by_average(averages: Mapping[str, float], perfect: float) -> Ranking:
    """Ranks without a test: only equal averages share one."""
    order = _order(averages, perfect)
    clusters: list[list[str]] = [[name] for name in order[:1]]
    for before, name in pairwise(order):
        if abs(averages[name] - averages[before]) > TIE:
            clusters.append([])
        clusters[-1].append(name)
    return Ranking(tuple(map(tuple, clusters)))


def by_significance(averages: Mapping[str, float], perfect: float, p_values: Test) -> Ranking:
    """Ranks in which systems are tied until one differs significantly from the best of the cluster."""
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
    """The best first: nearest to what a perfect response has; ties as they come."""
    return sorted(averages, key=lambda name: abs(perfect - averages[name]))


def randomisation(
    reports: Mapping[str, Sequence[Report]], averages: Mapping[str, float], count: int, metric: str, plan: Plan
) -> Test:
    """The test over all documents of all data sets.

    ``reports`` has those of each system, by data set; ``count`` is how many data sets the averages are made of.
    """

    def p_values(best: str, others: Sequence[str]) -> list[float]:
        import numpy as np

        from ..resampling.matrix import CountMatrix

        # Sums over data sets are compared, so that nothing has to be divided by their number.
        observed = np.array([[(averages[name] - averages[best]) * count] for name in others])
        by_dataset = zip(*(reports[name] for name in (best, *others)), strict=True)
        datasets = [CountMatrix(of_dataset, (metric,)) for of_dataset in by_dataset]
        return [row[0].p for row in swapping(datasets, observed, plan)]

    return p_values
