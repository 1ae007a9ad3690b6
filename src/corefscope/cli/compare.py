"""``corefscope compare``: several responses against one key."""

from __future__ import annotations

import argparse
import os

from . import arguments
from .files import natural
from .output import add_output, add_per_document, chosen_format, write
from .terminal import Progress, warn

DESCRIPTION = (
    "Score several responses against one key: systems as rows, metrics as columns, the best in bold, each score with"
    " an interval, and the differences from the first (or --against) with intervals and p-values."
)
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
    from ..study.resampling import DEFAULT, TESTS

    arguments.add_key(parser)
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the response of each system, likewise")
    parser.add_argument("--names", metavar="NAMES", help="what to call the systems, separated by commas")
    parser.add_argument("--against", metavar="NAME", help="the system to compare with, if not the first")
    arguments.add_request(parser)
    arguments.add_metrics(parser)
    arguments.add_baseline(parser, also="; the name of a system means --against")
    parser.add_argument(
        "--resample",
        type=_unit,
        metavar=UNITS,
        help="what is drawn with replacement (default documents; parts of documents only for sums over mentions)",
    )
    parser.add_argument("--resamples", type=natural, metavar="N", help=f"how many (default {DEFAULT.resamples})")
    parser.add_argument("--seed", type=natural, metavar="N", help=f"of the draws (default {DEFAULT.seed})")
    parser.add_argument("--level", type=float, metavar="X", help=f"of the intervals (default {DEFAULT.level})")
    titles = {name: test.summary for name, test in TESTS.items()}
    arguments.add_choice(parser, "test", titles, None, f"default {DEFAULT.test}")
    add_per_document(parser)
    add_output(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Score all responses, resample, print the tables."""
    from ..show.results import comparison  # noqa: F401  (knows how to lay it out)
    from ..study.compare import compare

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for products this small, threads cost more than they gain
    request = arguments.request_arguments(options, PLAN)
    request["digests"] = chosen_format(options) == "json"
    plan = {name: value for name in PLAN if (value := getattr(options, name)) is not None}
    with Progress(options.quiet) as progress:
        result = compare(
            options.key,
            options.responses,
            names=options.names,
            against=options.against,
            progress=progress,
            **plan,
            **request,
        )
    warn(options, result.warnings)
    write(result, options)
    return 0


def _unit(text: str) -> str:
    """What can be drawn."""
    from ..base.errors import OptionError
    from ..evaluate.blocks import block_size

    if text not in ("documents", "nothing"):
        try:
            block_size(text)
        except OptionError:
            choices = UNITS.replace("|", ", ")
            raise argparse.ArgumentTypeError(f"unknown unit {text!r}; choose from: {choices}") from None
    return text
