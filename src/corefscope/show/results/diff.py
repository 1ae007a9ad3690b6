"""A document as text, with brackets that say what became of each mention."""

from __future__ import annotations

from collections.abc import Iterable

from ...base.document import Document
from ...match.alignment import Alignment
from ...study.faults.marks import FATES, Bracket, Marked, marked_sentences
from ..columns import padded, width_of, wrapped
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


def document(
    key: Document,
    response: Document,
    alignment: Alignment,
    *,
    smallest: int = 1,
    only_errors: bool = False,
    width: int = 100,
    colour: bool = False,
) -> str:
    """The text of a document; with ``only_errors``, the sentences in which something is wrong."""
    lines = [styled(shown(key.id), BOLD, colour)]
    for sentence, words in marked_sentences(key, response, alignment, smallest):
        if only_errors and not _wrong(words):
            continue
        lines.append(styled(f"{shown(sentence.id or str(sentence.number))} · line {sentence.line}", DIM, colour))
        lines += _wrapped((_word(word, colour) for word in words), width)
    return "\n".join(lines) + "\n"


def _wrong(words: Iterable[Marked]) -> bool:
    return any(bracket.fate != "right" for word in words for bracket in word.after)


def _word(word: Marked, colour: bool) -> tuple[str, int]:
    """The word with its brackets, and how wide it is on the terminal."""
    plain = [SIGNS[bracket.fate][0] for bracket in word.before]
    parts = [styled(sign, COLOURS[bracket.fate], colour) for sign, bracket in zip(plain, word.before, strict=True)]
    text = shown(word.word)
    closings = [_closing(bracket) for bracket in word.after]
    after = [styled(sign, COLOURS[bracket.fate], colour) for sign, bracket in zip(closings, word.after, strict=True)]
    return "".join([*parts, text, *after]), sum(map(width_of, [*plain, text, *closings]))


def _closing(bracket: Bracket) -> str:
    return SIGNS[bracket.fate][1] + shown(bracket.name)


def _wrapped(words: Iterable[tuple[str, int]], width: int) -> list[str]:
    lines: list[str] = []
    line: list[str] = []
    used = len(INDENT)
    for text, columns in words:
        if line and used + 1 + columns > width:
            lines.append(INDENT + " ".join(line))
            line, used = [], len(INDENT)
        used += columns + (1 if line else 0)
        line.append(text)
    if line:
        lines.append(INDENT + " ".join(line))
    return lines
