"""Paired significance tests of the differences between systems.

All are two-sided and compare each system with the first. Their null hypotheses differ:

- ``randomisation`` (approximate randomisation, permutation test): it does not matter which of the two systems
  produced which of the two responses to a document. Swap them in each document with probability ½, pool, score,
  subtract: p = (1 + #{|d*| ≥ |d|}) / (1 + resamples); if there are at most as many as resamples, all
  2^documents ways of swapping are taken and p = #{|d*| ≥ |d|} / 2^documents. Noreen (1989).
- ``bootstrap``: the true difference is 0. Resample documents, and take the spread of d* around d for what the
  spread of d around 0 would be (shifting, or centring): p = (1 + #{|d* − d| ≥ |d|}) / (1 + resamples). Efron and
  Tibshirani (1993).
- ``wilcoxon`` (signed ranks): the differences of the scores of single documents are symmetric around 0. Documents
  count alike, however long; equal scores are left out, ties share their mean rank; exact for up to 100 differences,
  then by the normal distribution without continuity correction. Wilcoxon (1945).
- ``t`` (paired t-test): the mean of the differences of the scores of single documents is 0, and they are normally
  distributed, which differences of scores seldom are. t = d̄ / (s / √n) with n − 1 degrees of freedom. Documents count
  alike, so its difference is not that of pooled scores. Cai and Strube (2010) use it.
- ``runs``: of methods that were run several times, a t-test over runs and documents (:mod:`.runs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, fsum, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ..core.numbers import mean, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .count_matrix import Array, CountMatrix
    from .resampling import Plan

SIGNIFICANT = 0.05
"""Differences with a smaller p-value are significant."""
TIE = 1e-12
"""Differences of scores this close are the same: sums of floating-point numbers depend on their order."""
RUNS = "runs"
"""The test of systems of several runs."""
EXACT_RANKS = 100
"""The most differences whose signs are counted out."""


class PValue(NamedTuple):
    """A p-value, and whether it was counted over all possibilities."""

    p: float
    exact: bool


PValues = list[list[PValue]]
"""Systems but the first × metrics."""


Test = Callable[["CountMatrix", "Plan", "Array", "Array"], PValues]
"""A test, given the counts of all systems, the plan, the differences of all systems but the first × metrics, and the
same × bootstrap resamples. The first system is the baseline of all others."""


class PairedTest(NamedTuple):
    """A row of ``TESTS``."""

    summary: str
    p_values: Test
    least_p: Callable[[int, int], float]
    """The smallest p-value that so many documents and resamples can have."""
    title: str
    """Its name in a sentence."""
    cite: str = ""
    """Its source: a key of ``measures/references.bib``; empty for what needs none."""


def shown_p(p: float) -> str:
    """A p-value in three digits, always of the same width.

    >>> shown_p(0.0123), shown_p(0.00001), shown_p(1)
    ('.012', '<.001', '1.00')
    """
    if p < 0.0005:
        return "<.001"
    return f"{p:.3f}".removeprefix("0") if p < 0.9995 else "1.00"


def p_equals(p: float) -> str:
    """A p-value with its letter.

    >>> p_equals(0.31), p_equals(0.0001)
    ('p=.310', 'p<.001')
    """
    return f"p{shown_p(p)}" if shown_p(p).startswith("<") else f"p={shown_p(p)}"


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm 1979): the smallest times m, the next times m − 1, …, never falling.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def signed_rank(differences: Sequence[float]) -> PValue:
    """The two-sided p-value of Wilcoxon's signed-rank test.

    >>> signed_rank([1, 2, 3, 4, 5, 6])
    PValue(p=0.03125, exact=True)
    """
    differences = [difference for difference in differences if abs(difference) > TIE]
    if not differences:
        return PValue(1.0, True)
    ranks = doubled_ranks([abs(difference) for difference in differences], TIE)
    positive = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    distance = abs(2 * positive - sum(ranks))  # of the sum of positive ranks from its mean, four times
    if len(ranks) > EXACT_RANKS:
        return PValue(erfc(ratio(distance, sqrt(2 * sum(rank * rank for rank in ranks)))), False)
    return PValue(min(_chance_of(distance, ranks), 1.0), True)


def student(differences: Sequence[float]) -> PValue:
    """The two-sided p-value of the paired t-test: t = d̄ / (s / √n) with n − 1 degrees of freedom.

    Differences that are all the same have no spread: p is 1 if they are 0, and 0 otherwise. One is no evidence.

    >>> round(student([1, 2, 3]).p, 6)
    0.07418
    """
    from scipy.special import stdtr

    count, average = len(differences), mean(differences)
    spread = sqrt(fsum((difference - average) ** 2 for difference in differences))
    if spread <= TIE:
        return PValue(0.0 if count > 1 and abs(average) > TIE else 1.0, False)
    t = ratio(average * sqrt(count * (count - 1)), spread)
    return PValue(float(2 * stdtr(count - 1, -abs(t))), False)


def doubled_ranks(values: Sequence[float], tie: float = 0.0) -> list[int]:
    """Twice the rank of each value from 1, in which ties share the mean: always a whole number.

    >>> doubled_ranks([30, 10, 20, 20])
    [8, 2, 5, 5]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or values[order[end]] - values[order[end - 1]] > tie:
            for index in order[start:end]:
                ranks[index] = start + 1 + end
            start = end
    return ranks


