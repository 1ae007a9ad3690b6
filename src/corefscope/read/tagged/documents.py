"""Which lines of a text are which document of the skeleton.

One line is one document, in the order of the skeleton. Where there are more lines or fewer, or a line rather is that
of another document, each line goes to the document that it shares most words with, rare ones above all, and one that
has little of any is set aside: chatter. So documents may be missing, or be printed in several lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .folding import folded
from .styles import Style

COMMON = 64
"""Documents that have a word, from which on it says nothing about a line."""
LITTLE = 0.3
"""The share of a line's words that its document has at least."""
_RUN = re.compile(r"\w+")


class PrintedLine(NamedTuple):
    """A line that is not blank, or a document in JSON: its number in the file, its text, and its words."""

    number: int
    text: str
    words: frozenset[str] = frozenset()
    style: Style | None = None
    """If it is known before: of JSON."""


def runs(words: Iterable[str]) -> frozenset[str]:
    """Letters and digits of words, without stops that may be glued to them."""
    return frozenset(_RUN.findall(" ".join(map(folded, words))))


def alike(lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Those in JSON, if there are any; else all."""
    return [line for line in lines if line.style] or list(lines)


def sorted_out(
    lines: Sequence[PrintedLine], vocabularies: Sequence[frozenset[str]]
) -> list[list[PrintedLine]] | None:
    """The lines of each document; None if they are one for each, in order."""
    one_each = len(lines) == len(vocabularies)
    if one_each and all(map(_fits, lines, vocabularies)):
        return None
    documents_of: dict[str, list[int]] = {}
    for number, vocabulary in enumerate(vocabularies):
        for word in vocabulary:
            documents_of.setdefault(word, []).append(number)
    best: list[int | None] = []
    latest = 0
    for line in lines:
        weights: Counter[int] = Counter()
        for word in line.words:
            numbers = documents_of.get(word, ())
            for number in numbers if len(numbers) <= COMMON else ():
                weights[number] += COMMON // len(numbers)
        # Of documents that have as much of a line, the next one from the latest on.
        most = max(weights, key=lambda number: (weights[number], number >= latest, -number), default=0)
        best.append(most if line.words and _fits(line, vocabularies[most]) else None)
        latest = latest if best[-1] is None else most
    if one_each and all(number in (None, own) for own, number in enumerate(best)):
        return None
    found: list[list[PrintedLine]] = [[] for _ in vocabularies]
    for line, at in zip(lines, best, strict=True):
        if at is not None:
            found[at].append(line)
    return found


def _fits(line: PrintedLine, vocabulary: frozenset[str]) -> bool:
    """Whether a document has more than a little of a line; a line without letters fits any."""
    return len(line.words & vocabulary) >= LITTLE * len(line.words)
