"""Entities as the other side cuts them: a contingency table in which every mention keeps its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...match.alignment import NONE, Alignment, Side
from ..table import Contingency
from ..tabulate import tabulate
from .sections import KEY, RESPONSE, EntityRef, Piece, Ref


class Member(NamedTuple):
    """A mention of an entity."""

    mention: Ref
    other: int
    """The entity of the other side that owns its counterpart, as a place in the list of these; NONE without."""
    common: int
    """How many mentions the two entities share; 0 without."""


class Cut(NamedTuple):
    """An entity, and how the other side cuts it into pieces."""

    entity: EntityRef
    members: list[Member]

    @property
    def size(self) -> int:
        """Its mentions."""
        return len(self.members)

    @property
    def pieces(self) -> list[list[Member]]:
        """Its mentions by the entity of the other side that they stand in; each without counterpart by itself."""
        by_other: dict[int, list[Member]] = {}
        for place, member in enumerate(self.members):
            by_other.setdefault(member.other if member.other != NONE else -2 - place, []).append(member)
        return list(by_other.values())


class Cuts(NamedTuple):
    """Both sides of a document, each cut by the other."""

    key: list[Cut]
    response: list[Cut]
    shared: dict[tuple[int, int], list[Ref]]
    """The mentions that a key entity and a response entity share, wherever else they stand."""
    alignment: Alignment | None = None
    table: Contingency | None = None
    """The table that the metric counts, unless the rules count in a way of their own."""
    chains: tuple[list[list[int]], list[list[int]]] | None = None
    """What rules that count in a way of their own count: the mentions of both sides as numbers of one set."""

    @property
    def T(self) -> Cuts:  # noqa: N802  (as in NumPy)
        """The same with the sides swapped."""
        return self._replace(key=self.response, response=self.key)

    @classmethod
    def of_alignment(cls, alignment: Alignment) -> Cuts:
        """Mentions by the entity that owns their counterpart, as ``tabulate`` counts them."""
        key, response = alignment.key, alignment.response
        return cls(
            _cut(KEY, key, response, alignment.to_response),
            _cut(RESPONSE, response, key, alignment.to_key),
            _shared(alignment),
            alignment,
            tabulate(alignment),
        )

    def shown_pieces(self, cut: Cut) -> tuple[Piece, ...]:
        """The pieces of an entity, each with the entity of the other side it stands in."""
        return tuple([self.piece(piece) for piece in cut.pieces])

    def piece(self, piece: Sequence[Member]) -> Piece:
        """A piece, and the entity of the other side it stands in."""
        other = piece[0].other
        return Piece(tuple([m.mention for m in piece]), self.response[other].entity if other != NONE else None)


def _cut(name: int, side: Side, other: Side, counterparts: Sequence[int]) -> list[Cut]:
    owners = [other.owner[m] if m != NONE else NONE for m in counterparts]
    cells = Counter((i, owners[number]) for i, entity in enumerate(side.entities) for number in entity)
    return [
        Cut(
            (name, i),
            [Member((name, m), owners[m], cells[i, owners[m]] if owners[m] != NONE else 0) for m in entity],
        )
        for i, entity in enumerate(side.entities)
    ]


def _shared(alignment: Alignment) -> dict[tuple[int, int], list[Ref]]:
    holders: dict[int, list[int]] = {}
    for j, entity in enumerate(alignment.response.entities):
        for number in entity:
            holders.setdefault(number, []).append(j)
    shared: dict[tuple[int, int], list[Ref]] = {}
    for i, entity in enumerate(alignment.key.entities):
        for number in entity:
            for j in holders.get(alignment.to_response[number], ()):
                shared.setdefault((i, j), []).append((KEY, number))
    return shared
