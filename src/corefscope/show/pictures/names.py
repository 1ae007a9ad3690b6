"""Names beside points: none upon another or upon a point, as far as there is room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.numbers import ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEAR = 4.0  # in points of print: points that are nearer to each other share a name tag
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Where a name may stand, seen from its point: to the right first."""
ABOVE = ((0, 1), (1, 1), (-1, 1), (0, -1))
"""The same where points lie on a line that goes across."""
FAR = (1.0, 2.2, 3.6)
"""How far away, in steps of STEP."""
STEP = 5.0  # in points of print
SIDES = {-1: ("right", "top"), 0: ("center", "center"), 1: ("left", "bottom")}


class Point(NamedTuple):
    """What is drawn somewhere, what it is called, and its colour."""

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
    frame = panel.get_window_extent()
    places = [tuple(panel.transData.transform((point.x, point.y))) for point in points]
    taken = [_around(place, 3 * scale) for place in places]
    taken += [_Box(*text.get_window_extent().extents) for text in panel.texts]
    for place, group in _together(points, places, NEAR * scale):
        colour = group[0].colour if len(group) == 1 else panel.xaxis.label.get_color()
        text = panel.annotate(
            _shared([point.name for point in group]), (group[0].x, group[0].y), xytext=(0, 0),
            textcoords="offset points", fontsize=size, color=colour, annotation_clip=False, zorder=5,
        )  # fmt: skip
        extent = text.get_window_extent()  # measured once: that is what takes time
        best: Any = None
        for distance, across, up in ((far, *way) for far in FAR for way in around):
            left = place[0] + STEP * scale * distance * across + 0.5 * (across - 1) * extent.width
            bottom = place[1] + STEP * scale * distance * up + 0.5 * (up - 1) * extent.height
            box = _Box(left, bottom, left + extent.width, bottom + extent.height)
            cost = sum(map(box.common, taken)) + 2 * _outside(box, frame) + distance
            if best is None or cost < best[0]:
                best = cost, across, up, distance, box
        _, across, up, distance, box = best
        text.set(ha=SIDES[across][0], va=SIDES[up][1])
        text.set_position((STEP * distance * across, STEP * distance * up))
        if distance > FAR[0]:
            _line(panel, place, text, scale)
        taken.append(box)


def _pixels(panel: Axes) -> float:
    """Of a point of print."""
    figure: Any = panel.figure
    return ratio(figure.dpi, 72)


def _outside(box: _Box, frame: Any) -> float:
    """The area of a box outside of the panel."""
    inside = _Box(frame.x0, frame.y0, frame.x1, frame.y1).common(box)
    return (box.right - box.left) * (box.top - box.bottom) - inside


def _line(panel: Axes, place: tuple[float, float], text: Any, scale: float) -> None:
    """From a point to a name that is not right beside it."""
    across, up = text.get_position()
    end = panel.transData.inverted().transform((place[0] + 0.8 * across * scale, place[1] + 0.8 * up * scale))
    start = panel.transData.inverted().transform(place)
    colour = text.get_color()
    panel.plot([start[0], end[0]], [start[1], end[1]], color=colour, linewidth=0.4, zorder=0, clip_on=False)


def _around(place: tuple[float, float], reach: float) -> _Box:
    return _Box(place[0] - reach, place[1] - reach, place[0] + reach, place[1] + reach)


def _together(points: Sequence[Point], places: Sequence[Any], near: float) -> Iterator[tuple[Any, list[Point]]]:
    """The points in groups that lie on each other, with the place of the first."""
    groups: list[tuple[Any, list[Point]]] = []
    for point, place in zip(points, places, strict=True):
        for first, group in groups:
            if abs(first[0] - place[0]) + abs(first[1] - place[1]) < near:
                group.append(point)
                break
        else:
            groups.append((place, [point]))
    return iter(groups)


def _shared(names: Sequence[str], most: int = 4) -> str:
    """Some names in a row.

    >>> _shared(["1", "2", "3"]), _shared(list("abcdef"))
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
