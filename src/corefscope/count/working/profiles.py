"""Size profiles side by side: DMT by its distances, D-err by its surpluses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..metrics.single_valued import D_ERR, SURPLUS, centroid
from ..profiles import Bar, profiles
from .sections import Column, Entry, Section, Term, whole
from .sets import Sets

SORTED = "Sizes of the classes of both sides, completed, largest first"


def dmt(sets: Sets) -> list[Section]:
    """How far each class is from the one beside it."""
    table = sets.table()
    entries = []
    for bar in profiles(table, table.T):
        _, width, key, response = bar
        times = f"{width} × " if width > 1 else ""
        term = whole(width * abs(key - response), f"{times}|{key} − {response}|")
        entries.append(Entry((term,), name=_place(bar)))
    mentions = sum(len(one.mentions) for one in sets.completed().key)
    largest = whole(2 * max(mentions - 1, 0), f"2 × ({mentions} − 1)" if mentions else "")
    return [
        Section(f"{SORTED}: DMT = 1 − distance / largest distance", (Column("distance", (0,)),), tuple(entries)),
        Section("The largest distance", (Column("2(N − 1)", (1,)),), (Entry((largest,), name="N mentions"),)),
    ]


def d_err(sets: Sets) -> list[Section]:
    """The centroids of what each side has more than the other, and their distance."""
    table = sets.table()
    bars: list[Bar] = profiles(table, table.T)
    surplus = [
        Entry((whole(key) if key else None, whole(response) if response else None), name=_place(bar))
        for bar in bars
        for key, response in [(bar[1] * max(bar[2] - bar[3], 0), bar[1] * max(bar[3] - bar[2], 0))]
    ]
    sides = bars, [(start, width, response, key) for start, width, key, response in bars]
    centroids = [
        Entry(tuple([Term(Fraction(x)) for x in centroid(*[_sum(term, side) for term in SURPLUS])]), name=name)
        for name, side in zip(("of the key", "of the response"), sides, strict=True)
    ]
    magnitude, documents, recall, precision = D_ERR.counts(table)
    mentions, length = sum(len(one.mentions) for one in sets.completed().key), sum(bar[1] for bar in bars)
    counts = Term(magnitude), whole(int(documents)), whole(int(recall)), whole(int(precision))
    return [
        Section(f"{SORTED}: what each has more than the other", (Column("key"), Column("response")), tuple(surplus)),
        Section(
            "Centroids of the surplus: place among the classes, height", (Column("x"), Column("y")), tuple(centroids)
        ),
        Section(
            f"D-err: the distance of the centroids / √({mentions}² + ({length} − 1)²); r if the surplus of the key"
            " comes first, p if that of the response does",
            tuple([Column(title, (field,)) for field, title in enumerate(("magnitude", "documents", "r", "p"))]),
            (Entry(counts, name="this document"),),
        ),
    ]


def _sum(term: Callable[[int, int, int, int], int], bars: list[Bar]) -> Fraction:
    return Fraction(sum(term(*bar) for bar in bars))


def _place(bar: Bar) -> str:
    start, width, key, response = bar
    places = f"{start + 1}–{start + width}" if width > 1 else str(start + 1)
    return f"class {places}: {key} and {response}"
