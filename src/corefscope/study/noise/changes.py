"""What all kinds of noise share: random draws, a list of changes, and what they need to know of the text.

A level makes the first so many of the changes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from ...base.document import Change, Document, Sentence
from ...base.mention import Mention, mention_order, same_words
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT

T = TypeVar("T")
Changed = tuple[int, Sequence[Mention]]
"""The entity of the document that an entity continues, and its mentions."""


class Draws:
    """The choices for one kind of noise in one document.

    All are made from ``Random.random``, the only method whose sequence Python promises to keep.

    >>> Draws(0, "drop", "doc").shuffled("abcdef")
    ['f', 'e', 'c', 'd', 'b', 'a']
    """

    def __init__(self, seed: int, kind: str, document: str, taken: Iterable[int] = ()) -> None:
        """``taken`` are words that are no free words besides those of the document's mentions."""
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
    """How many there are: what 100 % makes."""
    make: Callable[[int], Document]
    """The document with the first so many of them made."""


class NoisePlan(NamedTuple):
    """Changes to one document by level; a higher level makes all changes of a lower one, and more."""

    document: Document
    changes: Changes
    rounding: int
    """0 to 99, drawn: how fractions of a change are rounded, so that short documents get their share as well."""

    def changes_at(self, level: int) -> int:
        """How many changes a level makes; 0 makes none, 100 all.

        >>> [NoisePlan(None, Changes(4, None), 50).changes_at(level) for level in (0, 10, 20, 50, 100)]
        [0, 0, 1, 2, 4]
        """
        return (self.changes.total * level + self.rounding) // 100

    def at(self, level: int) -> Document:
        """The document with as much noise as ``level`` says, in percent."""
        count = self.changes_at(level)
        return self.changes.make(count) if count else self.document


def rebuilt(document: Document, entities: Iterable[Changed], change: Change | None = None) -> Document:
    """The document with other entities, in canonical order; ``change`` says what has become of mentions.

    Entities without mentions are gone. Of several that continue the same one, the first keeps its name.
    """
    rows = [(origin, tuple(sorted(mentions, key=mention_order))) for origin, mentions in entities if mentions]
    rows.sort(key=lambda row: mention_order(row[1][0]))
    new = document.replace_entities([origin for origin, _ in rows], tuple(mentions for _, mentions in rows), change)
    return new._replace(entity_ids=_distinct(new.entity_ids, set(document.entity_ids)))


def _distinct(ids: tuple[str, ...], taken: set[str]) -> tuple[str, ...]:
    """New names for those that come again, made from the old ones.

    >>> _distinct(("e1", "e1", "e2", "e1"), {"e1", "e2", "e1x2"})
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
        """Whether brackets of one entity cannot tell the two apart: they are the same, cross, or are interlaced."""
        first, last = one.first, one.last
        start, end = other.first, other.last
        if last < start or end < first:
            return False
        if same_words(one) == same_words(other) or not (self.continuous(one) and self.continuous(other)):
            return True
        return not (first <= start and end <= last) and not (start <= first and last <= end)
