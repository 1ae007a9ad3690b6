"""Markables of CoNLL-UA files: brackets and links in cells, and the entities, plurals and relations of one column.

Openings are ``(name=value|…``, closings ``)``, and a bracket that closes at once is a markable of one word. Brackets
may be separated by ``@``; a closing may name its markable, as ``m1)``, and may follow an opening of the same cell.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, cast

from ...core.document import (
    Dependency,
    Document,
    Entity,
    Mention,
    MentionWithMinimum,
    Relation,
    mention_order,
    unbroken,
)
from ...core.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT
from ..relations import described, find_cycle, nearest, split_relations
from .lines import Report, TokenLine, UASentence

CHUNK = re.compile(r"\(([^()]*)(\)?)|([^()]*)\)|([^()]+)")
FIELD = re.compile(r"([^|=]*)=([^|]*)")
SEPARATOR = "@"
EMPTY = ("_", "")
NAMES = {"mentionid": "markableid"}
"""Fields that have several names, without ``_`` and in small letters."""
Fields = dict[str, str]


class Chunk(NamedTuple):
    """One bracket of a cell, or both around one word."""

    kind: str
    """``single``, ``opening``, ``closing``, or ``text`` outside brackets."""
    text: str
    """Its content; of a closing bracket, the id of the markable if it names it."""


@lru_cache(maxsize=1 << 12)
def chunks(cell: str) -> tuple[Chunk, ...]:
    """The brackets of a cell, from left to right.

    >>> [tuple(chunk) for chunk in chunks(")(EntityID=1)@(EntityID=2")]
    [('closing', ''), ('single', 'EntityID=1'), ('opening', 'EntityID=2')]
    >>> [tuple(chunk) for chunk in chunks("m1)m2)")]
    [('closing', 'm1'), ('closing', 'm2')]
    """
    found = []
    for match in CHUNK.finditer(cell):
        text = (match[1] or match[3] or match[4] or "").strip(SEPARATOR)
        if match[0][0] == "(":
            found.append(Chunk("single" if match[2] else "opening", text))
        elif match[0][-1] == ")" or text:
            found.append(Chunk("closing" if match[0][-1] == ")" else "text", text))
    return tuple(found)


def fields(text: str) -> Fields:
    """The fields of a bracket, in any spelling of their names; text without ``=`` is skipped.

    >>> fields("EntityId=1|Markable_ID=m1|Min=3,4|new")
    {'entityid': '1', 'markableid': 'm1', 'min': '3,4'}
    """
    return {meaning(name): value.strip() for name, value in FIELD.findall(text)}


@lru_cache(maxsize=1 << 8)
def meaning(name: str) -> str:
    """The name of a field without regard to spelling."""
    plain = name.strip().replace("_", "").lower()
    return NAMES.get(plain, plain)


def links(cell: str) -> list[Fields]:
    """The bridging links of a cell, with brackets or without.

    >>> [link["mentionanchor"] for link in links("(MarkableID=m3|MentionAnchor=m1)MarkableID=m4|MentionAnchor=m2")]
    ['m1', 'm2']
    """
    texts = [part for chunk in chunks(cell) for part in chunk.text.split(SEPARATOR)]
    return [named for text in texts if (named := fields(text))]


def listed(value: str) -> list[str]:
    """The items of a value such as ``1,2``.

    >>> listed("1, 2"), listed("")
    (['1', '2'], [])
    """
    return [item for part in value.split(",") if (item := part.strip()) not in EMPTY]


NON_REFERRING = ("-Pseudo", "_Pseudo")
"""Suffixes of the ids of entities that do not refer."""


class Markable:
    """A markable as it is read; ``parts`` are those that are closed, as first and last position."""

    __slots__ = ("entity", "id", "line", "minimum", "parts")

    def __init__(self, id_: str, entity: str, line: int, minimum: str) -> None:
        self.id: str = id_
        self.entity: str = entity
        self.line: int = line
        self.minimum: str = minimum
        self.parts: list[tuple[int, int]] = []


class Markables:
    """The markables of a column, read cell by cell in the order of the file.

    Further brackets with the id of a markable are further parts of it. The words of a markable are those between its
    brackets, zeros included, as empty nodes are in CorefUD.
    """

    def __init__(self, column: str, report: Report) -> None:
        self._column, self._report = column, report
        self._markables: dict[str, Markable] = {}
        self._open: list[tuple[Markable, int]] = []  # with the first word
        self._elements: dict[str, dict[str, int]] = {}  # of a plural, the markables of its elements and their lines
        self._links: list[tuple[Fields, int]] = []

    def feed(self, cell: str, row: TokenLine, line: int) -> None:
        """Read a cell of brackets."""
        for chunk in chunks(cell):
            if chunk.kind == "closing":
                self._close(chunk.text, row, line)
            elif chunk.kind == "text":
                self._report("bad-cell", line, text=chunk.text, column=self._column)
            else:
                self._markable(chunk, row, line)

    def link(self, cell: str, line: int) -> None:
        """Read a cell of bridging links."""
        self._links += [(link, line) for link in links(cell)]

    def _markable(self, chunk: Chunk, row: TokenLine, line: int) -> None:
        named = fields(chunk.text)
        for field, name in (("markableid", "MarkableID"), ("entityid", "EntityID")):
            if not named.get(field):
                self._report("bad-markable", line, text=chunk.text, column=self._column, field=name)
                return
        id_, entity = named["markableid"], named["entityid"]
        markable = self._markables.get(id_)
        if markable is None:
            markable = self._markables[id_] = Markable(id_, entity, line, named.get("min", ""))
        elif markable.entity != entity:
            self._report("markable-in-two-entities", line, id=id_, entity=entity, before=markable.entity)
            markable.entity = entity
        for plural in listed(named["elementof"]) if "elementof" in named else ():
            self._elements.setdefault(plural, {}).setdefault(id_, line)
        if chunk.kind == "single":
            markable.parts.append((row.first, row.last))
        else:
            self._open.append((markable, row.first))

    def _close(self, id_: str, row: TokenLine, line: int) -> None:
        """Close the markable that was opened last, or the one that is named."""
        for index in reversed(range(len(self._open))):
            markable, first = self._open[index]
            if id_ in ("", markable.id):
                del self._open[index]
                markable.parts.append((first, row.last))
                return
        self._report("closed-never-opened", line, column=self._column)

    def document(self, whole: Document, nodes: Sequence[int]) -> Document:
        """A document with these markables; ``nodes`` are the positions of its words and zeros, in order."""
        for markable, _ in self._open:
            self._report("never-closed", markable.line, id=markable.id, column=self._column)
        builder = _MentionBuilder(whole, nodes, self._report)
        closed = [markable for markable in self._markables.values() if markable.parts]
        mentions = {markable.id: mention for markable in closed if (mention := builder.mention(markable))}
        entity_of = {id_: markable.entity for id_, markable in self._markables.items()}
        return AnnotatedColumn(mentions, entity_of, self._elements, self._links).document(whole, self._report)


class AnnotatedColumn(NamedTuple):
    """The annotation of a column, and its bridging; markables by id, in the order of their first brackets."""

    mentions: dict[str, Mention]
    entity_of: dict[str, str]
    elements: dict[str, dict[str, int]]
    """Of a plural entity, the markables of its elements and their lines."""
    links: list[tuple[Fields, int]]
    """The fields of each bridging link, and its line."""

    def members(self) -> dict[str, list[Mention]]:
        """The mentions of each entity."""
        members: dict[str, list[Mention]] = {}
        for id_, mention in self.mentions.items():
            members.setdefault(self.entity_of[id_], []).append(mention)
        return members

    def document(self, whole: Document, report: Report) -> Document:
        """A document with these entities and relations."""
        entities = {id_: tuple(sorted(entity, key=mention_order)) for id_, entity in self.members().items()}
        referring = {id_: entity for id_, entity in entities.items() if not id_.endswith(NON_REFERRING)}
        relations = [
            *self._split(entities, report),
            *self._bridging(entities, report),
            *non_referring(entities, referring),
        ]
        return whole._replace(
            entities=tuple(referring.values()),
            entity_ids=tuple(referring),
            entity_types=("",) * len(referring),
            relations=tuple(relations),
        )

    def _split(self, entities: dict[str, Entity], report: Report) -> list[Relation]:
        """Plural entities with their elements, in the order of the plurals."""
        elements: dict[str, dict[str, int]] = {}
        for plural, markables in self.elements.items():
            named: dict[str, int] = {}
            for id_, line in markables.items():
                named.setdefault(self.entity_of[id_], line)
            present = {id_: line for id_, line in named.items() if id_ in entities}
            if plural in entities and present:
                elements[plural] = present
            elif present:
                report("element-of-nothing", min(present.values()), plural=plural)
        if cycle := find_cycle(elements):
            line = elements[cycle[-1]][cycle[0]]
            report("element-cycle", line, id=cycle[0], cycle=described(cycle))
            return []
        return split_relations(elements, entities)

    def _bridging(self, entities: dict[str, Entity], report: Report) -> Iterable[Relation]:
        """A relation for each link of an anaphor to an anchor."""
        mentions = self.mentions
        for link, line in self.links:
            id_, anchor, entity = (link.get(name, "") for name in ("markableid", "mentionanchor", "entityanchor"))
            if not id_:
                text = "|".join(f"{name}={value}" for name, value in link.items())
                report("bad-markable", line, text=text, column="BRIDGING", field="MarkableID")
            elif not (anchor or entity):
                report("missing-anchor", line, id=id_)
            elif id_ not in mentions or (anchor not in mentions if anchor else entity not in entities):
                missing = id_ if id_ not in mentions else anchor or entity
                report("bridging-of-nothing", line, anaphor=id_, anchor=anchor or entity, missing=missing)
            else:
                anaphor = mentions[id_]
                target = mentions[anchor] if anchor else nearest(entities[entity], anaphor)
                ids = self.entity_of[id_], self.entity_of[anchor] if anchor else entity
                yield Relation("bridging", (anaphor,), ((target,),), link.get("rel", ""), ids)


def non_referring(entities: dict[str, Entity], referring: Container[str]) -> list[Relation]:
    """A relation without targets for each entity that does not refer."""
    others = {id_: entity for id_, entity in entities.items() if id_ not in referring}
    return [Relation("non-referring", entity, (), id_, (id_,)) for id_, entity in others.items()]


class _MentionBuilder:
    """Makes mentions of markables, from the words and zeros of a document."""

    def __init__(self, document: Document, nodes: Sequence[int], report: Report) -> None:
        self._document, self._nodes, self._report = document, nodes, report
        self._words = [node for node in nodes if not node & MINOR_MASK]
        self._plain = not any(sentence.unusual for sentence in document.sentences)
        self._dependencies_in: dict[int, dict[int, tuple[Dependency, ...]]] = {}  # by the number of the sentence

    def mention(self, markable: Markable) -> Mention | None:
        """The mention of a markable: the words of all its parts, and its minimum."""
        first, last = markable.parts[0]
        if self._plain and len(markable.parts) == 1 and first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT:
            words: Sequence[int] = range(first, last + 1, NEXT_WORD)
            minimum = self._minimum(markable, words) if markable.minimum else ()
            return unbroken(first, last, minimum[0] if minimum else first, minimum)
        nodes = self._nodes
        parts = [nodes[bisect_left(nodes, first) : bisect_right(nodes, last)] for first, last in markable.parts]
        words = sorted({*chain.from_iterable(map(_from_word_to_word, parts))} or {*chain.from_iterable(parts)})
        if not words:
            self._report("markable-without-words", markable.line, id=markable.id)
            return None
        minimum = self._minimum(markable, words) if markable.minimum else ()
        head = next((place for place in words if not place & MINOR_MASK), words[0])
        if head & MINOR_MASK:
            return Mention(words, head, self._dependencies(head))
        return MentionWithMinimum(words, minimum[0], (), minimum) if minimum else Mention(words, head)

    def _dependencies(self, zero: int) -> tuple[Dependency, ...]:
        number = zero >> SENTENCE_SHIFT
        if number not in self._dependencies_in:
            sentence = cast("UASentence", self._document.sentence_of(zero))
            self._dependencies_in[number] = sentence.dependencies
        return self._dependencies_in[number].get(zero, ())

    def _minimum(self, markable: Markable, words: Sequence[int]) -> tuple[int, ...]:
        """The words that Min names if they are in the markable: one, the first and the last, or several."""
        numbers = minimum_numbers(markable.minimum)
        facts = {"value": markable.minimum, "id": markable.id}
        if not numbers:
            self._report("bad-minimum", markable.line, **facts)
            return ()
        inside = words if isinstance(words, range) else set(words)
        named = range(numbers[0], numbers[1] + 1) if len(numbers) == 2 else sorted(set(numbers))
        if named and named[0] > 0 and named[-1] <= len(self._words) and len(named) <= len(inside):
            places = tuple([self._words[number - 1] for number in named])
            if all(place in inside for place in places):
                return places
        self._report("minimum-outside", markable.line, **facts)
        return ()


def _from_word_to_word(nodes: Sequence[int]) -> Sequence[int]:
    """Words and the zeros between them, without zeros before the first and after the last word.

    >>> _from_word_to_word([1, NEXT_WORD, NEXT_WORD + 1, 2 * NEXT_WORD, 2 * NEXT_WORD + 1]) == [
    ...     NEXT_WORD, NEXT_WORD + 1, 2 * NEXT_WORD
    ... ]
    True
    """
    words = [number for number, place in enumerate(nodes) if not place & MINOR_MASK]
    return nodes[words[0] : words[-1] + 1] if words else []


def minimum_numbers(value: str) -> list[int]:
    """The numbers of words in a value of Min; none if it is faulty.

    >>> minimum_numbers("7,8"), minimum_numbers("x")
    ([7, 8], [])
    """
    items = listed(value)
    plain = all(item.isascii() and item.isdigit() and len(item) < 10 for item in items)
    return [int(item) for item in items] if plain else []
