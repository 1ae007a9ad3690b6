"""Explanations by mentions and links: BLANC, mention detection and overlap, zeros, anaphora, empty nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Any, NamedTuple

from ...compat.conll_counts import Chains, links_of_chains
from ...core.document import Mention
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.matching.transform import SAME_WORDS
from ...core.metrics.anaphors import Verdict, verdicts
from ...core.metrics.blanc import BLANC
from ...core.metrics.overlap import overlaps
from ...core.numbers import Counts
from ...core.positions import SENTENCE_SHIFT, node_name
from ...measures import anaphora_resolution as anaphora
from ...measures.empty_nodes import ASKED, judged
from .entities import best_pairs
from .pieces import EntityPieces, SplitEntity
from .sections import KEY, RESPONSE, Column, Entry, MentionRef, Piece, Section, recall_and_precision, whole

MOST_LINKS = 500  # that are listed of one kind
MOST_PAIRS = 100_000  # that are looked at to find them

Link = tuple[MentionRef, MentionRef]


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
"""The contribution of a link to the common links, those of the key and those of the response."""


def blanc(sides: EntityPieces) -> list[Section]:
    """BLANC: the links of both kinds, right, wrong, missing or spurious."""
    assert sides.alignment is not None
    numbers, listed = _from_chains(*sides.chains) if sides.chains else _from_table(sides), _listed(sides)
    unmatched = [
        (name, len(side.mentions) - sides.alignment.matched)
        for name, side in (("of the key", sides.alignment.key), ("of the response", sides.alignment.response))
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


def _from_table(sides: EntityPieces) -> tuple[LinkCounts, LinkCounts]:
    """The numbers of links from the counts and the pairs of matched mentions."""
    assert sides.table is not None
    both, key, response, neither, key_non, response_non, _ = map(int, BLANC.counts(sides.table))
    key_matched, response_matched = sides.table.pairs_of_matched()
    apart, other_apart = key_matched - both, response_matched - both
    return (
        LinkCounts(both, apart, key - key_matched, other_apart, response - response_matched),
        LinkCounts(neither, other_apart, key_non - neither - other_apart, apart, response_non - neither - apart),
    )


def _listed(sides: EntityPieces) -> tuple[dict[str, list[Link]], dict[str, list[Link]]]:
    """The links themselves, at most ``MOST_LINKS`` of each kind."""
    together: dict[str, list[Link]] = {}
    apart: dict[str, list[Link]] = {}

    def add(kind: dict[str, list[Link]], fate: str, link: Link) -> None:
        links = kind.setdefault(fate, [])
        if len(links) < MOST_LINKS:
            links.append(link)

    for side, wrong, lost in ((sides.key, WRONG, MISSING), (sides.response, OTHER_WRONG, SPURIOUS)):
        for one, other, coreferent in islice(_pairs(side), MOST_PAIRS):
            in_other = NONE not in (one[1], other[1])
            kept = in_other and (one[1] == other[1]) == coreferent
            if not kept or side is sides.key:
                add(
                    together if coreferent else apart,
                    RIGHT if kept else wrong if in_other else lost,
                    (one[0], other[0]),
                )
    return together, apart


Placed = tuple[MentionRef, int]
"""A mention, and the index of its entity on the other side."""


def _pairs(side: Sequence[SplitEntity]) -> Iterator[tuple[Placed, Placed, bool]]:
    """All pairs of mentions, and whether they corefer."""
    placed = [[(member.mention, member.other) for member in split.members] for split in side]
    for entity in placed:
        for one, other in combinations(entity, 2):
            yield one, other, True
    for entity, another in combinations(placed, 2):
        for one, other in product(entity, another):
            yield one, other, False


def _from_chains(key: Chains, response: Chains) -> tuple[LinkCounts, LinkCounts]:
    """The same where links are sets; the wrong ones are found by restricting each side to mentions of the other."""
    mentions, others = ({m for chain in side for m in chain} for side in (key, response))
    counts = links_of_chains(key, response)
    among_both = links_of_chains(_restricted(key, others), _restricted(response, mentions))
    return _with_and_without(counts[:3], among_both[:3]), _with_and_without(counts[3:], among_both[3:])


def _restricted(chains: Chains, mentions: set[int]) -> Chains:
    return [[mention for mention in chain if mention in mentions] for chain in chains]


def _with_and_without(counts: Counts, among_both: Counts) -> LinkCounts:
    """The numbers of links by kind, from (common, key, response) of all mentions and of common mentions."""
    right, key, response = map(int, counts)
    _, key_both, response_both = map(int, among_both)
    return LinkCounts(right, key_both - right, key - key_both, response_both - right, response - response_both)


COMMON = Column("common", (0, 2))


def overlap(alignment: Alignment) -> list[Section]:
    """Mention overlap: the best map of mentions, equal ones first, then by shared words."""
    keys, responses = _occurrences(KEY, alignment.key), _occurrences(RESPONSE, alignment.response)
    chosen = _best_map([mention for _, mention in keys], [mention for _, mention in responses])
    entries = []
    for k, (ref, mention) in enumerate(keys):
        if k in chosen:
            other, its = responses[chosen[k]]
            common = mention.common(its)
            pieces = (Piece((ref,)), Piece((other,)))
            entries.append(Entry((whole(common), whole(mention.size), whole(its.size)), pieces=pieces, name="pair"))
        else:
            entries.append(Entry((whole(0), whole(mention.size), None), pieces=(Piece((ref,)),), name="key only"))
    taken = set(chosen.values())
    for r, (ref, mention) in enumerate(responses):
        if r not in taken:
            entries.append(
                Entry((whole(0), None, whole(mention.size)), pieces=(Piece((ref,)),), name="response only")
            )
    return [
        Section(
            "Words that mentions have in common under the best one-to-one map of mentions",
            (COMMON, Column("of key", (1,)), Column("of response", (3,))),
            tuple(entries),
        )
    ]


def _occurrences(name: int, side: Side) -> list[tuple[MentionRef, Mention]]:
    """Every mention, repeated for each entity that has it."""
    return [((name, number), side.mentions[number]) for entity in side.entities for number in entity]


def _best_map(keys: Sequence[Mention], responses: Sequence[Mention]) -> dict[int, int]:
    """The index of the response mention for each mapped key mention."""
    free: dict[Any, list[int]] = {}
    for r in reversed(range(len(responses))):
        free.setdefault(SAME_WORDS(responses[r]), []).append(r)
    chosen = {k: free[words].pop() for k, words in enumerate(map(SAME_WORDS, keys)) if free.get(words)}
    left = [k for k in range(len(keys)) if k not in chosen]
    others = sorted(r for places in free.values() for r in places)
    cells = overlaps([keys[k] for k in left], [responses[r] for r in others])
    for row, column in best_pairs((k, r, Fraction(common)) for k, r, common in cells):
        chosen[left[row]] = others[column]
    return chosen


def zeros(alignment: Alignment) -> list[Section]:
    """Each anaphoric zero: right, wrong link, lost or spurious."""
    entries = [
        Entry(
            (whole(verdict.right), whole(verdict.in_key), whole(verdict.in_response)),
            name=_fate(verdict),
            pieces=(Piece(((KEY if verdict.in_key else RESPONSE, verdict.mention),)),),
        )
        for verdict in verdicts(alignment)
    ]
    columns = COMMON._replace(title="right"), Column("in key", (1,)), Column("resolved", (3,))
    return [Section("Zeros that are not the first mention of their entity", columns, tuple(entries))]


def by_classes(alignment: Alignment) -> list[Section]:
    """Whether the entity of each anaphor has a right full mention; and how many of its full mentions are right."""
    return _judged(
        anaphora.by_classes(alignment),
        "Recall: anaphors of the key that have a full mention, and whether the response gives them a right one",
        "Precision: the full mentions that the response puts anaphors with",
    )


def by_links(antecedents: str, alignment: Alignment) -> list[Section]:
    """Whether the nearest antecedent of each anaphor is right; ``antecedents`` is ``any`` or ``full``."""
    return _judged(
        anaphora.by_links(alignment, full=antecedents == "full"),
        "Recall: anaphors of the key that have an antecedent, and whether the response gives them a right one",
        "Precision: anaphors of the response that have an antecedent, and whether it is right",
    )


def _judged(judgements: Iterable[anaphora.Judgement], *titles: str) -> list[Section]:
    """Sections of judged anaphors: those of the key (recall), and those of the response (precision)."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for mention, counts in judgements:
        side = KEY if counts[1] else RESPONSE
        right, of = map(int, counts[2 * side : 2 * side + 2])
        entries[side].append(Entry((whole(right), whole(of)), pieces=(Piece(((side, mention),)),)))
    return _recall_and_precision(entries, *titles)


