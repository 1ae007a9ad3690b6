"""``corefscope task --codabench``: a shared task as the bundle of a competition.

``corefscope task``: a shared task, every system on every data set.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from ..core.errors import OptionError
from ..core.request import RequestArguments
from ..output.text import shown
from . import arguments
from .arguments import natural
from .output import chosen_format, write
from .terminal import ProgressBar, complain, warn

if TYPE_CHECKING:
    from ..comparison.tasks import TaskResult, TaskSettings


def add_codabench(parser: argparse.ArgumentParser) -> None:
    """The arguments that are about a bundle."""
    from ..compat.codabench.names import DETAILS

    group = arguments.group_of(parser, arguments.FOR_CODABENCH)
    group.add_argument(
        "--codabench",
        metavar="DIR|FILE.zip",
        help="score nothing: write the bundle of a competition with these data sets and options there",
    )
    details = arguments.choice("details", DETAILS, after=" (default figures)")
    arguments.add_own(group, "--details", "what participants see of their results", **details)


def write_codabench(parsed: argparse.Namespace, request: RequestArguments) -> int:
    """Write the bundle, and print where it is."""
    from ..comparison.tasks.scoring import read_task
    from ..comparison.tasks.task import RANKING
    from ..compat.codabench.bundle import write_bundle

    if parsed.output or parsed.format or parsed.spreadsheet:
        options = "--format, --output and --spreadsheet"
        raise OptionError(f"{options} are for tables, and --codabench writes none: leave them out")
    task = read_task(parsed.task, keys_only=True)
    replacing = {**request, **{name: getattr(parsed, name) for name in RANKING}}
    write_bundle(task.replaced(replacing), parsed.codabench, details=parsed.details or "figures")
    sys.stdout.write(f"{shown(parsed.codabench)}\n")
    return 0


DESCRIPTION = """\
Score every system of a shared task on every data set, in parallel: the ranking metric by data set, macro
averages over data sets, and ranks in which systems that do not differ significantly are tied. A faulty
submission never loses the others, but makes the exit code 1."""
EXAMPLES = """\
a directory has a subdirectory for each data set, and in it key.* (or gold.*) and
a file for each system:
  task/en_gum/key.conllu
  task/en_gum/ours.conllu
  task/en_gum/theirs.conllu
  task/cs_pdt/key.conllu
  …
a manifest (.toml, .yaml or .json; paths are relative to it):
  preset = "crac25"               # or match, zeros, singletons, rules, metrics,
                                  # documents, topic, baseline, key_format, …
  settings = "crac"               # several ways to score, if you like
  missing = "zero"                # or skip, or error; also rank_by, seed, resamples
  [datasets]
  en_gum = "gold/en_gum-test.conllu"
  cs_pdt = { key = "gold/cs_pdt-test.conllu", group = "news" }
  [systems]
  ours = "runs/ours/{dataset}-*.conllu"
  theirs = { en_gum = "theirs/gum.conllu", cs_pdt = "theirs/pdt.conllu" }
examples:
  corefscope task task/
  corefscope task task.toml --rank-by lea --jobs 8
  corefscope task task.toml --settings crac -o leaderboard.html --reports reports/
  corefscope task task.toml -o results.tex
  corefscope task task.toml -o results.json --per-document
  corefscope task task.toml --codabench bundle.zip
