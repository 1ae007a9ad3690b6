"""CorefUD 1.0 and later: CoNLL-U with coreference in the ``Entity`` attribute of MISC."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from ...core.document import Document, Relation, Sentence
from ...core.errors import InputError, Warnings
from ...core.positions import SENTENCE_SHIFT
from ..source import Source
from . import fast
from .brackets import ID, Brackets, Fields, ReaderSink, Row, rows_of, unique_id
from .fast import Carrier
from .layout import Ranks, Segment, survey
from .sentences import DocumentOutline, Outline, blocks, entity_values, sent_id, sentences


class _Part(NamedTuple):
    brackets: Brackets
    start: int
    """How many sentences of the document come before it."""


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
        self.names = [name for name, _ in self._documents]
        self.has_heads = self._fields is None or self._fields.head >= 0
        self._local_ids = "GRP" in self._survey.header
        self._ranks = Ranks()
        self._ranked = False
        self._outlines = DocumentOutline(source.name)  # of the document that is being read
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
        """Look at what another reader has just read: the text is most probably the same."""
        self._beside = other if isinstance(other, CorefUDReader) else None

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self._documents))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Those from one number up to another; a file that comes back to a document can only be read whole."""
        self._line, self._number, self._ranks = self.line_of_document(start), 0, Ranks()
        numbers = self._numbers_of_segments()
        if numbers and self._fields and not self._local_ids:
            self._rank_entities(numbers)
            self._ranked = True
        if start:
            self._skip(start, stop)
        for name, segments in self._documents[start:stop]:
            yield self._document(name, segments, numbers)
        if not self._number and stop == len(self._documents):
            self.source.refuse("holds no sentence", "is it a CoNLL-U file at all?", code="no-sentence")

    def _skip(self, start: int, stop: int) -> None:
        """Find out what the documents before the first one say about those that are read."""
        from .layout import count_sentences, introductions  # for processes that share a file

        segments = [only for _, (only,) in self._documents[:stop]]
        warnings, self._warnings = self._warnings, Warnings()  # whoever reads them warns
        if self._fields and not self._local_ids:
            header, ranks = self._survey.header, self._ranks
            for index in introductions(self.source, header, segments[:start], segments[start:], ranks):
                self._document(*self._documents[index], {})
        self._warnings = warnings
        self._line = self.line_of_document(start)
        self._number = count_sentences(self.source, segments[start].start)

    def _document(self, name: str, segments: list[Segment], numbers: dict[Segment, int]) -> Document:
        """One document, with its official reading where that is another."""
        start = self._line, self._number
        try:
            parts = self._parts(segments, numbers)
            for part in parts:
                part.brackets.finish()
        except InputError as error:
            if self._fields is None:
                raise
            self._line, self._number = start
            return self._only_officially(name, segments, numbers, error)
        rows = sorted([row for part in parts for row in rows_of(part.brackets)])
        repeats_words = any(part.brackets.repeats_words for part in parts)
        document = self._made(name, self._in_file_order(rows), repeats_words, parts)
        if self._ambiguous_ids or any(part.brackets.ambiguous for part in parts):
            try:
                rows = self._official_rows(parts)
                officially = self._made(name, self._in_file_order(rows), repeats_words, parts, official=True)
                document = document._replace(official=officially)
            except InputError as error:
                message = f"CorefUD scorer 1.2 cannot read document {name!r}: {error.message}"
                self._warnings.add("reading", self.source.name, self._outlines.sentences[0].line, message)
        self._rank(rows)
        return document

    def _only_officially(
        self, name: str, segments: list[Segment], numbers: dict[Segment, int], error: InputError
    ) -> Document:
        """A document of which only the official reading makes sense: then it is that under all rules.

        Programs that use the library of the official scorer write brackets in its order of nodes.
        """
        try:
            parts = self._parts(segments, numbers, read=False)
            rows = self._official_rows(parts)
        except InputError:
            raise error from None
        message = f"only CorefUD scorer 1.2 can read document {name!r} ({error.message}): read as it does"
        self._warnings.add(error.code, self.source.name, error.line, message)
        empty = [name for sentence in self._outlines.sentences for name in sentence.empty]
        self._largest_minor = max([int(name.partition(".")[2]) for name in empty], default=0)
        document = self._made(name, self._in_file_order(rows), False, parts, official=True)
        self._rank(rows)
        return document._replace(official=document)

    def _parts(self, segments: list[Segment], numbers: dict[Segment, int], read: bool = True) -> list[_Part]:
        """The sentences of a document, and their brackets if they are read; ids that are local end with a segment."""
        sink = ReaderSink(self.source.name, self._line_of, self._warnings)
        self._outlines, self._largest_minor, self._ambiguous_ids = DocumentOutline(self.source.name), 0, False
        parts: list[_Part] = []
        for segment in segments:
            if numbers:
                self._line, self._number = self.source.line_number(segment.start), numbers[segment]
            if self._local_ids or not parts:
                parts.append(_Part(Brackets(self._header, sink), len(self._outlines)))
            self._segment(segment, parts[-1].brackets if read else None, sink)
        self._no_repeated_sent_id()
        return parts

    def _segment(self, segment: Segment, brackets: Brackets | None, sink: ReaderSink) -> None:
        """Read the sentences of a segment, and their brackets, if there is somebody to hand them to.

        Values of plain sentences are handed over together, and before anything that may be said of later ones.
        """
        outline = self._outline(segment)
        self._outlines.add(outline)
        lines = outline.lines
        ids: list[str] = []
        waiting: list[Carrier] = []

        def hand_over() -> None:
            carriers = waiting.copy()
            waiting.clear()
            if brackets is not None:
                self._feed(brackets, carriers)

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
            hand_over()  # a fault that comes first is named first
            for sentence in sentences(lines[start:end], self._number, self._line + start, self.source.name, lost):
                self._number = sentence.number
                ids.append(sentence.id)
                if brackets is not None:
                    self._feed(brackets, entity_values(sentence, sink), sentence)
        hand_over()
        outline.ids = outline.ids or ids
        self._line += len(lines) - 1

    def _outline(self, segment: Segment) -> Outline:
        """The lines of a segment; where sentences stand in them, the reader beside this one may know."""
        data = self.source.read(*segment)
        lines = self.source.decoded(data, segment.start).split("\n")
        beside = self._beside._outlines.outline if self._beside else None
        outline = beside.share_layout_with(lines, self._line, self._number) if beside else None
        return outline or Outline(lines, self._line, self._number, list(blocks(lines, fast.is_table(data))))

    def _feed(self, brackets: Brackets, carriers: list[Carrier], sentence: Sentence | None = None) -> None:
        """Hand Entity values to the brackets, in the order of the text: of a sentence, or of several plain ones."""
        if not carriers:
            return None
        if self._fields is None:
            self.source.refuse(
                "Entity is used but the file has no global.Entity header",
                "write '# global.Entity = eid-etype-head-other' (or what your brackets hold) after newdoc",
                self._line_of(carriers[0][0]),
                "missing-header",
            )
        if not sentence or not sentence.empty:
            return fast.feed(brackets, carriers, None)
        from .nodes import Nodes  # files of many languages have no empty nodes

        minors = [name.partition(".")[2] for name in sentence.empty]
        self._largest_minor = max(self._largest_minor, *map(int, minors))
        self._ambiguous_ids = self._ambiguous_ids or max(map(len, minors)) > 1
        fast.feed(brackets, carriers, Nodes.of(sentence))

    def _made(
        self, name: str, rows: list[Row], repeats_words: bool, parts: list[_Part], official: bool = False
    ) -> Document:
        """The document with mentions and entities in canonical order."""
        outlines, starts = self._outlines, [part.start for part in parts]
        relations = partial(_relations, outlines, starts, self._header, self.source.name, self._warnings, official)
        return Document(
            name,
            tuple([tuple(mentions) for _, _, _, _, mentions, _ in rows]),
            entity_ids=tuple(self._ids(rows, parts)),
            entity_types=tuple([type_ for _, _, _, _, _, type_ in rows]),
            sentences=lambda: outlines.sentences,
            layout=outlines,
            path=self.source.name,
            largest_minor=self._largest_minor,
            repeats_words=repeats_words,
            local_ids=self._local_ids,
            relations=relations,
        )

    def _ids(self, rows: list[Row], parts: list[_Part]) -> list[str]:
        """The ids of entities, made unique where each part of the document has its own."""
        ids = [row[ID] for row in rows]
        if len(parts) == 1:
            return ids
        starts = [self._outlines.sentences[part.start].number for part in parts if part.start < len(self._outlines)]
        part_of_rows = [bisect_right(starts, row[0] >> SENTENCE_SHIFT) - 1 for row in rows]
        return [unique_id(id_, part) for id_, part in zip(ids, part_of_rows, strict=True)]

    def _in_file_order(self, rows: list[Row]) -> list[Row]:
        """Entities of earlier documents come first: the order is that of the whole file."""
        ranks = self._ranks.of([row[ID] for row in rows])
        if not ranks:
            return rows
        earlier = [row for row in rows if row[ID] in ranks]
        for first, _, _, id_, _, _ in earlier if not self._ranked else ():
            message = f"entity {id_!r} also occurs in an earlier document: documents are scored separately"
            self._warnings.add("entity-in-two-documents", self.source.name, partial(self._line_of, first), message)
        earlier.sort(key=lambda row: ranks[row[ID]])
        return earlier + [row for row in rows if row[ID] not in ranks]

    def _official_rows(self, parts: list[_Part]) -> list[Row]:
        """The entities as the official scorer reads them."""
        from .official import official_rows  # the same, nearly always

        starts = [part.start for part in parts]
        ends = [*starts[1:], len(self._outlines)]
        sentences_of = [self._outlines.sentences[start:end] for start, end in zip(starts, ends, strict=True)]
        return official_rows(sentences_of, self._header, self.source.name)

    def _rank(self, rows: list[Row]) -> None:
        """Remember the order of entities, which is that of the official reading: nothing else depends on it."""
        if not self._local_ids:
            self._ranks.add([row[ID] for row in rows])

    def _rank_entities(self, numbers: dict[Segment, int]) -> None:
        """For files that come back to a document: the order of all entities, from a reading in file order."""
        for segment in sorted(numbers):
            parts = self._parts([segment], numbers, read=False)
            with suppress(InputError):  # it comes again when the document is read
                self._rank(self._official_rows(parts))

    def _no_repeated_sent_id(self) -> None:
        if len(set(self._outlines.ids)) == len(self._outlines):
            return
        lines: dict[str, int] = {}
        for sentence in self._outlines.sentences:
            if not any("# sent_id" in line for line in sentence.lines):  # it is known by its number only
                continue
            if sentence.id in lines:
                message = f"sent_id {sentence.id!r} comes twice in the document (first in line {lines[sentence.id]})"
                hint = "give every sentence an id of its own"
                self.source.refuse(message, hint, sentence.line, "repeated-sent-id")
            lines[sentence.id] = sentence.line

    def _numbers_of_segments(self) -> dict[Segment, int]:
        """For files that come back to a document: the number of sentences before each segment."""
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


def _relations(outlines: DocumentOutline, *arguments: Any) -> tuple[Relation, ...]:
    """The relations of Bridge and SplitAnte: most documents are scored without them."""
    from .links import relations_of

    return relations_of(outlines.sentences, *arguments)
