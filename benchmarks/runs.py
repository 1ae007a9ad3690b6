"""How often tests of systems of several runs reject a true null hypothesis, and their intervals have the true score.

``python -m benchmarks.runs`` simulates pairs of equally good methods, 1,000 for each setting: documents of 5 to 60
mentions, some harder than others; methods that suit some documents better; runs that differ by luck, as a whole
and on every document. It prints how many intervals of a score have the true one, and the share of p < .05 of the
test of ``compare``, of swapping systems in documents with the mean over runs as statistic, of a t-test of the scores
of runs, and of resampling runs and documents (nested bootstrap).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from corefscope.comparison.resampling import study
from corefscope.core.options import Options
from corefscope.core.report import Report

OPTIONS = Options("clusters", "exact", "linear", "keep")
PAIRS, RESAMPLES, LEVEL = 1000, 400, 0.05
Counts = NDArray[np.int64]
"""Runs × documents × (right, key, right, response), as the metric of mention detection has them."""


class Setting(NamedTuple):
    """Runs of both methods, documents, and how much methods, runs and runs in documents vary (logits)."""

    runs: tuple[int, int]
    documents: int
    method: float
    run: float
    rest: float


HARDNESS = 0.8
VARIATIONS = ((0.3, 0.05, 0.2), (0.3, 0.2, 0.2), (0.0, 0.1, 0.2))
SETTINGS = [
    Setting(runs, documents, *variation)
    for runs in ((3, 3), (5, 5), (5, 1))
    for documents in (10, 30, 100)
    for variation in VARIATIONS
]


def systems(random: np.random.Generator, setting: Setting) -> list[Counts]:
    """The counts of two equally good methods."""
    sizes = random.integers(5, 61, setting.documents)
    hard = random.normal(1.0, HARDNESS, setting.documents)
    of_methods = []
    for runs in setting.runs:
        logits = (
            hard
            + random.normal(0, setting.method, setting.documents)
            + random.normal(0, setting.run, (runs, 1))
            + random.normal(0, setting.rest, (runs, setting.documents))
        )
        right = random.binomial(sizes, 1 / (1 + np.exp(-logits)))
        response = right + random.poisson(np.broadcast_to(sizes * 0.2, right.shape))
        of_methods.append(np.stack([right, np.broadcast_to(sizes, right.shape), right, response], axis=-1))
    return of_methods


def reports(counts: Counts) -> list[Report]:
    """A report of each run."""
    names = ("mentions",)
    return [Report(OPTIONS, names, {str(n): (tuple(row),) for n, row in enumerate(run)}) for run in counts.tolist()]


def f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """2 · right / (key + response), of pooled counts."""
    scores: NDArray[np.float64] = 2 * counts[..., 0] / (counts[..., 1] + counts[..., 3])
    return scores


def true_score(setting: Setting) -> float:
    """What a method scores on very many documents, each by another run."""
    each = setting._replace(runs=(1, 1), documents=200_000, run=0.0, rest=float(np.hypot(setting.run, setting.rest)))
    counts, _ = systems(np.random.default_rng(1), each)
    return float(f1(counts[0].sum(axis=0)))


def p_values(random: np.random.Generator, ours: Counts, theirs: Counts) -> Iterator[tuple[str, float]]:
    """By other test the p-value of one pair."""
    documents = ours.shape[1]
    means = ours.mean(axis=0), theirs.mean(axis=0)
    swap = random.integers(0, 2, (RESAMPLES, documents)).astype(float)
    mixed = [f1(swap @ one + (1 - swap) @ other) for one, other in (means, means[::-1])]
    statistic = abs(f1(means[0].sum(axis=0)) - f1(means[1].sum(axis=0)))
    yield "swap documents", (1 + (abs(mixed[0] - mixed[1]) >= statistic - 1e-12).sum()) / (1 + RESAMPLES)
    scores = [f1(counts.sum(axis=1)) for counts in (ours, theirs)]
    if min(len(ours), len(theirs)) > 1:
        yield "t-test of runs", float(stats.ttest_ind(*scores).pvalue)
    drawn = random.multinomial(documents, np.full(documents, 1 / documents), RESAMPLES).astype(float)
    resampled = []
    for counts in (ours, theirs):
        by_run = f1(np.tensordot(drawn, counts, axes=(1, 1)))
        runs = random.integers(0, len(counts), by_run.shape)
        resampled.append(np.take_along_axis(by_run, runs, axis=1).mean(axis=1))
    differences = resampled[0] - resampled[1]
    observed = scores[0].mean() - scores[1].mean()
    yield "nested bootstrap", (1 + (abs(differences - observed) >= abs(observed)).sum()) / (1 + RESAMPLES)


def rejections(setting: Setting, *, pairs: int = PAIRS, seed: int = 0) -> dict[str, float]:
    """By test the share of pairs with p < .05; and the share of intervals of our score with the true one."""
    random = np.random.default_rng(seed)
    true = true_score(setting)
    found: dict[str, list[bool]] = {"interval": [], "compare": []}
    for _ in range(pairs):
        ours, theirs = systems(random, setting)
        compared = study({"theirs": reports(theirs), "ours": reports(ours)}, resamples=RESAMPLES)
        low, high = compared.intervals["ours"]["mentions"]["f1"]
        found["interval"].append(low <= true <= high)
        found["compare"].append(compared.differences["ours"]["mentions"].p < LEVEL)
        for test, p in p_values(random, ours, theirs):
            found.setdefault(test, []).append(p < LEVEL)
    return {test: float(np.mean(rejected)) for test, rejected in found.items()}


if __name__ == "__main__":
    print(f"p < {LEVEL} of {PAIRS:,} pairs of equally good methods; spread of methods, runs and the rest in logits")
    for setting in SETTINGS:
        shares = "  ".join(f"{test} {100 * share:4.1f} %" for test, share in rejections(setting).items())
        print(*setting.runs, "runs,", f"{setting.documents:3} documents,", *setting[2:], f" {shares}", flush=True)
