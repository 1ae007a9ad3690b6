"""Weighted metrics from their definitions on sets: an entity, and each of its mentions, counts as often as it weighs.

A side is a list of (entity, weight); added singletons weigh what the entity of their mention does on its own side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Entity = frozenset[str]
Side = Sequence[tuple[Entity, Fraction]]
OneWay = Callable[[Side, Side], tuple[Fraction, Fraction]]
"""The numerator and the denominator of the recall."""


def _holder(side: Side, mention: str) -> Entity:
    return next((entity for entity, _ in side if mention in entity), frozenset())


def _pieces(entity: Entity, response: Side) -> list[Entity]:
    return list({(_holder(response, m) & entity) or frozenset([m]) for m in entity})


def _weighed(of_entity: Callable[[Entity, Side], tuple[Fraction, Fraction]]) -> OneWay:
    def one_way(key: Side, response: Side) -> tuple[Fraction, Fraction]:
        terms = [(weight, *of_entity(entity, response)) for entity, weight in key]
        return sum((w * a for w, a, _ in terms), Fraction(0)), sum((w * b for w, _, b in terms), Fraction(0))

    return one_way


def muc(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    return Fraction(len(entity) - len(_pieces(entity, response))), Fraction(len(entity) - 1)


def bcub(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    shares = [Fraction(len(_holder(response, m) & entity), len(entity)) for m in entity]
    return sum(shares, Fraction(0)), Fraction(len(entity))


def b3_all(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    """A missing mention is a singleton of the response."""
    shares = [Fraction(len((_holder(response, m) | {m}) & entity), len(entity)) for m in entity]
    return sum(shares, Fraction(0)), Fraction(len(entity))


def lea(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    size = len(entity)
    if size == 1:
        return Fraction(len(_holder(response, next(iter(entity)))) == 1), Fraction(1)
    kept = sum(b in _holder(response, a) for a in entity for b in entity if a < b)
    return size * Fraction(kept, size * (size - 1) // 2), Fraction(size)


def mentions(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    return Fraction(sum(bool(_holder(response, m)) for m in entity)), Fraction(len(entity))


def clusters_exact(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    return Fraction(any(entity == other for other, _ in response)), Fraction(1)


def core(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    return Fraction(max(map(len, _pieces(entity, response))) - 1), Fraction(len(entity) - 1)


def b3_pb_class(entity: Entity, response: Side) -> tuple[Fraction, Fraction]:
    return sum((Fraction(len(p), len(entity)) ** 2 for p in _pieces(entity, response)), Fraction(0)), Fraction(1)


def _over_one_set(one_way: OneWay) -> OneWay:
    """Both sides get the mentions that only the other has, as singletons."""

    def completed(side: Side, other: Side) -> Side:
        own = {mention for entity, _ in side for mention in entity}
        return [*side, *((frozenset([m]), weight) for entity, weight in other for m in entity if m not in own)]

    return lambda key, response: one_way(completed(key, response), completed(response, key))


TERMS: dict[str, OneWay] = {
    **{f.__name__: _weighed(f) for f in (muc, bcub, b3_all, lea, mentions, clusters_exact)},
    "muc_pb": _over_one_set(_weighed(muc)),
    "b3_pb": _over_one_set(_weighed(bcub)),
    "core": _over_one_set(_weighed(core)),
    "b3_pb_class": _over_one_set(_weighed(b3_pb_class)),
}


def counts(name: str, key: Side, response: Side) -> tuple[Fraction, ...]:
    return (*TERMS[name](key, response), *TERMS[name](response, key))
