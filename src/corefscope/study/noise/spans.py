"""Noise in where mentions begin and end, and which word is their head."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from ...base.document import Document, Mention
from ...base.positions import SENTENCE_SHIFT
from .changes import Changes, rebuilt
from .draws import Draws
from .text import TextOrder, is_word

Place = tuple[int, int]
"""Of a mention: the number of its entity, and its own number in there."""


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
    replaced: list[tuple[Place, Mention]] = []
    for place in draws.shuffled(_places(document)):
        mention = document.entities[place[0]][place[1]]
        if mention.is_zero or not nodes.continuous(mention):
            continue
        others = nearby[place[0], mention.positions[0] >> SENTENCE_SHIFT]
        choices = [
            new
            for new in _moved(mention, nodes)
            if new.positions not in spans and not any(nodes.clash(new, other) for other in others if other != mention)
        ]
        if choices:
            new = draws.pick(choices)
            replaced.append((place, new))
            spans.add(new.positions)
            others.append(new)
    return replacing(document, replaced)


def head(document: Document, draws: Draws) -> Changes:
    """Mentions of several words get another of them as head; zeros stay as they are."""
    replaced = []
    for place in draws.shuffled(_places(document)):
        mention = document.entities[place[0]][place[1]]
        words = [word for word in dict.fromkeys(mention.positions) if is_word(word) and word != mention.head]
        if words and not mention.is_zero:
            replaced.append((place, mention._replace(head=draws.pick(words))))
    return replacing(document, replaced)


def replacing(document: Document, replaced: list[tuple[Place, Mention]]) -> Changes:
    """Some mentions become others, in this order."""

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        new_mentions: dict[Mention, Mention] = {}
        for (i, at), new in replaced[:count]:
            new_mentions[entities[i][at]] = new
            entities[i][at] = new
        return rebuilt(document, enumerate(entities), lambda mention: new_mentions.get(mention, mention))

    return Changes(len(replaced), make)


def _places(document: Document) -> list[Place]:
    return [(i, at) for i, entity in enumerate(document.entities) for at in range(len(entity))]


def _moved(mention: Mention, nodes: TextOrder) -> Iterator[Mention]:
    """The mention with its first or last word moved by one, outwards or inwards; empty nodes between go along."""
    order = nodes.of(mention.head)
    words = [at for at, place in enumerate(order) if is_word(place)]
    first = bisect_left(order, mention.positions[0])
    last = first + len(mention.positions) - 1
    starts = [at for at in words if at < first][-1:] + [at for at in words if at > first][:1]
    ends = [at for at in words if at < last][-1:] + [at for at in words if at > last][:1]
    for start, end in [(start, last) for start in starts] + [(first, end) for end in ends]:
        if start <= end and order[start] <= mention.head <= order[end]:
            yield mention._replace(positions=tuple(order[start : end + 1]))
