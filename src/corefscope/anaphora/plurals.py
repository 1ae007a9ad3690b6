"""The relations of a document as measures ask for them: the leaves of plurals, the anchor of an anaphor.

Entities whose members are mentions and, for a plural, what stands for its split antecedents.

Members are any values that are equal, on one side and across both, where mentions are the same.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..core.document import Document, Entity, Mention, Relation, mention_order
from ..core.errors import InputError
from ..formats.relations import find_cycle

Name = Any
"""What an entity is called: its id, or its mentions if relations have no ids."""


class PluralEntity(NamedTuple):
    """An entity that has split antecedents."""

    name: Name
    mentions: Entity
    leaves: tuple[Entity, ...]
    """The elements, and instead of an element that is a plural itself its own."""


def plural_entities(document: Document) -> Iterator[PluralEntity]:
    """The plurals of a document in the order of its relations; InputError if one is an element of itself."""
    split = [relation for relation in document.relations if relation.kind == "split"]
    elements: dict[Name, dict[Name, Entity]] = {}
    mentions: dict[Name, Entity] = {}
    for relation in split:
        names: tuple[Name, ...] = relation.ids or (relation.anaphor, *relation.targets)
        name, *others = names
        mentions.setdefault(name, relation.anaphor)
        elements.setdefault(name, {}).update(zip(others, relation.targets, strict=True))
    _check_ends(elements, document)
    known: dict[Name, tuple[Entity, ...]] = {}
    for name, found in mentions.items():
        yield PluralEntity(name, found, _leaves(name, elements, known))


def _leaves(
    name: Name, elements: dict[Name, dict[Name, Entity]], known: dict[Name, tuple[Entity, ...]]
) -> tuple[Entity, ...]:
    """Level by level: elements first, then the elements of those that have some."""
    above = []
    while name not in known and len(elements[name]) == 1 and (only := next(iter(elements[name]))) in elements:
        above.append(name)  # it has the leaves of its only element
        name = only
    if name not in known:
        known[name] = tuple(_by_level(name, elements))
    known.update(dict.fromkeys(above, known[name]))
    return known[name]


def _by_level(name: Name, elements: dict[Name, dict[Name, Entity]]) -> Iterator[Entity]:
    waiting = deque([name])
    seen = {name}
    while waiting:
        for element, mentions in elements[waiting.popleft()].items():
            if element in elements and element not in seen:
                waiting.append(element)
                seen.add(element)
            elif element not in elements:
                yield mentions


def _check_ends(elements: dict[Name, dict[Name, Entity]], document: Document) -> None:
    if cycle := find_cycle(elements):
        name = cycle[0]
        mention = next(iter(elements[name].values()))[0]
        shown = f" {name!r}" if isinstance(name, str) else ""
        message = f"entity{shown} is an element of itself"
        hint = "a plural stands for other entities: break the circle of ElementOf, or of SplitAnte"
        raise InputError(message, path=document.path, line=document.line_of(mention.first), hint=hint)


def bridging_links(document: Document) -> Iterator[tuple[Mention, Mention]]:
    """The anaphor and the anchor of each link, in the order of the file."""
    for relation in document.relations:
        if relation.kind == "bridging":
            yield relation.anaphor[0], anchor_of(relation)


def anchor_of(relation: Relation) -> Mention:
    """The mention that an anaphor is linked to.

    Where a format names an entity, that is its last mention before the anaphor; if there is none, its first.
    """
    place, mentions = mention_order(relation.anaphor[0]), sorted(relation.targets[0], key=mention_order)
    return max((m for m in mentions if mention_order(m) < place), key=mention_order, default=mentions[0])


def non_referring(document: Document) -> Iterable[Entity]:
    """Expressions that do not refer, those of one id together."""
    return [relation.anaphor for relation in document.relations if relation.kind == "non-referring"]


def mentions_of(document: Document) -> list[Mention]:
    """All mentions of entities, then those of relations."""
    related = [entity for relation in document.relations for entity in (relation.anaphor, *relation.targets)]
    return [mention for entity in (*document.entities, *related) for mention in entity]


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
