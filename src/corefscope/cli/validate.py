"""``corefscope validate``: all problems of files at once."""

from __future__ import annotations

import argparse
import sys

from ..readers.catalogue import FORMATS
from . import arguments
from .terminal import colourful

DESCRIPTION = (
    "Find all problems of files at once: what cannot be read or is lost (errors), and what is odd (warnings)."
    " Each has a line, a code and a hint. Exit code 1 if there is an error."
)
EXAMPLES = """\
examples:
  corefscope validate response.conllu
  corefscope validate key.conllu response.conllu --strict
  corefscope validate keys/*.conllu --format json > problems.json
  corefscope validate response.txt --file-format conll --limit 20
"""
OUTPUTS = {"text": "grouped by file and code, for people", "json": "everything, for programs"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a file (.gz, .xz, .bz2 are read too; - is standard input)"
    )
    titles = {name: row.title for name, row in FORMATS.items()}
    parser.add_argument(
        "--file-format",
        type=arguments.one_of("format", titles),
        metavar="|".join(titles),
        help="the format of the files, if it is not to be recognised: "
        + "; ".join(f"{name}: {title}" for name, title in titles.items()).replace("%", "%%"),
    )
    arguments.add_choice(parser, "format", OUTPUTS, "text")
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument(
        "--limit", type=_number, default=5, metavar="N", help="show N places of each code in text (default 5)"
    )


def run(options: argparse.Namespace) -> int:
    """Validate one file after the other, and print what was found."""
    from ..validation import Inspection, inspect
    from ..validation.render import render_json, render_text, render_total

    as_text = options.format == "text"
    inspections: list[Inspection] = []
    for path in options.files:
        found = inspect(path, options.file_format, keep=options.limit if as_text else None)
        if as_text:
            separator = "\n" if inspections else ""
            sys.stdout.write(separator + render_text(found, strict=options.strict, colour=colourful(sys.stdout)))
        inspections.append(found)
    strict = options.strict
    sys.stdout.write(render_total(inspections, strict=strict) if as_text else render_json(inspections, strict=strict))
    return 1 if any(found.count("error", strict) for found in inspections) else 0


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)
