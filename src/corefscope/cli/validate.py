"""``corefscope validate``: every problem of files."""

from __future__ import annotations

import argparse

from ..formats.validate import Validation, inspect
from ..formats.validate.checking import OWN, PROFILES, SIDES
from ..output.formats import REPORTS
from . import arguments
from .arguments import READING, printed_arguments
from .output import chosen_format, write

DESCRIPTION = """\
Check files and list every problem: errors (cannot be read, or would be lost)
and warnings (suspicious). Each has a line, a code and a hint. The exit code is
1 if there is an error."""
EXAMPLES = """\
examples:
  corefscope validate response.conllu
  corefscope validate key.conllu response.conllu --strict
  corefscope validate keys/*.conllu -o problems.json
  corefscope validate submission.conllu --profile ud
  corefscope validate gold.jsonl --side key
  corefscope validate printed.txt --skeleton key.conllu
  corefscope validate response.txt --file-format conll --limit 20
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "files", "--file-format", "--max-unpacked", *READING, *arguments.OUTPUT)
    profile = f"{arguments.explain_values(PROFILES)} (default {OWN})"
    parser.add_argument("--profile", values=PROFILES, default=OWN, help=profile)
    side = f"{arguments.explain_values(SIDES)} (default: whichever fits); what score refuses is an error"
    parser.add_argument("--side", values=SIDES, help=side)
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    limit = "show N places of each code (default 5; all in json, csv and tsv)"
    parser.add_argument("--limit", type=arguments.natural, default=5, metavar="N", help=limit)


def run(parsed: argparse.Namespace) -> int:
    """Validate one file after the other, and print the problems."""
    keep = None if REPORTS[chosen_format(parsed)].for_programs else parsed.limit
    further = {"profile": parsed.profile, "side": parsed.side, **printed_arguments(parsed)}
    inspections = [inspect(path, parsed.file_format, keep=keep, **further) for path in parsed.files]
    validation = Validation(inspections, parsed.strict, parsed.profile)
    write(validation, parsed)
    return 1 if validation.count("error") else 0
