"""Pictures of results, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file.

They show recall against precision, curves of noise, scatter plots of metrics, and sizes of entities; on a dark
ground if the name ends in .dark.svg.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..analysis.correlation import COEFFICIENTS, Correlation
from ..analysis.noise import PERTURBATIONS
from ..analysis.noise.curves import Curves
from ..comparison.systems import Comparison
from ..core.errors import CorefscopeError, OptionError
from ..core.metrics import METRICS
from ..core.metrics.muc import least
from ..core.numbers import Score, ratio
from ..core.report import Report
from ..formats.naming import names_of
from ..formats.settings import SettingsReport
from ..formats.stats import StatisticsReport
from ..formats.target import Target
from .formats import PICTURES
from .panels import (
    ABOVE,
    DARK,
    DASHES,
    LIGHT,
    MARKS,
    Point,
    Theme,
    grid,
    label_axes,
    legend,
    numbered,
    put_ends,
    put_names,
    signed,
    tags,
)
from .text import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE: Any = {  # a literal type of matplotlib
    "svg.hashsalt": "corefscope",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.titlesize": 9,
    "text.parse_math": False,  # names of files and systems may have dollar signs
}
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")


def check_picture(path: str | os.PathLike[str]) -> None:
    """Raise an error if a file of this name cannot be drawn."""
    if os.path.splitext(os.fspath(path))[1].lower() not in PICTURES:
        raise OptionError(f"cannot draw {os.fspath(path)}: name a file that ends in {', '.join(PICTURES)}")
    try:
        import matplotlib as matplotlib
    except ImportError:
        raise CorefscopeError("drawing needs matplotlib\n  hint: pip install 'corefscope[plot]'") from None


def draw(result: object, path: str | os.PathLike[str]) -> None:
    """Draw a result; the file is replaced as a whole."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    stem, suffix = os.path.splitext(os.fspath(path).lower())
    theme = DARK if stem.endswith(".dark") else LIGHT
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    picture = BytesIO()
    ground = dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), theme.ground)
    with rc_context(STYLE | ground | dict.fromkeys(INKED, theme.ink)):
        figure = Figure(layout="constrained")
        PICTURED[type(result).__name__](result, figure, theme)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())


CONTOURS = range(10, 100, 10)  # of F1, in percent
NARROWEST = 30  # percent that an axis shows at least


