"""Explanations by mentions and links: BLANC, detection, overlap, zeros, anaphora, empty nodes, relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product

from ...anaphora.plural_measures import MEASURES
from ...anaphora.relations import JudgedLink, JudgedRelations, JudgedSide
from ...compat.conll_counts import Chains, links_of_chains
from ...core.document import Mention
from ...core.matching.alignment import NONE, Alignment
from ...core.matching.transform import SAME_WORDS
from ...core.metrics.anaphors import verdicts
from ...core.metrics.blanc import BLANC
from ...core.metrics.overlap import overlaps
from ...core.positions import SENTENCE_SHIFT, node_name
from ...formats.relations import anchor_of
from ...measures import anaphora_resolution as anaphora
from ...measures.b_cubed_only import selected_overlaps
from ...measures.empty_nodes import ATTRIBUTES, judge_empty_nodes
from .entities import best_pairs
from .pieces import (
    KEY,
    RESPONSE,
    Column,
    EntityPieces,
    Entry,
    Member,
    MentionRef,
    Piece,
    Section,
    SplitEntity,
    Term,
    recall_and_precision,
    to_exact,
    whole,
)

MOST_LINKS = 500  # that are listed of one kind
MOST_PAIRS = 100_000  # that are looked at to find them

Link = tuple[MentionRef, MentionRef]


LinkCounts = tuple[int, int, int, int, int]
"""The number of links of one kind, coreference or not, by outcome."""
RIGHT, WRONG, MISSING, OTHER_WRONG, SPURIOUS = range(5)
OUTCOMES = (
    ("right", (1, 1, 1)),
    ("wrong, of the key", (0, 1, 0)),
    ("missing", (0, 1, 0)),
    ("wrong, of the response", (0, 0, 1)),
    ("spurious", (0, 0, 1)),
)
"""The outcomes of links in words, and whether each adds to common, key and response links."""
MEANINGS = (
    "wrong: the other side has both mentions, but not this link;"
    " missing, spurious: the other side lacks one of the mentions"
)
NO_LINKS = (
    ", as here: without such mentions the score is 1 (boundary case 1 of Luo et al. 2014), but 0 for the official"
    " scorers of CorefUD and CoNLL"
)


def blanc(sides: EntityPieces) -> list[Section]:
    """BLANC: the links of both kinds, right, wrong, missing or spurious."""
    assert sides.alignment is not None
    numbers, listed = _from_chains(*sides.chains) if sides.chains else _from_table(sides), _list_links(sides)
    titles = (
        f"Coreference links: the pairs of mentions of one entity ({MEANINGS})",
        "Non-coreference links: all other pairs of mentions",
    )
    sections = []
    for kind, title in enumerate(titles):
        columns = [Column(name, (3 * kind + n,)) for n, name in enumerate(("common", "key", "response"))]
        sections.append(Section(title, tuple(columns), _by_outcome(numbers[kind], listed[kind])))
    unmatched = [
        Entry((whole(len(side.mentions) - sides.alignment.matched),), name=name)
        for name, side in (("of the key", sides.alignment.key), ("of the response", sides.alignment.response))
    ]
    title = "Mentions without counterpart, which matter only where there are no links"
    if not any(map(any, numbers)):
        title += NO_LINKS
    return [*sections, Section(title, (Column("mentions", (6,)),), tuple(unmatched))]


def _by_outcome(numbers: LinkCounts, listed: list[list[Link]]) -> tuple[Entry, ...]:
    entries = []
    for (name, adds), number, links in zip(OUTCOMES, numbers, listed, strict=True):
        # Where mentions are in several entities, rules count other links than there are: then none are listed.
        pieces = tuple(map(Piece, links)) if len(links) == min(number, MOST_LINKS) else ()
        terms = tuple([whole(number) if adds_here else None for adds_here in adds])
        if number > len(pieces) > 0:
            name += f" (the first {len(pieces)})"
        entries.append(Entry(terms, name=name, pieces=pieces, links=True))
    return tuple(entries)


def _from_table(sides: EntityPieces) -> tuple[LinkCounts, LinkCounts]:
    """The numbers of links from the counts and the pairs of matched mentions."""
    assert sides.table is not None
    both, key, response, neither, key_non, response_non, _ = map(int, BLANC.counts(sides.table))
    key_matched, response_matched = sides.table.pairs_of_matched()
    apart, other_apart = key_matched - both, response_matched - both
    return (
        (both, apart, key - key_matched, other_apart, response - response_matched),
        (neither, other_apart, key_non - neither - other_apart, apart, response_non - neither - apart),
    )


def _list_links(sides: EntityPieces) -> tuple[list[list[Link]], list[list[Link]]]:
    """The coreference links and the others, by outcome; at most ``MOST_LINKS`` of each."""
    together: list[list[Link]] = [[] for _ in OUTCOMES]
    apart: list[list[Link]] = [[] for _ in OUTCOMES]
    for side, wrong, lost in ((sides.key, WRONG, MISSING), (sides.response, OTHER_WRONG, SPURIOUS)):
        for one, other, coreferent in islice(_pairs(side), MOST_PAIRS):
            in_other = NONE not in (one.other, other.other)
            kept = in_other and (one.other == other.other) == coreferent
            if kept and side is not sides.key:
                continue  # listed with those of the key
            links = (together if coreferent else apart)[RIGHT if kept else wrong if in_other else lost]
            if len(links) < MOST_LINKS:
                links.append((one.mention, other.mention))
    return together, apart


def _pairs(side: Sequence[SplitEntity]) -> Iterator[tuple[Member, Member, bool]]:
    """All pairs of mentions, and whether they corefer."""
    for split in side:
        for one, other in combinations(split.members, 2):
            yield one, other, True
    for split, another in combinations(side, 2):
        for one, other in product(split.members, another.members):
            yield one, other, False


def _from_chains(key: Chains, response: Chains) -> tuple[LinkCounts, LinkCounts]:
    """The same where links are sets; the wrong ones are found by restricting each side to mentions of the other."""
    mentions, others = ({m for chain in side for m in chain} for side in (key, response))
    counts = links_of_chains(key, response)
    among_both = links_of_chains(
        [[mention for mention in chain if mention in others] for chain in key],
        [[mention for mention in chain if mention in mentions] for chain in response],
    )

    def link_counts(first: int) -> LinkCounts:
        right, in_key, in_response = map(int, counts[first : first + 3])
        _, key_both, response_both = map(int, among_both[first : first + 3])
        missing, spurious = in_key - key_both, in_response - response_both
        return (right, key_both - right, missing, response_both - right, spurious)

    return link_counts(0), link_counts(3)


def overlap(alignment: Alignment) -> list[Section]:
    """Mention overlap: the best map of mentions, equal ones first, then by shared words."""
    keys, responses = (  # every mention, repeated for each entity that has it
        [((name, number), side.mentions[number]) for entity in side.entities for number in entity]
        for name, side in ((KEY, alignment.key), (RESPONSE, alignment.response))
    )
    chosen = _best_map([mention for _, mention in keys], [mention for _, mention in responses])
    entries = []
    for k, (ref, mention) in enumerate(keys):
        pieces, size = (Piece((ref,)),), whole(mention.size)
        if k in chosen:
            other, its = responses[chosen[k]]
            terms = whole(mention.common(its)), size, whole(its.size)
            entries.append(Entry(terms, pieces=(*pieces, Piece((other,))), name="pair"))
        else:
            entries.append(Entry((whole(0), size, None), pieces=pieces, name="key only"))
    taken = set(chosen.values())
    for r, (ref, mention) in enumerate(responses):
        if r not in taken:
            pieces = (Piece((ref,)),)
            entries.append(Entry((whole(0), None, whole(mention.size)), pieces=pieces, name="response only"))
    columns = Column("common", (0, 2)), Column("of key", (1,)), Column("of response", (3,))
    title = "Words that mentions have in common under the best one-to-one map of mentions"
    return [Section(title, columns, tuple(entries))]


def _best_map(keys: Sequence[Mention], responses: Sequence[Mention]) -> dict[int, int]:
    """The index of the response mention for each mapped key mention."""
    free: dict[object, list[int]] = {}
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
    entries = []
    for verdict in verdicts(alignment):
        name = "right" if verdict.right else "wrong link"
        if not (verdict.in_key and verdict.in_response):
            name = "lost" if verdict.in_key else "spurious"
        terms = whole(verdict.right), whole(verdict.in_key), whole(verdict.in_response)
        piece = Piece(((KEY if verdict.in_key else RESPONSE, verdict.mention),))
        entries.append(Entry(terms, name=name, pieces=(piece,)))
    columns = Column("right", (0, 2)), Column("in key", (1,)), Column("resolved", (3,))
    return [Section("Zeros that are not the first mention of their entity", columns, tuple(entries))]


def by_classes(alignment: Alignment) -> list[Section]:
    """Whether the entity of each anaphor has a right full mention; and how many of its full mentions are right."""
    titles = (
        "anaphors of the key that have a full mention, and whether the response gives them a right one",
        "the full mentions that the response puts anaphors with",
    )
    return recall_and_precision(titles, ("right", "of"), _by_anaphor(anaphora.by_classes(alignment)))


def by_links(antecedents: str, alignment: Alignment) -> list[Section]:
    """Whether the nearest antecedent of each anaphor is right; ``antecedents`` is ``any`` or ``full``."""
    titles = (
        "anaphors of the key that have an antecedent, and the antecedent that the response gives them",
        "anaphors of the response that have an antecedent, and this antecedent",
    )
    judgements = anaphora.by_links(alignment, full=antecedents == "full")
    return recall_and_precision(titles, ("right", "of"), _by_anaphor(judgements))


def _by_anaphor(judgements: Iterable[anaphora.Judgement]) -> tuple[list[Entry], list[Entry]]:
    """An entry for each anaphor of the key, and for each of the response."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for judgement in judgements:
        side = KEY if judgement.counts[1] else RESPONSE
        right, of = map(int, judgement.counts[2 * side : 2 * side + 2])
        mentions: list[MentionRef] = [(side, judgement.mention)]
        if judgement.antecedent:
            mentions.append((RESPONSE, judgement.antecedent))
        pieces = (Piece(tuple(mentions)),)
        name = judgement.verdict
        entries[side].append(Entry((whole(right), whole(of)), name=name, pieces=pieces, links=len(mentions) > 1))
    return entries


