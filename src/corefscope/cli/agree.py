"""``corefscope agree``: how much annotators agree."""

from __future__ import annotations

import argparse

from ..core.options import TITLES
from . import arguments
from .output import made, write

DESCRIPTION = """\
Treat files over the same words as annotators and say how much they agree: every measure that does not ask
which side is the key, for every pair, and its mean."""
EXAMPLES = """\
examples:
  corefscope agree anna.conllu bela.conllu
  corefscope agree anna.conllu bela.conllu cora.conllu --names Anna,Béla,Cora
  corefscope agree anna.conllu bela.conllu --metrics kappa,conll --per-document
  corefscope agree anna.conllu bela.conllu cora.conllu -o agreement.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..analysis.agreement import MATCHES, MEASURES, SYMMETRIC

    parser.add_argument("paths", metavar="FILE", nargs="+", help="the files of two annotators or more")
    arguments.add(parser, "--names", help="what to call the annotators, separated by commas")
    titles = {name: choices for name, choices in TITLES.items() if name != "rules"}
    titles["match"] = {name: title for name, title in titles["match"].items() if name in MATCHES}
    arguments.add_settings(parser, SYMMETRIC, titles)
    arguments.add(parser, "--heads", "--words", "--documents", "--topic")
    default = f"of a group, what is symmetric; default {', '.join(MEASURES)}"
    arguments.add(parser, "--metrics", help=f"{arguments.METRICS}; {default}")
    arguments.add(parser, "--file-format")
    arguments.add(parser, "--per-document", help="show every document as well, as its mean over pairs")
    arguments.add(parser, *arguments.OUTPUT, "--quiet")


def run(parsed: argparse.Namespace) -> int:
    """Compare every two files, say what is odd, print tables."""
    from ..analysis.agreement import agree

    request = arguments.request_arguments(parsed)
    agreement = made(parsed, agree, parsed.paths, names=parsed.names, format=parsed.file_format, **request)
    return write(agreement, parsed)
