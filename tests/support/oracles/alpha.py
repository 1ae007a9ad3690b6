"""Krippendorff's α for chains, from its definition: sets of mentions, loops over all pairs of labels, fractions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

Chains = Sequence[Sequence[Hashable]]
"""The chains of one annotator in one document."""
Label = frozenset[Hashable] | None
"""The chain of a mention; None if it is not marked."""


def distance(name: str, one: Label, other: Label) -> Fraction:
    """0 for equal labels, 1 for those that share nothing."""
    if one == other:
        return Fraction(0)
    if one is None or other is None or not one & other:
        return Fraction(1)
    jaccard = Fraction(len(one & other), len(one | other))
    monotonicity = Fraction(2, 3) if one <= other or other <= one else Fraction(1, 3)
    return {"passonneau": 1 - monotonicity, "jaccard": 1 - jaccard, "masi": 1 - jaccard * monotonicity}[name]


def alpha(documents: Sequence[Sequence[Chains]], name: str, unmarked: str) -> Fraction | None:
    """α of some documents, each with the chains of every annotator; None if nothing could disagree."""
    observed = expected = Fraction(0)
    for annotators in documents:
        mentions = {mention for chains in annotators for chain in chains for mention in chain}
        units: list[list[Label]] = []
        for mention in mentions:
            labels: list[Label] = []
            for chains in annotators:
                own = [frozenset(chain) for chain in chains if mention in chain]
                labels += own or ([None] if unmarked == "class" else [])
            if len(labels) > 1:
                units.append(labels)
        for labels in units:
            pairs = [(i, j) for i in range(len(labels)) for j in range(len(labels)) if i != j]
            observed += sum(distance(name, labels[i], labels[j]) for i, j in pairs) / Fraction(len(labels) - 1)
        every = [label for labels in units for label in labels]
        if every:
            pairs = [(i, j) for i in range(len(every)) for j in range(len(every)) if i != j]
            expected += sum(distance(name, every[i], every[j]) for i, j in pairs) / Fraction(len(every) - 1)
    return 1 - observed / expected if expected else None
