"""``corefscope explain``: how a score is calculated on one document."""

from __future__ import annotations

import argparse

from ..analysis.explain import explain_metric
from . import arguments
from .output import call_with_progress, write

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
    """The arguments of the command."""
    parser.add_argument("metric", metavar="METRIC", help="the metric; 'corefscope metrics' lists them")
    arguments.add(parser, "key", "response")
    arguments.add(parser, "--document", help="the document (default: the only one, or the sums of all)")
    parser.add_argument("--all", action="store_true", help="show every line, however many there are")
    arguments.add(parser, *arguments.REQUEST, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Explain, and print the calculation."""
    request = arguments.request_arguments(parsed)
    inputs = parsed.key, parsed.response, parsed.metric.strip().lower()
    explanation = call_with_progress(parsed, explain_metric, *inputs, document=parsed.document, **request)
    return write(explanation._replace(limit=None) if parsed.all else explanation, parsed)
