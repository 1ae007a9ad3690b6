"""Where results go: standard output, or a file whose name says the format."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from ..errors import OptionError
from ..reports import REPORTS
from . import arguments
from .terminal import colourful


def add_output(parser: argparse.ArgumentParser, per_document: bool = True) -> None:
    """--format, -o and --per-document"""
    if per_document:
        parser.add_argument("--per-document", action="store_true", help="show every document as well")
    titles = {name: row.title for name, row in REPORTS.items()}
    arguments.add_choice(parser, "format", titles, None, "default text, or what FILE ends like")
    suffixes = ", ".join(row.suffix for row in REPORTS.values())
    parser.add_argument(
        "--output", "-o", metavar="FILE", help=f"write to a file instead; its end says the format ({suffixes})"
    )


def chosen_format(options: argparse.Namespace) -> str:
    """The format that is named, or else the one that the name of the file ends like, or else text."""
    if options.format or not options.output:
        return options.format or "text"
    ending = os.path.splitext(options.output)[1].lower()
    for name, row in REPORTS.items():
        if ending == row.suffix:
            return name
    raise OptionError(f"the name {options.output!r} does not say the format: give --format, or one of the suffixes")


def write(result: Any, options: argparse.Namespace) -> None:
    """Render a result and put it where it belongs; a file is written as a whole or not at all."""
    render = REPORTS[chosen_format(options)].render
    per_document = getattr(options, "per_document", False)
    if not options.output or options.output == "-":
        sys.stdout.write(render(result, per_document, colourful(sys.stdout)))
        return
    from ..writers.target import Target

    with Target(options.output) as target:
        target.write(render(result, per_document, False))
