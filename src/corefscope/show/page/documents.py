"""One document for the page: words once, and for each side chains, mentions, counterparts and faults."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...base.annotations import Any
from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import coordinates, node_name
from ...base.record import Record
from ...study.faults.annotated import Annotated
from ...study.faults.examine import Findings
from ...study.faults.features import DIMENSIONS
from ...study.faults.pairing import Pairing
from .faults import SliceNumbers, SliceValues, mark_shared
from .how import How
from .nodes import NumberedNodes
from .relations import relation_data

Plain = dict[str, Any]


def document_data(
    compared: Sequence[Findings], kinds: Sequence[str], how: Sequence[How], numbers: SliceNumbers
) -> Plain:
    """The plain values of a document, as ``show/schemas/corefscope-page-1.json`` describes them.

    ``compared`` has the findings of each response, ``kinds`` the names of the kinds of faults: a fault has the index
    of its kind, and the ``numbers`` of its slices. ``how`` works the score of each response out.
    """
    document = compared[0].key.document
    nodes = NumberedNodes([document, *(findings.response.document for findings in compared)])
    key, *sides = [Chains(nodes, side) for side in range(len(compared) + 1)]
    # First all chains and mentions of the key: a response may show some that others do not.
    entries = [(key.add(one.key), side.add(one.response)) for side, one in zip(sides, compared, strict=True)]
    responses = []
    for side, (in_key, in_response), findings, work in zip(sides, entries, compared, how, strict=True):
        alignment = findings.alignment
        find = partial(_find, ((key, in_key), (side, in_response)))
        responses.append(
            {
                **side.plain(),
                "to": _counterparts(in_key, in_response, alignment.to_response, len(key.mentions)),
                "back": _counterparts(in_response, in_key, alignment.to_key, len(side.mentions)),
                "p": _partners(in_key, in_response, findings.pairing, len(key.titles)),
                "f": _faults(findings, (key, in_key), (side, in_response), kinds, numbers),
                "how": work.work_out(findings, find, (in_key.chains, in_response.chains)),
                **relation_data(findings, nodes, side.number),
            }
        )
    mark_shared([response["f"] for response in responses], [side.mentions for side in sides])
    return {
        "id": document.id,
        "s": nodes.sentences(),
        "z": nodes.zeros([side.relations for side in (key, *sides)]),
        "key": key.plain(),
        "responses": responses,
    }


class Entries(Record):
    """Where the entities and mentions of an aligned side are among the chains and mentions of the page."""

    chains: list[int]
    """By entity, its chain."""
    owned: list[int]
    """By mention, its entry in the chain of the entity that owns it."""
    all: list[tuple[int, int]]
    """Each entry with its mention, which has one in every chain it stands in."""


class Chains:
    """The chains of one side as the page shows them: every mention once for each chain it stands in."""

    def __init__(self, nodes: NumberedNodes, side: int) -> None:
        self._nodes = nodes
        self.number = side
        self._chains: dict[int, int] = {}  # entity of the file -> chain
        self._entries: dict[tuple[tuple[int, ...], int], dict[int, int]] = {}  # parts and head -> chain -> mention
        self.titles: list[list[str]] = []
        self.mentions: list[list[int]] = []
        self.relations: dict[int, str] = {}
        """By the node of a zero, what it depends on, in words."""

    def add(self, annotated: Annotated) -> Entries:
        """Add the chains of a side."""
        document, side = annotated.document, annotated.side
        entries = Entries([], [-1] * len(side.mentions), [])
        for i, mentions in enumerate(side.members):
            origin = annotated.origins[i]
            chain = self._chains.setdefault(origin if origin >= 0 else -1 - i, len(self._chains))
            entries.chains.append(chain)
            if chain == len(self.titles):
                name = document.entity_ids[origin] if document.entity_ids and origin >= 0 else ""
                self.titles.append([name, annotated.type_of(i)])
            for mention, number in zip(mentions, side.entities[i], strict=True):
                entry = self._entry(chain, mention)
                entries.all.append((entry, number))
                if side.owner[number] == i:
                    entries.owned[number] = entry
        for _, zero in side.numbered(side.zeros):
            if zero.dependencies:
                self.relations.setdefault(self._nodes.number(zero.head), _relation(document, zero))
        return entries

    def find(self, mention: Mention, entity: str = "") -> int:
        """The entry of a mention, in the named entity if it stands in several; −1 if it is not shown."""
        by_chain = self._entries.get(self._parts(mention), {})
        named = [entry for chain, entry in by_chain.items() if self.titles[chain][0] == entity]
        return next(iter(named or by_chain.values()), -1)

    def plain(self) -> Plain:
        """Chains and mentions as plain values."""
        return {"e": self.titles, "m": self.mentions}

    def _parts(self, mention: Mention) -> tuple[tuple[int, ...], int]:
        return self._nodes.runs(mention, self.number), self._nodes.number(mention.head)

    def _entry(self, chain: int, mention: Mention) -> int:
        runs, head = self._parts(mention)
        by_chain = self._entries.setdefault((runs, head), {})
        if chain not in by_chain:
            by_chain[chain] = len(self.mentions)
            self.mentions.append([chain, head, *runs])
        return by_chain[chain]


def _find(sides: Sequence[tuple[Chains, Entries]], side: int, mention: int | Mention) -> int:
    """The entry of a mention of a side, which is named by its number or itself."""
    chains, entries = sides[side]
    return entries.owned[mention] if isinstance(mention, int) else chains.find(mention)


def _counterparts(side: Entries, other: Entries, to_other: list[int], size: int) -> list[int]:
    """For each of ``size`` mentions that are shown the one of the other side that stands for it, or −1."""
    counterparts = [-1] * size
    for entry, mention in side.all:
        if to_other[mention] >= 0:
            counterparts[entry] = other.owned[to_other[mention]]
    return counterparts


def _partners(key: Entries, response: Entries, pairing: Pairing, size: int) -> list[int]:
    """For each of ``size`` chains of the key its home, if that mainly is this chain; else −1.

    What stands elsewhere than with the partner is what the faults call divided or conflated.
    """
    partners = [-1] * size
    for i, j in pairing.home.items():
        if pairing.main[j] == i:
            partners[key.chains[i]] = response.chains[j]
    return partners


def _faults(
    findings: Findings,
    key: tuple[Chains, Entries],
    response: tuple[Chains, Entries],
    kinds: Sequence[str],
    numbers: SliceNumbers,
) -> list[list[Any]]:
    """The faults of a response as plain values."""
    slices = []
    for side, (_, entries) in enumerate((key, response)):
        values = [(by, pair[side]) for by, pair in zip(DIMENSIONS, findings.values, strict=True)]
        slices.append(SliceValues(numbers, values, entries.all))
    plain = []
    for fault in findings.faults:
        in_key = [key[0].find(mention, fault.key_entity) for mention in fault.key]
        in_response = [response[0].find(mention, fault.response_entity) for mention in fault.response]
        shown = [[entry for entry in side if entry >= 0] for side in (in_key, in_response)]
        numbered = {number for side, entries in zip(slices, shown, strict=True) for number in side.of(entries)}
        plain.append([kinds.index(fault.zero_kind or fault.kind), fault.line, *shown, sorted(numbered), 0])
    return plain


def _relation(document: Document, mention: Mention) -> str:
    parts = []
    for parent, relation in mention.dependencies:
        _, word, minor = coordinates(parent)
        form = node_name(parent) if minor else document.form(parent) if word else "root"
        parts.append(f"{relation} of {form}")
    return ", ".join(parts)
