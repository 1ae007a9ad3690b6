"""Quality gates: the thresholds of ``--fail-under``, such as ``pairs.precision=98%,conll=70%``.

A threshold names a metric, and one of its figures if that is not F1 or its value. A number that ends in % or is above
1 is a percentage, one below 1 is a fraction: 98%, 98 and 0.98 are the same. A bare 1 is refused, because it may mean
either; write 1% or 100%.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..core.errors import OptionError
from ..core.metrics import METRICS, checked_metric, counted
from ..core.naming import split_names
from ..core.numbers import Counts
from ..core.report import FIGURES, Report, Scores
from ..core.rules import REFERENCE
from ..output.text import distinct_percents, percent
from .terminal import complain

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?P<percent>\s*%)?", re.ASCII)
TOO_LOW = 3
"""The exit code if a score is below its threshold."""


class Threshold(NamedTuple):
    """The least that one figure of a metric must be."""

    metric: str
    figure: str
    least: float
    """As a fraction."""


def parse_thresholds(text: str | Iterable[str]) -> tuple[Threshold, ...]:
    """The thresholds of a list such as ``pairs.precision=0.98,conll=70``.

    >>> parse_thresholds("conll=70")
    (Threshold(metric='conll', figure='f1', least=0.7),)
    """
    texts = [text] if isinstance(text, str) else text
    return tuple([_parse_threshold(part) for one in texts for part in split_names(one)])


def _parse_threshold(text: str) -> Threshold:
    name, equals, number = (part.strip() for part in text.rpartition("="))
    if not equals or not name:
        raise OptionError(
            f"{text.strip()!r} is not a threshold: write METRIC=NUMBER or METRIC.FIGURE=NUMBER, as muc.recall=98%"
        )
    metric, dot, figure = name.lower().rpartition(".")
    if not dot:
        metric, figure = figure, ""
    metric = checked_metric(metric)
    figures = figures_of(metric)
    if figure and figure not in figures:
        raise OptionError.unknown(f"figure of {metric}", [figure], figures)
    row = METRICS[metric]
    if row.scale.perfect != 1:
        raise OptionError(f"{row.title} is a distance (lower is better): --fail-under does not apply")
    least = _parse_fraction(name, number)
    if least > row.scale.range[1]:
        raise OptionError(f"{name} can never reach {number}: its maximum is {100 * row.scale.range[1]:g} %")
    return Threshold(row.name, figure or ("f1" if "f1" in figures else "value"), least)


def figures_of(metric: str) -> list[str]:
    """The figures that a score of the metric has.

    >>> figures_of("pairs"), figures_of("conll"), figures_of("rand")
    (['recall', 'precision', 'f1'], ['f1'], ['value'])
    """
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    score_of_nothing = Scores([metric], nothing, REFERENCE)[metric]
    return [figure for figure in FIGURES if hasattr(score_of_nothing, figure)]


def _parse_fraction(name: str, text: str) -> float:
    """A number as a fraction, if it can mean only one thing."""
    match = NUMBER.fullmatch(text)
    if not match:
        raise OptionError(f"{text!r} is not a number: write {name}=98% or {name}=0.98")
    from decimal import Decimal  # 5 ms, for quality gates only

    number = Decimal(text.rstrip("% "))
    if match["percent"] or abs(number) > 1:
        return float(number.scaleb(-2))
    if abs(number) == 1:
        both = f"{name}={number:.0f}% or {name}={100 * number:.0f}%"
        raise OptionError(f"{name}={text} may mean a percentage or a fraction: write {both}")
    return float(number)


def check_thresholds(thresholds: Sequence[Threshold], reports: Mapping[str, Report]) -> int:
    """Say which scores are below their thresholds; return the exit code."""
    failures = []
    for name, report in reports.items():
        for threshold in thresholds:
            if threshold.metric not in report:
                raise OptionError(
                    f"--fail-under: {threshold.metric} is not scored here (scored: {', '.join(report)});"
                    " name it in --metrics"
                )
            label = f"{name}: {threshold.metric}.{threshold.figure}".removeprefix(": ")
            figure = getattr(report[threshold.metric], threshold.figure)
            if report.nothing(threshold.metric):
                failures.append(f"{label} has nothing to count, so it does not reach {percent(threshold.least)} %")
            elif figure < threshold.least:
                shown, least = distinct_percents(figure, threshold.least)
                failures.append(f"{label} is {shown} %, below {least} %")
    if failures:
        complain("failed", "; ".join(failures))
    return TOO_LOW if failures else 0
