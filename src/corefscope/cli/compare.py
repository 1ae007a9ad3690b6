"""``corefscope compare``: several responses against one key."""

from __future__ import annotations

import argparse

from ..comparison.paired_tests import TESTS
from ..comparison.resampling import DEFAULT, block_size
from ..comparison.systems import compare
from ..core.errors import OptionError
from . import arguments
from .arguments import natural
from .output import add_output_or_picture, call_with_progress, chosen_format, for_display, write

DESCRIPTION = """\
Score several responses against one key: a table of systems and metrics with the
best in bold and an interval for each score, and the differences from the first
system (or --against) with intervals and p-values."""
EXAMPLES = """\
examples:
  corefscope compare key.conllu ours.conllu theirs.conllu
  corefscope compare key.conllu a.conllu b.conllu --names ours,theirs --metrics lea
  corefscope compare key.conllu ours.conllu theirs.conllu -o table.tex
  corefscope compare novel.conllu a.conllu b.conllu --metrics bcub --resample blocks:20
      one document: only metrics that are sums over mentions can be resampled
docs/significance.md explains intervals and p-values.
"""
UNITS = "documents|sentences|blocks:N|nothing"
PLAN = ("resample", "resamples", "seed", "level", "test")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "responses", "--names")
    parser.add_argument("--against", metavar="NAME", help="the system to compare with (default: the first)")
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--per-document", "--jobs", "--quiet")
    baselines = arguments.SHARED["--baseline"]["help"]
    arguments.add(parser, "--baseline", help=f"{baselines}; the name of a system means --against")
    parser.add_argument(
        "--resample",
        type=_parse_unit,
        metavar=UNITS,
        help="unit of resampling (default documents); parts of documents only for sums over mentions;"
        " nothing: no intervals, no tests",
    )
    parser.add_argument(
        "--resamples", type=natural, metavar="N", help=f"number of resamples (default {DEFAULT.resamples})"
    )
    parser.add_argument("--seed", type=natural, metavar="N", help=f"random seed (default {DEFAULT.seed})")
    parser.add_argument("--level", type=float, metavar="X", help=f"confidence level (default {DEFAULT.level})")
    tests = {name: test.summary for name, test in TESTS.items()}
    text = f"{arguments.explain_values(tests)} (default {DEFAULT.test})"
    parser.add_argument("--test", values=tests, help=text)
    add_output_or_picture(parser, "recall against precision")


def run(parsed: argparse.Namespace) -> int:
    """Score all responses, resample, print the tables."""
    # Without resampling, the plan of a signature does not apply.
    left_open = [name for name in PLAN if parsed.resample == "nothing" and getattr(parsed, name) is None]
    request = arguments.request_arguments(parsed, PLAN)
    request["digests"] = chosen_format(parsed) == "json"
    own = {name: value for name in (*PLAN, "names", "against") if (value := getattr(parsed, name)) is not None}
    for name in left_open:
        own.pop(name, None)
    inputs = parsed.key, parsed.responses
    comparison = call_with_progress(parsed, compare, *inputs, jobs=parsed.jobs, **own, **request)
    return write(comparison.of(for_display(comparison.reports, parsed)), parsed)


def _parse_unit(text: str) -> str:
    """A type for argparse: a unit of resampling."""
    if text not in ("documents", "nothing"):
        try:
            block_size(text)
        except OptionError:
            choices = UNITS.replace("|", ", ")
            raise argparse.ArgumentTypeError(f"unknown unit {text!r}; choose from: {choices}") from None
    return text
