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

Plurals are aligned for each metric separately: those whose elements agree best. The elements of two plurals are two
small partitions, and the metric scores them as it scores entities. Plurals are mapped one to one with the greatest
total of F1. Recall, precision and F1 of a pair are the weights of its pseudo-mentions.

Paun et al. (2022); Yu et al. (2022).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..core.components import components
from ..core.errors import InputError
from ..core.matching.assignment import assign_all, best_total, tight_edges
from ..core.metrics.blanc import pairs
from ..core.numbers import Counts, Score, in_order, mean, prf
from .plurals import Partition, Plural, PluralMap

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


UNIT = 10**12
"""F1 is compared in whole numbers of this fraction, so that rounding decides nothing."""
BITS = 1000
"""Pairs of plurals whose ties are broken at a time: bits for many thousands would make long weights."""
MAX_PAIRS = 100_000
"""Maximum number of pairs of plurals that share an element."""
NO_PLURAL = Plural()
EMPTY = Partition(())


class PluralCounts(NamedTuple):
    """Counts of a metric on two sides with plurals: a row for each of its measures."""

    whole: list[Counts]
    """Over all entities, plurals weighted."""
    split: list[Counts]
    """Over the elements of aligned plurals, out of those of all plurals."""
    has_plurals: bool
    unmatched: int
    """Number of members that only one side has."""
    unmatched_plurals: int
    decisive: list[float]
    """For each row of ``split``, number of links; a row with none does not count."""

    def row(self, metric: str) -> Counts:
        """The counts of an identity metric."""
        return _blanc_row(self.whole, self.unmatched) if metric == "blanc" else self.whole[0]

    def split_row(self, metric: str) -> Counts:
        """The counts of the elements of plurals alone."""
        if metric != "blanc":
            return self.split[0]
        return (*_blanc_row(self.split, self.unmatched_plurals), *self.decisive)


def _blanc_row(counts: list[Counts], unmatched: int) -> Counts:
    """The counts of BLANC from those of its two kinds of links."""
    (both, key, _, response), (neither, key_non, _, response_non) = counts
    return both, key, response, neither, key_non, response_non, unmatched


