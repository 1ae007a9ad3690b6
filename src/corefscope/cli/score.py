"""``corefscope score``: one response against one key."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..core.errors import OptionError
from ..core.report import Report
from . import arguments
from .output import add_output_or_picture, chosen_format, in_tables, made, write
from .terminal import complain

if TYPE_CHECKING:
    from ..formats.settings import SettingsReport
    from .gate import Gate


MANY_ROWS = 5_000_000
"""Rows of a table: who scores more in memory is told of --engine."""
DESCRIPTION = "Score a response against a key over the same words; formats are recognised."
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
  corefscope score key.csv response.csv --metrics linkage --fail-under pairs.precision=98%
      the measures of record linkage; exit code 3 if the pairwise precision is lower
  corefscope score key.csv response.csv --entities entities.csv
      also what became of each entity of the key
  corefscope score truth.parquet clusters.parquet --engine duckdb --memory 4GB --temp /scratch
      tables that do not fit into memory
  corefscope score linked.parquet --engine duckdb --key-column person --response-column 'cluster_*'
      one table with the true entity and the cluster at several thresholds
"""
TABLES = {"--entities": "key", "--response-entities": "response"}
"""The options that write a table of entities, and the side whose entities they are."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.usage = "%(prog)s KEY RESPONSE [options]"  # one table may have both
    arguments.add(parser, "key")
    arguments.add(parser, "response", nargs="?")
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--baseline")
    arguments.add(parser, "--settings", "--per-document")
    for option, side in TABLES.items():
        arguments.add_own(
            parser,
            option,
            f"a table of the {side}'s entities",
            metavar="FILE",
            help=f"also write what became of each {side} entity: its size, pieces, largest piece, missing and foreign"
            f" mentions (.csv, .tsv or .parquet)",
        )
    arguments.add_own(
        parser,
        "--fail-under",
        "exit code 3 if a score is less",
        action="append",
        metavar="METRIC[.FIGURE]=X",
        help="exit code 3 if a score is less, as pairs.precision=98%%,conll=70%%; 98%%, 98 and 0.98 are the same."
        " Without .recall, .precision, .f1 or .value, F1 or the value counts; what has nothing to count fails."
        " Metrics that are named here are scored, too",
    )
    add_output_or_picture(parser, "recall against precision")
    arguments.add_own(
        parser,
        "--no-rules-note",
        "no comparison with the corrected rules",
        action="store_true",
        help="do not compare with the corrected rules (a note says when they give other scores)",
    )
    arguments.add(parser, "--jobs", "--quiet")
    arguments.add(parser, "--engine", *arguments.WITH_ENGINE)


def run(parsed: argparse.Namespace) -> int:
    """Score, say what is odd, print the report, and say which scores are too low."""
    from ..formats.files import score, score_settings
    from ..output.results.score import note_on_rules

    request = arguments.request_arguments(parsed)
    missed: Gate | None = None
    result: Report | SettingsReport
    if parsed.fail_under:
        from .gate import gate

        missed = gate(parsed, request)
    if parsed.engine is not None:
        from . import engines

        result = engines.score(parsed, request)
        write(result, parsed)
        return missed(result) if missed else 0
    _check_absent(parsed)
    request["digests"] = chosen_format(parsed) == "json"
    tables = _tables(parsed)
    files = parsed.key, parsed.response
    if parsed.settings is not None:
        result = made(parsed, score_settings, *files, parsed.settings, jobs=parsed.jobs, **request)
    else:
        compare_rules = not (parsed.no_rules_note or request.get("baseline"))
        further: dict[str, Any] = {"compare_rules": compare_rules, "jobs": parsed.jobs, **request}
        result = _with_tables(parsed, tables, further) if tables else made(parsed, score, *files, **further)
        if not parsed.quiet and (note := note_on_rules(result)):
            complain("note", f"{note} (--no-rules-note silences this)")
    if not parsed.quiet and any(side.format == "table" and side.mentions > MANY_ROWS for side in result.inputs):
        complain("note", f"tables of more than {MANY_ROWS:,} rows take less memory with --engine duckdb")
    write(in_tables(result, parsed), parsed)
    return missed(result) if missed else 0


def _tables(parsed: argparse.Namespace) -> dict[str, str]:
    """The files that tables of entities go to, by side, once it is known that they can be written."""
    named = zip(TABLES.values(), (parsed.entities, parsed.response_entities), strict=True)
    tables = {side: path for side, path in named if path is not None}
    if tables and parsed.settings is not None:
        raise OptionError("tables of entities are of one setting: leave --settings out")
    if tables:
        from ..formats.tables.writer import check_table
        from ..formats.target import Target, refuse_overwriting

        if parsed.output:
            Target(parsed.output).check()  # a table must not be written if the report cannot be
        for path in tables.values():
            check_table(path)
            refuse_overwriting(path, [parsed.key, parsed.response])
        if len({*tables.values()}) < len(tables):
            raise OptionError("the tables of both sides go to one file: name two")
    return tables


def _with_tables(parsed: argparse.Namespace, tables: dict[str, str], further: dict[str, Any]) -> Report:
    """The report, once the tables of entities are written."""
    from ..analysis.entities import COLUMNS, score_entities
    from ..formats.tables.writer import write_table

    scored = made(parsed, score_entities, parsed.key, parsed.response, **further)
    for side, path in tables.items():
        write_table(path, COLUMNS, getattr(scored, side), spreadsheet=parsed.spreadsheet)
    return scored.report


def _check_absent(parsed: argparse.Namespace) -> None:
    """Refuse what needs an engine."""
    for option in arguments.WITH_ENGINE:
        if getattr(parsed, option.removeprefix("--").replace("-", "_")) is not None:
            raise OptionError(f"{option} needs --engine")
    if parsed.response is None:
        raise OptionError("the following arguments are required: RESPONSE")
