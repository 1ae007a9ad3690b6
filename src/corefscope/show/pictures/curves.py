"""Curves of metrics over levels of noise."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...count.metrics import METRICS
from ...study.noise import PERTURBATIONS
from ...study.noise.curves import Curves
from . import DASHES, LIGHT, Theme, grid, label_axes, legend, signed
from .names import put_ends

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW = 8  # metrics whose names stand at the ends of their lines


def draw(curves: Curves, figure: Figure, theme: Theme = LIGHT) -> None:
    """A panel for each kind of noise with a line for each metric."""
    lowest = 100.0
    styles = _styles(curves.metrics, theme)
    titles = {metric: METRICS[metric].title for metric in curves.metrics}
    panels = dict(zip(curves.kinds, grid(figure, len(curves.kinds), theme), strict=True))
    for kind, panel in panels.items():
        panel.set_title("\n".join([kind, *wrap(PERTURBATIONS[kind].title, 36)]), fontsize=8)
        for metric in curves.metrics:
            values = [100 * value for value in curves.series(kind, metric)]
            lowest = min(lowest, *values)
            panel.plot(curves.levels(kind), values, label=titles[metric], **styles[metric])
    figure.axes[0].set_ylim(max(lowest // 10 * 10, -100) - 2, 102)
    label_axes(list(panels.values()), "noise (%)", "score (%)")
    if len(titles) > FEW:
        legend(figure, list(titles.values()), list(styles.values()))
    else:
        start, end = figure.axes[0].get_xlim()
        ticks = [tick for tick in figure.axes[0].get_xticks() if start <= tick <= end]
        figure.axes[0].set_xticks(ticks)
        figure.axes[0].set_xlim(start, end + 0.25 * (end - start))  # room for names
    signed(figure, curves.signature, theme)
    figure.draw_without_rendering()
    if len(titles) <= FEW:
        for panel in panels.values():
            put_ends(panel)


def _styles(metrics: Sequence[str], theme: Theme) -> dict[str, dict[str, Any]]:
    """Colours, then dashes, tell metrics apart; what is made from others is thick, and of the colour of the text."""
    plain = [metric for metric in metrics if not METRICS[metric].parts]
    styles: dict[str, dict[str, Any]] = {metric: {"color": theme.ink, "linewidth": 2.2} for metric in metrics}
    for index, metric in enumerate(plain):
        dashes, colour = divmod(index, len(theme.colours))
        styles[metric] = {
            "color": theme.colours[colour],
            "linestyle": DASHES[dashes % len(DASHES)],
            "linewidth": 1.4,
        }
    return styles
