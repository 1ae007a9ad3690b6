"""What mentions can be divided by: one row for each dimension, its values in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...base.document import text_order
from ...base.positions import SENTENCE_SHIFT
from .annotated import Annotated
from .mention_types import TYPES, HeadTypes

Members = dict[int, list[int]]
"""Entity → the mentions it has; both are numbers."""
Values = dict[int, str]
"""The value of each mention."""


class Dimension(NamedTuple):
    """One row of the catalogue."""

    name: str
    title: str
    values: Callable[[Annotated, Members], Values]
    """Of the mentions of one side, by the annotation of that side."""
    order: tuple[str, ...] = ()
    """The values there can be; without it they are shown by size."""


LENGTHS = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (None, "11+"))
DISTANCES = ((0, "0"), (1, "1"), (2, "2"), (5, "3-5"), (None, "6+"))
MENTIONS_BETWEEN = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (20, "11-20"), (None, "21+"))
FIRST, LATER, UNKNOWN = "first", "later", "none"

Buckets = Sequence[tuple[int | None, str]]


def bucket(number: int, buckets: Buckets) -> str:
    """The name of the first bucket that is large enough.

    >>> bucket(4, LENGTHS), bucket(11, LENGTHS)
    ('3-5', '11+')
    """
    return next(name for largest, name in buckets if largest is None or number <= largest)


def _names(buckets: Buckets) -> tuple[str, ...]:
    return tuple(name for _, name in buckets)


def _mention_type(side: Annotated, members: Members) -> Values:
    type_of = HeadTypes(side.document)
    return {number: type_of(side.mention(number)) for entity in members.values() for number in entity}


def _entity_type(side: Annotated, members: Members) -> Values:
    return {number: side.type_of(i) or UNKNOWN for i, entity in members.items() for number in entity}


def _chain_length(side: Annotated, members: Members) -> Values:  # noqa: ARG001
    return {number: bucket(len(entity), LENGTHS) for entity in members.values() for number in entity}


def _span_length(side: Annotated, members: Members) -> Values:
    mentions = side.side.mentions
    return {n: bucket(len(set(mentions[n].positions)), LENGTHS) for entity in members.values() for n in entity}


def _order(side: Annotated, members: Members) -> Values:
    if not side.document.sentences:
        return _unknown(members)
    return {
        number: LATER if at else FIRST
        for entity in members.values()
        for at, number in enumerate(in_text_order(side, entity))
    }


def _distance(side: Annotated, members: Members) -> Values:
    """Sentences between the first words of a mention and of the one before it in its entity."""
    if not side.document.sentences:
        return _unknown(members)
    values: Values = {}
    for entity in members.values():
        before: int | None = None
        for number in in_text_order(side, entity):
            sentence = side.side.mentions[number].positions[0] >> SENTENCE_SHIFT
            values[number] = FIRST if before is None else bucket(sentence - before, DISTANCES)
            before = sentence
    return values


def _mention_distance(side: Annotated, members: Members) -> Values:
    """Places in the order of all mentions of the document between a mention and the one before it in its entity."""
    if not side.document.sentences:
        return _unknown(members)
    every = in_text_order(side, [number for entity in members.values() for number in entity])
    place = {number: at for at, number in enumerate(every)}
    values: Values = {}
    for entity in members.values():
        ordered = in_text_order(side, entity)
        for at, number in enumerate(ordered):
            values[number] = bucket(place[number] - place[ordered[at - 1]], MENTIONS_BETWEEN) if at else FIRST
    return values


def _unknown(members: Members) -> Values:
    """Mentions that are ids have no order."""
    return {number: UNKNOWN for entity in members.values() for number in entity}


def in_text_order(side: Annotated, numbers: Sequence[int]) -> list[int]:
    """Mentions by number, as one comes after the other."""
    return sorted(numbers, key=lambda number: text_order(side.side.mentions[number]))


DIMENSIONS: dict[str, Dimension] = {
    row.name: row
    for row in (
        Dimension("mention-type", "what heads the mention", _mention_type, tuple(TYPES)),
        Dimension("entity-type", "type of the entity", _entity_type),
        Dimension("chain-length", "mentions of the entity", _chain_length, _names(LENGTHS)),
        Dimension("distance", "sentences to the antecedent", _distance, (FIRST, *_names(DISTANCES))),
        Dimension(
            "mention-distance", "mentions to the antecedent", _mention_distance, (FIRST, *_names(MENTIONS_BETWEEN))
        ),
        Dimension("order", "first and later mentions of the entity", _order, (FIRST, LATER)),
        Dimension("span-length", "words of the mention", _span_length, _names(LENGTHS)),
    )
}
