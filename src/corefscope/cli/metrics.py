"""``corefscope metrics`` and ``presets``: the catalogues."""

from __future__ import annotations

import argparse
import sys

from ..core.errors import OptionError
from ..core.metrics import METRICS, select
from ..output.results.catalogues import details, metrics, presets
from ..output.text import terminal_width
from . import arguments
from .output import chosen_format, write
from .parser import CommandParts

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
