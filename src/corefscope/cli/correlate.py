"""``corefscope correlate``: correlation of metrics over systems."""

from __future__ import annotations

import argparse

from ..analysis.correlation import correlate
from . import arguments
from .output import add_output_or_picture, chosen_format, write
from .terminal import warn

DESCRIPTION = """\
Correlate metrics over systems (Pearson's r, Spearman's ρ, Kendall's τ). Each
RESULT is a JSON file written by 'corefscope score' for one system, or by
'corefscope compare' or 'corefscope task' for several; or a CSV of published
scores with the columns system, metric, recall, precision, f1 (and task)."""
EXAMPLES = """\
examples:
  for s in a b c d; do corefscope score key.conllu $s.conllu -o $s.json; done
  corefscope correlate a.json b.json c.json d.json
  corefscope compare key.conllu a.conllu b.conllu c.conllu d.conllu -o all.json
  corefscope correlate all.json
  corefscope correlate *.json --metrics muc,bcub,ceafe,blanc,lea -o scatter.svg
  corefscope correlate *.json -o correlations.csv
  corefscope correlate published.csv --against blanc
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", metavar="RESULT", nargs="+", help="results of at least three systems in all")
    arguments.add(parser, "--names")
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; default: all metrics that every result has")
    parser.add_argument("--against", metavar="METRIC", help="compare this metric with the others, with p-values")
    figures = "recall, precision, f1 (default f1; with --against, all three)"
    parser.add_argument("--figures", metavar="NAMES", help=figures)
    parser.add_argument("--mixed", action="store_true", help="accept results with different options (with a warning)")
    add_output_or_picture(parser, "a scatter matrix")
    arguments.add(parser, "--max-unpacked", "--quiet")


def run(parsed: argparse.Namespace) -> int:
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