class TwoPartitions:
    """Two sides whose plurals are aligned for each metric separately."""

    def __init__(self, key: Partition, response: Partition, handling: Handling, path: str = "") -> None:
        """``path`` is the file named in errors."""
        self._path = path
        self.view: TwoSides = TwoSides(key, response, handling)
        self.key = key
        self.response = response
        self._handling = handling
        self._counts: dict[str, PluralCounts] = {}

    def count(self, metric: str) -> PluralCounts:
        """The counts of an identity metric where plurals have counterparts (cached)."""
        if metric not in self._counts:
            self._counts[metric] = self._count(MEASURES[metric])
        return self._counts[metric]

    def _count(self, measures: Sequence[Measure]) -> PluralCounts:
        parts = [measures] if self._handling.links_together else [(measure,) for measure in measures]
        whole: list[Counts] = []
        split: list[Counts] = []
        for part in parts:
            view, sums = self.align(part)
            whole += [measure(view) for measure in part]
            split += sums
        ours, theirs = set(self.key.plurals.values()), set(self.response.plurals.values())
        decisive = [row[1] + row[3] for row in (split if self._handling.judged_by_elements else whole)]
        unmatched = len(self.key.owner.keys() ^ self.response.owner.keys())
        return PluralCounts(whole, split, bool(ours or theirs), unmatched, len(ours ^ theirs), decisive)

    def align(self, measures: Sequence[Measure]) -> tuple[TwoSides, list[Counts]]:
        """Both sides with the plurals aligned, and the counts of the alignment for each measure."""
        if not (self.key.plurals or self.response.plurals):
            return self.view, [(0, 0, 0, 0) for _ in measures]
        table = _PluralScores(measures, self)
        pairs = table.assign()
        scored = [(table.ours[i], table.theirs[j], table.score(i, j)) for i, j in pairs]
        view = self.view._replace(
            by_recall=PluralMap({p: (q, score.recall) for p, q, score in scored if score.recall > 0}),
            by_precision=PluralMap({q: (p, score.precision) for p, q, score in scored if score.precision > 0}),
            by_f1=PluralMap({p: (q, score.f1) for p, q, score in scored if score.f1 > 0}),
        )
        return view, table.sums(pairs)

    def pairs(self, measures: Sequence[Measure]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """Each plural with its counterpart, or ``NO_PLURAL``, and the counts of both for each measure."""
        if not (self.key.plurals or self.response.plurals):
            return []
        table = _PluralScores(measures, self)
        return table.list_pairs(table.assign())

    @cached_property
    def plurals(self) -> tuple[list[Plural], list[Plural]]:
        """The plurals of both sides; ``NO_PLURAL`` for a side without any."""
        return list(self.key.plurals.values()) or [NO_PLURAL], list(self.response.plurals.values()) or [NO_PLURAL]

    @cached_property
    def elements(self) -> tuple[list[Partition], list[Partition]]:
        """The elements of each plural."""
        return list(map(self.key.leaves, self.plurals[0])), list(map(self.response.leaves, self.plurals[1]))

    @cached_property
    def touching(self) -> dict[tuple[int, int], TwoSides]:
        """The elements of plurals that may share mentions, by the numbers of the plurals."""
        key, response = self.elements
        pairs: list[tuple[int, int]] = []
        for i, others in enumerate(self.key.touching(key, response)):
            pairs += [(i, j) for j in others]
            if len(pairs) > MAX_PAIRS:
                hint = "do thousands of plural entities have an element in common? Check ElementOf, or SplitAnte"
                raise InputError("has too many plural entities with common elements", path=self._path, hint=hint)
        return {(i, j): TwoSides(key[i], response[j], self._handling, inside=True) for i, j in pairs}


class _PluralScores:
    """Counts of the elements of each plural of the key with those of each plural of the response.

    Most pairs of plurals share nothing: they have denominators only, and no cell.
    """

    def __init__(self, measures: Sequence[Measure], both: TwoPartitions) -> None:
        self._handling = both.view.handling
        self.ours, self.theirs = both.plurals
        self._denominators = [
            [[_denominator(measure, tuple(plural.sizes)) for measure in measures] for plural in side]
            for side in both.elements
        ]
        self._counts: dict[tuple[int, int], list[Counts]] = {
            pair: [measure(view) for measure in measures] for pair, view in both.touching.items()
        }

    def score(self, i: int, j: int) -> Score:
        """The score of a pair; for BLANC, the mean over the kinds of links that it has."""
        counts = self._pair_counts(i, j)
        scores = [prf(row) for row in counts if len(counts) == 1 or row[1] or row[3]]
        if not scores:  # one mention on each side has no links
            return Score(*[float(self.ours[i] == self.theirs[j])] * 3)
        return scores[0] if len(scores) == 1 else Score(*map(mean, zip(*scores, strict=True)))

    def assign(self) -> list[tuple[int, int]]:
        """The pairs of a best one-to-one map, those of score 0 included."""
        scored = [(self.score(i, j).f1, i, j) for i, j in self._counts]
        if not self._handling.identical_first:
            rows: list[dict[int, float]] = [{} for _ in self.ours]
            for f1, i, j in scored:
                rows[i][j] = f1
            return assign_all(rows, len(self.theirs))
        place = {plural: j for j, plural in enumerate(self.theirs)}
        identical = {i: place[plural] for i, plural in enumerate(self.ours) if plural in place}
        taken = set(identical.values())
        scored = [(f1, i, j) for f1, i, j in scored if f1 > 0 and i not in identical and j not in taken]
        groups = [[scored[n] for n in group] for group in components((i, ~j) for _, i, j in scored)]
        return [*identical.items(), *(pair for group in groups for pair in self._best(group))]

    def _best(self, scored: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
        """The one best map of plurals that compete with each other.

        Ties are broken by a bit for every pair, in the order of the contents of plurals. Bits are given to ``BITS``
        pairs at a time, and only to those that a best map may still have.
        """

        def order(pair: tuple[float, int, int]) -> tuple[object, ...]:
            """Sort key, the same whichever side is the key."""
            ours, theirs = (sorted(map(sorted, plural)) for plural in (self.ours[pair[1]], self.theirs[pair[2]]))
            return -pair[0], min(ours, theirs), max(ours, theirs), ours > theirs

        scored.sort(key=order)
        row_of = {i: row for row, i in enumerate(dict.fromkeys(i for _, i, _ in scored))}
        column_of = {j: column for column, j in enumerate(dict.fromkeys(j for _, _, j in scored))}
        rows: list[dict[int, int]] = [{} for _ in row_of]
        for f1, i, j in scored:
            rows[row_of[i]][column_of[j]] = round(f1 * UNIT)
        left = [(row_of[i], column_of[j]) for _, i, j in scored]
        while left:
            rows = tight_edges(rows, len(column_of))
            left = [(i, j) for i, j in left if j in rows[i]]
            rows = [{j: weight << BITS for j, weight in row.items()} for row in rows]
            for rank, (i, j) in enumerate(left[:BITS], 1):
                rows[i][j] += 1 << BITS - rank
            left = left[BITS:]
        keys, responses = list(row_of), list(column_of)
        return [(keys[i], responses[j]) for i, j in assign_all(rows, len(responses)) if j in rows[i]]

    def list_pairs(self, pairs: list[tuple[int, int]]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """The counts of pairs, then of plurals without counterpart."""
        of_key, of_response = self._denominators
        alone = {*range(len(self.ours))} - {i for i, _ in pairs}, {*range(len(self.theirs))} - {j for _, j in pairs}
        listed = [(self.ours[i], self.theirs[j], self._pair_counts(i, j)) for i, j in pairs]
        listed += [(self.ours[i], NO_PLURAL, [(0, n, 0, 0) for n in of_key[i]]) for i in sorted(alone[0])]
        listed += [(NO_PLURAL, self.theirs[j], [(0, 0, 0, n) for n in of_response[j]]) for j in sorted(alone[1])]
        return listed

    def sums(self, pairs: Iterable[tuple[int, int]]) -> list[Counts]:
        """For each measure the numerators of the pairs, and the denominators of all plurals."""
        found = [counts for pair in pairs if (counts := self._counts.get(pair))]
        in_key, in_response = (map(sum, zip(*rows, strict=True)) for rows in self._denominators)
        return [
            (in_order([row[m][0] for row in found]), of_key, in_order([row[m][2] for row in found]), of_response)
            for m, (of_key, of_response) in enumerate(zip(in_key, in_response, strict=True))
        ]

    def _pair_counts(self, i: int, j: int) -> list[Counts]:
        denominators = zip(self._denominators[0][i], self._denominators[1][j], strict=True)
        return self._counts.get((i, j)) or [(0, of_key, 0, of_response) for of_key, of_response in denominators]


@lru_cache(maxsize=1 << 12)
def _denominator(measure: Measure, sizes: tuple[int, ...]) -> float:
    elements = Partition([range(size) for size in sizes])
    return measure(TwoSides(elements, EMPTY, Handling(), inside=True))[1]
