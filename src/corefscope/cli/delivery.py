"""Where tables and pictures go: standard output, or a file whose name says what it is to be."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping

from ..errors import OptionError
from . import arguments

SUFFIXES = {".txt": "text", ".json": "json", ".csv": "csv"}


def add_output(parser: argparse.ArgumentParser, titles: Mapping[str, str], picture: str = "") -> None:
    """--format and -o; ``picture`` says what can be drawn."""
    arguments.add_choice(parser, "format", titles, "text")
    drawn = f"; .svg, .png, .pdf: {picture}, besides the tables (needs matplotlib)" if picture else ""
    parser.add_argument(
        "--output", "-o", metavar="FILE", help=f"write to a file instead; .txt, .json, .csv say the format{drawn}"
    )


def check_output(options: argparse.Namespace, pictures: bool = False) -> None:
    """Complain before the work about a file that could not be written after it."""
    if not options.output or _suffix(options) in SUFFIXES:
        return
    if not pictures:
        raise OptionError(f"the name {options.output!r} does not say the format: end it in {', '.join(SUFFIXES)}")
    from ..reports.plots import check_picture

    check_picture(options.output)


def deliver(
    options: argparse.Namespace, render: Callable[[str, int], str], draw: Callable[[str], None] | None = None
) -> None:
    """Print or write what ``render`` makes of a format and a width; draw, if a picture is wanted."""
    from shutil import get_terminal_size

    width = get_terminal_size((100, 24)).columns
    format_ = SUFFIXES.get(_suffix(options))
    if format_:
        from ..writers.target import Target

        with Target(options.output) as target:
            target.write(render(format_, width))
        return
    if options.output and draw:
        draw(options.output)
    sys.stdout.write(render(options.format, width))


def _suffix(options: argparse.Namespace) -> str:
    return os.path.splitext(options.output or "")[1].lower()
