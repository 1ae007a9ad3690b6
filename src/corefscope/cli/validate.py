"""``corefscope validate``: every problem of files; ``stats``: counts of their words, mentions and entities."""

from __future__ import annotations

import argparse
from typing import Any

from ..core.errors import CorefscopeError, Warnings
from ..formats.paths import files_named
from ..formats.source import refuse_pipes
from ..formats.stats import DocumentClasses, StatisticsReport, file_statistics, largest_document
from ..formats.validate import Validation, inspect
from ..formats.validate.checking import OWN, PROFILES, SIDES
from ..output.formats import REPORTS
from . import arguments
from .arguments import READING, printed_arguments
from .output import add_output_or_picture, chosen_format, draws, write
from .parser import CommandParts, Parser
from .terminal import warn

DESCRIPTION = """\
Check files and list every problem: errors (cannot be read, or would be lost)
and warnings (suspicious). Each has a line, a code and a hint. The exit code is
1 if there is an error."""
EXAMPLES = """\
examples:
  corefscope validate response.conllu
  corefscope validate key.conllu response.conllu --strict
  corefscope validate keys/ -o problems.json
  corefscope validate submission.conllu --profile ud
  corefscope validate gold.jsonl --side key
  corefscope validate printed.txt --skeleton key.conllu
  corefscope validate response.txt --file-format conll --limit 20
"""
MOST = 5  # places of a code
FEW_CODES, MANY_CODES = 3, 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser, "files", help=arguments.PATHS)
    arguments.add(parser, "--file-format", "--max-unpacked", *READING, *arguments.OUTPUT)
    profile = f"{arguments.explain_values(PROFILES)} (default {OWN})"
    parser.add_argument("--profile", values=PROFILES, default=OWN, help=profile)
    side = f"{arguments.explain_values(SIDES)} (default: whichever fits); what score refuses is an error"
    parser.add_argument("--side", values=SIDES, help=side)
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    limit = f"show N places of each code (default {MOST}, fewer of many codes; all in json, csv and tsv)"
    parser.add_argument("--limit", type=arguments.natural, metavar="N", help=limit)


def run(parsed: argparse.Namespace) -> int:
    keep = MOST if parsed.limit is None else parsed.limit
    keep = None if REPORTS[chosen_format(parsed)].for_programs else keep
    further = {"profile": parsed.profile, "side": parsed.side, **printed_arguments(parsed)}
    files = [file for name in parsed.files for file in files_named(name)]
    inspections = [inspect(path, parsed.file_format, keep=keep, **further) for path in files]
    if keep and parsed.limit is None and (codes := sum(1 + len(one.counts) for one in inspections) - 1) > FEW_CODES:
        keep = 2 if codes <= MANY_CODES else 1  # so that they fit on one screen
        inspections = [one.with_first(keep) for one in inspections]
    validation = Validation(inspections, parsed.strict, parsed.profile)
    write(validation, parsed)
    return 1 if validation.count("error") else 0


def _add_stats_arguments(parser: Parser) -> None:
    arguments.add(parser, "files", "--file-format", "--per-document", *READING, "--max-unpacked")
    parser.add_argument("--total", action="store_true", help="also show the total of all files")
    add_output_or_picture(parser, "the entities of the largest document, their sizes, and the bounds of MUC")
    arguments.add(parser, "--quiet")


def _run_stats(parsed: argparse.Namespace) -> int:
    chosen_format(parsed)
    warnings = Warnings()
    files = [
        file_statistics(path, parsed.file_format, warnings, **printed_arguments(parsed)) for path in parsed.files
    ]
    classes: list[DocumentClasses] = []
    if draws(parsed) and len(files) > 1:
        reading: Any = {"key_format": parsed.file_format, "response_format": parsed.file_format}
        try:
            refuse_pipes(parsed.files, "it is compared after it is counted")
            classes = largest_document(parsed.files[0], parsed.files[1:], **reading, **printed_arguments(parsed))
        except CorefscopeError as error:
            message = f"only sizes and bounds are drawn, because files cannot be compared: {error}"
            warnings.add("picture", parsed.files[0], 0, message, harmless=True)
    warn(warnings, parsed.quiet)
    return write(StatisticsReport(files, parsed.total, tuple(warnings), classes), parsed)


STATS = CommandParts(
    """\
Count words, mentions and entities of files, with nested mentions and the
lengths of chains.""",
    """\
examples:
  corefscope stats key.conllu
  corefscope stats key.conllu response.conllu
      side by side, to see where a system finds more or fewer
  corefscope stats key.conllu --per-document
  corefscope stats train.conllu dev.conllu test.conllu --total
  corefscope stats *.conllu -o stats.json
  corefscope stats key.conllu response.conllu -o profiles.svg
""",
    _add_stats_arguments,
    _run_stats,
)
