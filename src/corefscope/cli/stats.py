"""``corefscope stats``: what files hold, side by side."""

from __future__ import annotations

import argparse

from .files import add_file_format, add_files
from .output import add_output, add_per_document, chosen_format, write
from .terminal import Progress, warn

DESCRIPTION = "Count what files hold: words, mentions, entities, how mentions lie in each other, how long chains are."
EXAMPLES = """\
examples:
  corefscope stats key.conllu
  corefscope stats key.conllu response.conllu
      side by side, to see what a system finds more or less of
  corefscope stats key.conllu --per-document
  corefscope stats train.conllu dev.conllu test.conllu --total
  corefscope stats *.conllu -o stats.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    add_file_format(parser)
    add_per_document(parser)
    parser.add_argument("--total", action="store_true", help="show the total of all files as well")
    add_output(parser)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings")


def run(options: argparse.Namespace) -> int:
    """Read the files, say what is odd, print the figures."""
    from ..base.errors import Warnings
    from ..write.stats import StatisticsReport, file_statistics

    chosen_format(options)
    warnings = Warnings()
    with Progress(quiet=True):
        files = [file_statistics(path, options.file_format, warnings) for path in options.files]
    warn(options, warnings)
    write(StatisticsReport(files, options.total, tuple(warnings)), options)
    return 0
