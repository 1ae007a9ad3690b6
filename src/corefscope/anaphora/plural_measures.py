"""Identity metrics over partitions with plurals: a pseudo-mention counts with a weight from 0 to 1.

For each entity of one side, n_j is how many of its mentions the entity j of the other side owns, and w the weight of
its plural, whose counterpart belongs to entity p. Each measure gives numerator and denominator of recall, then of
precision. A pseudo-mention counts as one mention in every size.

- MUC: Σ (n_j − 1), plus w if entity p has a mention of this one, too; out of |K| − 1. *Among the elements of two
  plurals* an entity of one mention counts 1, and is right if it is one on the other side, too.
- B³: Σ n_j² / |K|, where n_p is w more.
- CEAF: φ of two entities with w more mentions in common, if the plural of the one is the counterpart of the other's.
- LEA: Σ C2(n_j) + w · n_p, divided by C2(|K|), times |K|.
- BLANC: a link with a plural weighs w; one between two plurals, the product.

Paun et al. (2022); Yu et al. (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..core.matching.assignment import best_total
from ..core.metrics.blanc import pairs
from ..core.numbers import Counts, in_order
from .plurals import Partition, PluralMap

NO_COUNTERPARTS = PluralMap()
Half = tuple[float, float]
"""Numerator and denominator of one direction."""
Weights = Mapping[tuple[int, int], float]


def _best_total(weights: Weights, rows: int, columns: int) -> float:  # noqa: ARG001
    """Total of a maximum-weight assignment between so many rows and columns."""
    return best_total([(i, j, weight) for (i, j), weight in weights.items()])


class Handling(NamedTuple):
    """The points in which rule sets differ about plurals."""

    best: Callable[[Weights, int, int], float] = _best_total
    """Total of a maximum-weight assignment of entities."""
    identical_first: bool = True
    """Whether equal plurals are always counterparts of each other."""
    links_together: bool = True
    """Whether plurals are aligned by the mean of both kinds of BLANC's links, or for each kind separately."""
    links_from_both: bool = True
    """Whether all coreference links of a plural have its weight, or only those to mentions after it."""
    judged_by_elements: bool = True
    """Whether the BLANC of elements omits a kind of links that elements lack, or only one that entities lack too."""
    running_weights: bool = False
    """Whether LEA also gives the weight of a plural to links between mentions before and after it."""


class TwoSides(NamedTuple):
    """Key and response with the counterparts of their plurals."""

    key: Partition
    response: Partition
    handling: Handling
    by_recall: PluralMap = NO_COUNTERPARTS
    """Counterparts of the key's plurals, weighted by recall."""
    by_precision: PluralMap = NO_COUNTERPARTS
    """Counterparts of the response's plurals, weighted by precision."""
    by_f1: PluralMap = NO_COUNTERPARTS
    """Counterparts of the key's plurals, weighted by F1."""
    inside: bool = False
    """Whether these are the elements of two plurals."""


Measure = Callable[[TwoSides], Counts]


def _in_both_directions(half: Callable[[Partition, Partition, PluralMap, TwoSides], Half]) -> Measure:
    """A measure whose precision is its recall with the sides swapped."""

    def measure(view: TwoSides) -> Counts:
        recall = half(view.key, view.response, view.by_recall, view)
        return (*recall, *half(view.response, view.key, view.by_precision, view))

    return measure


@_in_both_directions
def muc(side: Partition, other: Partition, counterparts: PluralMap, view: TwoSides) -> Half:
    """Links of a minimal spanning tree."""
    kept, links = 0.0, 0
    for i, (size, owned) in enumerate(zip(side.sizes, side.owners(other), strict=True)):
        found = owned.whole
        if view.inside and size == 1:
            links += 1
            kept += any(other.sizes[j] == 1 for j in found)
            continue
        links += size - 1
        kept += sum(found.values()) - len(found)
        if i in side.plurals:
            partner = counterparts.partner(side.plurals[i], other)
            if partner and partner[0] in found:
                kept += partner[1]
    return kept, links


