"""Where results go: standard output, or a file whose name says the format, or a picture."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from ..base.errors import OptionError
from ..base.naming import packed_suffix
from ..show.formats import PICTURES, REPORTS
from . import arguments
from .terminal import colourful

PLAIN = str.maketrans("–█▏▎▍▌▋▊▉", "-########")
"""What stands for dashes and bars where they cannot be shown."""


def add_output(parser: argparse.ArgumentParser, picture: str = "") -> None:
    """--format and -o; ``picture`` says what can be drawn."""
    titles = {name: row.title for name, row in REPORTS.items()}
    arguments.add_choice(parser, "format", titles, None, "default text, or what FILE ends like")
    suffixes = ", ".join(row.suffix for row in REPORTS.values())
    drawn = f"; {', '.join(PICTURES)}: {picture}, besides the tables (needs matplotlib)" if picture else ""
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        help=f"write to a file instead; its end says the format ({suffixes}), unless --format does{drawn}",
    )
    parser.set_defaults(pictures=bool(picture))


def add_per_document(parser: argparse.ArgumentParser, said: str = "") -> None:
    """--per-document"""
    parser.add_argument("--per-document", action="store_true", help=f"show every document as well{said}")


def chosen_format(options: argparse.Namespace) -> str:
    """The format that is named, or else the one that the name of the file ends like, or else text.

    To be asked before the work, because it complains about a file that could not be written after it.
    """
    named: str | None = options.format
    drawn = wants_picture(options)
    if drawn:
        from ..show.formats.plots import check_picture

        check_picture(options.output)
    if named or drawn or not options.output or options.output == "-":
        return named or "text"
    ending = _ending(options.output)
    suffixes: dict[str, str] = {row.suffix: name for name, row in REPORTS.items()}
    if ending in suffixes:
        return suffixes[ending]
    known = [*suffixes, *(PICTURES if options.pictures else ())]
    raise OptionError(
        f"the name {options.output!r} does not say the format: give --format, or end it in {', '.join(known)}"
    )


def wants_picture(options: argparse.Namespace) -> bool:
    """Whether the name of the file is that of a picture, and one can be drawn."""
    return bool(options.pictures and options.output) and _ending(options.output, packed=False) in PICTURES


def write(result: Any, options: argparse.Namespace) -> None:
    """Render a result and put it where it belongs; draw it, if a picture is wanted.

    A file is written as a whole or not at all.
    """
    format_ = chosen_format(options)
    drawn = wants_picture(options)
    if drawn:
        from ..show.formats.plots import draw

        draw(result, options.output)
    to_terminal = drawn or not options.output or options.output == "-"
    colour = to_terminal and colourful(sys.stdout)
    text = REPORTS[format_].render(result, getattr(options, "per_document", False), colour)
    if to_terminal:
        sys.stdout.write(text if format_ != "text" or _shows_bars(sys.stdout) else text.translate(PLAIN))
        return
    from ..write.target import Target

    with Target(options.output) as target:
        target.write(text)


def _shows_bars(stream: Any) -> bool:
    try:
        "█–".encode(getattr(stream, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _ending(path: str, packed: bool = True) -> str:
    """The suffix that says the format; that of a compressed file stands behind it."""
    return os.path.splitext(path.removesuffix(packed_suffix(path)) if packed else path)[1].lower()