def selected_b_cubed(alignment: Alignment) -> list[Section]:
    """B³ (only): n/k for each selected mention, in entities that stay whole."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for side, overlaps_of_side in enumerate(selected_overlaps(alignment)):
        for seen in overlaps_of_side:
            share = Term(Fraction(seen.common, seen.size), f"{seen.common}/{seen.size}")
            entries[side].append(Entry((share, whole(1)), pieces=(Piece(((side, seen.mention),)),)))
    title = "each selected mention of the {side} counts the share of its entity that the {other} has with it"
    return recall_and_precision(title, ("share", "mentions"), entries)


def empty_nodes(attributes: str, alignment: Alignment) -> list[Section]:
    """Empty nodes one by one, each right or not; ``attributes`` is one of ``ATTRIBUTES``."""
    entries: tuple[list[Entry], list[Entry]] = [], []
    for node in judge_empty_nodes(alignment, ATTRIBUTES[attributes]):
        name = f"sentence {node.position >> SENTENCE_SHIFT}, empty node {node_name(node.position)}"
        entries[KEY if node.in_key else RESPONSE].append(Entry((whole(node.right), whole(1)), name=name))
    title = "empty nodes of the {side}, and whether the {other} has one that looks alike"
    return recall_and_precision(title, ("right", "of"), entries)


def detection(sides: EntityPieces) -> list[Section]:
    """Mention detection: matched and unmatched mentions of each side."""
    assert sides.alignment is not None
    matched = sides.alignment.matched
    entries: tuple[list[Entry], list[Entry]] = [], []
    for side, counterparts, names in (
        (KEY, sides.alignment.to_response, ("found", "missing")),
        (RESPONSE, sides.alignment.to_key, ("right", "spurious")),
    ):
        found = [n for n, counterpart in enumerate(counterparts) if counterpart != NONE]
        others = [n for n, counterpart in enumerate(counterparts) if counterpart == NONE]
        for name, numbers, worth in zip(names, (found, others), (1, 0), strict=True):
            pieces = tuple([Piece(((side, number),)) for number in numbers])
            terms = whole(worth * len(numbers)), whole(len(numbers))
            entries[side].append(Entry(terms, name=name, pieces=pieces))
        if matched != len(found):  # the official rules forget pairs when they look mentions up, or find others
            name = "pairs of the official rules beyond these"
            entries[side].append(Entry((whole(matched - len(found)), None), name=name))
    return recall_and_precision("the mentions of the {side}", ("matched", "mentions"), entries)


LEVELS = {
    "recognition": "anaphors of the {side}, and whether the {other} has them",
    "mention": "links of the {side}, and whether the {other} has them",
    "entity": "links of the {side} to an entity, and whether the {other} has them",
}


def _judged(right: bool, *mentions: Mention, side: int) -> Entry:
    pieces = tuple([Piece(((side, mention),)) for mention in mentions])
    return Entry((whole(int(right)), whole(1)), pieces=pieces, links=len(mentions) > 1)


def bridging(level: str, judged: JudgedRelations | None) -> list[Section]:
    """The links of each side, counted once at one of ``LEVELS``."""

    def item(link: JudgedLink, side: int) -> tuple[object, Entry]:
        """The item that counts once, and its line."""
        anaphor, anchor = link.relation.anaphor[0], anchor_of(link.relation)
        if level == "recognition":
            return link.of, _judged(link.recognised, anaphor, side=side)
        if level == "entity":
            return (link.of, link.to), _judged(link.same_entity, anaphor, anchor, side=side)
        return (link.of, anchor), _judged(link.same_mention, anaphor, anchor, side=side)

    def entries(side: JudgedSide, number: int) -> list[Entry]:
        return [*dict([item(link, number) for link in reversed(side.links)]).values()][::-1]

    sides = (judged.key, judged.response) if judged else ()
    listed = [entries(side, number) for number, side in enumerate(sides)] or [[], []]
    return recall_and_precision(LEVELS[level], ("right", "of"), listed)


def non_referring(judged: JudgedRelations | None) -> list[Section]:
    """Non-referring expressions one by one."""
    sides = (judged.key, judged.response) if judged else ()
    listed = [
        [_judged(right, mention, side=number) for mention, right in side.non_referring]
        for number, side in enumerate(sides)
    ]
    title = "expressions of the {side} that do not refer, and whether those of the {other} do not"
    return recall_and_precision(title, ("right", "of"), listed or [[], []])


def plurals(metric: str, judged: JudgedRelations | None) -> list[Section]:
    """The plurals of each side and their elements, as one of ``MEASURES`` weighs them."""
    listed: tuple[list[Entry], list[Entry]] = [], []
    for ours, theirs, ((found, key, right, response),) in judged.both().pairs(MEASURES[metric]) if judged else ():
        assert judged is not None
        for side, plural, number, counts in (
            (judged.key, ours, KEY, (found, key)),
            (judged.response, theirs, RESPONSE, (right, response)),
        ):
            if plural:  # its mentions, then those of each element, in the order of the text
                terms = tuple([Term(to_exact(count)) for count in counts])
                mentions = side.of_entity(side.partition.owner[plural]), *sorted(map(side.in_text, plural))
                pieces = [Piece(tuple([(number, mention) for mention in each])) for each in mentions]
                listed[number].append(Entry(terms, pieces=tuple(pieces)))
    title = "each plural of the {side} and its elements, and those of its counterpart in the {other}"
    return recall_and_precision(title, ("right", "of"), listed)
