"""Points of a metric that each kind of error costs: the gain of its repair, averaged over all orders of repair.

v(S) is the score of the response with the kinds S repaired (:mod:`.pairing`). Repairing kind c after S gains
v(S ∪ {c}) − v(S), which depends on S: the first of two repairs that need each other gains nothing. The gain of c
is the mean of its gains over all n! orders of repairing n kinds (its Shapley value), which follows from the 2ⁿ
values v(S):

    gain(c) = Σ_S |S|! (n − 1 − |S|)! / n! · (v(S ∪ {c}) − v(S))

In each order the gains add up to v(all) − v(∅), so the means do as well. What is left to 1 − score is the class
``rules``, which every total includes: a response that equals the key scores less than 1 where a rule set says that
0/0 is 0 (MUC of a key that has only singletons), and the score itself is not v(∅) where official rules count mentions
that are in two entities, or pairs of zeros that are not mutual. Under the corrected rules it is 0.

Counts add up over documents, so v is computed from sums over documents; and those of most metrics add up over groups
of connected entities, which makes them fast: a group has few kinds of errors, and many groups are equal.

Discourse deixis is repaired like identity, over its own layer; points that plurals of that layer lose are not gained
by such a repair. The rows of metrics of relations say which kinds of errors they lose points by (``errors``), and
what they count once some are repaired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import factorial, sqrt
from typing import NamedTuple

from ...core.errors import OptionError
from ...core.metrics import METRICS, counted, select
from ...core.metrics.base import Metric
from ...core.numbers import Counts, add, headline, in_order, ratio
from ...core.options import Options
from ...core.report import Scores
from .kinds import DEIXIS_PREFIX, IDENTITY, DeixisLayer, DocumentComparison, kinds_of
from .pairing import (
    Group,
    Pairing,
    Repair,
    RepairableGroup,
    combine,
    groups,
    needed_repair,
    repaired_alignment,
    whole,
)

COMMON = 4  # cells of a group that is likely to come again

Variants = dict[tuple[int, int], list[float]]
"""(kinds of errors that there are, those of them that are repaired), as bits → counts of all metrics in a row."""


class Step(NamedTuple):
    """The gain of repairing one kind of error, as a part of the score, which is 1 if nothing is wrong."""

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
"""The class of points that no repair gains."""


class Attribution(NamedTuple):
    """Where the points of a metric went: 1 − score = the gains of all steps + that of the rules.

    ``steps`` alone do not add up to what is lost where the rule set has peculiarities; ``classes`` do.
    """

    metric: str
    score: float
    steps: tuple[Step, ...]
    rules: float

    def __repr__(self) -> str:
        steps = ", ".join([f"{step.kind} {step.gain:.4f}" for step in self.steps])
        return f"<Attribution {self.metric}={self.score:.4f}, lost by {steps}>"

    @classmethod
    def from_scores(cls, metric: str, score: float, kinds: Sequence[str], values: Sequence[float]) -> Attribution:
        """``values`` are the scores with each set of kinds repaired, by its bits; ``score`` is that of the report."""
        steps = tuple([step_of(kind, 1 << bit, values) for bit, kind in enumerate(kinds)])
        return cls(metric, score, steps, (1 - values[-1]) + (values[0] - score))

    @property
    def lost(self) -> float:
        """1 − score"""
        return 1 - self.score

    @property
    def classes(self) -> tuple[Step, ...]:
        """The steps, and last the points that no repair gains: their gains add up to ``lost``."""
        rules = self.rules
        return (*self.steps, Step(RULES, rules, 0.0, rules, rules, rules, rules))

    def by_cost(self, counts: Mapping[str, int]) -> list[Step]:
        """The steps of those kinds that ``counts`` has errors of; the dearest first."""
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


def is_attributable(name: str) -> bool:
    """Whether errors explain the lost points of a metric: those of identity, of deixis or of relations alone."""
    parts = counted([name])
    alone = all(part.relation.repaired_counts for part in parts) or all(part.relation.over_layer for part in parts)
    return METRICS[name].scale.perfect == 1 and (alone or not is_of_relations(METRICS[name]))


def attributable(names: str | Sequence[str]) -> tuple[str, ...]:
    """The metrics of these names; an OptionError if errors do not explain the lost points of one of them."""
    chosen = select(names)
    for name in chosen:
        metric = METRICS[name]
        if metric.scale.perfect != 1:
            raise OptionError(f"{metric.title} loses no points: 0 is perfect")
        if not is_attributable(name):
            hint = "choose a metric of identity, such as conll, or of relations alone, such as split or deixis"
            raise OptionError(f"{metric.title} combines identity and relations: {hint}")
    return chosen


def subsets(kinds: int) -> Iterator[int]:
    """All subsets of some kinds, as bits, from all to none.

    >>> list(subsets(0b101))
    [5, 4, 1, 0]
    """
    subset = kinds
    while subset:
        yield subset
        subset = (subset - 1) & kinds
    yield 0


class RepairedCounts:
    """Counts of repaired responses, document by document, and the attributions they lead to.

    Metrics are counted by groups, on the whole table or in words, as their rows allow.
    """

    def __init__(self, options: Options, metrics: str | Sequence[str] = ("conll",)) -> None:
        self.options: Options = options.checked()
        self.min_entity_size: int = options.min_entity_size
        self.names: tuple[str, ...] = select(metrics)
        rows = [row for row in kinds_of(IDENTITY) if row.repair]
        self.kinds: tuple[str, ...] = tuple([row.name for row in rows])
        self._repairs = [row.repair for row in rows if row.repair]
        self.repairs: list[Repair] = [
            combine(repair for bit, repair in enumerate(self._repairs) if chosen >> bit & 1)
            for chosen in range(1 << len(rows))
        ]
        """The repair of each set of kinds, by its bits."""
        ways: dict[Callable[[Pairing, Sequence[Metric]], Variants], list[Metric]] = {}
        for metric in counted(self.names):
            by_group, by_words = metric.engines.adds_over_components, metric.scope.needs_words
            way = self._by_group if by_group else self._in_words if by_words else self._in_table
            ways.setdefault(way, []).append(metric)
        self._ways = list(ways.items())
        self._of_groups: dict[Group, Variants] = {}
        self.documents: dict[str, tuple[dict[str, Counts], list[Variants]]] = {}
        """The counts of each document as scored, and those of its repaired variants."""

    def add(self, name: str, pairing: Pairing, counts: dict[str, Counts]) -> None:
        """Add a document with its counts as scored."""
        self.documents[name] = counts, [variants(pairing, metrics) for variants, metrics in self._ways]

    def kinds_in(self, needed: Repair) -> int:
        """The kinds whose repair has one of these steps, as bits."""
        return sum(1 << bit for bit, repair in enumerate(self._repairs) if repair.overlaps(needed))

    def _by_group(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        total: Variants = {}
        for group in groups(pairing):
            variants = self._of_groups.get(group)
            if variants is None:
                variants = self._tabulate(group, metrics)
                if len(group.cells) <= COMMON:
                    self._of_groups[group] = variants
            _add_to(total, variants)
        return total

    def _in_table(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        return self._tabulate(whole(pairing), metrics)

    def _in_words(self, pairing: Pairing, metrics: Sequence[Metric]) -> Variants:
        kinds = self.kinds_in(needed_repair(pairing))
        return {
            (kinds, s): _row(metrics, repaired_alignment(pairing, self.repairs[s], self.min_entity_size))
            for s in subsets(kinds)
        }

    def _tabulate(self, group: Group, metrics: Sequence[Metric]) -> Variants:
        repairable = RepairableGroup(group, self.min_entity_size)
        kinds = self.kinds_in(repairable.needed)
        return {(kinds, s): _row(metrics, repairable.table(self.repairs[s])) for s in subsets(kinds)}

    def attribution(self, metric: str) -> Attribution:
        """Where the points of a metric went."""
        documents = self.documents.values()
        scored = {m.name: _sum([counts[m.name] for counts, _ in documents], len(m.fields)) for m in counted([metric])}
        values = [self._score(metric, counts) for counts in self._pooled()]
        return Attribution.from_scores(metric, self._score(metric, scored), self.kinds, values)

    def _score(self, metric: str, counts: dict[str, Counts]) -> float:
        return headline(Scores([metric], counts, self.options.rules)[metric])

    def _pooled(self) -> list[dict[str, Counts]]:
        """The counts of each metric for every set of repaired kinds."""
        pooled: list[dict[str, Counts]] = [{} for _ in self.repairs]
        for way, (_, metrics) in enumerate(self._ways):
            total: Variants = {}
            for _, variants in self.documents.values():
                _add_to(total, variants[way])
            width = sum(len(metric.fields) for metric in metrics)
            masks = {kinds for kinds, _ in total}
            for subset, counts in enumerate(pooled):
                row = iter(_sum([total[kinds, subset & kinds] for kinds in masks], width))
                for metric in metrics:
                    counts[metric.name] = tuple(islice(row, len(metric.fields)))
        return pooled


class LostPoints:
    """The lost points of one metric: of identity, of discourse deixis, or of relations.

    ``merge`` adds the later documents that another process has counted.
    """

    def __init__(self, options: Options, metric: str) -> None:
        self.metric = metric
        self._rules = options.rules
        self._parts = counted([metric])
        self._over_layer = all(part.relation.over_layer for part in self._parts)
        self._kinds = tuple(dict.fromkeys(kind for part in self._parts for kind in part.relation.errors))
        self._sets_of_kinds = [
            frozenset(kind for bit, kind in enumerate(self._kinds) if chosen >> bit & 1)
            for chosen in range(1 << len(self._kinds))
        ]
        """All sets of the kinds of a metric of relations, by their bits."""
        self._by_relation: dict[str, list[list[Counts]]] = {}
        """By document, for each part of a metric of relations, the counts with each set of kinds repaired."""
        self._scored_as = metric
        """The metric of identity that counts the layer, for deixis; else the metric itself."""
        self._repaired: RepairedCounts | None = None
        if self._over_layer:
            parts = ",".join([part.relation.over_layer for part in self._parts])
            self._scored_as = METRICS[metric].relation.over_layer or f"mean({parts})"
            self._repaired = RepairedCounts(options._replace(singletons="keep"), [self._scored_as])
        elif not all(part.relation.repaired_counts for part in self._parts):
            self._repaired = RepairedCounts(options, [metric])

    def add(self, name: str, pair: DocumentComparison, layer: DeixisLayer | None, counts: dict[str, Counts]) -> None:
        """Add a document with its counts as scored, if it has what the metric counts."""
        if self._repaired is None:
            for part in self._parts if pair.judged else ():
                repaired_counts, scored = part.relation.repaired_counts, counts[part.name]
                assert repaired_counts is not None
                repaired = [repaired_counts(pair.judged, scored, kinds) for kinds in self._sets_of_kinds[1:]]
                self._by_relation.setdefault(name, []).append([scored, *repaired])
        elif not self._over_layer:
            self._repaired.add(name, pair.pairing, counts)
        elif layer:
            in_layer = {part.relation.over_layer: counts[part.name] for part in self._parts}
            self._repaired.add(name, layer.pair.pairing, in_layer)

    def merge(self, other: LostPoints) -> None:
        """Add the later documents of another one."""
        if self._repaired and other._repaired:
            self._repaired.documents.update(other._repaired.documents)
        self._by_relation.update(other._by_relation)

    def attribution(self) -> Attribution:
        """Where the points went."""
        if self._repaired is None:
            values = []
            for repaired in range(len(self._sets_of_kinds)):
                pooled = {
                    part.name: _sum([rows[number][repaired] for rows in self._by_relation.values()], len(part.fields))
                    for number, part in enumerate(self._parts)
                }
                values.append(headline(Scores([self.metric], pooled, self._rules)[self.metric]))
            return Attribution.from_scores(self.metric, values[0], self._kinds, values)
        attribution = self._repaired.attribution(self._scored_as)
        if not self._over_layer:
            return attribution
        steps = tuple([step._replace(kind=DEIXIS_PREFIX + step.kind) for step in attribution.steps])
        return attribution._replace(metric=self.metric, steps=steps)


def _add_to(total: Variants, variants: Variants) -> None:
    for key, row in variants.items():
        total[key] = [a + b for a, b in zip(total[key], row, strict=True)] if key in total else row


def _row(metrics: Sequence[Metric], seen: object) -> list[float]:
    return [number for metric in metrics for number in metric.counts(seen)]


def _sum(rows: Sequence[Counts | list[float]], width: int) -> Counts:
    return add(rows) if rows else (0,) * width


def step_of(kind: str, bit: int, values: Sequence[float]) -> Step:
    """The gains of a kind over all sets of others that may be repaired before it, weighted by their orders.

    ``values`` are the scores with each set of kinds repaired, by its bits; ``bit`` is that of the kind.
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
