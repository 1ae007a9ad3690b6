"""``corefscope errors``: where the points went."""

from __future__ import annotations

import argparse

from ..study.faults.features import DIMENSIONS
from ..study.faults.slices import OF_DOCUMENTS
from ..study.faults.taxonomy import KINDS, ZERO_KINDS
from . import arguments
from .output import add_output, chosen_format, destination
from .terminal import Progress, warn

DESCRIPTION = (
    "Show what is wrong with a response: kinds of errors, the points that each kind costs, the weakest parts of the"
    " data, and examples in context."
)
EXAMPLES = """\
examples:
  corefscope errors key.conllu response.conllu
  corefscope errors key.conllu response.conllu --kind divided --limit 20
  corefscope errors key.conllu response.conllu --document GUM_news_flag --metric lea
  corefscope errors key.conllu response.conllu --by mention-type --by distance
  corefscope errors key.conllu response.conllu --by 'genre=^GUM_([a-z]+)'
  corefscope errors key.conllu response.conllu -o errors.csv
"""
FORMATS = {
    "text": "a summary for people",
    "json": "everything, as described by a JSON Schema",
    "csv": "a row for each error, or with --by for each slice",
}
NARROWEST = 40  # columns in which examples can be read
FEW, MANY = 2, 10  # examples of each kind, of all kinds and of those that were asked for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add_key(parser)
    parser.add_argument("response", metavar="RESPONSE", help="the response, likewise")
    arguments.add_request(parser)
    arguments.add_baseline(parser)
    parser.add_argument(
        "--metric",
        default="conll",
        metavar="NAME",
        help="the metric whose lost points are explained (default conll)",
    )
    parser.add_argument(
        "--metrics",
        default="mentions,conll,lea",
        metavar="NAMES",
        help="metrics or groups that --by shows, separated by commas (default mentions,conll,lea)",
    )
    kinds = {**KINDS, **{kind: title for kind, (title, _) in ZERO_KINDS.items()}}
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        type=arguments.one_of("kind of error", kinds),
        metavar="KIND",
        help=f"show errors of this kind only ({', '.join(kinds)}); may be repeated",
    )
    parser.add_argument("--document", metavar="ID", help="look at this document only")
    dimensions = {name: row.title for name, row in DIMENSIONS.items()} | OF_DOCUMENTS
    parser.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="DIMENSION",
        help="score parts of the data: "
        + "; ".join(f"{name}: {title}" for name, title in dimensions.items())
        + "; may be repeated; without it, the worst parts of all are named",
    )
    parser.add_argument("--no-intervals", action="store_true", help="no bootstrap intervals for --by: faster")
    parser.add_argument(
        "--limit",
        type=_count,
        metavar="N",
        help=f"show N errors of each kind (default {FEW}, with --kind {MANY}; all with --format json and csv)",
    )
    add_output(parser, FORMATS)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Examine, print what was found."""
    from ..study.faults.examine import examine

    format_ = chosen_format(options)
    text = format_ == "text"
    limit = options.limit
    if text and limit is None:
        limit = MANY if options.kind else 0 if options.by else FEW
    with Progress(options.quiet) as progress:
        found = examine(
            options.key,
            options.response,
            metric=options.metric,
            by=options.by,
            document=options.document,
            kinds=options.kind,
            examples=limit if text else 0,
            limit=0 if text else limit,
            intervals=not options.no_intervals,
            progress=progress,
            **arguments.request_arguments(options),
        )
    warn(options, found.report.warnings)
    with destination(options) as (put, colour):
        if text:
            from ..show.columns import terminal_width
            from ..show.results.errors_text import render

            put(render(found, max(terminal_width(), NARROWEST), colour))
        else:
            from ..show.results import errors_data

            put(errors_data.to_json(found) if format_ == "json" else errors_data.to_csv(found))
    return 0


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of errors")
    return int(text)
