"""CoNLL-2011 and CoNLL-2012: one word a line, coreference brackets in the last column.

Read as it is met in the wild: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are no numbers;
no ``|`` between brackets; a bare id inside of its mention (``(0``, ``0``, ``0)``); mentions that cross sentences. A
document is an id with its part. How ``scorer.pl`` reads such files is told in :mod:`.scorer_pl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from ..base.document import Document, Sentence, is_comment
from ..base.errors import Warnings
from ..base.positions import LONGEST, SENTENCE_SHIFT, WORD_SHIFT
from .conll_cells import CONTINUED, REOPENED, Mentions
from .numbered import RowWords
from .source import Source
from .stray import warn_of_misspelt, warn_of_words_before

BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
END = re.compile(r"#[ ]?end document\b")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
EMPTY = {"-", "_", "*", ""}
AFTER_TAB, AFTER_BLANK = ({separator + cell for cell in "-_*"} for separator in "\t ")
"""How lines end that have an empty cell in the last of their columns, which are two at least ..."""
FIRST, BEYOND_ASCII, LAST = "$", "\x7f", "\U0010ffff"
"""... if they sort after ``#``, and do not begin with a blank."""
NOTHING: set[str] = set()


class ConllReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    word = 3
    """The column of the word."""
    skeleton = 4
    """With so many columns or fewer it is the one before the last."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self._warnings = warnings
        self.has_heads = False
        self._starts = _beginnings(source)
        self.names = [name for name, _ in self._starts]
        if not self._starts:
            source.refuse("has no '#begin document' line", "is it a CoNLL file at all?", code="no-document")
        seen: set[str] = set()
        for index, name in enumerate(self.names):
            if name in seen:
                line = self.line_of_document(index)
                source.refuse(f"document {name!r} comes twice", "number its parts", line, "repeated-part")
            seen.add(name)
        warn_of_words_before(self._starts[0][1], source, warnings)

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._starts[index][1])

    @property
    def starts(self) -> list[int]:
        """Where documents begin in the file."""
        return [start for _, start in self._starts]

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Those from one number up to another; of those before, only sentences are counted."""
        marks = [*self.starts, self.source.size]
        line = self.line_of_document(start)
        sentences = sum(_count_sentences(self.source.text(*extent)) for extent in pairwise(marks[: start + 1]))
        for name, extent in zip(self.names[start:stop], pairwise(marks[start : stop + 1]), strict=True):
            text = self.source.text(*extent)
            document = self._document(name, text, line, sentences)
            sentences += len(document.sentences)
            line += text.count("\n")
            yield document
        if not sentences and stop == len(self.names):
            self.source.refuse("holds no sentence", "is it a CoNLL file at all?", code="no-sentence")

    def _document(self, name: str, text: str, first_line: int, before: int) -> Document:
        """The document of this text; the file has so many sentences before it.

        Most lines are words without brackets: their endings tell, and nothing is made of them before somebody asks.
        """
        refuse = self.source.refuse
        lines = text.split("\n")
        endings, beyond = (AFTER_TAB, LAST) if "\t" in text else (AFTER_BLANK, BEYOND_ASCII)
        mentions = Mentions()
        extents: list[tuple[int, int]] = []  # the lines of each sentence: the first, and the next after the last
        number, start, origin = before + 1, 0, -1  # word n of a sentence is on the line ``origin + n``
        for index, line in enumerate([*lines, ""]):
            if line[-2:] in endings and FIRST <= line < beyond:
                continue
            no_word = not FIRST <= line < BEYOND_ASCII and (not line or line.isspace() or is_comment(line))
            if no_word or index - origin > LONGEST:
                comment = line[:1] == "#"
                most = 0 if no_word and not comment else LONGEST  # words of a sentence that does not end here
                while index - origin > most + no_word:
                    mentions.sizes[number] = size = min(index - origin - 1, LONGEST)
                    extents.append((start, origin + 1 + size))
                    number, start, origin = number + 1, origin + 1 + size, origin + size
            if no_word:
                if index - origin == 1:  # no word yet
                    start = index + 1
                origin += 1
                if comment and END.match(line):
                    endings = NOTHING  # words that follow are looked at
                if comment and index:  # the first line begins the document
                    warn_of_misspelt(line, first_line + index, self.source, self._warnings)
                continue
            _, tab, cell = line.rpartition("\t")
            if not tab:
                cells = line.split()
                cell = cells[-1]
                if len(cells) < 2:
                    hint = "a word and its coreference cell are needed"
                    refuse("a line of one column", hint, first_line + index, "one-column")
            if endings is NOTHING:
                hint = "words stand between #begin and #end document"
                refuse("a word after '#end document'", hint, first_line + index, "words-outside-documents")
            if cell in EMPTY or (cell := cell.strip()) in EMPTY:
                continue
            for problem, chunk in mentions.feed(cell, number << SENTENCE_SHIFT | index - origin << WORD_SHIFT):
                self._take(problem, chunk, cell, first_line + index)
        for id_, stack in mentions.opened.items():
            if stack:
                line_number = first_line + extents[(stack[-1] >> SENTENCE_SHIFT) - before - 1][0]
                message = f"a mention of {id_!r} that begins in this sentence is never closed"
                refuse(message, f"write {id_ + ')'!r} in the cell of its last word", line_number, "never-closed")
        sentences = [
            self._sentence(number, size, first_line + start, lines[start:end])
            for (number, size), (start, end) in zip(mentions.sizes.items(), extents, strict=True)
        ]
        return mentions.document(name, tuple(sentences), self.source.name)

    def _sentence(self, number: int, size: int, line: int, lines: list[str]) -> Sentence:
        """The sentence of so many words on these lines, the first of which has this number in the file."""
        rows = lines
        if len(lines) > size:
            while is_comment(lines[-1]):  # what follows, such as #end document
                lines.pop()
            rows = [row for row in lines if not is_comment(row)]
        return Sentence("", number, line, RowWords(rows, self.form), [], lines)

    @classmethod
    def form(cls, line: str) -> str:
        """The word on a line of at least two columns."""
        cells = line.split("\t") if "\t" in line else line.split()
        return cells[cls.word] if len(cells) > cls.skeleton else cells[-2]

    def _take(self, problem: str, chunk: str, cell: str, line: int) -> None:
        """Refuse a fault of a cell, warn of it, or put up with it."""
        if problem == REOPENED:
            message = f"{cell!r} closes {chunk!r} and opens it again: the reference scorer opens before it closes"
            self._warnings.add(REOPENED, self.source.name, line, f"{message}, and reads other mentions")
        elif problem != CONTINUED:
            message = f"entity {chunk!r} is closed but was never opened"
            if problem == "bad-cell":
                message = f"{chunk!r} in the coreference cell {cell!r} is no bracket with an id"
            self.source.refuse(message, "cells hold (ID, ID), (ID) and combinations joined by '|'", line, problem)


