"""``corefscope correlate``: do metrics rank systems alike?"""

from __future__ import annotations

import argparse

from .output import add_output, chosen_format, write
from .terminal import warn

DESCRIPTION = (
    "Correlate metrics over systems (Pearson's r, Spearman's ρ, Kendall's τ): whether they rank systems alike."
    " Each RESULT is what 'corefscope score --format json' has written for one system, or 'corefscope compare"
    " --format json' or 'corefscope task --format json' for several."
)
EXAMPLES = """\
examples:
  for s in a b c d; do corefscope score key.conllu $s.conllu -o $s.json; done
  corefscope correlate a.json b.json c.json d.json
  corefscope compare key.conllu a.conllu b.conllu c.conllu d.conllu -o all.json
  corefscope correlate all.json
  corefscope correlate *.json --metrics muc,bcub,ceafe,blanc,lea -o scatter.svg
  corefscope correlate *.json -o correlations.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..count.metrics import GROUPS

    parser.add_argument("results", metavar="RESULT", nargs="+", help="results of three systems or more in all")
    parser.add_argument("--names", metavar="NAMES", help="what to call the systems, separated by commas")
    parser.add_argument(
        "--metrics",
        metavar="NAMES",
        help=f"metrics or groups ({', '.join(GROUPS)}), separated by commas; default: all that every result has",
    )
    parser.add_argument(
        "--mixed", action="store_true", help="also if results were scored under different options (a warning says so)"
    )
    add_output(parser, "a scatter matrix")
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings")


def run(options: argparse.Namespace) -> int:
    """Correlate, say what is odd, print tables, draw."""
    from ..study.correlation import correlate

    chosen_format(options)
    correlation = correlate(options.results, names=options.names, metrics=options.metrics, mixed=options.mixed)
    warn(options, correlation.warnings)
    write(correlation, options)
    return 0
