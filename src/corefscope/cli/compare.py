"""``corefscope compare``: systems; ``agree``: annotators; ``correlate``: metrics over systems."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from glob import glob

from ..analysis.agreement import LEADING, MATCHES, SYMMETRIC, agree
from ..analysis.alpha import UNMARKED
from ..analysis.correlation import correlate
from ..comparison.mean_report import average_runs, runs_of
from ..comparison.paired_tests import TESTS
from ..comparison.resampling import DEFAULT, block_size
from ..comparison.systems import compare
from ..core.errors import OptionError
from ..core.options import TITLES
from ..formats.paths import exists, is_wild
from . import arguments
from .arguments import natural
from .output import add_output_or_picture, call_with_progress, chosen_format, for_display, write
from .parser import CommandParts, Parser
from .terminal import warn

DESCRIPTION = """\
Score several responses against one key: a table of systems and metrics with the
best in bold and an interval for each score, and the differences from the first
system (or --against) with intervals and p-values."""
EXAMPLES = """\
examples:
  corefscope compare key.conllu ours.conllu theirs.conllu
  corefscope compare key.conllu a.conllu b.conllu --names ours,theirs --metrics lea
  corefscope compare key.conllu ours.conllu theirs.conllu -o table.tex
      one table for a paper (also .md, .typ); --table full has everything
  corefscope compare key.conllu ours='ours-*.conllu' theirs='theirs-*.conllu'
      systems of several runs each: mean ± sd, a test over runs and documents
  corefscope compare novel.conllu a.conllu b.conllu --metrics bcub --resample blocks:20
      one document: only metrics that are sums over mentions can be resampled
docs/significance.md explains intervals and p-values.
"""
UNITS = "documents|sentences|blocks:N|nothing"
PLAN = ("resample", "resamples", "seed", "level", "test")


def add_arguments(parser: Parser) -> None:
    arguments.add(parser, "key")
    several = "several runs of one: NAME=PATH for each, or NAME='PATTERN'"
    arguments.add(parser, "responses", help=f"{arguments.BY_GROUP['']['responses']['help']}; {several}")
    arguments.add(parser, "--names")
    arguments.add_example(parser, "key", "response", "other")
    parser.add_argument("--against", metavar="NAME", help="the system to compare with (default: the first)")
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--weights", "--per-document", "--jobs", "--quiet")
    baselines = arguments.SHARED["--baseline"]["help"]
    arguments.add(parser, "--baseline", help=f"{baselines}; the name of a system means --against")
    parser.add_argument(
        "--resample",
        type=_parse_unit,
        metavar=UNITS,
        help="unit of resampling (default documents); parts of documents only for sums over mentions;"
        " nothing: no intervals, no tests",
    )
    add_plan(parser)
    arguments.add(parser, "--table")
    add_output_or_picture(parser, "recall against precision")


def add_plan(parser: Parser) -> None:
    """How to resample."""
    parser.add_argument(
        "--resamples", type=natural, metavar="N", help=f"number of resamples (default {DEFAULT.resamples})"
    )
    parser.add_argument("--seed", type=natural, metavar="N", help=f"random seed (default {DEFAULT.seed})")
    parser.add_argument("--level", type=float, metavar="X", help=f"confidence level (default {DEFAULT.level})")
    tests = {name: test.summary for name, test in TESTS.items()}
    text = f"{arguments.explain_values(tests)} (default {DEFAULT.test})"
    parser.add_argument("--test", values=tests, help=text)


def run(parsed: argparse.Namespace) -> int:
    runs = named_runs(parsed.key, parsed.responses)
    if runs and parsed.names is not None:
        raise OptionError("systems have names, as in NAME=PATH: leave --names out")
    parsed.responses = [path for paths in runs.values() for path in paths] or parsed.responses
    # Without resampling, the plan of a signature does not apply.
    left_open = [name for name in PLAN if parsed.resample == "nothing" and getattr(parsed, name) is None]
    request = arguments.request_arguments(parsed, PLAN)
    request["digests"] = chosen_format(parsed) == "json"
    own = {name: value for name in (*PLAN, "names", "against") if (value := getattr(parsed, name)) is not None}
    for name in left_open:
        own.pop(name, None)
    comparison = call_with_progress(
        parsed, compare, parsed.key, runs or parsed.responses, jobs=parsed.jobs, **own, **request
    )
    shown = {
        name: average_runs([*for_display(dict(enumerate(runs_of(report))), parsed).values()])
        for name, report in comparison.reports.items()
    }
    return write(comparison.of(shown), parsed)


def named_runs(key: str, responses: Sequence[str]) -> dict[str, list[str]]:
    """The runs of each system, from arguments NAME=PATH; empty if they are plain paths.

    Each file or directory that a pattern matches is a run; if the key has many files, a pattern of files is one run.
    """
    named = [None if exists(text) else re.fullmatch(r"([^=/\\*?\[]+)=(.+)", text) for text in responses]
    if not any(named):
        return {}
    runs: dict[str, list[str]] = {}
    for text, match in zip(responses, named, strict=True):
        if match is None:
            raise OptionError(f"{text} has no name, but other systems do: write NAME={text}")
        name, path = match.groups()
        found = sorted(glob(path, recursive=True)) if is_wild(path) and not os.path.exists(path) else []
        if os.path.isdir(key) or (is_wild(key) and not os.path.exists(key)):
            found = [one for one in found if os.path.isdir(one)]
        runs.setdefault(name, []).extend(found or [path])
    return runs


def _parse_unit(text: str) -> str:
    """A type for argparse: a unit of resampling."""
    if text not in ("documents", "nothing"):
        try:
            block_size(text)
        except OptionError:
            choices = UNITS.replace("|", ", ")
            raise argparse.ArgumentTypeError(f"unknown unit {text!r}; choose from: {choices}") from None
    return text


def _add_agree_arguments(parser: Parser) -> None:
    parser.add_argument(
        "paths", metavar="FILE", nargs="+", help="one file, directory or pattern per annotator, at least two"
    )
    arguments.add(parser, "--names", help="names of the annotators, separated by commas")
    titles = {name: choices for name, choices in TITLES.items() if name != "rules"}
    titles["match"] = {name: title for name, title in titles["match"].items() if name in MATCHES}
    arguments.add_settings(parser, SYMMETRIC, titles)
    arguments.add(parser, "--heads", "--words", "--align", "--documents", "--topic")
    default = f"of a group, the symmetric ones (default {','.join(LEADING)})"
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; {default}")
    parser.add_argument("--all", action="store_true", help="show all measures that are symmetric in both files")
    parser.add_argument(
        "--unmarked",
        values=UNMARKED,
        default="class",
        help="Krippendorff's α: a mention that an annotator has not marked (default class)",
    )
    arguments.add(parser, "--per-document", help="also show every document, as its mean over pairs")
    arguments.add(parser, "--file-format", *arguments.COLUMN_OPTIONS, "--max-unpacked", *arguments.OUTPUT, "--quiet")


def _run_agree(parsed: argparse.Namespace) -> int:
    request = arguments.request_arguments(parsed)
    own = {"names": parsed.names, "format": parsed.file_format, "unmarked": parsed.unmarked}
    agreement = call_with_progress(parsed, agree, parsed.paths, **own, **request)
    return write(agreement.with_all() if parsed.all else agreement, parsed)


AGREE = CommandParts(
    """\
