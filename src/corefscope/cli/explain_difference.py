"""``corefscope explain-difference``: why two scores of the same files differ."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..core.errors import OptionError
from . import arguments
from .output import chosen_format, write
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Given one or two scores of the same files, search all rules, matchings, ways with singletons, zeros and
duplicates, and averages, and say which settings produce each; of one score, how it differs from ours."""
EXAMPLES = """\
examples:
  corefscope explain-difference 44.44 38.89 key.conllu response.conllu
      two people report different scores for the same files
  corefscope explain-difference 68.42 key.conllu response.conllu
      a paper reports 68.42: how does that differ from the default settings?
  corefscope explain-difference 44.4 38.9 key.conll response.conll --metrics conll,lea
"""
LONGEST = 10  # digits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.usage = "%(prog)s [options] A [B] KEY RESPONSE"  # argparse would say that all of them may come again
    parser.add_argument(
        "values",
        metavar="A [B] KEY RESPONSE",
        nargs="+",
        help="one or two scores as they were printed, then the files",
    )
    arguments.add(parser, "--heads", "--key-format", "--response-format", "--words", "--metrics")
    parser.add_argument(
        "--limit", type=_limit, default=5, metavar="N", help="settings to show for each (%(default)s)"
    )
    arguments.add(parser, *arguments.OUTPUT)


def run(parsed: argparse.Namespace) -> int:
    """Search, and print the settings."""
    from ..comparison.difference import explain_difference

    if len(parsed.values) < 3:
        raise OptionError("give one or two scores, then the key and the response")
    *figures, key, response = parsed.values
    chosen_format(parsed)
    request = arguments.request_arguments(parsed)
    with ProgressBar() as progress:
        explanation = explain_difference(figures, key, response, progress=progress, **request)
    warn(explanation.warnings)
    return write(replace(explanation, limit=parsed.limit), parsed)


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of settings: give 1 or more")
    return int(text)
