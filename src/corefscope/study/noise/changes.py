"""What all kinds of noise share: random draws, and a list of changes, of which a level makes the first so many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from ...base.document import Change, Document, Mention, mention_order

T = TypeVar("T")
Changed = tuple[int, Sequence[Mention]]
"""The entity of the document that an entity continues, and its mentions."""


class Draws:
    """The choices for one kind of noise in one document.

    All are made from ``Random.random``, the only method whose sequence Python promises to keep.

    >>> Draws(0, "drop", "doc").shuffled("abcdef")
    ['f', 'e', 'c', 'd', 'b', 'a']
    """

    def __init__(self, seed: int, kind: str, document: str) -> None:
        self._random = Random(f"{seed}-{kind}-{document}").random

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
    if new.entity_ids:
        new.entity_ids = _distinct(new.entity_ids, set(document.entity_ids))
    return new


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
