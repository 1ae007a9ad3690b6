"""``corefscope task``: a shared task, every system on every data set, or the bundle of a competition."""

from __future__ import annotations

import argparse
import sys

from ..comparison.paired_tests import RUNS
from ..comparison.resampling import DEFAULT
from ..comparison.signature import check_baseline_file, read_signature
from ..comparison.tasks import TaskResult, TaskSettings, score_task, score_task_settings
from ..comparison.tasks.scoring import read_task
from ..comparison.tasks.task import MISSING, RANKING, find_baselines
from ..core.errors import OptionError
from ..core.request import RequestArguments
from ..output.text import shown
from . import arguments
from .arguments import metric_type, natural
from .output import chosen_format, write
from .parser import FOR_CODABENCH
from .terminal import ProgressBar, complain, warn

DESCRIPTION = """\
Score every system of a shared task on every data set, in parallel: the ranking
metric by data set, macro averages, and ranks with ties between systems that do
not differ significantly. If a submission is faulty, the others are scored, and
the exit code is 1."""
EXAMPLES = """\
a directory has a subdirectory for each data set, with key.* (or gold.*) and a
file for each system:
  task/en_gum/key.conllu
  task/en_gum/ours.conllu
  task/en_gum/theirs.conllu
  task/cs_pdt/key.conllu
  …
a manifest (.toml, .yaml or .json; paths are relative to it):
  preset = "crac25"     # or match, zeros, singletons, rules, metrics,
                        # documents, topic, baseline, key_format, …
  settings = "crac"     # several settings, if you like
  missing = "zero"      # or skip, or error; also rank_by, seed, resamples
  [datasets]
  en_gum = "gold/en_gum-test.conllu"
  cs_pdt = { key = "gold/cs_pdt-test.conllu", group = "news" }
  [systems]
  ours = "runs/ours/{dataset}-*.conllu"
  seeds = ["a1/{dataset}.conllu", "a2/{dataset}.conllu"]   # runs of one system
  theirs = { en_gum = "theirs/gum.conllu", cs_pdt = "theirs/pdt.conllu" }
examples:
  corefscope task task/
  corefscope task task.toml --rank-by lea --jobs 8
  corefscope task task.toml --settings crac -o leaderboard.html --reports reports/
  corefscope task task.toml -o results.tex
  corefscope task task.toml -o results.json --per-document
  corefscope task task.toml --codabench bundle.zip
docs/shared-tasks.md explains averages and ranks.
"""
MAX_WARNINGS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..compat.codabench import DETAILS

    task = "the task; options override those of the manifest"
    parser.add_argument("task", metavar="MANIFEST|DIRECTORY", help=task)
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--weights", "--settings", "--jobs")
    baselines = arguments.SHARED["--baseline"]["help"]
    arguments.add(parser, "--baseline", help=f"{baselines}; FILE contains {{dataset}}; needs --missing skip or error")
    parser.add_argument(
        "--rank-by",
        type=metric_type,
        metavar="METRIC",
        help="rank by the macro average of this metric (default: conll, bridging_entity or deixis, whichever is"
        " scored first; else the first metric)",
    )
    missing = f"missing submissions: {arguments.explain_values(MISSING)} (default zero)"
    parser.add_argument("--missing", values=MISSING, help=missing)
    significance = "rank by the average alone, without significance tests"
    parser.add_argument("--no-significance", action="store_true", help=significance)
    resamples = f"number of resamples of the test (default {DEFAULT.resamples})"
    parser.add_argument("--resamples", type=natural, metavar="N", help=resamples)
    parser.add_argument("--seed", type=natural, metavar="N", help=f"random seed (default {DEFAULT.seed})")
    validation = "do not validate submissions before scoring: faster, but problems are not counted"
    parser.add_argument("--no-validation", action="store_true", help=validation)
    arguments.add(parser, "--per-document", "--table", *arguments.OUTPUT, "--quiet")
    parser.add_argument(
        "--reports",
        metavar="DIR",
        help="also write a report page for each submission, DIR/SYSTEM/DATASET.html, with links from the leaderboard"
        " (-o leaderboard.html); of the first setting, if there are several",
    )
    codabench = "write the bundle of a competition with these data sets and options; nothing is scored"
    parser.add_argument("--codabench", group=FOR_CODABENCH, metavar="DIR|FILE.zip", help=codabench)
    details = f"detailed results for participants: {arguments.explain_values(DETAILS)} (default figures)"
    parser.add_argument("--details", group=FOR_CODABENCH, values=DETAILS, help=details)


