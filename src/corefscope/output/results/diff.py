"""A document as text, with brackets that show whether each mention is right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...analysis.errors.text_diff import OUTCOMES, MarkedDocument, MarkedWord
from ..columns import ROOM, padded, width_of, wrapped
from ..text import BOLD, DIM, shown, styled


class Look(NamedTuple):
    """The brackets of one outcome."""

    opening: str
    closing: str
    colour: str
    name: str = "e1"
    """The name after the example in the legend."""


LOOKS = {
    "right": Look("[", "]", "\x1b[36m"),
    "misplaced": Look("[", "]", "\x1b[33m", "e1≠e2"),
    "span": Look("[~", "~]", "\x1b[35m"),
    "span-response": Look("{~", "~}", "\x1b[35m"),
    "missing": Look("[-", "-]", "\x1b[31m"),
    "extra": Look("{+", "+}", "\x1b[32m"),
}
INDENT = "  "
MEANT = "≠"
"""Separates key and response."""
SAMPLE = 14  # columns for brackets in the legend
NESTED = ("[e1: … ]e1", "other mentions begin or end inside: the name is at both ends")


def legend(colour: bool, width: int = 80) -> str:
    """The legend of the brackets."""
    lines = []
    for outcome, meaning in OUTCOMES.items():
        look = LOOKS[outcome]
        sample = styled(padded(f"{look.opening}word{look.closing}{look.name}", SAMPLE), look.colour, colour)
        for line in wrapped(meaning, width - SAMPLE, ""):
            lines.append(sample + styled(line, DIM, colour))
            sample = " " * SAMPLE
    lines.append(padded(NESTED[0], SAMPLE) + styled(NESTED[1], DIM, colour))
    return "\n".join(lines) + "\n"


def text(document: MarkedDocument, width: int = ROOM, colour: bool = False) -> str:
    """The text of a document, sentence by sentence."""
    lines = [styled(shown(document.id), BOLD, colour)]
    for sentence, words in document.sentences:
        lines.append(styled(f"{shown(sentence.id or str(sentence.number))} · line {sentence.line}", DIM, colour))
        lines += _wrapped((_word(word, colour) for word in words), width)
    lines += [styled("relations", DIM, colour)] if document.links else []
    for link in document.links:
        name = f"{link.kind.replace('_', ' ')} (line {link.line}):"
        sides = [
            f"{shown(anaphor)}" + (f" → {', '.join(map(shown, targets))}" if targets else "")
            for anaphor, targets in link.sides
        ]
        look = LOOKS[link.outcome]
        about = name, f" {MEANT} ".join(dict.fromkeys(sides))
        lines += _wrapped([styled(word, look.colour, colour) for word in about], width)
    return "\n".join(lines) + "\n"


def _word(word: MarkedWord, colour: bool) -> str:
    """The word with its brackets."""
    before = [
        (LOOKS[bracket.outcome].opening + (f"{shown(bracket.name)}: " if bracket.name else ""), bracket.outcome)
        for bracket in word.before
    ]
    after = [(LOOKS[bracket.outcome].closing + shown(bracket.name), bracket.outcome) for bracket in word.after]
    opened, closed = (
        "".join(styled(sign, LOOKS[outcome].colour, colour) for sign, outcome in side) for side in (before, after)
    )
    return opened + shown(word.word) + closed


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    """Lines of words; a word is never broken, even if there are spaces in it."""
    lines: list[str] = []
    for word in words:
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(INDENT + word)
    return lines
