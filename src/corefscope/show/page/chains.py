"""The chains of one side of a document as the page shows them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ...base.document import Document
from ...base.mention import Mention
from ...base.positions import coordinates, node_name
from ...study.faults.annotated import Annotated
from .layers import IDENTITY, NON_REFERRING, UNSCORED
from .nodes import NumberedNodes

Plain = dict[str, Any]


class Entries(NamedTuple):
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
        self._chains: dict[Hashable, int] = {}  # layer and entity of the file, or a mention there -> chain
        self._entries: dict[tuple[tuple[int, ...], int], dict[int, int]] = {}  # parts and head -> chain -> mention
        self.titles: list[list[str]] = []
        """By chain its name, its type, and its layer if that is not identity."""
        self._layers: list[str] = []
        self.mentions: list[list[int]] = []
        self.relations: dict[int, str] = {}
        """By the node of a zero, what it depends on, in words."""

    def add(self, annotated: Annotated, layer: str = IDENTITY) -> Entries:
        """Add the chains of a side."""
        document, side = annotated.document, annotated.side
        entries = Entries([], [-1] * len(side.mentions), [])
        for i, mentions in enumerate(side.members):
            origin = annotated.origins[i]
            name = document.entity_ids[origin] if document.entity_ids and origin >= 0 else ""
            chain = self._chain((layer, origin if origin >= 0 else -1 - i), name, annotated.type_of(i))
            entries.chains.append(chain)
            for mention, number in zip(mentions, side.entities[i], strict=True):
                entry = self._entry(chain, mention)
                entries.all.append((entry, number))
                if side.owner[number] == i:
                    entries.owned[number] = entry
        for _, zero in side.numbered(side.zeros):
            if zero.dependencies:
                self.relations.setdefault(self._nodes.number(zero.head), _relation(document, zero))
        return entries

    def find(self, mention: Mention, entity: str = "", layer: str = IDENTITY) -> int:
        """The entry of a mention in a layer, in the named entity if it stands in several; −1 if it is not shown."""
        in_file = self._entries.get(self._parts(mention), {})
        by_chain = [(chain, entry) for chain, entry in in_file.items() if self._layers[chain] == layer]
        named = [entry for chain, entry in by_chain if self.titles[chain][0] == entity]
        return named[0] if named else by_chain[0][1] if by_chain else -1

    def place(self, mention: Mention, layer: str, name: str = "") -> int:
        """The entry of a mention that a relation needs: in a chain of its own if there is none yet."""
        known = (IDENTITY, NON_REFERRING, UNSCORED) if layer == UNSCORED else (layer,)
        shown = [entry for where in known if (entry := self.find(mention, layer=where)) >= 0]
        return shown[0] if shown else self._entry(self._chain((layer, self._parts(mention)), name), mention)

    def in_layer(self, layer: str) -> list[int]:
        """The entries of the chains of a layer."""
        if layer not in self._layers:
            return []
        return [entry for entry, (chain, *_) in enumerate(self.mentions) if self._layers[chain] == layer]

    def plain(self) -> Plain:
        """Chains and mentions as plain values."""
        return {"e": self.titles, "m": self.mentions}

    def _parts(self, mention: Mention) -> tuple[tuple[int, ...], int]:
        return self._nodes.runs(mention, self.number), self._nodes.number(mention.head)

    def _chain(self, key: tuple[str, Hashable], name: str, kind: str = "") -> int:
        """The number of a chain, which is made if there is none of that key: a layer, and what is one chain in it."""
        chain = self._chains.setdefault(key, len(self._chains))
        if chain == len(self.titles):
            self.titles.append([name, kind, key[0]] if key[0] else [name, kind])
            self._layers.append(key[0])
        return chain

    def _entry(self, chain: int, mention: Mention) -> int:
        runs, head = self._parts(mention)
        by_chain = self._entries.setdefault((runs, head), {})
        if chain not in by_chain:
            by_chain[chain] = len(self.mentions)
            self.mentions.append([chain, head, *runs])
        return by_chain[chain]


def _relation(document: Document, mention: Mention) -> str:
    parts = []
    for parent, relation in mention.dependencies:
        _, word, minor = coordinates(parent)
        form = node_name(parent) if minor else document.form(parent) if word else "root"
        parts.append(f"{relation} of {form}")
    return ", ".join(parts)
