"""``corefscope stats``: what files hold, side by side."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .files import add_file_format, add_files
from .output import add_output, add_per_document, chosen_format, destination
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
OUTPUTS = {"text": "a table and bars", "json": "all figures and histograms, unrounded"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    add_file_format(parser)
    add_per_document(parser)
    parser.add_argument("--total", action="store_true", help="show the total of all files as well")
    add_output(parser, OUTPUTS)
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings")


def run(options: argparse.Namespace) -> int:
    """Read the files, say what is odd, print the figures."""
    from ..base.errors import Warnings
    from ..show.columns import terminal_width
    from ..show.results import stats
    from ..write.stats import file_statistics

    as_json = chosen_format(options) == "json"
    warnings = Warnings()
    with Progress(quiet=True):
        files = [file_statistics(path, options.file_format, warnings) for path in options.files]
    warn(options, warnings)
    with destination(options) as (put, colour):
        if as_json:
            put(stats.json(files, options.per_document, warnings))
            return 0
        to_file = bool(options.output and options.output != "-")
        put(
            stats.text(
                files,
                options.per_document,
                total=options.total,
                width=terminal_width(),
                colour=colour,
                blocks=to_file or _can_show_blocks(sys.stdout),
            )
        )
    return 0


def _can_show_blocks(stream: Any) -> bool:
    try:
        "█–".encode(getattr(stream, "encoding", None) or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
