"""One document as labelled mentions: who is meant for whom, and how the entities of both sides fall into pieces.

A key mention is **found** if it has a counterpart, or if it has none but is near (see :mod:`.near`) a response
mention that has none either. Every mention belongs to the one entity that owns it, and only counterparts that
are mutual count, so this is a pair of partitions whatever the rules.

The found mentions that a key entity and a response entity share are a **piece**. The *home* of a key entity is
the response entity that has its largest piece; the *main* entity of a response entity is the key entity it has the
largest piece of. Of equally large pieces, the one of the entity that begins first counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...match.alignment import NONE, Alignment, Side
from .near import near_pairs


class Pairing:
    """The found mentions of a document, and what they say about its entities. Mentions and entities are numbers."""

    __slots__ = (
        "counterparts",
        "home",
        "key",
        "key_members",
        "main",
        "near",
        "pieces",
        "response",
        "response_members",
    )

    counterparts: dict[int, int]
    """Key mention → response mention, for pairs that the alignment has made."""
    near: dict[int, int]
    """The same for pairs that it has not."""
    pieces: dict[tuple[int, int], list[int]]
    """(key entity, response entity) → the key mentions found there."""
    home: dict[int, int]
    """Key entity → response entity, for key entities of which something was found."""
    main: dict[int, int]
    """Response entity → key entity."""
    key_members: dict[int, list[int]]
    """Key entity → the mentions it owns."""
    response_members: dict[int, list[int]]

    def __init__(self, alignment: Alignment, smallest: int = 1) -> None:
        """``smallest`` is 2 where entities of one mention are dropped, also those that own no more than one."""
        self.key, self.response = alignment.key, alignment.response
        self.key_members = _owned(alignment.key, smallest)
        self.response_members = _owned(alignment.response, smallest)
        ours = sorted(number for members in self.key_members.values() for number in members)
        theirs = {number for members in self.response_members.values() for number in members}
        to_response, to_key = alignment.to_response, alignment.to_key
        self.counterparts = {
            k: to_response[k] for k in ours if to_response[k] in theirs and to_key[to_response[k]] == k
        }
        theirs.difference_update(self.counterparts.values())
        free = [k for k in ours if k not in self.counterparts]
        pairs = near_pairs(self.key.mentions, self.response.mentions, free, sorted(theirs)) if free and theirs else []
        self.near = dict(sorted(pairs))
        self.pieces = {}
        owner, other = self.key.owner, self.response.owner
        for found in (self.counterparts, self.near):
            for k, r in found.items():
                self.pieces.setdefault((owner[k], other[r]), []).append(k)
        if self.near:
            for piece in self.pieces.values():
                piece.sort()
        sizes = {piece: len(members) for piece, members in self.pieces.items()}
        self.home = _largest((i, j, size) for (i, j), size in sizes.items())
        self.main = _largest((j, i, size) for (i, j), size in sizes.items())

    @property
    def found(self) -> dict[int, int]:
        """Key mention → response mention, for all that are found."""
        return {**self.counterparts, **self.near}

    def missing(self) -> list[int]:
        """The key mentions that are not found."""
        found = self.found
        return [k for members in self.key_members.values() for k in members if k not in found]

    def extra(self) -> list[int]:
        """The response mentions that no key mention is found as."""
        found = set(self.found.values())
        return [r for members in self.response_members.values() for r in members if r not in found]


def _owned(side: Side, smallest: int) -> dict[int, list[int]]:
    """The mentions of each entity that owns enough of them."""
    if not side.repeats:
        return dict(enumerate(map(list, side.entities)))
    owned: dict[int, list[int]] = {}
    for number, i in enumerate(side.owner):
        if i != NONE:
            owned.setdefault(i, []).append(number)
    return {i: owned[i] for i in sorted(owned) if len(owned[i]) >= smallest}


def _largest(pieces: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """For each first entity the second with which it has the largest piece."""
    best: dict[int, tuple[int, int]] = {}
    for one, other, size in pieces:
        if one not in best or (-size, other) < best[one]:
            best[one] = (-size, other)
    return {one: other for one, (_, other) in best.items()}