def run(parsed: argparse.Namespace) -> int:
    if parsed.no_significance and (parsed.resamples is not None or parsed.seed is not None):
        raise OptionError("--resamples and --seed are for the test that --no-significance leaves out")
    fixed = {"average": "macro", "level": DEFAULT.level, "test": DEFAULT.test}
    if parsed.signature is None:
        request = arguments.request_arguments(parsed)
    else:
        task = read_task(parsed.task, keys_only=bool(parsed.codabench))
        fixed["datasets"] = len(task.datasets)
        if task.has_runs:
            fixed["test"] = RUNS
        request = arguments.request_arguments(parsed, RANKING, fixed)
        baselines = find_baselines(parsed.baseline, task.datasets) if parsed.baseline else task.baselines
        sides = [(task.datasets[name], baseline) for name, baseline in baselines.items()]
        if sides:
            check_baseline_file(read_signature(parsed.signature), sides)
            request["baseline"] = parsed.baseline
    if parsed.codabench:
        return _write_bundle(parsed, request)
    settings = parsed.settings if parsed.settings is not None else read_task(parsed.task).settings.get("settings")
    if settings is not None and parsed.signature is not None:
        raise OptionError("a signature is of one setting, and --settings or the manifest names others")
    request["digests"] = chosen_format(parsed) == "json"
    with ProgressBar(parsed.quiet) as progress:
        own = {"jobs": parsed.jobs, **{name: getattr(parsed, name) for name in RANKING}}
        own |= {"significance": not parsed.no_significance, "validation": not parsed.no_validation}
        result: TaskResult | TaskSettings
        if settings is None:
            result = score_task(parsed.task, progress=progress, **own, **request)
        else:
            result = score_task_settings(parsed.task, settings, progress=progress, **own, **request)
    warnings = result.warnings
    warn(warnings[:MAX_WARNINGS], parsed.quiet)
    if len(warnings) > MAX_WARNINGS:
        warn([f"and {len(warnings) - MAX_WARNINGS:,} more (--format json has all)"], parsed.quiet)
    write(result, parsed, _write_report_pages(result, parsed) if parsed.reports else None)
    for problem in result.errors:
        complain("error", str(problem))
    return 1 if result.errors else 0


def _write_report_pages(result: TaskResult | TaskSettings, parsed: argparse.Namespace) -> dict[tuple[str, str], str]:
    """Write the report page of each submission; where they are, seen from the leaderboard."""
    from ..output.pages.leaderboard import write_reports

    first = result if isinstance(result, TaskResult) else result.first
    with ProgressBar(parsed.quiet) as progress:
        pages = write_reports(first, parsed.reports, jobs=parsed.jobs, progress=progress)
    warn(pages.refused, parsed.quiet)
    return pages.seen_from(parsed.output if parsed.output not in (None, "-") else "board.html")


def _write_bundle(parsed: argparse.Namespace, request: RequestArguments) -> int:
    """Write the bundle, and print where it is."""
    from ..compat.codabench.bundle import write_bundle

    if parsed.output or parsed.format or parsed.spreadsheet:
        options = "--format, --output and --spreadsheet"
        raise OptionError(f"{options} are for tables, and --codabench writes none: leave them out")
    task = read_task(parsed.task, keys_only=True)
    replacing = {**request, **{name: getattr(parsed, name) for name in RANKING}}
    write_bundle(task.replaced(replacing), parsed.codabench, details=parsed.details or "figures")
    sys.stdout.write(f"{shown(parsed.codabench)}\n")
    return 0
