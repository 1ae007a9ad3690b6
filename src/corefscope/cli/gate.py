"""A quality gate: what scores must reach, written as ``pairs.precision=98%,conll=70%``.

A bound names a metric, and one of its figures if that is not F1 or its value. Its number is a percentage if it ends
in % or is greater than 1, and a fraction if it is less: 98%, 98 and 0.98 are the same. A bare 1 is refused, because
it may mean either; write 1% or 100%.

``--fail-under``: an exit code of its own where scores are too low.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from ..core.errors import OptionError
from ..core.metrics import METRICS, aliases, counted
from ..core.naming import split_names
from ..core.numbers import Counts
from ..core.report import FIGURES, Report, Scores
from ..core.request import Request, RequestArguments
from ..core.rules import REFERENCE
from ..formats.settings import SettingsReport
from ..output.text import percent, told_apart
from .terminal import complain

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?P<percent>\s*%)?", re.ASCII)
FORM = "METRIC=NUMBER or METRIC.FIGURE=NUMBER, as pairs.precision=98%"


class Bound(NamedTuple):
    """The least that one figure of a metric must be."""

    metric: str
    figure: str
    least: float
    """As a fraction."""

    def reached(self, scores: Scores) -> float | None:
        """The figure, as a fraction; None if there is nothing to count."""
        return None if scores.nothing(self.metric) else getattr(scores[self.metric], self.figure)

    def holds(self, scores: Scores) -> bool:
        """Whether the figure is not less. If there is nothing to count, it does not hold."""
        figure = self.reached(scores)
        return figure is not None and figure >= self.least


def parse_bounds(text: str | Iterable[str]) -> tuple[Bound, ...]:
    """What must be reached, from a list such as ``pairs.precision=0.98,conll=70``.

    >>> parse_bounds("pairs.precision=0.98, conll=70")
    (Bound(metric='pairs', figure='precision', least=0.98), Bound(metric='conll', figure='f1', least=0.7))
    """
    texts = [text] if isinstance(text, str) else text
    return tuple([_bound(name) for one in texts for name in split_names(one)])


def _bound(text: str) -> Bound:
    name, equals, number = (part.strip() for part in text.rpartition("="))
    if not equals or not name:
        raise OptionError(f"{text.strip()!r} does not say what must be reached: write {FORM}")
    metric, figure = _figure(name)
    row = METRICS[metric]
    if row.scale.perfect != 1:
        raise OptionError(f"{row.title} is a distance, of which less is better: it cannot fail under a number")
    least = _fraction(name, number)
    if least > row.scale.range[1]:
        raise OptionError(f"{name} can never reach {number}: it is {100 * row.scale.range[1]:g} % at most")
    return Bound(metric, figure, least)


def _figure(name: str) -> tuple[str, str]:
    """The metric and its figure."""
    metric, dot, figure = name.rpartition(".")
    metric, figure = (metric.lower(), figure.lower()) if dot else (name.lower(), "")
    if metric not in METRICS:
        raise OptionError.unknown("metric", [metric], METRICS, aliases())
    figures = figures_of(metric)
    if figure and figure not in figures:
        raise OptionError.unknown(f"figure of {metric}", [figure], figures)
    return METRICS[metric].name, figure or ("f1" if "f1" in figures else "value")


def figures_of(metric: str) -> list[str]:
    """The figures that a score of the metric has.

    >>> figures_of("pairs"), figures_of("conll"), figures_of("rand")
    (['recall', 'precision', 'f1'], ['f1'], ['value'])
    """
    nothing: dict[str, Counts] = {part.name: (0,) * len(part.fields) for part in counted([metric])}
    score = Scores([metric], nothing, REFERENCE)[metric]
    return [figure for figure in FIGURES if hasattr(score, figure)]


def _fraction(name: str, text: str) -> float:
    """A number as a fraction, if it can mean but one thing."""
    found = NUMBER.fullmatch(text)
    if not found:
        raise OptionError(f"{text!r} is no number: write {name}=98% or {name}=0.98")
    number = Decimal(text.rstrip("% "))
    if found["percent"] or abs(number) > 1:
        return float(number.scaleb(-2))
    if abs(number) == 1:
        both = f"{name}={number:.0f}% or {name}={100 * number:.0f}%"
        raise OptionError(f"{name}={text} may mean a percentage or a fraction: write {both}")
    return float(number)


TOO_LOW = 3
"""The exit code where a score is less than it must be."""


Gate = Callable[[Report | SettingsReport], int]
"""Says which scores are too low, and returns the exit code."""


def gate(parsed: argparse.Namespace, request: RequestArguments) -> Gate:
    """What --fail-under asks for. The request gets these metrics, too; settings say themselves what they score."""
    bounds = parse_bounds(parsed.fail_under)
    scored = Request(request).metrics
    further = [bound.metric for bound in bounds if bound.metric not in scored]
    if further and parsed.settings is None:
        request["metrics"] = [*scored, *further]
    return partial(_missed, bounds)


def _missed(bounds: Sequence[Bound], result: Report | SettingsReport) -> int:
    """Say which scores are too low; the exit code."""
    reports = [("", result)] if isinstance(result, Report) else [(f"{name}: ", one) for name, one in result.items()]
    sentences = [name + _sentence(one, bound) for name, one in reports for bound in bounds if _fails(one, bound)]
    if sentences:
        complain("failed", "; ".join(sentences))
    return TOO_LOW if sentences else 0


def _fails(report: Report, bound: Bound) -> bool:
    if bound.metric not in report:
        scored = ", ".join(report)
        raise OptionError(f"--fail-under: {bound.metric} is not scored here (scored: {scored}); name it in --metrics")
    return not bound.holds(report)


def _sentence(report: Report, bound: Bound) -> str:
    figure = bound.reached(report)
    name = f"{bound.metric}.{bound.figure}"
    if figure is None:
        return f"{name} has nothing to count, so it does not reach {percent(bound.least)} %"
    shown, least = told_apart(figure, bound.least)
    return f"{name} is {shown} %, less than {least} %"
