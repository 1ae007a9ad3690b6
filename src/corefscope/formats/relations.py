"""Relations as formats write them: plurals with their elements, never their own; anchors of bridging."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from ..core.document import Entity, Mention, Relation, mention_order

Name = TypeVar("Name", bound=Hashable)
Value = TypeVar("Value")


def find_cycle(elements: Mapping[str, Iterable[str]]) -> list[str]:
    """Plurals of which each has the next as an element, and the last the first; empty if there is no cycle.

    >>> find_cycle({"a": ["b"], "b": ["c"]}), find_cycle({"a": ["b"], "b": ["a"]})
    ([], ['a', 'b'])
    """
    done: set[str] = set()
    for start in elements:
        path: dict[str, Iterator[str]] = {start: iter(elements[start])} if start not in done else {}
        while path:
            latest = next(reversed(path))
            element = next(path[latest], None)
            if element is None:
                done.add(latest)
                del path[latest]
            elif element in path:
                names = list(path)
                return names[names.index(element) :]
            elif element in elements and element not in done:
                path[element] = iter(elements[element])
    return []


def described(cycle: list[str]) -> str:
    """A cycle in words, from the first plural over those it is an element of back to itself.

    >>> described(["a", "b"])
    'a of b of a'
    """
    return " of ".join([cycle[0], *reversed(cycle)])


def leaves(plural: Name, elements: Mapping[Name, Mapping[Name, Value]]) -> Iterator[tuple[Name, Value]]:
    """The elements of a plural, level by level; an element that is a plural is replaced by its own.

    >>> list(leaves("a", {"a": {"b": 1, "c": 2}, "b": {"d": 3}}))
    [('c', 2), ('d', 3)]
    """
    waiting, queued = deque([plural]), {plural}
    while waiting:
        for element, value in elements[waiting.popleft()].items():
            if element not in elements:
                yield element, value
            elif element not in queued:
                waiting.append(element)
                queued.add(element)


def split_relations(elements: Mapping[str, Iterable[str]], entities: Mapping[str, Entity]) -> list[Relation]:
    """A relation for each plural entity with its elements."""
    return [
        Relation("split", entities[plural], tuple([entities[id_] for id_ in parts]), "", (plural, *parts))
        for plural in entities
        if (parts := elements.get(plural))
    ]


def nearest(entity: Entity, anaphor: Mention) -> Mention:
    """The last mention of an entity before the anaphor; the first if there is none."""
    place = mention_order(anaphor)
    return max((m for m in entity if mention_order(m) < place), key=mention_order, default=entity[0])


def anchor_of(relation: Relation) -> Mention:
    """The mention that an anaphor is linked to; of an entity, the nearest before it."""
    return nearest(tuple(sorted(relation.targets[0], key=mention_order)), relation.anaphor[0])
