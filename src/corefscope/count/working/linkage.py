"""Measures of record linkage by hand: pairs by what became of them, clusters one by one, what each leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, islice

from ...match.alignment import NONE
from ..metrics.blanc import pairs
from .cuts import Cut, Cuts
from .information import about, left_open
from .links import MOST_LINKS, MOST_PAIRS
from .sections import Column, Entry, Piece, Section, Term, one_each, one_of, recall_and_precision, whole
from .sets import Sets, completion

TITLES = (
    "Recall: key clusters, and whether the response has the same",
    "Precision: response clusters, and whether the key has the same",
)


def pairs_by_fate(sets: Sets) -> list[Section]:
    """TP, FP and FN: pairs that both sides put together, or only one."""
    cuts = sets.cuts()
    both, key, response = _links(cuts)
    kinds = (
        ("together in both (TP)", both, cuts.key, True),
        ("together in the response only (FP)", response - both, cuts.response, False),
        ("together in the key only (FN)", key - both, cuts.key, False),
    )
    entries = [
        Entry(one_of(3, place, whole(number)), name=name, pieces=_listed(side, in_both, number), links=True)
        for place, (name, number, side, in_both) in enumerate(kinds)
    ]
    columns = tuple([Column(name, (field,)) for field, name in enumerate(("TP", "FP", "FN"))])
    return [Section("Pairs of mentions that a side puts together", columns, tuple(entries))]


def _listed(side: Sequence[Cut], in_both: bool, number: int) -> tuple[Piece, ...]:
    """Of the pairs of a side those that the other puts together too, or those that it does not.

    As many as are listed; none if too many pairs would have to be looked at.
    """
    every = ((one, other) for cut in side for one, other in combinations(cut.members, 2))
    pieces = (
        Piece((one.mention, other.mention))
        for one, other in islice(every, MOST_PAIRS)
        if (one.other == other.other != NONE) == in_both
    )
    listed = tuple(islice(pieces, MOST_LINKS))
    return listed if len(listed) == min(number, MOST_LINKS) else ()


def _links(cuts: Cuts) -> tuple[int, int, int]:
    """Σ C2(n), Σ C2(k), Σ C2(r)"""
    both = sum(pairs(len(mentions)) for mentions in cuts.shared.values())
    key, response = (sum(pairs(cut.size) for cut in side) for side in (cuts.key, cuts.response))
    return both, key, response


def exact_clusters(sets: Sets) -> list[Section]:
    """1 for each cluster that the other side has whole, and alone."""
    cuts = sets.cuts()
    return [
        Section(
            title,
            columns,
            tuple(
                [
                    Entry((whole(_same(side, cut)), whole(1)), entity=cut.entity, pieces=side.shown_pieces(cut))
                    for cut in side.key
                ]
            ),
        )
        for title, columns, side in zip(TITLES, recall_and_precision("same", "clusters"), (cuts, cuts.T), strict=True)
    ]


def _same(cuts: Cuts, cut: Cut) -> int:
    first = cut.members[0]
    return int(first.other != NONE and first.common == cut.size == cuts.response[first.other].size)


def adjusted_rand(sets: Sets) -> list[Section]:
    """The pairs of each side, and how many both would have by chance."""
    cuts = sets.completed().cuts()
    both, key, response = _links(cuts)
    mentions = sum(cut.size for cut in cuts.key)
    every = pairs(mentions)
    by_chance = Fraction(key * response, every) if every else Fraction(0)
    terms = (
        ("TP, together in both", whole(both)),
        ("together in the key", whole(key)),
        ("together in the response", whole(response)),
        ("E, in both by chance", Term(by_chance, f"{key}·{response}/{every}" if every else "")),
        (f"all pairs of N = {mentions} mentions", whole(every)),
    )
    return [one_each("(TP − E)/((key + response)/2 − E)", ("TP", "key", "response", "E", "pairs"), terms)]


def fowlkes_mallows(sets: Sets) -> list[Section]:
    """The pairs that both sides put together, and those of each."""
    both, key, response = _links(sets.cuts())
    terms = (
        ("TP, together in both", whole(both)),
        ("together in the key", whole(key)),
        ("together in the response", whole(response)),
    )
    return [one_each("TP/√(key · response)", ("TP", "key", "response"), terms)]


def variation_of_information(sets: Sets) -> list[Section]:
    """N·H of each side given the other, cluster by cluster."""
    complete, shown = completion(sets)
    cuts = complete.cuts()
    return [
        Section(
            "(N·H(R|K) + N·H(K|R))/N. Key clusters: N·H(R|K) = Σ n ln(k/n)",
            (Column("N·H(R|K)", (0,)), Column("k", (2,))),
            _clusters(cuts),
            shown,
        ),
        Section(
            "Response clusters: N·H(K|R) = Σ n ln(r/n)", (Column("N·H(K|R)", (1,)), Column("r")), _clusters(cuts.T)
        ),
    ]


def _clusters(cuts: Cuts) -> tuple[Entry, ...]:
    return tuple([about(cuts, cut, left_open(cut)) for cut in cuts.key])
