"""CoNLL-2011, CoNLL-2012 and SemEval-2010, read on past every fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...base.document import Document, Mention, is_comment
from ...base.positions import SENTENCE_SHIFT, position
from ...read.conll import BEGIN, CHUNK, EMPTY, document_name
from ...read.source import Source
from .blocks import decoded
from .problems import Problems, Reading, quoted

ALMOST_BEGIN = re.compile(r"#\s*begin[\s_]*doc", flags=re.IGNORECASE)
END = re.compile(r"#\s*end document", flags=re.IGNORECASE)


class _Brackets:
    """The brackets of one document: a stack per id, words by their number in the document."""

    def __init__(self, problems: Problems, open_before: dict[str, int]) -> None:
        self._problems = problems
        self._open_before = open_before
        self._places: list[int] = []
        self._lines: list[int] = []
        self._opened: dict[str, list[int]] = {}
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def feed(self, place: int, line: int, cell: str) -> None:
        """Read the cell of the next word."""
        here = len(self._places)
        self._places.append(place)
        self._lines.append(line)
        if cell in EMPTY:
            return
        for single, opened, closed, bracket, other in CHUNK.findall(cell):
            if single:
                self._spans.setdefault(single, []).append((here, here))
            elif opened:
                self._opened.setdefault(opened, []).append(here)
            elif closed:
                self._close(closed, here)
            else:
                message = f"{quoted(bracket or other)} in {quoted(cell)} is no bracket with an id"
                self._problems.add("bad-cell", line, message)

    def _close(self, id_: str, here: int) -> None:
        line = self._lines[here]
        if self._opened.get(id_):
            first = self._opened[id_].pop()
            self._spans.setdefault(id_, []).append((first, here))
            if self._places[first] >> SENTENCE_SHIFT != self._places[here] >> SENTENCE_SHIFT:
                message = f"a mention of {quoted(id_)} ends in another sentence, in line {line}"
                self._problems.add("mention-over-sentences", self._lines[first], message)
        elif id_ in self._open_before:
            message = f"{quoted(id_)} was opened in line {self._open_before[id_]}, in the document before"
            self._problems.add("crosses-documents", line, message)
        else:
            self._problems.add("closed-never-opened", line, f"{quoted(id_ + ')')} closes what was never opened")

    def finish(self) -> dict[str, int]:
        """Note what was left open; the ids of these entities, with the lines that opened them."""
        left: dict[str, int] = {}
        for id_, stack in self._opened.items():
            for first in stack:
                left[id_] = self._lines[first]
                self._problems.add("never-closed", left[id_], f"a mention of {quoted(id_)} is never closed")
        return left

    def reading(self, name: str, path: str) -> Reading:
        """The document, as well as it can be read."""
        lines: dict[int, int] = {}
        entities = []
        for spans in self._spans.values():
            members = []
            for first, last in spans:
                words = tuple(self._places[first : last + 1])
                lines[words[0]] = self._lines[first]
                members.append(Mention(words, words[0]))
            entities.append(tuple(members))
        return Reading(Document(name, tuple(entities), entity_ids=tuple(self._spans), path=path), lines)


class ConllReading:
    """The documents of a file, one at a time while iterating."""

    number_column = 2

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.sentences = self.words = 0
        self._problems = problems
        self._name: str | None = None
        self._line = self._words_before = 0
        self._outside = True  # outside documents
        self._outside_noted = False
        self._begun: dict[str, int] = {}
        self._brackets = _Brackets(problems, {})
        self._sentence: list[int] = []  # the numbers of columns of its lines
        self._numbered = ""

    def __iter__(self) -> Iterator[Reading]:
        number = 0
        for lines in decoded(self.source, b"\n", self._problems):
            for line in lines:
                number += 1
                if begin := BEGIN.match(line):
                    yield from self._end_document()
                    self._begin_document(begin[1], number)
                elif is_comment(line):
                    self._comment(line, number)
                elif not line.strip():
                    self._sentence = []
                else:
                    self._word(line, number)
        if self._name is None:
            self._problems.add("no-document", 0, "the file has no '#begin document' line")
        elif not self._outside:
            self._problems.add("missing-end-line", number, "the last document has no '#end document'")
        yield from self._end_document()
        if self._begun and not self.sentences:
            self._problems.add("no-sentence", 0, "the file holds no sentence")

    def _begin_document(self, text: str, line: int) -> None:
        if self._name is not None and not self._outside:
            message = f"a document begins, but that of line {self._line} has not ended"
            self._problems.add("begun-inside", line, message)
        try:
            name = document_name(text)
        except ValueError:  # more digits than Python makes a number of
            name = text
            self._problems.add("refused", line, "the number of the part is too long", "number parts 000, 001, …")
        if name in self._begun:
            message = f"document {quoted(name)} began in line {self._begun[name]} already"
            self._problems.add("repeated-part", line, message)
        self._begun.setdefault(name, line)
        self._name, self._line = name, line
        self._sentence = []
        self._words_before = self.words
        self._outside = self._outside_noted = False

    def _end_document(self) -> Iterator[Reading]:
        if self._name is None:
            return
        if self.words == self._words_before:
            self._problems.add("document-without-words", self._line, f"document {quoted(self._name)} has no words")
        left = self._brackets.finish()
        yield self._brackets.reading(self._name, self.source.name)
        self._brackets = _Brackets(self._problems, left)

    def _comment(self, line: str, number: int) -> None:
        if END.match(line):
            if self._outside:
                self._problems.add("end-without-begin", number, "a document ends that has not begun")
            self._outside = True
            self._outside_noted = False
        elif ALMOST_BEGIN.match(line):
            self._problems.add("ignored-begin-line", number, f"{quoted(line)} does not begin a document")
        elif "\t" in line:
            self._problems.add("hash-line", number, f"{quoted(line)} is read as a comment")

    def _word(self, line: str, number: int) -> None:
        if self._outside and not self._outside_noted:
            self._outside_noted = True
            where = "before the first document" if self._name is None else f"after the end of {quoted(self._name)}"
            self._problems.add("words-outside-documents", number, f"words stand {where}, from this line on")
        if self._name is None:
            return
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2:
            self._problems.add("one-column", number, "a line of one column")
            return
        if not self._sentence:
            self.sentences += 1
        self.words += 1
        self._check_columns(cells, number)
        place = position(self.sentences, len(self._sentence))
        self._brackets.feed(place, number, cells[-1].strip())

    def _check_columns(self, cells: list[str], line: int) -> None:
        """Note, once a sentence each, that the number of columns changes and that words are misnumbered."""
        columns = self._sentence
        usual = columns[0] if columns else len(cells)
        if len(cells) != usual and all(size == usual for size in columns[-1:]):
            self._problems.add("columns-vary", line, f"{len(cells)} columns, but {usual} in the lines before")
        columns.append(len(cells))
        number = cells[self.number_column] if len(cells) > 4 else ""
        numbered = number if number.isdecimal() and len(number) < 10 else ""
        if len(columns) > 1 and numbered and self._numbered and int(numbered) != int(self._numbered) + 1:
            self._problems.add("word-numbers", line, f"word number {numbered} after {self._numbered}")
        self._numbered = numbered


class SemevalReading(ConllReading):
    """The same with word numbers in the first column."""

    number_column = 0
