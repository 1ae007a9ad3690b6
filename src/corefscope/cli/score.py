"""``corefscope score``: one response against one key.

``--engine`` scores tables in a database engine, which keeps on disk what does not fit into memory.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..core.errors import OptionError, Warnings
from ..core.naming import split_names
from ..core.report import Report
from ..core.request import Request, RequestArguments
from ..formats.files import score
from ..formats.reading import open_corpus
from ..formats.tables.columns import columns_in
from ..formats.target import Target, refuse_overwriting
from ..output.results.score import note_on_rules
from . import arguments
from .output import add_output_or_picture, call_with_progress, chosen_format, for_display, write
from .parser import Parser
from .terminal import ProgressBar, complain, warn

if TYPE_CHECKING:
    from ..formats.settings import SettingsReport
    from .thresholds import Threshold

DESCRIPTION = "Score a response against a key over the same words. Formats are detected."
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
  corefscope score keys/ responses/ --keep-going
      many files, paired by name; those with faults are left out
  corefscope score key.conllu response.conllu --baseline simple.conllu
      0 is the score of a simple system, 100 that of a perfect response
  corefscope score key.conll response.conll --documents topic --topic '(\\d+)_'
      cross-document coreference within topics
  corefscope score key.csv response.csv --metrics linkage --fail-under pairs.precision=98%
      metrics of record linkage; exit code 3 if pairwise precision is lower
  corefscope score key.csv response.csv --entity-column truth,cluster
      columns of other names: first that of the key
  corefscope score linked.csv --entity-column truth,cluster
      one table with the entities of both sides
  corefscope score key.csv response.csv --entities entities.csv
      also write how each key entity was resolved
  corefscope score truth.parquet clusters.parquet --engine duckdb --memory 4GB --temp /scratch
      tables that do not fit into memory
  corefscope score linked.parquet --engine duckdb --key-column person --response-column 'cluster_*'
      one table with the true entity and the cluster at several thresholds
  corefscope score checked.csv clusters.csv --sampled-key uniform
      a key of some entities only
  corefscope score key.jsonl response.jsonl --windows 500,1500,4000
      what distance costs in long texts
"""
TABLES = {"--entities": "key", "--response-entities": "response"}
"""The options that write a table of entities, and the side whose entities they are."""
MANY_ROWS = 5_000_000  # of a table: above, a note recommends --engine
ONE_TABLE = "or one table with the entities of both sides: --entity-column KEY_NAME,RESPONSE_NAME"
NOT_WITH_ENGINE = {
    "average": "the scores of documents stay in the engine",
    "keep_going": "tables have no faults of their own: see --duplicates",
    "jobs": "--threads sets the number of threads of an engine",
    "settings": "score several columns at once by --response-column NAME,NAME; other options need one command each",
}


def add_arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s KEY RESPONSE [options]"  # one table may have both
    arguments.add(parser, "key")
    arguments.add(parser, "response", nargs="?")
    arguments.add_example(parser)
    arguments.add(parser, *arguments.REQUEST, "--metrics", "--baseline", "--weights", "--settings", "--per-document")
    for option, side in TABLES.items():
        parser.add_argument(
            option,
            metavar="FILE",
            help=f"write a table of {side} entities (.csv, .tsv or .parquet): size, pieces, largest piece, missing"
            " and foreign mentions",
        )
    parser.add_argument(
        "--fail-under",
        action="append",
        metavar="METRIC[.FIGURE]=X",
        help="exit with code 3 if a score is below X, such as pairs.precision=98%%,conll=70%% (98%%, 98 and 0.98 are"
        " the same). FIGURE is recall, precision, f1 or value (default: F1 or the value)",
    )
    add_output_or_picture(parser, "recall against precision")
    parser.add_argument(
        "--more-keys",
        nargs="+",
        metavar="FILE",
        help="further keys of the same text: best, mean and worst score over all keys, beside those of keys against"
        " each other",
    )
    parser.add_argument(
        "--sampled-key",
        metavar="uniform|size|COLUMN",
        help="the key has a sample of the entities: estimate precision and recall of pairs, B³ and clusters, with"
        " intervals. Entities were sampled at random (uniform), or mentions were (size), or COLUMN of the key has"
        " weights",
    )
    arguments.add(parser, "--average")
    parser.add_argument(
        "--no-rules-note",
        action="store_true",
        help="no note where the corrected rules give other scores",
    )
    arguments.add(parser, "--keep-going", "--jobs", "--quiet", "--engine", *arguments.WITH_ENGINE)


