"""Resampling as it is defined: one document drawn at a time, one report made of each resample, all in plain Python.

Shares no code with ``study.resampling``: draws come from a literal PCG64, scores from reports, one at a time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from corefscope.base.numbers import headline
from corefscope.evaluate.results import Report

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


def _report(of: Report, rows: Sequence[int], sources: Sequence[Report]) -> Report:
    """A report like ``of`` whose document at ``i`` is the document ``rows[i]`` of ``sources[i]``."""
    ids = list(of.rows)

    def chosen(layer: Any) -> dict[str, Any]:
        picked = zip(rows, sources, strict=True)
        return {str(at): layer(source)[ids[row]] for at, (row, source) in enumerate(picked)}

    layers = [chosen(lambda source, at=at: source.baseline_rows[at]) for at in range(len(of.baseline_rows))]
    return Report(of.options, tuple(of), chosen(lambda source: source.rows), baseline_rows=layers)


def resampled(report: Report, documents: Sequence[int]) -> Report:
    """The report of these documents, some of which may come twice and others not at all."""
    return _report(report, documents, [report] * len(documents))


def quantile(values: Sequence[float], share: float) -> float:
    """What this share of the values is below, interpolated between the two nearest."""
    ordered = sorted(values)
    place = Fraction(share) * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + float(place - low) * (ordered[high] - ordered[low])


def intervals(report: Report, resamples: int, seed: int, level: float) -> dict[str, dict[str, tuple[float, float]]]:
    """Percentile intervals of every figure of every metric."""
    values: dict[str, dict[str, list[float]]] = {}
    for documents in samples(seed, len(report.rows), resamples):
        for name, score in resampled(report, documents).items():
            for figure, value in score._asdict().items():
                if not isinstance(value, str):
                    values.setdefault(name, {}).setdefault(figure, []).append(value)
    tail = (1 - level) / 2
    return {
        name: {figure: (quantile(found, tail), quantile(found, 1 - tail)) for figure, found in figures.items()}
        for name, figures in values.items()
    }


def difference(ours: Report, baseline: Report, name: str) -> float:
    return headline(ours[name]) - headline(baseline[name])


def bootstrap_differences(ours: Report, baseline: Report, resamples: int, seed: int) -> dict[str, list[float]]:
    """The difference of the two systems in each resample of documents, by metric."""
    found: dict[str, list[float]] = {name: [] for name in ours}
    for documents in samples(seed, len(ours.rows), resamples):
        pair = resampled(ours, documents), resampled(baseline, documents)
        for name, values in found.items():
            values.append(difference(*pair, name))
    return found


def randomisation(ours: Report, baseline: Report, resamples: int, seed: int) -> dict[str, float]:
    """p-values by swapping the systems in some documents; all ways of it if they are few enough."""
    documents = len(ours.rows)
    every = 2**documents <= resamples
    ways: Any = itertools.product([False, True], repeat=documents) if every else swaps(seed, documents, resamples)
    reached = dict.fromkeys(ours, 0 if every else 1)
    for swapped in ways:
        mixed = _report(ours, range(documents), [baseline if swap else ours for swap in swapped])
        rest = _report(ours, range(documents), [ours if swap else baseline for swap in swapped])
        for name in reached:
            large = abs(difference(mixed, rest, name)) >= abs(difference(ours, baseline, name)) - TIE
            reached[name] += large
    return {name: count / (2**documents if every else resamples + 1) for name, count in reached.items()}


def centred_bootstrap(ours: Report, baseline: Report, resamples: int, seed: int) -> dict[str, float]:
    """p-values from how far resampled differences are from the one that was observed."""
    found = {}
    for name, values in bootstrap_differences(ours, baseline, resamples, seed).items():
        observed = difference(ours, baseline, name)
        found[name] = (1 + sum(abs(d - observed) >= abs(observed) - TIE for d in values)) / (1 + resamples)
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
