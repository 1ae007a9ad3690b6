"""``--fail-under``: an exit code of its own where scores are too low."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from ..base.errors import OptionError
from ..evaluate.gate import Bound, parse_bounds
from ..evaluate.request import Request, RequestArguments
from ..evaluate.results import Report
from ..evaluate.settings import SettingsReport
from ..output.text import percent, told_apart
from .terminal import complain

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
