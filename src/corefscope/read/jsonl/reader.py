"""Jsonlines: one document as one JSON object on each line, as most neural systems read and write it.

Words stand in ``sentences`` or in one list (``tokens``, ``document``, ``cased_words``), clusters in one of the fields
of :mod:`.fields`, which says what their numbers count. A document that has a ``text`` with character offsets
but no words is read with its characters for words: mentions are then matched, and overlaps counted, by characters.

A file that is one JSON array of documents, or documents written over several lines, is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from ...base.document import Document
from ...base.errors import InputError, Warnings
from ..source import Source
from .fields import NAME_FIELDS, PREDICTED, document_name, read_fields, unread_fields
from .json_text import JsonError, JsonValue, elements, line_at, members, only_value, shortened, values
from .spans import spans_document
from .words import WORD_FIELDS

_OBJECT = r"\s{0,99}(?:\[\s{0,99})?\{"
LOOKS_LIKE = (
    rf'{_OBJECT}(?:[^{{}}]|\{{[^{{}}]*\}})*?"(?:{"|".join(WORD_FIELDS)})"\s*:\s*[\["]'
    rf'|{_OBJECT}\s{{0,99}}"(?:{"|".join(NAME_FIELDS)})"\s*:[^\n]*[^\s}}]\s*\Z'
)
"""Words in the first document; or a name, and a line so long that nothing else is seen."""
HINT = "each line must hold one document as a JSON object (clusters of ids without words: name the format clusters)"
_NAMED = re.compile(rb'\s*\{\s*"doc_key"\s*:\s*"([^"\\]+)"')


class _Extent(NamedTuple):
    """Where a document stands."""

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
        self.has_heads = True
        self._warnings = warnings
        self._side = side
        self._told: set[str] = set()
        self._extents: list[_Extent] = []
        self._find()
        self.names = [extent.name for extent in self._extents]
        if not self._extents:
            raise InputError("holds no document", path=source.name, hint="is it a jsonlines file at all?")
        first: dict[str, int] = {}
        for name, _, _, line in self._extents:
            if name in first:
                self._fail(
                    line,
                    f"document {name!r} comes twice (first in line {first[name]})",
                    f"give each document a name of its own in {NAME_FIELDS[0]}",
                )
            first[name] = line

    def line_of_document(self, at: int) -> int:
        """The line of the file on which a document begins."""
        return self._extents[at].line

    def __iter__(self) -> Iterator[Document]:
        number = 0
        for extent in self._extents:
            document = self._document(extent, number)
            number += len(document.sentences)
            yield document
            del document  # or it would be kept while the next one is read

    def _document(self, extent: _Extent, before: int) -> Document:
        text = self.source.text(extent.start, extent.end)
        try:
            fields = only_value(text)
        except JsonError as fault:
            self._fail(line_at(text, fault.at, extent.line), fault.message, HINT)

        def fail(message: str, hint: str, code: str = "refused") -> NoReturn:
            self._fail(extent.line, message, hint, code)

        reading = read_fields(fields, self._side, fail)
        self._tell(fields, reading.field, reading.heads, extent.line)
        if "\\u" in text:
            try:
                "".join(map("".join, reading.sentences)).encode()
            except UnicodeEncodeError:
                fail("a word holds half of a surrogate pair", "write characters as UTF-8")
            except TypeError:
                pass  # words that are no strings: told below
        return spans_document(
            extent.name,
            reading.sentences,
            reading.clusters,
            fail,
            heads=reading.heads,
            exclusive=reading.exclusive,
            field=reading.field,
            before=before,
            line=extent.line,
            path=self.source.name,
        )

    def _tell(self, fields: dict[str, Any], field: str, heads: list[list[int | None]] | None, line: int) -> None:
        """Warn of what may surprise, once per file."""
        if field == PREDICTED:
            self._warn("predicted", line, f"the response is read from {PREDICTED}, not from clusters")
        if heads and any(None in cluster for cluster in heads):
            self._warn(
                "no head", line, "mentions of span_clusters that are not in head2span: the first word is the head"
            )
        unread = unread_fields(fields)
        if unread:
            self._warn("unread", line, f"{shortened(unread[0])} is not a field that is understood: ignored")

    def _warn(self, kind: str, line: int, message: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._warnings.add(kind, self.source.name, line, message)

    def _find(self) -> None:
        """Name and place of every document: from a pass over the lines, or over all if lines are no documents."""
        line = 1
        for offset, piece in self.source.pieces(b"\n"):
            at = offset
            for number, data in enumerate(piece.split(b"\n"), line):
                if data and not data.isspace():
                    if not self._extents and (data.lstrip()[:1] == b"[" or data.rstrip()[-1:] != b"}"):
                        return self._find_in_text()
                    self._extents.append(_Extent(self._name(data, at, number), at, at + len(data), number))
                    self._look_for_heads(data)
                at += len(data) + 1
            line += piece.count(b"\n")
        return None

    def _find_in_text(self) -> None:
        """Documents that are elements of an array, or that go over several lines."""
        source = self.source
        text = source.text(source.start, source.size)
        seen, offset, line = 0, source.start, 1
        try:
            for value in _documents(text):
                data = text[value.start : value.end].encode()
                offset += len(text[seen : value.start].encode())
                line += text.count("\n", seen, value.start)
                name = self._name(data, offset, line)
                self._extents.append(_Extent(name, offset, offset + len(data), line))
                self._look_for_heads(data)
                seen, offset, line = value.end, offset + len(data), line + data.count(b"\n")
        except JsonError as fault:
            self._fail(line_at(text, fault.at), fault.message, HINT)

    def _look_for_heads(self, data: bytes) -> None:
        self.has_heads &= b'"span_clusters"' in data and b'"word_clusters"' in data

    def _name(self, data: bytes, start: int, line: int) -> str:
        """The name of a document, read no further than needed."""
        named = _NAMED.match(data)
        if named and b'"part_id"' not in data:
            try:
                return named[1].decode()
            except UnicodeDecodeError:
                pass  # told below, with its place
        text = self.source.text(start, start + len(data))
        begin = len(text) - len(text.lstrip())
        if not text.startswith("{", begin):
            self._fail(line, f"{text[begin : begin + 20]} is not a document", HINT)
        name_fields = [field for field in NAME_FIELDS if f'"{field}"' in text]
        has_part = '"part_id"' in text
        fields: dict[str, Any] = {}
        try:
            for member in members(text, begin) if name_fields else ():
                fields[member.name] = member.value if member.name in (*NAME_FIELDS, "part_id") else None
                if fields.get(name_fields[0]) and (not has_part or "part_id" in fields):
                    break
        except JsonError as fault:
            self._fail(line_at(text, fault.at, line), fault.message, HINT)

        def fail(message: str, hint: str, code: str = "refused") -> NoReturn:
            self._fail(line, message, hint, code)

        return document_name(fields, len(self._extents) + 1, fail)

    def _fail(self, line: int, message: str, hint: str, code: str = "refused") -> NoReturn:
        raise InputError(message, path=self.source.name, line=line, hint=hint, code=code)


def _documents(text: str) -> Iterator[JsonValue]:
    for value in values(text):
        if isinstance(value.value, list):
            yield from elements(text, value.start)
        else:
            yield value
