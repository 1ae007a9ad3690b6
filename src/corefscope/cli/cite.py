"""``corefscope cite``: BibTeX of the papers behind metrics."""

from __future__ import annotations

import argparse

from ..core.metrics import METRICS, select
from ..measures.bibliography import entries
from .output import print_text

DESCRIPTION = "Print BibTeX for the papers behind the named metrics (default: all)."
EXAMPLES = "examples:\n  corefscope cite lea blanc\n  corefscope cite >> references.bib"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("names", metavar="NAME", nargs="*", help="a metric or group")


def run(parsed: argparse.Namespace) -> int:
    """Print the entries, each paper once."""
    papers = entries()
    cited = dict.fromkeys(METRICS[name].cite for name in select(parsed.names or "all"))
    # A metric of another package may name a paper that is not among these: as a comment, which BibTeX skips.
    shown = [papers.get(paper, f"% {paper}") for paper in cited if paper]
    print_text("\n\n".join(shown) + "\n", for_people=False)
    return 0