def _fate(verdict: Verdict) -> str:
    if not verdict.in_key:
        return "spurious"
    if not verdict.in_response:
        return "lost"
    return "right" if verdict.right else "wrong link"


def empty_nodes(attributes: str, alignment: Alignment) -> list[Section]:
    """Empty nodes one by one, each right or not; ``attributes`` is one of ``ASKED``."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for node in judged(alignment, ASKED[attributes]):
        name = f"sentence {node.position >> SENTENCE_SHIFT}, empty node {node_name(node.position)}"
        entries[KEY if node.in_key else RESPONSE].append(Entry((whole(node.right), whole(1)), name=name))
    return _recall_and_precision(
        entries,
        "Recall: empty nodes of the key, and whether the response has one that looks alike",
        "Precision: empty nodes of the response, and whether the key has one that looks alike",
    )


def _recall_and_precision(entries: Sequence[Sequence[Entry]], *titles: str) -> list[Section]:
    columns = recall_and_precision("right", "of")
    return [Section(titles[side], columns[side], tuple(entries[side])) for side in (KEY, RESPONSE)]


def detection(sides: EntityPieces) -> list[Section]:
    """Mention detection: matched and unmatched mentions of each side."""
    assert sides.alignment is not None
    titles = ("Recall: the mentions of the key", "Precision: the mentions of the response")
    words = (("found", "missing"), ("right", "spurious"))
    counterparts = sides.alignment.to_response, sides.alignment.to_key
    return [
        Section(titles[side], columns, tuple(_found(side, counterparts[side], sides.alignment.matched, words[side])))
        for side, columns in enumerate(recall_and_precision("matched", "mentions"))
    ]


def _found(side: int, counterparts: Sequence[int], matched: int, words: tuple[str, str]) -> Iterator[Entry]:
    """An entry for matched mentions and one for the others."""
    found = [n for n, counterpart in enumerate(counterparts) if counterpart != NONE]
    others = [n for n, counterpart in enumerate(counterparts) if counterpart == NONE]
    for name, numbers, worth in zip(words, (found, others), (1, 0), strict=True):
        pieces = tuple([Piece(((side, number),)) for number in numbers])
        yield Entry((whole(worth * len(numbers)), whole(len(numbers))), name=name, pieces=pieces)
    if matched != len(found):  # the official rules forget pairs when they look mentions up, or find others
        yield Entry((whole(matched - len(found)), None), name="pairs of the official rules beyond these")
