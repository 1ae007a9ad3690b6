"""One document for the page: words once, and for each side chains, mentions, counterparts, relations and errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any

from ....base.document import Document, Relation
from ....base.mention import Mention
from ....count.relations.elements import anchor_of
from ....study.faults.deixis import Layer
from ....study.faults.examine import Findings
from ....study.faults.features import DIMENSIONS
from ....study.faults.pairing import Pairing
from ....study.faults.taxonomy import Fault
from .chains import DEIXIS, IDENTITY, NON_REFERRING, UNSCORED, Chains, Compared, Entries, NumberedNodes, Plain
from .faults import SliceNumbers, SliceValues, mark_shared
from .how import How

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
    """The entries of the mentions of an error; those of relations are added if they are not shown yet."""
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
        """All rows; a non-referring expression has one for each mention."""
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


def document_data(
    compared: Sequence[Compared], kinds: Sequence[str], how: Sequence[How], numbers: SliceNumbers
) -> Plain:
    """The plain values of a document, as ``output/schemas/corefscope-page-1.json`` describes them.

    ``compared`` has what was found out about each response, ``kinds`` the names of the kinds of faults: a fault has
    the index of its kind, and the ``numbers`` of its slices. ``how`` works the score of each response out.
    """
    document = compared[0].findings.key.document
    nodes = NumberedNodes([document, *(one.findings.response.document for one in compared)])
    key, *sides = [Chains(nodes, side) for side in range(len(compared) + 1)]
    # First all chains and mentions of the key: a response may show some that others do not.
    layers = [
        [(layer, key.add(layer.key, name), side.add(layer.response, name)) for name, layer in one.layers()]
        for side, one in zip(sides, compared, strict=True)
    ]
    relations = [
        relation_rows(one.findings, one.faults, (key, side)) if has_relations(one.findings) else None
        for side, one in zip(sides, compared, strict=True)
    ]
    faults = [
        _faults(one, (key, added[0][1]), (side, added[0][2]), kinds, numbers)
        for side, added, one in zip(sides, layers, compared, strict=True)
    ]
    responses = []
    for side, added, wrong, rows, one, work in zip(sides, layers, faults, relations, compared, how, strict=True):
        _, in_key, in_response = added[0]
        find = partial(_find, ((key, in_key), (side, in_response)))
        responses.append(
            {
                **side.plain(),
                **_correspondence(added, key, side),
                "f": wrong,
                "how": work.work_out(one.findings, find, (in_key.chains, in_response.chains)),
                **({"r": rows} if rows else {}),
            }
        )
    mark_shared(faults, [side.mentions for side in sides])
    return {
        "id": document.id,
        "s": nodes.sentences(),
        "z": nodes.zeros([side.relations for side in (key, *sides)]),
        "key": key.plain(),
        "responses": responses,
    }


def _find(sides: Sequence[tuple[Chains, Entries]], side: int, mention: int | Mention) -> int:
    """The entry of a mention of a side, which is named by its number or itself."""
    chains, entries = sides[side]
    return entries.owned[mention] if isinstance(mention, int) else chains.find(mention)


def _correspondence(
    layers: Sequence[tuple[Findings | Layer, Entries, Entries]], key: Chains, response: Chains
) -> Plain:
    """Which mentions and chains of key and response stand for each other, in all layers."""
    to, back, partners = [-1] * len(key.mentions), [-1] * len(response.mentions), [-1] * len(key.titles)
    for layer, in_key, in_response in layers:
        _counterparts(to, in_key, in_response, layer.alignment.to_response)
        _counterparts(back, in_response, in_key, layer.alignment.to_key)
        _partners(partners, in_key, in_response, layer.pairing)
    for name in (NON_REFERRING, UNSCORED):
        by_words = {tuple(response.mentions[entry][2:]): entry for entry in response.in_layer(name)}
        for entry in key.in_layer(name):
            if (found := by_words.get(tuple(key.mentions[entry][2:]))) is not None:
                to[entry], back[found] = found, entry
                partners[key.mentions[entry][0]] = response.mentions[found][0]
    return {"to": to, "back": back, "p": partners}


def _counterparts(counterparts: list[int], side: Entries, other: Entries, to_other: list[int]) -> None:
    """Note the counterpart of each mention that is shown."""
    for entry, mention in side.all:
        if to_other[mention] >= 0:
            counterparts[entry] = other.owned[to_other[mention]]


def _partners(partners: list[int], key: Entries, response: Entries, pairing: Pairing) -> None:
    """Note for each chain of the key its home, if that mainly is this chain.

    What stands elsewhere than with the partner is what the faults call divided or conflated.
    """
    for i, j in pairing.home.items():
        if pairing.main[j] == i:
            partners[key.chains[i]] = response.chains[j]


def _faults(
    compared: Compared,
    key: tuple[Chains, Entries],
    response: tuple[Chains, Entries],
    kinds: Sequence[str],
    numbers: SliceNumbers,
) -> list[list[Any]]:
    """The faults of a response as plain values."""
    slices = []
    for side, (_, entries) in enumerate((key, response)):
        values = [(by, pair[side]) for by, pair in zip(DIMENSIONS, compared.findings.values, strict=False)]
        slices.append(SliceValues(numbers, values, entries.all))
    plain = []
    for fault in compared.faults:
        shown = fault_places(fault, key[0], response[0])
        numbered = {number for side, entries in zip(slices, shown, strict=True) for number in side.of(entries)}
        plain.append([kinds.index(fault.zero_kind or fault.kind), fault.line, *shown, sorted(numbered), 0])
    return plain
