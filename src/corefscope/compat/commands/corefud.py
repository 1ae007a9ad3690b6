"""``corefud-scorer``: the command line of CorefUD scorer 1.2, byte for byte on standard output.

Where the official program ends in a traceback, this one reports the error and exits with code 1. Like the official
one it has then printed the two lines that precede all scores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ...cli.terminal import ProgressBar, guarded, warn
from ...core.numbers import headline, mean
from ...formats.files import score

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
CONLL = ("muc", "bcub", "ceafe")
SETTINGS = {"exact": "exact", "partial": "partial-corefud", "head": "head"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scorer and return its exit code."""
    parsed = _parser().parse_args(arguments)
    return guarded(lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> int:
    names = METRICS if "all" in parsed.metrics else tuple(parsed.metrics)
    match = "exact" if parsed.exact_match else parsed.match
    singletons = ", singletons" if parsed.keep_singletons else ""
    what = f"coreferential mentions{singletons}, zeros (using {parsed.zero_match_method} match method)"
    what = what if set(names) - {"mor"} else ""
    print(f"The scorer is evaluating {what} using {SETTINGS[match]} match evaluation setting.")
    print(f"The following metrics will be evaluated: {', '.join(names)}\n")
    with ProgressBar(quiet=True):
        report = score(
            parsed.key_file,
            parsed.sys_file,
            match=match,
            zeros=parsed.zero_match_method,
            singletons="keep" if parsed.keep_singletons else "drop",
            metrics=names or METRICS,
            key_format="corefud",
            response_format="corefud",
        )
    warn(report.warnings)
    for name in names:
        recall, precision, f1 = (100 * value for value in report[name])
        print(f"{name}\nRecall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}")
    official = [name for name in names if name in CONLL]
    if len(official) == 3:  # any three, even the same one three times
        print(f"CoNLL score: {100 * mean(headline(report[name]) for name in official):.2f}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="corefud-scorer",
        description="Coreference scorer for CorefUD files: a drop-in replacement for CorefUD scorer 1.2.",
    )
    parser.add_argument("key_file", help="path of the key file")
    parser.add_argument("sys_file", help="path of the system file")
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        choices=("all", *METRICS),
        default=["all"],
        help="metrics to evaluate (put -- between them and the files)",
    )
    parser.add_argument("-s", "--keep-singletons", action="store_true", help="evaluate singletons too")
    parser.add_argument("-a", "--match", choices=tuple(SETTINGS), default="head", help="how mentions are matched")
    parser.add_argument("-x", "--exact-match", action="store_true", help="exact match; overrides -a")
    parser.add_argument(
        "-z",
        "--zero-match-method",
        choices=("linear", "dependent"),
        default="dependent",
        help="how zeros are matched",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
