"""Relations of a document, and its entities as a partition in which plurals have pseudo-mentions.

A plural entity represents several others, its elements (split antecedents). Members of a partition are any hashable
values that are equal, on one side and across both, where mentions are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..core.document import Document, Entity, Mention
from ..core.errors import InputError
from ..formats.relations import anchor_of, find_cycle, leaves

Name = Any
"""Name of an entity: its id, or its mentions if relations have no ids."""


class PluralEntity(NamedTuple):
    """An entity that has split antecedents."""

    name: Name
    mentions: Entity
    leaves: tuple[Entity, ...]
    """The elements; an element that is a plural itself is replaced by its own elements."""


def plural_entities(document: Document) -> Iterator[PluralEntity]:
    """The plurals of a document in the order of its relations; InputError if one is an element of itself."""
    elements: dict[Name, dict[Name, Entity]] = {}
    mentions: dict[Name, Entity] = {}
    for relation in document.relations:
        if relation.kind == "split":
            names: tuple[Name, ...] = relation.ids or (relation.anaphor, *relation.targets)
            name, *others = names
            mentions.setdefault(name, relation.anaphor)
            elements.setdefault(name, {}).update(zip(others, relation.targets, strict=True))
    if cycle := find_cycle(elements):
        name = cycle[0]
        place = next(iter(elements[name].values()))[0].first
        message = f"entity{f' {name!r}' if isinstance(name, str) else ''} is an element of itself"
        hint = "a plural cannot contain itself: break the cycle of ElementOf, or of SplitAnte"
        raise InputError(message, path=document.path, line=document.line_of(place), hint=hint)
    known: dict[Name, tuple[Entity, ...]] = {}
    for name, found in mentions.items():
        yield PluralEntity(name, found, _leaves(name, elements, known))


def _leaves(
    name: Name, elements: dict[Name, dict[Name, Entity]], known: dict[Name, tuple[Entity, ...]]
) -> tuple[Entity, ...]:
    """Elements level by level; chains of plurals with a single element share one result."""
    above = []
    while name not in known and len(elements[name]) == 1 and (only := next(iter(elements[name]))) in elements:
        above.append(name)
        name = only
    if name not in known:
        known[name] = tuple([mentions for _, mentions in leaves(name, elements)])
    known.update(dict.fromkeys(above, known[name]))
    return known[name]


def bridging_links(document: Document) -> Iterator[tuple[Mention, Mention]]:
    """The anaphor and the anchor of each link, in the order of the file."""
    for relation in document.relations:
        if relation.kind == "bridging":
            yield relation.anaphor[0], anchor_of(relation)


def non_referring(document: Document) -> list[Entity]:
    """Expressions that do not refer, those of one id together."""
    return [relation.anaphor for relation in document.relations if relation.kind == "non-referring"]


def mentions_of(document: Document) -> list[Mention]:
    """All mentions of entities, then those of relations."""
    related = [entity for relation in document.relations for entity in (relation.anaphor, *relation.targets)]
    return [mention for entity in (*document.entities, *related) for mention in entity]


class Plural(frozenset[Any]):
    """The pseudo-mention of a plural entity: its elements, each as a tuple of its mentions."""

    __slots__ = ()


class MentionOwners(NamedTuple):
    """Numbers of mentions of one entity by their owners, the entities of the other side."""

    whole: Counter[int]
    before: Counter[int]
    """Of the mentions before its plural only; of an entity without plural, of all mentions."""
    after: Counter[int]
    """Of the mentions after its plural."""


class Partition:
    """Entities of one side, at most one plural in each; a member of several entities belongs to the last."""

    def __init__(self, entities: Iterable[Sequence[Hashable]]) -> None:
        self.entities: list[Sequence[Hashable]] = list(entities)
        self.sizes: list[int] = list(map(len, self.entities))
        self.owner: dict[Hashable, int] = {member: i for i, entity in enumerate(self.entities) for member in entity}
        self.plurals: dict[int, Plural] = {
            i: member for i, entity in enumerate(self.entities) for member in entity if isinstance(member, Plural)
        }
        """By entity, in their order."""
        self._leaves: dict[Plural, Partition] = {}
        self._owners: dict[Partition, list[MentionOwners]] = {}
        self._shared: dict[Partition, Counter[tuple[int, int]]] = {}

    def leaves(self, plural: Plural) -> Partition:
        """The elements of a plural as entities of their own (cached)."""
        if plural not in self._leaves:
            self._leaves[plural] = type(self)(plural)
        return self._leaves[plural]

    @cached_property
    def holders(self) -> dict[Hashable, list[int]]:
        """The entities of each mention."""
        holders: dict[Hashable, list[int]] = {}
        for i, entity in enumerate(self.entities):
            for member in dict.fromkeys(entity):
                holders.setdefault(member, []).append(i)
        return holders

    def owners(self, other: Partition) -> list[MentionOwners]:
        """The owners of the mentions of each entity (cached)."""
        if other not in self._owners:
            owner = other.owner
            self._owners[other] = []
            for i, entity in enumerate(self.entities):
                place = entity.index(self.plurals[i]) if i in self.plurals else len(entity)
                before, after = (
                    Counter([owner[member] for member in part if member in owner])
                    for part in (entity[:place], entity[place + 1 :])
                )
                self._owners[other].append(MentionOwners(before + after if after else before, before, after))
        return self._owners[other]

    @staticmethod
    def touching(sides: Sequence[Partition], others: Sequence[Partition]) -> Iterator[list[int]]:
        """For each of some small partitions, the numbers of the others that may share a member with it."""
        holding: dict[Hashable, list[int]] = {}
        for j, other in enumerate(others):
            for member in other.owner:
                holding.setdefault(member, []).append(j)
        for side in sides:
            yield sorted({j for member in side.owner for j in holding.get(member, ())})

    def shared_with(self, other: Partition) -> Counter[tuple[int, int]]:
        """Number of mentions that entities of both sides share, plurals excluded (cached)."""
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


class PluralMap:
    """Plurals of one side with their counterparts on the other side, and weights from 0 to 1."""

    def __init__(self, weights: Mapping[Plural, tuple[Plural, float]] | None = None) -> None:
        self._weights = weights or {}

    def partner(self, plural: Plural, other: Partition) -> tuple[int, float] | None:
        """The entity of its counterpart and the weight; None if it has none."""
        if plural not in self._weights:
            return None
        counterpart, weight = self._weights[plural]
        return other.owner[counterpart], weight

    def partner_or_equal(self, plural: Plural, other: Partition) -> tuple[int, float] | None:
        """Entity and weight of its counterpart; without one, the entity of an equal plural, with weight 1."""
        equal = other.owner.get(plural)
        return self.partner(plural, other) or (None if equal is None else (equal, 1.0))
