"""``corefscope explain``: how a score is calculated; ``explain-difference``: why two scores of some files differ."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from ..analysis.explain import explain_metric
from ..comparison.difference import explain_difference
from ..core.errors import OptionError
from ..core.metrics import METRICS, checked_metric, metric_name
from . import arguments
from .output import call_with_progress, chosen_format, write
from .parser import EXAMPLE, CommandParts, Parser
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

NO_FILES = "\n  hint: no files at hand? corefscope explain {} --example"


def add_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s METRIC KEY RESPONSE [options]"  # argparse would repeat all of them
    inputs = "a metric ('corefscope metrics' lists them), the key and the response; the metric may also come last"
    parser.add_argument("inputs", metavar="METRIC KEY RESPONSE", nargs="*", help=inputs)
    arguments.add_example(parser)
    arguments.add(parser, "--document", help="the document (default: the only one, or the sums of all)")
    parser.add_argument("--all", action="store_true", help="show every line, however many there are")
    arguments.add(parser, *arguments.REQUEST, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    if "alpha" in parsed.inputs and not os.path.exists("alpha"):
        raise OptionError(
            "alpha has no terms of a key and a response: it is of annotators; agree prints observed and expected"
            " disagreement (docs/agreement.md works an example)"
        )
    metric, parsed.key, parsed.response = _metric_and_files(parsed.inputs)
    request = arguments.request_arguments(parsed)
    inputs = parsed.key, parsed.response, metric
    explanation = call_with_progress(parsed, explain_metric, *inputs, document=parsed.document, **request)
    return write(explanation._replace(limit=None) if parsed.all else explanation, parsed)


def _metric_and_files(inputs: list[str]) -> tuple[str, str, str]:
    """The metric, the key and the response, of which the metric may be anywhere."""
    metrics = [word for word in inputs if metric_name(word) in METRICS and not os.path.exists(word)]
    files = [word for word in inputs if word not in metrics[:1]]
    if not metrics and len(inputs) > 2:  # mistyped: the word that is no file, else the first
        metrics = [word for word in inputs if not os.path.exists(word)][:1] or inputs[:1]
        files.remove(metrics[0])
        checked_metric(metrics[0])
    missing = [*([] if metrics else ["METRIC"]), *("KEY", "RESPONSE")[len(files) :]]
    if missing:
        is_example = files == [*arguments.example_files("key", "response")]
        named = [EXAMPLE] if is_example else files[:2]
        call = " ".join([*(metrics or ["METRIC"]), *named, *("KEY", "RESPONSE")[len(files) :]])
        is_are = "is" if len(missing) == 1 else "are"
        hint = "" if files else NO_FILES.format(*metrics or ["muc"])
        raise OptionError(f"{', '.join(missing)} {is_are} missing: corefscope explain {call}{hint}")
    if len(files) > 2:
        raise OptionError(f"too many arguments: {' '.join(files[2:])} (one metric, one key, one response)")
    return metric_name(metrics[0]), files[0], files[1]


def _add_difference_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s A [B] KEY RESPONSE [options]"
    values = "one or two scores as printed, then the files"
    parser.add_argument("values", metavar="A [B] KEY RESPONSE", nargs="+", help=values)
    arguments.add_example(parser)
    arguments.add(parser, "--heads", "--key-format", "--response-format", *arguments.COLUMN_OPTIONS)
    arguments.add(parser, "--words", "--align", "--max-unpacked", "--metrics")
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
