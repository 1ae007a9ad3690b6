"""Metrics against each other over systems, as scatter plots."""

from __future__ import annotations

from ...base.annotations import TYPE_CHECKING
from ...count.metrics import METRICS
from ...study.correlation import COEFFICIENTS, Correlation
from . import COLOURS, GREY, grid, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(correlation: Correlation, figure: Figure) -> None:
    """Every metric against every other: systems as points below the diagonal, coefficients above it.

    If one metric is compared with the rest, only these panels: Figure 1 of Luo et al. (2014).
    """
    if correlation.against:
        _draw_against(correlation, figure)
        return
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
    signed(figure, _signature(correlation))


def _draw_against(correlation: Correlation, figure: Figure) -> None:
    """One metric over each other one: systems as points."""
    others = [metric for metric in correlation.scores if metric != correlation.against]
    title = METRICS[correlation.against].title
    for metric, panel in zip(others, grid(figure, len(others)), strict=True):
        columns = [[100 * score for score in correlation.scores[name]] for name in (metric, correlation.against)]
        panel.scatter(*columns, s=12, color=COLOURS[0], alpha=0.75, linewidths=0)
        panel.set_title(METRICS[metric].title)
        panel.text(
            0.05, 0.95, _coefficients(correlation, metric, correlation.against), va="top", fontsize=6,
            color=GREY, transform=panel.transAxes,
        )  # fmt: skip
    figure.supxlabel("F1 of the other metric (%)", fontsize=9)
    figure.supylabel(f"F1 of {title} (%)", fontsize=9)
    signed(figure, _signature(correlation))


def _signature(correlation: Correlation) -> str:
    return f"{len(correlation.systems)} systems; {' '.join(correlation.signatures) or 'published scores'}"


def _coefficients(correlation: Correlation, one: str, other: str) -> str:
    signs = {name: row.title.split()[-1] for name, row in COEFFICIENTS.items()}
    values = {name: correlation.value(name, one, other) for name in COEFFICIENTS}
    if None in values.values():
        return "undefined"
    return "\n".join(f"{signs[name]} = {value:.3f}" for name, value in values.items())
