"""Recall against precision with contours of F1: one panel for each metric, one point for each system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...base.errors import OptionError
from ...base.numbers import Score, ratio
from ...count.metrics import METRICS
from ...evaluate.results import Report
from ...evaluate.settings import SettingsReport
from ...study.compare import Comparison
from ..text import percent
from . import LIGHT, MARKS, Theme, grid, label_axes, legend, numbered, signed, tags
from .names import Point, put_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CONTOURS = range(10, 100, 10)  # of F1, in percent
NARROWEST = 30  # percent that an axis shows at least


def draw(result: Report | SettingsReport | Comparison, figure: Figure, theme: Theme = LIGHT) -> None:
    """Every metric that has recall and precision; on a contour, F1 is the same."""
    reports: Mapping[str, Report]
    if isinstance(result, Report):
        reports = {"": result}
    else:
        reports = result.reports if isinstance(result, Comparison) else result
    scores = {
        metric: {name: report[metric] for name, report in reports.items() if _has(report, metric)}
        for metric in dict.fromkeys(metric for report in reports.values() for metric in report)
    }
    scores = {metric: by_name for metric, by_name in scores.items() if by_name}
    if not scores:
        raise OptionError("none of these metrics has a recall and a precision to draw")
    styles = {
        name: {"marker": MARKS[n % len(MARKS)], "color": theme.colours[n % len(theme.colours)], "linestyle": "none"}
        for n, name in enumerate(reports)
    }
    panels = grid(figure, len(scores), theme)
    for (metric, by_name), panel in zip(scores.items(), panels, strict=True):
        panel.set_title(METRICS[metric].title)
        for name, score in by_name.items():
            recall, precision = 100 * score.recall, 100 * score.precision
            panel.plot(recall, precision, markersize=5, label=name, clip_on=False, zorder=3, **styles[name])
    every = [score for by_name in scores.values() for score in by_name.values()]
    panels[0].set_xlim(_lowest(score.recall for score in every), 100)
    panels[0].set_ylim(_lowest(score.precision for score in every), 100)
    for panel in panels:
        _contours(panel, theme)
    label_axes(panels, "recall (%)", "precision (%)")
    if len(reports) > 1:
        legend(figure, numbered(list(reports)), list(styles.values()))
    signed(figure, result.signature, theme)
    figure.draw_without_rendering()
    beside = dict(zip(reports, tags(list(reports)), strict=True))
    for by_name, panel in zip(scores.values(), panels, strict=True):
        points = [
            Point(100 * s.recall, 100 * s.precision, beside[name] or f"F1 {percent(s.f1)}", styles[name]["color"])
            for name, s in by_name.items()
        ]
        put_names(panel, points)


def _has(report: Report, metric: str) -> bool:
    """Whether a metric has a recall and a precision that mean something."""
    return metric in report and isinstance(report[metric], Score) and not report.nothing(metric)


def _lowest(figures: Iterable[float]) -> float:
    """Where an axis begins, in percent: below 0 if scores are measured from a baseline that is better."""
    return min(100.0 - NARROWEST, 100 * min(figures) // 10 * 10)


def _contours(panel: Axes, theme: Theme) -> None:
    """P = F R / (2 R - F): where F1 is the same."""
    lowest = max(panel.get_xlim()[0], panel.get_ylim()[0])
    for level in CONTOURS:
        start = ratio(100 * level, 200 - level)  # where the precision is 100
        recalls = [start + ratio(step, 60) * (100 - start) for step in range(61)]
        precisions = [ratio(level * recall, 2 * recall - level) for recall in recalls]
        panel.plot(recalls, precisions, color=theme.grey, linewidth=0.5, alpha=0.6, zorder=0)
        if level > lowest:
            panel.annotate(str(level), (level, level), fontsize=5, color=theme.grey, ha="center", va="center")
