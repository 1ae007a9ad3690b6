"""CoNLL-2011 and CoNLL-2012: one word a line, coreference brackets in the last column.

Read as it is met in the wild: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are no numbers;
no ``|`` between brackets; mentions that cross sentences. A document is an id with its part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from ..base.document import Document, Entity, Mention, Sentence, is_comment
from ..base.errors import InputError, Warnings
from ..base.positions import LONGEST, NEXT_WORD, SENTENCE_SHIFT
from .source import Source

BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
END = re.compile(r"#[ ]?end document\b")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
EMPTY = {"-", "_", "*", ""}


class ConllReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    _word = 3  # the column of the word
    _skeleton = 4  # with so many columns or fewer it is the one before the last

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self.has_heads = False
        self._starts = _beginnings(source)
        self.names = [name for name, _ in self._starts]
        if not self._starts:
            raise InputError("has no '#begin document' line", path=source.name, hint="is it a CoNLL file at all?")
        seen: set[str] = set()
        for at, name in enumerate(self.names):
            if name in seen:
                self._fail(self.line_of_document(at), f"document {name!r} comes twice", "number its parts")
            seen.add(name)

    def line_of_document(self, at: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._starts[at][1])

    def __iter__(self) -> Iterator[Document]:
        ends = [start for _, start in self._starts[1:]] + [self.source.size]
        line, number = self.line_of_document(0), 0
        for (name, start), end in zip(self._starts, ends, strict=True):
            text = self.source.text(start, end)
            document = self._document(name, text.split("\n"), line, number)
            number += len(document.sentences)
            line += text.count("\n")
            yield document
        if not number:
            raise InputError("holds no sentence", path=self.source.name, hint="is it a CoNLL file at all?")

    def _document(self, name: str, lines: list[str], first: int, number: int) -> Document:
        sentences: list[Sentence] = []
        mentions = Mentions()
        places = mentions.places
        words: list[str] = []
        start = end = 0
        place = 0  # of the latest word
        ended = False
        for at, line in enumerate([*lines, ""]):
            if line[:1] == "#" and is_comment(line):
                ended = ended or END.match(line) is not None
                continue
            blank = not line or line.isspace()
            if words and (blank or len(words) == LONGEST):
                number += 1
                text = "\n".join(lines[start:end])  # not what follows, such as #end document
                sentences.append(Sentence("", number, first + start, words, [], text))
                words = []
            if blank:
                continue
            cells = line.split("\t") if "\t" in line else line.split()
            if len(cells) < 2:
                self._fail(first + at, "a line of one column", "a word and its coreference cell are needed")
            if ended:
                self._fail(first + at, "a word after '#end document'", "words stand between #begin and #end document")
            if not words:
                start = at
                place = number + 1 << SENTENCE_SHIFT
            end = at + 1
            place += NEXT_WORD
            places.append(place)
            words.append(f"{len(words) + 1}\t{cells[self._word] if len(cells) > self._skeleton else cells[-2]}")
            cell = cells[-1]
            if cell not in EMPTY and (cell := cell.strip()) not in EMPTY and (faults := mentions.feed(cell)):
                problem, chunk = faults[0]
                message = f"entity {chunk!r} is closed but was never opened"
                if problem == "bad-cell":
                    message = f"{chunk!r} in the coreference cell {cell!r} is no bracket with an id"
                self._fail(first + at, message, "cells hold (3, 3), (3) and combinations such as (3|(4)")
        for id_, stack in mentions.opened.items():
            if stack:
                number = mentions.places[stack[-1]] >> SENTENCE_SHIFT
                line_of = next(sentence.line for sentence in sentences if sentence.number == number)
                self._fail(line_of, f"a mention of {id_!r} that begins in this sentence is never closed", "write 3)")
        return mentions.document(name, tuple(sentences), self.source.name)

    def _fail(self, line: int, message: str, hint: str) -> NoReturn:
        raise InputError(message, path=self.source.name, line=line, hint=hint)


class SemevalReader(ConllReader):
    """The same with the words in the second column."""

    _word = 1
    _skeleton = 2


class Mentions:
    """The brackets of one document: a stack per id, words by their number in the document."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.appeared: dict[str, int] = {}
        """The ids in the order of their first brackets; of one cell, those of single words first."""
        self.opened: dict[str, list[int]] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}

    def feed(self, cell: str) -> list[tuple[str, str]]:
        """Read the cell of the latest word, on past its faults: these are codes of validation, each with a chunk."""
        faults = []
        here = len(self.places) - 1
        chunks = CHUNK.findall(cell)
        for id_ in [chunk[0] for chunk in chunks] + [chunk[1] for chunk in chunks]:
            self.appeared.setdefault(id_, len(self.appeared))
        for single, opened, closed, bracket, other in chunks:
            if single:
                self.spans.setdefault(single, []).append((here, here))
            elif opened:
                self.opened.setdefault(opened, []).append(here)
            elif not closed:
                faults.append(("bad-cell", bracket or other))
            elif self.opened.get(closed):
                self.spans.setdefault(closed, []).append((self.opened[closed].pop(), here))
            else:
                faults.append(("closed-never-opened", closed))
        return faults

    def entity(self, id_: str) -> Entity:
        """The mentions of an entity in order; their heads are their first words."""
        members = []
        for first, last in sorted(self.spans[id_], key=lambda span: (span[0], -span[1])):
            words = tuple(self.places[first : last + 1])
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
        )


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


def document_name(text: str) -> str:
    """What a document is called whose '#begin document' line goes on like this.

    >>> document_name("(nw/xinhua_0001); part 000"), document_name("abstract-1")
    ('nw/xinhua_0001; part 000', 'abstract-1')
    """
    id_, _, tail = text.rpartition(";")
    part = PART.fullmatch(tail) if id_ else None
    name = (id_ if part else text).strip().removeprefix("(").removesuffix(")")
    return name + (f"; part {int(part[1]):03d}" if part else "")
