"""Where the documents of a CorefUD file begin: one quick pass over the bytes before reading.

Two facts about a whole file are needed before its first document can be read: the ``global.Entity``
header (the last one of the file holds for all of it) and which document ids come twice (such documents
are one).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from ...base.errors import Warnings
from ..source import Source
from .fields import places
from .sentences import sentences
from .sink import ReaderSink

MARK = re.compile(rb"\n#[^\S\n]*(?:newdoc|global)[^\n]*")
NEWDOC = re.compile(rb"\n# newdoc(?:\s+id\s*=\s*(.+))?")
HEADER = re.compile(rb"\n# global.Entity\s*=\s*(\S+)")
MISSPELT = rb"\n#\s*(?:(newdoc)|global\.Entity)(?=\s|=|\Z)"
WORD = re.compile(rb"\n[0-9]+\t")
OLD_MARKS = ("ClusterId=", "MentionSpan=")
"""What CorefUD 0.x had in MISC."""


class MarkLine(NamedTuple):
    """A line that begins a document or says what brackets hold, or was meant to."""

    kind: str
    """``newdoc`` or ``header``; ``ignored-newdoc`` or ``ignored-header`` if it is misspelt; empty for other lines."""
    value: bytes = b""
    """The id of the document, empty if it has none, or the names of the fields."""

    @classmethod
    def read(cls, line: bytes) -> MarkLine:
        r"""What a line is; it begins with the line feed before it.

        >>> MarkLine.read(b"\n# newdoc id = d"), MarkLine.read(b"\n#newdoc id = d")
        (MarkLine(kind='newdoc', value=b'd'), MarkLine(kind='ignored-newdoc', value=b''))
        """
        if match := HEADER.match(line):
            return cls("header", match[1])
        if match := NEWDOC.fullmatch(line):
            return cls("newdoc", match[1] or b"")
        if match := re.match(MISSPELT, line):
            return cls("ignored-newdoc" if match[1] else "ignored-header")
        return cls("")


class Segment(NamedTuple):
    """A stretch of whole sentences."""

    start: int
    end: int


class Survey(NamedTuple):
    """What must be known of a whole file before its first document is read."""

    header: str
    """The last ``global.Entity`` of the file; empty if there is none."""
    header_offset: int
    documents: list[tuple[str, list[Segment]]]
    """Ids in order, each with its segments: one, unless the id comes again later in the file."""


def survey(source: Source, warnings: Warnings) -> Survey:
    """Find the header and the documents."""
    header, header_offset = b"", 0
    starts: list[tuple[int, bytes]] = []  # offset of the sentence, document id
    latest: Callable[[], int] = int  # the line of the latest newdoc
    for offset, match in _marks(source):
        text = match.string
        mark_offset = offset + match.start()
        line = partial(source.line_number, mark_offset)
        kind, value = MarkLine.read(match[0])
        if kind == "header":
            if header and header != value:
                message = f"global.Entity is {_decoded(value)!r} here but was {_decoded(header)!r}"
                kind = "header-differs" if places(_decoded(value)) == places(_decoded(header)) else "header-moves"
                warnings.add(kind, source.name, line, message + ": the last one of the file holds for all")
            header, header_offset = value, mark_offset
        elif kind == "newdoc":
            begin = max(text.rfind(b"\n\n", 0, match.start() + 1) + 1, 0)
            end = text.find(b"\n\n", match.end())
            if not WORD.search(text, begin, end if end >= 0 else len(text)):
                warnings.add("ignored-newdoc", source.name, line, "newdoc before an empty sentence: ignored")
                continue
            start = offset + begin
            if starts and starts[-1][0] == start:
                starts.pop()
                warnings.add("ignored-newdoc", source.name, latest, "another newdoc follows in the sentence: ignored")
            starts.append((start, value))
            latest = line
        elif kind:
            warnings.add(kind, source.name, line, f"{_decoded(match[0][1:60])!r} is misspelt: ignored")
    if not header:
        _refuse_old_corefud(source)
    return Survey(_decoded(header), header_offset, _documents(source, starts, warnings))


def _marks(source: Source) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The lines of headers and newdocs: each in its piece of the file, with the offset of that."""
    for offset, piece in source.pieces(b"\n\n"):
        for mark in MARK.finditer(b"\n" + piece):
            yield offset, mark


def last_header(source: Source) -> str:
    """The last ``global.Entity`` of a file, whatever else is wrong with it; empty if there is none."""
    marks = (MarkLine.read(match[0]) for _, match in _marks(source))
    headers = [mark.value for mark in marks if mark.kind == "header"]
    return _decoded(headers[-1]) if headers else ""


def _documents(
    source: Source, starts: list[tuple[int, bytes]], warnings: Warnings
) -> list[tuple[str, list[Segment]]]:
    """Documents by id: unnamed ones are called by their number, and what precedes the first is ``#0``."""
    if not starts:
        return [("#1", [Segment(source.start, source.size)])]
    documents: dict[str, list[Segment]] = {}
    before = Segment(source.start, starts[0][0])
    if WORD.search(b"\n" + source.read(*before)):
        documents["#0"] = [before]
    else:  # nobody reads it later, but what is no comment is a fault
        lost = partial(ReaderSink(source.name, int, warnings).note, "entity-without-words")
        list(sentences(source.text(*before).split("\n"), 0, 1, source.name, lost))
    ends = [start for start, _ in starts[1:]] + [source.size]
    for number, ((start, name), end) in enumerate(zip(starts, ends, strict=True), 1):
        id_ = _decoded(name).strip() if name else f"#{number}"
        if not name and id_ in documents:
            message = f"this document has no id and would be called {id_!r}, as another one is"
            hint = "give it an id: # newdoc id = …"
            source.refuse(message, hint, source.line_number(start), "document-name-clash")
        documents.setdefault(id_, []).append(Segment(start, end))
    return list(documents.items())


def _refuse_old_corefud(source: Source) -> None:
    for offset, piece in source.pieces(b"\n\n"):
        for mark in OLD_MARKS:
            if mark.encode() in piece:
                message = f"{mark} in MISC: this is CorefUD 0.x, an old format"
                hint = "convert it to CorefUD 1.0 (Entity= in MISC), or take a newer release of the corpus"
                source.refuse(message, hint, source.line_number(offset + piece.index(mark.encode())), "old-corefud")


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", errors="replace")
