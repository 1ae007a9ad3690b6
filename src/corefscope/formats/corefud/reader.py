"""CorefUD 1.0 and later: CoNLL-U with coreference in the ``Entity`` attribute of MISC."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ...core.document import Document, Relation, Sentence
from ...core.errors import InputError, Warnings
from ...core.positions import SENTENCE_SHIFT
from ..sentences import forms_of
from ..source import Source
from . import fast
from .brackets import Brackets, EntityInProgress, Fields, ReaderSink, entities_of, entity_order, unique_id
from .fast import Carrier
from .layout import Ranks, Segment, count_sentences, introductions, survey
from .nodes import Nodes, OfficialNodes, OfficialOrder
from .sentences import DocumentOutline, Outline, blocks, entity_values, sent_id, sentences


class _Part(NamedTuple):
    """A part of a document in which an id always means the same entity."""

    brackets: Brackets
    start: int
    """The number of sentences of the document before it."""


class CorefUDReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self._warnings = warnings
        self._survey = survey(source, warnings)
        self._documents = self._survey.documents
        self._fields = Fields(self._survey.header) if self._survey.header else None
        if self._fields and self._fields.id < 0:
            source.refuse(
                f"the header global.Entity = {self._survey.header} has neither eid nor GRP",
                "write for example '# global.Entity = eid-etype-head-other' after each newdoc",
                source.line_number(self._survey.header_offset),
                "header-without-id",
            )
        self._header = self._fields or Fields("")
        self.names: list[str] = [name for name, _ in self._documents]
        self.has_heads: bool = self._fields is None or self._fields.head >= 0
        self._local_ids = "GRP" in self._survey.header
        self._ranks = Ranks()
        self._ranked = False
        self._outlines = DocumentOutline(source.name)  # of the current document
        self._largest_minor = 0
        self._ambiguous_ids = False
        self._line, self._number = 1, 0
        self._beside: CorefUDReader | None = None

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._documents[index][1][0].start)

    @property
    def starts(self) -> list[int]:
        """Where documents begin in the file; nothing if the file comes back to one of them."""
        if any(len(segments) > 1 for _, segments in self._documents):
            return []
        return [segments[0].start for _, segments in self._documents]

    def share_layout_with(self, other: object) -> None:
        """Reuse the layout of the document that another reader has just read, where the lines are alike."""
        self._beside = other if isinstance(other, CorefUDReader) else None

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self._documents))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """The documents in a range of indices; a file that returns to a document can only be read whole."""
        self._line, self._number, self._ranks = self.line_of_document(start), 0, Ranks()
        numbers = self._numbers_of_segments()
        if numbers and self._fields and not self._local_ids:
            for segment in sorted(numbers):  # entities are ranked in file order
                parts = self._parts([segment], numbers, read=False)
                with suppress(InputError):  # raised again when the document is read
                    self._rank(self._official_entities(parts))
            self._ranked = True
        if start:
            self._skip(start, stop)
        for name, segments in self._documents[start:stop]:
            yield self._document(name, segments, numbers)
        if not self._number and stop == len(self._documents):
            self.source.refuse("holds no sentence", "is it a CoNLL-U file at all?", code="no-sentence")

    def forms(self) -> Iterator[list[str]]:
        """The forms of the words of each document, whose coreference is not read."""
        self._line, self._number = self.line_of_document(0), 0
        numbers = self._numbers_of_segments()
        for _, segments in self._documents:
            self._parts(segments, numbers, read=False)
            yield [form for sentence in self._outlines.sentences for form in forms_of(sentence)]

    def _skip(self, start: int, stop: int) -> None:
        """Number sentences and rank entities of the documents before the first one that is read."""
        segments = [only for _, (only,) in self._documents[:stop]]
        warnings, self._warnings = self._warnings, Warnings()  # the process that reads them warns
        if self._fields and not self._local_ids:
            header, ranks = self._survey.header, self._ranks
            for index in introductions(self.source, header, segments[:start], segments[start:], ranks):
                self._document(*self._documents[index], {})
        self._warnings = warnings
        self._line = self.line_of_document(start)
        self._number = count_sentences(self.source, segments[start].start)

    def _document(self, name: str, segments: list[Segment], numbers: dict[Segment, int]) -> Document:
        """Read a document, and the official reading of it where that differs."""
        start = self._line, self._number
        try:
            parts = self._parts(segments, numbers)
            for part in parts:
                part.brackets.finish()
        except InputError as error:
            if self._fields is None:
                raise
            self._line, self._number = start
            return self._read_officially(name, segments, numbers, error)
        entities = sorted([entity for part in parts for entity in entities_of(part.brackets)], key=entity_order)
        repeats_words = any(part.brackets.repeats_words for part in parts)
        document = self._make(name, self._in_file_order(entities), repeats_words, parts)
        if self._ambiguous_ids or any(part.brackets.ambiguous for part in parts):
            try:
                entities = self._official_entities(parts)
                official = self._make(name, self._in_file_order(entities), repeats_words, parts, official=True)
                document = document._replace(official=official)
            except InputError as error:
                message = f"CorefUD scorer 1.2 cannot read document {name!r}: {error.message}"
                self._warnings.add("reading", self.source.name, self._outlines.sentences[0].line, message)
        self._rank(entities)
        return document

    def _read_officially(
        self, name: str, segments: list[Segment], numbers: dict[Segment, int], error: InputError
    ) -> Document:
        """Read a document that only the official scorer can read; all rules then use its reading.

        Programs that use udapi, the library of the official scorer, write brackets in its order of nodes.
        """
        try:
            parts = self._parts(segments, numbers, read=False)
            entities = self._official_entities(parts)
        except InputError:
            raise error from None
        message = f"only CorefUD scorer 1.2 can read document {name!r} ({error.message}): read as it does"
        self._warnings.add(error.code, self.source.name, error.line, message)
        empty = [name for sentence in self._outlines.sentences for name in sentence.empty]
        self._largest_minor = max([int(name.partition(".")[2]) for name in empty], default=0)
        document = self._make(name, self._in_file_order(entities), False, parts, official=True)
        self._rank(entities)
        return document._replace(official=document)

    def _parts(self, segments: list[Segment], numbers: dict[Segment, int], read: bool = True) -> list[_Part]:
        """Read the sentences of a document, and their brackets if asked; each segment is a part if ids are local."""
        sink = ReaderSink(self.source.name, self._line_of, self._warnings)
        self._outlines, self._largest_minor, self._ambiguous_ids = DocumentOutline(self.source.name), 0, False
        parts: list[_Part] = []
        for segment in segments:
            if numbers:
                self._line, self._number = self.source.line_number(segment.start), numbers[segment]
            if self._local_ids or not parts:
                parts.append(_Part(Brackets(self._header, sink), len(self._outlines)))
            self._segment(segment, parts[-1].brackets if read else None, sink)
        self._refuse_repeated_sent_id()
        return parts

    def _segment(self, segment: Segment, brackets: Brackets | None, sink: ReaderSink) -> None:
        """Read the sentences of a segment, and their brackets if a parser is given.

        Values of plain sentences are parsed together, but before any later sentence can raise an error or a warning.
        """
        outline = self._outline(segment)
        self._outlines.outlines.append(outline)
        lines = outline.lines
        ids: list[str] = []
        waiting: list[Carrier] = []

        def lost(line: int) -> None:
            if brackets is not None:
                sink.note("entity-without-words", line)

        for block in outline.blocks:
            start, first, end, _ = block
            values = fast.plain_values(self._number + 1, lines, block)
            if values is not None:
                self._number += 1
                waiting += values
                if not outline.ids:
                    ids.append(sent_id(lines[start:first]) or str(self._number))
                continue
            self._feed(brackets, waiting)  # a fault that comes first is reported first
            waiting = []
            for sentence in sentences(lines[start:end], self._number, self._line + start, self.source.name, lost):
                self._number = sentence.number
                ids.append(sentence.id)
                if brackets is not None:
                    self._feed(brackets, entity_values(sentence, sink), sentence)
        self._feed(brackets, waiting)
        outline.ids = outline.ids or ids
        self._line += len(lines) - 1

    def _outline(self, segment: Segment) -> Outline:
        """The outline of a segment: that of the other reader if it shares its layout."""
        data = self.source.read(*segment)
        lines = self.source.decoded(data, segment.start).split("\n")
        beside = self._beside._outlines.outline if self._beside else None
        outline = beside.share_layout_with(lines, self._line, self._number) if beside else None
        return outline or Outline(lines, self._line, self._number, list(blocks(lines, fast.is_table(data))))

    def _feed(self, brackets: Brackets | None, carriers: list[Carrier], sentence: Sentence | None = None) -> None:
        """Parse Entity values, in text order: of a sentence, or of several plain ones."""
        if not carriers or brackets is None:
            return
        if self._fields is None:
            self.source.refuse(
                "Entity is used but the file has no global.Entity header",
                "write '# global.Entity = eid-etype-head-other' (or what your brackets hold) after newdoc",
                self._line_of(carriers[0][0]),
                "missing-header",
            )
        if not sentence or not sentence.empty:
            fast.feed(brackets, carriers, None)
            return
        minors = [name.partition(".")[2] for name in sentence.empty]
        self._largest_minor = max(self._largest_minor, *map(int, minors))
        self._ambiguous_ids = self._ambiguous_ids or max(map(len, minors)) > 1
        fast.feed(brackets, carriers, Nodes.of(sentence))

    def _make(
        self,
        name: str,
        entities: list[EntityInProgress],
        repeats_words: bool,
        parts: list[_Part],
        official: bool = False,
    ) -> Document:
        """The document of these entities."""
        outlines, starts = self._outlines, [part.start for part in parts]
        header, path, warnings = self._header, self.source.name, self._warnings

        def relations() -> tuple[Relation, ...]:
            from .links import relations_of  # few scores need relations

            return relations_of(outlines.sentences, starts, header, path, warnings, official)

        return Document(
            name,
            tuple([entity.mentions for entity in entities]),
            entity_ids=tuple(self._ids(entities, parts)),
            entity_types=tuple([entity.type for entity in entities]),
            sentences=lambda: outlines.sentences,
            layout=outlines,
            path=path,
            largest_minor=self._largest_minor,
            repeats_words=repeats_words,
            local_ids=self._local_ids,
            relations=relations,
        )

    def _ids(self, entities: list[EntityInProgress], parts: list[_Part]) -> list[str]:
        """The ids of entities, made unique where each part of the document has its own."""
        ids = [entity.id for entity in entities]
        if len(parts) == 1:
            return ids
        starts = [self._outlines.sentences[part.start].number for part in parts if part.start < len(self._outlines)]
        part_of_entities = [
            bisect_right(starts, entity.mentions[0].first >> SENTENCE_SHIFT) - 1 for entity in entities
        ]
        return [unique_id(id_, part) for id_, part in zip(ids, part_of_entities, strict=True)]

    def _in_file_order(self, entities: list[EntityInProgress]) -> list[EntityInProgress]:
        """The entities in the order of the whole file: those of earlier documents come first."""
        ranks = self._ranks.of([entity.id for entity in entities])
        if not ranks:
            return entities
        earlier = [entity for entity in entities if entity.id in ranks]
        for entity in earlier if not self._ranked else ():
            message = f"entity {entity.id!r} also occurs in an earlier document: its documents are scored separately"
            line = partial(self._line_of, entity.mentions[0].first)
            self._warnings.add("entity-in-two-documents", self.source.name, line, message)
        earlier.sort(key=lambda entity: ranks[entity.id])
        return earlier + [entity for entity in entities if entity.id not in ranks]

    def _official_entities(self, parts: list[_Part]) -> list[EntityInProgress]:
        """The entities as CorefUD scorer 1.2 reads them; InputError, without a line, where it would stop."""
        entities: list[EntityInProgress] = []
        sink = ReaderSink(self.source.name)
        ends = [*[part.start for part in parts[1:]], len(self._outlines)]
        for part, end in zip(parts, ends, strict=True):
            brackets = Brackets(self._header, sink)
            for sentence in self._outlines.sentences[part.start : end]:
                values = dict(entity_values(sentence, sink))
                if values:
                    nodes = OfficialNodes.of(sentence)
                    brackets.feed([(node, values[node]) for node in nodes.order if node in values], nodes)
            brackets.finish()
            entities += entities_of(brackets, OfficialOrder)
        return sorted(entities, key=lambda entity: OfficialOrder(entity.mentions[0], entity.id))

    def _rank(self, entities: list[EntityInProgress]) -> None:
        """Remember the order of entities, which is that of the official reading."""
        if not self._local_ids:
            self._ranks.add([entity.id for entity in entities])

    def _refuse_repeated_sent_id(self) -> None:
        if len(set(self._outlines.ids)) == len(self._outlines):
            return
        lines: dict[str, int] = {}
        for sentence in self._outlines.sentences:
            if not any("# sent_id" in line for line in sentence.lines):  # its id is its number
                continue
            if sentence.id in lines:
                message = f"sent_id {sentence.id!r} comes twice in the document (first in line {lines[sentence.id]})"
                hint = "give every sentence an id of its own"
                self.source.refuse(message, hint, sentence.line, "repeated-sent-id")
            lines[sentence.id] = sentence.line

    def _numbers_of_segments(self) -> dict[Segment, int]:
        """For files that return to a document: the number of sentences before each segment."""
        if all(len(segments) == 1 for _, segments in self._documents):
            return {}
        before: dict[Segment, int] = {}
        count = 0
        for segment in sorted(segment for _, segments in self._documents for segment in segments):
            before[segment] = count
            line = self.source.line_number(segment.start)
            lines = self.source.text(*segment).split("\n")
            count += sum(1 for _ in sentences(lines, 0, line, self.source.name))
        return before

    def _line_of(self, position: int) -> int:
        number = position >> SENTENCE_SHIFT
        return next(sentence for sentence in self._outlines.walk() if sentence.number == number).line_of(position)
