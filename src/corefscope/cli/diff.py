"""``corefscope diff``: the text with brackets that show where key and response differ."""

from __future__ import annotations

import argparse
import sys

from ..base.errors import InputError, no_such_document
from . import arguments
from .terminal import colourful, warn

DESCRIPTION = "Print documents with coloured brackets around mentions: what is right, misplaced, missing and extra."
EXAMPLES = """\
examples:
  corefscope diff key.conllu response.conllu --document GUM_academic_art
  corefscope diff key.conllu response.conllu --only-errors | less -R
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_key(parser)
    parser.add_argument("response", metavar="RESPONSE", help="the response, likewise")
    parser.add_argument("--document", metavar="ID", help="one document (default: all)")
    parser.add_argument("--only-errors", action="store_true", help="only sentences in which something is wrong")
    parser.add_argument("--color", action="store_true", help="colours in a pipe, too")
    arguments.add_request(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no legend and warnings")


def run(options: argparse.Namespace) -> int:
    """Read both files and print the documents one after the other."""
    from ..base.errors import Warnings
    from ..evaluate.prepare import align
    from ..evaluate.request import Request
    from ..show.columns import terminal_width
    from ..show.results import diff

    request = Request(arguments.request_arguments(options))
    request.refuse(baseline="nothing is scored")
    scoring = request.options
    corpus = request.corpus(options.key, options.response, warnings := Warnings())
    width = terminal_width()
    colour = options.color or colourful(sys.stdout)
    ids: list[str] = []
    found = False
    try:
        for key, response in request.pairs(corpus):
            ids.append(key.id)
            if options.document not in (None, key.id):
                continue
            if not key.sentences:
                raise InputError("has no words to show", path=options.key, hint="take a format with words")
            text = diff.document(
                key,
                response,
                align(key, response, scoring, warnings),
                smallest=2 if scoring.singletons == "drop" else 1,
                only_errors=options.only_errors,
                width=width,
                colour=colour,
            )
            if not (found or options.quiet):
                sys.stdout.write(diff.legend(colour, min(width, 80)) + "\n")
            found = True
            sys.stdout.write(text + "\n")
    finally:
        corpus.close()
    if not found:
        raise no_such_document(options.document, ids, options.key)
    warn(options, warnings)
    return 0
