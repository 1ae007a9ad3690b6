"""Entities on their way through the brackets: their mentions so far, and which of these are open."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ...base.mention import Mention

if TYPE_CHECKING:
    from .in_parts import Discontinuous, InParts

NEAR = 100
"""How many open brackets are searched for the one that a closing bracket with a wrong part was meant for."""


class Part(NamedTuple):
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
PART = r"([^\[\]]+)\[(0|[1-9][0-9]{0,8})/(0|[1-9][0-9]{0,8})\]"


def named_part(text: str) -> tuple[str, Part] | None:
    """The id and the part in the name of a part; None if it is something else.

    >>> named_part("e1[2/3]"), named_part("e1[2/x]")
    (('e1', Part(number=2, of=3)), None)
    """
    match = re.fullmatch(PART, text)
    return (match[1], Part(int(match[2]), int(match[3]))) if match else None


# An opened bracket: the slot of its mention in the entity, its first word, its head index as written, and the
# mention that it is a part of, if that is discontinuous.
Open = tuple[int, int, "str | None", "Discontinuous | None"]


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
