"""LinkCounts between mentions: BLANC by its two kinds of link, the Rand index by its pairs, κ by its four counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from typing import NamedTuple

from ...match.alignment import NONE
from ..metrics.blanc import BLANC, pairs
from .cuts import Cut, Cuts
from .sections import Column, Entry, Piece, Ref, Section, Term, whole
from .sets import Sets

MOST_LINKS = 500  # that are listed of one kind
MOST_PAIRS = 100_000  # that are looked at to find them

Link = tuple[Ref, Ref]


class LinkCounts(NamedTuple):
    """The links of one kind, coreference or not."""

    right: int
    """In both sides."""
    wrong: int
    """In the key; the response has both mentions, but the other way."""
    missing: int
    """In the key; the response lacks a mention."""
    other_wrong: int
    """In the response; the key has both mentions, but the other way."""
    spurious: int
    """In the response; the key lacks a mention."""


RIGHT, WRONG, MISSING, OTHER_WRONG, SPURIOUS = LinkCounts._fields
WORDS = {
    RIGHT: "right",
    WRONG: "wrong, of the key",
    MISSING: "missing",
    OTHER_WRONG: "wrong, of the response",
    SPURIOUS: "spurious",
}
MEANINGS = (
    "wrong: the other side has both mentions, but not this link;"
    " missing, spurious: the other side lacks one of the mentions"
)
ADDS = {RIGHT: (1, 1, 1), WRONG: (0, 1, 0), MISSING: (0, 1, 0), OTHER_WRONG: (0, 0, 1), SPURIOUS: (0, 0, 1)}
"""What a link adds to those in common, of the key and of the response."""


def blanc(cuts: Cuts) -> list[Section]:
    """The links of both kinds, by what became of them."""
    numbers, listed = _from_sets(*cuts.chains) if cuts.chains else (_from_table(cuts), _listed(cuts))
    assert cuts.alignment is not None
    unmatched = [
        (name, len(side.mentions) - cuts.alignment.matched)
        for name, side in (("of the key", cuts.alignment.key), ("of the response", cuts.alignment.response))
    ]
    titles = (
        f"Coreference links: the pairs of mentions of one entity ({MEANINGS})",
        "Non-coreference links: all other pairs of mentions",
    )
    return [
        *(
            Section(title, _columns(3 * kind), _by_fate(numbers[kind], listed[kind]))
            for kind, title in enumerate(titles)
        ),
        Section(
            "Mentions without counterpart, which matter only where there are no links",
            (Column("mentions", (6,)),),
            tuple([Entry((whole(number),), name=name) for name, number in unmatched]),
        ),
    ]


def _columns(first: int) -> tuple[Column, ...]:
    return tuple([Column(title, (first + n,)) for n, title in enumerate(("common", "key", "response"))])


def _by_fate(numbers: LinkCounts, listed: dict[str, list[Link]]) -> tuple[Entry, ...]:
    entries = []
    for fate, number in numbers._asdict().items():
        found = listed.get(fate, [])
        # Where a mention stands in several entities, the rules may count other links than there are.
        links = tuple([Piece(link) for link in found]) if len(found) == min(number, MOST_LINKS) else ()
        terms = tuple([whole(number) if adds else None for adds in ADDS[fate]])
        entries.append(Entry(terms, name=WORDS[fate], pieces=links, links=True))
    return tuple(entries)


def _from_table(cuts: Cuts) -> tuple[LinkCounts, LinkCounts]:
    """The numbers, from the counts and the pairs of those mentions that have counterparts."""
    assert cuts.table is not None
    both, key, response, neither, key_non, response_non, _ = map(int, BLANC.counts(cuts.table))
    key_matched, response_matched = cuts.table.pairs_of_matched()
    apart, other_apart = key_matched - both, response_matched - both
    return (
        LinkCounts(both, apart, key - key_matched, other_apart, response - response_matched),
        LinkCounts(neither, other_apart, key_non - neither - other_apart, apart, response_non - neither - apart),
    )


def _listed(cuts: Cuts) -> tuple[dict[str, list[Link]], dict[str, list[Link]]]:
    """The links themselves, as many of each as are listed."""
    together: dict[str, list[Link]] = {}
    apart: dict[str, list[Link]] = {}

    def add(kind: dict[str, list[Link]], fate: str, link: Link) -> None:
        links = kind.setdefault(fate, [])
        if len(links) < MOST_LINKS:
            links.append(link)

    for side, wrong, lost in ((cuts.key, WRONG, MISSING), (cuts.response, OTHER_WRONG, SPURIOUS)):
        for one, other, coreferent in islice(_pairs(side), MOST_PAIRS):
            in_other = NONE not in (one[1], other[1])
            kept = in_other and (one[1] == other[1]) == coreferent
            if not kept or side is cuts.key:
                add(
                    together if coreferent else apart,
                    RIGHT if kept else wrong if in_other else lost,
                    (one[0], other[0]),
                )
    return together, apart


Placed = tuple[Ref, int]
"""A mention, and the entity of the other side that has it."""


def _pairs(side: Sequence[Cut]) -> Iterator[tuple[Placed, Placed, bool]]:
    """All pairs of mentions, and whether they corefer."""
    placed = [[(member.mention, member.other) for member in cut.members] for cut in side]
    for entity in placed:
        for one, other in combinations(entity, 2):
            yield one, other, True
    for entity, another in combinations(placed, 2):
        for one, other in product(entity, another):
            yield one, other, False


def _from_sets(
    key: list[list[int]], response: list[list[int]]
) -> tuple[tuple[LinkCounts, LinkCounts], tuple[dict[str, list[Link]], dict[str, list[Link]]]]:
    """The same where links are sets: a mention in two entities may corefer with another, and not, at once."""
    mentions, others = ({m for chain in side for m in chain} for side in (key, response))
    numbers = []
    for links_of in (_linked, _unlinked):
        mine, its = links_of(key), links_of(response)
        missing = sum(not link <= others for link in mine - its)
        spurious = sum(not link <= mentions for link in its - mine)
        numbers.append(
            LinkCounts(len(mine & its), len(mine - its) - missing, missing, len(its - mine) - spurious, spurious)
        )
    return (numbers[0], numbers[1]), ({}, {})


def _linked(chains: list[list[int]]) -> set[frozenset[int]]:
    return {frozenset(link) for chain in chains for link in combinations(chain, 2)}


def _unlinked(chains: list[list[int]]) -> set[frozenset[int]]:
    return {frozenset(link) for one, other in combinations(chains, 2) for link in product(one, other)}


# Over one set of mentions


def rand(sets: Sets) -> list[Section]:
    """Pairs that are together in both, or apart in both."""
    cuts = sets.completed().cuts()
    together = _sum_of_pairs(map(len, cuts.shared.values()))
    key, response = (_sum_of_pairs(cut.size for cut in side) for side in (cuts.key, cuts.response))
    everything = pairs(sum(cut.size for cut in cuts.key))
    kinds = {
        "together in both": (together, together),
        "apart in both": (everything - key - response + together,) * 2,
        "together in the key only": (0, key - together),
        "together in the response only": (0, response - together),
    }
    entries = [Entry((whole(agreed), whole(number)), name=name) for name, (agreed, number) in kinds.items()]
    return [
        Section("Pairs of mentions of both sides", (Column("agreed", (0,)), Column("pairs", (1,))), tuple(entries))
    ]


def _sum_of_pairs(sizes: Iterable[int]) -> int:
    return sum(map(pairs, sizes))


def kappa(sets: Sets) -> list[Section]:
    """The four counts a, b, c and d, from N mentions, n and m classes, and Z pieces."""
    cuts = sets.completed().cuts()
    mentions, classes, others, pieces = (
        sum(cut.size for cut in cuts.key),
        len(cuts.key),
        len(cuts.response),
        len(cuts.shared),
    )
    links = max(mentions - 1, 0)
    a = mentions - pieces
    b, c = mentions - others - a, mentions - classes - a
    d = links - a - b - c
    counts = [
        (a, f"a, in both: N − Z = {mentions} − {pieces}"),
        (b, f"b, in the response only: N − m − a = {mentions} − {others} − {a}"),
        (c, f"c, in the key only: N − n − a = {mentions} − {classes} − {a}"),
        (d, f"d, in neither: T − a − b − c = {links} − {a} − {b} − {c}"),
    ]
    table = Section(
        f"Of T = N − 1 = {links} links: N = {mentions} mentions, n = {classes} key classes,"
        f" m = {others} response classes, Z = {pieces} pieces",
        tuple([Column(name, (field,)) for field, name in enumerate("abcd")]),
        tuple(
            [
                Entry(tuple([whole(value) if n == place else None for n in range(4)]), name=name)
                for place, (value, name) in enumerate(counts)
            ]
        ),
    )
    if not links:
        return [table]
    agreed, by_chance = (a + d) * links, (a + b) * (a + c) + (b + d) * (c + d)
    rates = [
        ("agreement p", Fraction(agreed, links * links), f"({a} + {d})/{links}"),
        ("by chance e", Fraction(by_chance, links * links), f"({a + b}·{a + c} + {b + d}·{c + d})/{links}²"),
    ]
    shown = tuple([Entry((Term(value, formula),), name=name) for name, value, formula in rates])
    return [table, Section("κ = (p − e)/(1 − e)", (Column("rate"),), shown)]
