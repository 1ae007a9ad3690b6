"""Macro averages: what counts in them, and what is missing counts as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...base.annotations import Any
from ...base.numbers import AnyScore, Counts, mean
from ...count.metrics import METRICS, counted
from ...evaluate.results import Scores

ByMetric = Mapping[str, AnyScore]
"""A score by metric."""


def counting(scored: Mapping[str, Sequence[Scores]], metric: str) -> tuple[str, ...]:
    """The data sets in which some system has something to count, from the scores of all systems on each.

    Of a data set that nobody was scored on, it is not known that there is nothing.
    """
    return tuple(
        name for name, scores in scored.items() if not scores or not all(one.nothing(metric) for one in scores)
    )


def macro_average(scores: Sequence[AnyScore]) -> AnyScore:
    """The unweighted mean over data sets of recall, precision and F1, each for itself; a direction is lost.

    >>> from corefscope.base.numbers import Score
    >>> macro_average([Score(0.5, 1.0, 0.75), Score(0.0, 0.5, 0.25)])
    Score(recall=0.25, precision=0.75, f1=0.5)
    """
    return _like(
        scores[0], ("" if isinstance(values[0], str) else mean(values) for values in zip(*scores, strict=True))
    )


def lost(metric: str, rules: str) -> AnyScore:
    """What a submission scores that is not there: 0, or the worst there is where a perfect response has 0.

    That may be infinite, and then so is the average; JSON has null for it.

    >>> lost("muc", "corefud-1.2"), lost("d_err", "corefud-1.2").value
    (Score(recall=0.0, precision=0.0, f1=0.0), 1.0)
    """
    row = METRICS[metric]
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    shape = Scores([metric], nothing, rules)[metric]
    worst = row.range[1] if row.perfect == 0 else 0.0
    return _like(shape, ("" if isinstance(value, str) else worst for value in shape))


def _like(score: AnyScore, values: Iterable[Any]) -> AnyScore:
    """A score of the same kind."""
    kind: Any = type(score)
    made: AnyScore = kind(*values)
    return made
