"""The pairing of mentions in a document, the pieces into which entities fall, and responses with repaired errors.

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

A **repair** of some kinds of errors, in any combination, is defined by what it does to the labels of mentions, so
that all orders of repairs lead to one response. A matched mention of key entity i in response entity j is labelled

    (j, –)                   as it is,
    (home of i, –)           if divided entities are joined: pieces move to the home of their entity,
    (j, i)                   if conflated entities are cut: response entities fall into their pieces,
    (home of i, i)           with both: the key entity;

mentions with the same label are an entity. Extra mentions go with the largest piece of theirs, as if they belonged to
the main entity, until they are removed. Missing ones are added at the home of their entity. Entities that are wholly
missing or extra are added and removed. Mentions that are only near their key mentions become counterparts where
spans are corrected, and all matched mentions get the words of the key. Where singletons are dropped, those that
repairs leave behind are dropped as well: the repaired response is scored like any other. With all steps taken it is
the key.

Entities that no matched mention connects do not meet in any repaired response, so a document is cut into **groups**
of connected entities, most of which are small and have few kinds of errors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from ...core.components import components
from ...core.document import Document, Mention
from ...core.matching.alignment import NONE, Alignment, Side
from ...core.matching.assignment import assign
from ...core.matching.corrected import Scored, best_pairs, by_dependencies, by_words
from ...core.matching.matchers import Candidate, Mentions, same_head
from ...core.positions import (
    DECIMAL,
    MINOR_MASK,
    NEXT_WORD,
    SENTENCE_SHIFT,
    coordinates,
    decimal,
    in_file,
    node_name,
    shown_id,
)
from ...core.table import Contingency

ZERO = "∅"
GAP = "…"
OUTWEIGHS_SIZES = 1 << 32  # more than all mentions of a document


class AnnotatedSide:
    """A side of an alignment with its document: ids, types and words of its mentions."""

    def __init__(self, document: Document, side: Side) -> None:
        self.document = document
        self.side = side

    @cached_property
    def origins(self) -> list[int]:
        """The entity of the document that each entity was: itself, one that has its mentions, or NONE.

        Entities that the rules changed are assigned to the remaining ones one to one, so that as many mentions as
        possible are common; of equal choices, so that as few others as possible are left over.
        """
        entities, members = self.document.entities, self.side.members
        numbers = {id(entity): number for number, entity in enumerate(entities)}
        matched = [numbers.get(id(entity), NONE) for entity in members]
        changed = [i for i, origin in enumerate(matched) if origin == NONE]
        if not changed:
            return matched
        holders: dict[frozenset[int], set[int]] = defaultdict(set)
        for origin in set(range(len(entities))).difference(matched):
            for mention in entities[origin]:
                holders[_decimal_words(mention)].add(origin)
        weights = []
        for i in changed:
            common = Counter(origin for mention in members[i] for origin in holders.get(_decimal_words(mention), ()))
            weights.append({o: n * OUTWEIGHS_SIZES - len(entities[o]) for o, n in common.items()})
        for row, origin in assign(weights, len(entities)):
            if origin in weights[row]:
                matched[changed[row]] = origin
        return matched

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

    @cached_property
    def numbers(self) -> dict[Mention, int]:
        """The number of each mention, as the rules read it and as :meth:`mention` returns it."""
        numbers = {mention: number for number, mention in enumerate(self.side.mentions)}
        special = [m for m in self.side.mentions if m.broken or m.first & MINOR_MASK]
        numbers.update([(self.in_file(mention), numbers[mention]) for mention in special])
        return numbers

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

    def text(self, mention: Mention, most: int | None = None) -> str:
        """The words of a mention: a zero is ∅, and where words are left out is an ellipsis. Of an id, the id.

        Words beyond the first ``most`` are left out.
        """
        if not self.document.sentences:
            return shown_id(mention.head)
        words: list[str] = []
        before = mention.first
        for first, last in mention.runs:
            # Neighbours are no gap, whatever empty nodes are between them; nor is the end of a sentence.
            if NEXT_WORD < (first | MINOR_MASK) - (before | MINOR_MASK) < 1 << SENTENCE_SHIFT:
                words.append(GAP)
            words += self._words(range(first, last + 1, NEXT_WORD)[:most])
            before = last
            if most and len(words) > most:
                break
        if most and mention.size > most:
            words[most:] = [GAP]
        return " ".join(words)

    def _words(self, run: range) -> Iterable[str]:
        """The words of a run, whose sentence is looked up once: a third of the time of one lookup for each word."""
        first, last = run[0], run[-1]
        if first & MINOR_MASK or first >> SENTENCE_SHIFT != last >> SENTENCE_SHIFT:
            return map(self.word, run)
        words = self.document.sentence_of(first).words
        begin = coordinates(first)[1] - 1
        return [words[index].partition("\t")[2] for index in range(begin, begin + len(run))]

    def word(self, position: int) -> str:
        """The word at a position; an empty node is ∅, followed by its form if it has one."""
        if not position & MINOR_MASK:
            return self.document.form(position)
        sentence, name = self.document.sentence_of(position), node_name(position)
        form = sentence.columns(name)[1] if name in sentence.unusual else "_"
        return ZERO if form == "_" else ZERO + form


def _decimal_words(mention: Mention) -> frozenset[int]:
    """The words of a mention, the same for all ways in which rules read positions."""
    return frozenset(map(decimal, mention.positions))


class Pairing:
    """The matched mentions of a document and the pieces they form. Mentions and entities are numbers."""

    def __init__(self, alignment: Alignment, min_entity_size: int = 1) -> None:
        """``min_entity_size`` is 2 where singletons are dropped, entities that own a single mention included."""
        self.key: Side = alignment.key
        self.response: Side = alignment.response
        self.key_members: dict[int, list[int]] = _owned(alignment.key, min_entity_size)
        """Key entity → the mentions it owns."""
        self.response_members: dict[int, list[int]] = _owned(alignment.response, min_entity_size)
        keys = sorted(chain.from_iterable(self.key_members.values()))
        responses = set(chain.from_iterable(self.response_members.values()))
        to_response, to_key = alignment.to_response, alignment.to_key
        self.counterparts: dict[int, int] = {
            k: to_response[k] for k in keys if to_response[k] in responses and to_key[to_response[k]] == k
        }
        """Key mention → response mention, for pairs that the alignment has made."""
        free_keys = [k for k in keys if k not in self.counterparts]
        free_responses = sorted(responses.difference(self.counterparts.values()))
        self.near: dict[int, int] = dict(
            sorted(near_pairs(self.key.mentions, self.response.mentions, free_keys, free_responses))
        )
        """Pairs of near mentions, which it has not made."""
        self.matched: dict[int, int] = self.counterparts | self.near
        self.pieces: dict[tuple[int, int], list[int]] = {}
        """(key entity, response entity) → the key mentions matched there."""
        for k, r in self.matched.items():
            self.pieces.setdefault((self.key.owner[k], self.response.owner[r]), []).append(k)
        for piece in self.pieces.values():
            piece.sort()
        self.home: dict[int, int] = largest_pieces((i, j, len(piece)) for (i, j), piece in self.pieces.items())
        """Key entity → response entity, for key entities of which something was matched."""
        self.main: dict[int, int] = largest_pieces((j, i, len(piece)) for (i, j), piece in self.pieces.items())

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
    mention_of = dict(responses)
    for k, mention in keys:
        near = {r for position in _middle(mention) for r in holders.get(position, ())}
        near.update([r for position in mention.positions for r in by_middle.get(position, ())])
        for r in sorted(near):
            common, both = mention.common(mention_of[r]), mention.distinct + mention_of[r].distinct
            if 3 * common > both:
                yield Scored(k, r, 2 * common, both)


def _middle(mention: Mention) -> Sequence[int]:
    """The word in the middle; of a broken mention all words, since it may be anywhere."""
    positions = mention.positions
    return positions if mention.broken else (positions[len(positions) // 2],)


ALL = -1  # the second part of a label where entities are not cut
NEW = 1 << 62  # the first part of the label of a missing entity: after those of all response entities

Label = tuple[int, int]


class Repair(NamedTuple):
    """The steps that turn a response into the key; an error kind is repaired by one or more of them."""

    corrects_spans: bool = False
    adds_mentions: bool = False
    removes_mentions: bool = False
    adds_entities: bool = False
    removes_entities: bool = False
    cuts_entities: bool = False
    joins_entities: bool = False

    def overlaps(self, other: Repair) -> bool:
        """Whether two repairs have a step in common."""
        return any(ours and theirs for ours, theirs in zip(self, other, strict=True))


def combine(repairs: Iterable[Repair]) -> Repair:
    """The repair that has all steps of some."""
    return Repair(*map(any, zip(Repair(), *repairs, strict=True)))


class Labels(NamedTuple):
    """The labels of mentions in a repaired response; None for mentions that are not in it."""

    repair: Repair
    home: Mapping[int, int]
    main: Mapping[int, int]

    def matched(self, i: int, j: int) -> Label:
        """The label of a mention of key entity i that is matched in response entity j."""
        return self.home[i] if self.repair.joins_entities else j, i if self.repair.cuts_entities else ALL

    def missing(self, i: int) -> Label | None:
        """The label of the missing mentions of a key entity."""
        if i in self.home:
            return self.matched(i, self.home[i]) if self.repair.adds_mentions else None
        return (NEW, i) if self.repair.adds_entities else None

    def extra(self, j: int) -> Label | None:
        """The label of the extra mentions of a response entity."""
        if j in self.main:
            return None if self.repair.removes_mentions else self.matched(self.main[j], j)
        return None if self.repair.removes_entities else (j, ALL)


class Group(NamedTuple):
    """Entities that matched mentions connect, as numbers of mentions; entities are numbered from 0 in their order."""

    cells: tuple[tuple[int, int, int, int], ...]
    """(key entity, response entity, counterparts, near mentions)"""
    missing: tuple[int, ...]
    """For each key entity how many mentions are not matched."""
    extra: tuple[int, ...]
    """For each response entity how many mentions are not matched."""


def groups(pairing: Pairing) -> list[Group]:
    """The groups of a document."""
    responses_of: dict[int, list[int]] = {i: [] for i in pairing.key_members}
    for i, j in pairing.pieces:
        responses_of[i].append(j)
    entities = list(responses_of)
    connected = []
    for component in components(responses_of.values()):
        keys = sorted(entities[n] for n in component)
        pieces = [(i, j) for i in keys for j in responses_of[i]]
        connected.append(_group(pairing, keys, sorted({j for _, j in pieces}), pieces))
    return connected + [_group(pairing, [], [j], []) for j in pairing.response_members if j not in pairing.main]


def whole(pairing: Pairing) -> Group:
    """The document as one group."""
    return _group(pairing, list(pairing.key_members), list(pairing.response_members), pairing.pieces)


def _group(pairing: Pairing, keys: list[int], responses: list[int], pieces: Iterable[tuple[int, int]]) -> Group:
    row, column = ({entity: index for index, entity in enumerate(side)} for side in (keys, responses))
    missing = [len(pairing.key_members[i]) for i in keys]
    extra = [len(pairing.response_members[j]) for j in responses]
    cells = []
    for i, j in pieces:
        members = pairing.pieces[i, j]
        near = sum(k in pairing.near for k in members) if pairing.near else 0
        cells.append((row[i], column[j], len(members) - near, near))
        missing[row[i]] -= len(members)
        extra[column[j]] -= len(members)
    return Group(tuple(sorted(cells)), tuple(missing), tuple(extra))


class RepairableGroup:
    """A group, and the tables of the responses into which it can be repaired."""

    def __init__(self, group: Group, min_entity_size: int) -> None:
        """``min_entity_size`` is 2 where singletons are dropped."""
        self.group = group
        self.min_entity_size = min_entity_size
        self.key_sizes: list[int] = list(group.missing)
        for i, _, counterparts, near in group.cells:
            self.key_sizes[i] += counterparts + near
        home = largest_pieces((i, j, size + near) for i, j, size, near in group.cells)
        main = largest_pieces((j, i, size + near) for i, j, size, near in group.cells)
        self.home: dict[int, int] = home
        self.main: dict[int, int] = main
        self.needed: Repair = Repair(
            corrects_spans=any(near for *_, near in group.cells),
            adds_mentions=any(group.missing[i] for i in home),
            removes_mentions=any(group.extra[j] for j in main),
            adds_entities=len(home) < len(group.missing),
            removes_entities=len(main) < len(group.extra),
            cuts_entities=len(main) < len(group.cells),
            joins_entities=len(home) < len(group.cells),
        )
        """The steps that change something here."""

    def table(self, repair: Repair) -> Contingency:
        """The key against the repaired response."""
        labels = Labels(repair, self.home, self.main)
        label: Label | None
        sizes: dict[Label, int] = defaultdict(int)
        cells: dict[tuple[int, Label], int] = defaultdict(int)
        for i, j, counterparts, near in self.group.cells:
            label = labels.matched(i, j)
            sizes[label] += counterparts + near
            cells[i, label] += counterparts + near if repair.corrects_spans else counterparts
        for i, missing in enumerate(self.group.missing):
            if missing and (label := labels.missing(i)):
                sizes[label] += missing
                cells[i, label] += missing
        for j, extra in enumerate(self.group.extra):
            if extra and (label := labels.extra(j)):
                sizes[label] += extra
        kept = sorted([label for label, size in sizes.items() if size >= self.min_entity_size])
        column = {label: index for index, label in enumerate(kept)}
        response_sizes = [sizes[label] for label in kept]
        pairs = {(i, column[label]): n for (i, label), n in cells.items() if n and label in column}
        return Contingency.of_pairs(self.key_sizes, response_sizes, pairs)


def is_span_error(key: Mention, response: Mention) -> bool:
    """Whether two counterparts differ in their words, or as zeros in their dependencies."""
    if key.positions != response.positions or key.is_zero != response.is_zero:
        return True
    return key.is_zero and set(key.dependencies) != set(response.dependencies)


def needed_repair(pairing: Pairing) -> Repair:
    """The steps that change something in a document, those that only its words need among them."""
    keys, responses = pairing.key.mentions, pairing.response.mentions
    spans = any(is_span_error(keys[k], responses[r]) for k, r in pairing.counterparts.items())
    needed = RepairableGroup(whole(pairing), 1).needed
    return needed._replace(corrects_spans=needed.corrects_spans or spans)


def repaired_alignment(pairing: Pairing, repair: Repair, min_entity_size: int) -> Alignment:
    """The key and the repaired response, for metrics that need words."""
    labels = Labels(repair, pairing.home, pairing.main)
    key, response = pairing.key, pairing.response
    label: Label | None
    entities: dict[Label, list[Numbered]] = defaultdict(list)
    for k, r in pairing.matched.items():
        label = labels.matched(key.owner[k], response.owner[r])
        if repair.corrects_spans:
            entities[label].append((key.mentions[k], k))
        else:
            entities[label].append((response.mentions[r], k if k in pairing.counterparts else NONE))
    for k in pairing.missing():
        if label := labels.missing(key.owner[k]):
            entities[label].append((key.mentions[k], k))
    for r in pairing.extra():
        if label := labels.extra(response.owner[r]):
            entities[label].append((response.mentions[r], NONE))
    return aligned_by_number(
        [[(key.mentions[k], k) for k in members] for members in pairing.key_members.values()],
        [entities[label] for label in sorted(entities) if len(entities[label]) >= min_entity_size],
        (key.document, response.document),
    )


Numbered = tuple[Mention, int]
"""A mention, and the number of the key mention that it is or is matched with; NONE if there is none."""


def aligned_by_number(
    key: list[list[Numbered]],
    response: list[list[Numbered]],
    documents: tuple[Document | None, Document | None] = (None, None),
) -> Alignment:
    """The alignment of mentions with the same number; those of one side are different, even if they look alike."""
    response_of = {k: r for r, k in enumerate(k for entity in response for _, k in entity)}
    to_response = [response_of.get(k, NONE) for entity in key for _, k in entity]
    return Alignment.of_pairs(_side(key, documents[0]), _side(response, documents[1]), to_response)


def _side(entities: list[list[Numbered]], document: Document | None) -> Side:
    mentions = [[mention for mention, _ in entity] for entity in entities]
    return Side(mentions, list(range(sum(map(len, entities)))), document)
