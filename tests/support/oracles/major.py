"""F1 over major entities from the definition: every one-to-one map is tried, in exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

Entity = frozenset[str]
Documents = Sequence[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]]
Judged = list[tuple[int, Fraction]]
"""The size of each major entity, and the F1 of its mentions."""


def f1_of_sets(key: Entity, response: Entity) -> Fraction:
    if not key & response:
        return Fraction(0)
    recall, precision = (Fraction(len(key & response), len(side)) for side in (key, response))
    return 2 * recall * precision / (recall + precision)


def by_assignment(key: Sequence[Entity], response: Sequence[Entity], least: int) -> Judged:
    """The map with the greatest Σ F; of several, that with the greatest Σ |K|·F."""
    major = [entity for entity in key if len(entity) >= least]
    candidates = [*response, *[frozenset[str]()] * len(major)]  # as many as may stay without an entity
    maps = (
        [(len(one), f1_of_sets(one, other)) for one, other in zip(major, chosen, strict=True)]
        for chosen in permutations(candidates, len(major))
    )
    return max(maps, key=lambda judged: (sum(f for _, f in judged), sum(size * f for size, f in judged)))


def averaged(judged: Judged, *, micro: bool) -> Fraction:
    weights = [size if micro else 1 for size, _ in judged]
    total = sum(weight * f for weight, (_, f) in zip(weights, judged, strict=True))
    return Fraction(total, sum(weights)) if judged else Fraction(0)


def _oracle(micro: bool) -> Callable[..., Fraction]:
    def score(documents: Documents, least: int = 4) -> Fraction:
        sides = [[[frozenset(entity) for entity in side] for side in pair] for pair in documents]
        return averaged([one for key, response in sides for one in by_assignment(key, response, least)], micro=micro)

    return score


ORACLES = {"major_macro": _oracle(micro=False), "major_micro": _oracle(micro=True)}
