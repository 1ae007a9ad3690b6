"""``corefscope report``: one HTML page with scores, lost points, slices, and every document with its errors."""

from __future__ import annotations

import argparse
import sys

from ..output.pages.report import write_report
from ..output.text import shown
from . import arguments
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Write a page that shows where points are lost: scores with intervals, the cost
of each class of errors, the weakest parts of the data, and every document with
its chains and errors. The page is a single file."""
EXAMPLES = """\
examples:
  corefscope report key.conllu response.conllu -o report.html
  corefscope report key.conllu ours.conllu theirs.conllu --names ours,theirs
  corefscope report key.conll response.jsonl --preset conll12 --title 'Our dev set'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "responses", "--title", "--names", *arguments.REQUEST, "--metrics", "--quiet")
    arguments.add(parser, "--output", default="report.html", help="output file (default report.html)")
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)


def run(parsed: argparse.Namespace) -> int:
    """Write the page and print its path."""
    request = arguments.request_arguments(parsed)
    own = {"names": parsed.names, "title": parsed.title}
    with ProgressBar(parsed.quiet) as progress:
        warnings = write_report(parsed.key, parsed.responses, parsed.output, progress=progress, **own, **request)
    warn(warnings, parsed.quiet)
    sys.stdout.write(f"{shown(parsed.output)}\n")
    return 0
