"""``corefscope explain``: how a score is calculated; ``explain-difference``: why two scores of some files differ."""

from __future__ import annotations

import argparse
from dataclasses import replace

from ..analysis.explain import explain_metric
from ..comparison.difference import explain_difference
from ..core.errors import OptionError
from . import arguments
from .output import call_with_progress, chosen_format, write
from .parser import CommandParts, Parser
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Calculate a metric step by step on one document: every term of its sums, its
meaning, and the totals in fractions and decimals. To find out why two scores of
the same files differ, see explain-difference."""
EXAMPLES = """\
examples:
  corefscope explain muc key.conllu response.conllu --document GUM_academic_art
  corefscope explain ceafe key.conllu response.conllu --document GUM_academic_art --all
  corefscope explain conll key.conllu response.conllu
      several documents: the counts of each
  corefscope explain b3_sys key.json response.json --rules corrected --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="METRIC", help="the metric; 'corefscope metrics' lists them")
    arguments.add(parser, "key", "response")
    arguments.add(parser, "--document", help="the document (default: the only one, or the sums of all)")
    parser.add_argument("--all", action="store_true", help="show every line, however many there are")
    arguments.add(parser, *arguments.REQUEST, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    request = arguments.request_arguments(parsed)
    inputs = parsed.key, parsed.response, parsed.metric.strip().lower()
    explanation = call_with_progress(parsed, explain_metric, *inputs, document=parsed.document, **request)
    return write(explanation._replace(limit=None) if parsed.all else explanation, parsed)


def _add_difference_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s [options] A [B] KEY RESPONSE"  # argparse would repeat all of them
    values = "one or two scores as printed, then the files"
    parser.add_argument("values", metavar="A [B] KEY RESPONSE", nargs="+", help=values)
    arguments.add(
        parser, "--heads", "--key-format", "--response-format", "--words", "--align", "--max-unpacked", "--metrics"
    )
    limit = "settings to show for each score (default 5)"
    parser.add_argument("--limit", type=_parse_limit, default=5, metavar="N", help=limit)
    arguments.add(parser, *arguments.OUTPUT)


def _run_difference(parsed: argparse.Namespace) -> int:
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


DIFFERENCE = CommandParts(
    """\
Find the settings that produce one or two given scores of the same files, among
all rules, matchings, averages and treatments of singletons, zeros and
duplicates. One score is compared with that of the default settings.""",
    """\
examples:
  corefscope explain-difference 44.44 38.89 key.conllu response.conllu
      two people report different scores for the same files
  corefscope explain-difference 68.42 key.conllu response.conllu
      a paper reports 68.42: how does that differ from the default settings?
  corefscope explain-difference 44.4 38.9 key.conll response.conll --metrics conll,lea
""",
    _add_difference_arguments,
    _run_difference,
)
