"""Noise in which mentions there are: dropped ones and spurious ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from ...base.document import Document, Mention
from .changes import Changed, Changes, Draws, rebuilt
from .text import plain_words


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
    new = _new_mentions(document, draws)

    def make(count: int) -> Document:
        old: list[Changed] = list(enumerate(document.entities))
        return rebuilt(document, old + [(0, (mention,)) for mention in new[:count]])

    return Changes(len(new), make)


def joining(document: Document, new: Sequence[tuple[int, Mention]]) -> Changes:
    """New mentions join entities, in this order."""

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        for i, mention in new[:count]:
            entities[i].append(mention)
        return rebuilt(document, enumerate(entities))

    return Changes(len(new), make)


def coreferent(document: Document) -> list[int]:
    """The entities of two mentions or more; if there are none, all."""
    entities = document.entities
    return [i for i, entity in enumerate(entities) if len(entity) > 1] or list(range(len(entities)))


def _new_mentions(document: Document, draws: Draws) -> list[Mention]:
    """Single words that are neither a mention nor the head of one, so that no way of matching takes them for one."""
    heads = [mention.head for entity in document.entities for mention in entity]
    taken = set(heads)  # a mention of one word has it for its head
    free = [word for sentence in document.sentences for word in plain_words(sentence) if word not in taken]
    return [Mention((word,), word) for word in draws.shuffled(free)[: len(heads)]]
