"""Baseline responses, trivial or drawn at random: no mentions corefer, all do, or as many as in the key.

Popescu-Belis (2000), section 4.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from ..core.metrics.base import Metric
from ..core.numbers import Counts
from ..core.table import Contingency

SAMPLES = 10  # random responses, whose scores are averaged
SEED = 0

Respond = Callable[[list[int], Random], list[int]]
"""The response entity of every mention, given the sizes of the key entities whose mentions follow each other."""


def _shuffled(sizes: list[int], rng: Random) -> list[int]:
    entities = [i for i, size in enumerate(sizes) for _ in range(size)]
    rng.shuffle(entities)
    return entities


RESPOND: dict[str, Respond] = {
    "none": lambda sizes, _: list(range(sum(sizes))),
    "all": lambda sizes, _: [0] * sum(sizes),
    "random": _shuffled,
}
"""What makes each baseline of :data:`~corefscope.core.baselines.BASELINES`."""


class Baseline:
    """The counts of a baseline on the mentions of each key document."""

    def __init__(self, kind: str, smallest: int, metrics: Sequence[Metric]) -> None:
        """``smallest`` is the number of mentions that an entity must have."""
        self._respond = RESPOND[kind]
        self._smallest = smallest
        self._metrics = metrics
        self._rngs = [Random(SEED + sample) for sample in range(SAMPLES if kind == "random" else 1)]
        self.samples: list[dict[str, tuple[Counts, ...]]] = [{} for _ in self._rngs]
        """Rows of counts by document, for each sample."""

    def add(self, name: str, sizes: list[int]) -> None:
        """Add a document whose key entities have these sizes."""
        for rng, rows in zip(self._rngs, self.samples, strict=True):
            table = _table(sizes, self._respond(sizes, rng), self._smallest)
            rows[name] = tuple([metric.counts(table) for metric in self._metrics])


def _table(sizes: list[int], response: list[int], smallest: int) -> Contingency:
    """Key against response; response entities that are too small are dropped, as they are from files."""
    key = [i for i, size in enumerate(sizes) for _ in range(size)]
    response_sizes = {entity: size for entity, size in Counter(response).items() if size >= smallest}
    column_of = {entity: j for j, entity in enumerate(response_sizes)}
    pairs = Counter((i, column_of[entity]) for i, entity in zip(key, response, strict=True) if entity in column_of)
    return Contingency.of_pairs(sizes, list(response_sizes.values()), pairs)
