"""Metrics against each other over systems, as scatter plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...count.metrics import METRICS
from ...study.correlation import COEFFICIENTS, Correlation
from . import LIGHT, Theme, grid, label_axes, legend, numbered, signed, tags
from .names import Point, put_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(correlation: Correlation, figure: Figure, theme: Theme = LIGHT) -> None:
    """Every metric against every other: systems as points, with coefficients.

    If one metric is compared with the rest, only these panels: Figure 1 of Luo et al. (2014). Metrics that are the
    same for all systems have nothing to be seen, and are named instead.
    """
    scores = {metric: [100 * score for score in column] for metric, column in correlation.scores.items()}
    against = correlation.against
    metrics = [metric for metric, column in scores.items() if metric == against or max(column) - min(column) > 1e-9]
    in_a_row = against or len(metrics) < 3
    panels = _in_a_row(correlation, metrics, figure, theme) if in_a_row else _in_a_triangle(metrics, figure)
    for (across, up), panel in panels.items():
        panel.scatter(scores[across], scores[up], s=12, color=_colours(correlation, theme), linewidths=0, zorder=3)
        panel.margins(0.14)
        panel.text(
            0.04, 0.96, _coefficients(correlation, across, up), va="top", fontsize=5,
            color=theme.grey, transform=panel.transAxes,
        )  # fmt: skip
    systems = correlation.systems
    if _are_told_apart(correlation, theme):
        styles = [{"marker": "o", "linestyle": "none", "color": colour} for colour in _colours(correlation, theme)]
        legend(figure, numbered(systems), styles, "outside lower center" if in_a_row else "upper right")
    same = [METRICS[metric].title for metric in scores if metric not in metrics]
    note = f"the same for all systems: {', '.join(same)}; " if same else ""
    signed(figure, note + _signature(correlation), theme)
    figure.draw_without_rendering()
    if _are_told_apart(correlation, theme):
        named = list(zip(tags(systems), _colours(correlation, theme), strict=True))
        for (across, up), panel in panels.items():
            places = zip(scores[across], scores[up], named, strict=True)
            put_names(panel, [Point(x, y, name, colour) for x, y, (name, colour) in places], 5)


def _are_told_apart(correlation: Correlation, theme: Theme) -> bool:
    return len(correlation.systems) <= len(theme.colours)


def _colours(correlation: Correlation, theme: Theme) -> list[str]:
    """A colour for each system if there are few; else one for all."""
    count = len(correlation.systems)
    return list(theme.colours[:count]) if _are_told_apart(correlation, theme) else [theme.colours[0]] * count


def _in_a_triangle(metrics: Sequence[str], figure: Figure) -> dict[tuple[str, str], Axes]:
    """A panel for every two metrics: columns are all but the last, rows all but the first."""
    size = len(metrics) - 1
    figure.set_size_inches(1 + 1.4 * size, 1 + 1.4 * size)
    cells = figure.subplots(size, size, squeeze=False, sharex="col", sharey="row")
    panels = {}
    for row, up in enumerate(metrics[1:]):
        for column, across in enumerate(metrics[:-1]):
            panel = cells[row][column]
            panel.tick_params(labelsize=6, length=2)
            if column > row:
                panel.remove()
                continue
            panels[across, up] = panel
            if row == size - 1:
                panel.set_xlabel(METRICS[across].title)
            if column == 0:
                panel.set_ylabel(METRICS[up].title)
    return panels


def _in_a_row(
    correlation: Correlation, metrics: Sequence[str], figure: Figure, theme: Theme
) -> dict[tuple[str, str], Axes]:
    """One metric over each other one."""
    against = correlation.against or list(correlation.scores)[-1]
    others = [metric for metric in metrics if metric != against] or [against]
    panels = dict(zip(others, grid(figure, len(others), theme), strict=True))
    for metric, panel in panels.items():
        panel.set_title(METRICS[metric].title)
    label_axes(list(panels.values()), "F1 of the other metric (%)", f"F1 of {METRICS[against].title} (%)")
    return {(metric, against): panel for metric, panel in panels.items()}


def _signature(correlation: Correlation) -> str:
    return f"{len(correlation.systems)} systems; {' '.join(correlation.signatures) or 'published scores'}"


def _coefficients(correlation: Correlation, one: str, other: str) -> str:
    signs = {name: row.title.split()[-1] for name, row in COEFFICIENTS.items()}
    values = {name: correlation.value(name, one, other) for name in COEFFICIENTS}
    if None in values.values():
        return "undefined"
    return "\n".join(f"{signs[name]} = {value:.3f}" for name, value in values.items())
