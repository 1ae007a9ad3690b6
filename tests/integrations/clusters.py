"""Clusters for all integrations, and what ``Scorer`` says of them."""

from __future__ import annotations

import random
from typing import Any

from corefscope import Scorer


def documents(count: int, seed: int = 7) -> list[Any]:
    """Pairs of random partitions of random spans: key and response."""
    rng = random.Random(seed)

    def side(spans: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        clusters: dict[int, list[tuple[int, int]]] = {}
        for span in spans:
            clusters.setdefault(rng.randrange(6), []).append(span)
        return list(clusters.values())

    pairs = []
    for _ in range(count):
        spans = [(start, start + rng.randrange(3)) for start in range(rng.randrange(1, 30))]
        pairs.append((side(spans), side([span for span in spans if rng.random() < 0.8])))
    return pairs


def figures(pairs: list[Any], **options: Any) -> dict[str, float]:
    scorer = Scorer(**options)
    for key, response in pairs:
        scorer.add(key, response)
    return scorer.report().to_flat_dict()
