"""Stand-off annotation: a text or a list of words, spans over it, and identity by entity ids or by links.

Readers of annotation tools and of other systems return :class:`StandoffDocument`; :func:`build_document` makes the
documents that are scored. A text without words is read with its characters as words, until it is laid over the words
of the other side.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...core.components import components
from ...core.document import Document, Mention, mention_order, same_words
from ...core.errors import InputError, Warnings
from ...core.positions import runs_of
from ..jsonl.spans import ListedText, WordPlaces, countable_sentences
from ..naming import COMPRESSED, packed_suffix
from ..source import Source, read_text

LINE = re.compile(r"[^\n]*\n|[^\n]+")
MOST_POSITIONS = 300_000
"""Words, or characters, of all mentions of a document that are in parts or in several sentences."""
NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)


class StandoffMention(NamedTuple):
    """A mention: its parts as (start, end), the end not included, counted in characters of a text or in words."""

    parts: Sequence[tuple[int, int]]
    entity: str = ""
    """Id of the entity; empty if links tell it. Without either, the mention is a singleton."""
    head: int | None = None
    """Number of the head word; None for the first word."""
    line: int = 0
    """Its line in the file, for errors."""


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
    mentions: dict[str, Mention] = {}
    positions = 0
    for id_, mention in document.mentions.items():
        mentions[id_] = _build_mention(mention, text, places, path)
        positions += mentions[id_].size * bool(mentions[id_].broken)
        if positions > MOST_POSITIONS:
            hint = "are these offsets of another text?"
            raise InputError("mentions are absurdly long", path=path, line=mention.line, hint=hint)
    rows = []
    for id_, members in group_mentions(document):
        distinct = {same_words(mentions[member]): mentions[member] for member in members}
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
    parts: list[tuple[int, int]] = []
    for start, end in sorted(mention.parts):
        if not 0 <= start < end <= len(text):
            unit = "character" if isinstance(text, str) else "word"
            problem = "which is empty" if start >= end else f"but there are only {len(text)} {unit}s"
            hint = "check that the annotation belongs to this text; ends are not part of a span"
            message = f"a mention has {unit}s {start} to {end}, {problem}"
            raise InputError(message, path=path, line=mention.line, hint=hint)
        if isinstance(text, str):
            while start < end and text[start].isspace():
                start += 1
            while start < end and text[end - 1].isspace():
                end -= 1
        if parts and start <= parts[-1][1]:
            parts[-1] = parts[-1][0], max(end, parts[-1][1])
        elif start < end:
            parts.append((start, end))
    if not parts:
        hint = "a mention needs at least one character that is not blank"
        raise InputError("a mention is blank", path=path, line=mention.line, hint=hint)
    if sum(end - start for start, end in parts) > MOST_POSITIONS:
        raise InputError("a mention is absurdly long", path=path, line=mention.line, hint="cut it")
    if len(parts) == 1:
        (built,) = places.mentions([parts[0][0]], [parts[0][1] - 1])
    else:
        positions = [place for start, end in parts for place in places.span(start, end)]
        built = Mention(positions, positions[0])
    if mention.head is None:
        return built
    return built._replace(head=places.span(mention.head, mention.head + 1)[0])


class StandoffReader(ABC):
    """Reader of a file that is parsed as a whole; a subclass parses it."""

    has_heads = False
    starts: Sequence[int] = ()

    def __init__(self, source: Source, warnings: Warnings, side: str) -> None:
        self.source = source
        self.warnings = warnings
        self.side = side
        self.identity_relations: frozenset[str] = frozenset()
        """Names of relations between mentions of one entity, as ``--relations`` gives them; else the usual ones."""
        self.companions: list[str] = []
        """Paths of other files that were read."""
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

    @property
    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines of the file with their numbers; blank ones are left out."""
        for number, line in enumerate(self.text.split("\n"), 1):
            if line and not line.isspace():
                yield number, line

    @property
    def document_name(self) -> str:
        """The name of the file without its folder and suffix."""
        return os.path.basename(stem_of(self.source.name))

    def select_relations(self, names: Iterable[str]) -> None:
        """Take relations of these names for identity."""
        self.identity_relations = frozenset(names)

    def is_identity(self, relation: str) -> bool:
        """Whether a relation of this name links mentions of one entity."""
        if self.identity_relations:
            return relation in self.identity_relations
        return IDENTITY.match(relation) is not None

    def check_relations(self, names: Iterable[str], line: int = 0) -> None:
        """Refuse a file that has relations, but none that is known to be identity."""
        found = sorted({name for name in names if name not in UNNAMED})
        if not found or any(map(self.is_identity, found)):
            return
        listed = ", ".join(map(repr, found[:10])) + (", …" if len(found) > 10 else "")
        wanted = " or ".join(map(repr, sorted(self.identity_relations))) or "a known name of identity"
        hint = f"say which ones link mentions of one entity: --relations {found[0]}, or several with commas"
        self.source.refuse(f"none of its relations has {wanted}; found: {listed}", hint, line)

    def number(self, text: str, line: int, what: str) -> int:
        """A number of a field of the file."""
        if not NUMBER.fullmatch(text):
            self.source.refuse(f"{what} is {text[:60]!r}, not a number", "numbers are digits, counted from 0", line)
        return int(text)

    def companion(self, path: str, why: str) -> tuple[str, str]:
        """Path and text of a file that belongs to this one, plain or compressed; an error says ``why``."""
        if self.source.name == "<stdin>":
            self.source.refuse(f"needs another file beside it, {why}", "name the file instead of piping it")
        found = next((path + packed for packed in ("", *COMPRESSED) if os.path.isfile(path + packed)), None)
        if found is None:
            self.source.refuse(f"there is no {os.path.basename(path)} beside it, {why}", f"put it there: {path}")
        self.companions.append(found)
        return found, read_text(found)


def parts_of(words: Iterable[int]) -> list[tuple[int, int]]:
    """Runs of consecutive numbers, as (start, end).

    >>> parts_of([4, 1, 2, 7, 3])
    [(1, 5), (7, 8)]
    """
    return [(first, last + 1) for first, last in runs_of(sorted(set(words)))]


IDENTITY = re.compile(r"coref|ident|same[-_]?as|equiv", re.IGNORECASE)
"""Beginnings of the names of relations that link mentions of one entity."""


UNNAMED = ("", "*")
"""Names of relations without a name; WebAnno writes an asterisk."""


def stem_of(path: str) -> str:
    """The path without the suffix of its format and that of its compression."""
    return os.path.splitext(path.removesuffix(packed_suffix(path)))[0]
