"""``corefscope diff``: the text with brackets that show where key and response differ."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from typing import NamedTuple

from ..analysis.errors.text_diff import OUTCOMES, MarkedDocument, MarkedWord, marked_documents
from ..core.errors import Warnings
from ..core.request import Request
from ..formats.target import Target
from ..output.text import BOLD, DIM, padded, shown, styled, terminal_width, width_of, wrapped
from . import arguments
from .terminal import colourful, warn

DESCRIPTION = """\
Print documents with coloured brackets around mentions: correct, misplaced,
missing and extra ones."""
EXAMPLES = """\
examples:
  corefscope diff key.conllu response.conllu --document GUM_academic_art
  corefscope diff key.conllu response.conllu --only-errors | less -R
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser, "key", "response", "--document", *arguments.REQUEST, "--color")
    parser.add_argument("--only-errors", action="store_true", help="show only sentences with errors")
    arguments.add(parser, "--output", help="write the text to this file")
    arguments.add(parser, "--quiet", help="no legend or warnings")


def run(parsed: argparse.Namespace) -> int:
    request = Request(arguments.request_arguments(parsed))
    warnings = Warnings()
    to_file = bool(parsed.output) and parsed.output != "-"
    width, colour = terminal_width(), colourful(sys.stdout, "never" if to_file else parsed.color)
    legend = "" if parsed.quiet else _legend(colour, min(width, 80)) + "\n"
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


def _legend(colour: bool, width: int) -> str:
    lines = []
    for outcome, meaning in OUTCOMES.items():
        brackets = BRACKETS[outcome]
        example = f"{brackets.opening}word{brackets.closing}{brackets.name}"
        sample = styled(padded(example, SAMPLE), brackets.colour, colour)
        for line in wrapped(meaning, width - SAMPLE, ""):
            lines.append(sample + styled(line, DIM, colour))
            sample = " " * SAMPLE
    lines.append(padded(NESTED[0], SAMPLE) + styled(NESTED[1], DIM, colour))
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
