"""Resampling without NumPy, for the app in a browser and for Codabench's containers.

Draws, scores and p-values equal those of NumPy; ends of intervals may differ in their last bits, because sums of
floats depend on their order. Random numbers are those of ``numpy.random.PCG64(seed).random_raw()``: O'Neill (2014),
variant XSL-RR 128/64, seeded as by NumPy's ``SeedSequence``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, product
from math import fsum, sqrt
from operator import add

from ..core.errors import OptionError
from ..core.metrics import counted
from ..core.numbers import AnyScore, headline, mean, ratio
from ..core.report import FIGURES, Report, Scores
from .paired_tests import TIE, PValues, p_values_from_counts
from .resampling import Figures, Interval, Plan

MOST = 2000
"""Maximum number of cached samples."""
Values = list[float]
"""One for each resample; or the counts of one system, one metric after the other, then those of its baselines."""
BITS_32, BITS_64, BITS_128 = ((1 << bits) - 1 for bits in (32, 64, 128))
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
WORDS = 4  # of 32 bits, of which the entropy is a pool


class PlainCounts:
    """The counts of several systems over the same documents, of which the first is the baseline."""

    def __init__(self, reports: Sequence[Report], names: Sequence[str]) -> None:
        first = reports[0]
        self.names = names
        self.documents: int = len(first.rows)
        self._rules = first.options.rules
        self._fields: dict[str, slice] = {}
        """The columns of the counts of each metric."""
        self._width = 0
        for metric in counted(names):
            self._fields[metric.name] = slice(self._width, self._width + len(metric.fields))
            self._width += len(metric.fields)
        scored = counted(list(first))
        columns = [scored.index(metric) for metric in counted(names)]
        layers = [(report.rows, *report.baseline_rows) for report in reports]
        self._systems = [
            [[count for rows in system for at in columns for count in rows[name][at]] for name in first.rows]
            for system in layers
        ]
        """The counts, by system and document."""

    def bootstrap(self, plan: Plan) -> list[Figures[Values]]:
        """The figures of each system in each resample."""
        scored: list[list[Mapping[str, AnyScore]]] = []
        numbers = stream(plan.seed)
        before: dict[tuple[int, ...], list[Mapping[str, AnyScore]]] = {}
        for _ in range(plan.resamples):
            drawn = [(number >> 32) * self.documents >> 32 for number in islice(numbers, self.documents)]
            sample = tuple(sorted(drawn))  # samples of few documents recur
            if sample not in before:
                if len(before) >= MOST:
                    before.clear()
                before[sample] = [self._scores(self._pooled([rows[at] for at in sample])) for rows in self._systems]
            scored.append(before[sample])
        systems: list[Figures[Values]] = []
        for of_system in zip(*scored, strict=True):
            systems.append({})
            for name in self.names:
                figures = zip(*(scores[name] for scores in of_system), strict=True)
                named = zip(type(of_system[0][name])._fields, map(list, figures), strict=True)
                systems[-1][name] = {figure: values for figure, values in named if figure in FIGURES}
        return systems

    def minus(self, values: Values, others: Values) -> Values:
        """The difference of two figures in each resample."""
        return [value - other for value, other in zip(values, others, strict=True)]

    def interval(self, values: Values, level: float) -> Interval:
        """The range from the (1 − level)/2 to the (1 + level)/2 quantile."""
        ordered = sorted(values)
        return Interval(_quantile(ordered, (1 - level) * 0.5), _quantile(ordered, (1 + level) * 0.5))

    def spread(self, values: Values) -> float:
        """The standard deviation."""
        average = mean(values)
        return sqrt(ratio(fsum((value - average) ** 2 for value in values), len(values) - 1))

    def p_values(self, plan: Plan, observed: list[Values], resampled: list[list[Values]]) -> PValues:
        """The p-values of differences from the baseline, by the test of the plan."""
        if plan.test == "randomisation":
            return self._randomisation(plan, observed)
        if plan.test == "bootstrap":
            reached = []
            for of_system in zip(observed, resampled, strict=True):
                pairs = zip(*of_system, strict=True)
                reached.append([sum(abs(v - seen) >= abs(seen) - TIE for v in values) for seen, values in pairs])
            return p_values_from_counts(reached, plan.resamples, exact=False)
        raise OptionError(f"the test {plan.test} needs NumPy, which is not installed: use randomisation or bootstrap")

    def counting(self) -> dict[str, int]:
        """For each metric the number of documents in which some system has anything to count."""
        documents = list(zip(*self._systems, strict=True))
        return {
            name: sum(any(any(row[fields]) for row in document) for document in documents)
            for name, fields in self._fields.items()
        }

    def _randomisation(self, plan: Plan, observed: list[Values]) -> PValues:
        exact = 2**self.documents <= plan.resamples
        reached = [[0] * len(self.names) for _ in observed]
        resamples = 0
        numbers = stream(plan.seed)
        drawn = ([n >= 1 << 63 for n in islice(numbers, self.documents)] for _ in range(plan.resamples))
        for swapped in product((False, True), repeat=self.documents) if exact else drawn:
            resamples += 1
            unswapped = [not swap for swap in swapped]
            gone = [self._pooled(compress(rows, swapped)) for rows in self._systems]
            kept = [self._pooled(compress(rows, unswapped)) for rows in self._systems]
            for system, (differences, row) in enumerate(zip(observed, reached, strict=True), 1):
                as_system = self._scores(list(map(add, kept[system], gone[0])))
                as_baseline = self._scores(list(map(add, gone[system], kept[0])))
                for m, name in enumerate(self.names):
                    difference = headline(as_system[name]) - headline(as_baseline[name])
                    row[m] += abs(difference) >= abs(differences[m]) - TIE
        return p_values_from_counts(reached, resamples, exact=exact)

    def _pooled(self, rows: Iterable[Values]) -> Values:
        """The sums of the counts of some documents."""
        return list(map(sum, zip(*rows, strict=True))) or [0] * len(self._systems[0][0])

    def _scores(self, pooled: Values) -> Mapping[str, AnyScore]:
        """The scores of one system from its pooled counts."""
        layers = [pooled[start : start + self._width] for start in range(0, len(pooled), self._width)]
        counts = [{name: tuple(layer[fields]) for name, fields in self._fields.items()} for layer in layers]
        baselines = [Scores(self.names, of_layer, self._rules) for of_layer in counts[1:]]
        return Scores(self.names, counts[0], self._rules, baselines)


def _quantile(ordered: Values, share: float) -> float:
    """The quantile, interpolated from the nearer of two neighbours, as NumPy does."""
    place = (len(ordered) - 1) * share
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    part = place - below
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def stream(seed: int) -> Iterator[int]:
    """Random numbers of 64 bits.

    >>> next(stream(0)) >> 32, next(stream(2**70)) >> 32
    (2735729615, 2331484082)
    """
    first, second, third, fourth = _start(seed)
    increment = (third << 64 | fourth) << 1 & BITS_128 | 1
    state = ((increment + (first << 64 | second)) * MULTIPLIER + increment) & BITS_128
    while True:
        state = state * MULTIPLIER + increment & BITS_128
        folded, turn = (state >> 64 ^ state) & BITS_64, state >> 122
        yield (folded >> turn | folded << (64 - turn)) & BITS_64


def _start(seed: int) -> list[int]:
    """The initial state from a seed: four numbers of 64 bits."""
    entropy = [seed >> shift & BITS_32 for shift in range(0, max(seed.bit_length(), 1), 32)]
    mix_in = _make_hash(0x43B0D7E5, 0x931E8875)
    pool = [mix_in(entropy[at] if at < len(entropy) else 0) for at in range(WORDS)]
    for source in range(WORDS):
        for at in range(WORDS):
            if at != source:
                pool[at] = _mixed(pool[at], mix_in(pool[source]))
    for word in entropy[WORDS:]:
        for at in range(WORDS):
            pool[at] = _mixed(pool[at], mix_in(word))
    draw_out = _make_hash(0x8B51F9DD, 0x58F38DED)
    halves = [draw_out(pool[at % WORDS]) for at in range(2 * WORDS)]
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True)]


def _make_hash(constant: int, factor: int) -> Callable[[int], int]:
    """A hash of words of 32 bits whose constant changes with each call."""

    def hash_word(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * factor & BITS_32
        word = word * constant & BITS_32
        return word ^ word >> 16

    return hash_word


def _mixed(one: int, other: int) -> int:
    mixed = 0xCA01F9DD * one - 0x4973F715 * other & BITS_32
    return mixed ^ mixed >> 16
