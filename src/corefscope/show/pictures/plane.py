"""Recall against precision with contours of F1: one panel for each metric, one point for each system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...base.annotations import TYPE_CHECKING
from ...base.errors import OptionError
from ...base.numbers import Score, ratio
from ...count.metrics import METRICS
from ...evaluate.results import Report
from ...evaluate.settings import SettingsReport
from ...study.compare import Comparison
from . import COLOURS, GREY, grid, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CONTOURS = range(10, 100, 10)  # of F1, in percent
MARKS = "osD^vP*X<>"


def draw(result: Report | SettingsReport | Comparison, figure: Figure) -> None:
    """Every metric that has recall and precision; on a contour, F1 is the same."""
    reports: Mapping[str, Report]
    if isinstance(result, Report):
        reports = {"": result}
    else:
        reports = result.reports if isinstance(result, Comparison) else result
    first = next(iter(reports.values()))
    metrics = [name for name in first if isinstance(first[name], Score)]
    if not metrics:
        raise OptionError("none of these metrics has a recall and a precision to draw")
    panels = grid(figure, len(metrics))
    for metric, panel in zip(metrics, panels, strict=True):
        panel.set_title(METRICS[metric].title)
        _contours(panel)
        for number, (name, report) in enumerate(reports.items()):
            score = report[metric]
            panel.plot(
                100 * score.recall,
                100 * score.precision,
                MARKS[number % len(MARKS)],
                color=COLOURS[number % len(COLOURS)],
                markersize=5,
                label=name,
                linestyle="none",
                clip_on=False,
            )
    scores = [report[metric] for report in reports.values() for metric in metrics]
    panels[0].set_xlim(_lowest(score.recall for score in scores), 100)
    panels[0].set_ylim(_lowest(score.precision for score in scores), 100)
    figure.supxlabel("recall (%)", fontsize=9)
    figure.supylabel("precision (%)", fontsize=9)
    if len(reports) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", frameon=False)
    signed(figure, result.signature)


def _lowest(figures: Iterable[float]) -> float:
    """Where an axis begins, in percent: below 0 if scores are measured from a baseline that is better."""
    return min(0.0, 100 * min(figures) // 10 * 10)


def _contours(panel: Axes) -> None:
    """P = F R / (2 R - F): where F1 is the same."""
    for level in CONTOURS:
        start = ratio(100 * level, 200 - level)  # where the precision is 100
        recalls = [start + ratio(step, 60) * (100 - start) for step in range(61)]
        precisions = [ratio(level * recall, 2 * recall - level) for recall in recalls]
        panel.plot(recalls, precisions, color=GREY, linewidth=0.5, alpha=0.6, zorder=0)
        panel.annotate(str(level), (level, level), fontsize=5, color=GREY, ha="center", va="center")
