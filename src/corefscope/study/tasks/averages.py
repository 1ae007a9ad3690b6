"""Macro averages: the unweighted mean over data sets of every figure of a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.numbers import AnyScore, Counts, mean
from ...count.metrics import METRICS, counted
from ...evaluate.results import Scores


def macro_average(scores: Sequence[AnyScore]) -> AnyScore:
    """Recall, precision and F1 are averaged each for itself; a direction is lost.

    >>> from corefscope.base.numbers import Score
    >>> macro_average([Score(0.5, 1.0, 0.75), Score(0.0, 0.5, 0.25)])
    Score(recall=0.25, precision=0.75, f1=0.5)
    """
    kind: Any = type(scores[0])
    found: AnyScore = kind._make(map(_mean, zip(*scores, strict=True)))
    return found


def _mean(values: Sequence[Any]) -> float | str:
    return "" if isinstance(values[0], str) else mean(values)


def lost(metric: str, rules: str) -> AnyScore:
    """What a submission scores that is not there: 0, or the worst there is where a perfect response has 0.

    >>> lost("muc", "corefud-1.2"), lost("d_err", "corefud-1.2").value
    (Score(recall=0.0, precision=0.0, f1=0.0), 1.0)
    """
    row = METRICS[metric]
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    shape = Scores([metric], nothing, rules)[metric]
    worst = row.range[1] if row.perfect == 0 else 0.0
    found: AnyScore = shape._make("" if isinstance(value, str) else worst for value in shape)
    return found