docs/shared-tasks.md says how averages and ranks are made.
"""
SHOWN = 10  # warnings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..comparison.resampling import DEFAULT
    from ..comparison.tasks.task import MISSING
    from ..core.metrics import METRICS, aliases

    parser.add_argument("task", metavar="MANIFEST|DIRECTORY", help="what to score; options replace what it says")
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--settings")
    baselines = arguments.SHARED["--baseline"]["help"]
    arguments.add(parser, "--baseline", help=f"{baselines}, with {{dataset}} in it; needs --missing skip or error")
    parser.add_argument(
        "--rank-by",
        type=arguments.one_of("metric", METRICS, aliases()),
        metavar="METRIC",
        help="rank by the macro average of this metric (default conll, bridging_entity or deixis, whichever is scored"
        " first; else the first metric)",
    )
    missing = arguments.choice("missing", MISSING, after=" (default zero)")
    arguments.add_own(parser, "--missing", "what a missing submission scores", **missing)
    arguments.add(parser, "--jobs")
    parser.add_argument(
        "--no-significance", action="store_true", help="rank by the average alone, without testing differences"
    )
    parser.add_argument(
        "--resamples",
        type=natural,
        metavar="N",
        help=f"number of resamples of the test (default {DEFAULT.resamples})",
    )
    arguments.add_own(
        parser,
        "--no-validation",
        "do not validate submissions",
        action="store_true",
        help="do not validate submissions before they are scored: quicker, but their problems are not counted",
    )
    parser.add_argument("--seed", type=natural, metavar="N", help=f"seed of the draws (default {DEFAULT.seed})")
    arguments.add(parser, "--per-document", *arguments.OUTPUT, "--quiet")
    arguments.add_own(
        parser,
        "--reports",
        "a report page of each submission",
        metavar="DIR",
        help="also write a report page of each submission, DIR/SYSTEM/DATASET.html, to which the leaderboard links"
        " (-o leaderboard.html); of the first setting, if there are several",
    )
    add_codabench(parser)


def run(parsed: argparse.Namespace) -> int:
    """Score everything, say what went wrong, print the tables; or write the bundle of a competition."""
    from ..comparison.resampling import DEFAULT
    from ..comparison.signature import check_baseline_file, read_signature
    from ..comparison.tasks import score_task, score_task_settings
    from ..comparison.tasks.manifest import find_baselines
    from ..comparison.tasks.scoring import read_task
    from ..comparison.tasks.task import RANKING

    if parsed.no_significance and (parsed.resamples is not None or parsed.seed is not None):
        raise OptionError("--resamples and --seed are for the test that --no-significance leaves out")
    fixed = {"average": "macro", "level": DEFAULT.level, "test": DEFAULT.test}
    if parsed.signature is None:
        request = arguments.request_arguments(parsed)
    else:
        task = read_task(parsed.task, keys_only=bool(parsed.codabench))
        fixed["datasets"] = len(task.datasets)
        request = arguments.request_arguments(parsed, RANKING, fixed)
        baselines = find_baselines(parsed.baseline, task.datasets) if parsed.baseline else task.baselines
        sides = [(task.datasets[name], baseline) for name, baseline in baselines.items()]
        if sides:
            check_baseline_file(read_signature(parsed.signature), sides)
            request["baseline"] = parsed.baseline
    if parsed.codabench:
        return write_codabench(parsed, request)
    settings = parsed.settings if parsed.settings is not None else read_task(parsed.task).settings.get("settings")
    if settings is not None and parsed.signature is not None:
        raise OptionError("a signature is of one setting, and --settings or the manifest names others")
    request["digests"] = chosen_format(parsed) == "json"
    with ProgressBar(parsed.quiet) as progress:
        further: dict[str, Any] = {
            "jobs": parsed.jobs,
            "significance": not parsed.no_significance,
            "validation": not parsed.no_validation,
            "progress": progress,
            **{name: getattr(parsed, name) for name in RANKING},
            **request,
        }
        result: TaskResult | TaskSettings = (
            score_task(parsed.task, **further)
            if settings is None
            else score_task_settings(parsed.task, settings, **further)
        )
    warnings = result.warnings
    more = [f"and {len(warnings) - SHOWN:,} more (--format json has all)"] if len(warnings) > SHOWN else []
    warn([*warnings[:SHOWN], *more], parsed.quiet)
    write(result, parsed, _reports(result, parsed) if parsed.reports else None)
    for problem in result.errors:
        complain("error", str(problem))
    return 1 if result.errors else 0


def _reports(result: TaskResult | TaskSettings, parsed: argparse.Namespace) -> dict[tuple[str, str], str]:
    """Write the report page of each submission; where they are, seen from the leaderboard."""
    from ..comparison.tasks import TaskResult
    from ..output.pages.leaderboard.reports import write_reports

    first = result if isinstance(result, TaskResult) else result.first
    with ProgressBar(parsed.quiet) as progress:
        pages = write_reports(first, parsed.reports, jobs=parsed.jobs, progress=progress)
    warn(pages.refused, parsed.quiet)
    return pages.seen_from(parsed.output if parsed.output not in (None, "-") else "board.html")
