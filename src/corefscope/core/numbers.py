"""From sums to scores; 0/0 is 0 unless a rule set says otherwise.

Every division by what may be 0 is here. Elsewhere only the terms of some metrics and the similarities of mentions
divide, by sizes that are never 0.

:func:`ratio`, :func:`where`, and functions made of them, take numbers, or NumPy arrays with one element for each
score. Resampling scores thousands of pooled counts at once that way, by the same formulas.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeAlias, TypeVar

Numeric: TypeAlias = Any
"""An integer, a float, a fraction, or an array of numbers: arithmetic, :func:`ratio` and :func:`where` take them all.
No other type covers the four."""
Counts = tuple[float, ...]
"""One row of sums; the ``fields`` of their metric name them."""


class Score(NamedTuple):
    """Recall, precision and F1, unrounded. With a format, F1 is shown.

    >>> format(Score(0.5, 1.0, 2 / 3), ".2f")
    '0.67'
    """

    recall: float
    precision: float
    f1: float

    def __format__(self, spec: str) -> str:
        return format(self.f1, spec) if spec else str(self)


class F1(NamedTuple):
    """A score that has no recall and precision of its own."""

    f1: float

    def __format__(self, spec: str) -> str:
        return format(self.f1, spec) if spec else str(self)


class Value(NamedTuple):
    """A measure that is one number."""

    value: float

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)


class Deviation(NamedTuple):
    """A measure that is a magnitude with a direction: ``r`` costs recall, ``p`` precision, empty is neither."""

    value: float
    direction: str

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)


AnyScore = Score | F1 | Value | Deviation


def headline(score: AnyScore) -> float:
    """The figure to show where only one is shown: F1, or the value."""
    return score.f1 if isinstance(score, Score | F1) else score.value


SAME = 1e-11
"""Scores this close differ by the order of additions only."""


def percent(value: float, digits: int = 2) -> str:
    """A ratio as a percentage. What is less than all is never rounded up to 100.

    >>> percent(0.81205), percent(0.99996), percent(1 - 1e-15), percent(0.9996, 1)
    ('81.20', '99.99', '100.00', '99.9')
    """
    shown = f"{100 * value:.{digits}f}"
    return f"{100 - 10**-digits:.{digits}f}" if value < 1 - SAME and float(shown) == ALL else shown


ALL = 100
NUMBERS = frozenset({int, float, bool})  # to tell them from arrays at once
Either = TypeVar("Either")


def ratio(numerator: float, denominator: float, nothing: float = 0.0) -> float:
    """The ratio, and ``nothing`` for 0/0.

    >>> ratio(1, 2), ratio(0, 0), ratio(0, 0, nothing=1.0)
    (0.5, 0.0, 1.0)
    """
    if denominator.__class__ in NUMBERS:
        return numerator / denominator if denominator else nothing
    if not getattr(denominator, "shape", ()):
        if denominator:
            return numerator / denominator
        to_fraction = getattr(denominator, "from_float", None)  # of fractions, 0/0 is a fraction, too
        return to_fraction(nothing) if to_fraction else nothing
    import numpy as np

    if np.all(denominator):
        return numerator / denominator
    quotients: Numeric = np.empty(np.broadcast(numerator, denominator).shape)
    quotients[...] = nothing
    np.divide(numerator, denominator, out=quotients, where=np.not_equal(denominator, 0), casting="unsafe")
    return quotients  # type: ignore[no-any-return]  # an array is all right where numbers are


def where(condition: Numeric, yes: Either, no: Either) -> Either:
    """``yes`` where the condition holds, ``no`` elsewhere.

    >>> where(1 > 2, "yes", "no")
    'no'
    """
    if condition is True:
        return yes
    if condition is False:
        return no
    import numpy as np

    either: Numeric = np.where(condition, yes, no)  # type: ignore[call-overload]
    return either  # type: ignore[no-any-return]


_added: Callable[[Iterable[float]], float] = (
    sum if sys.version_info < (3, 12) else lambda values: reduce(operator.add, values, 0)
)


def in_order(values: Iterable[float]) -> float:
    """The sum from left to right, as in the reference programs; since Python 3.12, ``sum`` is more exact."""
    return _added(values)


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; of nothing, 0."""
    values = list(values)
    return ratio(in_order(values), len(values))


def mean_score(scores: Sequence[AnyScore]) -> Score | F1 | Value:
    """Mean recall, mean precision and mean F1; or the mean value.

    >>> mean_score([Score(1.0, 0.5, 0.75), Score(0.5, 0.5, 0.5)])
    Score(recall=0.75, precision=0.5, f1=0.625)
    """
    kind = Value if isinstance(scores[0], Deviation) else type(scores[0])
    return kind(*[mean(column) for column in zip(*[score[: len(kind._fields)] for score in scores], strict=True)])


def f1(recall: float, precision: float) -> float:
    """2PR / (P + R), and 0 if both are 0: from the ratios, as the reference programs do it, not from their sums."""
    return ratio(2 * precision * recall, precision + recall)


def prf(counts: Counts, nothing: float = 0.0) -> Score:
    """The score of (recall numerator, its denominator, precision numerator, its denominator).

    ``nothing`` is the score if neither side has anything to count; if only one side has, the other scores 0.
    """
    recalled, in_key, precise, in_response = counts
    # ``nothing and`` makes no array of zeros where 0/0 is 0.
    recall = ratio(recalled, in_key, nothing and nothing * (in_response == 0))
    precision = ratio(precise, in_response, nothing and nothing * (in_key == 0))
    return Score(recall, precision, f1(recall, precision))


def nothing_in(counts: Counts) -> bool:
    """Whether there was nothing to count on either side: then the score is 0/0, which the rule set defines.

    >>> nothing_in((0, 0, 0, 0)), nothing_in((0, 0, 0, 3))
    (True, False)
    """
    return not any(counts)


def add(rows: Iterable[Sequence[float]]) -> Counts:
    """The sum of rows of one metric."""
    return tuple(map(in_order, zip(*rows, strict=True)))
