"""Pictures, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file.

Every picture has a row in PICTURED: the module here whose ``draw`` draws results of a class.
"""

from __future__ import annotations

import os
from importlib import import_module
from io import BytesIO

from ...base.annotations import TYPE_CHECKING, Any
from ...base.errors import CorefscopeError, OptionError
from ...write.target import Target
from ..formats import PICTURES

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

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31")
STYLE: Any = {"svg.hashsalt": "corefscope", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9}
STYLE["text.parse_math"] = False  # names of files and systems may have dollar signs
GREY = "#666666"
LIGHT = "#dddddd"


def check_picture(path: str | os.PathLike[str]) -> None:
    """Complain early about a file that could not be drawn."""
    if os.path.splitext(os.fspath(path))[1].lower() not in PICTURES:
        raise OptionError(f"cannot draw {os.fspath(path)}: name a file that ends in {', '.join(PICTURES)}")
    try:
        import matplotlib as matplotlib
    except ImportError:
        raise CorefscopeError("drawing needs matplotlib\n  hint: pip install 'corefscope[plot]'") from None


def draw(result: Any, path: str | os.PathLike[str]) -> None:
    """The picture of a result, saved all at once: whoever reads the file sees the old one or the new one."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    module = import_module(f".{PICTURED[type(result).__name__]}", __package__)
    suffix = os.path.splitext(path)[1].lower()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    picture = BytesIO()
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        module.draw(result, figure)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())


def grid(figure: Figure, count: int) -> list[Any]:
    """So many panels of one size, with axes in common."""
    across = count if count < 5 else min((5, 4, 3), key=lambda columns: -count % columns)
    down = -(-count // across)
    figure.set_size_inches(1.6 + 2.6 * across, 0.9 + 2.5 * down)
    panels = list(figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).flat)
    for panel in panels[:count]:
        panel.grid(color=LIGHT, linewidth=0.6)
        panel.tick_params(labelbottom=True)
    for panel in panels[count:]:
        panel.set_axis_off()
    return panels[:count]


def signed(figure: Figure, signature: str) -> None:
    """The signature, small, in the upper right corner: room is kept for it there, so nothing overlaps it."""
    figure.suptitle(signature, x=0.99, ha="right", fontsize=5, color=GREY)
