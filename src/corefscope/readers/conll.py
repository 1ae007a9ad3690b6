"""CoNLL-2011 and CoNLL-2012: one word a line, coreference brackets in the last column.

Read as it is met in the wild: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are no numbers;
no ``|`` between brackets; mentions that cross sentences. A document is an id with its part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from ..document import SENTENCE_SHIFT, Document, Entity, Mention, Sentence, position
from ..errors import InputError, Warnings
from .source import Source

BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
EMPTY = {"-", "_", "*", ""}


class ConllReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

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
        mentions = _Mentions()
        words: list[str] = []
        start = end = 0
        for at, line in enumerate([*lines, ""]):
            if line[:1] == "#":
                continue
            if not line.strip():
                if words:
                    number += 1
                    text = "\n".join(lines[start:end])  # not what follows, such as #end document
                    sentences.append(Sentence("", number, first + start, words, [], text))
                    words = []
                continue
            cells = line.split("\t") if "\t" in line else line.split()
            if len(cells) < 2:
                self._fail(first + at, "a line of one column", "a word and its coreference cell are needed")
            if not words:
                start = at
            end = at + 1
            words.append(f"{len(words) + 1}\t{self._word(cells)}")
            cell = cells[-1].strip()
            mentions.places.append(position(number + 1, len(words)))
            if cell not in EMPTY and (fault := mentions.feed(cell)):
                self._fail(first + at, fault, "cells hold (3, 3), (3) and combinations such as (3|(4)")
        for id_, stack in mentions.opened.items():
            if stack:
                sentence = mentions.places[stack[-1]] >> SENTENCE_SHIFT
                line_of = next(found.line for found in sentences if found.number == sentence)
                self._fail(line_of, f"a mention of {id_!r} that begins in this sentence is never closed", "write 3)")
        return mentions.document(name, tuple(sentences), self.source.name)

    @staticmethod
    def _word(cells: list[str]) -> str:
        """The fourth column; of a skeleton, the one before the last."""
        return cells[3] if len(cells) > 4 else cells[-2]

    def _fail(self, line: int, message: str, hint: str) -> NoReturn:
        raise InputError(message, path=self.source.name, line=line, hint=hint)


class SemevalReader(ConllReader):
    """The same with the words in the second column."""

    @staticmethod
    def _word(cells: list[str]) -> str:
        return cells[1]


class _Mentions:
    """The brackets of one document: a stack per id, words by their number in the document."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.appeared: dict[str, int] = {}
        """The ids in the order of their first brackets; of one cell, those of single words first."""
        self.opened: dict[str, list[int]] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}

    def feed(self, cell: str) -> str:
        """Read the cell of the latest word; what is wrong with it, or nothing."""
        here = len(self.places) - 1
        chunks = CHUNK.findall(cell)
        for id_ in [chunk[0] for chunk in chunks] + [chunk[1] for chunk in chunks]:
            self.appeared.setdefault(id_, len(self.appeared))
        for single, opened, closed, bracket, other in chunks:
            if single:
                self.spans.setdefault(single, []).append((here, here))
            elif opened:
                self.opened.setdefault(opened, []).append(here)
            elif closed:
                if not self.opened.get(closed):
                    return f"entity {closed!r} is closed but was never opened"
                self.spans.setdefault(closed, []).append((self.opened[closed].pop(), here))
            else:
                return f"{bracket or other!r} in the coreference cell {cell!r} is no bracket with an id"
        return ""

    def document(self, name: str, sentences: tuple[Sentence, ...], path: str) -> Document:
        """The document; entities by their first brackets, mentions by their first words, which are their heads."""
        entities: list[tuple[str, Entity]] = []
        for id_, spans in self.spans.items():
            members = []
            for first, last in sorted(spans, key=lambda span: (span[0], -span[1])):
                words = tuple(self.places[first : last + 1])
                members.append(Mention(words, words[0]))
            entities.append((id_, tuple(members)))
        entities.sort(key=lambda entity: self.appeared[entity[0]])
        return Document(
            name,
            tuple(members for _, members in entities),
            entity_ids=tuple(id_ for id_, _ in entities),
            entity_types=("",) * len(entities),
            sentences=sentences,
            path=path,
        )


def _beginnings(source: Source) -> list[tuple[str, int]]:
    """Name and offset of every document, from one pass over the bytes."""
    found = []
    for offset, piece in source.pieces(b"\n"):
        if b"begin document" not in piece:
            continue
        for line in re.finditer(rb"^#[^\n]*begin document[^\n]*", piece, flags=re.MULTILINE):
            begin = BEGIN.match(line[0].decode("utf-8", errors="replace"))
            if begin:
                found.append((document_name(begin[1]), offset + line.start()))
    return found


def document_name(text: str) -> str:
    """What a document is called whose '#begin document' line goes on like this.

    >>> document_name("(nw/xinhua_0001); part 000"), document_name("abstract-1")
    ('nw/xinhua_0001; part 000', 'abstract-1')
    """
    id_, _, tail = text.rpartition(";")
    part = PART.fullmatch(tail) if id_ else None
    name = (id_ if part else text).strip().removeprefix("(").removesuffix(")")
    return name + (f"; part {int(part[1]):03d}" if part else "")
