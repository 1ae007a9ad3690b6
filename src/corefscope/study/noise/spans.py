"""Noise in where mentions begin and end, and which word is their head."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from ...base.document import Document, Mention
from ...base.positions import SENTENCE_SHIFT
from .changes import Changes, Draws, rebuilt
from .text import TextOrder, is_word

Replacement = tuple[tuple[int, int], Mention]
"""The number of an entity and that of a mention in it, and what is to stand there."""


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
            nearby[i, mention.positions[0] >> SENTENCE_SHIFT].append(mention)
    replaced: list[Replacement] = []
    for (i, n), mention in draws.shuffled(numbered_mentions(document)):
        if mention.is_zero or not nodes.continuous(mention):
            continue
        others = nearby[i, mention.positions[0] >> SENTENCE_SHIFT]
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


def _moved(mention: Mention, nodes: TextOrder) -> Iterator[Mention]:
    """The mention with its first or last word moved by one, outwards or inwards; empty nodes between go along."""
    order = nodes.of(mention.head)
    words = [n for n, position in enumerate(order) if is_word(position)]
    first = bisect_left(order, mention.positions[0])
    last = first + len(mention.positions) - 1
    starts = [n for n in words if n < first][-1:] + [n for n in words if n > first][:1]
    ends = [n for n in words if n < last][-1:] + [n for n in words if n > last][:1]
    for start, end in [(start, last) for start in starts] + [(first, end) for end in ends]:
        if start <= end and order[start] <= mention.head <= order[end]:
            yield mention._replace(positions=tuple(order[start : end + 1]))
