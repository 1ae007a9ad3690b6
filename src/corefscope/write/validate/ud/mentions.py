"""Brackets of Entity, as the official validator closes them: by their text, within a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..problems import quoted
from .sentence import Note, UDRow, number

PART = re.compile(r"(.+)\[([1-9]\d*)/([1-9]\d*)\]")
HEAD = re.compile(r"[1-9][0-9]*")
TYPES = (
    *("", "person", "place", "organization", "animal", "plant", "object"),
    *("substance", "time", "number", "abstract", "event", "other"),
)


class Declared:
    """What the first global.Entity of a file says."""

    def __init__(self, header: str, names: Sequence[str]) -> None:
        self.header, self.size = header, len(names)
        self.places = {name: place for place, name in reversed(list(enumerate(names)))}
        """By name; none if the header cannot be read."""

    def of(self, fields: Sequence[str], name: str) -> str | None:
        """The value of a field; None if a bracket does not go so far, or there is no such field."""
        place = self.places.get(name, len(fields))
        return fields[place] if place < len(fields) else None


class EntityBracket(NamedTuple):
    """One piece of Entity."""

    text: str
    opens: bool
    closes: bool
    fields: list[str]
    name: str
    """The id with its part, by which brackets are closed."""
    id: str
    part: int
    parts: str
    """How many there are to be, as written; empty if the id names no part."""

    @classmethod
    def read(cls, text: str, declared: Declared) -> EntityBracket:
        """What a piece says, as far as it can be told."""
        opens, closes = text[0] == "(", text[-1] == ")"
        fields = text[opens : len(text) - closes].split("-")
        found = declared.of(fields, "eid") if opens else None
        name = fields[0] if found is None else found
        match = PART.fullmatch(name)
        if not match:
            return cls(text, opens, closes, fields, name, name, 1, "")
        return cls(text, opens, closes, fields, name, match[1], number(match[2]), match[3])

    @property
    def is_part(self) -> bool:
        """Whether it is one of several parts."""
        return self.parts not in ("", "1")

    @property
    def is_last(self) -> bool:
        """Whether no part follows."""
        return self.part == number(self.parts or "1")

    def others(self, declared: Declared) -> list[str]:
        """All fields but the id."""
        return [field for place, field in enumerate(self.fields) if place != declared.places["eid"]]


class OpenBracket(NamedTuple):
    """A bracket that waits for the one that closes it."""

    name: str
    line: int
    head: int
    start: int
    """The place of its first word among those of the sentence."""


class InSeveralParts:
    """A mention that waits for further parts."""

    def __init__(self, part: int, fields: list[str]) -> None:
        self.part, self.fields = part, fields
        self.words: list[str] = []


class OpenMentions:
    """The open mentions of a sentence, and what is known of entities."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._types: dict[str, tuple[str, str, int]] = {}  # type, identity and line of the first mention
        self._here: dict[str, int] = {}  # the entities of the document, and where they begin
        self._before: dict[str, int] = {}  # and those of documents before it
        self._words: list[str] = []  # those of the sentence so far, empty nodes included
        self._open: list[OpenBracket] = []
        self._waiting: dict[tuple[str, str], list[InSeveralParts]] = {}  # by id and number of parts
        self._spans: dict[str, dict[tuple[str, ...], set[str]]] = {}  # of the entities of the sentence

    def begin_document(self) -> None:
        """The entities so far are those of other documents."""
        self._before |= self._here
        self._here = {}

    def enter(self, word: str) -> None:
        """Go on to a word or an empty node."""
        self._words.append(word)

    def read(self, row: UDRow, brackets: Sequence[EntityBracket], declared: Declared) -> set[str]:
        """Check the brackets of a word; the entities of which a mention begins."""
        ending: dict[tuple[int, tuple[str, ...]], str] = {}
        for bracket in brackets:
            if len(bracket.fields) > (declared.size if bracket.opens else 1):
                message = f"{len(bracket.fields)} fields in {quoted(bracket.text)}"
                self._note("too-many-entity-attributes", row.line, message)
            if bracket.parts == "1" and bracket.part == 1:
                self._note("spurious-entity-id", row.line, f"{quoted(bracket.name)} is the only part of a mention")
            if bracket.parts and bracket.part > number(bracket.parts):
                self._note("spurious-entity-id", row.line, f"{quoted(bracket.name)} is no part of a mention")
            if not bracket.parts and bracket.name[:1] in ("[", "]"):
                self._note(
                    "spurious-entity-id", row.line, f"the id {quoted(bracket.name)} begins with a square bracket"
                )
            if bracket.opens:
                self._begin(row, bracket, declared)
            if bracket.closes:
                self._end(row.line, bracket, ending)
        return {bracket.id for bracket in brackets if bracket.opens and bracket.part == 1}

    def finish(self, line: int) -> None:
        """The sentence ends: so must all its mentions."""
        if self._open:
            names = ", ".join(quoted(bracket.name) for bracket in self._open[:5])
            self._note("cross-sentence-mention", line, f"{names} not closed at the end of the sentence")
        if self._waiting:
            names = ", ".join(quoted(id_) for id_, _ in list(self._waiting)[:5])
            self._note("cross-sentence-mention", line, f"further parts of {names} do not come in the sentence")
        self._words, self._open, self._waiting, self._spans = [], [], {}, {}

    def _begin(self, row: UDRow, bracket: EntityBracket, declared: Declared) -> None:
        id_, line = bracket.id, row.line
        if bracket.is_part:
            self._begin_part(line, bracket, declared)
        if id_ in self._before:
            message = f"entity {quoted(id_)} stands in another document, too, in line {self._before[id_]}"
            self._note("entity-across-newdoc", line, message)
        else:
            self._here.setdefault(id_, line)
        type_, identity = (declared.of(bracket.fields, name) or "" for name in ("etype", "identity"))
        if type_ not in TYPES:
            self._note("spurious-entity-type", line, f"type {quoted(type_)} of {quoted(id_)} does not exist")
        head = declared.of(bracket.fields, "head")
        if head is not None and not HEAD.fullmatch(head):
            self._note("spurious-mention-head", line, f"head {quoted(head)} of {quoted(id_)} is no number from 1 on")
            head = None
        first = self._types.setdefault(id_, (type_, identity, line))
        for name, value, before in (("type", type_, first[0]), ("identity", identity, first[1])):
            if value != before:
                message = f"{quoted(id_)} has the {name} {quoted(value)}, but {quoted(before)} in line {first[2]}"
                self._note(f"entity-{name}-mismatch", line, message)
        self._open.append(OpenBracket(bracket.name, line, number(head or "0"), len(self._words) - 1))

    def _begin_part(self, line: int, bracket: EntityBracket, declared: Declared) -> None:
        fields = bracket.others(declared)
        waiting = self._waiting.setdefault((bracket.id, bracket.parts), [])
        if bracket.part == 1:
            waiting.append(InSeveralParts(1, fields))
        elif not waiting:
            self._note("misplaced-mention-part", line, f"{quoted(bracket.name)} comes without the parts before it")
            waiting.append(InSeveralParts(bracket.part, fields))
        elif bracket.part != waiting[-1].part + 1:
            message = f"{quoted(bracket.name)} comes after part {waiting[-1].part}"
            self._note("misplaced-mention-part", line, message)
        elif fields != waiting[-1].fields:
            message = f"{quoted(bracket.name)} has other fields than the first part of the mention"
            self._note("mention-attribute-mismatch", line, message)

    def _end(self, line: int, bracket: EntityBracket, ending: dict[tuple[int, tuple[str, ...]], str]) -> None:
        opened = self._closed(line, bracket)
        if opened is None:
            return
        words = self._words[opened.start :]
        if bracket.is_part:
            words = self._end_part(line, bracket, words)
        if not bracket.is_last:
            return
        if len(words) < opened.head:
            message = f"head {opened.head} of a mention of {quoted(bracket.id)} of {len(words)} words"
            self._note("mention-head-out-of-range", line, message)
        span = tuple(words)
        if (opened.line, span) in ending:
            message = f"{quoted(bracket.name)} and {quoted(ending[opened.line, span])} have the same words"
            self._note("same-span-entity-mentions", line, message)
        ending.setdefault((opened.line, span), bracket.name)
        spans, own = self._spans.setdefault(bracket.id, {}), set(words)
        for other, its in spans.items():
            if own & its and not own <= its and not its <= own:
                places = f"{other[0]} to {other[-1]} and {span[0]} to {span[-1]}"
                self._note(
                    "crossing-mentions-same-entity", line, f"mentions of {quoted(bracket.id)} from {places} cross"
                )
        spans[span] = own

    def _closed(self, line: int, bracket: EntityBracket) -> OpenBracket | None:
        """The latest open bracket of the same name, which is open no longer."""
        name = bracket.name
        if self._open and self._open[-1].name != name:
            message = f"{quoted(name)} is closed while {quoted(self._open[-1].name)} is open"
            self._note("ill-nested-entities-warning", line, message)
        for index in reversed(range(len(self._open))):
            if self._open[index].name == name:
                return self._open.pop(index)
        self._note("ill-nested-entities", line, f"{quoted(name)} is closed but not open")
        return None

    def _end_part(self, line: int, bracket: EntityBracket, words: list[str]) -> list[str]:
        """The words of all parts so far."""
        key = bracket.id, bracket.parts
        if key not in self._waiting:
            self._note("internal-error", line, f"{quoted(bracket.name)} is closed after the last part")
            self._waiting[key] = [InSeveralParts(bracket.part, [])]
        mention = self._waiting[key][-1]
        mention.part = bracket.part
        mention.words += words
        if bracket.is_last:
            self._waiting[key].pop()
            if not self._waiting[key]:
                del self._waiting[key]
        return mention.words
