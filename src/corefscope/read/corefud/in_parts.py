"""Discontinuous mentions on their way through the brackets: which wait for further parts. Most files have none."""

from __future__ import annotations

from heapq import heappop, heappush

from .entities import Part


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
