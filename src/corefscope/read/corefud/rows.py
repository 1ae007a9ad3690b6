"""Entities on their way from the brackets into a document, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...base.mention import Mention, mention_order
from .brackets import Brackets

# First word, minus length and last word of the first mention of an entity, its id, mentions and type. Rows sort as
# entities do; ids are unique, so mentions are never compared. Plain tuples sort fastest.
Row = tuple[int, int, int, str, list[Mention], str]
ID: Final = 3
MENTIONS: Final = 4


def rows_of(brackets: Brackets, order: Callable[[Mention], Any] = mention_order) -> list[Row]:
    """The entities that have mentions, each with its mentions in order."""
    rows: list[Row] = []
    for id_, entity in brackets.entities.items():
        mentions: list[Any] = entity.members
        if entity.opened:  # what is still open has no mention in its slot
            mentions = [mention for mention in mentions if mention is not None]
        if len(mentions) > 1:
            mentions.sort(key=order)
        if mentions:
            first = mentions[0]
            rows.append((first[0], first[1], first[2], id_, mentions, entity.type))
    return rows


def unique_id(id_: str, part: int) -> str:
    """The id of an entity in a part of a document, where the same id is another entity in each part.

    >>> unique_id("e1", 0), unique_id("e1", 1)
    ('e1', 'e1.2')
    """
    return f"{id_}.{part + 1}" if part else id_
