"""``corefscope explain-difference``: why two scores of the same files differ."""

from __future__ import annotations

import argparse
import sys

from ..base.errors import OptionError
from . import arguments
from .terminal import Progress

DESCRIPTION = (
    "Given one or two scores of the same files, search all rules, matchings, ways with singletons, zeros and"
    " duplicates, and averages, and say which settings produce each; of one score, how it differs from ours."
)
EXAMPLES = """\
examples:
  corefscope explain-difference 44.44 38.89 key.conllu response.conllu
      two people report different scores for the same files
  corefscope explain-difference 68.42 key.conllu response.conllu
      a paper reports 68.42: how does that differ from the default settings?
  corefscope explain-difference 44.4 38.9 key.conll response.conll --metrics conll,lea
"""
SHOWN = 5
LONGEST = 10  # digits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "values",
        metavar="A [B] KEY RESPONSE",
        nargs="+",
        help="one or two scores as they were printed, then the files",
    )
    arguments.add_formats(parser)
    arguments.add_metrics(parser)
    parser.add_argument(
        "--limit", type=_limit, default=SHOWN, metavar="N", help="settings to show for each (%(default)s)"
    )
    arguments.add_choice(parser, "format", {"text": "for people", "json": "all settings that fit"}, "text")


def run(options: argparse.Namespace) -> int:
    """Search, and say what was found."""
    import json

    from ..show.results.explanation import text
    from ..study.difference import explain_difference

    *figures, key, response = options.values if len(options.values) > 2 else ["", "", ""]
    if not key:
        raise OptionError("give one or two scores, then the key and the response")
    with Progress() as progress:
        found = explain_difference(
            figures,
            key,
            response,
            progress=progress,
            metrics=options.metrics,
            key_format=options.key_format,
            response_format=options.response_format,
        )
    if options.format == "json":
        sys.stdout.write(json.dumps(found.to_dict(), indent=1) + "\n")
    else:
        sys.stdout.write(text(found, options.limit))
    return 0


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of settings: give 1 or more")
    return int(text)
