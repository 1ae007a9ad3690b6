"""What each class of faults costs: what its repair gains of a metric, averaged over all orders of repair.

v(S) is the score of the response with the classes S repaired (:mod:`.repair`). Repairing class c after S gains
v(S ∪ {c}) − v(S), which depends on S: the first of two repairs that need each other gains nothing. The gain of c
is the mean of its gains over all 7! orders of repair (its Shapley value), which are known from the 128 values v(S):

    gain(c) = Σ_S |S|! (6 − |S|)! / 7! · (v(S ∪ {c}) − v(S))

In each order the gains add up to v(all) − v(∅), so the means do as well. What is left to 1 − score is the class
``rules``, which every total includes:
a response that equals the key scores less than 1 where a rule set says that 0/0 is 0 (MUC of a key that has only
singletons), and the score itself is not v(∅) where official rules count mentions that stand in two entities, or
pairs of zeros that are not mutual. Under the corrected rules it is 0.

Counts add up over documents, so v is computed from sums over documents; and those of most metrics add up over groups
of connected entities, which makes them fast: a group has few classes, and many groups look the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from math import factorial, sqrt
from typing import NamedTuple

from ...base.numbers import Counts, add, headline, in_order, ratio
from ...count.metrics import counted, select
from ...count.metrics.base import Metric
from ...evaluate.options import Options
from ...evaluate.results import Scores
from .pairing import Pairing
from .repair import BITS, EVERYTHING, Group, Repairs, classes_of, groups, repaired_alignment, subsets, whole

COMMON = 4  # cells of a group that is likely to come again

Variants = dict[tuple[int, int], list[float]]
"""(classes of faults that there are, those of them that are repaired) → counts of all metrics in a row."""


class Step(NamedTuple):
    """What the repair of one class gains, as a part of the score, which is 1 if nothing is wrong."""

    kind: str
    gain: float
    """The mean over all orders of repair."""
    deviation: float
    """The standard deviation over all orders."""
    least: float
    most: float
    first: float
    """The gain if nothing else is repaired before."""
    last: float
    """The gain if everything else is."""


RULES = "rules"
"""The class of what no repair gains."""


class Attribution(NamedTuple):
    """Where the points of a metric went: 1 − score = the gains of all steps + that of the rules.

    ``steps`` alone do not add up to what is lost where the rule set has peculiarities; ``classes`` do.
    """

    metric: str
    score: float
    steps: tuple[Step, ...]
    rules: float

    @property
    def lost(self) -> float:
        """1 − score"""
        return 1 - self.score

    @property
    def classes(self) -> tuple[Step, ...]:
        """The steps, and as the last one what no repair gains: their gains add up to ``lost``."""
        rules = self.rules
        return (*self.steps, Step(RULES, rules, 0.0, rules, rules, rules, rules))

    def by_cost(self, counts: Mapping[str, int]) -> list[Step]:
        """The steps of kinds of which there are faults, so many by kind; the dearest first."""
        return sorted((step for step in self.steps if counts.get(step.kind)), key=lambda step: -step.gain)

    def to_dict(self) -> dict[str, object]:
        """As plain values; the gains of the classes, ``rules`` among them, add up to what is lost."""
        return {
            "metric": self.metric,
            "score": self.score,
            "lost": self.lost,
            "classes": {step.kind: dict(zip(Step._fields[1:], step[1:], strict=True)) for step in self.classes},
        }


def is_of_relations(metric: Metric) -> bool:
    """Whether a metric, or one that it is made from, counts relations: no repair of entities gains its points."""
    return any(part.reads == "relations" for part in counted([metric.name]))


Booked = dict[str, tuple[dict[str, Counts], list[Variants]]]
"""By document its counts as scored, and those of its repaired variants."""


class Ledger:
    """Counts of repaired responses, document by document, on their way into attributions."""

    def __init__(self, options: Options, metrics: str | Sequence[str] = ("conll",)) -> None:
        self.options = options.checked()
        self.smallest = options.smallest
        self.names = select(metrics)
        needed = counted(self.names)
        ways = [
            (self._by_group, [metric for metric in needed if metric.engines.adds_over_components]),
            (self._whole, [m for m in needed if not (m.engines.adds_over_components or m.scope.needs_words)]),
            (self._in_words, [metric for metric in needed if metric.scope.needs_words]),
        ]
        self._ways = [(variants, metrics) for variants, metrics in ways if metrics]
        self._of_groups: dict[Group, Variants] = {}
        self._documents: Booked = {}

    def add(self, name: str, pairing: Pairing, counts: dict[str, Counts]) -> None:
        """Add a document with its counts as scored."""
        self._documents[name] = counts, [variants(pairing, metrics) for variants, metrics in self._ways]

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_of_groups": {}}  # values that are worked out again if needed

    def merge(self, other: Ledger) -> None:
        """Add the later documents of another ledger."""
        self._documents.update(other._documents)

    def _by_group(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        total: Variants = {}
        for group in groups(pairing):
            variants = self._of_groups.get(group)
            if variants is None:
                variants = self._tabulated(group, metrics)
                if len(group.cells) <= COMMON:
                    self._of_groups[group] = variants
            _add_to(total, variants)
        return total

    def _whole(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        return self._tabulated(whole(pairing), metrics)

    def _in_words(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        classes = classes_of(pairing)
        return {
            (classes, subset): _row(metrics, repaired_alignment(pairing, subset, self.smallest))
            for subset in subsets(classes)
        }

    def _tabulated(self, group: Group, metrics: Sequence[Metric]) -> Variants:
        repairs = Repairs(group, self.smallest)
        return {(repairs.classes, s): _row(metrics, repairs.table(s)) for s in subsets(repairs.classes)}

    def attribution(self, metric: str) -> Attribution:
        """Where the points of a metric went."""
        documents = self._documents.values()
        scored = {m.name: _sum([counts[m.name] for counts, _ in documents], len(m.fields)) for m in counted([metric])}
        score = self._score(metric, scored)
        values = [self._score(metric, counts) for counts in self._pooled()]
        steps = tuple(step_of(kind, bit, values) for kind, bit in BITS.items())
        return Attribution(metric, score, steps, (1 - values[EVERYTHING]) + (values[0] - score))

    def _score(self, metric: str, counts: dict[str, Counts]) -> float:
        return headline(Scores([metric], counts, self.options.rules)[metric])

    def _pooled(self) -> list[dict[str, Counts]]:
        """The counts of each metric for every set of repaired classes."""
        pooled: list[dict[str, Counts]] = [{} for _ in range(EVERYTHING + 1)]
        for way, (_, metrics) in enumerate(self._ways):
            total: Variants = {}
            for _, variants in self._documents.values():
                _add_to(total, variants[way])
            width = sum(len(metric.fields) for metric in metrics)
            masks = {classes for classes, _ in total}
            for subset, counts in enumerate(pooled):
                row = iter(_sum([total[classes, subset & classes] for classes in masks], width))
                for metric in metrics:
                    counts[metric.name] = tuple(islice(row, len(metric.fields)))
        return pooled


def _add_to(total: Variants, variants: Variants) -> None:
    for key, row in variants.items():
        total[key] = [a + b for a, b in zip(total[key], row, strict=True)] if key in total else row


def _row(metrics: Sequence[Metric], seen: object) -> list[float]:
    return [number for metric in metrics for number in metric.counts(seen)]


def _sum(rows: Sequence[Counts | list[float]], width: int) -> Counts:
    return add(rows) if rows else (0,) * width


def step_of(kind: str, bit: int, values: Sequence[float]) -> Step:
    """The gains of a class over all sets of others that may be repaired before it, weighted by their orders.

    ``values`` are the scores with each set of classes repaired, by its bits; ``bit`` is that of the class.
    """
    everything = len(values) - 1
    others = everything.bit_count() - 1
    gains = []
    for subset in range(everything + 1):
        if not subset & bit:
            before = subset.bit_count()
            orders = factorial(before) * factorial(others - before)
            gains.append((orders, values[subset | bit] - values[subset]))
    all_orders = factorial(others + 1)
    mean = ratio(in_order(orders * gain for orders, gain in gains), all_orders)
    variance = ratio(in_order(orders * (gain - mean) ** 2 for orders, gain in gains), all_orders)
    return Step(
        kind,
        mean,
        sqrt(variance),
        min(gain for _, gain in gains),
        max(gain for _, gain in gains),
        values[bit] - values[0],
        values[everything] - values[everything & ~bit],
    )
