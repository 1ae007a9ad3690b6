"""Pictures, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...base.errors import CorefscopeError, OptionError
from ...count.metrics import METRICS
from ...study.correlation import COEFFICIENTS, Correlation
from ...study.noise import PERTURBATIONS
from ...study.noise.curves import Curves
from ...write.target import Target
from . import PICTURES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31")
DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))
STYLE: Any = {"svg.hashsalt": "corefscope", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9}
GREY = "#666666"


def check_picture(path: str | os.PathLike[str]) -> None:
    """Complain early about a file that could not be drawn."""
    if os.path.splitext(os.fspath(path))[1].lower() not in PICTURES:
        raise OptionError(f"cannot draw {os.fspath(path)}: name a file that ends in {', '.join(PICTURES)}")
    try:
        import matplotlib as matplotlib
    except ImportError:
        raise CorefscopeError("drawing needs matplotlib\n  hint: pip install 'corefscope[plot]'") from None


def draw(result: Curves | Correlation, path: str | os.PathLike[str]) -> None:
    """The picture of a result, saved all at once: whoever reads the file sees the old one or the new one."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    suffix = os.path.splitext(path)[1].lower()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    picture = BytesIO()
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        if isinstance(result, Curves):
            _draw_curves(result, figure)
        else:
            _draw_scatter_matrix(result, figure)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())


def _draw_curves(curves: Curves, figure: Figure) -> None:
    """A panel for each kind of noise with a line for each metric."""
    count = len(curves.kinds)
    across = count if count < 5 else min((5, 4, 3), key=lambda columns: -count % columns)
    down = -(-count // across)
    figure.set_size_inches(1.6 + 2.6 * across, 0.9 + 2.5 * down)
    panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).flat
    lowest = 0.0
    styles = _styles(curves.metrics)
    for kind, panel in zip(curves.kinds, panels, strict=False):
        panel.set_title("\n".join([kind, *wrap(PERTURBATIONS[kind].title, 36)]), fontsize=8)
        for metric in curves.metrics:
            values = [100 * value for value in curves.series(kind, metric)]
            lowest = min(lowest, *values)
            panel.plot(curves.levels(kind), values, label=METRICS[metric].title, **styles[metric])
        panel.grid(color="#dddddd", linewidth=0.6)
        panel.tick_params(labelbottom=True)
    for panel in figure.axes[count:]:
        panel.set_axis_off()
    figure.axes[0].set_ylim(max(lowest, -100) - 2, 102)
    figure.supxlabel("noise (%)", fontsize=9)
    figure.supylabel("score (%)", fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    figure.text(0.99, 0.002, curves.signature, ha="right", va="bottom", fontsize=5, color=GREY, parse_math=False)


def _styles(metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Colours, then dashes, tell metrics apart; what is made from others is black and thick."""
    plain = [metric for metric in metrics if not METRICS[metric].parts]
    styles: dict[str, dict[str, Any]] = {metric: {"color": "#000000", "linewidth": 2.2} for metric in metrics}
    for index, metric in enumerate(plain):
        dashes, colour = divmod(index, len(COLOURS))
        styles[metric] = {"color": COLOURS[colour], "linestyle": DASHES[dashes % len(DASHES)], "linewidth": 1.4}
    return styles


def _draw_scatter_matrix(correlation: Correlation, figure: Figure) -> None:
    """Every metric against every other: systems as points below the diagonal, coefficients above it."""
    metrics = tuple(correlation.scores)
    scores = {metric: [100 * score for score in correlation.scores[metric]] for metric in metrics}
    size = len(metrics)
    figure.set_size_inches(1 + 1.15 * size, 1 + 1.15 * size)
    panels = figure.subplots(size, size, squeeze=False)
    for row, one in enumerate(metrics):
        for column, other in enumerate(metrics):
            panel = panels[row][column]
            panel.tick_params(labelsize=6, length=2, labelbottom=row == size - 1, labelleft=column == 0)
            if row > column:
                panel.scatter(scores[other], scores[one], s=9, color=COLOURS[0], alpha=0.75, linewidths=0)
                panel.margins(0.12)
            else:
                panel.set_xticks([])
                panel.set_yticks([])
                panel.spines[:].set_color("#dddddd")
            if row == column:
                panel.text(0.5, 0.5, METRICS[one].title, ha="center", va="center", transform=panel.transAxes)
            elif row < column:
                panel.text(
                    0.5, 0.5, _coefficients(correlation, one, other), ha="center", va="center", fontsize=7,
                    color=GREY, transform=panel.transAxes, linespacing=1.4,
                )  # fmt: skip
    title = f"{len(correlation.systems)} systems; {' '.join(correlation.signatures)}"
    figure.suptitle(title, fontsize=7, color=GREY, parse_math=False)


def _coefficients(correlation: Correlation, one: str, other: str) -> str:
    signs = {name: row.title.split()[-1] for name, row in COEFFICIENTS.items()}
    values = {name: correlation.value(name, one, other) for name in COEFFICIENTS}
    if None in values.values():
        return "undefined"
    return "\n".join(f"{signs[name]} = {value:.3f}" for name, value in values.items())
