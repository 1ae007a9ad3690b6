"""Jsonlines: one document as one JSON object on each line, as most neural systems read and write it.

Words are in ``sentences`` or in one list (``tokens``, ``document``, ``cased_words``), clusters in one of the fields
of :mod:`.fields`, which says what their numbers count. An object of clusters names them for the whole corpus. A
document that has a ``text`` with character offsets but no words is read with its characters as words: mentions are
then matched, and overlaps counted, by characters.

A file that is one JSON array of documents, or documents written over several lines, is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ...core.document import Document
from ...core.errors import InputError, Warnings
from ...core.positions import LONGEST
from ..source import Source
from .fields import NAME_FIELDS, PREDICTED, READ_PREDICTED, WORD_FIELDS, document_name, read_fields, unread_fields
from .json_text import JsonError, items, iter_documents, line_at, only_value, refuse, shortened
from .spans import DocumentFields, spans_document
from .strings import describe_repair

if TYPE_CHECKING:
    from ...llm.options import PrintedOptions


_OBJECT = r"\s{0,99}(?:\[\s{0,99})?\{"
LOOKS_LIKE = (
    rf'{_OBJECT}(?:[^{{}}]|\{{[^{{}}]*\}})*?"(?:{"|".join(WORD_FIELDS)})"\s*:\s*[\["]'
    rf'|{_OBJECT}\s{{0,99}}"(?:{"|".join(NAME_FIELDS)})"\s*:[^\n]*[^\s}}]\s*\Z'
)
"""Words in the first document; or a name, and a line too long to show anything else."""
HINT = "each line must hold one document as a JSON object (clusters of ids without words: name the format clusters)"
_NAMED = re.compile(rb'\s*\{\s*"doc_key"\s*:\s*"([^"\\]+)"')


class _Extent(NamedTuple):
    """Where a document is in the file."""

    name: str
    start: int
    end: int
    line: int


class JsonlReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand.

    ``side`` is ``key`` or ``response``: of documents that hold both, the response is ``predicted_clusters``.
    """

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:
        self.source = source
        self.has_heads: bool = True
        self._warnings = warnings
        self._side = side
        self._repair = ""
        self._warned: set[str] = set()
        self._extents: list[_Extent] = []
        self._find()
        self.names: list[str] = [extent.name for extent in self._extents]
        if not self._extents:
            source.refuse("holds no document", "is it a jsonlines file at all?")
        first: dict[str, int] = {}
        for name, _, _, line in self._extents:
            if name in first:
                message = f"document {name!r} comes twice (first in line {first[name]})"
                source.refuse(message, f"give each document a name of its own in {NAME_FIELDS[0]}", line)
            first[name] = line

    def read_as(self, options: PrintedOptions) -> None:
        """Repair what is asked for."""
        self._repair = options.repair

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self._extents[index].line

    @property
    def starts(self) -> list[int]:
        """Where documents begin in the file."""
        return [extent.start for extent in self._extents]

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Documents ``start`` up to ``stop``; of those before, only sentences are counted."""
        number = sum(map(self._count_sentences, self._extents[:start]))
        for extent in self._extents[start:stop]:
            with self._locating(extent.line):
                # The fields have no name here: they are not kept while the document is made of them.
                document = spans_document(extent.name, self._fields(extent), number, extent.line, self.source.name)
            number += document.sentence_count
            yield document
            del document  # release it before the next one is read

    def _count_sentences(self, extent: _Extent) -> int:
        """The number of sentences of a document; its warnings are given where it is read."""
        warnings, self._warnings = self._warnings, Warnings()
        with self._locating(extent.line):
            reading = self._fields(extent)
        self._warnings = warnings
        return sum(-(-len(words) // LONGEST) for words in reading.sentences)

    def _fields(self, extent: _Extent) -> DocumentFields:
        """The fields of a document, with warnings about surprising ones."""
        text = self.source.text(extent.start, extent.end)
        try:
            fields = only_value(text)
        except JsonError as fault:
            self.source.refuse(fault.message, HINT, line_at(text, fault.offset, extent.line))
        reading = read_fields(fields, self._side, self._repair)
        if repaired := describe_repair(reading):
            self._warnings.add("repaired", self.source.name, extent.line, repaired)
        if reading.field == PREDICTED:
            self._warn("predicted", extent.line, READ_PREDICTED)
        if reading.heads and any(None in cluster for cluster in reading.heads):
            message = "mentions of span_clusters that are not in head2span: the first word is the head"
            self._warn("no head", extent.line, message)
        if unread := unread_fields(fields):
            self._warn("unread", extent.line, f"unknown field {shortened(unread[0])} ignored", harmless=True)
        if "\\" in text and "\\u" in text:
            _check_surrogates([*reading.sentences, reading.names or ()])
        return reading

    def _warn(self, kind: str, line: int, message: str, *, harmless: bool = False) -> None:
        """Give each kind of warning once for each file."""
        if kind not in self._warned:
            self._warned.add(kind)
            self._warnings.add(kind, self.source.name, line, message, harmless=harmless)

    def _find(self) -> None:
        """Find every document: line by line, or in the text as a whole if a line is not a document."""
        line = 0
        for offset, piece in self.source.pieces(b"\n"):
            start = 0
            while start < len(piece):
                end = piece.find(b"\n", start)  # lines are long: to split the piece takes ten times as long
                data = piece[start:end] if end >= 0 else piece[start:]
                line += 1
                if data and not data.isspace():
                    if not self._extents and (data.lstrip()[:1] == b"[" or data.rstrip()[-1:] != b"}"):
                        return self._find_in_text()
                    self.source.check_memory(offset + start, offset + start + len(data), line=line)
                    self._add(data, offset + start, line)
                start += len(data) + 1
        return None

    def _find_in_text(self) -> None:
        """Find documents that are elements of an array, or that go over several lines."""
        source = self.source
        source.check_memory(source.start, source.size)
        text = source.text(source.start, source.size)
        before, offset, line = 0, source.start, 1
        try:
            for value in iter_documents(text):
                data = text[value.start : value.end].encode()
                offset += len(text[before : value.start].encode())
                line += text.count("\n", before, value.start)
                self._add(data, offset, line)
                before, offset, line = value.end, offset + len(data), line + data.count(b"\n")
        except JsonError as fault:
            source.refuse(fault.message, HINT, line_at(text, fault.offset))

    def _add(self, data: bytes, start: int, line: int) -> None:
        with self._locating(line):
            self._extents.append(_Extent(self._name(data, start, line), start, start + len(data), line))
        self.has_heads = self.has_heads and b'"span_clusters"' in data and b'"word_clusters"' in data

    def _name(self, data: bytes, start: int, line: int) -> str:
        """The name of a document, read no further than needed."""
        named = _NAMED.match(data)
        if named and (data.find(b"_", named.end()) < 0 or b'"part_id"' not in data):
            try:
                return named[1].decode()
            except UnicodeDecodeError:
                pass  # refused below, with its line
        text = self.source.text(start, start + len(data))
        begin = len(text) - len(text.lstrip())
        if not text.startswith("{", begin):
            refuse(f"{text[begin : begin + 20]} is not a document", HINT)
        name_fields = [field for field in NAME_FIELDS if f'"{field}"' in text]
        has_part = '"part_id"' in text
        fields: dict[str, object] = {}
        try:
            for member in items(text, begin) if name_fields else ():
                fields[member.name] = member.value if member.name in (*NAME_FIELDS, "part_id") else None
                if fields.get(name_fields[0]) and (not has_part or "part_id" in fields):
                    break
        except JsonError as fault:
            self.source.refuse(fault.message, HINT, line_at(text, fault.offset, line))
        return document_name(fields, len(self._extents) + 1)

    @contextmanager
    def _locating(self, line: int) -> Iterator[None]:
        """Give errors about a document its file and line."""
        try:
            yield
        except InputError as error:
            raise error if error.path else error.located(self.source.name, line) from None


def _check_surrogates(sentences: Sequence[Sequence[str]]) -> None:
    """Refuse words and names that cannot be written; those that are not strings are refused elsewhere."""
    try:
        for words in sentences:
            "".join(words).encode()
    except UnicodeEncodeError:
        refuse("a word or name holds half of a surrogate pair", "write characters as UTF-8")
    except TypeError:
        pass
