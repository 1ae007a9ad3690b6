"""``corefscope report``: one HTML page with scores, lost points, slices, and every document with its errors."""

from __future__ import annotations

import argparse
import sys

from ..show.text import shown
from . import arguments
from .terminal import Progress, warn

DESCRIPTION = (
    "Write a page that shows where the points went: scores with intervals, what each class of errors costs, the"
    " weakest parts of the data, and every document with its chains and errors. The page is one file that needs no"
    " other."
)
EXAMPLES = """\
examples:
  corefscope report key.conllu response.conllu -o report.html
  corefscope report key.conllu ours.conllu theirs.conllu --names ours,theirs
  corefscope report key.conll response.jsonl --preset conll12 --title 'Our dev set'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_key(parser)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="+", help="a response, likewise; several are compared in the same page"
    )
    parser.add_argument(
        "--output", "-o", default="report.html", metavar="FILE", help="where to write the page (default report.html)"
    )
    parser.add_argument("--names", metavar="LIST", help="what to call the responses, separated by commas")
    parser.add_argument("--title", metavar="TEXT", help="what to call the page (default: the name of the key file)")
    arguments.add_request(parser)
    arguments.add_metrics(parser)
    arguments.add_baseline(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Write the page, say what is odd, print where the page is."""
    from ..show.page import write_report

    with Progress(options.quiet) as progress:
        warnings = write_report(
            options.key,
            options.responses,
            options.output,
            names=options.names,
            title=options.title,
            progress=progress,
            **arguments.request_arguments(options),
        )
    warn(options, warnings)
    sys.stdout.write(f"{shown(options.output)}\n")
    return 0
