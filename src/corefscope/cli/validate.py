"""``corefscope validate``: all problems of files at once."""

from __future__ import annotations

import argparse

from ..formats.validate.checking import OWN, PROFILES, SIDES
from . import arguments
from .arguments import PRINTED, printed_arguments
from .output import chosen_format, write

DESCRIPTION = """\
Find all problems of files at once: what cannot be read or is lost (errors), and what is odd (warnings). Each
has a line, a code and a hint. Exit code 1 if there is an error."""
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
    arguments.add(parser, "files", "--file-format", *PRINTED, *arguments.OUTPUT)
    arguments.add_own(
        parser,
        "--profile",
        "whose tests: our own, or those of UD",
        default=OWN,
        **arguments.choice("profile", PROFILES, after=f" (default {OWN})"),
    )
    arguments.add_own(
        parser,
        "--side",
        "check as a key, or as a response",
        **arguments.choice("side", SIDES, "what score refuses is an error: ", " (default: as what the file can be)"),
    )
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument(
        "--limit",
        type=arguments.natural,
        default=5,
        metavar="N",
        help="show N places of each code (default 5; all with --format json, csv and tsv)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Validate one file after the other, and print the problems."""
    from ..formats.validate import Validation, inspect
    from ..output.formats import REPORTS

    keep = None if REPORTS[chosen_format(parsed)].for_programs else parsed.limit
    further = {"profile": parsed.profile, "side": parsed.side, **printed_arguments(parsed)}
    inspections = [inspect(path, parsed.file_format, keep=keep, **further) for path in parsed.files]
    validation = Validation(inspections, parsed.strict, parsed.profile)
    write(validation, parsed)
    return 1 if validation.count("error") else 0
