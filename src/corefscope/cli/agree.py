"""``corefscope agree``: how much annotators agree."""

from __future__ import annotations

import argparse

from ..analysis.agreement import MATCHES, MEASURES, SYMMETRIC, agree
from ..core.options import TITLES
from . import arguments
from .output import call_with_progress, write

DESCRIPTION = """\
Measure how much annotators of the same words agree: every metric that is
symmetric in key and response, for each pair of annotators and on average."""
EXAMPLES = """\
examples:
  corefscope agree anna.conllu bela.conllu
  corefscope agree anna.conllu bela.conllu cora.conllu --names Anna,Béla,Cora
  corefscope agree anna.conllu bela.conllu --metrics kappa,conll --per-document
  corefscope agree anna.conllu bela.conllu cora.conllu -o agreement.csv
  corefscope agree anna/ bela/ --per-document
  corefscope agree 'annotation/*/anna.tsv' 'annotation/*/bela.tsv'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "paths", metavar="FILE", nargs="+", help="one file, directory or pattern per annotator, at least two"
    )
    arguments.add(parser, "--names", help="names of the annotators, separated by commas")
    titles = {name: choices for name, choices in TITLES.items() if name != "rules"}
    titles["match"] = {name: title for name, title in titles["match"].items() if name in MATCHES}
    arguments.add_settings(parser, SYMMETRIC, titles)
    arguments.add(parser, "--heads", "--words", "--documents", "--topic")
    default = f"of a group, the symmetric ones (default {','.join(MEASURES)})"
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; {default}")
    arguments.add(parser, "--per-document", help="also show every document, as its mean over pairs")
    arguments.add(parser, "--file-format", "--max-unpacked", *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Compare every two files and print tables."""
    request = arguments.request_arguments(parsed)
    own = {"names": parsed.names, "format": parsed.file_format}
    return write(call_with_progress(parsed, agree, parsed.paths, **own, **request), parsed)
