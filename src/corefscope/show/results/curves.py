"""How the behaviour of metrics under noise is laid out."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.errors import amount
from ...count.metrics import METRICS
from ...study.noise import PERTURBATIONS
from ...study.noise.curves import Curves
from ..layout import Layout, Sheet, Text
from .score import NOTHING

BARS = "▁▂▃▄▅▆▇█"


def lay_out(curves: Curves, per_document: bool, width: int | None) -> Layout:  # noqa: ARG001
    """A table for each kind of noise, with a small picture of each curve."""
    title = Text([f"Scores of {curves.response or curves.key} with noise, in percent"], wrap=False)
    return Layout([title, *(_sheet(curves, kind) for kind in curves.kinds)], [curves.signature])


def _sheet(curves: Curves, kind: str) -> Sheet:
    noise, levels = PERTURBATIONS[kind], curves.levels(kind)
    most = levels[-1]
    changes = amount(curves.changes[kind][most], "change") + (f" at {most} %" if most < 100 else "")
    rows = []
    for metric in curves.metrics:
        figures = [report.figure(metric) for report in curves.reports[kind].values()]
        shown = [NOTHING if figure is None else f"{100 * figure:.1f}" for figure in figures]
        rows.append([METRICS[metric].title, sparkline(figures), *shown])
    title = f"{kind}: {noise.title}; 100 % is {noise.of} ({changes})"
    return Sheet.of(["", "", *(f"{level} %" for level in levels)], rows, title=title, left=2)


def sparkline(values: Sequence[float | None]) -> str:
    """A bar for each value from 0 to 1; what is below 0 has the lowest, and None has none.

    >>> sparkline([1.0, 0.75, 0.5, 0.25, None, 0.0, -0.5])
    '█▇▅▃ ▁▁'
    """
    most = len(BARS) - 1
    return "".join(" " if value is None else BARS[max(0, min(int(value * len(BARS)), most))] for value in values)
