"""CoNLL-UA files as the Universal Anaphora scorer 2.0 reads them, quirks included.

Words are numbered in the document, multiword tokens included and zeros excluded. Brackets close the last open
markable, character by character, or with ``--allow-boundary-crossing`` the markable that they name. A markable that
is opened again has several parts; one that is never closed lacks its last part, or has no words at all.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from ..anaphora.plurals import Partition, Plural
from ..core.errors import AlignmentError, InputError, Location
from ..formats.relations import find_cycle, leaves
from ..formats.source import Source
from ..formats.ua.fast import BRIDGING, DEIXIS, IDENTITY
from ..formats.ua.lines import SHOWN, is_token
from ..formats.ua.official import fields, split_documents
from .ua_2_0 import HANDLING_2_0, Members, PairedPartition, WordMention, pair_mentions, stops
from .ua_counts import SideRelations, with_plurals


class Reading(NamedTuple):
    """The options that decide how a file is read."""

    match: str = "exact"
    singletons: bool = False
    plurals: bool = False
    zeros: bool = False
    bridging: bool = False
    deixis: bool = False
    crossing: bool = False


class TokenRow(NamedTuple):
    """A token line of a document."""

    line: int
    cells: list[str]
    number: Hashable
    """That of the word; of a zero, that of the next word and its own."""

    @property
    def is_zero(self) -> bool:
        """Whether its ID has a point."""
        return "." in self.cells[0]

    def cell(self, column: int, path: str) -> str:
        """The cell in a column; InputError if there is none."""
        if column >= len(self.cells):
            raise stops(path, self.line, f"stops at a line of {len(self.cells)} columns: it needs {column + 1}")
        return self.cells[column]


def read_file(path: str) -> tuple[str, dict[str, list[TokenRow]]]:
    """The name of a file, and the token lines of its documents, by their names."""
    with closing(Source.open(path)) as source:
        text = source.text(source.start, source.size)
    return source.name, {name: list(_rows(lines, first)) for name, first, lines in split_documents(text)}


def _rows(lines: list[str], first: int) -> Iterator[TokenRow]:
    words = zeros = 0
    for line, text in enumerate(lines, first):
        if is_token(text):
            row = TokenRow(line, text.split(), words)
            if row.is_zero:
                yield row._replace(number=(words, zeros))
                zeros += 1
            else:
                yield row
                words, zeros = words + 1, 0


def relations_of_files(key: str, response: str, reading: Reading) -> Iterator[SideRelations]:
    """The relations of the documents of two files, one after the other."""
    (key_path, keys), (response_path, responses) = map(read_file, (key, response))
    if lacking := [*(keys.keys() ^ responses.keys())]:
        name = min(lacking)
        blamed = "key" if name in keys else "response"
        absent = "{response_file}" if name in keys else "{key}"
        locations = Location(key_path), Location(response_path)
        raise AlignmentError(f"document {{name!r}} is not in {absent}", *locations, blamed=blamed, name=name[:SHOWN])
    for name, rows in keys.items():
        _check_words(name, (key_path, rows), (response_path, responses[name]))
    for name, rows in keys.items():
        yield _relations((key_path, rows), (response_path, responses[name]), reading)


Document = tuple[str, list[TokenRow]]
"""The path of the file of a document, and its lines."""


def _check_words(name: str, key: Document, response: Document) -> None:
    words = [[row for row in rows if not row.is_zero] for _, rows in (key, response)]
    forms = [
        [row.cell(1, path) for row in of_side] for (path, _), of_side in zip((key, response), words, strict=True)
    ]
    for number, (ours, theirs) in enumerate(zip(*forms, strict=False)):
        if ours != theirs and len(forms[0]) == len(forms[1]):
            locations = Location(key[0], words[0][number].line), Location(response[0], words[1][number].line)
            message = "word {number} of document {name!r} is {theirs!r}, but in {key_line} {ours!r}"
            raise AlignmentError(message, *locations, number=number + 1, name=name, theirs=theirs, ours=ours)
    if len(forms[0]) != len(forms[1]):
        message = "document {name!r} has {ours} words in {key}, and {theirs} here"
        locations = Location(key[0]), Location(response[0])
        raise AlignmentError(message, *locations, name=name, ours=len(forms[0]), theirs=len(forms[1]))


def _relations(key: Document, response: Document, reading: Reading) -> SideRelations:
    ours, theirs = (ReadSide(path, rows, reading) for path, rows in (key, response))
    try:
        pairs = pair_mentions(ours.members, theirs.members, reading.match)
    except (TypeError, IndexError):
        why = "stops: it cannot match heads, nor sort zeros with mentions of words, nor mentions without words"
        raise stops(key[0], key[1][0].line, why) from None
    ours.entities, theirs.entities = Partition(ours.members), PairedPartition(theirs.members, pairs)
    return SideRelations(ours, theirs, HANDLING_2_0, key[0])


class ReadSide:
    """One side of a document."""

    entities: Partition = Partition(())

    def __init__(self, path: str, rows: list[TokenRow], reading: Reading) -> None:
        layer = _Layer(path, reading)
        layer.read(rows)
        mentions = {id_: layer.mention(id_) for id_ in layer.entity}
        entities: dict[str, list[WordMention]] = {}
        for id_, mention in mentions.items():
            entities.setdefault(layer.entity[id_], []).append(mention)
        self.non_referring: Sequence[Hashable] = [
            members[0] for name, members in entities.items() if name.endswith("-Pseudo")
        ]
        self.bridging: dict[Hashable, Hashable] = {
            mentions[anaphor]: mentions[anchor]
            for anaphor, anchor in layer.bridging.items()
            if anaphor in mentions and anchor in mentions
        }
        self.members: Members = self._members(layer, entities)

    @staticmethod
    def _members(layer: _Layer, entities: dict[str, list[WordMention]]) -> Members:
        """The members of entities that refer, as the options have it."""
        reading, plurals = layer.reading, layer.plurals(entities)
        kept: list[tuple[Sequence[Hashable], Plural | None]] = []
        for name, members in entities.items():
            plural = plurals.get(name)
            if name.endswith("-Pseudo") or (not reading.singletons and len(members) == 1):
                continue
            kept.append(([m for m in members if reading.zeros or not m.is_zero], plural))
        return with_plurals(kept) if reading.plurals else [members for members, _ in kept]


class _Layer:
    """The markables of a column, by MarkableID."""

    def __init__(self, path: str, reading: Reading) -> None:
        self._path, self.reading = path, reading
        self.entity: dict[str, str] = {}
        self._line: dict[str, int] = {}
        self._starts: dict[str, list[Hashable]] = {}
        self._ends: dict[str, list[Hashable]] = {}
        self._is_zero: dict[str, bool] = {}
        self._minimum: dict[str, frozenset[int]] = {}
        self._elements: dict[str, list[tuple[str, int]]] = {}
        self.bridging: dict[str, str] = {}
        """The last anchor of each anaphor."""

    def _stop(self, line: int, why: str) -> InputError:
        return stops(self._path, line, why)

    def read(self, rows: list[TokenRow]) -> None:
        """Read the brackets of all lines."""
        column = DEIXIS if self.reading.deixis else IDENTITY
        stack: list[str] = []
        for row in rows:
            cell = row.cell(column, self._path)
            if cell != "_":
                closings, *openings = cell.split("(")
                if closings:
                    self._close(closings, row, stack)
                for opening in openings:
                    self._open(opening, row, stack)
            if self.reading.bridging and (cell := row.cell(BRIDGING, self._path)) != "_":
                for text in cell.split("(")[1:]:
                    named = self._named(text.removesuffix(")"), row.line, "MarkableID", "MentionAnchor")
                    self.bridging[named["MarkableID"]] = named["MentionAnchor"]

    def _close(self, closings: str, row: TokenRow, stack: list[str]) -> None:
        if row.is_zero:
            raise self._stop(row.line, "stops at a zero that ends a mention of several words")
        if self.reading.crossing:
            for id_ in filter(None, closings.split(")")):
                if id_ not in self._ends:
                    raise self._stop(row.line, f"stops at {id_[:SHOWN]!r}, which closes what was never opened")
                self._ends[id_].append(row.number)
            return
        for _ in closings:
            if not stack:
                raise self._stop(row.line, "stops at a bracket that closes what was never opened")
            self._ends[stack.pop()].append(row.number)

    def _open(self, text: str, row: TokenRow, stack: list[str]) -> None:
        is_single = text.endswith(")")
        if row.is_zero and not is_single:
            raise self._stop(row.line, "stops at a zero that begins a mention of several words")
        named = self._named(text.removesuffix(")"), row.line, "MarkableID", "EntityID")
        id_ = named["MarkableID"]
        self.entity[id_] = named["EntityID"]
        if id_ not in self._starts:
            self._line[id_], self._starts[id_], self._ends[id_] = row.line, [], []
            self._is_zero[id_] = row.is_zero
            if self.reading.match != "exact" and "Min" in named:
                self._minimum[id_] = self._read_minimum(named["Min"], row.line)
        self._starts[id_].append(row.number)
        if is_single:
            self._ends[id_].append(row.number)
        elif not self.reading.crossing:
            stack.append(id_)
        for plural in named["ElementOf"].split(",") if "ElementOf" in named else ():
            self._elements.setdefault(plural, []).append((id_, row.line))

    def _named(self, text: str, line: int, *needed: str) -> dict[str, str]:
        named = fields(text)
        for name in needed:
            if name not in named:
                raise self._stop(line, f"stops at {text[:SHOWN]!r}, which has no {name}")
        return named

    def _read_minimum(self, text: str, line: int) -> frozenset[int]:
        """The words of a Min; other than two numbers count as the first one."""
        values = text.split(",")
        try:
            first, last = int(values[0]), int(values[1] if len(values) == 2 else values[0])
        except ValueError:
            raise self._stop(line, f"stops at Min={text[:SHOWN]}, which is no number") from None
        if last - first > 10**6:
            raise self._stop(line, f"has no room for Min={text[:SHOWN]}")
        return frozenset(range(first - 1, last))

    def mention(self, id_: str) -> WordMention:
        """The mention of a markable."""
        starts, ends, line = self._starts[id_], self._ends[id_], self._line[id_]
        if self._is_zero[id_]:
            if len(starts) > 1 or self.reading.match == "partial-craft":
                why = "opened twice" if len(starts) > 1 else "in CRAFT match"
                raise self._stop(line, f"stops at a zero {why}")
            return WordMention(starts, self._minimum.get(id_, frozenset()), is_zero=True)
        if self.reading.match == "partial-craft" and not ends:
            raise self._stop(line, f"stops because markable {id_[:SHOWN]!r} is never closed")
        chunks = [
            (start, end)
            for start, end in zip(starts, ends, strict=False)
            if isinstance(start, int) and isinstance(end, int)
        ]
        if len(chunks) < min(len(starts), len(ends)):
            raise self._stop(line, f"stops because markable {id_[:SHOWN]!r} has words and zeros")
        words = sorted([word for start, end in chunks for word in range(start, end + 1)])
        return WordMention(words, self._minimum.get(id_, frozenset()), chunks)

    def plurals(self, entities: dict[str, list[WordMention]]) -> dict[str, Plural]:
        """The plural of each entity that has elements; none if plurals do not count."""
        if not self.reading.plurals:
            return {}
        elements = {
            name: {self.entity[id_]: line for id_, line in markables}
            for name, markables in self._elements.items()
            if name in entities
        }
        if elements and not self.reading.singletons:
            line = next(iter(next(iter(elements.values())).values()))
            raise self._stop(line, "cannot drop singletons where entities have split antecedents: keep them, with -s")
        if cycle := find_cycle(elements):
            line = elements[cycle[-1]][cycle[0]]
            raise self._stop(line, f"never ends: entity {cycle[0][:SHOWN]!r} is an element of itself")
        return {name: Plural(tuple(entities[leaf]) for leaf, _ in leaves(name, elements)) for name in elements}
