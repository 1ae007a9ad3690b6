"""CorefUD 1.0 and later: CoNLL-U with coreference in the ``Entity`` attribute of MISC."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, cast

from ...base.document import Document, Mention, Sentence, mention_order
from ...base.errors import Warnings
from ...base.positions import SENTENCE_SHIFT, WORD_SHIFT
from ..source import Source
from .brackets import Brackets
from .fields import Fields
from .layout import Segment, survey
from .nodes import Nodes
from .sentences import entity_values, sentences
from .sink import ReaderSink


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
        self.names = [name for name, _ in self._documents]
        self.has_heads = self._fields is None or self._fields.head >= 0
        self._local_ids = "GRP" in self._survey.header
        self._ranks: dict[str, int] = {}  # entity id -> its place in the order of all entities of the file
        self._ranked = False
        self._sentences: list[Sentence] = []  # of the document that is being read
        self._largest_minor = 0
        self._line, self._number = 1, 0

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._documents[index][1][0].start)

    def __iter__(self) -> Iterator[Document]:
        self._line, self._number = self.line_of_document(0), 0
        numbers = self._numbers_of_segments()
        if numbers and not self._local_ids:
            self._rank_entities(numbers)
            self._ranked = True
        sink = ReaderSink(self.source.name, self._line_of, self._warnings)
        for name, segments in self._documents:
            self._sentences, self._largest_minor = [], 0
            collected: list[Brackets] = []
            for segment in segments:
                if numbers:
                    self._line, self._number = self.source.line_number(segment.start), numbers[segment]
                if self._local_ids or not collected:
                    collected.append(Brackets(self._fields or Fields(""), sink))
                self._segment(segment, collected[-1], sink)
            self._no_repeated_sent_id()
            yield self._document(name, collected)
        if not self._number:
            self.source.refuse("holds no sentence", "is it a CoNLL-U file at all?", code="no-sentence")

    def _segment(self, segment: Segment, brackets: Brackets, sink: ReaderSink) -> None:
        text = self.source.text(*segment)
        lost = partial(sink.note, "entity-without-words")
        for sentence, lines, comments in sentences(text, self._number, self._line, self.source.name, lost):
            self._sentences.append(sentence)
            self._mentions(sentence, lines, comments, brackets, sink)
            self._number = sentence.number
        self._line += text.count("\n")

    def _mentions(
        self, sentence: Sentence, lines: list[str], comments: int, brackets: Brackets, sink: ReaderSink
    ) -> None:
        """Hand the Entity values of a sentence to the brackets, in the order of the text."""
        if sentence.unusual or not comments:
            carriers = entity_values(sentence, lines, sink)
        else:
            start = sentence.number << SENTENCE_SHIFT
            carriers = []
            for word, line in enumerate(lines[comments:], 1):
                if "Entity" in line:
                    before, _, rest = line.rpartition("Entity=")
                    value, _, others = rest.partition("|")
                    sign = before[-1:]
                    # Another attribute, perhaps one Entity of two; another column; no value; perhaps one more.
                    if (
                        (sign != "\t" and (sign != "|" or "Entity" in before))
                        or "\t" in rest
                        or not value
                        or (others and "Entity" in others)
                    ):
                        carriers = entity_values(sentence, lines, sink)
                        break
                    carriers.append((start | word << WORD_SHIFT, value))
        if not carriers:
            return
        if self._fields is None:
            self.source.refuse(
                "Entity is used but the file has no global.Entity header",
                "write '# global.Entity = eid-etype-head-other' (or what your brackets hold) after newdoc",
                self._line_of(carriers[0][0]),
                "missing-header",
            )
        empty = sentence.empty if sentence.unusual else None
        if empty:
            self._largest_minor = max(self._largest_minor, *(int(name.partition(".")[2]) for name in empty))
        brackets.feed(carriers, Nodes.of(sentence) if empty else None)

    def _document(self, name: str, collected: list[Brackets]) -> Document:
        """The document with mentions and entities in canonical order."""
        rows: list[_Row] = []
        for brackets in collected:
            brackets.finish()
            rows += _rows(brackets)
        rows.sort()
        if not self._local_ids:
            rows = self._in_file_order(rows)
        return Document(
            name,
            tuple([tuple(mentions) for _, _, _, _, mentions, _ in rows]),
            entity_ids=tuple([id_ for _, _, _, id_, _, _ in rows]),
            entity_types=tuple([type_ for _, _, _, _, _, type_ in rows]),
            sentences=tuple(self._sentences),
            path=self.source.name,
            largest_minor=self._largest_minor,
            repeats_words=any(brackets.repeats_words for brackets in collected),
            local_ids=self._local_ids,
        )

    def _in_file_order(self, rows: list[_Row]) -> list[_Row]:
        """Entities of earlier documents come first: the order is that of the whole file."""
        ranks = self._ranks
        earlier = [row for row in rows if row[ID] in ranks]
        for first, _, _, id_, _, _ in earlier if not self._ranked else ():
            message = f"entity {id_!r} also stands in an earlier document: its documents are scored apart"
            self._warnings.add("entity-in-two-documents", self.source.name, partial(self._line_of, first), message)
        if earlier:
            earlier.sort(key=lambda row: ranks[row[ID]])
            rows = earlier + [row for row in rows if row[ID] not in ranks]
        for row in rows[len(earlier) :]:
            ranks[row[ID]] = len(ranks)
        return rows

    def _rank_entities(self, numbers: dict[Segment, int]) -> None:
        """For files that come back to a document: the order of all entities, from a reading in file order."""
        for segment in sorted(numbers):
            self._sentences = []
            sink = ReaderSink(self.source.name, self._line_of, None)
            brackets = Brackets(self._fields or Fields(""), sink)
            self._segment(segment, brackets, sink)
            brackets.finish()
            for row in sorted(_rows(brackets)):
                self._ranks.setdefault(row[ID], len(self._ranks))

    def _no_repeated_sent_id(self) -> None:
        if len({sentence.id for sentence in self._sentences}) == len(self._sentences):
            return
        lines: dict[str, int] = {}
        for sentence in self._sentences:
            if "# sent_id" not in sentence.text:  # it is known by its number only
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
            count += sum(1 for _ in sentences(self.source.text(*segment), 0, line, self.source.name))
        return before

    def _line_of(self, position: int) -> int:
        number = position >> SENTENCE_SHIFT
        return next(sentence for sentence in self._sentences if sentence.number == number).line_of(position)


# An entity on its way into the document: first word, minus length and last word of its first mention, id, mentions,
# type. Rows sort as entities do; ids are unique, so mentions are never compared. Plain tuples sort fastest.
_Row = tuple[int, int, int, str, list[Mention], str]
ID: Final = 3


def _rows(brackets: Brackets) -> list[_Row]:
    """The entities that have mentions, each with its mentions in order."""
    rows: list[_Row] = []
    for id_, entity in brackets.entities.items():
        mentions = cast("list[Mention]", entity.members)
        if entity.opened:  # what is still open has no mention in its slot
            mentions = [mention for mention in mentions if mention is not None]
        if len(mentions) > 1:
            mentions.sort(key=mention_order)
        if mentions:
            words = mentions[0][0]
            rows.append((words[0], -len(words), words[-1], id_, mentions, entity.type))
    return rows
