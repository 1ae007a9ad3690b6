"""The relations of a document for the page: which mention is linked to which, and which errors are about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ...base.document import Document, Relation
from ...base.mention import Mention
from ...count.relations.elements import anchor_of
from ...study.faults.examine import Findings
from ...study.faults.taxonomy import Fault
from .chains import Chains
from .layers import DEIXIS, IDENTITY, NON_REFERRING, UNSCORED

About = dict[tuple[str, Mention], list[tuple[int, Sequence[Mention]]]]
"""By kind of relation and anaphor, the numbers of errors, and the targets that each is about."""


def has_relations(findings: Findings) -> bool:
    """Whether the key or the response has any."""
    return any(side.document.relations for side in (findings.key, findings.response))


def kinds_of(findings: Findings) -> set[str]:
    """The kinds of relations of key and response, discourse deixis among them."""
    documents = findings.key.document, findings.response.document
    kinds = {relation.kind for document in documents for relation in document.relations}
    return kinds | {DEIXIS} if any(document.deixis for document in documents) else kinds


def relation_rows(findings: Findings, faults: Sequence[Fault], sides: tuple[Chains, Chains]) -> list[list[Any]]:
    """The relations of the key, and of the response; mentions that no chain has get one of their own.

    ``faults`` are those of the page, in its order.
    """
    about: tuple[About, About] = defaultdict(list), defaultdict(list)
    for number, fault in enumerate(faults):
        if fault.relation:
            for mention in fault.key:
                about[0][fault.relation, mention].append((number, fault.key_targets))
            for mention in fault.response:
                about[1][fault.relation, mention].append((number, fault.response_targets))
    documents = findings.key.document, findings.response.document
    return [_Rows(*side).of() for side in zip(documents, sides, about, strict=True)]


def fault_places(fault: Fault, key: Chains, response: Chains) -> list[list[int]]:
    """The mentions of a fault on the page; those of relations are there in any case."""
    layer = {"": IDENTITY, DEIXIS: DEIXIS, NON_REFERRING: NON_REFERRING}.get(fault.relation, UNSCORED)
    sides = (key, fault.key, fault.key_entity), (response, fault.response, fault.response_entity)
    if layer in (IDENTITY, DEIXIS):
        found = [[chains.find(mention, name, layer) for mention in mentions] for chains, mentions, name in sides]
    else:
        found = [[chains.place(mention, layer) for mention in mentions] for chains, mentions, _ in sides]
    return [[entry for entry in side if entry >= 0] for side in found]


class _Rows:
    """The relations of one side, each by one mention of its anaphor and of each target."""

    def __init__(self, document: Document, chains: Chains, about: About) -> None:
        self._document, self._chains, self._about = document, chains, about
        names = zip(document.entity_ids, document.entities, strict=False)
        self._names = {mention: name for name, entity in names for mention in entity}

    def of(self) -> list[list[Any]]:
        """All rows; what does not refer has one for each mention."""
        return [
            self._row(relation, mention)
            for relation in self._document.relations
            for mention in relation.anaphor[: 1 if relation.targets else None]
        ]

    def _row(self, relation: Relation, anaphor: Mention) -> list[Any]:
        """Kind, label, anaphor, targets with the errors about each, and the errors about the relation."""
        about = self._about.get((relation.kind, anaphor), [])
        targets = []
        for entity in relation.targets:
            wrong = [number for number, mentions in about if not set(entity).isdisjoint(mentions)]
            targets.append([self._place(anchor_of(relation._replace(targets=(entity,)))), *wrong])
        if not targets:  # the label of what does not refer is the name of an entity
            place = self._chains.place(anaphor, NON_REFERRING, relation.label)
            return [relation.kind, "", place, [], [number for number, _ in about]]
        # An anaphor of bridging may have several links, each with errors of its own.
        wrong = targets[0][1:] if relation.kind == "bridging" else [number for number, _ in about]
        return [relation.kind, relation.label, self._place(anaphor), targets, wrong]

    def _place(self, mention: Mention) -> int:
        return self._chains.place(mention, UNSCORED, self._names.get(mention, ""))
