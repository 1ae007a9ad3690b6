"""``corefscope explain``: how a score comes about on one document."""

from __future__ import annotations

import argparse

from . import arguments
from .output import made, write

DESCRIPTION = """\
Work a metric out by hand on one document: every term of its sums, what it is about, and what they add up to, in
fractions and decimals. For why two scores of the same files differ, see explain-difference."""
EXAMPLES = """\
examples:
  corefscope explain muc key.conllu response.conllu --document GUM_academic_art
  corefscope explain ceafe key.conllu response.conllu --document GUM_academic_art --all
  corefscope explain conll key.conllu response.conllu
      of several documents: the counts of each
  corefscope explain b3_sys key.json response.json --rules corrected --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("metric", metavar="METRIC", help="the metric; 'corefscope metrics' lists them")
    arguments.add(parser, "key", "response")
    parser.add_argument(
        "--document",
        metavar="ID",
        help="the document (without it, that of a file that has one; else the sums of all)",
    )
    parser.add_argument("--all", action="store_true", help="every line, however many there are")
    arguments.add(parser, *arguments.REQUEST, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Explain, and print the calculation."""
    from ..analysis.explain import explain_metric

    request = arguments.request_arguments(parsed)
    inputs = parsed.key, parsed.response, parsed.metric.strip().lower()
    explanation = made(parsed, explain_metric, *inputs, document=parsed.document, **request)
    return write(explanation._replace(limit=None) if parsed.all else explanation, parsed)
