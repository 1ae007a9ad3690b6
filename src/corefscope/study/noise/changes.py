"""What all kinds of noise have in common: a list of changes, of which a level makes the first so many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ...base.document import Change, Document, Mention, mention_order

Changed = tuple[int, Sequence[Mention]]
"""The entity of the document that an entity continues, and its mentions."""


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
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    names = []
    for id_ in ids:
        name = id_
        while name in seen or (name in taken and name != id_):
            numbers[id_] = numbers.get(id_, 1) + 1
            name = f"{id_}x{numbers[id_]}"
        seen.add(name)
        names.append(name)
    return tuple(names)
