"""Noise in mentions: dropped and spurious ones, and those with other boundaries or another head."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import SENTENCE_SHIFT
from .changes import Changes, Draws, TextOrder, is_word, plain_words, rebuilt

Replacement = tuple[tuple[int, int], Mention]
"""The number of an entity and that of a mention in it, and what is to stand there."""


def drop(document: Document, draws: Draws) -> Changes:
    """Mentions are left out, each as likely as any other."""
    return dropping(document, chain.from_iterable(document.entities), draws)


def dropping(document: Document, droppable: Iterable[Mention], draws: Draws) -> Changes:
    """Some mentions may be left out; an entity that loses all of its own is gone."""
    order = draws.shuffled(list(dict.fromkeys(droppable)))

    def make(count: int) -> Document:
        gone = set(order[:count])
        kept = ([mention for mention in entity if mention not in gone] for entity in document.entities)
        return rebuilt(document, enumerate(kept), lambda mention: None if mention in gone else mention)

    return Changes(len(order), make)


def spurious(document: Document, draws: Draws) -> Changes:
    """Words that are no mention join entities: as many as there are mentions, if there are as many words."""
    new = _new_mentions(document, draws)
    targets = coreferent(document)
    return joining(document, [(draws.pick(targets), mention) for mention in new])


def spurious_singletons(document: Document, draws: Draws) -> Changes:
    """The same, but every spurious mention is an entity of its own."""
    return joining(document, [(None, mention) for mention in _new_mentions(document, draws)])


def joining(document: Document, new: Sequence[tuple[int | None, Mention]]) -> Changes:
    """New mentions join entities, in this order; without an entity to join, they are entities of their own."""

    def make(count: int) -> Document:
        entities = [(i, list(entity)) for i, entity in enumerate(document.entities)]
        for i, mention in new[:count]:
            if i is None:
                entities.append((0, [mention]))
            else:
                entities[i][1].append(mention)
        return rebuilt(document, entities)

    return Changes(len(new), make)


def coreferent(document: Document) -> list[int]:
    """The entities of two mentions or more; if there are none, all."""
    entities = document.entities
    return [i for i, entity in enumerate(entities) if len(entity) > 1] or list(range(len(entities)))


def _new_mentions(document: Document, draws: Draws) -> list[Mention]:
    """Single words that are neither a mention nor the head of one, so that no way of matching takes them for one."""
    heads = [mention.head for entity in document.entities for mention in entity]
    taken = {*heads, *draws.taken}  # a mention of one word has it for its head
    free = [word for sentence in document.sentences for word in plain_words(sentence) if word not in taken]
    return [Mention((word,), word) for word in draws.shuffled(free)[: len(heads)]]


def boundary(document: Document, draws: Draws) -> Changes:
    """Mentions get a word too many or too few at one end; the head stays in.

    Zeros and discontinuous mentions stay as they are. No new span is that of another mention, or crosses one of the
    same entity.
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
            for new in _moved(mention, nodes)
            if new.positions not in spans and not any(nodes.clash(new, other) for other in others if other != mention)
        ]
        if choices:
            new = draws.pick(choices)
            replaced.append(((i, n), new))
            spans.add(new.positions)
            others.append(new)
    return replacing(document, replaced)


def head(document: Document, draws: Draws) -> Changes:
    """Mentions of several words get another of them as head; zeros stay as they are."""
    replaced = []
    for numbers, mention in draws.shuffled(numbered_mentions(document)):
        words = [word for word in dict.fromkeys(mention.positions) if is_word(word) and word != mention.head]
        if words and not mention.is_zero:
            replaced.append((numbers, mention._replace(head=draws.pick(words))))
    return replacing(document, replaced)


def replacing(document: Document, replaced: list[Replacement]) -> Changes:
    """Some mentions become others, in this order."""

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        new_mentions: dict[Mention, Mention] = {}
        for (i, n), new in replaced[:count]:
            new_mentions[entities[i][n]] = new
            entities[i][n] = new
        return rebuilt(document, enumerate(entities), lambda mention: new_mentions.get(mention, mention))

    return Changes(len(replaced), make)


def numbered_mentions(document: Document) -> list[tuple[tuple[int, int], Mention]]:
    """All mentions, each with the number of its entity and its own number in there."""
    return [((i, n), mention) for i, entity in enumerate(document.entities) for n, mention in enumerate(entity)]


def _next_word(order: Sequence[int], at: int, step: int) -> list[int]:
    """The index of the next word before or after another node; nothing if there is none."""
    indices = range(at + 1, len(order)) if step > 0 else range(min(at, len(order)) - 1, -1, -1)
    return [*islice((index for index in indices if is_word(order[index])), 1)]


def _moved(mention: Mention, nodes: TextOrder) -> Iterator[Mention]:
    """The mention with its first or last word moved by one, outwards or inwards; empty nodes between go along."""
    order = nodes.of(mention.head)
    first = bisect_left(order, mention.first)
    last = first + mention.size - 1
    starts, ends = ([*_next_word(order, at, -1), *_next_word(order, at, 1)] for at in (first, last))
    for start, end in [(start, last) for start in starts] + [(first, end) for end in ends]:
        if start <= end and order[start] <= mention.head <= order[end]:
            yield mention._replace(positions=tuple(order[start : end + 1]))
