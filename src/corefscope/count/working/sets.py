"""Key and response as partitions of named mentions, and what papers make of them before they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from ...match.alignment import NONE, Alignment
from ..table import Contingency
from .cuts import Cut, Cuts, Member
from .sections import KEY, RESPONSE, Altered, EntityRef, Piece, Ref


class Class(NamedTuple):
    """A set of mentions; those that both sides have go by their name in the key."""

    entity: EntityRef
    mentions: tuple[Ref, ...]


Classes = list[Class]


class Sets(NamedTuple):
    """Two partitions, of sets of mentions that need not be the same."""

    key: Classes
    response: Classes

    @classmethod
    def of_alignment(cls, alignment: Alignment) -> Sets:
        """Every mention in the entity that owns it, as ``tabulate_partition`` counts them."""
        mutual = [k if k != NONE and alignment.to_response[k] == r else NONE for r, k in enumerate(alignment.to_key)]
        return cls(
            _classes(KEY, alignment.key.owner, lambda number: (KEY, number)),
            _classes(
                RESPONSE,
                alignment.response.owner,
                lambda number: (RESPONSE, number) if mutual[number] == NONE else (KEY, mutual[number]),
            ),
        )

    @property
    def missing(self) -> list[Ref]:
        """The mentions of the key that the response lacks."""
        return _without(self.key, self.response)

    @property
    def spurious(self) -> list[Ref]:
        """The mentions of the response that the key lacks."""
        return _without(self.response, self.key)

    def completed(self) -> Sets:
        """Definition 19 of Popescu-Belis: what one side lacks becomes singletons of it."""
        return Sets(
            with_singletons(self.key, KEY, self.spurious),
            with_singletons(self.response, RESPONSE, self.missing),
        )

    def table(self) -> Contingency:
        """How many mentions the classes share."""
        key, response = ([len(one.mentions) for one in side] for side in self)
        shared = {cell: len(mentions) for cell, mentions in self.cuts().shared.items()}
        return Contingency.of_pairs(key, response, shared)

    def cuts(self) -> Cuts:
        """Each side as the other cuts it."""
        places = [{m: i for i, one in enumerate(side) for m in one.mentions} for side in self]
        shared: dict[tuple[int, int], list[Ref]] = {}
        for i, one in enumerate(self.key):
            for mention in one.mentions:
                if mention in places[RESPONSE]:
                    shared.setdefault((i, places[RESPONSE][mention]), []).append(mention)
        return Cuts(_cut(self.key, places[RESPONSE]), _cut(self.response, places[KEY]), shared)


def _classes(side: int, owner: Iterable[int], name: Callable[[int], Ref]) -> Classes:
    members: dict[int, list[Ref]] = {}
    for number, i in enumerate(owner):
        members.setdefault(i, []).append(name(number))
    return [Class((side, i), tuple(mentions)) for i, mentions in members.items()]


def _mentions(classes: Classes) -> set[Ref]:
    return {mention for one in classes for mention in one.mentions}


def _without(classes: Classes, other: Classes) -> list[Ref]:
    there = _mentions(other)
    return [mention for one in classes for mention in one.mentions if mention not in there]


def with_singletons(classes: Classes, side: int, mentions: Iterable[Ref]) -> Classes:
    """The classes, and each of these mentions by itself."""
    return [*classes, *(Class((side, NONE), (mention,)) for mention in mentions)]


def without_singletons(classes: Classes, mentions: Container[Ref]) -> Classes:
    """The classes but those that are one of these mentions alone."""
    return [one for one in classes if len(one.mentions) > 1 or one.mentions[0] not in mentions]


def restricted_to(classes: Classes, other: Classes) -> Classes:
    """The classes without mentions that the other side lacks, as far as there is something left of them."""
    there = _mentions(other)
    kept = [Class(one.entity, tuple([m for m in one.mentions if m in there])) for one in classes]
    return [one for one in kept if one.mentions]


def altered(title: str, classes: Classes) -> Altered:
    """A side as it is counted, to be shown."""
    return Altered(title, tuple([Piece(one.mentions, one.entity) for one in classes]))


def completion(sets: Sets) -> tuple[Sets, tuple[Altered, ...]]:
    """Both sides over one set of mentions; to be shown if that is not what they were."""
    complete = sets.completed()
    if complete == sets:
        return complete, ()
    return complete, (altered("key, completed", complete.key), altered("response, completed", complete.response))


def _cut(classes: Classes, places: dict[Ref, int]) -> list[Cut]:
    cuts = []
    for one in classes:
        others = [places.get(mention, NONE) for mention in one.mentions]
        common = Counter(others)
        common[NONE] = 0
        members = [Member(mention, j, common[j]) for mention, j in zip(one.mentions, others, strict=True)]
        cuts.append(Cut(one.entity, members))
    return cuts
