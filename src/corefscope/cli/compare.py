"""``corefscope compare``: several responses against one key."""

from __future__ import annotations

import argparse
import os

from . import arguments
from .output import add_output, chosen_format, write
from .terminal import Progress, warn

DESCRIPTION = (
    "Score several responses against one key: systems as rows, metrics as columns, the best in bold, each score with"
    " an interval, and the differences from the first (or --baseline) with intervals and p-values."
)
EXAMPLES = """\
examples:
  corefscope compare key.conllu ours.conllu theirs.conllu
  corefscope compare key.conllu *.conllu --names ours,theirs,older --baseline theirs --metrics conll,lea
  corefscope compare key.conllu ours.conllu theirs.conllu --metrics conll -o table.tex
  corefscope compare novel.conllu ours.conllu theirs.conllu --metrics bcub --resample blocks:20
      one document: only metrics that are sums over mentions can be resampled
docs/significance.md says what intervals and p-values mean, and what they do not.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..resampling import DEFAULT, TESTS

    arguments.add_key(parser)
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the response of each system, likewise")
    parser.add_argument("--names", metavar="NAMES", help="what to call the systems, separated by commas")
    parser.add_argument("--baseline", metavar="NAME", help="the system to compare with, if not the first")
    arguments.add_scoring_options(parser, joined=False)
    arguments.add_metrics(parser)
    parser.add_argument(
        "--resample",
        default="documents",
        metavar="documents|sentences|blocks:N|nothing",
        help="what is drawn with replacement (default documents; parts of documents only for sums over mentions)",
    )
    parser.add_argument(
        "--resamples", type=int, default=DEFAULT.resamples, metavar="N", help="how many (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=DEFAULT.seed, metavar="N", help="of the draws (default %(default)s)"
    )
    parser.add_argument(
        "--level", type=float, default=DEFAULT.level, metavar="X", help="of the intervals (default %(default)s)"
    )
    arguments.add_choice(parser, "test", {name: test.summary for name, test in TESTS.items()}, DEFAULT.test)
    add_output(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Score all responses, resample, print the tables."""
    from ..compare import compare
    from ..reports import comparison  # noqa: F401  (knows how to lay it out)

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for products this small, threads cost more than they gain
    with Progress(options.quiet) as progress:
        result = compare(
            options.key,
            options.responses,
            names=options.names,
            baseline=options.baseline,
            resample=options.resample,
            resamples=options.resamples,
            seed=options.seed,
            level=options.level,
            test=options.test,
            **arguments.scoring_options(options, joined=False),
            metrics=options.metrics,
            digests=chosen_format(options) == "json",
            progress=progress,
        )
    warn(options, result.warnings)
    write(result, options)
    return 0
