"""Panels of pictures: themes, grids, legends, and names beside points that do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..core.numbers import ratio
from .text import cut, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation


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
MARKS = "osD^vP*X<>"
DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))
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
    styles: Sequence[dict[str, Any]],
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


def signed(figure: Figure, signature: str, theme: Theme) -> None:
    """Add the signature, small, in the upper right corner, where space is reserved for it."""
    figure.suptitle(signature, x=0.99, ha="right", fontsize=5, color=theme.grey)


# Names beside points

NEAR = 4.0  # in points of print: points that are nearer to each other share a name tag
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Directions from a point to its name: to the right first."""
ABOVE = ((0, 1), (1, 1), (-1, 1), (0, -1))
"""Directions where points are on a horizontal line."""
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


def put_names(
    panel: Axes, points: Sequence[Point], size: float = 6, around: Sequence[tuple[int, int]] = AROUND
) -> None:
    """Write the names of points beside them, once axes and layout are final (``figure.draw_without_rendering()``)."""
    scale = _pixels(panel)
    inside = _Box(*panel.get_window_extent().extents)
    pixels = [panel.transData.transform((point.x, point.y)) for point in points]
    places = [(float(x), float(y)) for x, y in pixels]
    near = 3 * scale
    taken = [_Box(x - near, y - near, x + near, y + near) for x, y in places]
    taken += [_Box(*text.get_window_extent().extents) for text in panel.texts]
    for place, group in _grouped(points, places, NEAR * scale):
        colour = group[0].colour if len(group) == 1 else panel.xaxis.label.get_color()
        text = panel.annotate(
            _joined([point.name for point in group]), (group[0].x, group[0].y), xytext=(0, 0),
            textcoords="offset points", fontsize=size, color=colour, annotation_clip=False, zorder=5,
        )  # fmt: skip
        extent = text.get_window_extent()  # measured once: that is what takes time
        candidates = []
        for distance, across, up in ((far, *way) for far in FAR for way in around):
            left = place[0] + STEP * scale * distance * across + 0.5 * (across - 1) * extent.width
            bottom = place[1] + STEP * scale * distance * up + 0.5 * (up - 1) * extent.height
            box = _Box(left, bottom, left + extent.width, bottom + extent.height)
            outside = extent.width * extent.height - inside.common(box)
            cost = sum(map(box.common, taken)) + 2 * outside + distance
            candidates.append((cost, across, up, distance, box))
        _, across, up, distance, box = min(candidates, key=lambda candidate: candidate[0])
        text.set(ha=SIDES[across][0], va=SIDES[up][1])
        text.set_position((STEP * distance * across, STEP * distance * up))
        if distance > FAR[0]:
            _line(panel, place, text, scale)
        taken.append(box)


def _pixels(panel: Axes) -> float:
    """The pixels in a point of print."""
    figure: Any = panel.figure
    return ratio(figure.dpi, 72)


def _line(panel: Axes, place: Place, text: Annotation, scale: float) -> None:
    """Draw a line from a point to a name that is not right beside it."""
    across, up = text.get_position()
    end = panel.transData.inverted().transform((place[0] + 0.8 * across * scale, place[1] + 0.8 * up * scale))
    start = panel.transData.inverted().transform(place)
    colour = text.get_color()
    panel.plot([start[0], end[0]], [start[1], end[1]], color=colour, linewidth=0.4, zorder=0, clip_on=False)


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


def _joined(names: Sequence[str], most: int = 4) -> str:
    """The first names, and the number of the others.

    >>> _joined(["1", "2", "3"]), _joined(list("abcdef"))
    ('1, 2, 3', 'a, b, c, d +2')
    """
    more = f" +{len(names) - most}" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def put_ends(panel: Axes, size: float = 6) -> None:
    """Write the name of each line at its right end, moved up or down where names would overlap."""
    scale = _pixels(panel)
    up = size * 1.15 * scale
    frame = panel.get_window_extent()
    lines: list[Any] = list(panel.lines)
    ends = [(line, panel.transData.transform((line.get_xdata()[-1], line.get_ydata()[-1]))) for line in lines]
    ends.sort(key=lambda end: float(end[1][1]))
    heights = [float(min(max(place[1], frame.y0 + 0.5 * up), frame.y1 - 0.5 * up)) for _, place in ends]
    for number in range(1, len(heights)):
        heights[number] = max(heights[number], heights[number - 1] + up)
    over = max(heights[-1] - (frame.y1 - 0.5 * up), 0.0) if heights else 0.0
    for number in reversed(range(len(heights))):  # those at the top are pushed down again
        limit = heights[number + 1] - up if number + 1 < len(heights) else heights[number] - over
        heights[number] = min(heights[number], limit)
    for (line, place), height in zip(ends, heights, strict=True):
        panel.annotate(
            line.get_label(), (line.get_xdata()[-1], line.get_ydata()[-1]),
            xytext=(4, ratio(height - place[1], scale)), textcoords="offset points", fontsize=size,
            color=line.get_color(), va="center", annotation_clip=False,
        )  # fmt: skip
