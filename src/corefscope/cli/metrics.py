"""``corefscope metrics``, ``presets`` and ``cite``: the catalogues of metrics and presets, and papers on metrics."""

from __future__ import annotations

import argparse
import sys

from ..core.errors import OptionError
from ..core.metrics import METRICS, select
from ..measures.bibliography import entries
from ..output.results.catalogues import details, metrics, presets
from ..output.text import terminal_width
from . import arguments
from .output import chosen_format, print_text, write
from .parser import CommandParts, Parser

DESCRIPTION = "List the metrics with title, group, range and paper, or explain the named ones."
EXAMPLES = """\
examples:
  corefscope metrics
  corefscope metrics blanc kappa
  corefscope metrics --criteria
      which metrics give 1 to perfect responses only, 0 to the worst ones, …
  corefscope metrics --criteria muc bcub conll -o criteria.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric, a mean or a group to explain")
    criteria = "which coherence criteria of Popescu-Belis (2000) the metrics fulfil on all small responses"
    parser.add_argument("--criteria", action="store_true", help=criteria)
    arguments.add(parser, *arguments.OUTPUT)


def run(parsed: argparse.Namespace) -> int:
    chosen_format(parsed)
    if parsed.criteria:
        from ..analysis.criteria import criteria

        return write(criteria(parsed.names or "all"), parsed)
    if not parsed.names:
        return write(metrics(), parsed)
    if parsed.format or parsed.output:
        raise OptionError("--format and -o are for the whole catalogue and for --criteria: definitions are text")
    width = terminal_width()
    sys.stdout.write("\n".join(details(METRICS[name], width) for name in select(parsed.names)))
    return 0


def _run_presets(parsed: argparse.Namespace) -> int:
    chosen_format(parsed)
    return write(presets(), parsed)


PRESETS = CommandParts(
    "List the presets: options and metrics of shared tasks.",
    "examples:\n  corefscope presets\n  corefscope score key.conll response.conll --preset conll12",
    lambda parser: arguments.add(parser, *arguments.OUTPUT),
    _run_presets,
)


def _add_cite_arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group")


def _run_cite(parsed: argparse.Namespace) -> int:
    papers = entries()
    cited = dict.fromkeys(METRICS[name].cite for name in select(parsed.names or "all"))
    # A metric of another package may name a paper that is not among these: as a comment, which BibTeX skips.
    shown = [papers.get(paper, f"% {paper}") for paper in cited if paper]
    print_text("\n\n".join(shown) + "\n", for_people=False)
    return 0


CITE = CommandParts(
    "Print BibTeX for the papers behind the named metrics (default: all).",
    "examples:\n  corefscope cite lea blanc\n  corefscope cite >> references.bib",
    _add_cite_arguments,
    _run_cite,
)
