"""Scores by class from the definition, on sets: the majority of labels, then every mention and every pair of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

Clusters = Sequence[Sequence[str]]
Counts = tuple[int, int, int]
"""Right ones, those of the key and those of the response."""
NONE, ABSENT = "none", "–"


def classes_of(side: Clusters, labels: Mapping[str, str], order: Sequence[str]) -> dict[str, str]:
    """The class of the entity of each mention: the majority, of equals the class of the first mention."""
    found: dict[str, str] = {}
    for entity in side:
        named = [labels[mention] for mention in order if mention in entity and mention in labels]
        best = max(named, key=lambda name: (named.count(name), -named.index(name)), default=NONE)
        found.update(dict.fromkeys(entity, best))
    return found


def typed(
    key: Clusters, response: Clusters, labels: Mapping[str, str], order: Sequence[str]
) -> tuple[dict[str, tuple[Counts, Counts]], Counter[tuple[str, str]]]:
    """The counts of mentions and links of each class, and the confusion."""
    ours, theirs = classes_of(key, labels, order), classes_of(response, labels, order)
    confusion = Counter((ours.get(m, ABSENT), theirs.get(m, ABSENT)) for m in {*ours, *theirs})
    links = [{frozenset(pair) for entity in side for pair in combinations(entity, 2)} for side in (key, response)]
    scores = {}
    for name in {*ours.values(), *theirs.values()} - {NONE}:
        of_class = [{m for m, c in classes.items() if c == name} for classes in (ours, theirs)]
        of_links = [{link for link in side if link <= own} for side, own in zip(links, of_class, strict=True)]
        counts = [(len(a & b), len(a), len(b)) for a, b in (of_class, of_links)]
        scores[name] = counts[0], counts[1]
    return scores, confusion
