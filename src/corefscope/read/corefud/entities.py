"""Entities on their way through the brackets: which mentions are open, and which wait for further parts."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import islice

from ...base.mention import Mention
from ...base.record import Record

NEAR = 100
"""How many open brackets are searched for the one that a closing bracket with a wrong part was meant for."""


class Part(Record):
    """``[2/3]``: part 2 of 3; a continuous mention is part 0 of 0."""

    number: int = 0
    of: int = 0

    @property
    def last(self) -> bool:
        """Whether no other part follows."""
        return self.number == self.of

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}" if self.number else "a whole mention"


WHOLE = Part()


class Discontinuous:
    """A mention in parts: its slot in the entity, its latest part, and the words of all parts so far.

    ``parts`` is how many there are to be, as its first part says, and ``first`` is the word that opened it.
    """

    __slots__ = ("finished", "first", "open", "part", "parts", "slot", "words")

    def __init__(self, slot: int, position: int, part: Part) -> None:
        self.slot, self.words, self.part, self.parts = slot, [position], part, part.of
        self.first = position
        self.open = self.finished = False

    def __lt__(self, other: Discontinuous) -> bool:
        return self.slot < other.slot


class InParts:
    """The discontinuous mentions of one entity."""

    __slots__ = ("_begun", "_waiting")

    def __init__(self) -> None:
        self._begun: list[Discontinuous] = []  # by their first parts; finished ones may still be among them
        self._waiting: list[Discontinuous] = []  # a heap; what is open or finished is passed over

    def begin(self, mention: Discontinuous) -> None:
        """Add a mention."""
        self._begun.append(mention)
        heappush(self._waiting, mention)

    def close(self, mention: Discontinuous) -> None:
        """A part that was open is closed: the next may come."""
        mention.open = False
        heappush(self._waiting, mention)

    def waiting(self) -> Discontinuous | None:
        """The mention that a later part continues: the first that is neither open nor finished."""
        waiting = self._waiting
        while waiting and (waiting[0].open or waiting[0].finished):
            heappop(waiting)
        return waiting[0] if waiting else None

    def finish(self, mention: Discontinuous) -> bool:
        """The last part of a mention has come: whether all mentions that began after it are finished."""
        while self._begun and self._begun[-1].finished:
            self._begun.pop()
        mention.finished = True
        return bool(self._begun) and self._begun[-1] is mention

    def unfinished(self) -> list[Discontinuous]:
        """The mentions whose last part did not come, though no part is open."""
        return [mention for mention in self._begun if not mention.finished and not mention.open]


# An opened bracket: the slot of its mention in the entity, its first word, its head index as written, and the
# mention that it is a part of, if that is discontinuous.
Open = tuple[int, int, str | None, Discontinuous | None]


def part_of(bracket: Open) -> Part:
    """The part that a bracket was opened as."""
    return bracket[3].part if bracket[3] is not None else WHOLE


class EntityInProgress:
    """The mentions of one entity as they are read.

    A slot in ``members`` is taken when a mention is opened and filled when it is closed; mentions that are never
    closed leave theirs empty.
    """

    __slots__ = ("id", "in_parts", "members", "opened", "type")

    def __init__(self, id_: str, type_: str) -> None:
        self.id = id_
        self.type = type_
        self.members: list[Mention | None] = []
        self.opened: list[Open] = []
        self.in_parts: InParts | None = None

    def take(self, part: Part) -> Open:
        """Remove the open bracket that a closing one was meant for: the last of that part, or else the last."""
        for back, bracket in enumerate(islice(reversed(self.opened), NEAR), 1):
            if part_of(bracket) == part:
                return self.opened.pop(-back)
        return self.opened.pop()
