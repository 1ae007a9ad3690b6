"""Lines of CoNLL-UA documents: sentences, the position of every token line, and faults.

Words are counted through a sentence, whatever their IDs: files number them through the sentence or the document. A
zero (an ID with a point) is identified by the word before it and its number among the zeros there, a multiword token
(3-4) by its words. Readers refuse some faults and warn of others; validation collects all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

from ...core.document import Dependency, Document, Mention, Sentence, remembered
from ...core.errors import InputError, Warnings
from ...core.positions import DECIMAL, LONGEST, MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, WORD_SHIFT, node_name, position
from ..corefud.sentences import sent_id
from ..sentences import RowWords

Report = Callable[..., None]
"""Receives the name of a fault (a code of validation), its line, and the values its message needs."""
_CELL = (
    "cells hold (EntityID=…|MarkableID=…) around one word, or that without ')' on the first word and ')' on the last"
)

REFUSALS: dict[str, tuple[str, str]] = {
    "wrong-columns": ("{columns} columns, but IDENTITY is column {identity}", "is it a CoNLL-UA file at all?"),
    "bad-id": ("{name!r} is not the id of a word", "ids are 1, 2, … or N.1 (zero) or N-M (multiword token)"),
    "bad-cell": ("{text!r} in {column} is no bracket", _CELL),
    "bad-markable": ("{text!r} in {column} has no {field}", "write (EntityID=…|MarkableID=…)"),
    "closed-never-opened": ("a bracket in {column} closes what was never opened", _CELL),
    "never-closed": ("markable {id!r} in {column} is never closed", "write ')' in the cell of its last word"),
    "markable-without-words": (
        "markable {id!r} is on a multiword token without words",
        "the words of a multiword token follow it",
    ),
    "element-cycle": (
        "entity {id!r} is an element of itself ({cycle})",
        "ElementOf names a plural entity that the entity of this markable is a part of",
    ),
    "bad-minimum": (
        "Min={value} of markable {id!r} is no number of a word",
        "write Min=N or Min=N,M: words count from 1",
    ),
    "missing-anchor": (
        "bridging of {id!r} has neither MentionAnchor nor EntityAnchor",
        "write (MarkableID=…|Rel=…|MentionAnchor=…|EntityAnchor=…)",
    ),
}
"""Faults that stop the reader: message and hint."""

WARNINGS: dict[str, str] = {
    "minimum-outside": "Min={value} of markable {id!r} is not inside of it: it is matched exactly",
    "markable-in-two-entities": "markable {id!r} is in entity {entity!r} here but was in {before!r}: the last counts",
    "bridging-of-nothing": "bridging from {anaphor!r} to {anchor!r}: {missing!r} is not in IDENTITY: ignored",
    "element-of-nothing": "ElementOf={plural}: entity {plural!r} has no markable: ignored",
}
"""Faults that the reader warns of: message."""
SHOWN = 60
"""Maximum length of quotations from a file in a message."""


def describe_fault(fault: str, facts: dict[str, object]) -> tuple[str, str]:
    """The message about a fault, and its hint if it has one."""
    shown = {name: value[:SHOWN] if isinstance(value, str) else value for name, value in facts.items()}
    message, hint = REFUSALS.get(fault) or (WARNINGS[fault], "")
    return message.format(**shown), hint


def reader_report(path: str, warnings: Warnings) -> Report:
    """The report of the reader: it refuses the first fault that cannot be read, and warns of others."""

    def report(fault: str, line: int, **facts: object) -> None:
        message, hint = describe_fault(fault, facts)
        if fault in REFUSALS:
            raise InputError(message, path=path, line=line, hint=hint, code=fault)
        warnings.add(fault, path, line, message)

    return report


WORD_ID = re.compile(r"[0-9]{1,9}(?:([.])[0-9]+|-([0-9]{1,9}))?")
MULTIWORD = 900_000
"""The minor of the line of a multiword token, which precedes its words."""
Cells = list[str]
Row = tuple[int, int, Cells]
"""The position of a token line, its number in the file, and its cells."""


class TokenLine(NamedTuple):
    """A line of a word, a zero or a multiword token."""

    place: int
    """Its own position."""
    first: int
    last: int
    """The words that it represents: itself, unless it is a multiword token."""
    row: int
    """Its index among the lines."""
    text: str


class UASentence(Sentence):
    """A sentence whose lines are found by counting, not by their IDs."""

    __slots__ = ()

    @property
    def rows(self) -> list[TokenLine]:
        """Its token lines, in the order of the file."""
        return _rows_of(self)

    @property
    def places(self) -> list[int]:
        """The positions of all its token lines, in the order of the file."""
        return [row[0] for row in self.rows] if self.unusual else list(self.positions)

    @property
    def dependencies(self) -> dict[int, tuple[Dependency, ...]]:
        """The enhanced dependencies of its words and zeros, by position."""
        rows = [(row.place, cells_of(row.text)) for row in reversed(self.rows)]
        places = {"0": position(self.number, 0)} | {cells[0]: place for place, cells in rows}
        found: dict[int, tuple[Dependency, ...]] = {}
        for place, cells in rows:
            items = [item.partition(":") for item in cells[8].split("|")] if len(cells) > 8 else []
            named = [(places[parent], relation) for parent, _, relation in items if parent in places and relation]
            found[place] = tuple(named)
        return found

    @property
    def conllu_rows(self) -> list[tuple[int, Cells]]:
        """The position and the ten columns of CoNLL-U of each word and zero.

        IDs, HEAD and DEPS are numbers in the sentence, however the file numbers words and zeros. A HEAD or a parent
        in DEPS that is not in the sentence becomes ``_``.
        """
        of_nodes = [row for row in self.rows if row.place & MINOR_MASK < MULTIWORD]
        rows = [(row.place, cells_of(row.text, 10)[:10]) for row in of_nodes]
        names = {cells[0]: node_name(place) for place, cells in reversed(rows)} | {"0": "0"}
        dependencies = self.dependencies
        renumbered = []
        for place, cells in rows:
            cells = [node_name(place), *cells[1:], *["_"] * (10 - len(cells))]
            deps = [f"{node_name(parent)}:{relation}" for parent, relation in dependencies[place]]
            cells[6], cells[8] = names.get(cells[6], "_"), "|".join(deps) or "_"
            renumbered.append((place, cells))
        return renumbered

    def conllu_of(self, word: int) -> list[str]:
        """The first ten cells of the line of a word."""
        before = len(self.lines) - len(self.words)
        if self.unusual or any(map(is_token, self.lines[:before])):
            place = position(self.number, word)
            return next((cells_of(row.text, 11)[:10] for row in self.rows if row.place == place), [])
        return cells_of(self.lines[before + word - 1], 11)[:10]  # mostly: comments, then words

    def columns(self, name: str) -> list[str]:
        """The cells of the line of that position."""
        return cells_of(self.lines[self.line_index(name)])

    def line_index(self, name: str) -> int:
        """The index of the line of a word or zero, named like a node of CoNLL-U."""
        return _lines_by_name(self).get(name, 0)

    @staticmethod
    def recut(
        document: Document, like: Sequence[Sentence], lengths: Sequence[int]
    ) -> tuple[tuple[Sentence, ...], Callable[[int], int]]:
        """The sentences of a document cut like others, of so many words each, and where its positions have moved.

        Sentences for which no words are left are empty. A zero between two sentences goes to the end of the first one
        only if there are zeros in the other document, too.
        """
        rows = [
            (row.place & MINOR_MASK, sentence.line + row.row, row.text)
            for sentence in document.sentences
            for row in cast("UASentence", sentence).rows
        ]
        starts = [0]
        words, room = 0, _zeros_at_end(like[0])
        for index, (minor, _, _) in enumerate(rows):
            if words == lengths[len(starts) - 1] and len(starts) < len(lengths):
                if 0 < minor < MULTIWORD and room:
                    room -= 1
                    continue
                room = _zeros_at_end(like[len(starts)])
                starts.append(index)
                words = 0
            words += not minor
        cut = []
        for (start, end), sentence in zip(pairwise([*starts, len(rows)]), like, strict=False):
            first = rows[start][1]
            lines = [""] * (rows[end - 1][1] - first + 1)
            for _, line, text in rows[start:end]:
                lines[line - first] = text
            cut.append(make_sentence(sentence.id, sentence.number, first, lines))
        end = rows[-1][1] + 1 if rows else 0
        cut += [make_sentence(sentence.id, sentence.number, end, []) for sentence in like[len(cut) :]]
        old, new = LineNumbers(document), LineNumbers(document._replace(sentences=tuple(cut)))
        return tuple(cut), lambda place: new.place(old.number(place))


@remembered
def _rows_of(sentence: Sentence) -> list[TokenLine]:
    return list(token_lines(sentence.lines, sentence.number))


@remembered
def _lines_by_name(sentence: UASentence) -> dict[str, int]:
    return {node_name(row.place): row.row for row in reversed(sentence.rows)}


def is_token(line: str) -> bool:
    """Whether a line holds a word, a zero or a multiword token."""
    return line.lstrip()[:1] not in ("", "#")


def cells_of(line: str, least: int = 2) -> Cells:
    """The cells of a line: split at tabs, or at any white space if that gives too few."""
    cells = line.strip().split("\t")
    return cells if len(cells) >= least else line.split()


def form(line: str) -> str:
    """The second cell of a line."""
    return [*cells_of(line), "_"][1]


def token_lines(
    lines: Sequence[str], number: int, report: Report | None = None, line: int = 0
) -> Iterator[TokenLine]:
    """The token lines of the sentence of this number, which begins on a line of the file."""
    words = zeros = tokens = 0
    start = number << SENTENCE_SHIFT
    for index, text in enumerate(lines):
        if text[:1] == "#" or not (cells := text.split(None, 1)):
            continue
        name = cells[0]
        if name.isdigit() and len(name) < 10:
            words, zeros, tokens = words + 1, 0, 0
            place = start + (words << WORD_SHIFT)
            yield TokenLine(place, place, place, index, text)
            continue
        if name[0] == "#":
            continue
        match = WORD_ID.fullmatch(name)
        if match is None and report:
            report("bad-id", line + index, name=name)
        if match and match[1]:
            zeros += 1
            place = position(number, words, min(zeros, DECIMAL - 1))
            yield TokenLine(place, place, place, index, text)
        elif match and match[2]:
            first = position(number, words + 1)
            size = max(int(match[2]) - int(name.partition("-")[0]), 0) + 1
            place = position(number, words, MULTIWORD + tokens)
            yield TokenLine(place, first, position(number, min(words + size, LONGEST)), index, text)
            tokens += 1
        else:
            words, zeros, tokens = words + 1, 0, 0
            place = position(number, words)
            yield TokenLine(place, place, place, index, text)


def sentences(lines: Sequence[str], number: int, line: int, report: Report) -> Iterator[UASentence]:
    """The sentences of these lines, numbered after ``number``; the first line is ``line`` of the file."""
    for start, end in _extents(lines):
        own = list(lines[start:end])
        number += 1
        yield make_sentence(sent_id(own), number, line + start, own, report)


def make_sentence(id_: str, number: int, line: int, lines: list[str], report: Report | None = None) -> UASentence:
    """The sentence of these lines, the first of which is ``line`` of the file."""
    rows = list(token_lines(lines, number, report, line))
    words = [row[4] for row in rows if not row[0] & MINOR_MASK]
    others = [row for row in rows if row[0] & MINOR_MASK] if len(words) < len(rows) else []
    unusual = [node_name(row.place) if row.place == row.first else row.text.split(None, 1)[0] for row in others]
    return UASentence(id_, number, line, RowWords(words, form), unusual, lines)


def _extents(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of sentences: at empty lines, before a sent_id that follows words, and after too many words."""
    start = filled = 0
    for index, text in enumerate(lines):
        empty = not text or text.isspace()
        if filled == LONGEST or (filled and (empty or text.startswith("# sent_id"))):
            yield start, index
            start, filled = index, 0
        if empty and not filled:
            start = index + 1
        filled += is_token(text)
    if filled:
        yield start, len(lines)


