"""Where results go: standard output, or a file whose name says the format, or a picture."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..base.errors import OptionError
from ..base.naming import packed_suffix
from ..show.formats import REPORTS
from . import arguments
from .terminal import colourful

PICTURES = (".svg", ".png", ".pdf")


def add_output(parser: argparse.ArgumentParser, titles: Mapping[str, str] | None = None, picture: str = "") -> None:
    """--format and -o; ``titles`` names the formats if not all reports can be had, ``picture`` what can be drawn."""
    titles = titles or {name: row.title for name, row in REPORTS.items()}
    arguments.add_choice(parser, "format", titles, None, "default text, or what FILE ends like")
    suffixes = ", ".join(REPORTS[name].suffix for name in titles)
    drawn = f"; {', '.join(PICTURES)}: {picture}, besides the tables (needs matplotlib)" if picture else ""
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        help=f"write to a file instead; its end says the format ({suffixes}), unless --format does{drawn}",
    )
    parser.set_defaults(formats=tuple(titles), pictures=bool(picture))


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
    suffixes: dict[str, str] = {REPORTS[name].suffix: name for name in options.formats}
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
    """Render a result in one of REPORTS and put it where it belongs."""
    render = REPORTS[chosen_format(options)].render
    per_document = getattr(options, "per_document", False)
    with destination(options) as (put, colour):
        put(render(result, per_document, colour))


def deliver(
    options: argparse.Namespace, render: Callable[[str, int], str], draw: Callable[[str], None] | None = None
) -> None:
    """Put what ``render`` makes of a format and a width where it belongs; draw, if a picture is wanted."""
    from ..show.columns import terminal_width

    format_ = chosen_format(options)
    if draw and wants_picture(options):
        draw(options.output)
    with destination(options) as (put, _):
        put(render(format_, terminal_width()))


@contextmanager
def destination(options: argparse.Namespace) -> Iterator[tuple[Callable[[str], Any], bool]]:
    """What takes text, and whether it likes colours; a file is written as a whole or not at all."""
    if not options.output or options.output == "-" or wants_picture(options):
        yield sys.stdout.write, colourful(sys.stdout)
        return
    from ..write.target import Target

    with Target(options.output) as target:
        yield target.write, False


def _ending(path: str, packed: bool = True) -> str:
    """The suffix that says the format; that of a compressed file stands behind it."""
    return os.path.splitext(path.removesuffix(packed_suffix(path)) if packed else path)[1].lower()
