"""``corefscope validate``: all problems of files at once."""

from __future__ import annotations

import argparse

from .files import add_file_format, add_files, natural
from .output import add_output, chosen_format, write

DESCRIPTION = (
    "Find all problems of files at once: what cannot be read or is lost (errors), and what is odd (warnings)."
    " Each has a line, a code and a hint. Exit code 1 if there is an error."
)
EXAMPLES = """\
examples:
  corefscope validate response.conllu
  corefscope validate key.conllu response.conllu --strict
  corefscope validate keys/*.conllu -o problems.json
  corefscope validate response.txt --file-format conll --limit 20
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    add_file_format(parser)
    add_output(parser)
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument(
        "--limit",
        type=natural,
        default=5,
        metavar="N",
        help="show N places of each code (default 5; all with --format json, csv and tsv)",
    )


def run(options: argparse.Namespace) -> int:
    """Validate one file after the other, and print what was found."""
    from ..show.formats import REPORTS
    from ..write.validate import Validation, inspect

    keep = None if REPORTS[chosen_format(options)].for_programs else options.limit
    inspections = [inspect(path, options.file_format, keep=keep) for path in options.files]
    validation = Validation(inspections, options.strict)
    write(validation, options)
    return 1 if validation.count("error") else 0
