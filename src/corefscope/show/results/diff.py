"""A document as text, with brackets that say what became of each mention."""

from __future__ import annotations

from collections.abc import Iterable

from ...study.faults.marks import FATES, Bracket, Marked, MarkedDocument
from ..columns import ROOM, padded, width_of, wrapped
from ..text import BOLD, DIM, shown, styled

SIGNS: dict[str, tuple[str, str]] = {
    "right": ("[", "]"),
    "misplaced": ("[", "]"),
    "span": ("[~", "~]"),
    "span-response": ("{~", "~}"),
    "missing": ("[-", "-]"),
    "extra": ("{+", "+}"),
}
COLOURS: dict[str, str] = {
    "right": "\x1b[36m",
    "misplaced": "\x1b[33m",
    "span": "\x1b[35m",
    "span-response": "\x1b[35m",
    "missing": "\x1b[31m",
    "extra": "\x1b[32m",
}
EXAMPLES = {"right": "e1", "misplaced": "e1≠e2", "span": "e1", "span-response": "e1", "missing": "e1", "extra": "e1"}
INDENT = "  "
SAMPLE = 14  # columns for brackets in the legend


def legend(colour: bool, width: int = 80) -> str:
    """What the brackets mean."""
    lines = []
    for fate, meaning in FATES.items():
        opening, closing = SIGNS[fate]
        sample = f"{opening}word{closing}{EXAMPLES[fate]}"
        first, *others = wrapped(meaning, width - SAMPLE, "")
        lines.append(styled(padded(sample, SAMPLE), COLOURS[fate], colour) + styled(first, DIM, colour))
        lines += [" " * SAMPLE + styled(line, DIM, colour) for line in others]
    return "\n".join(lines) + "\n"


def text(document: MarkedDocument, width: int = ROOM, colour: bool = False) -> str:
    """The text of a document, sentence by sentence."""
    lines = [styled(shown(document.id), BOLD, colour)]
    for sentence, words in document.sentences:
        lines.append(styled(f"{shown(sentence.id or str(sentence.number))} · line {sentence.line}", DIM, colour))
        lines += _wrapped((_word(word, colour) for word in words), width)
    return "\n".join(lines) + "\n"


def _word(word: Marked, colour: bool) -> str:
    """The word with its brackets."""
    before = [styled(SIGNS[bracket.fate][0], COLOURS[bracket.fate], colour) for bracket in word.before]
    after = [styled(_closing(bracket), COLOURS[bracket.fate], colour) for bracket in word.after]
    return "".join([*before, shown(word.word), *after])


def _closing(bracket: Bracket) -> str:
    return SIGNS[bracket.fate][1] + shown(bracket.name)


def _wrapped(words: Iterable[str], width: int) -> list[str]:
    """Lines of words; a word is never broken, even if there are spaces in it."""
    lines: list[str] = []
    for word in words:
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(INDENT + word)
    return lines
