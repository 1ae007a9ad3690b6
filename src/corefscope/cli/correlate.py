"""``corefscope correlate``: do metrics rank systems alike?"""

from __future__ import annotations

import argparse

from . import arguments
from .output import add_output_or_picture, chosen_format, write
from .terminal import warn

DESCRIPTION = """\
Correlate metrics over systems (Pearson's r, Spearman's ρ, Kendall's τ): whether they rank systems alike. Each
RESULT is what 'corefscope score --format json' has written for one system, or 'corefscope compare --format
json' or 'corefscope task --format json' for several; or a CSV of published scores with the columns system,
metric, recall, precision, f1 (and task)."""
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
    """The arguments of the command."""
    parser.add_argument("results", metavar="RESULT", nargs="+", help="results of three systems or more in all")
    arguments.add(parser, "--names")
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; default: all that every result has")
    parser.add_argument("--against", metavar="METRIC", help="compare one metric with the rest, with p-values")
    parser.add_argument(
        "--figures",
        metavar="NAMES",
        help="which of recall, precision, f1 (default f1; with --against, all three)",
    )
    parser.add_argument(
        "--mixed", action="store_true", help="also if results were scored under different options (a warning says so)"
    )
    add_output_or_picture(parser, "a scatter matrix")
    arguments.add(parser, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Correlate, say what is odd, print tables, draw."""
    from ..analysis.correlation import correlate

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
