"""Naive twins of the measures of record linkage: loops over pairs of mentions, no table, no closed forms.

Every measure is a function of a list of documents, since that is how it is pooled; all but roots and logarithms are
exact fractions. ``nothing`` is what the rules say of 0/0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import log, sqrt

Clusters = Sequence[Sequence[Hashable]]
Documents = Sequence[tuple[Clusters, Clusters]]
Number = Fraction | float


def _mentions(*sides: Clusters) -> list[Hashable]:
    return sorted({mention for side in sides for cluster in side for mention in cluster}, key=repr)


def _together(side: Clusters, one: Hashable, other: Hashable) -> bool:
    return any(one in cluster and other in cluster for cluster in side)


def _cluster(side: Clusters, mention: Hashable) -> set[Hashable]:
    """The cluster of a mention; by itself if the side lacks it."""
    return next(({*cluster} for cluster in side if mention in cluster), {mention})


def _judged(documents: Documents) -> Iterator[tuple[bool, bool]]:
    """Of every pair of mentions of a document whether the key puts them together, and whether the response does."""
    for key, response in documents:
        for pair in combinations(_mentions(key, response), 2):
            yield _together(key, *pair), _together(response, *pair)


def confusion(documents: Documents) -> tuple[int, int, int]:
    """TP, FP, FN"""
    judged = list(_judged(documents))
    return judged.count((True, True)), judged.count((False, True)), judged.count((True, False))


def _prf(common: int, key: int, response: int, nothing: int) -> tuple[Number, Number, Number]:
    if not key and not response:
        return Fraction(nothing), Fraction(nothing), Fraction(nothing)
    recall, precision = (Fraction(common, of) if of else Fraction(0) for of in (key, response))
    return recall, precision, 2 * recall * precision / (recall + precision) if common else Fraction(0)


def pairs(documents: Documents, nothing: int) -> tuple[Number, ...]:
    both, response_only, key_only = confusion(documents)
    return _prf(both, both + key_only, both + response_only, nothing)


def clusters_exact(documents: Documents, nothing: int) -> tuple[Number, ...]:
    keys = [(n, frozenset(cluster)) for n, (key, _) in enumerate(documents) for cluster in key]
    responses = [(n, frozenset(cluster)) for n, (_, response) in enumerate(documents) for cluster in response]
    return _prf(len({*keys} & {*responses}), len(keys), len(responses), nothing)


def adjusted_rand(documents: Documents, _: int) -> tuple[Number, ...]:
    """Chance puts any pair of a document together as often as the response does any."""
    both = by_chance = largest = Fraction(0)
    for document in documents:
        judged = list(_judged([document]))
        rate = Fraction(sum(response for _, response in judged), len(judged)) if judged else Fraction(0)
        both += sum(key and response for key, response in judged)
        by_chance += sum(rate for key, _ in judged if key)
        largest += Fraction(sum(key + response for key, response in judged), 2)
    return ((both - by_chance) / (largest - by_chance) if largest != by_chance else Fraction(1),)


def fowlkes_mallows(documents: Documents, nothing: int) -> tuple[Number, ...]:
    recall, precision, _ = pairs(documents, nothing)
    return (sqrt(recall * precision),)


def variation_of_information(documents: Documents, _: int) -> tuple[Number, ...]:
    """Each mention is asked how much smaller what both sides say of it is than what each says."""
    total, count = 0.0, 0
    for key, response in documents:
        for mention in _mentions(key, response):
            ours, theirs = _cluster(key, mention), _cluster(response, mention)
            total += log(len(ours) / len(ours & theirs)) + log(len(theirs) / len(ours & theirs))
            count += 1
    return (total / count if count else 0.0,)


ORACLES: dict[str, Callable[[Documents, int], tuple[Number, ...]]] = {
    "pairs": pairs,
    "clusters_exact": clusters_exact,
    "adjusted_rand": adjusted_rand,
    "fowlkes_mallows": fowlkes_mallows,
    "variation_of_information": variation_of_information,
}
