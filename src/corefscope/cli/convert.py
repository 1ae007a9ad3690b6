"""``corefscope convert``: a file in another format."""

from __future__ import annotations

import argparse

from ..formats.convert import convert
from ..formats.writers import WRITERS
from ..llm.writer import ZEROS
from .arguments import READING, add, explain_values, file_format, printed_arguments
from .parser import FOR_MODELS, one_of
from .terminal import complain, warn

DESCRIPTION = """\
Write a file in another format, or CorefUD with its brackets in canonical order
and everything else unchanged. If the other format cannot hold something that
may change scores, nothing is written unless you give --lossy."""
EXAMPLES = """\
examples:
  corefscope convert key.conllu canonical.conllu
  corefscope convert predictions.jsonl response.conllu --response
  corefscope convert key.conllu key.v4_gold_conll.gz --lossy
  corefscope convert printed.txt response.conllu --skeleton key.conllu
  corefscope convert key.conllu.xz - --to jsonl --lossy | head -1
  corefscope convert key.conllu text.txt --style xml --blind
  corefscope convert response.jsonl response.ann
  corefscope convert response.jsonl response.tsv --to webanno
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="input file (also .gz, .xz, .bz2), or - for standard input")
    parser.add_argument("target", metavar="OUT", help="output file (also .gz, .xz, .bz2), or - for standard output")
    parser.add_argument(
        "--to",
        dest="to_format",
        type=one_of("format", WRITERS),
        values={row.name: row.title for row in WRITERS.values()},
        help="output format (default: by the extension of OUT; webanno and label-studio have none)",
    )
    parser.add_argument("--from", dest="from_format", **file_format("input"))
    parser.add_argument("--response", action="store_true", help="read IN as a response (predicted_clusters of jsonl)")
    parser.add_argument("--lossy", action="store_true", help="write even if something is lost, and list what")
    add(parser, *READING, "--max-unpacked")
    zeros = f"{explain_values(ZEROS)} (default keep)"
    parser.add_argument("--zeros", group=FOR_MODELS, values=ZEROS, help=zeros)
    parser.add_argument("--blind", group=FOR_MODELS, action="store_true", help="write words and zeros, but no tags")
    masked = "mark mentions, but not their entities"
    parser.add_argument("--masked", group=FOR_MODELS, action="store_true", help=masked)
    add(parser, "--quiet", help="no warnings or notes")


def run(parsed: argparse.Namespace) -> int:
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
