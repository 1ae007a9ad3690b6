"""How large entities are, and what their number alone means for MUC: Figures 4 and 3 of Popescu-Belis (2000)."""

from __future__ import annotations

from ...base.annotations import TYPE_CHECKING
from ...base.naming import names_of
from ...count.metrics.muc import least
from ...write.stats import StatisticsReport
from . import COLOURS, GREY, LIGHT, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(report: StatisticsReport, figure: Figure) -> None:
    """Sorted sizes of the entities of each file; and the least that MUC can be, given the first file as a key.

    The bounds hold for one document, so they are drawn for the one with the most mentions.
    """
    figure.set_size_inches(10, 3.4)
    sizes, precision, recall = figure.subplots(1, 3)
    _draw_sizes(sizes, report)
    for panel, figure_name, index in ((precision, "precision", 1), (recall, "recall", 0)):
        _draw_bounds(panel, report, index)
        panel.set_ylabel(f"least MUC {figure_name} (%)")
    for panel in (sizes, precision, recall):
        panel.grid(color=LIGHT, linewidth=0.6)
    signed(figure, report.signature)


def _draw_sizes(panel: Axes, report: StatisticsReport) -> None:
    from matplotlib.ticker import LogFormatter, StrMethodFormatter

    names = names_of([file.path for file in report.files])
    for number, (name, file) in enumerate(zip(names, report.files, strict=True)):
        sizes = sorted(file.total.chain_lengths.elements(), reverse=True)
        ranks = range(1, len(sizes) + 1)
        panel.step(ranks, sizes, where="mid", label=name, color=COLOURS[number % len(COLOURS)], linewidth=1.4)
    panel.set_xscale("log")
    panel.set_yscale("log")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axis.set_minor_formatter(LogFormatter(minor_thresholds=(1, 0.4)))  # if there are few others
    panel.set_title("sizes of entities, sorted")
    panel.set_xlabel("rank of the entity")
    panel.set_ylabel("mentions")
    panel.legend(frameon=False, fontsize=7)


def _draw_bounds(panel: Axes, report: StatisticsReport, index: int) -> None:
    """Over the number of response entities m; that of the same document in each file is marked."""
    if not report.files[0].documents:
        return
    id_, key = max(report.files[0].documents, key=lambda document: document[1].mentions)
    mentions, entities = key.mentions - key.repeated, key.entities
    counts = range(1, mentions + 1)
    panel.plot(counts, [100 * least(mentions, entities, count)[index] for count in counts], color=GREY, linewidth=1.4)
    for number, file in enumerate(report.files):
        same = dict(file.documents).get(id_)
        if same is not None:
            bound = 100 * least(mentions, entities, same.entities)[index]
            panel.plot(same.entities, bound, "o", color=COLOURS[number % len(COLOURS)], clip_on=False)
    panel.set_ylim(-2, 102)
    panel.set_title(f"{id_}\n{mentions} mentions, {entities} entities", fontsize=7)
    panel.set_xlabel("entities of the response")
