"""Which points are booked, and how: those of identity, of discourse deixis, or of relations.

What a class of errors costs is the same for all of them: what its repair gains, averaged over all orders of repair
(:mod:`.attribution`). Deixis is repaired as identity is, over its own layer; what plurals of that layer lose no such
repair gains. Relations are mended kind by kind (``count/relations/mended``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ...base.errors import OptionError
from ...base.numbers import Counts, add, headline
from ...count.metrics import METRICS, counted, select
from ...count.relations.judged import Judged
from ...evaluate.options import Options
from ...evaluate.results import Scores
from .attribution import Attribution, Ledger, is_of_relations, step_of
from .deixis import Layer
from .pairing import Pairing
from .taxonomy import DEIXIS


class Repairable(NamedTuple):
    """What there is to repair in a pair of documents."""

    pairing: Pairing
    layer: Layer | None
    """Discourse deixis."""
    judged: Judged | None
    """Relations."""


class CostLedger(Protocol):
    """Counts of repaired responses, document by document."""

    def add(self, name: str, seen: Repairable, counts: dict[str, Counts]) -> None:
        """Add a document with its counts as scored."""

    def merge(self, other: CostLedger) -> None:
        """Add the later documents of another ledger of the same kind."""

    def attribution(self) -> Attribution | None:
        """Where the points went; None if that is not known."""


def attributable(names: str | Sequence[str]) -> tuple[str, ...]:
    """The metrics that these names stand for, if points of all of them can be lost by errors that are known."""
    chosen = select(names)
    for name in chosen:
        metric = METRICS[name]
        if metric.scale.perfect != 1:
            raise OptionError(f"{metric.title} is no score of which points can be lost: 0 is perfect")
        if not is_attributable(name):
            hint = "name a metric of identity, as conll, or of relations alone, as split, deixis, bridging_entity"
            raise OptionError(f"{metric.title} is about identity and relations at once: {hint}")
    return chosen


def is_attributable(name: str) -> bool:
    """Whether points of a metric are lost by errors that are known: of identity, of deixis or of relations alone."""
    parts = counted([name])
    alone = all(part.relation.repaired_counts for part in parts) or all(part.relation.over_layer for part in parts)
    return METRICS[name].scale.perfect == 1 and (alone or not is_of_relations(METRICS[name]))


def ledger_for(options: Options, metric: str) -> CostLedger:
    """What books the points of a metric; of none, nothing."""
    if not metric:
        return OfNothing()
    parts = counted([metric])
    if all(part.relation.repaired_counts for part in parts):
        return OfRelations(options, metric)
    return (
        OfDeixis(options, metric) if all(part.relation.over_layer for part in parts) else OfIdentity(options, metric)
    )


class OfNothing:
    """No points: those of the metric cannot be attributed."""

    def add(self, name: str, seen: Repairable, counts: dict[str, Counts]) -> None:
        """Nothing is added."""

    def merge(self, other: CostLedger) -> None:
        """Nothing is added."""

    def attribution(self) -> None:
        """Nobody can say."""


class OfIdentity:
    """Points of identity."""

    def __init__(self, options: Options, metric: str) -> None:
        self.metric = metric
        self._ledger = Ledger(options, [metric])

    def add(self, name: str, seen: Repairable, counts: dict[str, Counts]) -> None:
        """Add a document."""
        self._ledger.add(name, seen.pairing, counts)

    def merge(self, other: CostLedger) -> None:
        """Add later documents."""
        assert isinstance(other, OfIdentity)
        self._ledger.merge(other._ledger)

    def attribution(self) -> Attribution:
        """Where the points went."""
        return self._ledger.attribution(self.metric)


class OfDeixis(OfIdentity):
    """Points of the layer of discourse deixis: those of identity there, with singletons."""

    def __init__(self, options: Options, metric: str) -> None:
        of_identity = ",".join([part.relation.over_layer for part in counted([metric])])
        of_identity = METRICS[metric].relation.over_layer or f"mean({of_identity})"
        super().__init__(options._replace(singletons="keep"), of_identity)
        self._shown = metric

    def add(self, name: str, seen: Repairable, counts: dict[str, Counts]) -> None:
        """Add a document that has the layer."""
        if seen.layer:
            of_layer = {part.relation.over_layer: counts[part.name] for part in counted([self._shown])}
            self._ledger.add(name, seen.layer.pairing, of_layer)

    def attribution(self) -> Attribution:
        """Where the points went, by kinds of the layer."""
        found = super().attribution()
        steps = tuple([step._replace(kind=DEIXIS + step.kind) for step in found.steps])
        return found._replace(metric=self._shown, steps=steps)


class OfRelations:
    """Points of relations."""

    def __init__(self, options: Options, metric: str) -> None:
        self.metric, self._rules, self._parts = metric, options.rules, counted([metric])
        self._kinds = tuple(dict.fromkeys(kind for part in self._parts for kind in part.relation.errors))
        self._sets = [
            frozenset(kind for bit, kind in enumerate(self._kinds) if chosen >> bit & 1)
            for chosen in range(1 << len(self._kinds))
        ]
        self._documents: dict[str, list[list[Counts]]] = {}
        """By document, for each part of the metric, the counts with each set of kinds mended."""

    def add(self, name: str, seen: Repairable, counts: dict[str, Counts]) -> None:
        """Add a document that has relations."""
        if seen.judged:
            self._documents[name] = [
                [
                    counts[part.name],
                    *(
                        part.relation.repaired_counts(seen.judged, counts[part.name], kinds)
                        for kinds in self._sets[1:]
                    ),
                ]
                for part in self._parts
                if part.relation.repaired_counts
            ]

    def merge(self, other: CostLedger) -> None:
        """Add later documents."""
        assert isinstance(other, OfRelations)
        self._documents.update(other._documents)

    def attribution(self) -> Attribution:
        """Where the points went."""
        values = [self._score(number) for number in range(len(self._sets))]
        steps = tuple([step_of(kind, 1 << bit, values) for bit, kind in enumerate(self._kinds)])
        return Attribution(self.metric, values[0], steps, 1 - values[-1])

    def _score(self, mended: int) -> float:
        """With one of the sets of kinds mended."""
        pooled = {
            part.name: add([rows[number][mended] for rows in self._documents.values()] or [(0,) * len(part.fields)])
            for number, part in enumerate(self._parts)
        }
        return headline(Scores([self.metric], pooled, self._rules)[self.metric])
