"""``corefscope task --codabench``: a shared task as the bundle of a competition."""

from __future__ import annotations

import argparse
import sys

from ..base.errors import OptionError
from ..evaluate.request import RequestArguments
from ..show.text import shown
from . import arguments


def add_codabench(parser: argparse.ArgumentParser) -> None:
    """The arguments that are about a bundle."""
    from ..show.codabench.names import DETAILS

    group = arguments.group_of(parser, arguments.FOR_CODABENCH)
    group.add_argument(
        "--codabench",
        metavar="DIR|FILE.zip",
        help="score nothing: write the bundle of a competition with these data sets and options there",
    )
    details = arguments.choice("details", DETAILS, after=" (default figures)")
    arguments.add_own(group, "--details", "what participants see of their results", **details)


def write_codabench(parsed: argparse.Namespace, request: RequestArguments) -> int:
    """Write the bundle, and print where it is."""
    from ..show.codabench import write_bundle
    from ..study.tasks.scoring import read_task
    from ..study.tasks.task import RANKING

    if parsed.output or parsed.format or parsed.spreadsheet:
        options = "--format, --output and --spreadsheet"
        raise OptionError(f"{options} are for tables, and --codabench writes none: leave them out")
    task = read_task(parsed.task, keys_only=True)
    replacing = {**request, **{name: getattr(parsed, name) for name in RANKING}}
    write_bundle(task.replaced(replacing), parsed.codabench, details=parsed.details or "figures")
    sys.stdout.write(f"{shown(parsed.codabench)}\n")
    return 0