def run(parsed: argparse.Namespace) -> int:
    chosen = parsed.sampled_key
    request = arguments.request_arguments(parsed, ("sampled_key",))
    if chosen is None and parsed.sampled_key is not None:  # of a signature
        from ..measures.sampled_key import sampled_in

        parsed.sampled_key = sampled_in(parsed.sampled_key)
    thresholds = _thresholds(parsed)
    sizes = _window_sizes(parsed, request)
    scored = _default_metrics(parsed, request) if thresholds and parsed.settings is None else ()
    if unscored := [one.metric for one in thresholds if scored and one.metric not in scored]:
        request["metrics"] = [*scored, *unscored]
    result: Report | SettingsReport
    if parsed.sampled_key is not None:
        return _score_sampled_key(parsed, request)
    if parsed.more_keys is not None:
        return _score_key_set(parsed, request)
    if parsed.engine is not None:
        result = _score_in_engine(parsed, request)
        write(result, parsed)
    else:
        result = _score_files(parsed, request, sizes)
        if isinstance(result, Report):
            (report,) = for_display({"": result}, parsed).values()
            if parsed.average:
                from ..comparison.mean_report import AveragedReport

                report = AveragedReport.of(report)
            write(report, parsed)
        else:
            write(type(result)(for_display(result, parsed)), parsed)
    for fault in result.missing:
        complain("error", str(fault))
    code = 0
    if thresholds:
        from .thresholds import check_thresholds

        code = check_thresholds(thresholds, {"": result} if isinstance(result, Report) else result)
    return 1 if result.missing else code


def _thresholds(parsed: argparse.Namespace) -> tuple[Threshold, ...]:
    if not parsed.fail_under:
        return ()
    from .thresholds import parse_thresholds

    return parse_thresholds(parsed.fail_under)


TABLE_NAMES = tuple(option[2:].replace("-", "_") for option in TABLES)
NOT_WITH_KEYS = ("settings", "average", "fail_under", "keep_going", *TABLE_NAMES)
"""Options for one report, which a set of keys and a sampled key do not have."""


def _refuse(parsed: argparse.Namespace, option: str, names: Iterable[str]) -> None:
    for name in names:
        if getattr(parsed, name) not in (None, False):
            raise OptionError(f"--{name.replace('_', '-')} and {option} cannot be combined")


def _window_sizes(parsed: argparse.Namespace, request: RequestArguments) -> str:
    """The sizes of windows of a curve; empty if there is none."""
    sizes = str(request.get("windows") or "")
    if "," not in sizes:
        return ""
    others = "settings", "average", "sampled_key", "more_keys", "engine"
    _refuse(parsed, "several --windows", (*others, *TABLE_NAMES))
    parsed.windows = None
    del request["windows"]
    return sizes


def _score_sampled_key(parsed: argparse.Namespace, request: RequestArguments) -> int:
    """Estimates from a key that is a sample, in memory or in an engine."""
    _refuse(parsed, "--sampled-key", (*NOT_WITH_KEYS, "more_keys", "per_document", "documents_output"))
    if parsed.engine is not None:
        return write(_score_in_engine(parsed, request), parsed)
    _name_files(parsed, request)
    from ..measures.sampled_key import score_sampled_key

    inputs = parsed.key, parsed.response, parsed.sampled_key
    return write(call_with_progress(parsed, score_sampled_key, *inputs, jobs=parsed.jobs, **request), parsed)


def _score_key_set(parsed: argparse.Namespace, request: RequestArguments) -> int:
    _refuse(parsed, "--more-keys", (*NOT_WITH_KEYS, "engine"))
    if parsed.response is None:
        raise OptionError("the following arguments are required: RESPONSE")
    from ..comparison.key_sets import score_keys

    request["digests"] = chosen_format(parsed) == "json"
    keys = [parsed.key, *parsed.more_keys]
    return write(call_with_progress(parsed, score_keys, keys, parsed.response, **request), parsed)


def _default_metrics(parsed: argparse.Namespace, arguments: RequestArguments) -> tuple[str, ...]:
    """The metrics that are scored unless a threshold asks for more: of a key in a file, those of its format."""
    request = Request(arguments)
    if not request.metrics_are_open:
        return request.metrics
    if parsed.engine is not None:
        return request.complete(["table"]).metrics
    if parsed.key == "-" or not os.path.exists(parsed.key):
        return request.metrics
    key = open_corpus(request, parsed.key, parsed.response or parsed.key, Warnings()).peek_format()
    return request.complete(key.formats).metrics


def _name_files(parsed: argparse.Namespace, request: RequestArguments) -> None:
    """Check that no option needs an engine, and name columns and the response, which may be in the key's table."""
    for option in arguments.ENGINE_ONLY:
        if getattr(parsed, option.removeprefix("--").replace("-", "_")) is not None:
            raise OptionError(f"{option} needs --engine")
    _name_entities(parsed, request)
    if parsed.response is None:
        if not columns_in(request).has_both_entities:
            raise OptionError(f"the following arguments are required: RESPONSE ({ONE_TABLE})")
        parsed.response = parsed.key
    request["digests"] = chosen_format(parsed) == "json"


