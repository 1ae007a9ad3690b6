"""How large entities are, and what their number alone means for MUC: Figures 4 and 3 of Popescu-Belis (2000)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...base.naming import names_of
from ...count.metrics.muc import least
from ...write.stats import StatisticsReport
from . import DASHES, LIGHT, MARKS, Theme, legend, numbered, signed, tags
from .names import ABOVE, Point, put_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(report: StatisticsReport, figure: Figure, theme: Theme = LIGHT) -> None:
    """Sorted sizes of the entities of each file; and the least that MUC can be, given the first file as a key.

    The bounds hold for one document, so they are drawn for the one with the most mentions.
    """
    figure.set_size_inches(10, 3.4)
    names = names_of([file.path for file in report.files])
    styles = [
        {
            "color": theme.colours[number % len(theme.colours)],
            "linestyle": DASHES[number % len(DASHES)],
            "marker": MARKS[number % len(MARKS)],
            "markersize": 4,
        }
        for number in range(len(names))
    ]
    sizes, precision, recall = figure.subplots(1, 3)
    _draw_sizes(sizes, report, styles)
    bounds = {}
    for panel, figure_name, index in ((precision, "precision", 1), (recall, "recall", 0)):
        bounds[panel] = _draw_bounds(panel, report, index, styles, theme)
        panel.set_ylabel(f"least MUC {figure_name} (%)")
    for panel in (sizes, precision, recall):
        panel.grid(color=theme.faint, linewidth=0.6)
    legend(figure, numbered(names), styles)
    signed(figure, report.signature, theme)
    figure.draw_without_rendering()
    for panel, places in bounds.items():
        named = [Point(*places[n], tag, styles[n]["color"]) for n, tag in enumerate(tags(names)) if n in places]
        put_names(panel, named, around=ABOVE)


def _draw_sizes(panel: Axes, report: StatisticsReport, styles: Sequence[dict[str, Any]]) -> None:
    from matplotlib.ticker import LogFormatter, StrMethodFormatter

    for file, style in zip(report.files, styles, strict=True):
        sizes = sorted(file.total.chain_lengths.elements(), reverse=True)
        ranks = range(1, len(sizes) + 1)
        panel.step(ranks, sizes, where="mid", linewidth=1.4, markevery=[0], **style)
    panel.set_xscale("log")
    panel.set_yscale("log")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axis.set_minor_formatter(LogFormatter(minor_thresholds=(1, 0.4)))  # if there are few others
    panel.set_title("sizes of entities, sorted")
    panel.set_xlabel("rank of the entity")
    panel.set_ylabel("mentions")


def _draw_bounds(
    panel: Axes, report: StatisticsReport, index: int, styles: Sequence[dict[str, Any]], theme: Theme
) -> dict[int, tuple[float, float]]:
    """Over the number of response entities m; that of the same document in each file is marked, and returned."""
    if not report.files[0].documents:
        return {}
    id_, key = max(report.files[0].documents, key=lambda document: document[1].mentions)
    mentions, entities = key.mentions - key.repeated, key.entities
    counts = range(1, mentions + 1)
    bounds = [100 * least(mentions, entities, count)[index] for count in counts]
    panel.plot(counts, bounds, color=theme.grey, linewidth=1.4)
    places: dict[int, tuple[float, float]] = {}
    for number, file in enumerate(report.files):
        same = dict(file.documents).get(id_)
        if same is not None:
            places[number] = same.entities, 100 * least(mentions, entities, same.entities)[index]
            style = {**styles[number], "linestyle": "none"}
            panel.plot(*places[number], clip_on=False, zorder=3, **style)
    panel.set_ylim(-2, 102)
    panel.set_title(f"{id_}\n{mentions} mentions, {entities} entities", fontsize=7)
    panel.set_xlabel("entities of the response")
    return places
