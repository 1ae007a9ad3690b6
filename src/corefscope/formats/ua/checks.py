"""CoNLL-UA validation: every problem, and where UA scorer 1.0 stops or reads a document differently."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import Document
from ..validate.problems import Reading, TolerantReading, decoded, quoted
from .lines import describe_fault, is_token, sentences
from .reader import COLUMNS, NEWDOC, Columns, read_document


class UAReading(TolerantReading):
    """The documents of a file, one at a time while iterating."""

    def __iter__(self) -> Iterator[Reading]:
        columns, begun = Columns(), False
        name, first, number = "", 1, 0
        gathered: list[str] = []
        lines: dict[str, int] = {}
        for portion in decoded(self.source, b"\n", self._problems):
            for line in portion:
                number += 1
                raw = line.encode("utf-8", errors="replace")
                if not begun and (header := COLUMNS.match(raw)):
                    columns, begun = Columns.named(header[1].decode("utf-8", "replace")), True
                if newdoc := NEWDOC.match(raw):
                    yield from self._document(name, gathered, first, columns, lines)
                    name, first, gathered = newdoc[1].decode("utf-8", "replace").strip(), number, []
                gathered.append(line)
        yield from self._document(name, gathered, first, columns, lines)
        if not self.sentences:
            self._note("no-sentence", 0, "the file holds no sentence")

    def _document(
        self, name: str, gathered: list[str], first: int, columns: Columns, lines: dict[str, int]
    ) -> Iterator[Reading]:
        if not any(map(is_token, gathered)):
            return
        if name in lines:
            message = f"document {quoted(name)} comes twice (first in line {lines[name]})"
            self._note("repeated-part", first, message)
        lines[name] = first
        of_document = tuple(sentences(gathered, self.sentences, first, self._report))
        self.sentences += len(of_document)
        self.words += sum(len(sentence.words) for sentence in of_document)
        whole = Document(name, (), sentences=of_document, path=self.source.name)
        document = read_document(whole, columns, self._report)
        self._note_official(document, name, first)
        if document.deixis:
            self._note_official(document.deixis, name, first)
        for relation in document.relations:
            if relation.kind == "bridging" and relation.ids[:1] == relation.ids[1:]:
                anaphor = relation.anaphor[0].first
                message = f"bridging leads from entity {quoted(relation.ids[0])} to itself"
                self._note("own-anchor", whole.line_of(anaphor), message)
        places = {row.place: sentence.line + row.row for sentence in of_document for row in sentence.rows}
        yield Reading(document, places)

    def _note_official(self, document: Document, name: str, line: int) -> None:
        """Note what UA scorer 1.0 cannot read, or reads differently."""
        for _, error in document.refusals:
            self._note("stops-ua-scorer", error.line, error.message)
        # It counts zeros as words, and so takes minima for other words.
        has_minima = any(mention.minimum for entity in document.entities for mention in entity)
        shifts_minima = has_minima and any(sentence.unusual for sentence in document.sentences)
        if (document.official or shifts_minima) and not document.refusals:
            message = f"UA scorer 1.0 reads other mentions or links in document {quoted(name)}"
            self._note("read-otherwise", line, message)

    def _report(self, fault: str, line: int, **facts: object) -> None:
        message, hint = describe_fault(fault, facts)
        self._note(fault, line, message, hint)
