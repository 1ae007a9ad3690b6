"""``corefscope demo``: the scores of an example, with an explanation beside each line and commands to try next."""

from __future__ import annotations

import argparse
import sys

from ..core.metrics import METRICS
from ..formats.files import score
from ..output.formats.terminal import render
from ..output.text import GAP, ROOM, padded, terminal_width, width_of, wrapped
from .arguments import example_files

DESCRIPTION = """\
Score the example files of this package, explain each line of the result, and
show what to try next."""
EXAMPLES = "examples:\n  corefscope demo\n"
ABOUT = """\
Two short texts, one English and one Spanish. An annotator marked which words refer to the same person or thing: the \
key. A system did the same: the response. 'corefscope score --example' compares them:"""
IN_PLAIN_WORDS = {
    "": "",
    "conll": "the score to report: mean of MUC, B³, CEAFe",
    "muc": "links between mentions of one entity",
    "bcub": "for each mention, its entity",
    "ceafe": "best one-to-one match of entities",
    "ceafm": "the same, by mentions in common",
    "blanc": "links and non-links count alike",
    "lea": "links, where larger entities count more",
    "mor": "overlap of mentions, in words",
    "zero": "mentions without words, as in Spanish",
    "mentions": "mentions found, in whatever entity",
}
"""What metrics count, for readers without a background."""
READ = """\
All in percent. Recall: how much of the key was found. Precision: how much of the response is right. F1: both in one \
figure (harmonic mean). A mention is a word or phrase that refers, an entity all mentions of one person or thing. \
Entities of one mention, singletons, are left out here, as in the CRAC shared tasks. The lines below the table say \
what was read, and how this was computed: that is the signature. Quote it with the scores."""
NEXT = {
    "errors --example": "what is wrong, and what it costs",
    "report --example": "the same as a page: open report.html",
    "compare --example": "is one system better than another?",
    "explain muc --example": "how a score is calculated",
    "score KEY RESPONSE": "your own files: any format, detected",
    "help files": "what KEY and RESPONSE may be",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_: argparse.Namespace) -> int:
    """Score, explain and print."""
    report = score(*example_files("key", "response"))
    explained = {METRICS[name].title if name else name: text for name, text in IN_PLAIN_WORDS.items()}
    table, *below = render(report, False, False).rstrip("\n").split("\n\n")
    rows = table.split("\n")
    width = max(map(width_of, rows))
    screen = min(terminal_width(), ROOM)
    lines = [*wrapped(ABOUT, screen, ""), ""]
    for row in rows:
        label = "" if row.startswith(" ") else row.split(GAP)[0]
        lines += wrapped(f"{padded(row, width)}   {explained[label]}".rstrip(), screen, " " * (width + 3))
    lines += ["", *"\n\n".join(below).split("\n"), "", *wrapped(READ, screen, ""), "", "What to try next:"]
    for command, purpose in NEXT.items():
        lines += wrapped(f"  corefscope {command:22} {purpose}", screen)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
