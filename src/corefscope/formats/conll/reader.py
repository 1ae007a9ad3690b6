"""CoNLL-2011, CoNLL-2012 and SemEval-2010: one word a line, coreference brackets in the last column.

All variants in use are read: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are not numbers;
no ``|`` between brackets; a bare id inside its mention (``(0``, ``0``, ``0)``); mentions that cross sentences. A
document is an id with its part. :mod:`corefscope.compat.scorer_pl` reads such files exactly as ``scorer.pl`` does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from ...core.document import Document, Entity, Mention, Sentence, is_comment, unbroken
from ...core.errors import Warnings
from ...core.positions import FAR, LONGEST, SENTENCE_SHIFT, WORD_MASK, WORD_SHIFT, position, word_positions
from ..sentences import RowWords
from ..source import Source

CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
NOT_OPEN, CONTINUED, REOPENED = "closed-never-opened", "bare-id", "opened-after-closed"
"""Faults of brackets. The reader accepts an id without bracket while a mention of it is open, and warns of a cell
that closes a mention and then opens another of the same id."""


class Mentions:
    """The brackets of one document: a stack per id.

    The brackets of a cell are read from left to right: ``5)|(5`` ends a mention and begins another. The reference
    scorer opens before it closes, and finds a mention of one word inside the first. Once there is such a cell,
    ``official`` has the mentions that the reference scorer finds.
    """

    def __init__(self) -> None:
        self.of_ids: defaultdict[str, list[Mention]] = defaultdict(list)
        """The mentions of each id. Ids are in the order of their first brackets; those of one cell begin with the
        mentions of one word."""
        self.opened: defaultdict[str, list[int]] = defaultdict(list)
        """The first words of open mentions."""
        self.sizes: dict[int, int] = {}
        """The number of words of each sentence that has ended."""
        self._words_before = [0]
        """The number of words before each sentence, extended on demand."""
        self._seams: list[int] = []
        """The last word of each sentence and the first of the next, encoded as in :func:`~.positions.runs_in`."""
        self.official: Mentions | None = None

    def feed(self, cell: str, place: int) -> list[tuple[str, str]]:
        """Read the cell of a word; returns its faults as codes of validation, each with a chunk."""
        singles, opened, closed, in_order = _brackets(cell)
        if in_order or self.official:
            return self._feed_in_order(cell, place)
        not_open = self.feed_in_groups(place, singles, opened, closed)
        return [(NOT_OPEN, id_) for id_ in not_open] if not_open else []

    def _feed_in_order(self, cell: str, place: int) -> list[tuple[str, str]]:
        chunks = CHUNK.findall(cell)
        faults = [(REOPENED, id_) for id_ in _reopened(chunks)]
        if faults and self.official is None:
            self.official = self._copy()
        singles, opens, closes, _ = _brackets(cell)
        if self.official:
            self.official.feed_in_groups(place, singles, opens, closes)
        for id_ in singles + opens:
            self.of_ids[id_]  # reserves its place
        for single, opened, closed, bracket, other in chunks:
            if single or opened or closed:
                groups = [(id_,) if id_ else () for id_ in (single, opened, closed)]
                faults += [(NOT_OPEN, id_) for id_ in self.feed_in_groups(place, *groups)]
            else:
                faults.append((CONTINUED if self.opened.get(other) else "bad-cell", bracket or other))
        return faults

    def feed_in_groups(
        self, place: int, singles: Sequence[str], opened: Sequence[str], closed: Sequence[str]
    ) -> list[str]:
        """Read the brackets of a word kind by kind, as the reference scorer does; returns ids that were not open."""
        of_ids, stacks = self.of_ids, self.opened
        for id_ in singles:
            of_ids[id_].append(unbroken(place, place, place))
        for id_ in opened:
            of_ids[id_]  # reserves its place
            stacks[id_].append(place)
        not_open = []
        for id_ in closed:
            if not (stack := stacks.get(id_)):
                not_open.append(id_)
                continue
            first = stack.pop()
            if first >> SENTENCE_SHIFT == place >> SENTENCE_SHIFT:
                of_ids[id_].append(unbroken(first, place, first))
            else:
                of_ids[id_].append(self._broken(first, place))
        return not_open

    def _broken(self, first: int, last: int) -> Mention:
        """The mention from a word of one sentence to a word of another."""
        start = next(iter(self.sizes))
        begins, ends = ((place >> SENTENCE_SHIFT) - start for place in (first, last))
        for number in range(start + len(self._words_before) - 1, start + ends):
            words = word_positions(number, self.sizes[number])
            self._words_before.append(self._words_before[-1] + len(words))
            self._seams += FAR - words[-1], word_positions(number + 1, 1)[0]
        runs = (first, *self._seams[2 * begins : 2 * ends], FAR - last)
        before, after = ((place & WORD_MASK) >> WORD_SHIFT for place in (first, last))
        words_between = self._words_before[ends] - self._words_before[begins]
        size = after + words_between - before + 1
        return tuple.__new__(Mention, (first, -size, last, first, (), runs))  # whose runs are known

    def _copy(self) -> Mentions:
        """A copy of the mentions; the sizes of sentences are shared."""
        new = Mentions()
        new.sizes = self.sizes
        new.of_ids.update({id_: list(mentions) for id_, mentions in self.of_ids.items()})
        new.opened.update({id_: list(stack) for id_, stack in self.opened.items()})
        return new

    def entities(self) -> dict[str, Entity]:
        """The entities that have mentions, by their first brackets; mentions in order."""
        return {id_: tuple(sorted(mentions)) for id_, mentions in self.of_ids.items() if mentions}

    def document(self, name: str, sentences: tuple[Sentence, ...], path: str) -> Document:
        """The document; entities by their first brackets."""
        entities = self.entities()
        return Document(
            name,
            tuple(entities.values()),
            entity_ids=tuple(entities),
            entity_types=("",) * len(entities),
            sentences=sentences,
            path=path,
            official=self.official.document(name, sentences, path) if self.official else None,
        )


@lru_cache(maxsize=1 << 14)  # the same few cells come again in every document
def _brackets(cell: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """The ids of one-word, opening and closing brackets; and whether their order matters, or there is other text."""
    chunks = CHUNK.findall(cell)
    singles = tuple([chunk[0] for chunk in chunks if chunk[0]])
    opened = tuple([chunk[1] for chunk in chunks if chunk[1]])
    closed = tuple([chunk[2] for chunk in chunks if chunk[2]])
    brackets = len(singles) + len(opened) + len(closed)
    return singles, opened, closed, bool(opened and closed) or brackets < len(chunks)


def _reopened(chunks: list[tuple[str, ...]]) -> list[str]:
    """The ids of which a cell closes a mention that was open before, and leaves open another."""
    opened: Counter[str] = Counter()
    closed: dict[str, None] = {}
    for _, opening, closing, *_ in chunks:
        if opening:
            opened[opening] += 1
        elif opened[closing]:
            opened[closing] -= 1
        elif closing:
            closed[closing] = None
    return [id_ for id_ in closed if opened[id_]]


ALMOST_BEGIN = re.compile(r"#\s*begin[\s_]*doc", flags=re.IGNORECASE)
"""A possible misspelling of '#begin document'."""


def warn_of_misspelt(line: str, number: int, source: Source, warnings: Warnings) -> None:
    """Warn if a comment is a misspelling of '#begin document'."""
    if ALMOST_BEGIN.match(line):
        message = f"{line[:60]!r} does not begin a document: write '#begin document (ID); part 000'"
        warnings.add("ignored-begin-line", source.name, number, message)


def warn_of_words_before(first: int, source: Source, warnings: Warnings) -> None:
    """Warn of words before the first document, which begins at an offset."""
    data = source.read(source.start, first)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} before the first document is not UTF-8: ignored"
        warnings.add("not-utf-8", source.name, data.count(b"\n", 0, error.start) + 1, message)
        text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), 1):
        if is_comment(line):
            warn_of_misspelt(line, number, source, warnings)
        elif line.strip():
            message = "words before the first '#begin document': ignored"
            warnings.add("words-outside-documents", source.name, number, message)


BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
BEGIN_LINE = re.compile(rb"\n#[ ]?begin document[^\n]*")
END = re.compile(r"#[ ]?end document\b")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
EMPTY = {"-", "_", "*", ""}


class ConllReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    word = 3
    """The column of the word."""
    skeleton = 4
    """In files of at most so many columns, the word is in the column before the last."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self._warnings = warnings
        self.has_heads = False
        self._starts = list(_beginnings(source))
        self.names: list[str] = [name for name, _ in self._starts]
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
        """The documents in a range of indices; sentences of earlier ones are only counted."""
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
        """Read the document of this text; the file has so many sentences before it."""
        refuse = self.source.refuse
        lines = text.split("\n")
        mentions = Mentions()
        sentences: list[tuple[int, int]] = []  # the indices of the first line of each, and of the line after the last
        number, size, start, end = before + 1, 0, 0, 0
        ended = False
        for index, line in enumerate([*lines, ""]):
            if line[:1] == "#" and is_comment(line):
                ended = ended or bool(END.match(line))
                if index:  # the first line begins the document
                    warn_of_misspelt(line, first_line + index, self.source, self._warnings)
                continue
            blank = not line or line.isspace()
            if size and (blank or size == LONGEST):
                mentions.sizes[number] = size
                sentences.append((start, end))
                number, size = number + 1, 0
            if blank:
                continue
            _, tab, cell = line.rpartition("\t")
            if not tab:
                cell = self._last_cell(line, first_line + index)
            if ended:
                hint = "words belong between #begin and #end document"
                refuse("a word after '#end document'", hint, first_line + index, "words-outside-documents")
            if not size:
                start = index
            size, end = size + 1, index + 1
            if cell in EMPTY or (cell := cell.strip()) in EMPTY:
                continue
            for problem, chunk in mentions.feed(cell, position(number, size)):
                self._take(problem, chunk, cell, first_line + index)
        for id_, stack in mentions.opened.items():
            if stack:
                line_number = first_line + sentences[(stack[-1] >> SENTENCE_SHIFT) - before - 1][0]
                message = f"a mention of {id_!r} that begins in this sentence is never closed"
                refuse(message, f"write {id_ + ')'!r} in the cell of its last word", line_number, "never-closed")
        made = [
            self._sentence(sentence_number, first_line + start, lines[start:end], mentions.sizes[sentence_number])
            for sentence_number, (start, end) in enumerate(sentences, before + 1)
        ]
        return mentions.document(name, tuple(made), self.source.name)

    def _sentence(self, number: int, first_line: int, lines: list[str], size: int) -> Sentence:
        """The sentence of so many words on these lines, which may have comments."""
        rows = [line for line in lines if not is_comment(line)] if len(lines) > size else lines
        return Sentence("", number, first_line, RowWords(rows, self.form), [], lines)

    def _last_cell(self, line: str, number: int) -> str:
        """The last cell of a line whose cells are separated by blanks."""
        columns = line.rsplit(None, 1)
        if len(columns) == 1:
            hint = "a word and its coreference cell are needed"
            self.source.refuse("a line of one column", hint, number, "one-column")
        return columns[1]

    @classmethod
    def form(cls, line: str) -> str:
        """The word on a line of at least two columns."""
        cells = line.split("\t") if "\t" in line else line.split()
        return cells[cls.word] if len(cells) > cls.skeleton else cells[-2]

    def _take(self, problem: str, chunk: str, cell: str, line: int) -> None:
        """Refuse a fault of a cell, warn of it, or accept it."""
        if problem == REOPENED:
            message = f"{cell!r} closes {chunk!r} and opens it again: the reference scorer opens before it closes"
            self._warnings.add(REOPENED, self.source.name, line, f"{message}, and reads other mentions")
        elif problem != CONTINUED:
            message = f"entity {chunk!r} is closed but was never opened"
            if problem == "bad-cell":
                message = f"{chunk!r} in the coreference cell {cell!r} is no bracket with an id"
            self.source.refuse(message, "cells hold (ID, ID), (ID) and combinations joined by '|'", line, problem)


class SemevalReader(ConllReader):
    """SemEval-2010: words are in the second column."""

    word = 1
    skeleton = 2


def _beginnings(source: Source) -> Iterator[tuple[str, int]]:
    """Name and offset of every document."""
    for offset, piece in source.pieces(b"\n"):
        for line in BEGIN_LINE.finditer(b"\n" + piece):
            if begin := BEGIN.match(line[0][1:].decode("utf-8", errors="replace")):
                yield document_name(begin[1]), offset + line.start()


def _count_sentences(text: str) -> int:
    """The number of sentences in a valid document."""
    filled = (bool(line) and not line.isspace() for line in text.split("\n") if not is_comment(line))
    return sum(-(-len(list(run)) // LONGEST) for has_words, run in groupby(filled) if has_words)


def document_name(text: str) -> str:
    """The name of a document, from the rest of its '#begin document' line.

    >>> document_name("(nw/xinhua_0001); part 000"), document_name("abstract-1")
    ('nw/xinhua_0001; part 000', 'abstract-1')
    """
    id_, _, tail = text.rpartition(";")
    part = PART.fullmatch(tail) if id_ else None
    name = (id_ if part else text).strip().removeprefix("(").removesuffix(")")
    return name + (f"; part {int(part[1]):03d}" if part else "")
