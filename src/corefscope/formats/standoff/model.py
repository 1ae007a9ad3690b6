"""Stand-off annotation: a text or a list of words, spans over it, and identity by entity ids or by links.

Readers of annotation tools and of other systems return :class:`StandoffDocument`; :func:`build_document` makes the
documents that are scored. A text without words is read with its characters as words, until it is laid over the words
of the other side.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...core.components import components
from ...core.document import Document, Mention, mention_order
from ...core.errors import InputError, Warnings
from ..jsonl.spans import ListedText, WordPlaces, countable_sentences
from ..source import Source

LINE = re.compile(r"[^\n]*\n|[^\n]+")


class StandoffMention(NamedTuple):
    """A mention: its parts as (start, end), the end not included, counted in characters of a text or in words."""

    parts: Sequence[tuple[int, int]]
    entity: str = ""
    """Id of the entity; empty if links tell it. Without either, the mention is a singleton."""
    head: int | None = None
    """Number of the head word; None for the first word."""
    line: int = 0
    """Where the file has it, for errors."""


class StandoffDocument(NamedTuple):
    """One document: a text or sentences of words, and mentions by their ids."""

    name: str
    mentions: Mapping[str, StandoffMention]
    text: str | None = None
    """The text that mentions count the characters of; None if they count the words of ``sentences``."""
    sentences: Sequence[Sequence[str]] = ()
    links: Iterable[tuple[str, str]] = ()
    """Pairs of ids of mentions that refer to the same entity."""
    entity_types: Mapping[str, str] = {}
    """Types of entities, by their ids."""
    line: int = 1
    """Where the document begins in the file."""
    local_ids: bool = True
    """Whether ids of entities mean nothing in other documents."""


def build_document(document: StandoffDocument, before: int = 0, path: str = "") -> Document:
    """Build the document that is scored; InputError names the mention that is outside of the text.

    ``before`` is how many sentences there are in the file before this document.
    """
    is_text = document.text is not None
    sentences = countable_sentences(LINE.findall(document.text or "") if is_text else document.sentences)
    places = WordPlaces(before, list(map(len, sentences)))
    text = document.text if document.text is not None else [word for words in sentences for word in words]
    mentions = {id_: _build_mention(mention, text, places, path) for id_, mention in document.mentions.items()}
    rows = []
    for id_, members in group_mentions(document):
        distinct = {mentions[member].positions: mentions[member] for member in members}
        rows.append((id_, tuple(sorted(distinct.values(), key=mention_order))))
    rows.sort(key=lambda row: row[1][0])
    layout = ListedText(sentences, before, document.line)
    return Document(
        document.name,
        tuple([entity for _, entity in rows]),
        entity_ids=tuple([id_ for id_, _ in rows]),
        entity_types=tuple([document.entity_types.get(id_, "") for id_, _ in rows]),
        sentences=layout.sentences,
        layout=layout,
        path=path,
        local_ids=document.local_ids,
        counts_characters=is_text,
    )


def group_mentions(document: StandoffDocument) -> Iterator[tuple[str, list[str]]]:
    """Entities as connected components of mentions that are linked, or have the same entity id.

    Yield the id of each entity, or that of its first mention, and the ids of its mentions.

    >>> mentions = {id_: StandoffMention([(0, 1)]) for id_ in ("T1", "T2", "T3")}
    >>> list(group_mentions(StandoffDocument("a", mentions, "Ann", links=[("T3", "T1")])))
    [('T1', ['T1', 'T3']), ('T2', ['T2'])]
    """
    ids = list(document.mentions)
    named = [{("mention", id_), ("entity", document.mentions[id_].entity or f"\0{id_}")} for id_ in ids]
    links = [{("mention", first), ("mention", second)} for first, second in document.links]
    for group in components([*named, *links]):
        members = [ids[number] for number in sorted(group) if number < len(ids)]
        if members:
            yield document.mentions[members[0]].entity or members[0], members


def _build_mention(mention: StandoffMention, text: str | Sequence[str], places: WordPlaces, path: str) -> Mention:
    """The mention without blanks at the ends of its parts; overlapping parts are merged."""
    positions: set[int] = set()
    for start, end in mention.parts:
        if not 0 <= start < end <= len(text):
            unit = "character" if isinstance(text, str) else "word"
            problem = "which is empty" if start >= end else f"but there are only {len(text)} {unit}s"
            hint = "check that the annotation belongs to this text; ends are not part of a span"
            raise InputError(
                f"a mention has {unit}s {start} to {end}, {problem}", path=path, line=mention.line, hint=hint
            )
        if isinstance(text, str):
            while start < end and text[start].isspace():
                start += 1
            while start < end and text[end - 1].isspace():
                end -= 1
        positions.update(places.span(start, end) if start < end else ())
    if not positions:
        hint = "a mention needs at least one character that is not blank"
        raise InputError("a mention is blank", path=path, line=mention.line, hint=hint)
    ordered = sorted(positions)
    head = ordered[0] if mention.head is None else places.span(mention.head, mention.head + 1)[0]
    return Mention(ordered, head)


class StandoffReader(ABC):
    """Reader of a file that is parsed as a whole; a subclass parses it."""

    has_heads = False
    starts: Sequence[int] = ()

    def __init__(self, source: Source, warnings: Warnings, side: str) -> None:
        self.source, self.warnings, self.side = source, warnings, side
        source.check_memory(source.start, source.size)
        self._parsed: list[StandoffDocument] | None = None

    @abstractmethod
    def parse(self) -> Iterator[StandoffDocument]:
        """The documents of the file."""

    @property
    def standoff(self) -> list[StandoffDocument]:
        """The documents, parsed once."""
        if self._parsed is None:
            self._parsed = list(self.parse())
            if not self._parsed:
                self.source.refuse("holds no document", "was the program that wrote it interrupted?")
        return self._parsed

    @property
    def names(self) -> list[str]:
        """The ids of the documents, in order."""
        return [document.name for document in self.standoff]

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.standoff[index].line

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.standoff))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Documents ``start`` up to ``stop``."""
        before = 0
        for number, document in enumerate(self.standoff[:stop]):
            built = build_document(document, before, self.source.name)
            before += built.sentence_count
            if number >= start:
                yield built

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.source.text(self.source.start, self.source.size)
