"""``corefscope task``: a shared task, every system on every data set."""

from __future__ import annotations

import argparse
import os

from ..base.errors import OptionError
from . import arguments
from .files import natural
from .output import add_output, add_per_document, chosen_format, write
from .terminal import Progress, complain

DESCRIPTION = (
    "Score every system of a shared task on every data set, in parallel: the ranking metric by data set, macro"
    " averages over data sets, and ranks in which systems that do not differ significantly are tied. A faulty"
    " submission never loses the others, but makes the exit code 1."
)
EXAMPLES = """\
a directory has a subdirectory for each data set, and in it key.* (or gold.*) and
a file for each system:
  task/en_gum/key.conllu
  task/en_gum/ours.conllu
  task/en_gum/theirs.conllu
  task/cs_pdt/key.conllu
  …
a manifest (.toml, .yaml or .json; paths are seen from where it lies):
  preset = "crac25"                  # or match, zeros, singletons, rules, metrics
  missing = "zero"                   # or skip, or error
  [datasets]
  en_gum = "gold/en_gum-test.conllu"
  cs_pdt = "gold/cs_pdt-test.conllu"
  [systems]
  ours = "runs/ours/{dataset}-*.conllu"
  theirs = { en_gum = "theirs/gum.conllu", cs_pdt = "theirs/pdt.conllu" }
examples:
  corefscope task task/
  corefscope task task.toml --rank-by lea --jobs 8
  corefscope task task.toml -o results.tex
  corefscope task task.toml -o results.json --per-document
docs/shared-tasks.md says how averages and ranks are made.
"""
SHOWN = 10  # warnings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..count.metrics import METRICS
    from ..study.resampling import DEFAULT
    from ..study.tasks.task import MISSING

    parser.add_argument("task", metavar="MANIFEST|DIRECTORY", help="what to score; options replace what it says")
    arguments.add_request(parser)
    arguments.add_metrics(parser)
    arguments.add_baseline(parser)
    parser.add_argument(
        "--rank-by",
        type=arguments.one_of("metric", METRICS),
        metavar="METRIC",
        help="rank by the macro average of this metric (default conll, or the first that is scored)",
    )
    arguments.add_choice(parser, "missing", MISSING, None, "default zero")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (default: as many as there are processors)")
    parser.add_argument(
        "--no-significance", action="store_true", help="rank by the average alone, without testing differences"
    )
    parser.add_argument(
        "--resamples", type=natural, metavar="N", help=f"of the significance test (default {DEFAULT.resamples})"
    )
    parser.add_argument("--seed", type=natural, metavar="N", help=f"of its draws (default {DEFAULT.seed})")
    add_per_document(parser)
    add_output(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress; errors are said")


def run(options: argparse.Namespace) -> int:
    """Score everything, say what went wrong, print the tables."""
    from ..show.results import task  # noqa: F401  (knows how to lay it out)
    from ..study.resampling import DEFAULT
    from ..study.tasks import score_task
    from ..study.tasks.scoring import read_task
    from ..study.tasks.task import RANKING

    if options.no_significance and (options.resamples is not None or options.seed is not None):
        raise OptionError("--resamples and --seed are for the test that --no-significance leaves out")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for products this small, threads cost more than they gain
    fixed = {"average": "macro", "level": DEFAULT.level, "test": DEFAULT.test}
    if options.signature is not None:
        fixed["datasets"] = len(read_task(options.task).datasets)
    request = arguments.request_arguments(options, RANKING, fixed)
    request["digests"] = chosen_format(options) == "json"
    with Progress(options.quiet) as progress:
        result = score_task(
            options.task,
            jobs=options.jobs,
            significance=not options.no_significance,
            progress=progress,
            **{name: getattr(options, name) for name in RANKING},
            **request,
        )
    if not options.quiet:
        warnings = result.warnings
        for warning in warnings[:SHOWN]:
            complain("warning", warning)
        if len(warnings) > SHOWN:
            complain("warning", f"and {len(warnings) - SHOWN:,} more (--format json has all)")
    write(result, options)
    for problem in result.errors:
        complain("error", str(problem))
    return 1 if result.errors else 0
