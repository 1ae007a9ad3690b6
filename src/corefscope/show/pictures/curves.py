"""Curves of metrics over levels of noise."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ...base.annotations import TYPE_CHECKING, Any
from ...count.metrics import METRICS
from ...study.noise import PERTURBATIONS
from ...study.noise.curves import Curves
from . import COLOURS, grid, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))


def draw(curves: Curves, figure: Figure) -> None:
    """A panel for each kind of noise with a line for each metric."""
    lowest = 100.0
    styles = _styles(curves.metrics)
    for kind, panel in zip(curves.kinds, grid(figure, len(curves.kinds)), strict=True):
        panel.set_title("\n".join([kind, *wrap(PERTURBATIONS[kind].title, 36)]), fontsize=8)
        for metric in curves.metrics:
            values = [100 * value for value in curves.series(kind, metric)]
            lowest = min(lowest, *values)
            panel.plot(curves.levels(kind), values, label=METRICS[metric].title, **styles[metric])
    figure.axes[0].set_ylim(max(lowest // 10 * 10, -100) - 2, 102)
    figure.supxlabel("noise (%)", fontsize=9)
    figure.supylabel("score (%)", fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    signed(figure, curves.signature)


def _styles(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colours, then dashes, tell metrics apart; what is made from others is black and thick."""
    plain = [metric for metric in metrics if not METRICS[metric].parts]
    styles: dict[str, dict[str, Any]] = {metric: {"color": "#000000", "linewidth": 2.2} for metric in metrics}
    for index, metric in enumerate(plain):
        dashes, colour = divmod(index, len(COLOURS))
        styles[metric] = {"color": COLOURS[colour], "linestyle": DASHES[dashes % len(DASHES)], "linewidth": 1.4}
    return styles
