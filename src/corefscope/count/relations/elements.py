"""The relations of a document as measures ask for them: the leaves of plurals, the anchor of an anaphor."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...base.document import Document, Entity, Relation
from ...base.errors import InputError
from ...base.mention import Mention, mention_order
from ...read.plurals import find_cycle

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