def _score_files(parsed: argparse.Namespace, request: RequestArguments, sizes: str) -> Report | SettingsReport:
    """The scores of files, also in windows of several sizes; tables of entities are written, too."""
    _name_files(parsed, request)
    tables = _entity_tables(parsed)
    result: Report | SettingsReport
    if parsed.settings is not None and parsed.average:
        raise OptionError("--average and --settings cannot be combined: each setting needs a command of its own")
    own = {"keep_going": parsed.keep_going, "jobs": parsed.jobs}
    if sizes:
        from ..measures.windows import score_windows

        return call_with_progress(parsed, score_windows, parsed.key, parsed.response, sizes, **own, **request)
    if parsed.settings is not None:
        from ..formats.settings import score_settings

        inputs = parsed.key, parsed.response, parsed.settings
        result = call_with_progress(parsed, score_settings, *inputs, **own, **request)
    else:
        compare_rules = not (parsed.no_rules_note or request.get("baseline") or request.get("weights"))
        if tables:
            if parsed.keep_going:
                raise OptionError("--keep-going and tables of entities cannot be combined")
            result = _score_entities(parsed, tables, compare_rules, request)
        else:
            own["compare_rules"] = compare_rules
            result = call_with_progress(parsed, score, parsed.key, parsed.response, **own, **request)
        if not parsed.quiet and (note := note_on_rules(result)):
            complain("note", f"{note} (--no-rules-note silences this)")
    if not parsed.quiet and any(side.format == "table" and side.mentions > MANY_ROWS for side in result.inputs):
        complain("note", f"tables of more than {MANY_ROWS:,} rows take less memory with --engine duckdb")
    return result


def _entity_tables(parsed: argparse.Namespace) -> dict[str, str]:
    """The files that tables of entities go to, by side, once it is known that they can be written."""
    named = zip(TABLES.values(), (parsed.entities, parsed.response_entities), strict=True)
    tables = {side: path for side, path in named if path is not None}
    if tables and parsed.settings is not None:
        raise OptionError("tables of entities are for one setting: leave --settings out")
    if tables and parsed.output:
        Target(parsed.output).check()  # a table must not be written if the report cannot be
    for path in tables.values():
        from ..formats.tables.writer import check_table  # 20 ms, for tables of entities only

        check_table(path)
        refuse_overwriting(path, [parsed.key, parsed.response])
    if len({*tables.values()}) < len(tables):
        raise OptionError("the tables of both sides go to one file: name two")
    return tables


def _score_entities(
    parsed: argparse.Namespace, tables: Mapping[str, str], compare_rules: bool, request: RequestArguments
) -> Report:
    """The report, once the tables of entities are written."""
    from ..analysis.entities import COLUMNS, score_entities
    from ..formats.tables.writer import write_table

    own = {"compare_rules": compare_rules, "jobs": parsed.jobs}
    with ProgressBar(parsed.quiet) as progress:
        scored = score_entities(parsed.key, parsed.response, progress=progress, **own, **request)
    warn(scored.report.warnings, parsed.quiet)
    for side, path in tables.items():
        write_table(path, COLUMNS, getattr(scored, side), spreadsheet=parsed.spreadsheet)
    return scored.report


def _name_entities(parsed: argparse.Namespace, request: RequestArguments) -> None:
    """Take --key-column and --response-column for the two names of --entity-column."""
    names = parsed.key_column, parsed.response_column
    if names == (None, None):
        return
    if parsed.entity_column is not None:
        raise OptionError("--entity-column names both columns: leave --key-column and --response-column out")
    if names[1] and ("," in names[1] or "*" in names[1]):
        raise OptionError("several columns of the response are scored by an engine only: --engine duckdb")
    request["entity_column"] = names


def _score_in_engine(parsed: argparse.Namespace, request: RequestArguments) -> Report | SettingsReport:
    """The scores of tables in a database engine; those of several columns by name."""
    from ..scale.tables import score_tables

    if parsed.engine == "spark":
        raise OptionError(
            "--engine spark: pass your session in Python: corefscope.score_tables(key, response, engine=session)"
        )
    for name, reason in NOT_WITH_ENGINE.items():
        if getattr(parsed, name) not in (None, False):
            raise OptionError(f"--{name.replace('_', '-')} and --engine cannot be combined: {reason}")
    has_both = (parsed.key_column and parsed.response_column) or columns_in(request).has_both_entities
    if parsed.response is None and not has_both:
        raise OptionError(f"the following arguments are required: RESPONSE ({ONE_TABLE})")
    tables = [parsed.key] if parsed.response is None else [parsed.key, parsed.response]
    own = {
        "documents_to": parsed.documents_output,
        "entities_to": parsed.entities,
        "response_entities_to": parsed.response_entities,
    }
    for path in filter(None, own.values()):
        refuse_overwriting(path, tables)
    for role in ("key", "response"):
        if (column := getattr(parsed, f"{role}_column")) is not None:
            own[role] = column
    if "response" in own:
        names = split_names(own["response"])
        own["response"] = names if len(names) > 1 or "*" in names[0] else names[0]
    for name in ("engine", "memory", "temp", "threads", "duplicates", "per_document", "sampled_key"):
        own[name] = getattr(parsed, name)
    own["spreadsheet"] = parsed.spreadsheet or None
    return call_with_progress(parsed, score_tables, *tables, **own, **request)
