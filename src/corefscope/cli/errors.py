"""``corefscope errors``: where the points went."""

from __future__ import annotations

import argparse

from ..analysis.errors.kinds import ordered_kinds
from ..analysis.errors.slices import DIMENSIONS, OF_DOCUMENTS
from . import arguments
from .output import chosen_format, made, write

DESCRIPTION = """\
Show what is wrong with a response: kinds of errors, the points that each kind costs, the weakest parts of the
data, and examples in context."""
EXAMPLES = """\
examples:
  corefscope errors key.conllu response.conllu
  corefscope errors key.conllu response.conllu --kind divided --limit 20
  corefscope errors key.conllu response.conllu --document GUM_news_flag --metric lea
  corefscope errors key.conllu response.conllu --by mention-type --by distance
  corefscope errors key.conllu response.conllu --by 'genre=^GUM_([a-z]+)'
  corefscope errors key.conllu response.conllu -o errors.csv
"""
FEW, MANY = 2, 10  # examples of each kind, of all kinds and of those that were asked for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key", "response", *arguments.REQUEST)
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    parser.add_argument(
        "--metric",
        default="conll",
        metavar="NAME",
        help="the metric whose lost points are explained (default conll)",
    )
    shown = "metrics or groups that --by shows, separated by commas (default mentions,conll,lea)"
    arguments.add(parser, "--metrics", default="mentions,conll,lea", help=shown)
    kinds = {row.name: row.title for row in ordered_kinds()}
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
        type=arguments.natural,
        metavar="N",
        help=f"show N errors of each kind (default {FEW}, with --kind {MANY}, with --by none;"
        " all with --format json, csv and tsv)",
    )
    arguments.add(parser, *arguments.OUTPUT, "--jobs", "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Examine, say what is odd, print the errors."""
    from ..analysis.errors.examine import examine
    from ..output.formats import REPORTS

    everything = REPORTS[chosen_format(parsed)].for_programs
    limit = parsed.limit
    if limit is None and not everything:
        limit = MANY if parsed.kind else 0 if parsed.by else FEW
    result = made(
        parsed,
        examine,
        parsed.key,
        parsed.response,
        metric=parsed.metric,
        by=parsed.by,
        document=parsed.document,
        kinds=parsed.kind,
        examples=0 if everything else limit,
        limit=limit if everything else 0,
        intervals=not parsed.no_intervals,
        jobs=parsed.jobs,
        **arguments.request_arguments(parsed),
    )
    return write(result, parsed)