class SemevalReader(ConllReader):
    """The same with the words in the second column."""

    word = 1
    skeleton = 2


def _beginnings(source: Source) -> list[tuple[str, int]]:
    """Name and offset of every document, from one pass over the bytes."""
    beginnings = []
    for offset, piece in source.pieces(b"\n"):
        end = 0
        while (found := piece.find(b"begin document", end)) >= 0:
            start = piece.rfind(b"\n", 0, found) + 1
            end = piece.find(b"\n", found)
            end = end if end >= 0 else len(piece)
            begin = BEGIN.match(piece[start:end].decode("utf-8", errors="replace"))
            if begin:
                beginnings.append((document_name(begin[1]), offset + start))
    return beginnings


def _count_sentences(text: str) -> int:
    """How many sentences the reader finds in a document that is sound."""
    filled = (bool(line) and not line.isspace() for line in text.split("\n") if not is_comment(line))
    runs = [sum(1 for _ in run) for words, run in groupby(filled) if words]
    return sum(-(-words // LONGEST) for words in runs)


def document_name(text: str) -> str:
    """What a document is called whose '#begin document' line goes on like this.

    >>> document_name("(nw/xinhua_0001); part 000"), document_name("abstract-1")
    ('nw/xinhua_0001; part 000', 'abstract-1')
    """
    id_, _, tail = text.rpartition(";")
    part = PART.fullmatch(tail) if id_ else None
    name = (id_ if part else text).strip().removeprefix("(").removesuffix(")")
    return name + (f"; part {int(part[1]):03d}" if part else "")
