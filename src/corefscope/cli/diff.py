"""``corefscope diff``: the text with brackets that show where key and response differ."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import NamedTuple

from ..analysis.agreement import SYMMETRIC
from ..analysis.errors.text_diff import (
    OUTCOMES,
    OUTCOMES_OF_ANNOTATORS,
    MarkedDocument,
    MarkedWord,
    marked_documents,
)
from ..core.errors import Warnings
from ..core.options import OPEN
from ..core.request import Request
from ..formats.target import Target
from ..output.text import BOLD, DIM, padded, shown, styled, terminal_width, width_of, wrapped
from . import arguments
from .arguments import ANNOTATORS
from .parser import Parser
from .terminal import colourful, warn

DESCRIPTION = """\
Print documents with coloured brackets around mentions: correct, misplaced,
missing and extra ones."""
EXAMPLES = """\
examples:
  corefscope diff key.conllu response.conllu --document GUM_academic_art
  corefscope diff key.conllu response.conllu --only-errors | less -R
  corefscope diff anna.conllu bela.conllu --annotators
      exact match with singletons, as corefscope agree
"""


def add_arguments(parser: Parser) -> None:
    arguments.add(parser, "key", "response", "--document", *arguments.REQUEST, "--color")
    arguments.add_example(parser)
    parser.add_argument("--only-errors", action="store_true", help="show only sentences with errors")
    arguments.add(parser, "--annotators", help=f"{ANNOTATORS}: the legend calls them A and B")
    arguments.add(parser, "--output", help="write the text to this file")
    arguments.add(parser, "--quiet", help="no legend or warnings")


def run(parsed: argparse.Namespace) -> int:
    request = Request(arguments.request_arguments(parsed), base=SYMMETRIC if parsed.annotators else OPEN)
    warnings = Warnings()
    to_file = bool(parsed.output) and parsed.output != "-"
    width, colour = terminal_width(), colourful(sys.stdout, "never" if to_file else parsed.color)
    meanings = OUTCOMES
    legend = ""
    if parsed.annotators:
        meanings = OUTCOMES_OF_ANNOTATORS
        legend = f"A  {shown(parsed.key)}\nB  {shown(parsed.response)}\n\n"
    legend = "" if parsed.quiet else legend + _legend(meanings, colour, min(width, 80)) + "\n"
    which = {"document": parsed.document, "only_errors": parsed.only_errors}
    with Target(parsed.output) if to_file else nullcontext(sys.stdout) as target:
        for document in marked_documents(parsed.key, parsed.response, request, warnings, **which):
            target.write(legend + _text(document, width, colour) + "\n")
            legend = ""
    warn(warnings, parsed.quiet)
    return 0


class Brackets(NamedTuple):
    """The brackets of one outcome."""

    opening: str
    closing: str
    colour: str
    name: str = "e1"
    """The name after the example in the legend."""


BRACKETS = {
    "right": Brackets("[", "]", "\x1b[36m"),
    "misplaced": Brackets("[", "]", "\x1b[33m", "e1≠e2"),
    "span": Brackets("[~", "~]", "\x1b[35m"),
    "span-response": Brackets("{~", "~}", "\x1b[35m"),
    "missing": Brackets("[-", "-]", "\x1b[31m"),
    "extra": Brackets("{+", "+}", "\x1b[32m"),
}
INDENT = "  "
SAMPLE = 14  # columns for brackets in the legend
NESTED = ("[e1: … ]e1", "other mentions begin or end inside: the name is at both ends")


def _legend(meanings: Mapping[str, str], colour: bool, width: int) -> str:
    samples = [
        (
            f"{BRACKETS[outcome].opening}word{BRACKETS[outcome].closing}{BRACKETS[outcome].name}",
            BRACKETS[outcome].colour,
            meaning,
        )
        for outcome, meaning in meanings.items()
    ]
    samples.append((NESTED[0], "", NESTED[1]))
    lines = []
    for example, style, meaning in samples:
        sample = styled(padded(example, SAMPLE), style, colour and bool(style))
        for line in wrapped(meaning, width - SAMPLE, ""):
            lines.append(sample + styled(line, DIM, colour))
            sample = " " * SAMPLE
    return "\n".join(lines) + "\n"


def _text(document: MarkedDocument, width: int, colour: bool) -> str:
    """The text of a document, sentence by sentence, then its relations."""
    lines = [styled(shown(document.id), BOLD, colour)]
    for sentence, words in document.sentences:
        lines.append(styled(f"{shown(sentence.id or str(sentence.number))} · line {sentence.line}", DIM, colour))
        lines += _wrapped((_word(word, colour) for word in words), width)
    lines += [styled("relations", DIM, colour)] if document.links else []
    for link in document.links:
        sides = [
            shown(anaphor) + (f" → {', '.join(map(shown, targets))}" if targets else "")
            for anaphor, targets in link.sides
        ]
        about = f"{link.kind.replace('_', ' ')} (line {link.line}):", " ≠ ".join(dict.fromkeys(sides))
        lines += _wrapped([styled(word, BRACKETS[link.outcome].colour, colour) for word in about], width)
    return "\n".join(lines) + "\n"


def _word(word: MarkedWord, colour: bool) -> str:
    """The word with its brackets."""
    signs = []
    for bracket in word.before:
        name = f"{shown(bracket.name)}: " if bracket.name else ""
        signs.append(styled(BRACKETS[bracket.outcome].opening + name, BRACKETS[bracket.outcome].colour, colour))
    signs.append(shown(word.word))
    for bracket in word.after:
        closing = BRACKETS[bracket.outcome].closing + shown(bracket.name)
        signs.append(styled(closing, BRACKETS[bracket.outcome].colour, colour))
    return "".join(signs)


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    """Lines of words; a word is never broken, even if there are spaces in it."""
    lines: list[str] = []
    for word in words:
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(INDENT + word)
    return lines
