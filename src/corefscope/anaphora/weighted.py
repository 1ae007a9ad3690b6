"""The identity metrics where plurals have counterparts: a pseudo-mention counts as its weight says, from 0 to 1.

For each entity of one side, n_j is how many of its mentions the entity j of the other side owns, and w the weight of
its plural, whose counterpart belongs to entity p. Each function here is one kind of counts: numerator and denominator
of the recall, then of the precision. A pseudo-mention counts as one mention in every size.

- MUC: Σ (n_j − 1), plus w if entity p has a mention of this one, too; out of |K| − 1. *Among the elements of two
  plurals* an entity of one mention counts 1, and is right if it is one on the other side, too.
- B³: Σ n_j² / |K|, where n_p is w more.
- CEAF: φ of two entities with w more mentions in common, if the plural of the one is the counterpart of the other's.
- LEA: Σ C2(n_j) + w · n_p, divided by C2(|K|), times |K|.
- BLANC: a link with a plural weighs w; one between two plurals, the product.

Paun et al. (2022); Yu et al. (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..core.matching.assignment import best_total
from ..core.metrics.blanc import pairs
from ..core.numbers import Counts, in_order
from .plurals import Counterpart, Partition

NO_COUNTERPARTS = Counterpart()
Half = tuple[float, float]
"""Numerator and denominator: one direction."""
Best = Callable[[dict[tuple[int, int], float], int, int], float]


def best(weights: dict[tuple[int, int], float], rows: int, columns: int) -> float:  # noqa: ARG001
    """The largest total of a one-to-one map between so many rows and columns."""
    return best_total([(i, j, weight) for (i, j), weight in weights.items()])


class Handling(NamedTuple):
    """Where rule sets differ about plurals."""

    best: Best = best
    """How the best map between entities is added up."""
    identical_first: bool = True
    """Whether equal plurals are counterparts of each other, whatever else would gain from them."""
    links_together: bool = True
    """Whether both kinds of links of BLANC align plurals together, by their mean, or each by itself."""
    links_from_both: bool = True
    """Whether a coreference link has the weight of its plural wherever that stands in the entity. If not, only a
    plural that comes before the other mention has its counterpart's place, and its weight."""
    judged_by_elements: bool = True
    """Whether a kind of links that no elements have is left out of the BLANC of elements. If not, only one that
    entities do not have either."""
    running_weights: bool = False
    """Whether LEA gives the weight of a plural to links that come after it, too."""


class TwoSides(NamedTuple):
    """Two sides, and which plurals of the one stand for those of the other."""

    key: Partition
    response: Partition
    handling: Handling
    of_recall: Counterpart = NO_COUNTERPARTS
    """By plural of the key, weighed by recall,"""
    of_precision: Counterpart = NO_COUNTERPARTS
    """by plural of the response, weighed by precision,"""
    of_f1: Counterpart = NO_COUNTERPARTS
    """and by plural of the key, weighed by F1."""
    inside: bool = False
    """Whether these are the elements of two plurals."""

    def both_ways(self, half: Callable[[Partition, Partition, Counterpart, TwoSides], Half]) -> Counts:
        """The recall, and the same of the sides swapped: the precision."""
        recall = half(self.key, self.response, self.of_recall, self)
        return (*recall, *half(self.response, self.key, self.of_precision, self))


Measure = Callable[[TwoSides], Counts]


def muc(view: TwoSides) -> Counts:
    """Links of a minimal spanning."""
    return view.both_ways(_muc)


def _muc(side: Partition, other: Partition, counterpart: Counterpart, view: TwoSides) -> Half:
    kept, links = 0.0, 0
    for i, (size, cut) in enumerate(zip(side.sizes, side.cuts(other), strict=True)):
        found = cut.found
        if view.inside and size == 1:
            links += 1
            kept += any(other.sizes[j] == 1 for j in found)
            continue
        links += size - 1
        kept += sum(found.values()) - len(found)
        if i in side.plurals:
            partner = counterpart.of(side.plurals[i], other)
            if partner and partner[0] in found:
                kept += partner[1]
    return kept, links


def b_cubed(view: TwoSides) -> Counts:
    """For each mention, the share of its entity that is with it."""
    return view.both_ways(_b_cubed)


def _b_cubed(side: Partition, other: Partition, counterpart: Counterpart, _: TwoSides) -> Half:
    shares = 0.0
    for i, (size, cut) in enumerate(zip(side.sizes, side.cuts(other), strict=True)):
        found: Mapping[int, float] = cut.found
        if i in side.plurals:
            partner = counterpart.of(side.plurals[i], other)
            if partner:
                found = {**found, partner[0]: found.get(partner[0], 0) + partner[1]}
        shares += in_order([n * n for n in found.values()]) / size
    return shares, sum(side.sizes)


