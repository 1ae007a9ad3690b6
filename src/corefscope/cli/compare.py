"""``corefscope compare``: several responses against one key."""

from __future__ import annotations

import argparse

from . import arguments
from .arguments import natural
from .output import add_output_or_picture, chosen_format, in_tables, made, write

DESCRIPTION = """\
Score several responses against one key: systems as rows, metrics as columns, the best in bold, each score
with an interval, and the differences from the first (or --against) with intervals and p-values."""
EXAMPLES = """\
examples:
  corefscope compare key.conllu ours.conllu theirs.conllu
  corefscope compare key.conllu a.conllu b.conllu --names ours,theirs --metrics lea
  corefscope compare key.conllu ours.conllu theirs.conllu -o table.tex
  corefscope compare novel.conllu a.conllu b.conllu --metrics bcub --resample blocks:20
      one document: only metrics that are sums over mentions can be resampled
docs/significance.md says what intervals and p-values mean, and what not.
"""
UNITS = "documents|sentences|blocks:N|nothing"
PLAN = ("resample", "resamples", "seed", "level", "test")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..comparison.paired_tests import TESTS
    from ..comparison.resampling import DEFAULT

    arguments.add(parser, "key", "responses", "--names")
    against = "the system to compare with, if not the first"
    arguments.add_own(parser, "--against", "the system to compare with", metavar="NAME", help=against)
    arguments.add(parser, *arguments.REQUEST, "--metrics")
    baselines = arguments.SHARED["--baseline"]["help"]
    arguments.add(parser, "--baseline", help=f"{baselines}; the name of a system means --against")
    arguments.add_own(
        parser,
        "--resample",
        UNITS.replace("|", ", "),
        type=_unit,
        metavar=UNITS,
        help="what is drawn with replacement (default documents; parts of documents only for sums over mentions;"
        " nothing: no intervals and no tests)",
    )
    parser.add_argument(
        "--resamples", type=natural, metavar="N", help=f"number of resamples (default {DEFAULT.resamples})"
    )
    parser.add_argument("--seed", type=natural, metavar="N", help=f"seed of the draws (default {DEFAULT.seed})")
    parser.add_argument("--level", type=float, metavar="X", help=f"level of the intervals (default {DEFAULT.level})")
    titles = {name: test.summary for name, test in TESTS.items()}
    arguments.add_own(parser, "--test", "", **arguments.choice("test", titles, after=f" (default {DEFAULT.test})"))
    arguments.add(parser, "--per-document")
    add_output_or_picture(parser, "recall against precision")
    arguments.add(parser, "--jobs", "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Score all responses, resample, print the tables."""
    from ..comparison.systems import compare

    # Who resamples nothing takes nothing of the plan of a signature.
    left_open = [name for name in PLAN if parsed.resample == "nothing" and getattr(parsed, name) is None]
    request = arguments.request_arguments(parsed, PLAN)
    request["digests"] = chosen_format(parsed) == "json"
    own = {name: value for name in (*PLAN, "names", "against") if (value := getattr(parsed, name)) is not None}
    for name in left_open:
        own.pop(name, None)
    comparison = made(parsed, compare, parsed.key, parsed.responses, jobs=parsed.jobs, **own, **request)
    return write(in_tables(comparison, parsed), parsed)


def _unit(text: str) -> str:
    """What can be drawn."""
    from ..comparison.blocks import block_size
    from ..core.errors import OptionError

    if text not in ("documents", "nothing"):
        try:
            block_size(text)
        except OptionError:
            choices = UNITS.replace("|", ", ")
            raise argparse.ArgumentTypeError(f"unknown unit {text!r}; choose from: {choices}") from None
    return text
