"""Clusters of selected mentions, B³ over such mentions, and clusters from links."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from ..core.clusters import both_sides
from ..core.components import components
from ..core.numbers import Score, f1, mean
from ..formats.cluster_input import check_categories, with_value

M = TypeVar("M", bound=Hashable)


Clusters = Iterable[Iterable[M]] | Mapping[Any, Iterable[M]]


def restrict(clusters: Clusters[M], keep: Callable[[M], bool]) -> list[list[M]]:
    """Restrict clusters to the mentions that ``keep`` selects; clusters that become empty are removed.

    A dictionary has the mentions of each cluster by its name.

    >>> restrict([["he", "Ann"], ["it"]], str.islower)
    [['he'], ['it']]
    """
    each = clusters.values() if isinstance(clusters, Mapping) else clusters
    kept = [[mention for mention in cluster if keep(mention)] for cluster in each]
    return [cluster for cluster in kept if cluster]


def b_cubed_over(key: Clusters[M], response: Clusters[M], keep: Callable[[M], bool]) -> Score:
    """B³ averaged over the mentions that ``keep`` selects, in entities that are left whole.

    R = mean of |K_m ∩ R_m| / |K_m| over the selected key mentions m, P = mean of |K_m ∩ R_m| / |R_m| over those of
    the response.

    Mentions are as for :class:`corefscope.Scorer`; ``keep`` gets arrays and tensors as integers and tuples.

    >>> b_cubed_over([["he", "Ann", "she"]], [["he"], ["Ann", "she"]], str.islower)
    Score(recall=0.5, precision=1.0, f1=0.6666666666666666)
    """
    keys, responses = both_sides(key, response)
    check_categories(keys, responses)
    key_of: dict[Any, set[Any]] = {mention: set(cluster) for cluster in keys for mention in cluster}
    response_of: dict[Any, set[Any]] = {mention: set(cluster) for cluster in responses for mention in cluster}

    def share(mention: M, clusters: dict[M, set[M]], others: dict[M, set[M]]) -> float:
        return mean([float(member in others.get(mention, ())) for member in clusters[mention]])

    recall = mean(share(mention, key_of, response_of) for mention in key_of if keep(mention))
    precision = mean(share(mention, response_of, key_of) for mention in response_of if keep(mention))
    return Score(recall, precision, f1(recall, precision))


def clusters_from_links(links: Iterable[tuple[M, M]]) -> list[list[M]]:
    """The connected components of links, in the order of their first mentions.

    Mentions are as for :class:`corefscope.Scorer`: arrays and tensors become integers and tuples.

    >>> clusters_from_links([("a", "b"), ("c", "d"), ("d", "b"), ("e", "e")])
    [['a', 'b', 'c', 'd'], ['e']]
    """
    links = [
        (with_value(one, f"link {number}"), with_value(other, f"link {number}"))
        for number, (one, other) in enumerate(links)
    ]
    return [
        list(dict.fromkeys(mention for n in sorted(group) for mention in links[n])) for group in components(links)
    ]
