"""Noise in which mentions belong together: merged and split entities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product, starmap

from ...base.components import components
from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import SENTENCE_SHIFT
from .changes import Changed, Changes, Draws, TextOrder, rebuilt
from .mentions import coreferent

Link = tuple[int, int]


def merge(document: Document, draws: Draws) -> Changes:
    """Entities of two mentions or more are merged two by two, until one is left.

    Two entities are not merged if one entity could not be written with the mentions of both, because they cross.
    """
    mergeable = [i for i in coreferent(document) if len(document.entities[i]) > 1]
    groups = _Groups(document)
    links = [link for link in draws.shuffled(_tree(mergeable, draws)) if groups.join(*link)]

    def make(count: int) -> Document:
        entities: dict[int, list[Mention]] = defaultdict(list)
        for i, root in _roots(range(len(document.entities)), links[:count]).items():
            entities[root] += document.entities[i]
        return rebuilt(document, entities.items())

    return Changes(len(links), make)


def split(document: Document, draws: Draws) -> Changes:
    """Links within entities are cut, until every mention stands alone."""
    links = [
        (i, link)
        for i, entity in enumerate(document.entities)
        for link in _tree(draws.shuffled(range(len(entity))), draws)
    ]
    links = draws.shuffled(links)

    def make(count: int) -> Document:
        left: dict[int, list[Link]] = defaultdict(list)
        for i, link in links[count:]:
            left[i].append(link)
        entities: list[Changed] = []
        for i, entity in enumerate(document.entities):
            pieces: dict[int, list[Mention]] = defaultdict(list)
            for n, root in _roots(range(len(entity)), left[i]).items():
                pieces[root].append(entity[n])
            entities += [(i, piece) for piece in pieces.values()]
        return rebuilt(document, entities)

    return Changes(len(links), make)


def _roots(items: Sequence[int], links: Sequence[Link]) -> dict[int, int]:
    """For each item the least item that it is linked to, directly or not.

    >>> _roots(range(5), [(3, 1), (4, 3)])
    {0: 0, 1: 1, 2: 2, 3: 1, 4: 1}
    """
    roots = {item: item for item in items}
    for component in components(links):
        linked = {item for n in component for item in links[n]}
        roots.update(dict.fromkeys(linked, min(linked)))
    return roots


def _tree(items: Sequence[int], draws: Draws) -> list[Link]:
    """Links that join all items: each but the first to one before it."""
    return [(items[n], items[draws.below(n)]) for n in range(1, len(items))]


class _Groups:
    """Entities that are merged as long as their mentions can stand side by side."""

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
        """Merge the groups of two entities; False if they clash."""
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
