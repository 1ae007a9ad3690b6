"""``corefscope explain-difference``: why two scores of the same files differ."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..comparison.difference import explain_difference
from ..core.errors import OptionError
from . import arguments
from .output import chosen_format, write
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Find the settings that produce one or two given scores of the same files, among
all rules, matchings, averages and treatments of singletons, zeros and
duplicates. One score is compared with that of the default settings."""
EXAMPLES = """\
examples:
  corefscope explain-difference 44.44 38.89 key.conllu response.conllu
      two people report different scores for the same files
  corefscope explain-difference 68.42 key.conllu response.conllu
      a paper reports 68.42: how does that differ from the default settings?
  corefscope explain-difference 44.4 38.9 key.conll response.conll --metrics conll,lea
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.usage = "%(prog)s [options] A [B] KEY RESPONSE"  # argparse would repeat all of them
    values = "one or two scores as printed, then the files"
    parser.add_argument("values", metavar="A [B] KEY RESPONSE", nargs="+", help=values)
    arguments.add(
        parser, "--heads", "--key-format", "--response-format", "--words", "--align", "--max-unpacked", "--metrics"
    )
    limit = "settings to show for each score (default 5)"
    parser.add_argument("--limit", type=_parse_limit, default=5, metavar="N", help=limit)
    arguments.add(parser, *arguments.OUTPUT)


def run(parsed: argparse.Namespace) -> int:
    """Search, and print the settings."""
    if len(parsed.values) < 3:
        raise OptionError("give one or two scores, then the key and the response")
    *figures, key, response = parsed.values
    chosen_format(parsed)
    request = arguments.request_arguments(parsed)
    with ProgressBar() as progress:
        explanation = explain_difference(figures, key, response, progress=progress, **request)
    warn(explanation.warnings)
    return write(replace(explanation, limit=parsed.limit), parsed)


def _parse_limit(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of settings: give 1 or more")
    return int(text)
