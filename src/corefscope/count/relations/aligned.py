"""Which plural of the response stands for which of the key: those whose elements agree best, by the same metric.

The elements of two plurals are two small partitions; a metric scores them as it scores entities. Plurals are mapped
one to one with the greatest total of F1. Recall, precision and F1 of a pair are the weights of its pseudo-mentions.

Paun et al. (2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.numbers import Counts, Score, in_order, mean, prf
from ...base.record import Record
from ...match.assignment import assign_all, tied
from .partition import Counterpart, Partition, Plural
from .weighted import MEASURES, Handling, Measure, TwoSides

UNIT = 10**12
"""Scores are compared in so many steps from 0 to 1, so that no rounding decides."""
BITS = 1000
"""Pairs of plurals for which ties are broken at a time: bits for many thousands would make long weights."""
NOTHING = Plural()


class PluralCounts(Record):
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


def counted(metric: str, key: Partition, response: Partition, handling: Handling) -> PluralCounts:
    """The counts of an identity metric where plurals have counterparts."""
    measures = MEASURES[metric]
    parts = [measures] if handling.links_together else [(measure,) for measure in measures]
    whole: list[Counts] = []
    split: list[Counts] = []
    for part in parts:
        view, sums = aligned(part, key, response, handling)
        whole += [measure(view) for measure in part]
        split += sums
    ours, theirs = set(key.plurals.values()), set(response.plurals.values())
    judged = [of_one[1] + of_one[3] for of_one in (split if handling.judged_by_elements else whole)]
    apart = len(key.owner.keys() ^ response.owner.keys())
    return PluralCounts(whole, split, bool(ours or theirs), apart, len(ours ^ theirs), judged)


def aligned(
    measures: Sequence[Measure], key: Partition, response: Partition, handling: Handling
) -> tuple[TwoSides, list[Counts]]:
    """Both sides with the plurals aligned, and the counts of the alignment for each measure."""
    view = TwoSides(key, response, handling)
    ours, theirs = list(key.plurals.values()), list(response.plurals.values())
    if not (ours or theirs):
        return view, [(0, 0, 0, 0) for _ in measures]
    table = _Table(measures, view, ours or [NOTHING], theirs or [NOTHING])
    pairs = table.assigned()
    by_side = [table.score(i, j) for i, j in pairs]
    kept = [(table.ours[i], table.theirs[j], score) for (i, j), score in zip(pairs, by_side, strict=True)]
    view = view._replace(
        of_recall=Counterpart({p: (q, score.recall) for p, q, score in kept if score.recall > 0}),
        of_precision=Counterpart({q: (p, score.precision) for p, q, score in kept if score.precision > 0}),
        of_f1=Counterpart({p: (q, score.f1) for p, q, score in kept if score.f1 > 0}),
    )
    return view, table.sums(pairs)


class _Table:
    """How well the elements of each plural of the key fit those of each plural of the response."""

    def __init__(self, measures: Sequence[Measure], view: TwoSides, ours: list[Plural], theirs: list[Plural]) -> None:
        self.ours, self.theirs = ours, theirs
        self._identical_first = view.handling.identical_first
        key, response = [view.key.leaves(p) for p in ours], [view.response.leaves(q) for q in theirs]
        nobody = Partition(())

        def count(p: Partition, q: Partition) -> list[Counts]:
            return [measure(TwoSides(p, q, view.handling, inside=True)) for measure in measures]

        # Most plurals have nothing in common: then there are denominators only.
        totals, other_totals = [count(p, nobody) for p in key], [count(nobody, q) for q in response]
        self._counts = [
            [
                [(0, of_p[1], 0, of_q[3]) for of_p, of_q in zip(total, other_total, strict=True)]
                if p.is_apart_from(q)
                else count(p, q)
                for q, other_total in zip(response, other_totals, strict=True)
            ]
            for p, total in zip(key, totals, strict=True)
        ]

    def score(self, i: int, j: int) -> Score:
        """The score of a pair; of two kinds of links, the mean of those that there are."""
        counts = self._counts[i][j]
        scores = [prf(of_one) for of_one in counts if len(counts) == 1 or of_one[1] or of_one[3]]
        if not scores:  # one mention on each side has no links
            return Score(*[float(self.ours[i] == self.theirs[j])] * 3)
        return scores[0] if len(scores) == 1 else Score(*map(mean, zip(*scores, strict=True)))

    def assigned(self) -> list[tuple[int, int]]:
        """The pairs of a best map, those of score 0 included."""
        if not self._identical_first:
            rows = [{j: self.score(i, j).f1 for j in range(len(self.theirs))} for i in range(len(self.ours))]
            return assign_all(rows, len(self.theirs))
        place = {plural: j for j, plural in enumerate(self.theirs)}
        identical = {i: place[plural] for i, plural in enumerate(self.ours) if plural in place}
        free, others = _left(len(self.ours), identical), _left(len(self.theirs), identical.values())
        scored = [(self.score(i, j).f1, i, j) for i in free for j in others]
        return [*identical.items(), *self._best([pair for pair in scored if pair[0] > 0], free, others)]

    def _best(
        self, scored: list[tuple[float, int, int]], free: list[int], others: list[int]
    ) -> list[tuple[int, int]]:
        """The best map, of which there is exactly one: a bit for every pair breaks ties, by what plurals hold.

        Bits are dealt out to some pairs at a time, and only to those that a best map may still have.
        """
        scored.sort(key=lambda pair: (-pair[0], _place(self.ours[pair[1]], self.theirs[pair[2]])))
        row_of, column_of = ({number: i for i, number in enumerate(numbers)} for numbers in (free, others))
        rows: list[dict[int, int]] = [{} for _ in free]
        for f1, i, j in scored:
            rows[row_of[i]][column_of[j]] = round(f1 * UNIT)
        left = [(row_of[i], column_of[j]) for _, i, j in scored]
        while left:
            rows = tied(rows, len(others))
            left = [(i, j) for i, j in left if j in rows[i]]
            rows = [{j: weight << BITS for j, weight in row.items()} for row in rows]
            for rank, (i, j) in enumerate(left[:BITS], 1):
                rows[i][j] += 1 << BITS - rank
            left = left[BITS:]
        return [(free[i], others[j]) for i, j in assign_all(rows, len(others)) if j in rows[i]]

    def sums(self, pairs: Iterable[tuple[int, int]]) -> list[Counts]:
        """For each measure: of the pairs the numerators, of all plurals the denominators."""
        counts, pairs = self._counts, list(pairs)
        return [
            (
                in_order([counts[i][j][m][0] for i, j in pairs]),
                sum(row[0][m][1] for row in counts),
                in_order([counts[i][j][m][2] for i, j in pairs]),
                sum(cell[m][3] for cell in counts[0]),
            )
            for m in range(len(counts[0][0]))
        ]


def _left(size: int, taken: Iterable[int]) -> list[int]:
    return sorted({*range(size)}.difference(taken))


def _place(ours: Plural, theirs: Plural) -> tuple[object, ...]:
    """What sorts pairs of plurals alike from both sides."""
    one, other = sorted(sorted(map(sorted, plural)) for plural in (ours, theirs))
    return one, other, sorted(map(sorted, ours)) != one
