"""``corefscope convert``: a file in another format."""

from __future__ import annotations

import argparse

from .arguments import FOR_MODELS, PRINTED, add, add_own, choice, file_format, group_of, printed_arguments
from .terminal import complain, warn

DESCRIPTION = """\
Write a file in another format, or CorefUD with its brackets in canonical order and everything else as it is.
What the other format has no place for is counted; if scores could change by it, nothing is written unless
--lossy is given."""
EXAMPLES = """\
examples:
  corefscope convert key.conllu canonical.conllu
  corefscope convert predictions.jsonl response.conllu --response
  corefscope convert key.conllu key.v4_gold_conll.gz --lossy
  corefscope convert printed.txt response.conllu --skeleton key.conllu
  corefscope convert key.conllu.xz - --to jsonl --lossy | head -1
  corefscope convert key.conllu text.txt --style xml --blind
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..formats.writers import WRITERS
    from ..llm.writer import ZEROS

    parser.add_argument("source", metavar="IN", help="the file to read (.gz, .xz, .bz2 too; - is standard input)")
    parser.add_argument("target", metavar="OUT", help="the file to write (.gz, .xz, .bz2 too; - is standard output)")
    written = file_format("OUT", WRITERS, "its end does not say it")
    add_own(parser, "--to", "of OUT, if its end does not say it", dest="to_format", **written)
    add_own(parser, "--from", "of IN, if not to be recognised", dest="from_format", **file_format("IN"))
    parser.add_argument(
        "--response", action="store_true", help="read IN as a response: predicted_clusters, where it has both"
    )
    parser.add_argument("--lossy", action="store_true", help="write even if something is lost, and say what")
    add(parser, *PRINTED)
    text = group_of(parser, FOR_MODELS)
    add_own(text, "--zeros", "whether zeros are written", **choice("zeros", ZEROS, after=" (default keep)"))
    text.add_argument("--blind", action="store_true", help="write words and zeros, but no tags")
    text.add_argument("--masked", action="store_true", help="mark mentions, but do not say whose they are")
    add(parser, "--quiet", help="no warnings and notes")


def run(parsed: argparse.Namespace) -> int:
    """Convert, and say what was written and what was lost."""
    from ..formats.convert import convert

    conversion = convert(
        parsed.source,
        parsed.target,
        to=parsed.to_format,
        from_format=parsed.from_format,
        side="response" if parsed.response else "key",
        lossy=parsed.lossy,
        zeros=parsed.zeros,
        blind=parsed.blind,
        masked=parsed.masked,
        **printed_arguments(parsed),
    )
    warn(conversion.warnings, parsed.quiet)
    for note in () if parsed.quiet else (*conversion.notes, f"wrote {conversion}"):
        complain("note", note)
    return 0
