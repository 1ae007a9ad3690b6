"""The parsers of all commands; choices and help come from the catalogues."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping

from .._version import __version__
from ..baselines import BASELINES
from ..errors import OptionError
from ..matching import MATCHERS, ZEROS
from ..metrics import GROUPS
from ..options import SINGLETONS, Options
from ..readers.catalogue import FORMATS
from ..reports import REPORTS
from ..rules import RULES
from . import commands

EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope metrics
"""

SCORE_EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
      the official CorefUD scores: head match, zeros by dependencies, no singletons
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --rules corrected
      the same without the bugs of the official scorer
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
"""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; asked for here because argparse would import half of shutil to ask."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            columns = os.environ.get("COLUMNS", "")
            width = int(columns) if columns.isdecimal() else 100
        super().__init__(prog, width=max(width - 2, 40))


def build_parser() -> argparse.ArgumentParser:
    """The parser of ``corefscope``."""
    parser = argparse.ArgumentParser(
        prog="corefscope",
        description="Scores coreference resolution: a system's response against a key.",
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"corefscope {__version__}")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_score(subparsers)
    _add_metrics(subparsers)
    _add_cite(subparsers)
    return parser


def _add_score(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    defaults = Options()
    parser = subparsers.add_parser(
        "score",
        help="score a response against a key",
        description="Score a response file against a key file over the same words (CorefUD or CoNLL-2012).",
        epilog=SCORE_EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(run=commands.score)
    parser.add_argument("key", metavar="KEY", help="the key file (.gz, .xz, .bz2 are read too; - is standard input)")
    parser.add_argument("response", metavar="RESPONSE", help="the response file")
    titles = {name: matcher.title for name, matcher in MATCHERS.items()}
    _choice(parser, "match", titles, defaults.match)
    _choice(parser, "zeros", ZEROS, defaults.zeros)
    _choice(parser, "singletons", SINGLETONS, defaults.singletons)
    _choice(parser, "rules", {name: rules.title for name, rules in RULES.items()}, defaults.rules)
    parser.add_argument(
        "--metrics",
        default="corefud",
        metavar="NAMES",
        help=f"metrics or groups ({', '.join(GROUPS)}), separated by commas; default corefud;"
        " 'corefscope metrics' lists them",
    )
    parser.add_argument(
        "--baseline",
        type=_one_of("baseline", dict.fromkeys(BASELINES, "")),
        metavar="|".join(BASELINES),
        help="measure scores from what a trivial response scores instead of from 0: "
        + "; ".join(f"{name}: {title}" for name, (title, _) in BASELINES.items()),
    )
    titles = {name: row.title for name, row in FORMATS.items()}
    for side in ("key", "response"):
        parser.add_argument(
            f"--{side}-format",
            type=_one_of("format", titles),
            metavar="|".join(titles),
            help=f"the format of the {side} file, if it is not to be recognised: "
            + "; ".join(f"{name}: {title}" for name, title in titles.items()),
        )
    parser.add_argument("--per-document", action="store_true", help="show every document as well")
    _choice(parser, "format", {name: title for name, (title, _) in REPORTS.items()}, "text")
    parser.add_argument(
        "--no-rules-note",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give another CoNLL score)",
    )
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings, notes and progress")


def _add_metrics(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "metrics",
        help="list the metrics, or explain some",
        description="List the metrics with title, group, range and paper; with names, explain these.",
        epilog="examples:\n  corefscope metrics\n  corefscope metrics blanc kappa",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group to explain")
    parser.set_defaults(run=commands.metrics)


def _add_cite(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "cite",
        help="print BibTeX for the papers behind metrics",
        description="Print BibTeX for the papers behind the named metrics, or behind all.",
        epilog="examples:\n  corefscope cite lea blanc\n  corefscope cite >> references.bib",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group")
    parser.set_defaults(run=commands.cite)


def _choice(parser: argparse.ArgumentParser, name: str, choices: Mapping[str, str], default: str) -> None:
    """An option with named values; a mistyped one gets a suggestion."""
    described = "; ".join(f"{value}: {title}" for value, title in choices.items())
    parser.add_argument(
        f"--{name}",
        type=_one_of(name, choices),
        default=default,
        metavar="|".join(choices),
        help=f"{described} (default {default})".replace("%", "%%"),
    )


def _one_of(name: str, choices: Mapping[str, str]) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in choices:
            raise argparse.ArgumentTypeError(str(OptionError.unknown(name, [value], choices)))
        return value

    return check
