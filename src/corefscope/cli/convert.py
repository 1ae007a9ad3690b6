"""``corefscope convert``: a file in another format."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from ..read.formats import FORMATS
from .arguments import one_of
from .terminal import complain

DESCRIPTION = """\
Write a file in another format, or CorefUD with its brackets in canonical order and everything else as it is.
What the other format has no place for is counted; if scores could change by it, nothing is written unless
--lossy is given."""
EXAMPLES = """\
examples:
  corefscope convert key.conllu canonical.conllu
  corefscope convert predictions.jsonl response.conllu --response
  corefscope convert key.conllu key.v4_gold_conll.gz --lossy
  corefscope convert key.conllu.xz - --to jsonl --lossy | head -1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..write.formats import WRITERS

    parser.add_argument("source", metavar="IN", help="the file to read (.gz, .xz, .bz2 too; - is standard input)")
    parser.add_argument("target", metavar="OUT", help="the file to write (.gz, .xz, .bz2 too; - is standard output)")
    titles = {name: row.title for name, row in WRITERS.items()}
    _add_format(parser, "--to", titles, "the format to write, if the end of OUT does not say it")
    titles = {name: row.title for name, row in FORMATS.items()}
    _add_format(parser, "--from", titles, "the format of IN, if it is not to be recognised")
    parser.add_argument(
        "--response", action="store_true", help="read IN as a response: predicted_clusters, where it has both"
    )
    parser.add_argument("--lossy", action="store_true", help="write even if something is lost, and say what")
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and notes")


def _add_format(parser: argparse.ArgumentParser, option: str, titles: Mapping[str, str], what: str) -> None:
    parser.add_argument(
        option,
        dest=f"{option[2:]}_format",
        type=one_of("format", titles),
        metavar="|".join(titles),
        help=f"{what}: " + "; ".join(f"{name}: {title}" for name, title in titles.items()),
    )


def run(options: argparse.Namespace) -> int:
    """Convert, and say what was written and what was lost."""
    from ..write.convert import convert

    done = convert(
        options.source,
        options.target,
        to=options.to_format,
        from_format=options.from_format,
        side="response" if options.response else "key",
        lossy=options.lossy,
    )
    if not options.quiet:
        for warning in done.warnings:
            complain("warning", warning)
        for note in done.notes:
            complain("note", note)
        complain("note", f"wrote {done}")
    return 0
