"""The pairing of mentions in a document, and the pieces into which the entities of both sides fall.

A key mention is **matched** if it has a counterpart, or if it has none but is near a response mention that has none
either. Every mention belongs to the one entity that owns it, and only counterparts that are mutual count, so this
is a pair of partitions whatever the rules.

The matched mentions that a key entity and a response entity share are a **piece**. The *home* of a key entity is
the response entity that has its largest piece; the *main* entity of a response entity is the key entity it has the
largest piece of. Of equally large pieces, the one of the entity that begins first counts.

Mentions without counterpart are **near** each other if they correspond nevertheless: with other words, or
attached elsewhere. Three steps, each over what the ones before have left, each the one-to-one pairs with the best
total:

1. zeros of one sentence that share a parent in their enhanced dependencies (10·F of dependencies + F of parents);
2. mentions with the same head, by the Dice coefficient of their words;
3. mentions that have more words in common than not: 2·|K ∩ R| > |K ∪ R|.

Where neither side says which words are heads, so that every mention seems to have its first word for a head,
the second step is left out for all but zeros.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain

from ...core.document import Document, Mention
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.matching.assignment import assign
from ...core.matching.corrected import Scored, best_pairs, by_dependencies, by_words
from ...core.matching.dense_groups import common_words, runs_of, words_of_runs
from ...core.matching.matchers import Candidate, Mentions, same_head
from ...core.positions import (
    DECIMAL,
    MINOR_MASK,
    NEXT_WORD,
    SENTENCE_SHIFT,
    decimal,
    in_file,
    node_name,
    shown_id,
)

ZERO = "∅"
GAP = "…"
OUTWEIGHS_SIZES = 1 << 32  # more than all mentions of a document


class AnnotatedSide:
    """A side of an alignment with its document: ids, types and words of its mentions."""

    def __init__(self, document: Document, side: Side) -> None:
        self.document, self.side = document, side

    @cached_property
    def origins(self) -> list[int]:
        """The number of each entity in the document; NONE if the rules made it."""
        return origins(self.document, self.side)

    def name(self, i: int) -> str:
        """The id of an entity in its file; if there is none, its number."""
        ids, origin = self.document.entity_ids, self.origins[i]
        return ids[origin] if ids and origin != NONE else str(i + 1)

    @cached_property
    def _entity_of(self) -> dict[Mention, str]:
        ids = self.document.entity_ids or [str(i + 1) for i in range(len(self.document.entities))]
        named = zip(ids, self.document.entities, strict=True)
        return {mention: name for name, entity in named for mention in entity}

    def name_of_first(self, mentions: Iterable[Mention]) -> str:
        """The name of the entity of the first of these mentions that has one; empty if none has."""
        return next((self._entity_of[mention] for mention in mentions if mention in self._entity_of), "")

    def type_of(self, i: int) -> str:
        """The type of an entity, empty if it has none."""
        types, origin = self.document.entity_types, self.origins[i]
        return types[origin] if types and origin != NONE else ""

    def mention(self, number: int) -> Mention:
        """The mention with a number, at positions that the file has."""
        return self.in_file(self.side.mentions[number])

    @staticmethod
    def in_file(mention: Mention) -> Mention:
        """A mention as the rules read it, with positions that the file has."""
        nodes = mention.runs if mention.broken or mention.first & MINOR_MASK else ()  # those of a run are alike
        if not any(first & MINOR_MASK >= DECIMAL for first, _ in nodes):
            return mention
        return mention._replace(positions=tuple(map(in_file, mention.positions)), head=in_file(mention.head))

    def sentence(self, mention: Mention) -> str:
        """The id of the sentence in which a mention begins, or its number."""
        if not self.document.sentences:
            return ""
        sentence = self.document.sentence_of(mention.first)
        return sentence.id or str(sentence.number)

    def text(self, mention: Mention) -> str:
        """The words of a mention: a zero is ∅, and where words are left out is an ellipsis. Of an id, the id."""
        if not self.document.sentences:
            return shown_id(mention.head)
        words: list[str] = []
        before = mention.first
        for first, last in mention.runs:
            # Neighbours are no gap, whatever empty nodes are between them; nor is the end of a sentence.
            if NEXT_WORD < (first | MINOR_MASK) - (before | MINOR_MASK) < 1 << SENTENCE_SHIFT:
                words.append(GAP)
            words += map(self.word, range(first, last + 1, NEXT_WORD))
            before = last
        return " ".join(words)

    def word(self, position: int) -> str:
        """The word at a position; an empty node is ∅, followed by its form if it has one."""
        if not position & MINOR_MASK:
            return self.document.form(position)
        sentence, name = self.document.sentence_of(position), node_name(position)
        form = sentence.columns(name)[1] if name in sentence.unusual else "_"
        return ZERO if form == "_" else ZERO + form


def origins(document: Document, side: Side) -> list[int]:
    """The entity of the document that each entity of the side was: itself, or one that has its mentions, or NONE.

    Entities that were changed are assigned to the remaining ones one to one, so that as many mentions as possible are
    common; of equal choices, so that as few others as possible are left over.
    """
    numbers = {id(entity): number for number, entity in enumerate(document.entities)}
    matched = [numbers.get(id(entity), NONE) for entity in side.members]
    changed = [i for i, origin in enumerate(matched) if origin == NONE]
    if not changed:
        return matched
    holders: dict[frozenset[int], set[int]] = defaultdict(set)
    for origin in set(range(len(document.entities))).difference(matched):
        for mention in document.entities[origin]:
            holders[_decimal_words(mention)].add(origin)
    weights = []
    for i in changed:
        common = Counter(origin for mention in side.members[i] for origin in holders.get(_decimal_words(mention), ()))
        weights.append({o: n * OUTWEIGHS_SIZES - len(document.entities[o]) for o, n in common.items()})
    for row, origin in assign(weights, len(document.entities)):
        if origin in weights[row]:
            matched[changed[row]] = origin
    return matched


def _decimal_words(mention: Mention) -> frozenset[int]:
    """The words of a mention, the same for all ways in which rules read positions."""
    return frozenset(map(decimal, mention.positions))


class Pairing:
    """The matched mentions of a document and the pieces they form. Mentions and entities are numbers."""

    counterparts: dict[int, int]
    """Key mention → response mention, for pairs that the alignment has made."""
    near: dict[int, int]
    """Pairs of near mentions, which it has not made."""
    matched: dict[int, int]
    """Both together."""
    pieces: dict[tuple[int, int], list[int]]
    """(key entity, response entity) → the key mentions matched there."""
    home: dict[int, int]
    """Key entity → response entity, for key entities of which something was matched."""
    main: dict[int, int]
    """Response entity → key entity."""
    key_members: dict[int, list[int]]
    """Key entity → the mentions it owns."""
    response_members: dict[int, list[int]]

    def __init__(self, alignment: Alignment, min_entity_size: int = 1) -> None:
        """``min_entity_size`` is 2 where singletons are dropped, entities that own a single mention included."""
        self.key, self.response = alignment.key, alignment.response
        self.key_members = _owned(alignment.key, min_entity_size)
        self.response_members = _owned(alignment.response, min_entity_size)
        keys = sorted(chain.from_iterable(self.key_members.values()))
        responses = set(chain.from_iterable(self.response_members.values()))
        to_response, to_key = alignment.to_response, alignment.to_key
        self.counterparts = {
            k: to_response[k] for k in keys if to_response[k] in responses and to_key[to_response[k]] == k
        }
        free_keys = [k for k in keys if k not in self.counterparts]
        free_responses = sorted(responses.difference(self.counterparts.values()))
        self.near = dict(sorted(near_pairs(self.key.mentions, self.response.mentions, free_keys, free_responses)))
        self.matched = self.counterparts | self.near
        self.pieces = {}
        for k, r in self.matched.items():
            self.pieces.setdefault((self.key.owner[k], self.response.owner[r]), []).append(k)
        for piece in self.pieces.values():
            piece.sort()
        self.home = largest_pieces((i, j, len(piece)) for (i, j), piece in self.pieces.items())
        self.main = largest_pieces((j, i, len(piece)) for (i, j), piece in self.pieces.items())

    def missing(self) -> list[int]:
        """The key mentions that are not matched."""
        return [k for k in chain.from_iterable(self.key_members.values()) if k not in self.matched]

    def extra(self) -> list[int]:
        """The response mentions that are not matched."""
        matched = set(self.matched.values())
        return [r for r in chain.from_iterable(self.response_members.values()) if r not in matched]


def _owned(side: Side, min_entity_size: int) -> dict[int, list[int]]:
    """The mentions of each entity that owns enough of them."""
    if not side.repeats:
        return dict(enumerate(map(list, side.entities)))
    owned: dict[int, list[int]] = {}
    for number, i in enumerate(side.owner):
        if i != NONE:
            owned.setdefault(i, []).append(number)
    return {i: owned[i] for i in sorted(owned) if len(owned[i]) >= min_entity_size}


def largest_pieces(pieces: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """For each first entity the second with which it has the largest piece."""
    best: dict[int, tuple[int, int]] = {}
    for one, other, size in pieces:
        if one not in best or (-size, other) < best[one]:
            best[one] = (-size, other)
    return {one: other for one, (_, other) in best.items()}


def near_pairs(
    keys: list[Mention], responses: list[Mention], free_keys: list[int], free_responses: list[int]
) -> list[tuple[int, int]]:
    """The pairs (key mention, response mention) among the mentions with these numbers."""
    has_heads = any(mention.head != mention.first and not mention.is_zero for mention in chain(keys, responses))
    pairs: list[tuple[int, int]] = []

    def zeros(keys: Mentions, responses: Mentions) -> Iterable[Scored]:
        return by_dependencies(_only_zeros(keys), _only_zeros(responses))

    def same_node(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
        return same_head(_only_zeros(keys), _only_zeros(responses))

    for step in (zeros, partial(by_words, find=same_head if has_heads else same_node), _more_than_half):
        taken, also_taken = {k for k, _ in pairs}, {r for _, r in pairs}
        left = [(k, keys[k]) for k in free_keys if k not in taken]
        also_left = [(r, responses[r]) for r in free_responses if r not in also_taken]
        if not left or not also_left:
            break
        pairs += best_pairs(list(step(left, also_left)), keys, responses)
    return pairs


def _only_zeros(side: Mentions) -> Mentions:
    return [(number, mention) for number, mention in side if mention.is_zero]


def _more_than_half(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    """2·|K ∩ R| / (|K| + |R|) where 3·|K ∩ R| > |K| + |R|.

    More than half of the smaller one is in the other then: so its middle word is, if both are unbroken.
    """
    holders: dict[int, list[int]] = defaultdict(list)
    by_middle: dict[int, list[int]] = defaultdict(list)
    for r, mention in responses:
        for position in mention.positions:
            holders[position].append(r)
        for position in _middle(mention):
            by_middle[position].append(r)
    runs = {r: runs_of(mention) for r, mention in responses}
    for k, mention in keys:
        of_key = runs_of(mention)
        near = {r for position in _middle(mention) for r in holders.get(position, ())}
        near.update([r for position in mention.positions for r in by_middle.get(position, ())])
        for r in sorted(near):
            common, both = common_words(of_key, runs[r]), words_of_runs(of_key) + words_of_runs(runs[r])
            if 3 * common > both:
                yield Scored(k, r, 2 * common, both)


def _middle(mention: Mention) -> Sequence[int]:
    """The word in the middle; of a broken mention all words, since it may be anywhere."""
    positions = mention.positions
    return positions if mention.broken else (positions[len(positions) // 2],)