@_in_both_directions
def b_cubed(side: Partition, other: Partition, counterparts: PluralMap, _: TwoSides) -> Half:
    """For each mention, the share of its entity that is with it."""
    shares = 0.0
    for i, (size, owned) in enumerate(zip(side.sizes, side.owners(other), strict=True)):
        found: Mapping[int, float] = owned.whole
        if i in side.plurals:
            partner = counterparts.partner(side.plurals[i], other)
            if partner:
                found = {**found, partner[0]: found.get(partner[0], 0) + partner[1]}
        shares += in_order([n * n for n in found.values()]) / size
    return shares, sum(side.sizes)


@_in_both_directions
def lea(side: Partition, other: Partition, counterparts: PluralMap, view: TwoSides) -> Half:
    """For each entity, weighted by its size, the share of its links."""
    resolved = 0.0
    for i, (size, owned) in enumerate(zip(side.sizes, side.owners(other), strict=True)):
        if size == 1:
            resolved += any(other.sizes[j] == 1 for j in owned.whole)
            continue
        links: float = _pairs(owned.whole.values())
        plural = side.plurals.get(i)
        if plural is not None:
            partner = counterparts.partner_or_equal(plural, other)
            if partner:
                links += partner[1] * owned.whole[partner[0]]
            if partner and view.handling.running_weights and counterparts.partner(plural, other):
                links -= (1 - partner[1]) * sum(n * owned.after[j] for j, n in owned.before.items())
        resolved += size * links / pairs(size)
    return resolved, sum(side.sizes)


def _pairs(sizes: Iterable[int]) -> int:
    return sum(map(pairs, sizes))


def ceafm(view: TwoSides) -> Counts:
    """Mentions that entities share in a one-to-one map."""
    similarity = view.handling.best(_common(view), len(view.key.sizes), len(view.response.sizes))
    return similarity, sum(view.key.sizes), similarity, sum(view.response.sizes)


def ceafe(view: TwoSides) -> Counts:
    """2n/(k + r) of entities in a one-to-one map."""
    k, r = view.key.sizes, view.response.sizes
    similarities = {(i, j): 2 * n / (k[i] + r[j]) for (i, j), n in _common(view).items()}
    similarity = view.handling.best(similarities, len(k), len(r))
    return similarity, len(k), similarity, len(r)


def _common(view: TwoSides) -> dict[tuple[int, int], float]:
    common: dict[tuple[int, int], float] = dict(view.key.shared_with(view.response))
    for i, plural in view.key.plurals.items():
        partner = view.by_f1.partner(plural, view.response)
        if partner:
            common[i, partner[0]] = common.get((i, partner[0]), 0) + partner[1]
    return common


def coreference_links(view: TwoSides) -> Counts:
    """Pairs of members of one entity."""
    kept = 0.0
    for i, owned in enumerate(view.key.owners(view.response)):
        kept += _pairs(owned.whole.values())
        plural = view.key.plurals.get(i)
        if plural is not None:
            partner = view.by_f1.partner_or_equal(plural, view.response)
            first = owned.whole if view.handling.links_from_both else owned.after
            if partner:
                kept += partner[1] * first[partner[0]]
            if not view.handling.links_from_both and plural in view.response.owner:
                kept += owned.before[view.response.owner[plural]]
    return kept, _pairs(view.key.sizes), kept, _pairs(view.response.sizes)


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

    for i, owned in enumerate(key.owners(response)):
        for j, n in owned.whole.items():
            book(i, j, n)
        if i in key.plurals:
            partner = view.by_f1.partner_or_equal(key.plurals[i], response)
            if partner:
                book(i, *partner)
    everywhere, in_key, in_response, in_both = (in_order([n * n for n in sums.values()]) for sums in groups)
    kept = (everywhere - in_key - in_response + in_both) / 2
    totals = [pairs(sum(side.sizes)) - _pairs(side.sizes) for side in (key, response)]
    return kept, totals[0], kept, totals[1]


MEASURES: dict[str, tuple[Measure, ...]] = {
    "muc": (muc,),
    "bcub": (b_cubed,),
    "ceafe": (ceafe,),
    "ceafm": (ceafm,),
    "blanc": (coreference_links, non_coreference_links),
    "lea": (lea,),
}
"""The measures of each metric; BLANC has two, one for each kind of links."""
