"""Pictures of results, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file.

They show recall against precision, curves of noise, scatter plots of metrics, and the entities of a document; on a
dark ground if the name ends in .dark.svg, twice as fine if it ends in @2x.png.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from math import isclose, nan
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..analysis.correlation import COEFFICIENTS, Correlation
from ..analysis.noise.curves import Curves
from ..comparison.systems import Comparison
from ..core.errors import CorefscopeError, OptionError
from ..core.metrics import METRICS
from ..core.numbers import Deviation, Score, Value, f1, ratio
from ..core.report import Report
from ..core.rules import REFERENCE, RULES
from ..formats.naming import names_of
from ..formats.settings import SettingsReport
from ..formats.stats import DocumentClasses, StatisticsReport
from ..formats.target import Target
from ..measures.profiles import least_muc, profiles
from ..measures.windows import WindowCurve
from .formats import PICTURES
from .text import cut, percent, shown, wrapped_signature

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


class Theme(NamedTuple):
    """The colours of a picture."""

    ground: str
    ink: str
    grey: str
    """The colour of annotations."""
    faint: str
    """The colour of grids."""
    colours: Sequence[str]
    """Ten colours for systems and metrics, which marks, dashes, numbers and names distinguish as well."""


LIGHT = Theme(
    ground="#ffffff",
    ink="#1b1b1b",
    grey="#666666",
    faint="#dddddd",
    colours=[
        *("#0072b2", "#d55e00", "#009e73", "#b5179e", "#a06a00"),
        *("#3fa7e0", "#5d3fd3", "#c1121f", "#4d7c0f", "#555555"),
    ],
)
DARK = Theme(
    ground="#16181d",
    ink="#e8e8e8",
    grey="#a8a8a8",
    faint="#3a3d45",
    colours=[
        *("#56b4e9", "#ff9e4a", "#2fd6a3", "#ff8ad8", "#f0e442"),
        *("#9ecbff", "#b79cff", "#ff7b7b", "#b6e35a", "#c8c8c8"),
    ],
)
LineStyle = dict[str, Any]
"""Keyword arguments of ``Axes.plot`` and ``Line2D``."""
MARKS = "osD^vP*X<>"
DASHES: Sequence[str | tuple[int, tuple[float, ...]]] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))
SMALL = 7  # the size of numbers and names within panels, in points of print
IN_FULL = 3  # systems whose names are written beside their points; of more, their numbers are
SHORT = 20  # characters of such a name
LONGEST = 50  # columns of a name in a legend
MANY, WIDE = 12, 7.5  # legends with more names need a figure of this width, in inches


def grid(figure: Figure, count: int, theme: Theme) -> list[Axes]:
    """``count`` panels of one size that share their axes."""
    across = count if count < 5 else min((5, 4, 3), key=lambda columns: -count % columns)
    down = -(-count // across)
    figure.set_size_inches(1.6 + 2.6 * across, 0.9 + 2.5 * down)
    panels = list(figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).flat)
    for panel in panels[:count]:
        panel.grid(color=theme.faint, linewidth=0.6)
        panel.tick_params(labelbottom=True)
    for panel in panels[count:]:
        panel.remove()
    return panels[:count]


def label_axes(panels: Sequence[Axes], across: str, up: str) -> None:
    """Label the axes of a grid, once for each row and column: at its left and at its lower end."""
    lowest: dict[int, Axes] = {}
    for panel in panels:
        place = panel.get_subplotspec()
        assert place is not None  # it is in a grid
        lowest[place.colspan.start] = panel
        if place.is_first_col():
            panel.set_ylabel(up)
    for panel in lowest.values():
        panel.set_xlabel(across)


def legend(
    figure: Figure,
    names: Sequence[str],
    styles: Sequence[LineStyle],
    place: Literal["outside lower center", "upper right"] = "outside lower center",
) -> None:
    """Add a legend: below the panels, for which the figure grows, or at another place."""
    from matplotlib.lines import Line2D

    texts = [cut(shown(name), LONGEST) for name in names]
    columns, corner = 1, {"bbox_to_anchor": (0.99, 0.96)}  # below the signature
    if place.startswith("outside"):
        corner = {}
        width, height = figure.get_size_inches()
        width = max(width, WIDE) if len(names) > MANY else width
        columns = max(1, min(len(names), int(width // (0.55 + 0.065 * max(map(len, texts))))))
        figure.set_size_inches(width, height + 0.1 + 0.19 * -(-len(names) // columns))
    handles = [Line2D([], [], **style) for style in styles]
    figure.legend(handles, texts, loc=place, ncols=columns, frameon=False, fontsize=8, **corner)


def tags(names: Sequence[str]) -> list[str]:
    """The labels of the points of systems: their names if these are few and short, else numbers."""
    if len(names) <= IN_FULL and max(map(len, names)) <= SHORT:
        return [shown(name) for name in names]
    return [str(number) for number in range(1, len(names) + 1)]


def numbered(names: Sequence[str]) -> list[str]:
    """The labels of systems in a legend: their names, after the numbers of their points."""
    return [name if tag == shown(name) else f"{tag}  {name}" for tag, name in zip(tags(names), names, strict=True)]


LETTERS_IN_INCH = 20  # of signatures


def signed(figure: Figure, signature: str, theme: Theme) -> None:
    """Add the signature, small, in the upper right corner, where space is reserved for it."""
    lines = wrapped_signature(signature, int(LETTERS_IN_INCH * figure.get_figwidth()))
    figure.suptitle("\n".join(lines), x=0.99, ha="right", fontsize=6, color=theme.grey)


# Names beside points

NEAR = 4.0  # in points of print: points that are nearer to each other share a name tag
MOST_NAMES = 4  # in such a name tag
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Directions from a point to its name: to the right first."""
FAR = (1.0, 2.2, 3.6)  # distances of names, in steps of STEP
STEP = 5.0  # in points of print
SIDES = {-1: ("right", "top"), 0: ("center", "center"), 1: ("left", "bottom")}


