"""An entity of which some mentions are still open."""

from __future__ import annotations

from ...base.document import Mention

# An opened mention: its slot in the entity, its first word, its head index as written, and for a
# discontinuous mention the words so far, in one list that all its parts share.
Open = tuple[int, int, str, list[int] | None]

# A discontinuous mention that waits for its next part: its slot, its words so far, and how many parts it has.
Pending = tuple[int, list[int], int]


class EntityInProgress:
    """The mentions of one entity as they are read.

    A slot is taken when a mention is opened and filled when it is closed; mentions that are never closed leave
    theirs empty.
    """

    __slots__ = ("id", "members", "opened", "pending", "type")

    def __init__(self, id_: str, type_: str) -> None:
        self.id = id_
        self.type = type_
        self.members: list[Mention | None] = []
        self.opened: list[Open] = []
        self.pending: list[Pending] = []
