"""One document for the page: words once, and for each side chains, mentions, counterparts and faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...base.document import Document, Mention
from ...base.positions import coordinates, node_name
from ...match.alignment import Alignment, Side
from ...study.faults.annotated import origins
from ...study.faults.pairing import Pairing
from ...study.faults.taxonomy import Fault
from .nodes import Nodes

Plain = dict[str, Any]
Place = tuple[tuple[int, ...], int]
"""The parts of a mention and its head."""


class Compared(NamedTuple):
    """A response of a document, aligned with the key."""

    key: Document
    response: Document
    alignment: Alignment
    pairing: Pairing
    faults: Sequence[Fault]


def document_data(compared: Sequence[Compared], kinds: Sequence[str]) -> Plain:
    """The plain values of a document, as ``show/schemas/corefscope-page-1.json`` describes them.

    ``kinds`` are the names of the kinds of faults, which are told by their number.
    """
    first = compared[0]
    nodes = Nodes([first.key, *(one.response for one in compared)])
    key = Chains(nodes, 0)
    responses = []
    relations: list[dict[int, str]] = [{} for _ in range(len(compared) + 1)]
    for number, one in enumerate(compared, 1):
        response = Chains(nodes, number)
        in_key = key.add(one.key, one.alignment.key)
        in_response = response.add(one.response, one.alignment.response)
        responses.append(
            {
                **response.plain(),
                "to": _counterparts(in_key, in_response, one.alignment.to_response, len(key.mentions)),
                "back": _counterparts(in_response, in_key, one.alignment.to_key, len(response.mentions)),
                "p": _partners(in_key, in_response, one.pairing, len(key.titles)),
                "f": [_fault(fault, key, response, kinds) for fault in one.faults],
            }
        )
        _collect_relations(one.key, one.alignment.key, nodes, relations[0])
        _collect_relations(one.response, one.alignment.response, nodes, relations[number])
    for plain in responses:  # a later response may have shown chains and mentions of the key that earlier ones lack
        plain["to"] += [-1] * (len(key.mentions) - len(plain["to"]))
        plain["p"] += [-1] * (len(key.titles) - len(plain["p"]))
    return {
        "id": first.key.id,
        "s": nodes.sentences(),
        "z": nodes.zeros(relations),
        "key": key.plain(),
        "responses": responses,
    }


class Shown(NamedTuple):
    """Where the entities and mentions of an aligned side are on the page."""

    chains: list[int]
    """By number of the entity."""
    owned: list[int]
    """By number of the mention: in the chain that owns it."""
    everywhere: list[tuple[int, int]]
    """All places where it is shown, each with the number of the mention."""


class Chains:
    """The chains of one side as the page shows them: every mention once for each chain it stands in."""

    def __init__(self, nodes: Nodes, side: int) -> None:
        self._nodes = nodes
        self._side = side
        self._chains: dict[int, int] = {}  # number of the entity in the file -> chain
        self._shown: dict[Place, dict[int, int]] = {}  # parts and head -> chain -> mention
        self.titles: list[list[str]] = []
        self.mentions: list[list[int]] = []

    def add(self, document: Document, side: Side) -> Shown:
        """Make the chains of a side known, and say where its mentions are shown."""
        chains, owned, everywhere = [], [-1] * len(side.mentions), []
        for i, origin in enumerate(origins(document, side)):
            entity = origin if origin >= 0 else -1 - i
            chain = self._chains.setdefault(entity, len(self._chains))
            chains.append(chain)
            if chain == len(self.titles):
                self.titles.append([_text(document.entity_ids, entity), _text(document.entity_types, entity)])
            for mention, number in zip(side.members[i], side.entities[i], strict=True):
                entry = self._mention(chain, mention)
                everywhere.append((entry, number))
                if side.owner[number] == i:
                    owned[number] = entry
        return Shown(chains, owned, everywhere)

    def find(self, mention: Mention, entity: str = "") -> int:
        """The number of a mention, in the named entity if it stands in several; −1 if it is not shown."""
        standing = self._shown.get(self._place(mention), {})
        named = [entry for chain, entry in standing.items() if self.titles[chain][0] == entity]
        return next(iter(named or standing.values()), -1)

    def plain(self) -> Plain:
        """Chains and mentions as plain values."""
        return {"e": self.titles, "m": self.mentions}

    def _place(self, mention: Mention) -> Place:
        return self._nodes.runs(mention, self._side), self._nodes.number(mention.head)

    def _mention(self, chain: int, mention: Mention) -> int:
        place = self._place(mention)
        standing = self._shown.setdefault(place, {})
        if chain not in standing:
            standing[chain] = len(self.mentions)
            self.mentions.append([chain, place[1], *place[0]])
        return standing[chain]


def _text(values: Sequence[str], entity: int) -> str:
    return values[entity] if 0 <= entity < len(values) else ""


def _counterparts(side: Shown, other: Shown, to_other: list[int], size: int) -> list[int]:
    """For each of ``size`` mentions that are shown the one of the other side that stands for it, or −1."""
    counterparts = [-1] * size
    for entry, number in side.everywhere:
        if to_other[number] >= 0:
            counterparts[entry] = other.owned[to_other[number]]
    return counterparts


def _partners(key: Shown, response: Shown, pairing: Pairing, size: int) -> list[int]:
    """For each of ``size`` chains of the key its home, if that mainly is this chain; else −1.

    What stands elsewhere than with the partner is what the faults call divided or conflated.
    """
    partners = [-1] * size
    for i, j in pairing.home.items():
        if pairing.main[j] == i:
            partners[key.chains[i]] = response.chains[j]
    return partners


def _fault(fault: Fault, key: Chains, response: Chains, kinds: Sequence[str]) -> list[Any]:
    in_key = [key.find(mention, fault.key_entity) for mention in fault.key]
    in_response = [response.find(mention, fault.response_entity) for mention in fault.response]
    kind = kinds.index(fault.zero_kind or fault.kind)
    return [kind, fault.line, *([entry for entry in side if entry >= 0] for side in (in_key, in_response))]


def _collect_relations(document: Document, side: Side, nodes: Nodes, relations: dict[int, str]) -> None:
    """What the zeros of a side depend on, in words."""
    for number in side.zeros:
        mention = side.mentions[number]
        if mention.dependencies:
            relations.setdefault(nodes.number(mention.head), _relation(document, mention))


def _relation(document: Document, mention: Mention) -> str:
    parts = []
    for parent, relation in mention.dependencies:
        _, word, minor = coordinates(parent)
        form = node_name(parent) if minor else document.form(parent) if word else "root"
        parts.append(f"{relation} of {form}")
    return ", ".join(parts)
