"""CoNLL-UA reader: CoNLL-U with columns for identity, bridging and discourse deixis after the tenth.

All spellings in use are read; where UA scorer 1.0 reads a document differently, ``Document.official`` is its reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...core.document import Document
from ...core.errors import Warnings
from ..source import Source
from .fast import BRIDGING, DEIXIS, IDENTITY, read_plain
from .lines import Report, Row, UASentence, cells_of, reader_report, sentences
from .markables import EMPTY, Markables
from .official import read_officially

NEWDOC = re.compile(rb"^[^\S\n]*#[^\S\n]*newdoc\b(?:[^\S\n]+id\b)?[^\S\n]*=?[^\S\n]*([^\n]*)", re.MULTILINE)
COLUMNS = re.compile(rb"^#[^\S\n]*global\.columns[^\S\n]*=[^\S\n]*([^\n]*)", re.MULTILINE)
TOKEN = re.compile(rb"^[^\S\n]*[^#\s]", re.MULTILINE)
PROGRAM = "ua-1.0"


class Columns(NamedTuple):
    """The indices of the annotation columns of a file; -1 for none."""

    identity: int = IDENTITY
    bridging: int = BRIDGING
    deixis: int = DEIXIS

    @classmethod
    def named(cls, header: str) -> Columns:
        """The columns that ``global.columns`` names; the usual ones if IDENTITY is not among them.

        >>> Columns.named("ID FORM IDENTITY BRIDGING")
        Columns(identity=2, bridging=3, deixis=-1)
        """
        names = header.split()
        if "IDENTITY" not in names:
            return cls()
        places = [names.index(name) if name in names else -1 for name in ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS")]
        return cls(*places)


class UAReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self._report = reader_report(source.name, warnings)
        self.has_heads: bool = False
        self.columns: Columns = Columns()
        self._documents: list[tuple[str, int, int]] = []  # name, first byte, and the byte after the last
        self._survey()
        self.names: list[str] = [name for name, _, _ in self._documents]
        if not self.names:
            source.refuse("holds no sentence", "is it a CoNLL-UA file at all?", code="no-sentence")

    @property
    def starts(self) -> list[int]:
        """Where documents begin in the file."""
        return [start for _, start, _ in self._documents]

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._documents[index][1])

    def _survey(self) -> None:
        """Find the columns, the documents that have words, and whether heads are known (by minima)."""
        source = self.source
        marks: list[tuple[str, int]] = [("", source.start)]
        header: bytes | None = None
        for offset, piece in source.pieces(b"\n"):
            marks += [(_decoded(mark[1]), offset + mark.start()) for mark in NEWDOC.finditer(piece)]
            self.has_heads = self.has_heads or b"Min=" in piece
            if header is None and (found := COLUMNS.search(piece)):
                header = found[1]
        self.columns = Columns.named(_decoded(header or b""))
        ends = [*[start for _, start in marks[1:]], source.size]
        starts: dict[str, int] = {}
        for number, ((name, start), end) in enumerate(zip(marks, ends, strict=True)):
            if not TOKEN.search(source.read(start, end)):
                source.text(start, end)  # not read later, but it must be UTF-8
                continue
            name = name or f"#{number if number or len(marks) > 1 else 1}"
            if (first := starts.setdefault(name, start)) != start:
                message = f"document {name!r} comes twice (first in line {source.line_number(first)})"
                hint = "give every document a name of its own"
                source.refuse(message, hint, source.line_number(start), "repeated-part")
            self._documents.append((name, start, end))

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """The documents in a range of indices; sentences of earlier ones are only counted."""
        number, line, offset = 0, 1, 0
        for index, (name, first, end) in enumerate(self._documents[:stop]):
            text = self.source.text(first, end)
            line += self.source.read(offset, first).count(b"\n")
            whole = Document(name, (), path=self.source.name, local_ids=True, program=PROGRAM)
            plain = read_plain(text, number, line) if self.columns == Columns() else None
            whole = whole._replace(
                sentences=plain.sentences if plain else tuple(sentences(text.split("\n"), number, line, self._report))
            )
            number += len(whole.sentences)
            line, offset = line + text.count("\n"), end
            if index < start:
                continue
            if plain is None:
                yield read_document(whole, self.columns, self._report)
                continue
            document = plain.identity.document(whole, self._report)
            deixis = plain.deixis.document(whole, self._report) if plain.deixis.mentions else None
            if plain.alike:
                yield document._replace(deixis=deixis)
            else:
                yield _with_layers(document, deixis, read_officially(whole, plain.rows).document)


def read_document(whole: Document, columns: Columns, report: Report) -> Document:
    """The document of these sentences, with the reading of UA scorer 1.0 where that differs."""
    whole = whole._replace(local_ids=True, program=PROGRAM)
    identity, deixis = Markables("IDENTITY", report), Markables("DISCOURSE_DEIXIS", report)
    nodes: list[int] = []
    has_deixis = False
    rows: list[Row] = []  # split as UA scorer 1.0 does
    for sentence in whole.sentences:
        nodes += sentence.nodes
        start = sentence.line
        for row in sentence.rows if isinstance(sentence, UASentence) else ():
            place, _, _, index, text = row
            cells = text.split()
            line = start + index
            rows.append((place, line, cells))
            if "\t" in text:
                cells = cells_of(text, columns.identity + 1)
            if len(cells) <= columns.identity:
                report("wrong-columns", line, columns=len(cells), identity=columns.identity + 1)
                continue
            if (cell := cells[columns.identity]) not in EMPTY:
                identity.feed(cell, row, line)
            if 0 <= columns.bridging < len(cells) and (cell := cells[columns.bridging]) not in EMPTY:
                identity.link(cell, line)
            if 0 <= columns.deixis < len(cells) and (cell := cells[columns.deixis]) not in EMPTY:
                has_deixis = True
                deixis.feed(cell, row, line)
    document = identity.document(whole, nodes)
    official = read_officially(whole, rows).document
    return _with_layers(document, deixis.document(whole, nodes) if has_deixis else None, official)


def _with_layers(document: Document, deixis: Document | None, official: Document) -> Document:
    """A document with its deixis layer, and with the official reading of both where that differs."""
    document = _with_official(document, official)
    if deixis and official.deixis:
        document = document._replace(deixis=_with_official(deixis, official.deixis))
    return document


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace").strip()


def _with_official(document: Document, official: Document) -> Document:
    """A document with its official reading if that differs."""
    same = document._replace(deixis=None) == official._replace(deixis=None, refusals=())
    return document._replace(refusals=official.refusals, official=None if same else official)
