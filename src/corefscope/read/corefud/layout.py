"""Where the documents of a CorefUD file begin: one quick pass over the bytes before reading.

Two facts about a whole file are needed before its first document can be read: the ``global.Entity``
header (the last one of the file holds for all of it) and which document ids come twice (such documents
are one).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ...base.errors import Warnings
from ..source import Source

MARK = re.compile(rb"\n# (?:newdoc|global)[^\n]*")
NEWDOC = re.compile(rb"\n# newdoc(?:\s+id\s*=\s*(.+))?")
HEADER = re.compile(rb"\n# global.Entity\s*=\s*(\S+)")
WORD = re.compile(rb"\n[0-9]+\t")
OLD_MARKS = ("ClusterId=", "MentionSpan=")
"""What CorefUD 0.x had in MISC."""


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
    starts: list[tuple[int, bytes | None]] = []  # (offset of the sentence, document id or None)
    for offset, mark in _marks(source):
        text = mark.string
        mark_offset = offset + mark.start()
        line = partial(source.line_number, mark_offset)
        if match := HEADER.match(mark[0]):
            if header and header != match[1]:
                message = f"global.Entity is {_decoded(match[1])!r} here but was {_decoded(header)!r}"
                warnings.add("header", source.name, line, message + ": the last one of the file holds for all")
            header, header_offset = match[1], mark_offset
        elif match := NEWDOC.fullmatch(mark[0]):
            begin = max(text.rfind(b"\n\n", 0, mark.start() + 1) + 1, 0)
            end = text.find(b"\n\n", mark.end())
            if not WORD.search(text, begin, end if end >= 0 else len(text)):
                warnings.add("newdoc", source.name, line, "newdoc before an empty sentence: ignored")
                continue
            start = offset + begin
            if starts and starts[-1][0] == start:
                starts.pop()
            starts.append((start, match[1]))
    if not header:
        _refuse_old_corefud(source)
    return Survey(_decoded(header), header_offset, _documents(source, starts))


def _marks(source: Source) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The lines of headers and newdocs: each in its piece of the file, with the offset of that."""
    for offset, piece in source.pieces(b"\n\n"):
        for mark in MARK.finditer(b"\n" + piece):
            yield offset, mark


def last_header(source: Source) -> str:
    """The last ``global.Entity`` of a file, whatever else is wrong with it; empty if there is none."""
    headers = [match[1] for _, mark in _marks(source) if (match := HEADER.match(mark[0]))]
    return _decoded(headers[-1]) if headers else ""


def _documents(source: Source, starts: list[tuple[int, bytes | None]]) -> list[tuple[str, list[Segment]]]:
    """Documents by id: unnamed ones are called by their number, and what precedes the first is ``#0``."""
    if not starts:
        return [("#1", [Segment(source.start, source.size)])]
    documents: dict[str, list[Segment]] = {}
    if WORD.search(b"\n" + source.read(source.start, starts[0][0])):
        documents["#0"] = [Segment(source.start, starts[0][0])]
    ends = [start for start, _ in starts[1:]] + [source.size]
    for number, ((start, name), end) in enumerate(zip(starts, ends, strict=True), 1):
        id_ = f"#{number}" if name is None else _decoded(name).strip()
        if name is None and id_ in documents:
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
