"""Scores above a baseline: (s − b)/(1 − b), where b is what another response to the same key scores

A response that knows nothing scores more than 0 in most measures. Measured against such a response, it scores 0 and a
perfect one still 1; worse ones are negative. Popescu-Belis (2000), section 4.1.

The other response is made here, trivial or at random; or it is a file, the output of a simple system, which is read
and scored like any response (``formats/adjustments``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .errors import OptionError
from .metrics import METRICS
from .metrics.base import Metric
from .numbers import AnyScore, Counts, mean, ratio
from .table import Contingency

if TYPE_CHECKING:
    from random import Random


SAMPLES = 10  # random responses, whose scores are averaged
SEED = 0

Respond = Callable[[list[int], "Random"], list[int]]
"""The response entity of every mention, given the sizes of the key entities whose mentions follow each other."""


def _all_apart(sizes: list[int], _: Random) -> list[int]:
    return list(range(sum(sizes)))


def _all_together(sizes: list[int], _: Random) -> list[int]:
    return [0] * sum(sizes)


def _shuffled(sizes: list[int], rng: Random) -> list[int]:
    entities = [i for i, size in enumerate(sizes) for _ in range(size)]
    rng.shuffle(entities)
    return entities


BASELINES: dict[str, tuple[str, Respond]] = {
    "none": ("the response in which no mentions corefer", _all_apart),
    "all": ("the response in which all mentions corefer", _all_together),
    "random": ("random responses with the sizes of the key's entities", _shuffled),
}


FILE = "file"
OF_FILE = rf"{FILE}(-[0-9a-f]{{12}})?"
"""A pattern of what options call a baseline that is a file: by the SHA-256 of its content, once it was read."""


def of_file(digest: str) -> str:
    """What options call a file, or several, of this SHA-256, if it is known.

    >>> of_file("0123456789abcdef")
    'file-0123456789ab'
    """
    return f"{FILE}-{digest[:12]}" if digest else FILE


def comparable(names: Sequence[str], baseline: str) -> tuple[str, ...]:
    """The metrics among these that have a baseline.

    If it is a file, all; if it is made here, those that compare entities and need no words.
    """
    if baseline not in BASELINES:
        return tuple(names)
    fit = tuple(
        name for name in names if METRICS[name].scope.compares_entities and not METRICS[name].scope.needs_words
    )
    if not fit:
        raise OptionError(
            f"no baseline can be made for {', '.join(names)}: only for metrics that compare entities, not words"
        )
    return fit


class Baseline:
    """Counts what a baseline scores on the mentions of each key document."""

    def __init__(self, kind: str, smallest: int, metrics: Sequence[Metric]) -> None:
        """``smallest`` is the number of mentions that an entity must have."""
        from random import Random

        self._respond = BASELINES[kind][1]
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


def above(score: Any, baselines: Sequence[AnyScore], perfect: float = 1.0) -> Any:
    """A score with every figure measured from the mean of the same figure of the baselines.

    An error measure such as D-err, of which 0 is ``perfect``, stays as it is.
    """
    if perfect != 1:
        return score
    means = [mean(figures) for figures in zip(*baselines, strict=True)]
    return type(score)(*map(_from, score, means))


def _from(figure: float, base: float) -> float:
    """(s − b)/(1 − b); where the baseline is perfect, only a perfect score is."""
    return ratio(figure - base, 1 - base, nothing=(figure == base) * 1.0)
