"""``corefscope agree``: how much annotators agree."""

from __future__ import annotations

import argparse

from . import arguments
from .files import add_file_format
from .output import add_output, add_per_document, chosen_format, deliver
from .terminal import Progress, warn

DESCRIPTION = (
    "Treat files over the same words as annotators and say how much they agree: every measure that does not ask"
    " which side is the key, for every pair, and its mean."
)
EXAMPLES = """\
examples:
  corefscope agree anna.conllu bela.conllu
  corefscope agree anna.conllu bela.conllu cora.conllu --names Anna,Béla,Cora
  corefscope agree anna.conllu bela.conllu --metrics kappa,conll --per-document
  corefscope agree anna.conllu bela.conllu cora.conllu -o agreement.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    from ..count.metrics import GROUPS
    from ..show.results.agreement import AGREEMENTS
    from ..study.agreement import MATCHES, MEASURES, SYMMETRIC

    parser.add_argument("paths", metavar="FILE", nargs="+", help="the files of two annotators or more")
    parser.add_argument("--names", metavar="NAMES", help="what to call the annotators, separated by commas")
    titles = arguments.TITLES
    alike = {name: title for name, title in titles["match"].items() if name in MATCHES}
    for name, choices in {**titles, "match": alike}.items():
        if name != "rules":
            arguments.add_choice(parser, name, choices, getattr(SYMMETRIC, name))
    arguments.add_documents(parser)
    parser.add_argument(
        "--metrics",
        metavar="NAMES",
        help=f"measures or groups ({', '.join(GROUPS)}), separated by commas; of a group, what is symmetric;"
        f" default {', '.join(MEASURES)}",
    )
    add_file_format(parser)
    add_per_document(parser, ", as its mean over pairs")
    add_output(parser, {name: title for name, (title, _) in AGREEMENTS.items()})
    parser.add_argument("--quiet", "-q", action="store_true", help="no warnings and progress")


def run(options: argparse.Namespace) -> int:
    """Compare every two files, say what is odd, print tables."""
    from ..show.results.agreement import AGREEMENTS
    from ..study.agreement import agree

    chosen_format(options)
    with Progress(options.quiet) as progress:
        agreement = agree(
            options.paths,
            names=options.names,
            format=options.file_format,
            progress=progress,
            **arguments.request_arguments(options),
        )
    warn(options, agreement.warnings)
    deliver(options, lambda name, width: AGREEMENTS[name][1](agreement, options.per_document, width))
    return 0
