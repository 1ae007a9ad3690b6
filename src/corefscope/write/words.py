"""The words of a document in their order, and what is known about them besides coreference."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from ..base.document import Document, Sentence, is_comment
from ..base.positions import position, runs_of


class Words:
    """The ordinary words of a document, numbered from 0."""

    __slots__ = ("number", "places")

    def __init__(self, document: Document) -> None:
        self.places = [
            position(sentence.number, word)
            for sentence in document.sentences
            for word in range(1, len(sentence.words) + 1)
        ]
        self.number = {place: at for at, place in enumerate(self.places)}

    def between(self, first: int, last: int) -> tuple[int, ...]:
        """All words from one to another, over sentences."""
        return tuple(self.places[self.number[first] : self.number[last] + 1])


class Run(NamedTuple):
    """Words, or empty nodes, that follow each other."""

    first: int
    last: int


def runs(positions: tuple[int, ...], order: list[int]) -> list[Run]:
    """The parts of a mention without gaps, in an order of nodes that holds all of its positions.

    >>> runs((1, 2, 5), [1, 2, 3, 5])
    [Run(first=1, last=2), Run(first=5, last=5)]
    """
    numbers = runs_of(bisect_left(order, place) for place in positions)
    return [Run(order[first], order[last]) for first, last in numbers]


class Tag(NamedTuple):
    """What a format has a column for besides word and coreference."""

    pos: str
    speaker: str


def tags(sentence: Sentence, source_format: str) -> list[Tag]:
    """Part of speech and speaker of each word, empty where nothing is known."""
    if source_format == "corefud":
        found = _of_conllu(sentence)
    elif source_format == "conll":
        found = _of_conll(sentence)
    else:
        found = []
    return found if len(found) == len(sentence.words) else [Tag("", "")] * len(sentence.words)


def _of_conllu(sentence: Sentence) -> list[Tag]:
    """XPOS, or else UPOS; the speaker stands in a comment."""
    speaker, found = "", []
    for line in sentence.text.split("\n"):
        if line[:1] == "#":
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == "speaker":
                speaker = value.strip()
        elif (columns := line.split("\t"))[0].isdigit():
            found.append(Tag(next((tag for tag in (columns[4], columns[3]) if tag != "_"), ""), speaker))
    return found


def rows_of(sentence: Sentence) -> list[list[str]]:
    """The columns of the words of a CoNLL file."""
    lines = [line for line in sentence.text.split("\n") if line and not is_comment(line)]
    return [line.split("\t") if "\t" in line else line.split() for line in lines]


def _of_conll(sentence: Sentence) -> list[Tag]:
    """The fifth and the tenth column of a file that has all; which columns a shorter one has cannot be known."""
    rows = rows_of(sentence)
    if any(len(row) < 12 for row in rows):
        return []
    return [
        Tag(*(row[at].strip() if row[at].strip() not in ("-", "*", "_") else "" for at in (4, 9))) for row in rows
    ]
