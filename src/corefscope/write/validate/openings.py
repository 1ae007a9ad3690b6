"""Brackets that wait to be closed, and mentions that wait for their parts."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import islice

from ...base.document import Mention

NEAR = 100  # how far back it is looked which bracket a misplaced one was meant to close


class Slot:
    """A mention in progress; its words are those of all parts so far."""

    __slots__ = ("finished", "line", "mention", "number", "open", "part", "parts", "words")

    def __init__(self, place: int, line: int, part: int = 0, parts: int = 0) -> None:
        self.words = [place]
        self.line = line
        self.number = 0
        self.part, self.parts = part, parts
        self.open = False
        self.finished = False
        self.mention: Mention | None = None

    def __lt__(self, other: Slot) -> bool:
        return self.number < other.number


class Opened:
    """A bracket that waits to be closed."""

    __slots__ = ("first", "head", "line", "part", "parts", "slot")

    def __init__(self, slot: Slot, first: int, line: int, head: int | None, part: int, parts: int) -> None:
        self.slot, self.first, self.line, self.head, self.part, self.parts = slot, first, line, head, part, parts


class OpenEntity:
    """The mentions of one entity as they are read."""

    __slots__ = ("_waiting", "id", "opened", "pending", "slots", "type")

    def __init__(self, id_: str, type_: str) -> None:
        self.id, self.type = id_, type_
        self.slots: list[Slot] = []
        self.opened: list[Opened] = []
        self.pending: list[Slot] = []
        """Discontinuous mentions in the order of their first parts; those that are finished may still be there."""
        self._waiting: list[Slot] = []  # a heap; what is open or finished is passed over

    def begin(self, slot: Slot) -> None:
        """Add a mention; if it has parts, others may follow."""
        slot.number = len(self.slots)
        self.slots.append(slot)
        if slot.part:
            self.pending.append(slot)
            heappush(self._waiting, slot)

    def waiting(self) -> Slot | None:
        """The first discontinuous mention that a later part can continue."""
        while self._waiting and (self._waiting[0].open or self._waiting[0].finished):
            heappop(self._waiting)
        return self._waiting[0] if self._waiting else None

    def wait_again(self, slot: Slot) -> None:
        """Say that a part was closed, so that the next may come."""
        slot.open = False
        if slot.part:
            heappush(self._waiting, slot)

    def finish(self, slot: Slot) -> bool:
        """Say that the last part is there; whether no mention that began later is unfinished."""
        while self.pending and self.pending[-1].finished:
            self.pending.pop()
        slot.finished = True
        return bool(self.pending) and self.pending[-1] is slot

    def take(self, part: int, parts: int) -> tuple[Opened, Opened]:
        """Remove the bracket that a closing one is meant for: it, and the one that readers would close, the last."""
        last = self.opened[-1]
        for back, opened in enumerate(islice(reversed(self.opened), NEAR), 1):
            if (opened.part, opened.parts) == (part, parts):
                del self.opened[-back]
                return opened, last
        return self.opened.pop(), last