Measure how much annotators of the same words agree, for each pair of annotators
and on average: in the mentions, in CoNLL F1 and beyond chance; with --all in
every metric that is symmetric in key and response. Krippendorff's α is of all
annotators at once.""",
    """\
examples:
  corefscope agree anna.conllu bela.conllu
  corefscope diff anna.conllu bela.conllu --annotators
      where they differ
  corefscope agree anna.conllu bela.conllu cora.conllu --names Anna,Béla,Cora
  corefscope agree anna.conllu bela.conllu --metrics kappa,conll --per-document
  corefscope agree anna.conllu bela.conllu cora.conllu -o agreement.csv
  corefscope agree anna/ bela/ --per-document
  corefscope agree 'annotation/*/anna.tsv' 'annotation/*/bela.tsv'
""",
    _add_agree_arguments,
    _run_agree,
)


def _add_correlate_arguments(parser: Parser) -> None:
    parser.add_argument("results", metavar="RESULT", nargs="+", help="results of at least three systems in all")
    arguments.add(parser, "--names")
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; default: all metrics that every result has")
    parser.add_argument("--against", metavar="METRIC", help="compare this metric with the others, with p-values")
    figures = "recall, precision, f1 (default f1; with --against, all three)"
    parser.add_argument("--figures", metavar="NAMES", help=figures)
    parser.add_argument("--mixed", action="store_true", help="accept results with different options (with a warning)")
    add_output_or_picture(parser, "a scatter matrix")
    arguments.add(parser, "--max-unpacked", "--quiet")


def _run_correlate(parsed: argparse.Namespace) -> int:
    chosen_format(parsed)
    correlation = correlate(
        parsed.results,
        names=parsed.names,
        metrics=parsed.metrics,
        figures=parsed.figures,
        against=parsed.against,
        mixed=parsed.mixed,
    )
    warn(correlation.warnings, parsed.quiet)
    return write(correlation, parsed)


CORRELATE = CommandParts(
    """\
Correlate metrics over systems (Pearson's r, Spearman's ρ, Kendall's τ). Each
RESULT is a JSON file written by 'corefscope score' for one system, or by
'corefscope compare' or 'corefscope task' for several; or a CSV of published
scores with the columns system, metric, recall, precision, f1 (and task).""",
    """\
examples:
  for s in a b c d; do corefscope score key.conllu $s.conllu -o $s.json; done
  corefscope correlate a.json b.json c.json d.json
  corefscope compare key.conllu a.conllu b.conllu c.conllu d.conllu -o all.json
  corefscope correlate all.json
  corefscope correlate *.json --metrics muc,bcub,ceafe,blanc,lea -o scatter.svg
  corefscope correlate *.json -o correlations.csv
  corefscope correlate published.csv --against blanc
""",
    _add_correlate_arguments,
    _run_correlate,
)
