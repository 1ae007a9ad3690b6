"""``corefud-scorer``: the command line of CorefUD scorer 1.2, byte for byte on standard output.

With ``--version 1.1`` or ``1.0``, that of the older program. Where the official program ends in a traceback, this one
reports the error and exits with code 1. Like the official one it has then printed what precedes all scores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...cli.terminal import ProgressBar, guarded, warn
from ...core.choices import Match, Rules
from ...core.errors import InputError
from ...core.numbers import Counts, headline, mean
from ...formats.files import score

METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero")
EARLY_METRICS = ("lea", "muc", "bcub", "ceafe", "ceafm", "blanc", "mor", "zero")
CONLL = ("muc", "bcub", "ceafe")
SETTINGS = {"exact": "exact", "partial": "partial-corefud", "head": "head"}


class Version(NamedTuple):
    """The command line of one version of the scorer."""

    rules: Rules
    metrics: tuple[str, ...]
    default_match: str
    header: Callable[[str, str, argparse.Namespace, Sequence[str]], str]
    """What it prints first, given the match, "including" or "excluding", all options and the metrics."""
    has_match: bool = True
    has_zeros: bool = True


def _header(match: str, _: str, parsed: argparse.Namespace, names: Sequence[str]) -> str:
    singletons = ", singletons" if parsed.keep_singletons else ""
    what = f"coreferential mentions{singletons}, zeros (using {parsed.zero_match_method} match method)"
    what = what if set(names) - {"mor"} else ""
    return (
        f"The scorer is evaluating {what} using {SETTINGS[match]} match evaluation setting.\n"
        f"The following metrics will be evaluated: {', '.join(names)}\n"
    )


def _early_header(match: str, singletons: str, _: argparse.Namespace, names: Sequence[str]) -> str:
    return (
        f"The scorer is evaluating coreference {singletons} singletons, with {match} matching of mentions"
        f" using the following metrics: {', '.join(names)}."
    )


VERSIONS = {
    "1.2": Version("corefud-1.2", METRICS, "head", _header),
    "1.1": Version("corefud-1.1", EARLY_METRICS, "head", _early_header, has_zeros=False),
    "1.0": Version("corefud-1.0", EARLY_METRICS[:-2], "partial", _early_header, has_match=False, has_zeros=False),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scorer and return its exit code."""
    chosen = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    _add_version(chosen)
    version = VERSIONS[chosen.parse_known_args(arguments)[0].version]
    parsed = _parser(version).parse_args(arguments)
    return guarded(lambda: _run(parsed, version))


def _run(parsed: argparse.Namespace, version: Version) -> int:
    names = version.metrics if "all" in parsed.metrics else tuple(parsed.metrics)
    match: Match = "exact" if parsed.exact_match else parsed.match
    print(version.header(match, "including" if parsed.keep_singletons else "excluding", parsed, names))
    with ProgressBar(quiet=True):
        report = score(
            parsed.key_file,
            parsed.sys_file,
            match=match,
            zeros=parsed.zero_match_method,
            singletons="keep" if parsed.keep_singletons else "drop",
            rules=version.rules,
            metrics=names or METRICS,
            key_format="corefud",
            response_format="corefud",
        )
    warn(report.warnings)
    for name in names:
        if divides_by_zero(tuple(report.counts(name).values())):
            hint = "leave it out, with -m, or drop singletons"
            message = f"CorefUD scorer {parsed.version} stops at {name}: it finds links where a side has none"
            raise InputError(message, path=parsed.key_file, hint=hint)
        recall, precision, f1 = (100 * value for value in report[name])
        print(f"{name}\nRecall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}")
    official = [name for name in names if name in CONLL]
    if len(official) == 3:  # any three, even the same one three times
        print(f"CoNLL score: {100 * mean(headline(report[name]) for name in official):.2f}")
    return 0


def divides_by_zero(counts: Counts) -> bool:
    """Whether a program that divides what is right by what there is ends with an error."""
    if len(counts) > 4:  # of BLANC: both kinds of links
        return any(
            divides_by_zero((right, key, right, response)) for right, key, response in (counts[:3], counts[3:6])
        )
    recalled, in_key, precise, in_response = counts
    return bool((recalled and not in_key) or (precise and not in_response))


def _add_version(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--version",
        choices=tuple(VERSIONS),
        default="1.2",
        help="version of the scorer to replace (default %(default)s); each has its own options",
    )


def _parser(version: Version) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="corefud-scorer",
        description="Coreference scorer for CorefUD files: replaces CorefUD scorer 1.2, 1.1 and 1.0.",
    )
    parser.add_argument("key_file", help="path of the key file")
    parser.add_argument("sys_file", help="path of the system file")
    _add_version(parser)
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="*",
        choices=("all", *version.metrics),
        default=["all"],
        help="metrics to evaluate (put -- between them and the files)",
    )
    parser.add_argument("-s", "--keep-singletons", action="store_true", help="evaluate singletons too")
    parser.set_defaults(match=version.default_match, zero_match_method="linear")
    if version.has_match:
        parser.add_argument(
            "-a", "--match", choices=tuple(SETTINGS), default=version.default_match, help="how mentions are matched"
        )
    overrides = "; overrides -a" if version.has_match else ""
    parser.add_argument("-x", "--exact-match", action="store_true", help=f"exact match{overrides}")
    if version.has_zeros:
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
