"""Random changes to entities and mentions: they are dropped, added, merged, split, moved or get another head.

A kind of noise is a list of changes in a random order, of which a level makes a share, from the first on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, product, starmap
from random import Random
from typing import NamedTuple, TypeVar

from ...core.components import components
from ...core.document import Change, Document, Mention, Sentence, mention_order, same_words
from ...core.positions import MINOR_MASK, SENTENCE_SHIFT

T = TypeVar("T")
NewEntity = tuple[int, Sequence[Mention]]
"""The entity of the document that an entity continues, and its mentions."""


class RandomDraws:
    """Random choices for one kind of noise in one document.

    All use ``Random.random``, the only method whose sequence Python guarantees across versions.

    >>> RandomDraws(0, "drop", "doc").shuffled("abcdef")
    ['f', 'e', 'c', 'd', 'b', 'a']
    """

    def __init__(self, seed: int, kind: str, document: str, taken: Iterable[int] = ()) -> None:
        """``taken`` are words, besides those of the document's mentions, that cannot become spurious mentions."""
        self._random = Random(f"{seed}-{kind}-{document}").random
        self.taken = taken

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` − 1."""
        return int(self._random() * limit)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        keys = [self._random() for _ in items]
        return [items[n] for n in sorted(range(len(items)), key=keys.__getitem__)]


class Changes(NamedTuple):
    """The changes that a kind of noise can make to a document, in the order in which levels make them."""

    total: int
    """Their number, all of which 100 % makes."""
    make: Callable[[int], Document]
    """Make the first ``n`` changes."""


class NoisePlan(NamedTuple):
    """The changes to one document by level."""

    document: Document
    changes: Changes
    rounding: int
    """Random, 0 to 99: rounds fractions of a change, so that short documents are changed too."""

    def changes_at(self, level: int) -> int:
        """The number of changes of a level; 0 makes none, 100 all.

        >>> [NoisePlan(None, Changes(4, None), 50).changes_at(level) for level in (0, 10, 20, 50, 100)]
        [0, 0, 1, 2, 4]
        """
        return (self.changes.total * level + self.rounding) // 100

    def at(self, level: int) -> Document:
        """The document with ``level`` percent of noise."""
        count = self.changes_at(level)
        return self.changes.make(count) if count else self.document


def rebuild(document: Document, entities: Iterable[NewEntity], change: Change | None = None) -> Document:
    """Replace the entities of a document, in canonical order; ``change`` maps old mentions to new ones.

    Entities without mentions are removed. Where several continue one entity, the first keeps its id.
    """
    rows = [(origin, tuple(sorted(mentions, key=mention_order))) for origin, mentions in entities if mentions]
    rows.sort(key=lambda row: mention_order(row[1][0]))
    new = document.replace_entities([origin for origin, _ in rows], tuple(mentions for _, mentions in rows), change)
    return new._replace(entity_ids=_distinct_ids(new.entity_ids, set(document.entity_ids)))


def _distinct_ids(ids: tuple[str, ...], taken: set[str]) -> tuple[str, ...]:
    """Make ids distinct by adding suffixes to repeated ones.

    >>> _distinct_ids(("e1", "e1", "e2", "e1"), {"e1", "e2", "e1x2"})
    ('e1', 'e1x3', 'e2', 'e1x4')
    """
    names: dict[str, None] = {}
    suffixes: dict[str, int] = {}
    for id_ in ids:
        name = id_
        while name in names or (name in taken and name != id_):
            suffixes[id_] = suffixes.get(id_, 1) + 1
            name = f"{id_}x{suffixes[id_]}"
        names[name] = None
    return tuple(names)


def plain_words(sentence: Sentence) -> Iterator[int]:
    """The positions of all words of a sentence that are not mere punctuation."""
    for position, word in zip(sentence.positions, sentence.words, strict=True):
        if any(map(str.isalnum, word.partition("\t")[2])):
            yield position


def is_word(position: int) -> bool:
    """Whether a position is that of a word, not of an empty node."""
    return not position & MINOR_MASK


class TextOrder:
    """The words and empty nodes of each sentence, in the order of the text."""

    def __init__(self, document: Document) -> None:
        self._nodes = {sentence.number: sentence.nodes for sentence in document.sentences}

    def of(self, position: int) -> Sequence[int]:
        """All positions of the sentence in which a position is; none if the format has no words."""
        return self._nodes.get(position >> SENTENCE_SHIFT, ())

    def continuous(self, mention: Mention) -> bool:
        """Whether nothing is left out between the first and the last word, and both are in one sentence."""
        nodes = self.of(mention.first)
        start = bisect_left(nodes, mention.first)
        end = start + mention.size - 1
        all_there = end < len(nodes) and (nodes[start], nodes[end]) == (mention.first, mention.last)
        return all_there and not (mention.broken and mention.repeats)

    def clash(self, one: Mention, other: Mention) -> bool:
        """Whether two mentions cannot be written as brackets of one entity: they are equal, cross, or interleave."""
        first, last = one.first, one.last
        start, end = other.first, other.last
        if last < start or end < first:
            return False
        if same_words(one) == same_words(other) or not (self.continuous(one) and self.continuous(other)):
            return True
        return not (first <= start and end <= last) and not (start <= first and last <= end)


Replacement = tuple[tuple[int, int], Mention]
"""The index of an entity, that of a mention in it, and the new mention."""


def drop(document: Document, draws: RandomDraws) -> Changes:
    """Drop mentions, all with the same probability."""
    return drop_mentions(document, chain.from_iterable(document.entities), draws)


def drop_mentions(document: Document, droppable: Iterable[Mention], draws: RandomDraws) -> Changes:
    """Drop some of these mentions; an entity that loses all its mentions is removed."""
    order = draws.shuffled(list(dict.fromkeys(droppable)))

    def make(count: int) -> Document:
        gone = set(order[:count])
        kept = ([mention for mention in entity if mention not in gone] for entity in document.entities)
        return rebuild(document, enumerate(kept), lambda mention: None if mention in gone else mention)

    return Changes(len(order), make)


def spurious(document: Document, draws: RandomDraws) -> Changes:
    """Add words that are no mention to entities: as many as there are mentions, if there are as many free words."""
    new = _new_mentions(document, draws)
    targets = coreferent_entities(document)
    return add_mentions(document, [(draws.pick(targets), mention) for mention in new])


def spurious_singletons(document: Document, draws: RandomDraws) -> Changes:
    """Add words that are no mention as singletons."""
    return add_mentions(document, [(None, mention) for mention in _new_mentions(document, draws)])


def add_mentions(document: Document, new: Sequence[tuple[int | None, Mention]]) -> Changes:
    """Add new mentions to entities, in this order; those without an entity become singletons."""

    def make(count: int) -> Document:
        entities = [(i, list(entity)) for i, entity in enumerate(document.entities)]
        for i, mention in new[:count]:
            if i is None:
                entities.append((0, [mention]))
            else:
                entities[i][1].append(mention)
        return rebuild(document, entities)

    return Changes(len(new), make)


def coreferent_entities(document: Document) -> list[int]:
    """The entities of two mentions or more; if there are none, all."""
    entities = document.entities
    return [i for i, entity in enumerate(entities) if len(entity) > 1] or list(range(len(entities)))


def _new_mentions(document: Document, draws: RandomDraws) -> list[Mention]:
    """Single words that are neither a mention nor the head of one, so that no matcher matches them."""
    heads = [mention.head for entity in document.entities for mention in entity]
    taken = {*heads, *draws.taken}  # a mention of one word has it for its head
    free = [word for sentence in document.sentences for word in plain_words(sentence) if word not in taken]
    return [Mention((word,), word) for word in draws.shuffled(free)[: len(heads)]]


def boundary(document: Document, draws: RandomDraws) -> Changes:
    """Extend or shorten mentions by a word at one end; the head stays inside.

    Zeros and discontinuous mentions are not changed. No new span equals another mention or crosses one of its entity.
    """
    nodes = TextOrder(document)
    spans = {mention.positions for entity in document.entities for mention in entity}
    nearby: dict[tuple[int, int], list[Mention]] = defaultdict(list)
    for i, entity in enumerate(document.entities):
        for mention in entity:
            nearby[i, mention.first >> SENTENCE_SHIFT].append(mention)
    replaced: list[Replacement] = []
    for (i, n), mention in draws.shuffled(numbered_mentions(document)):
        if mention.is_zero or not nodes.continuous(mention):
            continue
        others = nearby[i, mention.first >> SENTENCE_SHIFT]
        choices = [
            new
            for new in _moved_boundaries(mention, nodes)
            if new.positions not in spans and not any(nodes.clash(new, other) for other in others if other != mention)
        ]
        if choices:
            new = draws.pick(choices)
            replaced.append(((i, n), new))
            spans.add(new.positions)
            others.append(new)
    return replace_mentions(document, replaced)


def head(document: Document, draws: RandomDraws) -> Changes:
    """Make another word of a mention its head; zeros are not changed."""
    replaced = []
    for numbers, mention in draws.shuffled(numbered_mentions(document)):
        words = [word for word in dict.fromkeys(mention.positions) if is_word(word) and word != mention.head]
        if words and not mention.is_zero:
            replaced.append((numbers, mention._replace(head=draws.pick(words))))
    return replace_mentions(document, replaced)


def replace_mentions(document: Document, replaced: list[Replacement]) -> Changes:
    """Replace mentions, in this order."""

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        new_mentions: dict[Mention, Mention] = {}
        for (i, n), new in replaced[:count]:
            new_mentions[entities[i][n]] = new
            entities[i][n] = new
        return rebuild(document, enumerate(entities), lambda mention: new_mentions.get(mention, mention))

    return Changes(len(replaced), make)


def numbered_mentions(document: Document) -> list[tuple[tuple[int, int], Mention]]:
    """All mentions, each with the index of its entity and its own index in the entity."""
    return [((i, n), mention) for i, entity in enumerate(document.entities) for n, mention in enumerate(entity)]


def _next_word(order: Sequence[int], at: int, step: int) -> list[int]:
    """The index of the next word before or after another node; nothing if there is none."""
    indices = range(at + 1, len(order)) if step > 0 else range(min(at, len(order)) - 1, -1, -1)
    return [*islice((index for index in indices if is_word(order[index])), 1)]


def _moved_boundaries(mention: Mention, nodes: TextOrder) -> Iterator[Mention]:
    """The mention with its first or last word moved by one, outwards or inwards; empty nodes between go along."""
    order = nodes.of(mention.head)
    first = bisect_left(order, mention.first)
    last = first + mention.size - 1
    starts, ends = ([*_next_word(order, at, -1), *_next_word(order, at, 1)] for at in (first, last))
    for start, end in [(start, last) for start in starts] + [(first, end) for end in ends]:
        if start <= end and order[start] <= mention.head <= order[end]:
            yield mention._replace(positions=tuple(order[start : end + 1]))


Link = tuple[int, int]


def merge(document: Document, draws: RandomDraws) -> Changes:
    """Merge pairs of entities with two mentions or more, until one is left.

    Two entities whose mentions cross are not merged: one entity could not be written with both.
    """
    mergeable = [i for i in coreferent_entities(document) if len(document.entities[i]) > 1]
    groups = _MergedEntities(document)
    links = [link for link in draws.shuffled(_random_tree(mergeable, draws)) if groups.join(*link)]

    def make(count: int) -> Document:
        entities: dict[int, list[Mention]] = defaultdict(list)
        for i, root in _roots(range(len(document.entities)), links[:count]).items():
            entities[root] += document.entities[i]
        return rebuild(document, entities.items())

    return Changes(len(links), make)


def split(document: Document, draws: RandomDraws) -> Changes:
    """Cut links within entities, until every mention is a singleton."""
    links = [
        (i, link)
        for i, entity in enumerate(document.entities)
        for link in _random_tree(draws.shuffled(range(len(entity))), draws)
    ]
    links = draws.shuffled(links)

    def make(count: int) -> Document:
        left: dict[int, list[Link]] = defaultdict(list)
        for i, link in links[count:]:
            left[i].append(link)
        entities: list[NewEntity] = []
        for i, entity in enumerate(document.entities):
            pieces: dict[int, list[Mention]] = defaultdict(list)
            for n, root in _roots(range(len(entity)), left[i]).items():
                pieces[root].append(entity[n])
            entities += [(i, piece) for piece in pieces.values()]
        return rebuild(document, entities)

    return Changes(len(links), make)


def _roots(items: Sequence[int], links: Sequence[Link]) -> dict[int, int]:
    """The smallest item of each item's connected component.

    >>> _roots(range(5), [(3, 1), (4, 3)])
    {0: 0, 1: 1, 2: 2, 3: 1, 4: 1}
    """
    roots = {item: item for item in items}
    for component in components(links):
        linked = {item for n in component for item in links[n]}
        roots.update(dict.fromkeys(linked, min(linked)))
    return roots


def _random_tree(items: Sequence[int], draws: RandomDraws) -> list[Link]:
    """A random tree over the items: each but the first is linked to an earlier one."""
    return [(items[n], items[draws.below(n)]) for n in range(1, len(items))]


class _MergedEntities:
    """Groups of entities that are merged as long as their mentions do not clash."""

    def __init__(self, document: Document) -> None:
        self._nodes = TextOrder(document)
        self._group = list(range(len(document.entities)))
        self._members = [[i] for i in self._group]
        self._by_sentence: list[dict[int, list[Mention]]] = []
        for entity in document.entities:
            by_sentence: dict[int, list[Mention]] = defaultdict(list)
            for mention in entity:
                for sentence in {position >> SENTENCE_SHIFT for position in mention.positions}:
                    by_sentence[sentence].append(mention)
            self._by_sentence.append(by_sentence)

    def join(self, one: int, other: int) -> bool:
        """Merge the groups of two entities; False if their mentions clash."""
        large, small = self._group[one], self._group[other]
        if len(self._by_sentence[large]) < len(self._by_sentence[small]):
            large, small = small, large
        kept, moved = self._by_sentence[large], self._by_sentence[small]
        for sentence, mentions in moved.items():
            if any(starmap(self._nodes.clash, product(mentions, kept.get(sentence, ())))):
                return False
        for sentence, mentions in moved.items():
            kept[sentence] += mentions
        for i in self._members[small]:
            self._group[i] = large
        self._members[large] += self._members[small]
        return True
