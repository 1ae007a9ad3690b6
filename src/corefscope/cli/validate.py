"""``corefscope validate``: all problems of files at once."""

from __future__ import annotations

import argparse

from .files import add_file_format, add_files, natural
from .output import add_output, chosen_format, destination

DESCRIPTION = (
    "Find all problems of files at once: what cannot be read or is lost (errors), and what is odd (warnings)."
    " Each has a line, a code and a hint. Exit code 1 if there is an error."
)
EXAMPLES = """\
examples:
  corefscope validate response.conllu
  corefscope validate key.conllu response.conllu --strict
  corefscope validate keys/*.conllu -o problems.json
  corefscope validate response.txt --file-format conll --limit 20
"""
OUTPUTS = {"text": "grouped by file and code, for people", "json": "everything, for programs"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    add_file_format(parser)
    add_output(parser, OUTPUTS)
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument(
        "--limit", type=natural, default=5, metavar="N", help="show N places of each code in text (default 5)"
    )


def run(options: argparse.Namespace) -> int:
    """Validate one file after the other, and print what was found."""
    from ..show.columns import folded, terminal_width
    from ..show.results.problems import render_json, render_text, render_total
    from ..write.validate import Inspection, inspect

    as_text, strict = chosen_format(options) == "text", options.strict
    width = terminal_width()
    inspections: list[Inspection] = []
    with destination(options) as (put, colour):
        for path in options.files:
            found = inspect(path, options.file_format, keep=options.limit if as_text else None)
            if as_text:
                separator = "\n" if inspections else ""
                put(separator + folded(render_text(found, strict=strict, colour=colour), width))
            inspections.append(found)
        put(render_total(inspections, strict=strict) if as_text else render_json(inspections, strict=strict))
    return 1 if any(found.count("error", strict) for found in inspections) else 0
