"""From sums to scores; 0/0 is 0 unless a rule set says otherwise.

Every division by what may be 0 is here. Elsewhere only the terms of some metrics and the similarities of mentions
divide, by sizes that are never 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Counts = tuple[float, ...]
"""One row of named sums; what they mean is said by the ``fields`` of their metric."""


class Score(NamedTuple):
    """Recall, precision and F1, unrounded."""

    recall: float
    precision: float
    f1: float


class F1(NamedTuple):
    """A score that has no recall and precision of its own."""

    f1: float


class Value(NamedTuple):
    """A measure that is one number."""

    value: float


class Deviation(NamedTuple):
    """A measure that is a magnitude with a direction: ``r`` costs recall, ``p`` precision, empty is neither."""

    value: float
    direction: str


AnyScore = Score | F1 | Value | Deviation


def headline(score: AnyScore) -> float:
    """The one figure to show where there is room for one: F1, or the value."""
    return score.f1 if isinstance(score, Score | F1) else score.value


def ratio(numerator: float, denominator: float, nothing: float = 0.0) -> float:
    """The ratio, and ``nothing`` for 0/0.

    >>> ratio(1, 2), ratio(0, 0), ratio(0, 0, nothing=1.0)
    (0.5, 0.0, 1.0)
    """
    return float(numerator / denominator) if denominator else nothing


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; of nothing, 0."""
    values = list(values)
    return ratio(sum(values), len(values))


def f1(recall: float, precision: float) -> float:
    """2PR / (P + R), and 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


def prf(counts: Counts, nothing: float = 0.0) -> Score:
    """The score of (recall numerator, its denominator, precision numerator, its denominator).

    ``nothing`` is the score if neither side has anything to count.
    """
    if not counts[1] and not counts[3]:
        return Score(nothing, nothing, nothing)
    recall, precision = ratio(counts[0], counts[1]), ratio(counts[2], counts[3])
    if counts[0] == counts[2]:  # 2n / (d + d'), the same without rounding on the way
        return Score(recall, precision, ratio(2 * counts[0], counts[1] + counts[3]))
    return Score(recall, precision, f1(recall, precision))


def add(rows: Iterable[Counts]) -> Counts:
    """The sum of rows of one metric."""
    return tuple(map(sum, zip(*rows, strict=True)))
