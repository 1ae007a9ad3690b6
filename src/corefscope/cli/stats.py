"""``corefscope stats``: counts of words, mentions and entities, file by file."""

from __future__ import annotations

import argparse

from ..core.errors import Warnings
from ..formats.stats import StatisticsReport, file_statistics
from . import arguments
from .arguments import READING, printed_arguments
from .output import add_output_or_picture, chosen_format, write
from .terminal import warn

DESCRIPTION = """\
Count words, mentions and entities of files, with nested mentions and the
lengths of chains."""
EXAMPLES = """\
examples:
  corefscope stats key.conllu
  corefscope stats key.conllu response.conllu
      side by side, to see where a system finds more or fewer
  corefscope stats key.conllu --per-document
  corefscope stats train.conllu dev.conllu test.conllu --total
  corefscope stats *.conllu -o stats.json
  corefscope stats key.conllu response.conllu -o profiles.svg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "files", "--file-format", "--per-document", *READING, "--max-unpacked")
    parser.add_argument("--total", action="store_true", help="also show the total of all files")
    add_output_or_picture(parser, "the sizes of entities and their share in MUC")
    arguments.add(parser, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Read the files, print the figures."""
    chosen_format(parsed)
    warnings = Warnings()
    files = [
        file_statistics(path, parsed.file_format, warnings, **printed_arguments(parsed)) for path in parsed.files
    ]
    warn(warnings, parsed.quiet)
    return write(StatisticsReport(files, parsed.total, tuple(warnings)), parsed)
