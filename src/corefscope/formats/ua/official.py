"""CoNLL-UA files as UA scorer 1.0 reads them, quirks included.

It counts all token lines and nothing else. Cells are split at any white space, brackets close the last open markable,
character by character, and the last of repeated fields of a markable counts. Where it stops with an exception or
never ends, ``Document.refusals`` gives the reason for each kind of score.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from os import PathLike
from typing import NamedTuple, cast

from ...core.document import Document, Entity, Mention, MentionWithMinimum, Relation, unbroken
from ...core.errors import InputError
from ...core.positions import MINOR_MASK, WORD_SHIFT
from ..relations import find_cycle, split_relations
from ..source import Source
from .fast import BRIDGING, DEIXIS, IDENTITY, read_plain
from .lines import SHOWN, LineNumbers, Row, UASentence, is_token, sentences
from .markables import non_referring

NAME = len("# newdoc id = ")
NEWDOC = "# newdoc"
Anchors = dict[str, tuple[str, str]]
"""The anchor of each anaphor, by MarkableID, and the label of the relation."""


class OfficialDocument(NamedTuple):
    """A document as UA scorer 1.0 reads it."""

    document: Document
    """It has a deixis layer even if nothing is annotated."""
    skipped: tuple[tuple[str, str], ...]
    """Bridging pairs that the scorer drops, as (anchor, anaphor)."""


def read_file(path: str | PathLike[str]) -> dict[str, OfficialDocument]:
    """The documents of a file, by the names that it gives them.

    A name is the text after the 14th character of ``# newdoc``; lines before the first one, or after one without
    name, belong to the next document, and a repeated document replaces the first.
    """
    with closing(Source.open(path)) as source:
        documents: dict[str, OfficialDocument] = {}
        number = 0
        for name, first, lines in split_documents(source.text(source.start, source.size)):
            documents[name] = _read(Document(name, (), path=source.name), lines, number, first)
            number += len(documents[name].document.sentences)
    return documents


def split_documents(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """The name of each document, the number of its first line, and its lines."""
    kept: list[str] = []
    name, first = "", 1
    for index, line in enumerate([*text.split("\n"), NEWDOC], 1):
        if NEWDOC in line and line.strip().startswith(NEWDOC):
            if name and any(map(is_token, kept)):
                yield name, first, kept
                kept, first = [], index
            name = line.strip()[NAME:]
        kept.append(line)


def _read(named: Document, lines: list[str], number: int, line: int) -> OfficialDocument:
    """The document of these lines, the first of which is ``line`` of the file."""
    if plain := read_plain("\n".join(lines), number, line):
        whole = named._replace(sentences=plain.sentences)
        if plain.alike:
            deixis = plain.deixis.document(whole, _ignore)
            return OfficialDocument(plain.identity.document(whole, _ignore)._replace(deixis=deixis), ())
        return read_officially(whole, plain.rows)
    whole = named._replace(sentences=tuple(sentences(lines, number, line, _ignore)))
    rows = [
        (row.place, sentence.line + row.row, row.text.split())
        for sentence in whole.sentences
        for row in cast("UASentence", sentence).rows
    ]
    return read_officially(whole, rows)


def _ignore(fault: str, line: int, **facts: object) -> None:
    """Ignore faults that the scorer does not look for."""


def read_officially(whole: Document, rows: list[Row]) -> OfficialDocument:
    """Read a document that has these token lines."""
    lines = LineNumbers(whole)
    document, skipped = _layer(whole, rows, lines, IDENTITY, BRIDGING)
    deixis, _ = _layer(whole, rows, lines, DEIXIS, None)
    return OfficialDocument(document._replace(deixis=deixis), skipped)


class _StopError(Exception):
    """The line where UA scorer 1.0 ends with an exception, and the reason."""


def _layer(
    whole: Document, rows: list[Row], lines: LineNumbers, column: int, bridging: int | None
) -> tuple[Document, tuple[tuple[str, str], ...]]:
    """The entities of a column, and the bridging of another."""
    refusals: dict[str, InputError] = {}

    @contextmanager
    def attempt(what: str) -> Iterator[None]:
        try:
            yield
        except _StopError as stop:
            line, why = stop.args
            hint = "correct the file, or score it by other rules: --rules corrected"
            refusals[what] = InputError(f"UA scorer 1.0 {why}", path=whole.path, line=line, hint=hint, code="refused")

    layer = _Layer(rows, lines)
    with attempt("identity"):
        layer.read(column)
    if refusals:
        return whole._replace(refusals=tuple(refusals.items())), ()
    with attempt("minimum"):
        layer.read_minima()
    mentions = layer.mentions()
    members: dict[str, list[Mention]] = {}
    for id_, mention in mentions.items():
        members.setdefault(layer.entity[id_], []).append(mention)
    entities: dict[str, Entity] = {id_: tuple(entity) for id_, entity in members.items()}
    referring = {id_: entity for id_, entity in entities.items() if not id_.endswith("-Pseudo")}
    elements = {
        plural: {layer.entity[id_]: line for id_, line in markables}
        for plural, markables in layer.elements.items()
        if plural in entities
    }
    with attempt("split"):
        if cycle := find_cycle(elements):
            line, id_ = elements[cycle[-1]][cycle[0]], cycle[0][:SHOWN]
            elements = {}
            raise _StopError(line, f"never ends: entity {id_!r} is an element of itself")
    pairs: Anchors = {}
    with attempt("bridging"):
        pairs = layer.read_bridging(bridging) if bridging else {}
    relations = split_relations(elements, entities)
    skipped = []
    for anaphor, (anchor, label) in pairs.items():
        if anaphor in mentions and anchor in mentions:
            ids = layer.entity[anaphor], layer.entity[anchor]
            relations.append(Relation("bridging", (mentions[anaphor],), ((mentions[anchor],),), label, ids))
        else:
            skipped.append((anchor, anaphor))
    relations += non_referring(entities, referring)
    document = whole._replace(
        entities=tuple(referring.values()),
        entity_ids=tuple(referring),
        entity_types=("",) * len(referring),
        relations=tuple(relations),
        refusals=tuple(refusals.items()),
    )
    return document, tuple(skipped)


class _Layer:
    """The markables of a column, by MarkableID; lines are numbered from 0."""

    def __init__(self, rows: list[Row], lines: LineNumbers) -> None:
        self._rows = rows
        self._words = lines.of_words
        self.entity: dict[str, str] = {}
        self._start: dict[str, int] = {}
        self._end: dict[str, int] = {}
        self._minimum_texts: list[tuple[str, str | None, int]] = []  # of each bracket: id, Min, line
        self._minimum: dict[str, tuple[int, int]] = {}
        self.elements: dict[str, list[tuple[str, int]]] = {}
        """The markables that are elements of a plural, and their lines."""

    def read(self, column: int) -> None:
        """Read the brackets of a column."""
        stack: list[str] = []
        for number, (_, line, cells) in enumerate(self._rows):
            if len(cells) <= column:
                raise _StopError(line, f"stops at a line of {len(cells)} columns: it needs {column + 1}")
            if cells[column] == "_":
                continue
            closings, *openings = cells[column].split("(")
            for _ in closings:
                if not stack:
                    raise _StopError(line, "stops at a bracket that closes what was never opened")
                self._end[stack.pop()] = number
            for opening in openings:
                id_ = self._open(opening.removesuffix(")"), line, number)
                if opening.endswith(")"):
                    self._end[id_] = number
                else:
                    stack.append(id_)
        for id_, number in self._start.items():
            if id_ not in self._end:
                raise _StopError(self._rows[number][1], f"stops because markable {id_[:SHOWN]!r} is never closed")

    def _open(self, text: str, line: int, number: int) -> str:
        named = fields(text)
        for name in ("MarkableID", "EntityID"):
            if name not in named:
                raise _StopError(line, f"stops at {text[:SHOWN]!r}, which has no {name}")
        id_ = named["MarkableID"]
        self.entity[id_] = named["EntityID"]
        self._start[id_] = number
        self._minimum_texts.append((id_, named.get("Min"), line))
        for plural in named["ElementOf"].split(",") if "ElementOf" in named else ():
            self.elements.setdefault(plural, []).append((id_, line))
        return id_

    def read_minima(self) -> None:
        """Read first and last word of each Min; other than two numbers count as the first one."""
        for id_, text, line in self._minimum_texts:
            self._minimum.pop(id_, None)
            if text is None:
                continue
            values = text.split(",")
            try:
                first = int(values[0]) - 1
                self._minimum[id_] = first, int(values[1]) - 1 if len(values) == 2 else first
            except ValueError:
                raise _StopError(line, f"stops at Min={text[:SHOWN]}, which is no number") from None

    def read_bridging(self, column: int) -> Anchors:
        """The last anchor of each anaphor, and the label of the relation."""
        anchors: Anchors = {}
        for _, line, cells in self._rows:
            if len(cells) <= column:
                raise _StopError(line, f"stops at a line of {len(cells)} columns: bridging needs {column + 1}")
            for text in cells[column].split("(")[1:] if cells[column] != "_" else ():
                named = fields(text.removesuffix(")"))
                for name in ("MarkableID", "MentionAnchor"):
                    if name not in named:
                        raise _StopError(line, f"stops at {text[:SHOWN]!r}, which has no {name}")
                anchors[named["MarkableID"]] = named["MentionAnchor"], named.get("Rel", "")
        return anchors

    def mentions(self) -> dict[str, Mention]:
        """The mention of each markable: all its token lines from the first to the last."""
        return {id_: self._mention(id_) for id_ in self.entity}

    def _mention(self, id_: str) -> Mention:
        first, last = self._start[id_], self._end[id_]
        start, stop = self._rows[first][0], self._rows[last][0]
        head = next((row[0] for row in self._rows[first : last + 1] if not row[0] & MINOR_MASK), start)
        minimum: tuple[int, ...] = ()
        if id_ in self._minimum:  # words, which the program takes for lines: see LineNumbers.minimum
            begin, end = self._minimum[id_]
            minimum = self._words.place(begin), self._words.place(end)
            if start <= minimum[0] <= minimum[1] <= stop:
                minimum = tuple(map(self._words.place, range(begin, end + 1)))
                head = minimum[0]
        if stop - start == last - first << WORD_SHIFT or last < first:  # closed, opened again and then left open
            return unbroken(start, stop, head, minimum)
        places = [row[0] for row in self._rows[first : last + 1]]
        return MentionWithMinimum(places, head, (), minimum) if minimum else Mention(places, head)


def fields(text: str) -> dict[str, str]:
    """The fields as the program splits them: without ``=``, a name loses its last letter."""
    return {item[: item.find("=")]: item[item.find("=") + 1 :] for item in text.split("|")}
