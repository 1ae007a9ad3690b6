"""Entities whose members are mentions and, for a plural, what stands for its split antecedents.

Members are any values that are equal, on one side and across both, where mentions are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from ...base.annotations import Any


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

    def leaves(self, plural: Plural) -> Partition:
        """The elements of a plural as entities of their own."""
        return type(self)(plural)

    @cached_property
    def holders(self) -> dict[Hashable, list[int]]:
        """The entities that each mention stands in."""
        holders: dict[Hashable, list[int]] = {}
        for i, entity in enumerate(self.entities):
            for member in dict.fromkeys(entity):
                holders.setdefault(member, []).append(i)
        return holders

    def found_in(self, other: Partition, members: Iterable[Hashable]) -> Counter[int]:
        """How many of some mentions each entity of the other side owns; plurals are left out."""
        owner = other.owner
        return Counter([owner[m] for m in members if m in owner and not isinstance(m, Plural)])

    def shared_with(self, other: Partition) -> Counter[tuple[int, int]]:
        """How many mentions of each entity stand in each of the other side; plurals are left out."""
        return Counter(
            [
                (i, j)
                for i, entity in enumerate(self.entities)
                for member in entity
                if not isinstance(member, Plural)
                for j in other.holders.get(member, ())
            ]
        )


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
