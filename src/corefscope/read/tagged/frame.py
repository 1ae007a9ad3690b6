"""A document of the skeleton, as printed text is laid over it: its words by number, its zeros by their governors."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ...base.document import Document, Sentence, is_comment
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, WORD_SHIFT, parse_position, position
from ..ua.lines import UASentence

DEPS = 8
BLANKS = re.compile(r"\s+")
LAST_MINOR = 99
"""No text has so many empty nodes behind one word; a model that repeats itself has."""


class KeyZero(NamedTuple):
    """An empty node of the skeleton. Slot n is what stands behind word n of the document; -1 is its beginning."""

    place: int
    form: str
    """Empty if it has none."""
    slot: int
    """Where it stands."""
    governor: int
    """The slot behind the word that governs it: of several, the highest in the tree."""
    parents: tuple[int, ...] = ()
    """Those of all words that govern it."""


class Frame:
    """The words of a document, numbered from 0, and its zeros."""

    def __init__(self, document: Document) -> None:
        self.document = document
        sentences = document.sentences
        self.forms: list[str] = [word.partition("\t")[2] for sentence in sentences for word in sentence.words]
        self.places: list[int] = [place for sentence in sentences for place in sentence.positions]
        self.zeros: list[KeyZero] = []
        before = 0
        for sentence in sentences:
            if sentence.empty:
                self.zeros += _Zeros(sentence, before).found()
            before += len(sentence.words)

    def slot(self, place: int) -> int:
        """The number of the last word at or before a place; -1 if there is none."""
        return bisect_right(self.places, place | MINOR_MASK) - 1

    def last_of_sentence(self, word: int) -> int:
        """The number of the last word of a word's sentence."""
        end = (self.places[word] >> SENTENCE_SHIFT) + 1 << SENTENCE_SHIFT
        return bisect_right(self.places, end) - 1


class _Zeros:
    """The empty nodes of one sentence, ``before`` words of the document coming before it."""

    def __init__(self, sentence: Sentence, before: int) -> None:
        self._number, self._before = sentence.number, before
        self._own_place = isinstance(sentence, UASentence)
        """Whether a zero without a governor is printed where it is in the file: CoNLL-UA rarely names governors."""
        rows = _rows(sentence)
        self._heads = [row[6] for row in rows if row[0].isdigit()]
        self._empty = {row[0]: row for row in rows if "." in row[0]}

    def found(self) -> list[KeyZero]:
        """All of them, in order."""
        zeros = [
            zero
            for name, row in self._empty.items()
            if (place := parse_position(self._number, name)) is not None and (zero := self._zero(place, row))
        ]
        return sorted(zeros)

    def _zero(self, place: int, row: Sequence[str]) -> KeyZero:
        own = place - (self._number << SENTENCE_SHIFT) >> WORD_SHIFT
        words = [self._word(name, 0) for name in _parents(row)] or [own if self._own_place else 0]
        governor = min(words, key=self._depth) if len(words) > 1 else words[0]
        slots = [self._before + word - 1 for word in (own, governor, *words)]
        return KeyZero(place, "" if row[1] == "_" else row[1], slots[0], slots[1], tuple(slots[2:]))

    def _word(self, name: str, steps: int) -> int:
        """The number of a word; of an empty node, that of the word that governs it; 0 for the root."""
        if "." in name:
            above = _parents(self._empty[name]) if name in self._empty and steps < len(self._empty) else []
            return self._word(above[0], steps + 1) if above else 0
        word = (parse_position(0, name) or 0) >> WORD_SHIFT
        return word if word <= len(self._heads) else 0

    def _depth(self, word: int) -> int:
        """How many words are above a word in the tree; the root has none, a circle has very many."""
        depth, seen = 0, set[int]()
        while word and word not in seen:
            seen.add(word)
            word = self._word(self._heads[word - 1], 0)
            depth += 1
        return depth if not word else len(self._heads) + 1


def _rows(sentence: Sentence) -> list[list[str]]:
    """The columns of the words and empty nodes of a sentence, which name each other by their places in it."""
    if isinstance(sentence, UASentence):
        return [cells for _, cells in sentence.conllu_rows]
    return [line.split("\t") for line in sentence.lines if line and not is_comment(line)]


def _parents(row: Sequence[str]) -> list[str]:
    """The ids of the nodes that an empty node depends on."""
    return [item.partition(":")[0] for item in row[DEPS].split("|") if item != "_"]


def as_conllu(document: Document) -> Document:
    """A document of a format that has no empty nodes, with its words as lines of CoNLL-U: these can have some."""
    sentences = []
    for sentence in document.sentences:
        names_and_forms = [word.partition("\t")[::2] for word in sentence.words]
        rows = [[name, BLANKS.sub("_", form) or "_", *"________"] for name, form in names_and_forms]
        sentences.append(sentence._replace(lines=["\t".join(row) for row in rows]))
    return document._replace(sentences=tuple(sentences))


def behind(frame: Frame, slot: int, minors: dict[int, int]) -> int | None:
    """A place for one more empty node in a slot, if there are not too many already and the document has words.

    ``minors`` are the greatest in use, by the places of words.
    """
    if not frame.places:
        return None
    word = frame.places[slot] if slot >= 0 else position(frame.document.sentences[0].number, 0)
    minor = minors.get(word, 0) + 1
    if minor > LAST_MINOR:
        return None
    minors[word] = minor
    return word + minor


def greatest_minors(frame: Frame) -> dict[int, int]:
    """The greatest number after the point of the empty nodes behind each word."""
    minors: dict[int, int] = {}
    for zero in frame.zeros:
        word = zero.place & ~MINOR_MASK
        minors[word] = max(minors.get(word, 0), zero.place & MINOR_MASK)
    return minors
