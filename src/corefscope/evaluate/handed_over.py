"""Clusters as programs hand them over: lists of lists of mentions, checked; spans that are lists become tuples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import chain
from numbers import Integral

from ..base.annotations import Any
from ..base.errors import InputError

Cluster = list[Hashable]
Clusters = Iterable[Iterable[Hashable]]
NESTED = "score_clusters and Scorer.add take the clusters of one document: [[(0, 1), (4, 4)], [(7, 9)]]"


def both_sides(key: Clusters, response: Clusters) -> tuple[list[Cluster], list[Cluster]]:
    """The clusters of both sides as lists of hashable mentions; InputError if they are nested otherwise.

    >>> both_sides([[[0, 1], (4, 4)]], [])
    ([[(0, 1), (4, 4)]], [])
    """
    return of_one_kind(listed(key, "key"), listed(response, "response"))


def listed(clusters: Clusters, side: str) -> list[Cluster]:
    """The clusters of one side as lists of what they hold; InputError if they are no clusters."""
    try:
        given: list[Any] = list(clusters)
        all_lists = {*map(type, given)} == {list}
        lists: list[Cluster] = given if all_lists else list(map(_members, given))
    except TypeError as error:
        raise InputError(f"the {side} is not a list of clusters: {error}") from None
    if not all(lists):
        raise InputError(
            f"cluster {lists.index([])} of the {side} is empty or a string",
            hint="clusters are non-empty lists of hashable mentions",
        )
    if given and not all_lists and all(map(_is_pair, given)) and _numbers(_kinds(lists)):
        raise InputError(
            f"the {side} is a list of spans such as {given[0]}, not of clusters",
            hint=f"{NESTED}; clusters of numbers are lists, [[0, 1], [2, 3]]",
        )
    return lists


def of_one_kind(key: list[Cluster], response: list[Cluster]) -> tuple[list[Cluster], list[Cluster]]:
    """The clusters with hashable mentions; InputError if those of one side are numbers and of the other spans."""
    (keys, key_kinds), (responses, response_kinds) = map(_hashable, (key, response))
    for side, kinds, others in (("key", key_kinds, response_kinds), ("response", response_kinds, key_kinds)):
        if kinds and _numbers(kinds) and others == {tuple}:
            raise InputError(f"the mentions of the {side} are numbers, those of the other side spans", hint=NESTED)
    return keys, responses


def _hashable(clusters: list[Cluster]) -> tuple[list[Cluster], set[type]]:
    """The clusters of one side with spans as tuples, and the types of their mentions."""
    kinds = _kinds(clusters)
    if list not in kinds:
        return clusters, kinds
    return [list(map(hashable, cluster)) for cluster in clusters], kinds - {list} | {tuple}


def _kinds(clusters: list[Cluster]) -> set[type]:
    return set(map(type, chain.from_iterable(clusters)))


def _is_pair(cluster: Any) -> bool:
    return isinstance(cluster, tuple) and len(cluster) == 2


def _members(cluster: Iterable[Hashable]) -> list[Hashable]:
    return [] if isinstance(cluster, str) else list(cluster)


def _numbers(kinds: set[type]) -> bool:
    return all(issubclass(kind, Integral) for kind in kinds)


def hashable(mention: Any) -> Any:
    """A mention that can be looked up: ``[start, end]`` as ``(start, end)``, and all else as it is."""
    if not isinstance(mention, list):
        return mention
    if len(mention) == 2 and _numbers(set(map(type, mention))):
        return tuple(mention)
    raise InputError(f"a mention cannot be used: {mention!r:.60} is a list, but not [start, end]", hint=NESTED)
