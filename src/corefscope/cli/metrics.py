"""``corefscope metrics``: the catalogue of metrics, or some of them explained."""

from __future__ import annotations

import argparse
import sys

from ..count.metrics import METRICS, select

DESCRIPTION = "List the metrics with title, group, range and paper; with names, explain these."
EXAMPLES = "examples:\n  corefscope metrics\n  corefscope metrics blanc kappa"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group to explain")


def run(parsed: argparse.Namespace) -> int:
    """Print the overview, or the definitions of the named metrics."""
    from ..show.columns import terminal_width
    from ..show.results.catalogues import details, metrics

    width = terminal_width()
    explained = [details(METRICS[name], width) for name in (select(parsed.names) if parsed.names else ())]
    sys.stdout.write("\n".join(explained or [metrics(width)]))
    return 0