def draw_plane(result: Report | SettingsReport | Comparison, figure: Figure, theme: Theme = LIGHT) -> None:
    """Every metric that has recall and precision; on a contour, F1 is the same."""
    reports: Mapping[str, Report]
    if isinstance(result, Report):
        reports = {"": result}
    else:
        reports = result.reports if isinstance(result, Comparison) else result
    scores = {
        metric: {
            name: score
            for name, report in reports.items()
            if isinstance(score := report.get(metric), Score) and not report.nothing(metric)
        }
        for metric in dict.fromkeys(metric for report in reports.values() for metric in report)
    }
    scores = {metric: by_name for metric, by_name in scores.items() if by_name}
    if not scores:
        raise OptionError("none of these metrics has a recall and a precision to draw")
    styles: dict[str, dict[str, Any]] = {
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


def _lowest(figures: Iterable[float]) -> float:
    """The start of an axis, in percent: below 0 if scores are relative to a better baseline."""
    return min(100.0 - NARROWEST, 100 * min(figures) // 10 * 10)


def _contours(panel: Axes, theme: Theme) -> None:
    """Lines of equal F1: P = F R / (2 R - F)."""
    lowest = max(panel.get_xlim()[0], panel.get_ylim()[0])
    for level in CONTOURS:
        start = ratio(100 * level, 200 - level)  # where the precision is 100
        recalls = [start + ratio(step, 60) * (100 - start) for step in range(61)]
        precisions = [ratio(level * recall, 2 * recall - level) for recall in recalls]
        panel.plot(recalls, precisions, color=theme.grey, linewidth=0.5, alpha=0.6, zorder=0)
        if level > lowest:
            panel.annotate(str(level), (level, level), fontsize=5, color=theme.grey, ha="center", va="center")


FEW_CURVES = 8  # metrics whose names are written at the ends of their lines


def draw_curves(curves: Curves, figure: Figure, theme: Theme = LIGHT) -> None:
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
    if len(titles) > FEW_CURVES:
        legend(figure, list(titles.values()), list(styles.values()))
    else:
        start, end = figure.axes[0].get_xlim()
        ticks = [tick for tick in figure.axes[0].get_xticks() if start <= tick <= end]
        figure.axes[0].set_xticks(ticks)
        figure.axes[0].set_xlim(start, end + 0.25 * (end - start))  # room for names
    signed(figure, curves.signature, theme)
    figure.draw_without_rendering()
    if len(titles) <= FEW_CURVES:
        for panel in panels.values():
            put_ends(panel)


def _styles(metrics: Sequence[str], theme: Theme) -> dict[str, dict[str, Any]]:
    """The line styles of metrics: colours, then dashes; averages are thick and in the colour of the text."""
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


def draw_correlation(correlation: Correlation, figure: Figure, theme: Theme = LIGHT) -> None:
    """Every metric against every other: systems as points, with coefficients.

    If one metric is compared with the rest, only these panels: Figure 1 of Luo et al. (2014). Metrics that are the
    same for all systems are not drawn but named.
    """
    scores = {metric: [100 * score for score in column] for metric, column in correlation.scores.items()}
    against = correlation.against
    metrics = [metric for metric, column in scores.items() if metric == against or max(column) - min(column) > 1e-9]
    in_a_row = against or len(metrics) < 3
    panels = _in_a_row(correlation, metrics, figure, theme) if in_a_row else _in_a_triangle(metrics, figure)
    systems = correlation.systems
    are_distinct = len(systems) <= len(theme.colours)
    colours = list(theme.colours[: len(systems)]) if are_distinct else [theme.colours[0]] * len(systems)
    for (across, up), panel in panels.items():
        panel.scatter(scores[across], scores[up], s=12, color=colours, linewidths=0, zorder=3)
        panel.margins(0.14)
        panel.text(
            0.04, 0.96, _coefficients(correlation, across, up), va="top", fontsize=5,
            color=theme.grey, transform=panel.transAxes,
        )  # fmt: skip
    if are_distinct:
        styles = [{"marker": "o", "linestyle": "none", "color": colour} for colour in colours]
        legend(figure, numbered(systems), styles, "outside lower center" if in_a_row else "upper right")
    same = [METRICS[metric].title for metric in scores if metric not in metrics]
    note = f"the same for all systems: {', '.join(same)}; " if same else ""
    signature = f"{len(systems)} systems; {' '.join(correlation.signatures) or 'published scores'}"
    signed(figure, note + signature, theme)
    figure.draw_without_rendering()
    if are_distinct:
        named = list(zip(tags(systems), colours, strict=True))
        for (across, up), panel in panels.items():
            places = zip(scores[across], scores[up], named, strict=True)
            put_names(panel, [Point(x, y, name, colour) for x, y, (name, colour) in places], 5)


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
    """A panel for each other metric."""
    against = correlation.against or list(correlation.scores)[-1]
    others = [metric for metric in metrics if metric != against] or [against]
    panels = dict(zip(others, grid(figure, len(others), theme), strict=True))
    for metric, panel in panels.items():
        panel.set_title(METRICS[metric].title)
    label_axes(list(panels.values()), "F1 of the other metric (%)", f"F1 of {METRICS[against].title} (%)")
    return {(metric, against): panel for metric, panel in panels.items()}


def _coefficients(correlation: Correlation, one: str, other: str) -> str:
    signs = {name: row.title.split()[-1] for name, row in COEFFICIENTS.items()}
    values = {name: correlation.value(name, one, other) for name in COEFFICIENTS}
    if None in values.values():
        return "undefined"
    return "\n".join(f"{signs[name]} = {value:.3f}" for name, value in values.items())


def draw_profiles(report: StatisticsReport, figure: Figure, theme: Theme = LIGHT) -> None:
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


PICTURED: dict[str, Callable[[Any, Figure, Theme], None]] = {
    "Report": draw_plane,
    "SettingsReport": draw_plane,
    "Comparison": draw_plane,
    "Curves": draw_curves,
    "Correlation": draw_correlation,
    "StatisticsReport": draw_profiles,
}
"""By class of result, the function that draws it."""
