"""``corefscope errors``: where points are lost."""

from __future__ import annotations

import argparse

from ..analysis.errors.examine import examine
from ..analysis.errors.kinds import ordered_kinds
from ..analysis.errors.slices import DIMENSIONS, OF_DOCUMENTS
from ..output.formats import REPORTS
from . import arguments
from .output import chosen_format, write
from .parser import one_of
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Show what is wrong with a response: kinds of errors, the points that each kind
costs, the weakest parts of the data, and examples in context."""
EXAMPLES = """\
examples:
  corefscope errors key.conllu response.conllu
  corefscope errors key.conllu response.conllu --kind divided --limit 20
  corefscope errors key.conllu response.conllu --document GUM_news_flag --metric lea
  corefscope errors key.conllu response.conllu --by mention-type --by distance
  corefscope errors key.conllu response.conllu --by 'genre=^GUM_([a-z]+)'
  corefscope errors key.conllu response.conllu -o errors.csv
"""
FEW, MANY = 2, 10  # examples of each kind, by default and with --kind


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser, "key", "response", *arguments.REQUEST)
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    metric = "the metric whose lost points are explained (default conll)"
    parser.add_argument("--metric", default="conll", metavar="NAME", help=metric)
    metrics = "metrics or groups for --by, separated by commas (default mentions,conll,lea)"
    arguments.add(parser, "--metrics", default="mentions,conll,lea", help=metrics)
    kinds = {row.name: row.title for row in ordered_kinds()}
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        type=one_of("kind of error", kinds),
        metavar="KIND",
        help=f"show errors of this kind only; may be repeated: {', '.join(kinds)}",
    )
    dimensions = arguments.explain_values({name: row.title for name, row in DIMENSIONS.items()} | OF_DOCUMENTS)
    text = f"score parts of the data (default: show the weakest parts); may be repeated: {dimensions}"
    parser.add_argument("--by", action="append", default=[], metavar="DIMENSION", help=text)
    parser.add_argument("--no-intervals", action="store_true", help="no bootstrap intervals for --by: faster")
    parser.add_argument(
        "--limit",
        type=arguments.natural,
        metavar="N",
        help=f"show N errors of each kind (default {FEW}; {MANY} with --kind; 0 with --by; all in json, csv and tsv)",
    )
    arguments.add(parser, "--document", *arguments.OUTPUT, "--jobs", "--quiet")


def run(parsed: argparse.Namespace) -> int:
    everything = REPORTS[chosen_format(parsed)].for_programs
    limit = parsed.limit
    if limit is None and not everything:
        limit = MANY if parsed.kind else 0 if parsed.by else FEW
    with ProgressBar(parsed.quiet) as progress:
        result = examine(
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
            progress=progress,
            **arguments.request_arguments(parsed),
        )
    warn(result.report.warnings, parsed.quiet)
    return write(result, parsed)
