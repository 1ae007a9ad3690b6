"""BLANC by its links: right, wrong, missing and spurious ones, of both kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

from ...base.numbers import Counts
from ...match.alignment import NONE
from ..conll import Chains, links_of_chains
from ..metrics.blanc import BLANC
from .cuts import Cut, Cuts
from .sections import Column, Entry, Piece, Ref, Section, whole

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
ONLY_WITHOUT_LINKS = "Mentions without counterpart, which matter only where there are no links"
NO_LINKS = (
    ", as here: without such mentions the score is 1 (boundary case 1 of Luo et al. 2014), but 0 for the official"
    " scorers of CorefUD and CoNLL"
)
ADDS = {RIGHT: (1, 1, 1), WRONG: (0, 1, 0), MISSING: (0, 1, 0), OTHER_WRONG: (0, 0, 1), SPURIOUS: (0, 0, 1)}
"""What a link adds to those in common, of the key and of the response."""


def blanc(cuts: Cuts) -> list[Section]:
    """The links of both kinds, by what became of them."""
    assert cuts.alignment is not None
    numbers, listed = _from_chains(*cuts.chains) if cuts.chains else _from_table(cuts), _listed(cuts)
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
            ONLY_WITHOUT_LINKS + ("" if any(map(any, numbers)) else NO_LINKS),
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
        # Where mentions stand in several entities, rules count other links than there are: then none are listed.
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


def _from_chains(key: Chains, response: Chains) -> tuple[LinkCounts, LinkCounts]:
    """The same where links are sets. What is wrong remains if each side has only mentions that the other has."""
    mentions, others = ({m for chain in side for m in chain} for side in (key, response))
    counts = links_of_chains(key, response)
    among_both = links_of_chains(_restricted(key, others), _restricted(response, mentions))
    return _with_and_without(counts[:3], among_both[:3]), _with_and_without(counts[3:], among_both[3:])


def _restricted(chains: Chains, mentions: set[int]) -> Chains:
    return [[mention for mention in chain if mention in mentions] for chain in chains]


def _with_and_without(counts: Counts, among_both: Counts) -> LinkCounts:
    """From the numbers of common links, of the key's and of the response's; and the same among common mentions."""
    right, key, response = map(int, counts)
    _, key_both, response_both = map(int, among_both)
    return LinkCounts(right, key_both - right, key - key_both, response_both - right, response - response_both)