Place = tuple[float, float]
"""Where a point is on the canvas, in pixels."""


class Point(NamedTuple):
    """A point with its name and colour."""

    x: float
    y: float
    name: str
    colour: str


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def common(self, other: _Box) -> float:
        """The area that two boxes share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        up = min(self.top, other.top) - max(self.bottom, other.bottom)
        return across * up if across > 0 and up > 0 else 0.0


def put_names(panel: Axes, points: Sequence[Point]) -> None:
    """Write the names of points beside them, once axes and layout are final (``figure.draw_without_rendering()``)."""
    scale = ratio(panel.figure.dpi, 72)  # pixels in a point of print
    inside = _Box(*panel.get_window_extent().extents)
    pixels = [panel.transData.transform((point.x, point.y)) for point in points]
    places = [(float(x), float(y)) for x, y in pixels]
    near = 3 * scale
    taken = [_Box(x - near, y - near, x + near, y + near) for x, y in places]
    taken += [_Box(*text.get_window_extent().extents) for text in panel.texts]
    for place, group in _grouped(points, places, NEAR * scale):
        colour = group[0].colour if len(group) == 1 else panel.xaxis.label.get_color()
        others = f" +{len(group) - MOST_NAMES}" if len(group) > MOST_NAMES else ""
        text = panel.annotate(
            ", ".join(point.name for point in group[:MOST_NAMES]) + others, (group[0].x, group[0].y), xytext=(0, 0),
            textcoords="offset points", fontsize=SMALL, color=colour, annotation_clip=False, zorder=5,
        )  # fmt: skip
        extent = text.get_window_extent()  # measured once: that is what takes time
        candidates = []
        for distance, across, up in ((far, *way) for far in FAR for way in AROUND):
            left = place[0] + STEP * scale * distance * across + 0.5 * (across - 1) * extent.width
            bottom = place[1] + STEP * scale * distance * up + 0.5 * (up - 1) * extent.height
            box = _Box(left, bottom, left + extent.width, bottom + extent.height)
            outside = extent.width * extent.height - inside.common(box)
            cost = sum(map(box.common, taken)) + 2 * outside + distance
            candidates.append((cost, across, up, distance, box))
        _, across, up, distance, box = min(candidates, key=lambda candidate: candidate[0])
        text.set(ha=SIDES[across][0], va=SIDES[up][1])
        text.set_position((STEP * distance * across, STEP * distance * up))
        if distance > FAR[0]:  # draw a line to a name that is not right beside its point
            end_x, end_y = text.get_position()
            line_end = place[0] + 0.8 * end_x * scale, place[1] + 0.8 * end_y * scale
            ends = panel.transData.inverted().transform([place, line_end])
            panel.plot(*zip(*ends, strict=True), color=text.get_color(), linewidth=0.4, zorder=0, clip_on=False)
        taken.append(box)


def _grouped(points: Sequence[Point], places: Sequence[Place], near: float) -> list[tuple[Place, list[Point]]]:
    """Points grouped with those near them, each group with the place of its first point."""
    groups: list[tuple[Place, list[Point]]] = []
    for point, place in zip(points, places, strict=True):
        for first, group in groups:
            if abs(first[0] - place[0]) + abs(first[1] - place[1]) < near:
                group.append(point)
                break
        else:
            groups.append((place, [point]))
    return groups


def put_ends(panel: Axes) -> None:
    """Write the name of each line beside its right end, as near to it as the names of the others allow."""
    scale = ratio(panel.figure.dpi, 72)  # pixels in a point of print
    up = SMALL * 1.15 * scale
    frame = panel.get_window_extent()
    lines: list[Any] = list(panel.lines)
    ends = [(line, panel.transData.transform((line.get_xdata()[-1], line.get_ydata()[-1]))) for line in lines]
    ends.sort(key=lambda end: float(end[1][1]))
    heights = spread([float(place[1]) for _, place in ends], up, frame.y0 + 0.5 * up, frame.y1 - 0.5 * up)
    for (line, place), height in zip(ends, heights, strict=True):
        colour = line.get_color()
        leader = {
            "arrowstyle": "-",
            "color": colour,
            "linewidth": 0.4,
            "shrinkA": 0,
            "shrinkB": 3,
            "relpos": (0, 0.5),
        }
        is_alone = sum(abs(other[1] - place[1]) < scale for _, other in ends) == 1
        panel.annotate(
            line.get_label(), (line.get_xdata()[-1], line.get_ydata()[-1]),
            xytext=(9, ratio(height - float(place[1]), scale)), textcoords="offset points", fontsize=SMALL,
            color=colour, va="center", annotation_clip=False, arrowprops=leader if is_alone else None,
        )  # fmt: skip


def spread(heights: Sequence[float], gap: float, lowest: float, highest: float) -> list[float]:
    """Rising heights moved apart to a distance of ``gap``, within limits, by the least sum of squares.

    >>> spread([1, 1, 5], 2, 0, 9), spread([1, 1, 5], 2, 1, 9)
    ([0.0, 2.0, 5.0], [1.0, 3.0, 5.0])
    """
    blocks: list[tuple[float, int]] = []  # means of neighbours without their gaps, and how many these are
    for number, height in enumerate(heights):
        mean, count = height - number * gap, 1
        while blocks and blocks[-1][0] > mean:
            before, several = blocks.pop()
            mean, count = ratio(before * several + mean * count, several + count), several + count
        blocks.append((mean, count))
    highest -= (len(heights) - 1) * gap
    flat = [max(lowest, min(mean, highest)) for mean, count in blocks for _ in range(count)]
    return [float(mean + number * gap) for number, mean in enumerate(flat)]


# Pictures


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
    if type(result).__name__ not in PICTURED:
        raise OptionError("there is no picture of this result: name a file for its table, such as table.tex")
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
        figure.savefig(picture, format=suffix[1:], dpi=300 if stem.endswith("@2x") else 150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())


CONTOURS = range(10, 100, 10)  # of F1, in percent
NARROWEST = 30  # percent that an axis shows at least


def draw_plane(result: Report | SettingsReport | Comparison, figure: Figure, theme: Theme = LIGHT) -> None:
    """Every metric that has recall and precision; on a contour, F1 is the same.

    A metric whose F1 is not the harmonic mean of these, such as BLANC, has no contours.
    """
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
    styles: dict[str, LineStyle] = {
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
    for by_name, panel in zip(scores.values(), panels, strict=True):
        if all(isclose(s.f1, f1(s.recall, s.precision), abs_tol=1e-9) for s in by_name.values()):
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
    """Lines of equal F1: P = F R / (2 R - F). Each has its number, in the middle of what is seen of it."""
    lowest = panel.get_xlim()[0], panel.get_ylim()[0]
    for level in CONTOURS:
        start = ratio(100 * level, 200 - level)  # where the precision is 100
        recalls = [start + ratio(step, 60) * (100 - start) for step in range(61)]
        points = [(recall, ratio(level * recall, 2 * recall - level)) for recall in recalls]
        panel.plot(*zip(*points, strict=True), color=theme.grey, linewidth=0.5, alpha=0.6, zorder=0)
        seen = [point for point in points if point[0] > lowest[0] + 2 and point[1] > lowest[1] + 2]
        if seen:
            nearest = min(seen, key=lambda point: abs((point[0] - lowest[0]) - (point[1] - lowest[1])))
            panel.text(
                *nearest, str(level), fontsize=SMALL, color=theme.grey, ha="center", va="center", zorder=1,
                bbox={"facecolor": theme.ground, "edgecolor": "none", "pad": 0.6},
            )  # fmt: skip


FEW_CURVES = 16  # metrics whose names are written at the ends of their lines
FEW_OTHERS = 2  # metrics without relatives that every family is drawn with


def draw_curves(curves: Curves, figure: Figure, theme: Theme = LIGHT) -> None:
    """A panel for each kind of noise and family of metrics, with a line for each metric."""
    lines = [_Lines(curves.titles[kind], f"{kind} (%)", curves.reports[kind]) for kind in curves.kinds]
    _draw_lines(lines, curves.metrics, curves.signature, figure, theme)


def draw_windows(curve: WindowCurve, figure: Figure, theme: Theme = LIGHT) -> None:
    """A panel for each family of metrics, with a line for each metric: windows, then whole texts."""
    lines = _Lines("whole texts and windows", "words", dict(enumerate(curve.values())))
    _draw_lines([lines], curve.metrics, curve.signature, figure, theme, list(curve))


class _Lines(NamedTuple):
    """What one panel, or a panel for each family of metrics, shows."""

    title: str
    across: str
    reports: Mapping[int, Report]
    """By place on the axis."""


def _draw_lines(
    lines: Sequence[_Lines],
    names: Sequence[str],
    signature: str,
    figure: Figure,
    theme: Theme,
    ticks: Sequence[str] = (),
) -> None:
    lowest = 100.0
    styles = _styles(names, theme)
    titles = {metric: METRICS[metric].title for metric in names}
    drawn = [(line, *family) for line in lines for family in _families(titles).items()]
    panels = grid(figure, len(drawn), theme)
    for (line, family, metrics), panel in zip(drawn, panels, strict=True):
        panel.set_title("\n".join(wrap(f"{family}: {line.title}" if family else line.title, 40)))
        for metric in metrics:
            figures = [report.figure(metric) for report in line.reports.values()]
            values = [nan if figure is None else 100 * figure for figure in figures]  # no point where nothing counts
            lowest = min(lowest, *values)
            panel.plot(list(line.reports), values, label=titles[metric], **styles[metric])
    if ticks:
        figure.axes[0].set_xticks(range(len(ticks)), ticks)
    figure.axes[0].set_ylim(max(lowest // 10 * 10, -100) - 2, 102)
    label_axes(panels, "", "score (%)")
    for (line, *_), panel in zip(drawn, panels, strict=True):
        panel.set_xlabel(line.across)
    is_direct = max(len(metrics) for *_, metrics in drawn) <= FEW_CURVES
    if is_direct:
        start, end = figure.axes[0].get_xlim()
        figure.axes[0].set_xticks([tick for tick in figure.axes[0].get_xticks() if start <= tick <= end])
        figure.axes[0].set_xlim(start, end + 0.32 * (end - start))  # room for names
    else:
        legend(figure, list(titles.values()), list(styles.values()))
    signed(figure, signature, theme)
    figure.draw_without_rendering()
    for panel in panels if is_direct else ():
        put_ends(panel)


def _families(titles: Mapping[str, str]) -> dict[str, list[str]]:
    """Metrics by the acronym that their titles begin with, if several of them share one; else all together.

    One or two others are drawn with every family, as MUC is in Figures 1 and 2 of Cai and Strube (2010).

    >>> _families({"muc": "MUC", "b3_0": "B³₀", "b3_all": "B³_all", "ceafe": "CEAFe", "ceaf_sys": "CEAF_sys"})
    {'B³': ['muc', 'b3_0', 'b3_all'], 'CEAF': ['muc', 'ceafe', 'ceaf_sys']}
    """
    families: dict[str, list[str]] = {}
    for metric, title in titles.items():
        families.setdefault(re.split(r"(?<=[A-Z³]{2})(?![A-Z])|\W", title)[0], []).append(metric)
    others = [metrics[0] for metrics in families.values() if len(metrics) == 1]
    families = {family: metrics for family, metrics in families.items() if len(metrics) > 1}
    if len(families) < 2:
        return {"": list(titles)}
    if len(others) > FEW_OTHERS:
        return {**families, "others": others}
    return {family: [*others, *metrics] for family, metrics in families.items()}


def _styles(metrics: Sequence[str], theme: Theme) -> dict[str, LineStyle]:
    """The line styles of metrics: colours and marks, then dashes; averages are thick, in the colour of the text."""
    plain = [metric for metric in metrics if not METRICS[metric].parts]
    styles: dict[str, LineStyle] = {metric: {"color": theme.ink, "linewidth": 2.2} for metric in metrics}
    for index, metric in enumerate(plain):
        dashes, colour = divmod(index, len(theme.colours))
        styles[metric] = {
            "color": theme.colours[colour],
            "linestyle": DASHES[dashes % len(DASHES)],
            "linewidth": 1.2,
            "marker": MARKS[index % len(MARKS)],
            "markersize": 3,
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
    room = 0.16 if in_a_row else 0.5  # above the points, for the coefficients
    for (across, up), panel in panels.items():
        panel.scatter(scores[across], scores[up], s=12, color=colours, linewidths=0, zorder=3)
        panel.margins(x=0.14)
        low, high = min(scores[up]), max(scores[up])
        span = (high - low) or 1
        panel.set_ylim(low - 0.14 * span, high + (0.14 + room) * span)
        panel.text(
            0.04, 0.96, _coefficients(correlation, across, up), va="top", fontsize=SMALL,
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
            put_names(panel, [Point(x, y, name, colour) for x, y, (name, colour) in places])


def _in_a_triangle(metrics: Sequence[str], figure: Figure) -> dict[tuple[str, str], Axes]:
    """A panel for every two metrics: columns are all but the last, rows all but the first."""
    size = len(metrics) - 1
    figure.set_size_inches(1 + 1.4 * size, 1 + 1.4 * size)
    cells = figure.subplots(size, size, squeeze=False, sharex="col", sharey="row")
    panels = {}
    for row, up in enumerate(metrics[1:]):
        for column, across in enumerate(metrics[:-1]):
            panel = cells[row][column]
            panel.tick_params(labelsize=SMALL, length=2)
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
    """The entities of a document in key and response, a row for each response: Popescu-Belis (2000), Figures 2 to 4.

    Of one file, or of files over different texts: the sorted sizes of all its entities; and the least that MUC can
    be, given the first file as the key.
    """
    if report.classes:
        figure.set_size_inches(13, 0.4 + 3.5 * len(report.classes))
        rows = figure.subplots(len(report.classes), 4, squeeze=False)
        names = names_of([classes.name for classes in report.classes])
        for classes, name, (diagram, sizes, precision, recall) in zip(report.classes, names, rows, strict=True):
            _draw_classes(diagram, classes, name, theme)
            _draw_surplus(sizes, classes, theme)
            for panel, index in ((precision, 1), (recall, 0)):
                _draw_bounds(panel, classes.mentions, classes.classes[0], index, theme)
                _mark_actual(panel, classes, index, theme)
                panel.set_title(_of_document(classes.document, classes.mentions, classes.classes[0]))
    else:
        figure.set_size_inches(10, 3.4)
        sizes, precision, recall = figure.subplots(1, 3)
        _draw_sizes(sizes, report, theme)
        if report.files[0].documents:
            id_, key = max(report.files[0].documents, key=lambda document: document[1].mentions)
            mentions = key.mentions - key.repeated
            for panel, index in ((precision, 1), (recall, 0)):
                _draw_bounds(panel, mentions, key.entities, index, theme)
                panel.set_title(_of_document(id_, mentions, key.entities))
                panel.legend(fontsize=SMALL, frameon=False)
    signed(figure, report.signature, theme)


def _of_document(name: str, mentions: int, classes: int) -> str:
    return f"{cut(shown(name), 2 * SHORT)}\n{mentions} mentions, {classes} classes in the key"


def _draw_sizes(panel: Axes, report: StatisticsReport, theme: Theme) -> None:
    from matplotlib.ticker import LogFormatter, StrMethodFormatter

    for number, (file, name) in enumerate(zip(report.files, names_of([f.path for f in report.files]), strict=True)):
        sizes = sorted(file.total.chain_lengths.elements(), reverse=True)
        style: LineStyle = {
            "color": theme.colours[number % len(theme.colours)],
            "linestyle": DASHES[number % len(DASHES)],
        }
        panel.step(
            range(1, len(sizes) + 1), sizes, where="mid", linewidth=1.4, label=cut(shown(name), SHORT), **style
        )
    if report.total.entities:
        panel.set(xscale="log", yscale="log")
        for axis in (panel.xaxis, panel.yaxis):
            axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axis.set_minor_formatter(LogFormatter(minor_thresholds=(1, 0.4)))  # if there are few others
    panel.grid(color=theme.faint, linewidth=0.6)
    panel.legend(fontsize=SMALL, frameon=False)
    panel.set(title="sizes of entities, sorted", xlabel="rank of the entity", ylabel="mentions")


CONVENTIONS = RULES[REFERENCE].conventions
MOST_CLASSES = 16  # of a side that a diagram shows
FEW_CLASSES = 6  # so that the numbers of their mentions can be read


def _draw_classes(panel: Axes, classes: DocumentClasses, name: str, theme: Theme) -> None:
    """Key classes as rows and response classes as columns: their common mentions, by number or as a count."""
    from matplotlib.patches import Rectangle

    sides = ((classes.key, classes.table.key_sizes), (classes.response, classes.table.response_sizes))
    places: list[dict[int, int]] = []
    for side, (names, sizes) in enumerate(sides):
        largest = sorted(range(len(names)), key=sizes.__getitem__, reverse=True)[:MOST_CLASSES]
        drawn = [*sorted(largest), *{min(cell[side], 0) for cell in classes.pieces if cell[side] < 0}]
        places.append({index: place for place, index in enumerate(drawn)})
    rows, columns = places
    is_listed = max(map(len, places)) <= FEW_CLASSES
    most = max(map(len, classes.pieces.values()), default=1)
    for (i, j), numbers in classes.pieces.items():
        if i in rows and j in columns:
            x, y, size = columns[j], rows[i], 0.9 * ratio(len(numbers), most) ** 0.5
            colour = theme.faint if min(i, j) < 0 else theme.colours[0]
            corner = x - ratio(size, 2), y - ratio(size, 2)
            panel.add_patch(Rectangle(corner, size, size, facecolor=colour, alpha=0.4, linewidth=0))
            text = "\n".join(wrap(" ".join(map(str, numbers)), 8)) if is_listed else str(len(numbers))
            panel.text(x, y, text, fontsize=SMALL, ha="center", va="center", clip_on=True)
    for axis, (names, _), drawn_at in zip((panel.yaxis, panel.xaxis), sides, places, strict=True):
        labels = ["–" if index < 0 else cut(shown(names[index]), 8) for index in drawn_at]
        axis.set_ticks(list(drawn_at.values()), labels, fontsize=SMALL)
    panel.set(xlim=(-0.6, len(columns) - 0.4), ylim=(len(rows) - 0.4, -0.6))
    panel.tick_params(axis="x", labelrotation=0 if is_listed else 90)
    is_cut = max(len(names) for names, _ in sides) > MOST_CLASSES
    common = f"mentions in common{', largest classes' if is_cut else ''}"
    panel.set_title(f"{cut(shown(classes.document), 2 * SHORT)}\n{common}")
    nowhere = [" (–: in none)" if -1 in side else "" for side in places]
    panel.set_xlabel(f"classes of {cut(shown(name), SHORT)}{nowhere[1]}")
    panel.set_ylabel(f"classes of the key{nowhere[0]}")


def _draw_surplus(panel: Axes, classes: DocumentClasses, theme: Theme) -> None:
    """Sizes of classes, sorted and completed, with the zones of D-err: what each side has more than the other."""
    from matplotlib.ticker import MaxNLocator

    bars = profiles(classes.table, classes.table.T)
    starts, widths, key, response = (list(column) for column in zip(*bars, strict=True)) if bars else ([], [], [], [])
    common = list(map(min, key, response))
    panel.bar(starts, common, widths, align="edge", color=theme.faint)
    zones = (("key larger (K ≥ R)", key, theme.ground), ("response larger (K < R)", response, theme.grey))
    for label, sizes, colour in zones:
        surplus = [size - least_size for size, least_size in zip(sizes, common, strict=True)]
        panel.bar(
            starts, surplus, widths, common, align="edge", color=colour, edgecolor=theme.grey, linewidth=0.4,
            label=label,
        )  # fmt: skip
    for sizes, index, dashes, name in ((key, 0, "-", "key"), (response, 1, "--", "response")):
        panel.stairs(sizes, [*starts, starts[-1] + widths[-1]] if starts else [0], baseline=None, linestyle=dashes,
                     color=theme.colours[index], linewidth=1.6, label=name)  # fmt: skip
    d_err, dmt = (METRICS[name].score(METRICS[name].counts(classes.table), CONVENTIONS) for name in ("d_err", "dmt"))
    assert isinstance(d_err, Deviation)
    assert isinstance(dmt, Value)
    scores = f"D-err {percent(d_err.value)}{d_err.direction and '-' + d_err.direction}, DMT {percent(dmt.value)}"
    panel.set_title(f"{cut(shown(classes.document), 2 * SHORT)}\nsizes of classes: {scores}")
    panel.legend(fontsize=SMALL, frameon=False)
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    panel.set(xlabel="classes, largest first", ylabel="mentions")


def _draw_bounds(panel: Axes, mentions: int, entities: int, index: int, theme: Theme) -> None:
    """The least MUC over the number of response classes m."""
    counts = range(1, mentions + 1)
    bounds = [100 * least_muc(mentions, entities, count)[index] for count in counts]
    panel.plot(counts, bounds, color=theme.grey, linewidth=1.4, label="least possible")
    panel.grid(color=theme.faint, linewidth=0.6)
    panel.set(ylim=(-2, 102), xlabel="classes of the response", ylabel=f"MUC {('recall', 'precision')[index]} (%)")


def _mark_actual(panel: Axes, classes: DocumentClasses, index: int, theme: Theme) -> None:
    """The score of the response, apart from its bound."""
    score = METRICS["muc_pb"].score(METRICS["muc_pb"].counts(classes.table), CONVENTIONS)
    assert isinstance(score, Score)
    count = classes.classes[1]
    bound, actual = 100 * least_muc(classes.mentions, classes.classes[0], count)[index], 100 * score[index]
    panel.plot([count, count], [bound, actual], color=theme.colours[1], linewidth=0.6, linestyle=":")
    panel.plot(count, bound, "o", color=theme.grey, markerfacecolor=theme.ground, label=f"bound of {bound:.1f}")
    panel.plot(count, actual, "s", color=theme.colours[1], clip_on=False, zorder=3, label=f"score of {actual:.1f}")
    panel.legend(fontsize=SMALL, frameon=False)


PICTURED: dict[str, Callable[..., None]] = {
    "Report": draw_plane,
    "SettingsReport": draw_plane,
    "Comparison": draw_plane,
    "Curves": draw_curves,
    "WindowCurve": draw_windows,
    "Correlation": draw_correlation,
    "StatisticsReport": draw_profiles,
}
"""By class of result, the function that draws it."""
