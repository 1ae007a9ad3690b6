"""``corefscope stats``: what files hold, side by side."""

from __future__ import annotations

import argparse

from . import arguments
from .arguments import PRINTED, printed_arguments
from .output import add_output_or_picture, chosen_format, write
from .terminal import ProgressBar, warn

DESCRIPTION = "Count what files hold: words, mentions, entities, how mentions lie in each other, how long chains are."
EXAMPLES = """\
examples:
  corefscope stats key.conllu
  corefscope stats key.conllu response.conllu
      side by side, to see what a system finds more or less of
  corefscope stats key.conllu --per-document
  corefscope stats train.conllu dev.conllu test.conllu --total
  corefscope stats *.conllu -o stats.json
  corefscope stats key.conllu response.conllu -o profiles.svg
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    arguments.add(parser, "files", "--file-format", "--per-document", *PRINTED)
    parser.add_argument("--total", action="store_true", help="show the total of all files as well")
    add_output_or_picture(parser, "sizes of entities and what they mean for MUC")
    arguments.add(parser, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Read the files, say what is odd, print the figures."""
    from ..core.errors import Warnings
    from ..formats.stats import StatisticsReport, file_statistics

    chosen_format(parsed)
    warnings = Warnings()
    with ProgressBar(quiet=True):
        files = [
            file_statistics(path, parsed.file_format, warnings, **printed_arguments(parsed)) for path in parsed.files
        ]
    warn(warnings, parsed.quiet)
    return write(StatisticsReport(files, parsed.total, tuple(warnings)), parsed)
