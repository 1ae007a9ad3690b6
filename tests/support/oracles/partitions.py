"""Naive set-based twins of the table metrics: two lists of sets of mentions, no table, no closed forms.

Recall and precision numerators and denominators as exact fractions; pair loops and exhaustive search where the
definition says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Partition = Sequence[frozenset[object]]
Figures = tuple[Fraction, Fraction, Fraction]


def ratio(numerator: Fraction | int, denominator: Fraction | int) -> Fraction:
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def harmonic(recall: Fraction, precision: Fraction) -> Fraction:
    return ratio(2 * recall * precision, recall + precision)


def both_ways(one_way: Callable[[Partition, Partition], Fraction]) -> Callable[[Partition, Partition], Figures]:
    def score(key: Partition, response: Partition) -> Figures:
        recall, precision = one_way(key, response), one_way(response, key)
        return recall, precision, harmonic(recall, precision)

    return score


def _entity(partition: Partition, mention: object) -> frozenset[object]:
    return next((entity for entity in partition if mention in entity), frozenset())


@both_ways
def muc(key: Partition, response: Partition) -> Fraction:
    kept = total = 0
    for entity in key:
        pieces = {_entity(response, mention) & entity or frozenset([mention]) for mention in entity}
        kept += len(entity) - len(pieces)
        total += len(entity) - 1
    return ratio(kept, total)


@both_ways
def bcub(key: Partition, response: Partition) -> Fraction:
    shares = [Fraction(len(_entity(response, mention) & entity), len(entity)) for entity in key for mention in entity]
    return ratio(sum(shares, Fraction(0)), len(shares))


@both_ways
def lea(key: Partition, response: Partition) -> Fraction:
    total = sum(len(entity) for entity in key)
    resolved = Fraction(0)
    for entity in key:
        if len(entity) == 1:
            resolved += len(_entity(response, next(iter(entity)))) == 1
        else:
            links = list(combinations(sorted(entity, key=repr), 2))
            kept = sum(1 for a, b in links if b in _entity(response, a))
            resolved += len(entity) * Fraction(kept, len(links))
    return ratio(resolved, total)


@both_ways
def mentions(key: Partition, response: Partition) -> Fraction:
    ours, theirs = _mentions(key), _mentions(response)
    return ratio(len(ours & theirs), len(ours))


def ceafm(key: Partition, response: Partition) -> Figures:
    best = _best(key, response, lambda k, r: Fraction(len(k & r)))
    return _over(best, len(_mentions(key)), len(_mentions(response)))


def ceafe(key: Partition, response: Partition) -> Figures:
    best = _best(key, response, lambda k, r: Fraction(2 * len(k & r), len(k) + len(r)))
    return _over(best, len(key), len(response))


def blanc(key: Partition, response: Partition) -> Figures:
    """Luo et al. (2014), with 0 if there are no links at all."""
    ours, theirs = _links(key), _links(response)
    kinds = [(k, r) for k, r in zip(ours, theirs, strict=True) if k or r]
    found = [_over(Fraction(len(k & r)), len(k), len(r)) for k, r in kinds]
    if not found:
        return Fraction(0), Fraction(0), Fraction(0)
    recall, precision, f1 = (sum(values, Fraction(0)) / len(found) for values in zip(*found, strict=True))
    return recall, precision, f1


def _links(partition: Partition) -> tuple[set[frozenset[object]], set[frozenset[object]]]:
    every = {frozenset(pair) for pair in combinations(_mentions(partition), 2)}
    same = {frozenset(pair) for entity in partition for pair in combinations(entity, 2)}
    return same, every - same


def _mentions(partition: Partition) -> set[object]:
    return {mention for entity in partition for mention in entity}


def _over(common: Fraction, key: int, response: int) -> Figures:
    recall, precision = ratio(common, key), ratio(common, response)
    return recall, precision, harmonic(recall, precision)


def _best(
    key: Partition, response: Partition, similarity: Callable[[frozenset[object], frozenset[object]], Fraction]
) -> Fraction:
    """Every one-to-one map is tried: at most six entities a side, please."""
    small, large = (key, response) if len(key) <= len(response) else (response, key)
    maps: Iterable[tuple[frozenset[object], ...]] = permutations(large, len(small))
    return max((sum(map(similarity, small, chosen), Fraction(0)) for chosen in maps), default=Fraction(0))


ORACLES: dict[str, Callable[[Partition, Partition], Figures]] = {
    "muc": muc,
    "bcub": bcub,
    "ceafe": ceafe,
    "ceafm": ceafm,
    "blanc": blanc,
    "lea": lea,
    "mentions": mentions,
}
