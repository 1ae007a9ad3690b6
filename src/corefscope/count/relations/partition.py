"""Entities whose members are mentions and, for a plural, what stands for its split antecedents.

Members are any values that are equal, on one side and across both, where mentions are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any


class Plural(frozenset[Any]):
    """The pseudo-mention of a plural entity: its elements, each as a tuple of its mentions."""

    __slots__ = ()


class Partition:
    """One side. An entity has at most one plural among its members; a member in several belongs to the last."""

    def __init__(self, entities: Iterable[Sequence[Hashable]]) -> None:
        self.entities = list(entities)
        self.sizes = list(map(len, self.entities))
        self.owner = {member: i for i, entity in enumerate(self.entities) for member in entity}
        self.plurals: dict[int, Plural] = {
            i: member for i, entity in enumerate(self.entities) for member in entity if isinstance(member, Plural)
        }
        """By entity, in their order."""
        self._leaves: dict[Plural, Partition] = {}
        self._cuts: dict[Partition, list[Ownership]] = {}
        self._shared: dict[Partition, Counter[tuple[int, int]]] = {}

    def leaves(self, plural: Plural) -> Partition:
        """The elements of a plural as entities of their own; made once."""
        if plural not in self._leaves:
            self._leaves[plural] = type(self)(plural)
        return self._leaves[plural]

    @cached_property
    def holders(self) -> dict[Hashable, list[int]]:
        """The entities that each mention stands in."""
        holders: dict[Hashable, list[int]] = {}
        for i, entity in enumerate(self.entities):
            for member in dict.fromkeys(entity):
                holders.setdefault(member, []).append(i)
        return holders

    def cuts(self, other: Partition) -> list[Ownership]:
        """How the other side cuts each entity; made once."""
        if other not in self._cuts:
            owner = other.owner
            self._cuts[other] = [
                Ownership(*self._around(owner, entity)) if i in self.plurals else Ownership(_owners(owner, entity))
                for i, entity in enumerate(self.entities)
            ]
        return self._cuts[other]

    @staticmethod
    def _around(owner: Mapping[Hashable, int], entity: Sequence[Hashable]) -> tuple[Owners, Owners]:
        place = next(place for place, member in enumerate(entity) if isinstance(member, Plural))
        return _owners(owner, entity[:place]), _owners(owner, entity[place + 1 :])

    @staticmethod
    def touching(sides: Sequence[Partition], others: Sequence[Partition]) -> Iterator[list[int]]:
        """Of each of some small partitions, which of others may have something that is the same."""
        holding: dict[Hashable, list[int]] = {}
        for j, other in enumerate(others):
            for member in other.owner:
                holding.setdefault(member, []).append(j)
        for side in sides:
            yield sorted({j for member in side.owner for j in holding.get(member, ())})

    def shared_with(self, other: Partition) -> Counter[tuple[int, int]]:
        """How many mentions of each entity stand in each of the other side; plurals are left out. Counted once."""
        if other not in self._shared:
            self._shared[other] = self._count_shared(other)
        return self._shared[other]

    def _count_shared(self, other: Partition) -> Counter[tuple[int, int]]:
        return Counter(
            [
                (i, j)
                for i, entity in enumerate(self.entities)
                for member in entity
                if not isinstance(member, Plural)
                for j in other.holders.get(member, ())
            ]
        )


class Owners(dict[int, int]):
    """How many mentions each entity of the other side owns; 0 of one that is not there."""

    __slots__ = ()

    def __missing__(self, entity: int) -> int:
        return 0

    def add(self, entities: Iterable[tuple[int, int]]) -> Owners:
        """The same with as many more."""
        for entity, n in entities:
            self[entity] += n
        return self


class Ownership:
    """How many mentions of an entity each entity of the other side owns."""

    __slots__ = ("after", "before", "found")

    def __init__(self, before: Owners, after: Owners | None = None) -> None:
        """Of those before its plural, if it has one, and of those after it."""
        self.before, self.after = before, after or NONE
        self.found = Owners(before).add(after.items()) if after else before


NONE = Owners()


def _owners(owner: Mapping[Hashable, int], members: Sequence[Hashable]) -> Owners:
    return Owners().add([(owner[member], 1) for member in members if member in owner])


class Counterpart:
    """Which plurals of the other side stand for those of one side, and how well: from 0 to 1."""

    __slots__ = ("_weights",)

    def __init__(self, weights: Mapping[Plural, tuple[Plural, float]] | None = None) -> None:
        self._weights = weights or {}

    def of(self, plural: Plural, other: Partition) -> tuple[int, float] | None:
        """The entity of its counterpart and the weight; None if it has none."""
        if plural not in self._weights:
            return None
        counterpart, weight = self._weights[plural]
        return other.owner[counterpart], weight

    def found(self, plural: Plural, other: Partition) -> tuple[int, float] | None:
        """The same; a plural without counterpart is found as an equal plural."""
        itself = other.owner.get(plural)
        return self.of(plural, other) or (None if itself is None else (itself, 1.0))