def p_values_from_counts(reached: list[list[int]], resamples: int, *, exact: bool) -> PValues:
    """p-values from counts; the observed difference is one more resample, unless all possible ones were taken."""
    more = 0 if exact else 1
    return [[PValue(ratio(count + more, resamples + more), exact) for count in row] for row in reached]


def _chance_of(distance: int, ranks: Sequence[int]) -> float:
    """The probability of such a distance or a larger one if every sign is positive or negative with equal chance."""
    import numpy as np

    total = sum(ranks)
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for rank in ranks:
        shifted = chance.copy()
        shifted[rank:] += chance[:-rank]
        chance = shifted * 0.5
    far = np.abs(2 * np.arange(total + 1) - total) >= distance
    return float(chance[far].sum())


def randomisation_p_values(datasets: Sequence[CountMatrix], observed: Array, plan: Plan) -> PValues:
    """The randomisation test, of the sums of differences over data sets if there are several.

    ``observed`` are the actual sums, systems but the first × metrics. The documents of all data sets form one
    sequence.
    """
    import numpy as np

    from .count_matrix import all_swaps, random_swaps

    documents = sum(counts.documents for counts in datasets)
    width = max(len(counts.matrix) for counts in datasets)
    exact = 2**documents <= plan.resamples
    chunks = all_swaps(documents, width) if exact else random_swaps(plan.seed, documents, plan.resamples, width)
    reached = np.zeros(observed.shape, dtype=int)
    resamples = 0
    for swapped in chunks:
        sums = np.zeros((*observed.shape, len(swapped)))
        start = 0
        for counts in datasets:
            here = swapped[:, start : start + counts.documents]
            start += counts.documents
            # Two products instead of one and a subtraction: where a sum is 0, it must be exactly 0.
            gone, kept = counts.pooled(here), counts.pooled(1 - here)
            for system, differences in enumerate(sums, 1):
                as_system, as_baseline = kept[system] + gone[0], gone[system] + kept[0]
                differences += counts.headlines(as_system) - counts.headlines(as_baseline)
        reached += _count_as_large(sums, observed, TIE * len(datasets))
        resamples += len(swapped)
    return p_values_from_counts(reached.tolist(), resamples, exact=exact)


def _bootstrap(_: CountMatrix, __: Plan, observed: Array, resampled: Array) -> PValues:
    reached = _count_as_large(resampled - observed[..., None], observed, TIE)
    return p_values_from_counts(reached.tolist(), resampled.shape[-1], exact=False)


def _by_document(p_value: Callable[[Sequence[float]], PValue]) -> Test:
    """A test of the differences of the scores of single documents."""

    def p_values(counts: CountMatrix, *_: object) -> PValues:
        baseline, *others = map(counts.headlines, counts.by_document())
        return [[p_value(differences) for differences in (scores - baseline).tolist()] for scores in others]

    return p_values


def _count_as_large(resampled: Array, observed: Array, tie: float) -> NDArray[np.int64]:
    """Count the resampled differences that are as far from 0 as the observed one of their row."""
    counts: NDArray[np.int64] = (abs(resampled) >= abs(observed)[..., None] - tie).sum(axis=-1)
    return counts


def _one_of_all_signs(documents: int, _: int = 0) -> float:
    """2 of the 2^documents ways to swap, or to sign: the one observed and its mirror image."""
    return 0.5 ** (documents - 1)


def _one_of_resamples(_: int, resamples: int) -> float:
    return ratio(1, 1 + resamples)


TESTS: dict[str, PairedTest] = {
    "randomisation": PairedTest(
        "swap the two systems in random documents",
        lambda counts, plan, observed, _: randomisation_p_values([counts], observed, plan),
        lambda documents, resamples: max(_one_of_all_signs(documents), _one_of_resamples(documents, resamples)),
        "approximate randomisation",
        "noreen-1989",
    ),
    "bootstrap": PairedTest(
        "resample documents, shifted so that the systems are equal",
        _bootstrap,
        _one_of_resamples,
        "the shifted bootstrap",
    ),
    "wilcoxon": PairedTest(
        "signed ranks of the differences of single documents",
        _by_document(signed_rank),
        _one_of_all_signs,
        "Wilcoxon's signed-rank test",
        "wilcoxon-1945",
    ),
    "t": PairedTest(
        "paired t-test of the differences of single documents",
        _by_document(student),
        lambda *_: 0.0,
        "a paired t-test",
    ),
    RUNS: PairedTest(
        "for several runs of a system, and their default: a t-test over runs and documents",
        # Of systems of one run each that are compared beside others of several.
        lambda counts, plan, observed, _: randomisation_p_values([counts], observed, plan),
        lambda *_: 0.0,
        "a t-test over runs and documents",
        "hillis-2007",
    ),
}
