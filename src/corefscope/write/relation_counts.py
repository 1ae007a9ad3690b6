"""How many relations a document has, and of which kind."""

from __future__ import annotations

from collections import Counter

from ..base.document import Document, Entity, Relation
from ..base.mention import Mention, mention_order
from .ids import ids_of
from .relations import EntityNames

LABELS = {
    "bridging_anaphors": "bridging anaphors",
    "anaphors_not_first": "  not the first of their entity",
    "anaphors_in_singletons": "  in a singleton",
    "bridging_links": "bridging links",
    "anchors_in_singletons": "  to a singleton",
    "anchors_after": "  to nothing before the anaphor",
    "plurals": "plurals (split antecedents)",
    "elements": "  elements",
    "elements_in_singletons": "    singletons",
    "elements_after": "    only after the plural",
    "non_referring": "non-referring mentions",
    "deixis_entities": "entities of discourse deixis",
    "deixis_mentions": "  mentions",
}
"""What is counted, and how people call it; mentions and entities are those of the document as it is read."""


def relation_counts(document: Document) -> Counter[str]:
    """What there is besides identity; nothing that is 0."""
    counts: Counter[str] = Counter()
    names = EntityNames(document, [f"{number} {id_}" for number, id_ in enumerate(ids_of(document))])
    anaphors: dict[tuple[Mention, str], Entity] = {}
    for relation in document.relations:
        if relation.kind == "non-referring":
            counts["non_referring"] += len(relation.anaphor)
            continue
        own, *targets = _entities(relation, names)
        if relation.kind == "split":
            counts["plurals"] += 1
            counts["elements"] += len(targets)
            counts["elements_in_singletons"] += sum(len(target) == 1 for target in targets)
            counts["elements_after"] += sum(_after(target, own[0]) for target in targets)
        else:
            anaphors[relation.anaphor[0], (relation.ids or ("",))[0]] = own
            counts["bridging_links"] += 1
            counts["anchors_in_singletons"] += len(targets[0]) == 1
            counts["anchors_after"] += _after(targets[0], relation.anaphor[0])
    counts["bridging_anaphors"] = len(anaphors)
    counts["anaphors_not_first"] = sum(entity[0] != mention for (mention, _), entity in anaphors.items())
    counts["anaphors_in_singletons"] = sum(len(entity) == 1 for entity in anaphors.values())
    if document.deixis:
        counts["deixis_entities"] = len(document.deixis.entities)
        counts["deixis_mentions"] = sum(document.deixis.sizes)
    return +counts


def _entities(relation: Relation, names: EntityNames) -> list[Entity]:
    """The entities of the anaphor and of the targets; what is in none is one of its own."""
    anaphor, targets = names.sides(relation)
    sides = [relation.anaphor, *relation.targets]
    return [names.entities.get(id_, mentions) for id_, mentions in zip([anaphor, *targets], sides, strict=True)]


def _after(target: Entity, anaphor: Mention) -> bool:
    """Whether no mention of a target comes before the anaphor."""
    return bool(mention_order(target[0]) > mention_order(anaphor))