def lea(view: TwoSides) -> Counts:
    """For each entity, weighted by its size, the share of its links."""
    return view.both_ways(_lea)


def _lea(side: Partition, other: Partition, counterpart: Counterpart, view: TwoSides) -> Half:
    resolved = 0.0
    for i, (size, cut) in enumerate(zip(side.sizes, side.cuts(other), strict=True)):
        if size == 1:
            resolved += any(other.sizes[j] == 1 for j in cut.found)
            continue
        links: float = _pairs(cut.found)
        plural = side.plurals.get(i)
        if plural is not None:
            partner = counterpart.found(plural, other)
            if partner:
                links += partner[1] * cut.found[partner[0]]
            if partner and view.handling.running_weights and counterpart.of(plural, other):
                links -= (1 - partner[1]) * sum(n * cut.after[j] for j, n in cut.before.items())
        resolved += size * links / pairs(size)
    return resolved, sum(side.sizes)


def _pairs(found: Mapping[int, int]) -> int:
    return sum(map(pairs, found.values()))


def ceafm(view: TwoSides) -> Counts:
    """Mentions in common of entities that are mapped one to one."""
    similarity = view.handling.best(_common(view), len(view.key.sizes), len(view.response.sizes))
    return similarity, sum(view.key.sizes), similarity, sum(view.response.sizes)


def ceafe(view: TwoSides) -> Counts:
    """2n/(k + r) of entities that are mapped one to one."""
    k, r = view.key.sizes, view.response.sizes
    similarities = {(i, j): 2 * n / (k[i] + r[j]) for (i, j), n in _common(view).items()}
    similarity = view.handling.best(similarities, len(k), len(r))
    return similarity, len(k), similarity, len(r)


def _common(view: TwoSides) -> dict[tuple[int, int], float]:
    common: dict[tuple[int, int], float] = dict(view.key.shared_with(view.response))
    for i, plural in view.key.plurals.items():
        partner = view.of_f1.of(plural, view.response)
        if partner:
            common[i, partner[0]] = common.get((i, partner[0]), 0) + partner[1]
    return common


def coreference_links(view: TwoSides) -> Counts:
    """Pairs of members of one entity."""
    kept = 0.0
    for i, cut in enumerate(view.key.cuts(view.response)):
        kept += _pairs(cut.found)
        plural = view.key.plurals.get(i)
        if plural is not None:
            partner = view.of_f1.found(plural, view.response)
            first = cut.found if view.handling.links_from_both else cut.after
            if partner:
                kept += partner[1] * first[partner[0]]
            if not view.handling.links_from_both and plural in view.response.owner:
                kept += cut.before[view.response.owner[plural]]
    return kept, _links_of(view.key), kept, _links_of(view.response)


def non_coreference_links(view: TwoSides) -> Counts:
    """All other pairs of members: those that are apart on both sides, each with the product of its weights.

    With ω the weights of members, and sums over all, by entity of the key, of the response and of both:
    Σ ωω' = ((Σω)² − Σ (Σω)² − Σ (Σω)² + Σ (Σω)²) / 2.
    """
    key, response = view.key, view.response
    groups: tuple[dict[object, float], ...] = {}, {}, {}, {}

    def book(i: int, j: int, weight: float) -> None:
        for sums, group in zip(groups, (None, i, j, (i, j)), strict=True):
            sums[group] = sums.get(group, 0) + weight

    for i, cut in enumerate(key.cuts(response)):
        for j, n in cut.found.items():
            book(i, j, n)
        if i in key.plurals:
            partner = view.of_f1.found(key.plurals[i], response)
            if partner:
                book(i, *partner)
    everywhere, in_key, in_response, in_both = (in_order([n * n for n in sums.values()]) for sums in groups)
    kept = (everywhere - in_key - in_response + in_both) / 2
    totals = [pairs(sum(side.sizes)) - _links_of(side) for side in (key, response)]
    return kept, totals[0], kept, totals[1]


def _links_of(side: Partition) -> int:
    return sum(map(pairs, side.sizes))


MEASURES: dict[str, tuple[Measure, ...]] = {
    "muc": (muc,),
    "bcub": (b_cubed,),
    "ceafe": (ceafe,),
    "ceafm": (ceafm,),
    "blanc": (coreference_links, non_coreference_links),
    "lea": (lea,),
}
"""What is counted for each metric, by its name; BLANC counts two kinds of links."""
