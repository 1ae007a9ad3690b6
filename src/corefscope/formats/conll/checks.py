"""Validation of CoNLL-2011, CoNLL-2012 and SemEval-2010: every problem, not only the first."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Document, is_comment
from ...core.positions import SENTENCE_SHIFT, position
from ..source import Source
from ..validate.problems import Problems, Reading, TolerantReading, decoded, quoted
from .reader import ALMOST_BEGIN, BEGIN, CONTINUED, EMPTY, END, REOPENED, Mentions, document_name


class ConllReading(TolerantReading):
    """The documents of a file, one at a time while iterating."""

    number_column = 2

    def __init__(self, source: Source, problems: Problems) -> None:
        super().__init__(source, problems)
        self._name: str | None = None
        self._line = self._words_before = 0
        self._outside = True  # outside documents
        self._outside_noted = False
        self._begun: dict[str, int] = {}
        self._mentions = Mentions()
        self._lines: dict[int, int] = {}  # of the words of the document, by position
        self._open_before: dict[str, int] = {}  # ids that the previous document left open, with lines
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
            self._note("no-document", 0, "the file has no '#begin document' line")
        elif not self._outside:
            self._note("missing-end-line", number, "the last document has no '#end document'")
        yield from self._end_document()
        if self._begun and not self.sentences:
            self._note("no-sentence", 0, "the file holds no sentence")

    def _begin_document(self, text: str, line: int) -> None:
        if self._name is not None and not self._outside:
            self._note("begun-inside", line, f"a document begins, but that of line {self._line} has not ended")
        name = document_name(text)
        if name in self._begun:
            self._note("repeated-part", line, f"document {quoted(name)} began in line {self._begun[name]} already")
        self._begun.setdefault(name, line)
        self._name, self._line = name, line
        self._sentence = []
        self._words_before = self.words
        self._outside = self._outside_noted = False

    def _end_document(self) -> Iterator[Reading]:
        if self._name is None:
            return
        if self.words == self._words_before:
            self._note("document-without-words", self._line, f"document {quoted(self._name)} has no words")
        self._check_ends()
        entities = self._mentions.entities()
        document = Document(self._name, tuple(entities.values()), entity_ids=tuple(entities), path=self.source.name)
        yield Reading(document, self._lines)
        self._mentions, self._lines = Mentions(), {}

    def _check_ends(self) -> None:
        """Note mentions that end in another sentence, or never."""
        spans = [(m.first, m.last, id_) for id_, entity in self._mentions.entities().items() for m in entity]
        for first, last, id_ in sorted(spans, key=lambda span: span[1]):
            if first >> SENTENCE_SHIFT != last >> SENTENCE_SHIFT:
                message = f"a mention of {quoted(id_)} ends in another sentence, in line {self._lines[last]}"
                self._note("mention-over-sentences", self._lines[first], message)
        self._open_before = {}
        for id_, stack in self._mentions.opened.items():
            for place in stack:
                line = self._open_before[id_] = self._lines[place]
                self._note("never-closed", line, f"a mention of {quoted(id_)} is never closed")

    def _comment(self, line: str, number: int) -> None:
        if END.match(line):
            if self._outside:
                self._note("end-without-begin", number, "a document ends that has not begun")
            self._outside = True
            self._outside_noted = False
        elif ALMOST_BEGIN.match(line):
            self._note("ignored-begin-line", number, f"{quoted(line)} does not begin a document")
        elif "\t" in line:
            self._note("hash-line", number, f"{quoted(line)} is read as a comment")

    def _word(self, line: str, number: int) -> None:
        if self._outside and not self._outside_noted:
            self._outside_noted = True
            where = "before the first document" if self._name is None else f"after the end of {quoted(self._name)}"
            self._note("words-outside-documents", number, f"words {where}, from this line on")
        if self._name is None:
            return
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2:
            self._note("one-column", number, "a line of one column")
            return
        if not self._sentence:
            self.sentences += 1
        self.words += 1
        self._check_columns(cells, number)
        place = position(self.sentences, len(self._sentence))
        self._mentions.sizes[self.sentences] = len(self._sentence)
        self._lines[place] = number
        if (cell := cells[-1].strip()) not in EMPTY:
            self._check_cell(cell, place, number)

    def _check_cell(self, cell: str, place: int, line: int) -> None:
        for problem, chunk in self._mentions.feed(cell, place):
            if problem == CONTINUED:
                message = f"{quoted(chunk)} has no bracket: its mention goes on"
            elif problem == REOPENED:
                message = f"{quoted(cell)} closes {quoted(chunk)} and opens it again"
            elif problem == "bad-cell":
                message = f"{quoted(chunk)} in {quoted(cell)} is no bracket with an id"
            elif chunk in self._open_before:
                problem = "crosses-documents"
                message = f"{quoted(chunk)} was opened in line {self._open_before[chunk]}, in the document before"
            else:
                message = f"{quoted(chunk + ')')} closes what was never opened"
            self._note(problem, line, message)

    def _check_columns(self, cells: list[str], line: int) -> None:
        """Note, once a sentence each, that the number of columns changes and that words are misnumbered."""
        columns = self._sentence
        usual = columns[0] if columns else len(cells)
        if len(cells) != usual and columns[-1] == usual:
            self._note("columns-vary", line, f"{len(cells)} columns, but {usual} in the lines before")
        columns.append(len(cells))
        number = cells[self.number_column] if len(cells) > 4 else ""
        numbered = number if number.isdecimal() and len(number) < 10 else ""
        if len(columns) > 1 and numbered and self._numbered and int(numbered) != int(self._numbered) + 1:
            self._note("word-numbers", line, f"word number {numbered} after {self._numbered}")
        self._numbered = numbered


class SemevalReading(ConllReading):
    """SemEval-2010: word numbers are in the first column."""

    number_column = 0
