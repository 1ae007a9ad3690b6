"""``corefscope diff``: the text with brackets that show where key and response differ."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from ..analysis.errors.text_diff import marked_documents
from ..core.errors import Warnings
from ..core.request import Request
from ..formats.target import Target
from ..output.columns import terminal_width
from ..output.results import diff
from . import arguments
from .terminal import colourful, warn

DESCRIPTION = """\
Print documents with coloured brackets around mentions: correct, misplaced,
missing and extra ones."""
EXAMPLES = """\
examples:
  corefscope diff key.conllu response.conllu --document GUM_academic_art
  corefscope diff key.conllu response.conllu --only-errors | less -R
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "response", "--document", *arguments.REQUEST, "--color")
    parser.add_argument("--only-errors", action="store_true", help="show only sentences with errors")
    arguments.add(parser, "--output", help="write the text to this file")
    arguments.add(parser, "--quiet", help="no legend or warnings")


def run(parsed: argparse.Namespace) -> int:
    """Read both files and print the documents one after the other."""
    request = Request(arguments.request_arguments(parsed))
    warnings = Warnings()
    to_file = bool(parsed.output) and parsed.output != "-"
    width, colour = terminal_width(), colourful(sys.stdout, "never" if to_file else parsed.color)
    legend = "" if parsed.quiet else diff.legend(colour, min(width, 80)) + "\n"
    which = {"document": parsed.document, "only_errors": parsed.only_errors}
    with Target(parsed.output) if to_file else nullcontext(sys.stdout) as target:
        for document in marked_documents(parsed.key, parsed.response, request, warnings, **which):
            target.write(legend + diff.text(document, width, colour) + "\n")
            legend = ""
    warn(warnings, parsed.quiet)
    return 0
