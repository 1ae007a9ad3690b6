"""``corefscope probe``: GAP, and accuracy over annotated pronouns in pairs of conditions."""

from __future__ import annotations

import argparse

from ..comparison.gap import NAME_MATCHES
from ..comparison.probe import probe
from ..comparison.resampling import Plan
from ..core.errors import OptionError
from . import arguments
from .compare import add_plan
from .output import call_with_progress, write
from .parser import Parser

DESCRIPTION = """\
Probe how pronouns are resolved. For GAP: counts of decisions as the official
program has them, F1 by gender, and the bias ratio. For any other key: the
accuracy over annotated pronouns; for several conditions the difference from the
first, with a paired interval and test."""
EXAMPLES = """\
examples:
  corefscope probe gap-test.tsv decisions.tsv
      decisions are lines of ID, TRUE or FALSE for A, and for B, with tabs
  corefscope probe gap-test.tsv response.jsonl --gap overlap
      any clustering of the texts
  corefscope probe pro.conll pro-out.conll anti.conll anti-out.conll
      pairs of conditions, as in WinoBias
  corefscope probe key.jsonl response.jsonl --condition '^(he|she|they|xe)'
      conditions in the ids of documents
"""


def add_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s KEY RESPONSE [KEY RESPONSE …] [options]"
    parser.add_argument(
        "files", metavar="KEY RESPONSE", nargs="+", help=f"key and response of each condition: {arguments.PATHS}"
    )
    arguments.add_example(parser)
    arguments.add(parser, "--names", help="names of the conditions, separated by commas")
    parser.add_argument(
        "--condition",
        metavar="REGEX",
        help="regular expression that finds the condition in a document id: its first group, or its match; documents"
        " of the same id without it are a pair (default: each key is a condition)",
    )
    parser.add_argument(
        "--pronouns",
        metavar="WORDS",
        help="words that are pronouns, separated by commas (default: those of English, and by UPOS)",
    )
    parser.add_argument(
        "--gap", values=NAME_MATCHES, help="GAP: which mentions of a clustering are a name (default exact)"
    )
    further = ("--key-format", "--response-format", "--words", "--align", *arguments.READING, "--max-unpacked")
    arguments.add(parser, "--match", *further)
    arguments.add(parser, "--per-document", help="also show every decision, or every pair")
    add_plan(parser)
    arguments.add(parser, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    own = {name: getattr(parsed, name) for name in ("names", "condition", "pronouns", "gap", *Plan._fields)}
    request = arguments.request_arguments(parsed)
    if len(parsed.files) < 2:
        raise OptionError("the following arguments are required: RESPONSE")
    return write(call_with_progress(parsed, probe, *parsed.files, **own, **request), parsed)
