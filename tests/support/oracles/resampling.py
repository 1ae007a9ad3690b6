"""Resampling as it is defined: one document drawn at a time, one score made of each resample, all in plain Python.

Shares no code with the package. Draws come from a literal PCG64; what a document is, and what documents score, is
up to the caller.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

Documents = Sequence[Any]
"""The documents of one system."""
ScoreAll = Callable[[Documents], Mapping[str, Mapping[str, float]]]
"""The figures of each metric (recall, precision, f1 or value), pooled over documents."""

TIE = 1e-12
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
BITS_64, BITS_128 = (1 << 64) - 1, (1 << 128) - 1


def stream(seed: int) -> Iterator[int]:
    """The numbers of PCG64 (XSL-RR 128/64); only where it starts is asked of NumPy."""
    from numpy.random import PCG64

    start: Any = PCG64(seed).state["state"]
    state, increment = start["state"], start["inc"]
    while True:
        state = state * MULTIPLIER + increment & BITS_128
        folded, turn = (state >> 64 ^ state) & BITS_64, state >> 122
        yield (folded >> turn | folded << (64 - turn)) & BITS_64


def samples(seed: int, documents: int, resamples: int) -> Iterator[list[int]]:
    """The documents of each bootstrap resample."""
    numbers = stream(seed)
    for _ in range(resamples):
        yield [(next(numbers) >> 32) * documents >> 32 for _ in range(documents)]


def swaps(seed: int, documents: int, resamples: int) -> Iterator[list[bool]]:
    """In which documents two systems change places, for each resample."""
    numbers = stream(seed)
    for _ in range(resamples):
        yield [next(numbers) >= 1 << 63 for _ in range(documents)]


def quantile(values: Sequence[float], share: float) -> float:
    """What this share of the values is below, interpolated between the two nearest."""
    ordered = sorted(values)
    place = Fraction(share) * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + float(place - low) * (ordered[high] - ordered[low])


def intervals(
    documents: Documents, score: ScoreAll, resamples: int, seed: int, level: float
) -> dict[str, dict[str, tuple[float, float]]]:
    """Percentile intervals of every figure of every metric."""
    values: dict[str, dict[str, list[float]]] = {}
    for drawn in samples(seed, len(documents), resamples):
        for name, figures in score([documents[at] for at in drawn]).items():
            for figure, value in figures.items():
                values.setdefault(name, {}).setdefault(figure, []).append(value)
    tail = (1 - level) / 2
    return {
        name: {figure: (quantile(found, tail), quantile(found, 1 - tail)) for figure, found in figures.items()}
        for name, figures in values.items()
    }


def differences(ours: Documents, baseline: Documents, score: ScoreAll) -> dict[str, float]:
    """By metric how much higher we score: in F1, or in the value of a metric that has no F1."""
    pair = [
        {name: figures["f1" if "f1" in figures else "value"] for name, figures in score(system).items()}
        for system in (ours, baseline)
    ]
    return {name: value - pair[1][name] for name, value in pair[0].items()}


def bootstrap_differences(
    ours: Documents, baseline: Documents, score: ScoreAll, resamples: int, seed: int
) -> dict[str, list[float]]:
    """The difference of the two systems in each resample of documents, by metric."""
    found: dict[str, list[float]] = {}
    for drawn in samples(seed, len(ours), resamples):
        one, other = ([system[at] for at in drawn] for system in (ours, baseline))
        for name, value in differences(one, other, score).items():
            found.setdefault(name, []).append(value)
    return found


def randomisation(
    ours: Documents, baseline: Documents, score: ScoreAll, resamples: int, seed: int
) -> dict[str, float]:
    """p-values by swapping the systems in some documents; all ways of it if they are few enough."""
    every = 2 ** len(ours) <= resamples
    ways: Any = itertools.product([False, True], repeat=len(ours)) if every else swaps(seed, len(ours), resamples)
    observed = differences(ours, baseline, score)
    reached = dict.fromkeys(observed, 0 if every else 1)
    for swapped in ways:
        pairs = zip(swapped, ours, baseline, strict=True)
        mixed, rest = zip(*((b, a) if swap else (a, b) for swap, a, b in pairs), strict=True)
        for name, value in differences(mixed, rest, score).items():
            reached[name] += abs(value) >= abs(observed[name]) - TIE
    return {name: count / (2 ** len(ours) if every else resamples + 1) for name, count in reached.items()}


def centred_bootstrap(
    ours: Documents, baseline: Documents, score: ScoreAll, resamples: int, seed: int
) -> dict[str, float]:
    """p-values from how far resampled differences are from the one that was observed."""
    found = {}
    observed = differences(ours, baseline, score)
    for name, values in bootstrap_differences(ours, baseline, score, resamples, seed).items():
        far = [abs(value - observed[name]) >= abs(observed[name]) - TIE for value in values]
        found[name] = (1 + sum(far)) / (1 + resamples)
    return found


def signed_rank(differences: Sequence[float]) -> float:
    """Wilcoxon's test by writing down all ways of giving signs to the ranks."""
    sizes = [round(abs(d), 11) for d in differences if abs(d) > TIE]
    signs = [d > 0 for d in differences if abs(d) > TIE]
    ranks = [
        Fraction(sum(other < size for other in sizes) + sum(other <= size for other in sizes) + 1, 2)
        for size in sizes
    ]
    mean = Fraction(sum(ranks), 2)

    def distance(positive: Sequence[bool]) -> Fraction:
        return abs(sum(rank for rank, sign in zip(ranks, positive, strict=True) if sign) - mean)

    ways = [distance(way) >= distance(signs) for way in itertools.product([False, True], repeat=len(ranks))]
    return sum(ways) / len(ways)
