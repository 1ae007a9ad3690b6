"""Relations on their way into a file: the ids that their entities have there, and what cannot be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.document import Document, Entity, Relation
from ..base.mention import Mention
from ..read.ua.markables import nearest
from .losses import Losses


def without_lost(document: Document, cannot_hold: Sequence[str], losses: Losses) -> Document:
    """The document without what a format has no place for, which is counted."""
    if "relations" in cannot_hold:
        losses.add("relations", sum(relation.kind != "non-referring" for relation in document.relations))
    if "non_referring" in cannot_hold:
        non_referring = [relation for relation in document.relations if relation.kind == "non-referring"]
        losses.add("non_referring", sum(len(relation.anaphor) for relation in non_referring))
    if "deixis" in cannot_hold and document.deixis:
        losses.add("deixis", sum(document.deixis.sizes))
        document = document._replace(deixis=None)
    return document


class EntityNames:
    """The ids that entities have in a file that is written."""

    def __init__(self, document: Document, ids: Sequence[str]) -> None:
        old = document.entity_ids or [""] * len(ids)
        self._by_id = {(entity[0], name): id_ for name, entity, id_ in zip(old, document.entities, ids, strict=True)}
        self._by_mention: dict[Mention, str] = {}
        self.entities: dict[str, Entity] = dict(zip(ids, document.entities, strict=True))
        for id_, entity in self.entities.items():
            for mention in entity:
                self._by_mention.setdefault(mention, id_)

    def add(self, id_: str, name: str, mentions: Entity) -> None:
        """One more entity, which is called so in the file that was read."""
        self.entities[id_] = mentions
        self._by_id[mentions[0], name] = id_
        for mention in mentions:
            self._by_mention.setdefault(mention, id_)

    def of(self, mentions: Entity, name: str = "") -> str:
        """The id of the entity that holds these mentions and was called so; empty if there is none."""
        for mention in mentions:
            id_ = self._by_id.get((mention, name)) or self._by_mention.get(mention)
            if id_:
                return id_
        return ""

    def sides(self, relation: Relation) -> tuple[str, list[str]]:
        """The ids of the anaphor's entity and of the targets."""
        names = relation.ids or ("",) * (len(relation.targets) + 1)
        targets = [self.of(*side) for side in zip(relation.targets, names[1:], strict=True)]
        return self.of(relation.anaphor, names[0]), targets


def elements(document: Document, names: EntityNames, losses: Losses) -> Iterator[tuple[str, str]]:
    """Plurals with each of their elements, by id, as far as both are written."""
    for relation in document.relations:
        if relation.kind == "split":
            plural, targets = names.sides(relation)
            for target in dict.fromkeys(targets):
                if plural and target and target != plural:
                    yield plural, target
                else:
                    losses.add("links")


def links(document: Document, names: EntityNames, losses: Losses) -> Iterator[tuple[Relation, str, str]]:
    """Bridging, with the ids of the entities of anaphor and anchor, as far as both are written."""
    for relation in document.relations:
        if relation.kind == "bridging":
            anaphor, (anchor, *_) = names.sides(relation)
            if anaphor and anchor:
                yield relation, anaphor, anchor
            else:
                losses.add("links")


def anchor_of(relation: Relation) -> Mention:
    """The mention that bridging leads to: if only an entity is named, the nearest one before the anaphor."""
    return nearest(relation.targets[0], relation.anaphor[0])
