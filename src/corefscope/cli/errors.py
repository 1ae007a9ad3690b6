"""``corefscope errors``: where points are lost."""

from __future__ import annotations

import argparse

from ..analysis.errors.examine import examine, kind_named
from ..analysis.errors.groups import GROUPINGS
from ..analysis.errors.kinds import ordered_kinds
from ..analysis.errors.slices import DIMENSIONS, OF_DOCUMENTS
from ..core.errors import OptionError
from ..output.formats import REPORTS
from . import arguments
from .output import chosen_format, write
from .parser import Parser
from .terminal import ProgressBar, warn

DESCRIPTION = """\
Show what is wrong with a response: kinds of errors, the points that each kind
costs, the mentions, documents and parts of the data where they are, and, if
requested, examples in context."""
EXAMPLES = """\
examples:
  corefscope errors key.conllu response.conllu
  corefscope errors key.conllu response.conllu --examples 2
  corefscope errors key.conllu response.conllu --kind "missing mention"
  corefscope errors key.conllu response.conllu --group-by text
  corefscope errors key.conllu response.conllu --document GUM_news_flag --metric lea
  corefscope errors key.conllu response.conllu --by mention-type --by distance
  corefscope errors key.conllu response.conllu --by 'genre=^GUM_([a-z]+)'
  corefscope errors key.conllu response.conllu --labels classes.csv
      scores by the classes that a file gives to mentions, and which are confused
  corefscope errors key.conllu response.conllu -o errors.csv
"""
MANY = 10  # examples of each kind with --kind


def add_arguments(parser: Parser) -> None:
    arguments.add(parser, "key", "response", *arguments.REQUEST)
    arguments.add_example(parser)
    arguments.add(parser, "--baseline", help=arguments.NO_BASELINE)
    metric = "the metric whose lost points are explained (default: conll; for tables pairs)"
    parser.add_argument("--metric", metavar="NAME", help=metric)
    metrics = "metrics or groups for --by, separated by commas (default mentions,conll,lea)"
    arguments.add(parser, "--metrics", default="mentions,conll,lea", help=metrics)
    kinds = {row.name: row.title for row in ordered_kinds()}
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        type=_kind,
        metavar="KIND",
        help="show errors of this kind only, with examples, named as printed ('missing mention') or by an id; may be"
        f" repeated: {', '.join(kinds)}",
    )
    groupings = arguments.explain_values(GROUPINGS)
    text = f"show the groups of errors, the costliest first; may be repeated: {groupings}"
    parser.add_argument("--group-by", action="append", default=[], metavar="GROUPING", help=text)
    parser.add_argument(
        "--examples",
        type=arguments.natural,
        metavar="N",
        help=f"show N errors of each kind in context (default 0; {MANY} with --kind)",
    )
    dimensions = arguments.explain_values({name: row.title for name, row in DIMENSIONS.items()} | OF_DOCUMENTS)
    text = f"score parts of the data (default: show the weakest parts); may be repeated: {dimensions}"
    parser.add_argument("--by", action="append", default=[], metavar="DIMENSION", help=text)
    arguments.add(parser, "--labels")
    parser.add_argument("--no-intervals", action="store_true", help="no bootstrap intervals for --by: faster")
    parser.add_argument(
        "--limit",
        type=arguments.natural,
        metavar="N",
        help="list N errors of each kind in json, csv and tsv (default: all); elsewhere the same as --examples",
    )
    arguments.add(parser, "--document", *arguments.OUTPUT, "--jobs", "--quiet")


def _kind(value: str) -> str:
    """A kind of error by its name or title; a mistyped one gets a suggestion."""
    try:
        return kind_named(value)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(parsed: argparse.Namespace) -> int:
    everything = REPORTS[chosen_format(parsed)].for_programs
    examples = next((n for n in (parsed.examples, parsed.limit) if n is not None), MANY if parsed.kind else 0)
    with ProgressBar(parsed.quiet) as progress:
        result = examine(
            parsed.key,
            parsed.response,
            metric=parsed.metric,
            by=parsed.by,
            labels=parsed.labels,
            group_by=parsed.group_by,
            document=parsed.document,
            kinds=parsed.kind,
            examples=0 if everything else examples,
            limit=parsed.limit if everything else 0,
            intervals=not parsed.no_intervals,
            jobs=parsed.jobs,
            progress=progress,
            **arguments.request_arguments(parsed),
        )
    warn(result.report.warnings, parsed.quiet)
    return write(result, parsed)
