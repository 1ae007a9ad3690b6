"""From an alignment to its contingency table."""

from __future__ import annotations

from collections import Counter

from ..base.errors import InputError
from ..match.alignment import NONE, Alignment, Side
from .table import Cells, Contingency

MAX_PAIRS = 1_000_000
"""Pairs of a key and a response entity that mentions in several entities may make in a document: as many as 1,000
entities of each side on one span, which take 300 MB. Mentions in one entity of each side do not count."""


def tabulate(alignment: Alignment) -> Contingency:
    """Count an alignment."""
    key, response = alignment.key, alignment.response
    key_sizes = list(map(len, key.entities))
    response_sizes = list(map(len, response.entities))
    cells = Cells.of_pairs(_pairs(key, response, alignment.to_response), key_sizes, response_sizes)
    back = shared = None
    repeats = key.repeats or response.repeats
    if repeats or not alignment.mutual:
        back = Cells.of_pairs(_pairs(response, key, alignment.to_key), response_sizes, key_sizes)
    if repeats:
        shared = Cells.of_pairs(_memberships(alignment), key_sizes, response_sizes)
    return Contingency(
        key_sizes,
        response_sizes,
        cells,
        back=back,
        shared=shared,
        matched=alignment.matched,
        mentions=(len(key.mentions), len(response.mentions)),
    )


def tabulate_partition(alignment: Alignment) -> Contingency:
    """Count an alignment as if every mention stood only in the entity that owns it, and had one counterpart."""
    pairs = [(k, r) for k, r in enumerate(alignment.to_response) if r >= 0 and alignment.to_key[r] == k]
    key_owner, response_owner = alignment.key.owner, alignment.response.owner
    key_sizes, response_sizes = Counter(key_owner), Counter(response_owner)
    row_of = {entity: i for i, entity in enumerate(key_sizes)}
    column_of = {entity: j for j, entity in enumerate(response_sizes)}
    cells = Counter((row_of[key_owner[k]], column_of[response_owner[r]]) for k, r in pairs)
    return Contingency.of_pairs(list(key_sizes.values()), list(response_sizes.values()), cells)


def _pairs(side: Side, other: Side, counterpart: list[int]) -> Counter[tuple[int, int]]:
    """How many mentions of each entity have their counterpart in each entity of the other side."""
    owner = other.owner
    if not side.repeats:
        return Counter([(i, owner[m]) for i, m in zip(side.owner, counterpart, strict=True) if m >= 0])
    return Counter(
        (i, owner[counterpart[number]])
        for i, entity in enumerate(side.entities)
        for number in entity
        if counterpart[number] != NONE
    )


def _memberships(alignment: Alignment) -> Counter[tuple[int, int]]:
    """The same from the key, with every response entity that holds the counterpart.

    InputError if repeated mentions make more than ``MAX_PAIRS`` pairs of entities.
    """
    holders: dict[int, list[int]] = {}
    for j, entity in enumerate(alignment.response.entities):
        for number in entity:
            holders.setdefault(number, []).append(j)
    counterparts = (alignment.to_response[number] for entity in alignment.key.entities for number in entity)
    numbers = [len(holders.get(counterpart, ())) for counterpart in counterparts]
    if sum(numbers) > MAX_PAIRS + len(numbers):  # mentions in one entity of each side have one pair each
        raise _crowded(alignment, sum(numbers))
    return Counter(
        (i, j)
        for i, entity in enumerate(alignment.key.entities)
        for number in entity
        for j in holders.get(alignment.to_response[number], ())
    )


def _crowded(alignment: Alignment, pairs: int) -> InputError:
    """The error about entities that share their spans with too many others."""
    document = alignment.response.document
    name = f"document {document.id!r}: " if document else ""
    message = f"{name}{pairs:,} pairs of key and response entities share a mention, and {MAX_PAIRS:,} can be scored"
    hint = "too many entities are on the same span, in the key and here: remove those that repeat"
    return InputError(message, path=document.path if document else "", hint=hint)
