"""Several runs of a system as defined: an analysis of variance of pseudo-values, in plain Python.

Shares no code with the package; what documents score is up to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Runs = Sequence[Sequence[Any]]
"""The documents of each run of a system."""
Score = Callable[[Sequence[Any]], float]
"""The score of some documents, pooled."""


class Variance(NamedTuple):
    """The variance of a difference of means over runs, and its degrees of freedom."""

    variance: float
    freedom: float


def mean(values: Sequence[float]) -> float:
    """Σ x / n"""
    return sum(values) / len(values)


def pseudo_values(documents: Sequence[Any], score: Score) -> list[float]:
    """Values n · s − (n − 1) · s without the document, for each document."""
    n, whole = len(documents), score(documents)
    return [n * whole - (n - 1) * score([*documents[:d], *documents[d + 1 :]]) for d in range(n)]


def of_difference(systems: Sequence[Sequence[Runs]], score: Score) -> Variance:
    """Of the mean over runs of one system, or the difference of two; each has the runs on each data set."""
    numbers = [len(system[0]) for system in systems]
    freedom = sum(number - 1 for number in numbers)
    factor = sum(1 / number for number in numbers)
    squares = 0.0
    for system, number in zip(systems, numbers, strict=True):
        scores = [mean([score(dataset[run]) for dataset in system]) for run in range(number)]
        squares += sum((value - mean(scores)) ** 2 for value in scores)
    between = factor * squares / freedom
    datasets = len(systems[0])
    of_documents = of_rest = weighted = 0.0
    for k in range(datasets):
        tables = [[pseudo_values(run, score) for run in system[k]] for system in systems]
        n = len(tables[0][0])
        means = [[mean([row[d] for row in table]) for d in range(n)] for table in tables]
        differences = [means[0][d] - (means[1][d] if len(means) > 1 else 0) for d in range(n)]
        spread = sum((x - mean(differences)) ** 2 for x in differences) / (n - 1) / n / datasets**2
        rest = 0.0
        for table, by_document in zip(tables, means, strict=True):
            for row in table:
                rest += sum((row[d] - mean(row) - by_document[d] + mean(by_document)) ** 2 for d in range(n))
        of_documents += spread
        of_rest += factor * rest / (freedom * (n - 1)) / n / datasets**2
        weighted += spread**2 / (n - 1)
    remaining = max(of_documents - of_rest, 0.0)
    if not between and not remaining:
        return Variance(0.0, freedom)
    # The documents have f degrees of freedom (Satterthwaite), what remains of them the same share of these.
    inverse = between**2 / freedom
    if remaining:
        f = of_documents**2 / weighted
        inverse += remaining**2 / (f * remaining / of_documents)
    return Variance(between + remaining, (between + remaining) ** 2 / inverse)
