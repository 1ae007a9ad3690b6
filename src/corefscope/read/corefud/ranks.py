"""The order of all entities of a file, for files that have more of them than should be in memory."""

from __future__ import annotations

from collections.abc import Collection

RECENT = 10_000
"""Entities that a dictionary holds; older ones are packed."""
TEXTS = 1 << 12


class Ranks:
    """The place of each entity in the order in which entities first come in a file.

    A dictionary of a million ids takes 130 MB. Here all but the latest are packed into texts of lines ``id⇥rank``,
    which take a sixth; which text, the hash of the id says.

    >>> ranks = Ranks()
    >>> ranks.add(["e1", "e2"])
    >>> ranks.of({"e2", "e3"})
    {'e2': 1}
    """

    __slots__ = ("_count", "_recent", "_texts")

    def __init__(self) -> None:
        self._recent: dict[str, int] = {}
        self._texts: list[bytearray] = []
        self._count = 0

    def add(self, ids: Collection[str]) -> None:
        """Those of these entities that have not come before come next, in this order."""
        known = self.of(ids)
        new = [id_ for id_ in ids if id_ not in known] if known else ids
        self._recent.update(zip(new, range(self._count, self._count + len(new)), strict=True))
        self._count += len(new)
        if len(self._recent) > RECENT:
            self._pack()

    def of(self, ids: Collection[str]) -> dict[str, int]:
        """The places of those of these ids that came before."""
        recent = self._recent
        found = {id_: recent[id_] for id_ in ids if id_ in recent}
        for id_ in ids if self._texts else ():
            text, begins = self._texts[hash(id_) % TEXTS], f"\n{id_}\t".encode()
            at = text.find(begins)
            if at >= 0:
                found[id_] = int(text[at + len(begins) :].partition(b"\n")[0])
        return found

    def _pack(self) -> None:
        self._texts = self._texts or [bytearray() for _ in range(TEXTS)]
        for id_, rank in self._recent.items():
            self._texts[hash(id_) % TEXTS] += f"\n{id_}\t{rank}".encode()
        self._recent.clear()
