"""Layout of a whole CorefUD file: where documents begin, its header, the order of its entities.

One quick pass over the bytes before reading finds the ``global.Entity`` header (the last one of a file is valid for
all of it) and repeated document ids (their texts are one document). A reader that begins in the middle of a file also
needs the number of sentences before it, and the order of earlier entities that occur again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ...core.errors import Warnings
from ..source import PIECE, Source
from .brackets import ReaderSink, all_places, places
from .sentences import sentences

MARK = re.compile(rb"\n#[^\S\n]*(?:newdoc|global)[^\n]*")
NEWDOC = re.compile(rb"\n# newdoc(?:\s+id\s*=\s*(.+))?")
HEADER = re.compile(rb"\n# global.Entity\s*=\s*(\S+)")
MISSPELT = rb"\n#\s*(?:(newdoc)|global\.Entity)(?=\s|=|\Z)"
WORD = re.compile(rb"\n[0-9]+\t")
OLD_MARKS = ("ClusterId=", "MentionSpan=")
"""Attributes of CorefUD 0.x in MISC."""


class MarkLine(NamedTuple):
    """A line that begins a document or is a header of brackets, or a misspelling of one."""

    kind: str
    """``newdoc`` or ``header``; ``ignored-newdoc`` or ``ignored-header`` if it is misspelt; empty for other lines."""
    value: bytes = b""
    """The id of the document, empty if it has none, or the names of the fields."""

    @classmethod
    def read(cls, line: bytes) -> MarkLine:
        r"""Recognise a line, which begins with the line feed before it.

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
    """The byte range of whole sentences."""

    start: int
    end: int


class Survey(NamedTuple):
    """Header and documents of a file."""

    header: str
    """The last ``global.Entity`` of the file; empty if there is none."""
    header_offset: int
    documents: list[tuple[str, list[Segment]]]
    """Ids in order, each with its segments: one, unless the id is repeated later in the file."""


def survey(source: Source, warnings: Warnings) -> Survey:
    """Find the header and the documents of a file."""
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
                message += ": the last one of the file holds for all"
                warnings.add(kind, source.name, line, message, harmless=kind == "header-differs")
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
    for offset, piece in source.pieces(b"\n\n") if not header else ():
        for mark in OLD_MARKS:
            if (at := piece.find(mark.encode())) >= 0:
                message = f"{mark} in MISC: this is CorefUD 0.x, an old format"
                hint = "convert it to CorefUD 1.0 (Entity= in MISC), or take a newer release of the corpus"
                source.refuse(message, hint, source.line_number(offset + at), "old-corefud")
    return Survey(_decoded(header), header_offset, _documents(source, starts, warnings))


def _marks(source: Source) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The lines of headers and newdocs, each with the offset of its piece of the file."""
    for offset, piece in source.pieces(b"\n\n"):
        for mark in MARK.finditer(b"\n" + piece):
            yield offset, mark


def last_header(source: Source) -> str:
    """The last ``global.Entity`` of a file, faulty or not; empty if there is none."""
    marks = (MarkLine.read(match[0]) for _, match in _marks(source))
    headers = [mark.value for mark in marks if mark.kind == "header"]
    return _decoded(headers[-1]) if headers else ""


def _documents(
    source: Source, starts: list[tuple[int, bytes]], warnings: Warnings
) -> list[tuple[str, list[Segment]]]:
    """Documents by id: unnamed ones are called by their number, and text before the first is ``#0``."""
    if not starts:
        return [("#1", [Segment(source.start, source.size)])]
    documents: dict[str, list[Segment]] = {}
    before = Segment(source.start, starts[0][0])
    if WORD.search(b"\n" + source.read(*before)):
        documents["#0"] = [before]
    else:  # it is not read later, and lines that are not comments are faults
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


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", errors="replace")


RECENT = 10_000
"""Entities that a dictionary holds; older ones are packed."""
TEXTS = 1 << 12


class Ranks:
    """The rank of each entity: its place in the order in which entities first occur in a file.

    A dictionary of a million ids takes 130 MB. All but the latest are packed into texts of lines ``id⇥rank``, chosen
    by the hash of the id: a sixth of the memory.

    >>> ranks = Ranks()
    >>> ranks.add(["e1", "e2"])
    >>> ranks.of({"e2", "e3"})
    {'e2': 1}
    """

    def __init__(self) -> None:
        self._recent: dict[str, int] = {}
        self._texts: list[bytearray] = []
        self._count = 0

    def add(self, ids: Collection[str]) -> None:
        """Rank entities, in this order, after those already ranked."""
        known = self.of(ids)
        for id_ in ids:
            if id_ not in known:
                self._recent[id_] = self._count
                self._count += 1
        if len(self._recent) > RECENT:
            self._texts = self._texts or [bytearray() for _ in range(TEXTS)]
            for id_, rank in self._recent.items():
                self._texts[hash(id_) % TEXTS] += f"\n{id_}\t{rank}".encode()
            self._recent.clear()

    def of(self, ids: Collection[str]) -> dict[str, int]:
        """The ranks of those of these ids that are ranked."""
        ranks = {id_: self._recent[id_] for id_ in ids if id_ in self._recent}
        for id_ in ids if self._texts else ():
            text, label = self._texts[hash(id_) % TEXTS], f"\n{id_}\t".encode()
            if (start := text.find(label)) >= 0:
                ranks[id_] = int(text[start + len(label) :].partition(b"\n")[0])
        return ranks


FIRST_WORD = b"\n1\t"
"""Every sentence of a valid file has one word 1."""

VALUE = re.compile(rb"Entity=([^|\t\n]+)")


def count_sentences(source: Source, end: int) -> int:
    """The number of sentences that a valid file has before the one that begins at this byte."""
    count = (b"\n" + source.read(source.start, source.start + 2)).count(FIRST_WORD)
    for at in range(source.start, end, PIECE):
        count += source.read(at, min(at + PIECE + len(FIRST_WORD) - 1, end)).count(FIRST_WORD)
    return count


def introductions(
    source: Source, header: str, before: Sequence[Segment], within: Sequence[Segment], known: Ranks
) -> Iterator[int]:
    """Indices of documents that may be the first with an entity that occurs again in the segments ``within``.

    Everything that looks like an entity id is searched for until it is ``known``: read each document before you ask
    for the next one.
    """
    patterns = [rb"\((?:[^()\-\n]*-){%d}([^()\-\[\n]*)" % place for place in all_places(header)[0]]

    def ids(segment: Segment) -> set[bytes]:
        values = b"\n".join(VALUE.findall(source.read(*segment)))
        return {id_ for pattern in patterns for id_ in re.findall(pattern, values)}

    wanted = set[bytes]().union(*map(ids, within))
    for index, segment in enumerate(before):
        again = wanted & ids(segment)
        if again:
            yield index
            wanted -= {id_ for id_ in again if known.of([id_.decode("utf-8", "replace")])}