class PositionNumbers:
    """Positions in order, numbered from 0; numbers and positions continue before the first and after the last."""

    __slots__ = ("_numbers", "_places")

    def __init__(self, places: list[int]) -> None:
        self._places = places
        self._numbers = {place: number for number, place in enumerate(places)}

    def place(self, number: int) -> int:
        """The position of this number."""
        if 0 <= number < len(self._places):
            return self._places[number]
        beyond = number if number < 0 else number - len(self._places) + 1
        return self._places[0 if number < 0 else -1] + beyond * NEXT_WORD

    def number(self, place: int) -> int:
        """The number of this position; where mentions are ids, there are no positions, and it is the id."""
        if (number := self._numbers.get(place)) is not None:
            return number
        if not self._places:
            return place
        first, last = self._places[0], self._places[-1]
        return place - first >> WORD_SHIFT if place < first else len(self._places) - 1 + (place - last >> WORD_SHIFT)


class LineNumbers(PositionNumbers):
    """Line numbers of UA scorer 1.0: all token lines of a document are counted from 0.

    Documents of other formats have the lines of their conversion to CoNLL-UA: one for each word and empty node. A
    mention there is its words, or its first empty node if it has none, and its head, if a word, is its minimum.
    """

    __slots__ = ("_native", "_of_words")

    def __init__(self, document: Document) -> None:
        self._native = all(isinstance(sentence, UASentence) for sentence in document.sentences)
        self._of_words: PositionNumbers | None = None
        super().__init__(
            [
                place
                for sentence in document.sentences
                for place in (sentence.places if isinstance(sentence, UASentence) else sentence.nodes)
            ]
        )

    @property
    def of_words(self) -> PositionNumbers:
        """The numbers of words alone, as minima are numbered in files."""
        if self._of_words is None:
            self._of_words = PositionNumbers([place for place in self._places if not place & MINOR_MASK])
        return self._of_words

    def span(self, mention: Mention) -> tuple[int, int]:
        """The numbers of the first and the last line of a mention."""
        first, last, numbers = mention[0], mention[2], self._numbers
        if self._native and first in numbers and last in numbers:  # nearly always
            return numbers[first], numbers[last]
        if not self._native and (first | last) & MINOR_MASK:
            words = [place for place in mention.positions if not place & MINOR_MASK] or [first]
            first, last = words[0], words[-1]
        return self.number(first), self.number(last)

    def minimum(self, mention: Mention) -> tuple[int, int] | None:
        """The numbers of the lines that the program takes for its minimum; None if it has none.

        A file gives the number of a word, which the program takes for that of a line, even beyond the document.
        """
        minimum = mention.minimum
        if not minimum and not self._native and not mention.head & MINOR_MASK:
            minimum = (mention.head,)
        return (self.of_words.number(minimum[0]), self.of_words.number(minimum[-1])) if minimum else None


def _zeros_at_end(sentence: Sentence) -> int:
    """The number of zeros after the last word of a sentence."""
    if not isinstance(sentence, UASentence):
        return 0
    last = sentence.positions[-1] if sentence.words else 0
    return sum(1 for place in sentence.places if place > last)
