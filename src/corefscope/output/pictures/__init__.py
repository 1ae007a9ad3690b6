"""Pictures, drawn by matplotlib: SVG, PNG or PDF by the suffix of the file; on a dark ground if it ends in .dark.svg.

Every picture has a row in PICTURED: the function of :mod:`.drawings` that draws results of a class.
"""

from __future__ import annotations

import os
from io import BytesIO
from typing import Any

from ...core.errors import CorefscopeError, OptionError
from ...formats.target import Target
from ..formats import PICTURES
from .panels import DARK, LIGHT, Theme

PICTURED: dict[str, str] = {
    "Report": "draw_plane",
    "SettingsReport": "draw_plane",
    "Comparison": "draw_plane",
    "Curves": "draw_curves",
    "Correlation": "draw_correlation",
    "StatisticsReport": "draw_profiles",
}
"""The class of a result, and the function that draws it."""
STYLE: Any = {"svg.hashsalt": "corefscope", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 9}
STYLE["text.parse_math"] = False  # names of files and systems may have dollar signs
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")


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
    """Draw a result; the file is replaced as a whole."""
    check_picture(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from . import drawings  # it imports all results that can be drawn

    draw_result = getattr(drawings, PICTURED[type(result).__name__])
    suffix = os.path.splitext(path)[1].lower()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    picture = BytesIO()
    theme = theme_of(path)
    ground = {"figure.facecolor": theme.ground, "axes.facecolor": theme.ground, "savefig.facecolor": theme.ground}
    with rc_context(STYLE | ground | dict.fromkeys(INKED, theme.ink)):
        figure = Figure(layout="constrained")
        draw_result(result, figure, theme)
        figure.savefig(picture, format=suffix[1:], dpi=150, metadata=undated)
    with Target(os.fspath(path)) as target:
        target.write(picture.getvalue())
