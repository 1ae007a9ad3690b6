"""What mentions can be divided by: one row for each dimension, its values in the order in which they are shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from ...base.document import Document
from ...base.mention import text_order
from ...base.mention_type import TYPES, mention_type
from ...base.positions import SENTENCE_SHIFT
from .annotated import Annotated

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
    applies: Callable[[Document], bool] = lambda _: True
    """Whether a document can be divided so; a pair is, if one of its documents can."""
    rest: str = ""
    """The value of what is left over, which is never a worst slice."""
    layers: tuple[str, ...] = ()
    """Layers of annotation beside identity that are shown as slices, too."""


LENGTHS = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (None, "11+"))
DISTANCES = ((0, "0"), (1, "1"), (2, "2"), (5, "3-5"), (None, "6+"))
MENTIONS_BETWEEN = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (20, "11-20"), (None, "21+"))
FIRST, LATER, UNKNOWN = "first", "later", "none"
ONE, SEVERAL = "one", "several"

Buckets = Sequence[tuple[int | None, str]]


def bucket(size: int, buckets: Buckets) -> str:
    """The name of the first bucket that is large enough.

    >>> bucket(4, LENGTHS), bucket(11, LENGTHS)
    ('3-5', '11+')
    """
    return next(name for largest, name in buckets if largest is None or size <= largest)


def _names(buckets: Buckets) -> tuple[str, ...]:
    return tuple(name for _, name in buckets)


def _mention_type(side: Annotated, members: Members) -> Values:
    return {n: mention_type(side.document, side.mention(n)) for n in chain.from_iterable(members.values())}


def _entity_type(side: Annotated, members: Members) -> Values:
    return {n: side.type_of(i) or UNKNOWN for i, entity in members.items() for n in entity}


def _chain_length(side: Annotated, members: Members) -> Values:  # noqa: ARG001
    return {n: bucket(len(entity), LENGTHS) for entity in members.values() for n in entity}


def _span_length(side: Annotated, members: Members) -> Values:
    mentions = side.side.mentions
    return {n: bucket(len(set(mentions[n].positions)), LENGTHS) for n in chain.from_iterable(members.values())}


def _cross_document(side: Annotated, members: Members) -> Values:
    """Whether the entity is in one or in several of the documents that were joined."""
    starts = side.document.starts
    within = [bisect_right(starts, mention.first >> SENTENCE_SHIFT) for mention in side.side.mentions]
    spread = {i: ONE if len({within[n] for n in entity}) == 1 else SEVERAL for i, entity in members.items()}
    return {n: spread[i] for i, entity in members.items() for n in entity}


def _relation(side: Annotated, members: Members) -> Values:
    """What a mention is the anaphor of: the kind of the relation, and what the annotation calls it."""
    named = {
        mention.positions: f"{relation.kind} {relation.label}".strip()
        for relation in reversed(side.document.relations)
        for mention in relation.anaphor
    }
    return {n: named.get(side.mention(n).positions, UNKNOWN) for n in chain.from_iterable(members.values())}


def _has_relations(document: Document) -> bool:
    return bool(document.relations or document.deixis)


def _order(side: Annotated, members: Members) -> Values:
    return _by_antecedent(side, members, lambda *_: LATER)


def _distance(side: Annotated, members: Members) -> Values:
    """Sentences between the first words of a mention and of its antecedent."""
    sentences = [mention.first >> SENTENCE_SHIFT for mention in side.side.mentions]
    return _by_antecedent(side, members, lambda n, before: bucket(sentences[n] - sentences[before], DISTANCES))


def _mention_distance(side: Annotated, members: Members) -> Values:
    """Steps in the order of all mentions of the document between a mention and its antecedent."""
    rank = {n: index for index, n in enumerate(_in_text_order(side, chain.from_iterable(members.values())))}
    return _by_antecedent(side, members, lambda n, before: bucket(rank[n] - rank[before], MENTIONS_BETWEEN))


def _by_antecedent(side: Annotated, members: Members, value: Callable[[int, int], str]) -> Values:
    """A value for each mention and the one before it in its entity; mentions that are ids have no order."""
    if not side.document.sentences:
        return dict.fromkeys(chain.from_iterable(members.values()), UNKNOWN)
    values: Values = {}
    for entity in members.values():
        first, *later = ordered = _in_text_order(side, entity)
        values[first] = FIRST
        values.update({n: value(n, before) for before, n in zip(ordered, later, strict=False)})
    return values


def _in_text_order(side: Annotated, numbers: Iterable[int]) -> list[int]:
    return sorted(numbers, key=lambda number: text_order(side.side.mentions[number]))


DIMENSIONS: dict[str, Dimension] = {
    row.name: row
    for row in (
        Dimension("mention-type", "what heads the mention", _mention_type, TYPES),
        Dimension("entity-type", "type of the entity", _entity_type),
        Dimension("chain-length", "mentions of the entity", _chain_length, _names(LENGTHS)),
        Dimension("distance", "sentences to the antecedent", _distance, (FIRST, *_names(DISTANCES))),
        Dimension(
            "mention-distance", "mentions to the antecedent", _mention_distance, (FIRST, *_names(MENTIONS_BETWEEN))
        ),
        Dimension("order", "first and later mentions of the entity", _order, (FIRST, LATER)),
        Dimension("span-length", "words of the mention", _span_length, _names(LENGTHS)),
        Dimension("cross-document", "documents of the entity", _cross_document, (ONE, SEVERAL)),
        Dimension(
            "relation",
            "what the mention is the anaphor of",
            _relation,
            applies=_has_relations,
            rest=UNKNOWN,
            layers=("deixis",),
        ),
    )
}
