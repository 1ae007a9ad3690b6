"""CoNLL-2011 and CoNLL-2012: one word a line, coreference brackets in the last column.

Read as it is met in the wild: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are no numbers;
no ``|`` between brackets; a bare id inside of its mention (``(0``, ``0``, ``0)``); mentions that cross sentences. A
document is an id with its part. How ``scorer.pl`` reads such files is told in :mod:`.scorer_pl`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise

from ..base.document import Document, Entity, Mention, Sentence, is_comment
from ..base.errors import Warnings
from ..base.positions import LONGEST, NEXT_WORD, SENTENCE_SHIFT
from .source import Source
from .stray import warn_of_misspelt, warn_of_words_before

BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
END = re.compile(r"#[ ]?end document\b")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
EMPTY = {"-", "_", "*", ""}
CONTINUED, REOPENED = "bare-id", "opened-after-closed"
"""Faults that are none to readers: an id without bracket while a mention of it is open; and a cell that closes a
mention and then begins another of the same id, of which they warn."""


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
            document = self._document(name, text.split("\n"), line, sentences)
            sentences += len(document.sentences)
            line += text.count("\n")
            yield document
        if not sentences and stop == len(self.names):
            self.source.refuse("holds no sentence", "is it a CoNLL file at all?", code="no-sentence")

    def _document(self, name: str, lines: list[str], first_line: int, before: int) -> Document:
        """The document of these lines; the file has so many sentences before it."""
        refuse = self.source.refuse
        sentences: list[Sentence] = []
        mentions = Mentions()
        positions = mentions.positions
        words: list[str] = []
        start = end = 0  # of the lines of the sentence
        position = 0  # of the latest word
        ended = False
        for index, line in enumerate([*lines, ""]):
            if line[:1] == "#" and is_comment(line):
                ended = ended or END.match(line) is not None
                if index:  # the first line begins the document
                    warn_of_misspelt(line, first_line + index, self.source, self._warnings)
                continue
            blank = not line or line.isspace()
            if words and (blank or len(words) == LONGEST):
                text = "\n".join(lines[start:end])  # not what follows, such as #end document
                number = before + len(sentences) + 1
                sentences.append(Sentence("", number, first_line + start, words, [], text))
                words = []
            if blank:
                continue
            cells = line.split("\t") if "\t" in line else line.split()
            if len(cells) < 2:
                hint = "a word and its coreference cell are needed"
                refuse("a line of one column", hint, first_line + index, "one-column")
            if ended:
                hint = "words stand between #begin and #end document"
                refuse("a word after '#end document'", hint, first_line + index, "words-outside-documents")
            if not words:
                start = index
                position = before + len(sentences) + 1 << SENTENCE_SHIFT
            end = index + 1
            position += NEXT_WORD
            positions.append(position)
            words.append(f"{len(words) + 1}\t{cells[self.word] if len(cells) > self.skeleton else cells[-2]}")
            cell = cells[-1]
            if cell in EMPTY or (cell := cell.strip()) in EMPTY:
                continue
            for problem, chunk in mentions.feed(cell):
                self._take(problem, chunk, cell, first_line + index)
        for id_, stack in mentions.opened.items():
            if stack:
                sentence = sentences[(positions[stack[-1]] >> SENTENCE_SHIFT) - before - 1]
                message = f"a mention of {id_!r} that begins in this sentence is never closed"
                refuse(message, "write 3)", sentence.line, "never-closed")
        return mentions.document(name, tuple(sentences), self.source.name)

    def _take(self, problem: str, chunk: str, cell: str, line: int) -> None:
        """Refuse a fault of a cell, warn of it, or put up with it."""
        if problem == REOPENED:
            message = f"{cell!r} closes {chunk!r} and opens it again: the reference scorer opens before it closes"
            self._warnings.add(REOPENED, self.source.name, line, f"{message}, and reads other mentions")
        elif problem != CONTINUED:
            message = f"entity {chunk!r} is closed but was never opened"
            if problem == "bad-cell":
                message = f"{chunk!r} in the coreference cell {cell!r} is no bracket with an id"
            self.source.refuse(message, "cells hold (3, 3), (3) and combinations such as (3|(4)", line, problem)


class SemevalReader(ConllReader):
    """The same with the words in the second column."""

    word = 1
    skeleton = 2


class Mentions:
    """The brackets of one document: a stack per id, words by their number in the document.

    Brackets of a cell count from left to right: ``5)|(5`` ends a mention and begins another. To the reference scorer
    it is a mention of one word inside of the first, because it opens what a cell opens before it closes. Once there
    is such a cell, ``official`` has the mentions as the reference finds them.
    """

    def __init__(self) -> None:
        self.positions: list[int] = []
        self.appeared: dict[str, int] = {}
        """The ids in the order of their first brackets; of one cell, those of single words first."""
        self.opened: dict[str, list[int]] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}
        self.official: Mentions | None = None

    def feed(self, cell: str) -> list[tuple[str, str]]:
        """Read the cell of the latest word, on past its faults: these are codes of validation, each with a chunk."""
        chunks = CHUNK.findall(cell)
        mixed = len(chunks) > 1 and any(chunk[1] for chunk in chunks) and any(chunk[2] for chunk in chunks)
        faults = [(REOPENED, id_) for id_ in _reopened(chunks)] if mixed else []
        if faults and self.official is None:
            self.official = self._copy()
        if self.official:
            self.official.feed_in_groups(*([chunk[kind] for chunk in chunks if chunk[kind]] for kind in range(3)))
        appeared = self.appeared
        for id_ in [chunk[0] for chunk in chunks] + [chunk[1] for chunk in chunks]:
            appeared.setdefault(id_, len(appeared))  # also the empty one: nobody asks for it
        word = len(self.positions) - 1
        for single, opened, closed, bracket, other in chunks:
            if single:
                self.spans.setdefault(single, []).append((word, word))
            elif opened:
                self.opened.setdefault(opened, []).append(word)
            elif closed and not self._close(closed):
                faults.append(("closed-never-opened", closed))
            elif not closed:
                faults.append((CONTINUED if self.opened.get(other) else "bad-cell", bracket or other))
        return faults

    def feed_in_groups(self, singles: list[str], opened: list[str], closed: list[str]) -> list[str]:
        """Read the brackets of the latest word as the reference does, kind by kind; returns what was not open."""
        word = len(self.positions) - 1
        for id_ in singles + opened:
            self.appeared.setdefault(id_, len(self.appeared))
        for id_ in singles:
            self.spans.setdefault(id_, []).append((word, word))
        for id_ in opened:
            self.opened.setdefault(id_, []).append(word)
        return [id_ for id_ in closed if not self._close(id_)]

    def _close(self, id_: str) -> bool:
        """Whether there was something to close."""
        stack = self.opened.get(id_)
        if not stack:
            return False
        self.spans.setdefault(id_, []).append((stack.pop(), len(self.positions) - 1))
        return True

    def _copy(self) -> Mentions:
        """The same mentions to go on from; the words, which nobody reads in two ways, are shared."""
        new = Mentions()
        new.positions = self.positions
        new.appeared = dict(self.appeared)
        new.opened = {id_: list(stack) for id_, stack in self.opened.items()}
        new.spans = {id_: list(spans) for id_, spans in self.spans.items()}
        return new

    def entity(self, id_: str) -> Entity:
        """The mentions of an entity in order; their heads are their first words."""
        members = []
        for first, last in sorted(self.spans[id_], key=lambda span: (span[0], -span[1])):
            words = self.positions[first : last + 1]
            members.append(Mention(words, words[0]))
        return tuple(members)

    def document(self, name: str, sentences: tuple[Sentence, ...], path: str) -> Document:
        """The document; entities by their first brackets."""
        ids = sorted(self.spans, key=self.appeared.__getitem__)
        return Document(
            name,
            tuple(map(self.entity, ids)),
            entity_ids=tuple(ids),
            entity_types=("",) * len(ids),
            sentences=sentences,
            path=path,
            official=self.official.document(name, sentences, path) if self.official else None,
        )


def _reopened(chunks: list[tuple[str, ...]]) -> list[str]:
    """The ids of which a cell closes a mention that was open before it, and leaves open one that it opens."""
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


def _beginnings(source: Source) -> list[tuple[str, int]]:
    """Name and offset of every document, from one pass over the bytes."""
    beginnings = []
    for offset, piece in source.pieces(b"\n"):
        if b"begin document" not in piece:
            continue
        for line in re.finditer(rb"^#[^\n]*begin document[^\n]*", piece, flags=re.MULTILINE):
            begin = BEGIN.match(line[0].decode("utf-8", errors="replace"))
            if begin:
                beginnings.append((document_name(begin[1]), offset + line.start()))
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
