"""Pictures, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file; on a dark ground if it ends in .dark.svg.

Every picture has a row in PICTURED: the module here whose ``draw`` draws results of a class.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.errors import CorefscopeError, OptionError
from ...write.target import Target
from ..columns import cut
from ..formats import PICTURES
from ..text import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURED: dict[str, str] = {
    "Report": "plane",
    "SettingsReport": "plane",
    "Comparison": "plane",
    "Curves": "curves",
    "Correlation": "correlation",
    "StatisticsReport": "profiles",
}
"""The class of a result, and the module that draws it."""


class Theme(NamedTuple):
    """The colours of a picture."""

    ground: str
    ink: str
    grey: str
    """Of what is said beside."""
    faint: str
    """Of grids."""
    colours: Sequence[str]
    """Of systems and metrics: ten. Marks, dashes, numbers and names tell them apart as well."""


LIGHT = Theme(
    ground="#ffffff",
    ink="#1b1b1b",
    grey="#666666",
    faint="#dddddd",
    colours=(
        "#0072b2",
        "#d55e00",
        "#009e73",
        "#b5179e",
        "#a06a00",
        "#3fa7e0",
        "#5d3fd3",
        "#c1121f",
        "#4d7c0f",
        "#555555",
    ),
)
DARK = Theme(
    ground="#16181d",
    ink="#e8e8e8",
    grey="#a8a8a8",
    faint="#3a3d45",
    colours=(
        "#56b4e9",
        "#ff9e4a",
        "#2fd6a3",
        "#ff8ad8",
        "#f0e442",
        "#9ecbff",
        "#b79cff",
        "#ff7b7b",
        "#b6e35a",
        "#c8c8c8",
    ),
)
MARKS = "osD^vP*X<>"
DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))
STYLE: Any = {"svg.hashsalt": "corefscope", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9}
STYLE["text.parse_math"] = False  # names of files and systems may have dollar signs
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
IN_FULL = 3  # systems whose names stand beside their points; of more, numbers do
SHORT = 20  # characters of such a name
LONGEST = 50  # columns of a name in a legend
MANY, WIDE = 12, 7.5  # names in a legend that ask for a figure so many inches wide


def check_picture(path: str | os.PathLike[str]) -> None:
    """Complain early about a file that could not be drawn."""
    if os.path.splitext(os.fspath(path))[1].lower() not in PICTURES:
        raise OptionError(f"cannot draw {os.fspath(path)}: name a file that ends in {', '.join(PICTURES)}")
    try:
        import matplotlib as matplotlib
    except ImportError:
        raise CorefscopeError("drawing needs matplotlib\n  hint: pip install 'corefscope[plot]'") from None


def theme_of(path: str | os.PathLike[str]) -> Theme:
    """Dark for a name such as ``plane.dark.svg``, else light."""
    return DARK if os.path.splitext(os.path.splitext(os.fspath(path))[0])[1].lower() == ".dark" else LIGHT


def draw(result: Any, path: str | os.PathLike[str]) -> None:
    """The picture of a result, saved all at once: whoever reads the file sees the old one or the new one."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    module = import_module(f".{PICTURED[type(result).__name__]}", __package__)
    suffix = os.path.splitext(path)[1].lower()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    picture = BytesIO()
    theme = theme_of(path)
    ground = {"figure.facecolor": theme.ground, "axes.facecolor": theme.ground, "savefig.facecolor": theme.ground}
    with rc_context(STYLE | ground | dict.fromkeys(INKED, theme.ink)):
        figure = Figure(layout="constrained")
        module.draw(result, figure, theme)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())


def grid(figure: Figure, count: int, theme: Theme) -> list[Any]:
    """So many panels of one size, with axes in common."""
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


def label_axes(panels: Sequence[Any], across: str, up: str) -> None:
    """What the axes of a grid mean, once for each row and column: at its left and at its lower end."""
    lowest: dict[Any, Any] = {}
    for panel in panels:
        place = panel.get_subplotspec()
        lowest[place.colspan.start] = panel
        if place.is_first_col():
            panel.set_ylabel(up)
    for panel in lowest.values():
        panel.set_xlabel(across)


def legend(
    figure: Figure, names: Sequence[str], styles: Sequence[dict[str, Any]], place: Any = "outside lower center"
) -> None:
    """What names and marks mean: below the panels in columns, and the figure grows by as much; or elsewhere."""
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
    """What stands beside the points of systems: their names if there are few, and short; else their numbers."""
    if len(names) <= IN_FULL and max(map(len, names)) <= SHORT:
        return [shown(name) for name in names]
    return [str(number) for number in range(1, len(names) + 1)]


def numbered(names: Sequence[str]) -> list[str]:
    """What a legend says of systems: their names, after the numbers that stand beside their points."""
    return [name if tag == shown(name) else f"{tag}  {name}" for tag, name in zip(tags(names), names, strict=True)]


def signed(figure: Figure, signature: str, theme: Theme) -> None:
    """The signature, small, in the upper right corner: room is kept for it there, so nothing overlaps it."""
    figure.suptitle(signature, x=0.99, ha="right", fontsize=5, color=theme.grey)
