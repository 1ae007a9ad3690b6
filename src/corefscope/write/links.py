"""``Bridge`` and ``SplitAnte`` of CorefUD, written from relations.

CorefUD names entities only: of an anchor its entity is written, and the anaphor is the mention of its entity that was
opened last at the word. What cannot be said so is counted.
"""

from __future__ import annotations

import re

from ..base.document import Document
from ..base.mention import Mention
from ..read.ua.markables import nearest
from .losses import Losses
from .relations import EntityNames, elements, links

UNUSABLE = re.compile(r"[\s|,<>]+")


def attributes(document: Document, ids: list[str], losses: Losses) -> dict[int, dict[str, str]]:
    """What stands in MISC of each position besides Entity, by the name of the attribute."""
    names = EntityNames(document, ids)
    written: dict[int, dict[str, str]] = {}

    def add(place: int, name: str, link: str) -> None:
        at_place = written.setdefault(place, {})
        at_place[name] = ",".join(filter(None, (at_place.get(name), link)))

    for relation, anaphor, anchor in links(document, names, losses):
        mention, target = relation.anaphor[0], names.entities[anchor]
        if anaphor == anchor or _opened_last(names.entities[anaphor], mention.first) != mention:
            losses.add("links")
            continue
        if len(relation.targets[0]) == 1 and nearest(target, mention) != relation.targets[0][0]:
            losses.add("anchors")
        label = UNUSABLE.sub("_", relation.label)
        add(mention.first, "Bridge", f"{anchor}<{anaphor}" + (f":{label}" if label else ""))
    for plural, element in elements(document, names, losses):
        add(names.entities[plural][0].first, "SplitAnte", f"{element}<{plural}")
    return written


def _opened_last(entity: tuple[Mention, ...], place: int) -> Mention:
    """Of the mentions of an entity that begin at a place, the one whose bracket comes last: that of the shortest."""
    return min([mention for mention in entity if mention.first == place], key=lambda mention: mention.runs[0][1])
