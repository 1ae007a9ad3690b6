"""``corefscope score``: one response against one key."""

from __future__ import annotations

import argparse

from ..base.annotations import TYPE_CHECKING
from ..base.errors import OptionError
from ..base.numbers import headline
from ..count.metrics import METRICS, headline_metric
from ..evaluate.results import Report
from . import arguments
from .output import add_output_or_picture, chosen_format, made, write
from .terminal import complain

if TYPE_CHECKING:
    from ..evaluate.settings import SettingsReport

MANY_ROWS = 5_000_000
"""Rows of a table: who scores more in memory is told of --engine."""
DESCRIPTION = "Score a response against a key over the same words, in any of the formats (recognised by content)."
EXAMPLES = """\
examples:
  corefscope score key.conllu response.conllu
      the official CorefUD scores: head match, zeros by dependencies, no singletons
  corefscope score key.conllu response.conllu --match exact --singletons keep
  corefscope score key.conllu response.conllu --rules corrected
      the same without the bugs of the official scorer
  corefscope score key.conllu response.conllu --metrics conll,lea --per-document
  corefscope score key.conllu.gz - --format json < response.conllu
  corefscope score key.conll response.jsonl --preset conll12
  corefscope score key.conllu response.conllu --settings crac -o table.tex
  corefscope score keys/ responses/
      many files, paired by name
  corefscope score key.conllu response.conllu --baseline simple.conllu
      0 is what a simple system scores, 100 still a perfect response
  corefscope score key.conll response.conll --documents topic --topic '(\\d+)_'
      cross-document coreference within topics
  corefscope score truth.parquet clusters.parquet --engine duckdb --memory 4GB --temp /scratch
      tables that do not fit into memory
  corefscope score linked.parquet --engine duckdb --key-column person --response-column 'cluster_*'
      one table with the true entity and the cluster at several thresholds
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "key")
    arguments.add(parser, "response", nargs="?")
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--baseline")
    parser.add_argument(
        "--settings",
        metavar="LIST",
        help="score in several ways at once: 'crac' for what the CRAC organisers publish, or a list such as"
        " head,exact+keep,partial+corrected of what differs from the options",
    )
    arguments.add(parser, "--per-document")
    add_output_or_picture(parser, "recall against precision")
    parser.add_argument(
        "--no-rules-note",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give other scores)",
    )
    arguments.add(parser, "--jobs", "--quiet")
    arguments.add(parser.add_argument_group("tables of any size, CSV or Parquet"), "--engine", *arguments.WITH_ENGINE)


def run(parsed: argparse.Namespace) -> int:
    """Score, say what is odd, print the report."""
    from ..evaluate.files import score, score_settings

    request = arguments.request_arguments(parsed)
    if parsed.engine is not None:
        from . import engines

        return write(engines.score(parsed, request), parsed)
    _check_absent(parsed)
    request["digests"] = chosen_format(parsed) == "json"
    files = parsed.key, parsed.response
    result: Report | SettingsReport
    if parsed.settings is not None:
        result = made(parsed, score_settings, *files, parsed.settings, jobs=parsed.jobs, **request)
    else:
        compare_rules = not (parsed.no_rules_note or request.get("baseline"))
        result = made(parsed, score, *files, compare_rules=compare_rules, jobs=parsed.jobs, **request)
        if not parsed.quiet:
            _note_on_rules(result)
    if not parsed.quiet and any(side.format == "table" and side.mentions > MANY_ROWS for side in result.inputs):
        complain("note", f"tables of more than {MANY_ROWS:,} rows take less memory with --engine duckdb")
    return write(result, parsed)


def _check_absent(parsed: argparse.Namespace) -> None:
    """Refuse what needs an engine."""
    for option in arguments.WITH_ENGINE:
        if getattr(parsed, option.removeprefix("--").replace("-", "_")) is not None:
            raise OptionError(f"{option} needs --engine")
    if parsed.response is None:
        raise OptionError("the following arguments are required: RESPONSE")


def _note_on_rules(report: Report) -> None:
    """One line if the corrected rules give other scores; the metric to speak of comes first."""
    other = report.alternative
    if other is None or not other.differing:
        return
    first = headline_metric(list(other.differing))
    parts: list[str] = []
    for name in (first, *(name for name in other.differing if name != first)):
        chosen, reference = (100 * headline(score) for score in other.differing[name])
        digits = next(n for n in range(2, 11) if round(chosen, n) != round(reference, n))
        title = METRICS[name].title
        if parts:
            parts.append(f"{title} {chosen:.{digits}f} but {reference:.{digits}f}")
        else:
            rules = f"under rules {report.options.rules} but {reference:.{digits}f} under {other.rules}"
            parts.append(f"{title} is {chosen:.{digits}f} {rules}")
    complain("note", f"{'; '.join(parts)} (--no-rules-note silences this)")
