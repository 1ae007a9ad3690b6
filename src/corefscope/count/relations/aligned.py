"""Which plural of the response stands for which of the key: those whose elements agree best, by the same metric.

The elements of two plurals are two small partitions; a metric scores them as it scores entities. Plurals are mapped
one to one with the greatest total of F1. Recall, precision and F1 of a pair are the weights of its pseudo-mentions.

Paun et al. (2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from ...base.components import components
from ...base.errors import InputError
from ...base.numbers import Counts, Score, in_order, mean, prf
from ...match.assignment import assign_all, tight_edges
from .partition import Counterpart, Partition, Plural
from .weighted import MEASURES, Handling, Measure, TwoSides

UNIT = 10**12
"""Scores are compared in so many steps from 0 to 1, so that no rounding decides."""
BITS = 1000
"""Pairs of plurals for which ties are broken at a time: bits for many thousands would make long weights."""
TOO_MANY = 100_000
"""Pairs of plurals that have something in common: more are refused."""
NOTHING = Plural()
NOBODY = Partition(())


class PluralCounts(NamedTuple):
    """A metric on two sides with plurals, one row of counts for each of its measures."""

    whole: list[Counts]
    """Those of the metric, plurals weighed."""
    split: list[Counts]
    """Those of the elements of plurals that stand for each other, out of those of all plurals."""
    has_plurals: bool
    apart: int
    """Members that only one side has."""
    plurals_apart: int
    """The plurals among them."""
    judged: list[float]
    """For each row of ``split`` how many links there are that decide whether it counts."""


class TwoPartitions:
    """Two sides whose plurals are aligned, for each metric by itself; what all metrics need is made once."""

    def __init__(self, key: Partition, response: Partition, handling: Handling, path: str = "") -> None:
        """``path`` is the file that errors are about."""
        self._path = path
        self.view = TwoSides(key, response, handling)
        self.key, self.response, self._handling = key, response, handling
        self._counted: dict[str, PluralCounts] = {}

    def counted(self, metric: str) -> PluralCounts:
        """The counts of an identity metric where plurals have counterparts; counted once."""
        if metric not in self._counted:
            self._counted[metric] = self._count(MEASURES[metric])
        return self._counted[metric]

    def _count(self, measures: Sequence[Measure]) -> PluralCounts:
        parts = [measures] if self._handling.links_together else [(measure,) for measure in measures]
        whole: list[Counts] = []
        split: list[Counts] = []
        for part in parts:
            view, sums = self.aligned(part)
            whole += [measure(view) for measure in part]
            split += sums
        ours, theirs = set(self.key.plurals.values()), set(self.response.plurals.values())
        judged = [of_one[1] + of_one[3] for of_one in (split if self._handling.judged_by_elements else whole)]
        return PluralCounts(whole, split, bool(ours or theirs), self._apart, len(ours ^ theirs), judged)

    def aligned(self, measures: Sequence[Measure]) -> tuple[TwoSides, list[Counts]]:
        """Both sides with the plurals aligned, and the counts of the alignment for each measure."""
        if not (self.key.plurals or self.response.plurals):
            return self.view, [(0, 0, 0, 0) for _ in measures]
        table = _Table(measures, self)
        pairs = table.assigned()
        by_side = [table.score(i, j) for i, j in pairs]
        kept = [(table.ours[i], table.theirs[j], score) for (i, j), score in zip(pairs, by_side, strict=True)]
        view = self.view._replace(
            of_recall=Counterpart({p: (q, score.recall) for p, q, score in kept if score.recall > 0}),
            of_precision=Counterpart({q: (p, score.precision) for p, q, score in kept if score.precision > 0}),
            of_f1=Counterpart({p: (q, score.f1) for p, q, score in kept if score.f1 > 0}),
        )
        return view, table.sums(pairs)

    def pairs(self, measures: Sequence[Measure]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """Each plural with its counterpart, and what both add to each measure; without one, what there is of it."""
        if not (self.key.plurals or self.response.plurals):
            return []
        table = _Table(measures, self)
        return table.listed(table.assigned())

    @cached_property
    def _apart(self) -> int:
        return len(self.key.owner.keys() ^ self.response.owner.keys())

    @cached_property
    def plurals(self) -> tuple[list[Plural], list[Plural]]:
        """Those of both sides; of a side without any, one of nothing."""
        return list(self.key.plurals.values()) or [NOTHING], list(self.response.plurals.values()) or [NOTHING]

    @cached_property
    def elements(self) -> tuple[list[Partition], list[Partition]]:
        """The elements of each."""
        return list(map(self.key.leaves, self.plurals[0])), list(map(self.response.leaves, self.plurals[1]))

    @cached_property
    def touching(self) -> dict[tuple[int, int], TwoSides]:
        """The elements of plurals that may have something in common, by the numbers of the plurals."""
        key, response = self.elements
        pairs: list[tuple[int, int]] = []
        for i, others in enumerate(self.key.touching(key, response)):
            pairs += [(i, j) for j in others]
            if len(pairs) > TOO_MANY:
                hint = "do thousands of plural entities have an element in common? Check ElementOf, or SplitAnte"
                raise InputError("has too many plural entities with common elements", path=self._path, hint=hint)
        return {(i, j): TwoSides(key[i], response[j], self._handling, inside=True) for i, j in pairs}


class _Table:
    """How well the elements of each plural of the key fit those of each plural of the response.

    Most plurals have nothing in common with most others: then there are denominators only, and no cell.
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
        """The score of a pair; of two kinds of links, the mean of those that there are."""
        counts = self._counted(i, j)
        scores = [prf(of_one) for of_one in counts if len(counts) == 1 or of_one[1] or of_one[3]]
        if not scores:  # one mention on each side has no links
            return Score(*[float(self.ours[i] == self.theirs[j])] * 3)
        return scores[0] if len(scores) == 1 else Score(*map(mean, zip(*scores, strict=True)))

    def assigned(self) -> list[tuple[int, int]]:
        """The pairs of a best map, those of score 0 included."""
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
        """The best map of plurals that compete with each other, of which there is exactly one.

        A bit for every pair breaks ties, by what plurals hold. Bits are dealt out to some pairs at a time, and only
        to those that a best map may still have.
        """
        scored.sort(key=lambda pair: (-pair[0], _place(self.ours[pair[1]], self.theirs[pair[2]])))
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

    def listed(self, pairs: list[tuple[int, int]]) -> list[tuple[Plural, Plural, list[Counts]]]:
        """The counts of pairs, then of what is in none."""
        of_key, of_response = self._denominators
        alone = {*range(len(self.ours))} - {i for i, _ in pairs}, {*range(len(self.theirs))} - {j for _, j in pairs}
        listed = [(self.ours[i], self.theirs[j], self._counted(i, j)) for i, j in pairs]
        listed += [(self.ours[i], NOTHING, [(0, one, 0, 0) for one in of_key[i]]) for i in sorted(alone[0])]
        listed += [(NOTHING, self.theirs[j], [(0, 0, 0, one) for one in of_response[j]]) for j in sorted(alone[1])]
        return listed

    def sums(self, pairs: Iterable[tuple[int, int]]) -> list[Counts]:
        """For each measure: of the pairs the numerators, of all plurals the denominators."""
        found = [counts for pair in pairs if (counts := self._counts.get(pair))]
        in_key, in_response = (map(sum, zip(*rows, strict=True)) for rows in self._denominators)
        return [
            (in_order([row[m][0] for row in found]), of_key, in_order([row[m][2] for row in found]), of_response)
            for m, (of_key, of_response) in enumerate(zip(in_key, in_response, strict=True))
        ]

    def _counted(self, i: int, j: int) -> list[Counts]:
        """What a pair adds to each measure."""
        denominators = zip(self._denominators[0][i], self._denominators[1][j], strict=True)
        return self._counts.get((i, j)) or [(0, of_key, 0, of_response) for of_key, of_response in denominators]


@lru_cache(maxsize=1 << 12)
def _denominator(measure: Measure, sizes: tuple[int, ...]) -> float:
    """That of elements of these sizes."""
    elements = Partition([range(size) for size in sizes])
    return measure(TwoSides(elements, NOBODY, Handling(), inside=True))[1]


def _place(ours: Plural, theirs: Plural) -> tuple[object, ...]:
    """What sorts pairs of plurals alike from both sides."""
    one, other = sorted(sorted(map(sorted, plural)) for plural in (ours, theirs))
    return one, other, sorted(map(sorted, ours)) != one
