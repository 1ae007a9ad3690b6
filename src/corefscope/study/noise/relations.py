"""Noise in relations: bridging links, the elements of plurals, expressions that do not refer.

Identity stays as it is, but where mentions cease to refer, or begin to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.document import Document, Entity, Relation, changed_relations
from ...base.mention import Mention
from .changes import Changes, Draws, rebuilt
from .mentions import coreferent, numbered_mentions


class _Entities:
    """The entities of a document, as relations name them."""

    def __init__(self, document: Document) -> None:
        self._entities, self._ids = document.entities, document.entity_ids
        self.number_of = {mention: i for (i, _), mention in numbered_mentions(document)}
        entities = set(self._entities)
        links = [relation for relation in document.relations if relation.kind == "bridging"]
        self._whole = all(relation.targets[0] in entities for relation in links)

    def name(self, i: int) -> str:
        """The id of an entity."""
        return self._ids[i] if self._ids else ""

    def anchor(self, i: int, draws: Draws) -> Entity:
        """What a link to an entity names: the entity, or a mention of it where some link does."""
        return self._entities[i] if self._whole else (draws.pick(self._entities[i]),)

    def others(self, *taken: int | None) -> list[int]:
        """All but these."""
        return [i for i in range(len(self._entities)) if i not in taken]

    def link(self, anaphor: Mention, i: int, draws: Draws, label: str = "") -> Relation:
        """A bridging link to an entity."""
        own = self.number_of.get(anaphor)
        ids = (self.name(own), self.name(i)) if self._ids and own is not None else ()
        return Relation("bridging", (anaphor,), (self.anchor(i, draws),), label, ids)


def _numbered(document: Document, kind: str) -> list[tuple[int, Relation]]:
    return [(n, relation) for n, relation in enumerate(document.relations) if relation.kind == kind]


def _with(document: Document, replaced: Mapping[int, Relation | None], new: Sequence[Relation] = ()) -> Document:
    """The document with other relations in place of some; None for those that are gone."""
    relations = [replaced.get(n, relation) for n, relation in enumerate(document.relations)]
    return document._replace(relations=(*filter(None, relations), *new), official=None)


def bridging_drop(document: Document, draws: Draws) -> Changes:
    """Bridging links are left out."""
    order = draws.shuffled([n for n, _ in _numbered(document, "bridging")])
    return Changes(len(order), lambda count: _with(document, dict.fromkeys(order[:count])))


def bridging_add(document: Document, draws: Draws) -> Changes:
    """Mentions that are no bridging anaphors are linked to another entity: as many as there are links."""
    entities, links = _Entities(document), _numbered(document, "bridging")
    taken = {relation.anaphor[0] for _, relation in links}
    free = [mention for mention in dict.fromkeys(entities.number_of) if mention not in taken]
    new = [
        entities.link(mention, draws.pick(others), draws)
        for mention in draws.shuffled(free)[: len(links)]
        if (others := entities.others(entities.number_of[mention]))
    ]
    return Changes(len(new), lambda count: _with(document, {}, new[:count]))


def bridging_anchor(document: Document, draws: Draws) -> Changes:
    """Links lead to another entity, to which the anaphor has no link."""
    entities, links = _Entities(document), _numbered(document, "bridging")
    taken: dict[Mention, set[int | None]] = {}
    for _, relation in links:
        held = taken.setdefault(relation.anaphor[0], {entities.number_of.get(relation.anaphor[0])})
        held.update(map(entities.number_of.get, relation.targets[0]))
    replaced: dict[int, Relation | None] = {}
    for n, relation in draws.shuffled(links):
        anaphor = relation.anaphor[0]
        if others := entities.others(*taken[anaphor]):
            chosen = draws.pick(others)
            taken[anaphor].add(chosen)
            replaced[n] = entities.link(anaphor, chosen, draws, relation.label)
    order = list(replaced)
    return Changes(len(order), lambda count: _with(document, {n: replaced[n] for n in order[:count]}))


def element_drop(document: Document, draws: Draws) -> Changes:
    """Plurals lose elements; one without any is no plural."""
    plurals = _numbered(document, "split")
    order = draws.shuffled([(n, place) for n, relation in plurals for place in range(len(relation.targets))])

    def make(count: int) -> Document:
        gone = set(order[:count])
        replaced: dict[int, Relation | None] = {}
        for n, relation in plurals:
            kept = [place for place in range(len(relation.targets)) if (n, place) not in gone]
            ids = (relation.ids[0], *(relation.ids[place + 1] for place in kept)) if relation.ids else ()
            targets = tuple([relation.targets[place] for place in kept])
            replaced[n] = relation._replace(targets=targets, ids=ids) if kept else None
        return _with(document, replaced)

    return Changes(len(order), make)


def element_add(document: Document, draws: Draws) -> Changes:
    """Entities that are no plurals become elements of plurals: as many as there are elements."""
    entities, plurals = _Entities(document), _numbered(document, "split")
    singular = set(entities.others(*(entities.number_of.get(relation.anaphor[0]) for _, relation in plurals)))
    choices = [
        (n, i)
        for n, relation in plurals
        for i in sorted(singular.difference(entities.number_of.get(target[0]) for target in relation.targets))
    ]
    new = draws.shuffled(choices)[: sum(len(relation.targets) for _, relation in plurals)]

    def make(count: int) -> Document:
        replaced: dict[int, Relation | None] = dict(plurals)
        for n, i in new[:count]:
            relation = replaced[n]
            assert relation is not None
            ids = (*relation.ids, entities.name(i)) if relation.ids else ()
            replaced[n] = relation._replace(targets=(*relation.targets, document.entities[i]), ids=ids)
        return _with(document, replaced)

    return Changes(len(new), make)


def non_referring_add(document: Document, draws: Draws) -> Changes:
    """Mentions cease to refer: they leave entities and relations; as many as there are that do not refer."""
    nowhere = sum(len(relation.anaphor) for _, relation in _numbered(document, "non-referring"))
    order = draws.shuffled(list(dict.fromkeys(mention for _, mention in numbered_mentions(document))))[:nowhere]

    def make(count: int) -> Document:
        gone = set(order[:count])
        kept = [[mention for mention in entity if mention not in gone] for entity in document.entities]
        relations = changed_relations(document.relations, lambda mention: None if mention in gone else mention)
        names = [f"noise{n}-Pseudo" for n in range(1, count + 1)]
        new = [
            Relation("non-referring", (mention,), label=name, ids=(name,))
            for mention, name in zip(order[:count], names, strict=True)
        ]
        return rebuilt(document, enumerate(kept))._replace(relations=(*relations, *new))

    return Changes(len(order), make)


def non_referring_drop(document: Document, draws: Draws) -> Changes:
    """Expressions that do not refer join entities."""
    nowhere = [m for _, relation in _numbered(document, "non-referring") for m in relation.anaphor]
    targets = coreferent(document)
    joined = [(draws.pick(targets), mention) for mention in draws.shuffled(list(dict.fromkeys(nowhere))) if targets]

    def make(count: int) -> Document:
        entities = [list(entity) for entity in document.entities]
        for i, mention in joined[:count]:
            entities[i].append(mention)
        gone = {mention for _, mention in joined[:count]}
        relations = [
            relation.changed(lambda mention: None if mention in gone else mention)
            if relation.kind == "non-referring"
            else relation
            for relation in document.relations
        ]
        return rebuilt(document, enumerate(entities))._replace(relations=tuple(filter(None, relations)))

    return Changes(len(joined), make)
