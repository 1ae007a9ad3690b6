"""Evaluation on some mentions only, and clusters from links (Popescu-Belis 2000, section 4.4)"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from ..base.numbers import Score, f1, mean

M = TypeVar("M", bound=Hashable)


def restrict(clusters: Iterable[Iterable[M]], keep: Callable[[M], bool]) -> list[list[M]]:
    """The clusters with only the mentions that ``keep`` selects; clusters that lose all of theirs are gone.

    >>> restrict([["he", "Ann"], ["it"]], str.islower)
    [['he'], ['it']]
    """
    kept = [[mention for mention in cluster if keep(mention)] for cluster in clusters]
    return [cluster for cluster in kept if cluster]


def b_cubed_over(key: Iterable[Iterable[M]], response: Iterable[Iterable[M]], keep: Callable[[M], bool]) -> Score:
    """B³ averaged over the mentions that ``keep`` selects, in entities that are left whole.

    R = mean of |K_m ∩ R_m| / |K_m| over the selected key mentions m, P likewise over those of the response.

    >>> b_cubed_over([["he", "Ann", "she"]], [["he"], ["Ann", "she"]], str.islower)
    Score(recall=0.5, precision=1.0, f1=0.6666666666666666)
    """
    ours = {mention: set(cluster) for cluster in map(list, key) for mention in cluster}
    theirs = {mention: set(cluster) for cluster in map(list, response) for mention in cluster}

    def share(mention: M, of: dict[M, set[M]], other: dict[M, set[M]]) -> float:
        return mean([float(found in other.get(mention, ())) for found in of[mention]])

    recall = mean(share(mention, ours, theirs) for mention in ours if keep(mention))
    precision = mean(share(mention, theirs, ours) for mention in theirs if keep(mention))
    return Score(recall, precision, f1(recall, precision))


def clusters_from_links(links: Iterable[tuple[M, M]]) -> list[list[M]]:
    """The classes of mentions that links hold together, in the order of their first mentions.

    >>> clusters_from_links([("a", "b"), ("c", "d"), ("d", "b"), ("e", "e")])
    [['a', 'b', 'c', 'd'], ['e']]
    """
    cluster_of: dict[M, list[M]] = {}
    for one, other in links:
        ours, theirs = (cluster_of.setdefault(mention, [mention]) for mention in (one, other))
        if ours is not theirs:
            if len(ours) < len(theirs):
                ours, theirs = theirs, ours
            ours += theirs
            for mention in theirs:
                cluster_of[mention] = ours
    order = {mention: at for at, mention in enumerate(cluster_of)}
    unique = {id(cluster): cluster for cluster in cluster_of.values()}
    return sorted((sorted(cluster, key=order.__getitem__) for cluster in unique.values()), key=lambda c: order[c[0]])
