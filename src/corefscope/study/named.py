"""What the mentions and entities of a calculation by hand are called: words and places instead of numbers."""

from __future__ import annotations

from typing import NamedTuple

from ..base.document import Document
from ..base.positions import SENTENCE_SHIFT, node_name
from ..count.working.sections import EntityRef, Ref
from ..match.alignment import NONE, Alignment
from .errors.pairing import Annotated

SIDES = ("key", "response")
LETTERS = "KR"
ADDED = "+"
"""What an entity is called that was added to make the sides alike."""


class MentionName(NamedTuple):
    """A mention to be shown."""

    side: str
    text: str
    """Its words; of an id, the id."""
    place: str
    """Sentence (its number in the file) and words, as ``3:4-6``; empty where mentions have no words."""

    def __str__(self) -> str:
        return f"{self.text} {self.place}" if self.place else self.text


class EntityName(NamedTuple):
    """An entity to be shown."""

    side: str
    id: str


class Names:
    """The names of one document."""

    def __init__(self, key: Document, response: Document, alignment: Alignment) -> None:
        self._sides = Annotated(key, alignment.key), Annotated(response, alignment.response)
        self._unnamed = [
            not document.sentences and set(document.entity_ids) == set(map(str, range(len(document.entities))))
            for document in (key, response)
        ]

    def mention(self, ref: Ref) -> MentionName:
        """Words and place of a mention."""
        side, mention = ref
        annotated = self._sides[side]
        shown = annotated.in_file(mention) if not isinstance(mention, int) else annotated.mention(mention)
        place = ""
        if annotated.document.sentences:
            first, last = shown.first, shown.last
            end = node_name(last) if first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT else _place(last)
            place = _place(first) if first == last else f"{_place(first)}-{end}"
        return MentionName(SIDES[side], annotated.text(shown), place)

    def entity(self, ref: EntityRef) -> EntityName:
        """The id of an entity in its file; before a mere number, K or R. Clusters without names count from 1."""
        side, number = ref
        if number == NONE:
            return EntityName(SIDES[side], ADDED)
        annotated = self._sides[side]
        name = annotated.name(number)
        if name.isdecimal():
            name = LETTERS[side] + (str(int(name) + 1) if self._unnamed[side] else name)
        return EntityName(SIDES[side], name)


def _place(position: int) -> str:
    return f"{position >> SENTENCE_SHIFT}:{node_name(position)}"
