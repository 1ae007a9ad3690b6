"""CorefUD validation: every problem of headers, document boundaries, sentences, brackets and links.

Reading continues after each fault, and documents are read as well as possible.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from ...core.document import Dependency, Document
from ...core.errors import amount
from ...core.positions import MINOR_MASK, coordinates, node_name, parse_position, position, word_positions
from ..relations import described, find_cycle
from ..source import Source
from ..validate.problems import Block, Problems, Reading, TolerantReading, blocks, quoted, shortened
from . import fast
from .brackets import CHUNK, CODES, REFUSALS, Brackets, Fields, places
from .fast import MULTIWORD
from .layout import OLD_MARKS, MarkLine, last_header
from .nodes import Nodes
from .sentences import has_entity, hold_entity, sent_id

MESSAGES: dict[str, str] = {
    "bad-entity-id": "{chunk!r} has no usable entity id",
    "bad-head-deps": "DEPS {item!r} of {name} names no word of the sentence",
    "bad-zero-deps": "DEPS {item!r} of {name} names no word of the sentence",
    "bracket-in-id": "the entity id {id!r} holds a square bracket",
    "closed-after-opened": "{id!r} is opened and closed here; the mention of line {line} stays open",
    "closed-never-opened": "{text!r} closes what was never opened",
    "closing-of-no-part": "{text!r} names no part",
    "closing-with-fields": "{text!r} holds more than an id",
    "crosses-documents": "{guess!r} was opened in line {line}, in the document before",
    "crosses-sentences": "a mention of {id!r} was opened in another sentence, in line {line}",
    "extra-fields": "{size} fields in a mention of {id!r}, but global.Entity names {named}",
    "head-not-a-number": "head {head!r} in {chunk!r} is not a number",
    "head-of-one-word": "head {head} of a mention of {id!r} that is one word",
    "head-zero": "head 0 of a mention of {id!r} is read as 1",
    "last-part-missing": "a discontinuous mention of {id!r} ends with part {part} of {parts}",
    "last-part-without-head": "the last part of a mention of {id!r} has no head",
    "missing-head": "a mention of {id!r} gives no head",
    "never-closed": "a mention of {id!r} is never closed",
    "no-bracket": "{chunk!r} in Entity has no bracket",
    "part-closed-otherwise": "{text!r} is read to close what was opened as {part} in line {line}",
    "part-of-new-entity": "{part} of a mention of {id!r} comes without those before",
    "part-out-of-range": "{text!r} is no part of a mention",
    "part-without-first": "{part} of a mention of {id!r} comes without those before",
    "parts-disagree": "{part} of a mention of {id!r} after {before} of {of}",
    "parts-in-two-sentences": "a mention of {id!r} has parts in different sentences (from line {line})",
    "parts-overlap": "parts of a mention of {id!r} share words",
    "single-part": "{text!r} is the only part of a mention",
    "type-changes": "{id!r} is {type!r} here but was {before!r}",
    "zero-without-deps": "empty node {name} heads a mention and has no DEPS",
}
"""Messages of validation; other problems have the message of the reader."""


class CollectingSink:
    """Sink that collects every problem of the brackets of one document, with its line and code."""

    repairs = True

    def __init__(self, problems: Problems, open_before: dict[str, int]) -> None:
        self.lines: dict[int, int] = {}
        """The lines of the nodes with an Entity, by position."""
        self.left_open: dict[str, int] = {}
        """Entities that are open at the end of the document, with the lines that opened them."""
        self.sound = True
        """Whether the rows of the sentence are sound, so that its DEPS can be looked up."""
        self._problems = problems
        self._open_before = open_before  # entities that the previous document left open
        self._checked: set[int] = set()
        self.place = 0
        """The position of the current node."""

    def report(self, problem: str, position: int, **facts: object) -> None:
        """Note a problem in the line of a position."""
        line = self.lines[position]
        if problem == "never-closed":
            self.left_open[str(facts["id"])] = line
        if problem == "closed-never-opened" and facts["guess"] in self._open_before:
            problem = "crosses-documents"
            facts["line"] = self._open_before[str(facts["guess"])]
        elif isinstance(opened := facts.get("opened"), int):
            facts["line"] = self.lines[opened]
        shown = {name: shortened(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        message = MESSAGES.get(problem) or REFUSALS[problem][0]
        self._problems.add(CODES.get(problem, problem), line, message.format(**shown))

    def dependencies(self, nodes: Nodes | None, head: int, whole: bool) -> tuple[Dependency, ...]:
        """Report, once for each head, DEPS that cannot be read and empty nodes without DEPS."""
        zero, name = head & MINOR_MASK, node_name(head)
        if nodes is None or head in self._checked or not self.sound:
            return ()
        without = zero and nodes.raw.get(name) == "_"
        if not whole and (without or not zero):  # another word may become the head
            return ()
        self._checked.add(head)
        if without:
            self.report("zero-without-deps", self.place, name=name)
            return ()
        try:
            return nodes.dependencies(head)
        except LookupError as missing:
            problem = "bad-zero-deps" if zero else "bad-head-deps"
            self.report(problem, self.place, item=str(missing.args[0]), name=name)
            return ()


ATTRIBUTES = ("Bridge", "SplitAnte", "Split")
"""Attributes of MISC that link entities."""
MARKS = ("Entity", "Bridge", "Split")
"""Parts of MISC that show coreference or links."""
WORD = re.compile(r"[0-9]+\t")
LINK = re.compile(r"([^<>,:]+)<([^<>,:]+)(?::[^<>,]*)?")


class CorefUDReading(TolerantReading):
    """The documents of a file, one at a time while iterating."""

    def __init__(self, source: Source, problems: Problems) -> None:
        super().__init__(source, problems)
        self._headers = Headers(source, problems)
        self._boundaries = Boundaries(problems)
        self._name: str | None = None
        self._begin_brackets({})
        self._links = Links(problems)
        self._sent_ids: dict[str, tuple[str, int]] = {}  # the latest document and line of each
        self._sent_ids_of: set[tuple[str, str]] = set()
        self._entities: dict[str, str] = {}  # the first document of each

    def __iter__(self) -> Iterator[Reading]:
        for block in blocks(self.source, self._problems):
            marks = _marks(block)
            self._headers.read(block, marks)
            has_words = any(map(WORD.match, block.lines))
            name = self._boundaries.read(block, has_words, marks)
            if has_words and name is None and self._name is None:  # a sentence before any newdoc
                name = "#0"
                self._boundaries.lines[name] = block.line
            if name is not None:
                if self._name is not None:
                    yield self._document(self._name)
                self._name = name
            number = self.sentences + 1
            rows = plain_rows(block, number) or read_rows(block, number, self._problems, has_words)
            if not has_words:
                if hold_entity(block.lines):
                    self._note("entity-without-words", block.line, "Entity is lost: there are no words")
                self._note("block-without-words", block.line, "no words between these empty lines")
                continue
            self.sentences += 1
            self.words += rows.words
            self._check_sent_id(block, self._name or "")
            self._read_entities(rows)
        self._boundaries.finish()
        if not self.sentences:
            self._note("no-sentence", 0, "the file holds no sentence")
        if self._name is not None:
            yield self._document(self._name)
        if not self._headers.local_ids:
            self._links.finish(self._entities)

    def _begin_brackets(self, open_before: dict[str, int]) -> None:
        fields = Fields(self._headers.last)
        if fields.id < 0:  # continue with the usual first field
            fields = Fields("eid")
        self._sink = CollectingSink(self._problems, open_before)
        self._brackets = Brackets(fields, self._sink)
        self._well_formed = fields.well_formed()

    def _check_sent_id(self, block: Block, name: str) -> None:
        if not any("# sent_id" in line for line in block.lines):
            self._note("missing-sent-id", block.line, f"sentence {self.sentences} has no sent_id")
            return
        id_ = sent_id(block.lines) or str(self.sentences)
        document, line = self._sent_ids.get(id_, ("", 0))
        if (name, id_) in self._sent_ids_of:
            message = f"sent_id {quoted(id_)} comes twice in the document (before in line {line})"
            self._note("repeated-sent-id", block.line, message)
        elif line:
            message = f"sent_id {quoted(id_)} also occurs in document {quoted(document)}, in line {line}"
            self._note("sent-id-in-two-documents", block.line, message)
        self._sent_ids[id_] = (name, block.line)
        self._sent_ids_of.add((name, id_))

    def _read_entities(self, rows: Rows) -> None:
        carriers = []
        for row in rows.rows:
            misc = row.columns[9] if len(row.columns) == 10 else row.columns[-1]
            if rows.plain or (misc != "_" and any(mark in misc for mark in MARKS)):
                value = self._attributes(row, misc)
                if value:
                    self._headers.used(row.line)
                    carriers.append((row.place, row.line, value))
        if not carriers:
            return
        self._sink.sound = rows.sound
        nodes = None
        if not rows.plain:
            deps = {node_name(row.place): row.columns[8] for row in rows.rows if len(row.columns) == 10}
            nodes = Nodes(list({row.place for row in rows.rows}), deps)
        self._brackets.enter(rows.number, nodes)
        if nodes is None and all(self._well_formed.fullmatch(value) for _, _, value in carriers):
            self._sink.lines.update([(place, line) for place, line, _ in carriers])
            fast.feed(self._brackets, [(place, value) for place, _, value in carriers], None)
            return
        for place, line, value in sorted(carriers):
            self._sink.place = place
            self._sink.lines[place] = line
            for chunk in re.findall(CHUNK, value):
                self._brackets.read(place, chunk)

    def _attributes(self, row: Row, misc: str) -> str:
        """The value of Entity, empty if there is none; links are collected."""
        if misc.startswith("Entity=(") and "|" not in misc:
            return misc.removeprefix("Entity=")
        values: list[str] = []
        links: list[tuple[str, str]] = []
        for item in misc.split("|"):
            key, equals, value = item.partition("=")
            if key == "Entity":
                values.append(value)
                if not equals or not value:
                    self._note("entity-without-value", row.line, "Entity has no value")
            elif key in ATTRIBUTES and equals:
                links.append((key, value))
        if len(values) > 1:
            message = f"MISC has Entity {len(values)} times: only the last counts"
            self._note("repeated-entity-attribute", row.line, message)
        for key, value in links:
            self._links.add(row.line, key, value, bool(values))
        return values[-1] if values else ""

    def _document(self, name: str) -> Reading:
        sink = self._sink
        sink.sound = False  # the DEPS of all heads have been checked
        self._brackets.finish()
        ids, types, entities = [], [], []
        for entity in self._brackets.entities.values():
            mentions = tuple(filter(None, entity.members))
            if mentions:
                ids.append(entity.id)
                types.append(entity.type)
                entities.append(mentions)
                if self._headers.local_ids:
                    continue
                first = self._entities.setdefault(entity.id, name)
                if first != name:
                    message = f"entity {quoted(entity.id)} also occurs in document {quoted(first)}"
                    self._note("entity-in-two-documents", sink.lines[mentions[0].first], message)
        if self._headers.local_ids:
            self._links.finish(set(ids))
        self._begin_brackets(sink.left_open)
        document = Document(
            name, tuple(entities), entity_ids=tuple(ids), entity_types=tuple(types), path=self.source.name
        )
        return Reading(document, sink.lines)


class Links:
    """Checks the links of a document, or of a file whose entity ids are valid in all of it."""

    def __init__(self, problems: Problems) -> None:
        self._note = problems.add
        self._named: list[tuple[int, str, str]] = []  # line, attribute, entity id
        self._elements: dict[str, dict[str, int]] = {}  # by plural its elements, and where they are named

    def add(self, line: int, attribute: str, value: str, with_entity: bool) -> None:
        """Note problems of the links of a line; the entities they name are looked up by :meth:`finish`."""
        if not with_entity:
            self._note("bad-link", line, f"{attribute} without Entity is ignored")
            return
        for item in value.split(","):
            link = LINK.fullmatch(item)
            if not link:
                self._note("bad-link", line, f"{quoted(item)} in {attribute} is no link of two entities")
            elif link[1] == link[2]:
                self._note("bad-link", line, f"{quoted(item)} in {attribute} links an entity with itself")
            else:
                self._named += [(line, attribute, link[1]), (line, attribute, link[2])]
                if attribute != "Bridge":
                    self._elements.setdefault(link[2], {}).setdefault(link[1], line)

    def finish(self, entities: Container[str]) -> None:
        """Note links to entities that do not exist, and plurals that are elements of themselves."""
        for line, attribute, id_ in self._named:
            if id_ not in entities:
                self._note("bad-link", line, f"{attribute} names the entity {quoted(id_)}, which has no mention")
        if cycle := find_cycle(self._elements):
            message = f"SplitAnte makes entity {quoted(cycle[0])} an element of itself ({quoted(described(cycle))})"
            self._note("element-cycle", self._elements[cycle[-1]][cycle[0]], message)
        self._named, self._elements = [], {}


def _marks(block: Block) -> list[tuple[int, MarkLine]]:
    """The headers, and the lines that begin documents, misspelt or not, with their numbers."""
    lines = [
        (line, MarkLine.read(b"\n" + text.encode("utf-8")))
        for line, text in enumerate(block.lines, block.line)
        if text[0] == "#" and ("newdoc" in text or "global" in text)
    ]
    return [(line, mark) for line, mark in lines if mark.kind]


class Headers:
    """Checks the headers of a file as they come."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.last: str = last_header(source)
        """The header that is valid for the whole file; empty if there is none."""
        self.local_ids: bool = "GRP" in self.last
        self._note = problems.add
        self._current = ""
        self._old_seen = self._missing_noted = False

    def read(self, block: Block, marks: Sequence[tuple[int, MarkLine]]) -> None:
        """Note problems of the headers of a block, and attributes of CorefUD 0.x if there is no header."""
        for line, text in enumerate(block.lines if not self.last and not self._old_seen else (), block.line):
            if old := [mark for mark in OLD_MARKS if mark in text]:
                self._old_seen = True
                self._note("old-corefud", line, f"{old[0]} in MISC: this is CorefUD 0.x")
                break
        for line, mark in marks:
            if mark.kind == "header":
                self._header(mark.value.decode("utf-8"), line)
            elif mark.kind == "ignored-header":
                self._note(mark.kind, line, f"{quoted(block.lines[line - block.line])} is not read as a header")

    def _header(self, header: str, line: int) -> None:
        if header == self._current:
            return
        id_, _, head = at = places(header)
        if self._current:
            moved = at != places(self._current)
            message = f"global.Entity is {quoted(header)} here but was {quoted(self._current)}"
            self._note("header-moves" if moved else "header-differs", line, message)
        self._current = header
        names = header.split("-")
        repeated = [name for name, count in Counter(names).items() if count > 1]
        if "eid" in names and "GRP" in names:
            repeated.append("eid and GRP")
        if repeated:
            self._note("repeated-header-field", line, f"global.Entity repeats {quoted(', '.join(repeated))}")
        if id_ < 0 and header == self.last:  # otherwise another one is valid, and the difference is reported
            self._note("header-without-id", line, f"global.Entity = {quoted(header)} has neither eid nor GRP")
        elif id_ >= 0 > head:
            self._note("header-without-head", line, f"global.Entity = {quoted(header)} names no head")

    def used(self, line: int) -> None:
        """Note that an Entity has no header, or comes before it."""
        if self._current or self._missing_noted:
            return
        self._missing_noted = True
        if self.last:
            self._note("late-header", line, "Entity is used before the first global.Entity")
        elif not self._old_seen:
            self._note("missing-header", line, "Entity is used but the file has no global.Entity header")


class Boundaries:
    """Checks where documents begin, and names them as the reader does."""

    def __init__(self, problems: Problems) -> None:
        self._note = problems.add
        self._begun = 0
        self.lines: dict[str, int] = {}
        """Names of documents, with the lines in which they begin."""

    def read(self, block: Block, has_words: bool, marks: Sequence[tuple[int, MarkLine]]) -> str | None:
        """The name of the document that begins with a block; None if none does."""
        for line, mark in marks:
            if mark.kind == "ignored-newdoc":
                self._note(mark.kind, line, f"{quoted(block.lines[line - block.line])} does not begin a document")
        begun = [(line, mark.value) for line, mark in marks if mark.kind == "newdoc"]
        for line, _ in begun[:-1] if has_words else begun:
            why = "another follows in the same sentence" if has_words else "no words follow before an empty line"
            self._note("ignored-newdoc", line, f"newdoc is ignored: {why}")
        return self._begin(*begun[-1]) if begun and has_words else None

    def _begin(self, line: int, id_: bytes) -> str:
        self._begun += 1
        name = id_.decode("utf-8").strip() if id_ else f"#{self._begun}"
        if not id_:
            self._note("unnamed-document", line, f"this document has no id and is called {name}")
            if name in self.lines:
                message = f"this document would be called {quoted(name)}, as that of line {self.lines[name]} is"
                self._note("document-name-clash", line, message)
        elif name in self.lines:
            self._note("repeated-document", line, f"document {quoted(name)} began in line {self.lines[name]} already")
        self.lines.setdefault(name, line)
        return name

    def finish(self) -> None:
        """Note that there was no newdoc, or text before the first."""
        if "#0" in self.lines and self._begun:
            self._note("text-before-newdoc", self.lines["#0"], "sentences come before the first newdoc")
        elif "#0" in self.lines:
            self._note("no-newdoc", 0, "the file has no newdoc and is read as one document")


class Row(NamedTuple):
    """The line of a word or an empty node."""

    place: int
    line: int
    columns: list[str]


class Rows(NamedTuple):
    """A sentence, as well as it can be read."""

    number: int
    rows: list[Row]
    words: int
    sound: bool
    """Whether ids and columns are correct."""
    plain: bool = False
    """Whether all rows are words without any problem; then only those with coreference or links are here."""


_FAULTLESS: dict[bytes, bool] = {}
"""Whether sentences have no problem but perhaps in MISC, by the digest of their other columns.

Many responses to one key have the same words and trees; 100,000 sentences take 15 MB.
"""
_MOST_KNOWN = 1 << 17


def plain_rows(block: Block, number: int) -> Rows | None:
    """Read the rows of a block if :func:`read_rows` finds no problem, nor are there any in DEPS; else None."""
    first = next((index for index, text in enumerate(block.lines) if text[0] != "#"), len(block.lines))
    rows, lines = block.lines[first:], range(block.line + first, block.line + len(block.lines))
    multiword = fast.multiword_rows(rows) if rows else None
    if multiword is None or any(has_entity(rows[index].rpartition("\t")[2]) for index in multiword):
        return None
    columns = "\n".join([row.rpartition("\t")[0] for row in rows])
    digest = blake2b(columns.encode(), digest_size=16).digest()
    if digest not in _FAULTLESS:
        if len(_FAULTLESS) >= _MOST_KNOWN:
            _FAULTLESS.clear()
        _FAULTLESS[digest] = _is_faultless(block, number)
    if not _FAULTLESS[digest]:
        return None
    numbered = list(zip(lines, rows, strict=True))
    for index in reversed(multiword):
        del numbered[index]
    marked = [
        Row(place, line, [row.rpartition("\t")[2]])
        for place, (line, row) in zip(word_positions(number, len(numbered)), numbered, strict=True)
        if "Entity" in row or "Bridge" in row or "Split" in row
    ]
    return Rows(number, marked, len(numbered), sound=True, plain=True)


def _is_faultless(block: Block, number: int) -> bool:
    problems = Problems("")
    rows = read_rows(block, number, problems, has_words=True).rows
    if problems.take():
        return False
    nodes = Nodes([row.place for row in rows], {node_name(row.place): row.columns[8] for row in rows})
    try:
        for row in rows:
            nodes.dependencies(row.place)
    except LookupError:
        return False
    return True


def read_rows(block: Block, number: int, problems: Problems, has_words: bool) -> Rows:
    """Read the lines of a block, which may have no ordinary word, and note the problems of each."""
    before = problems.errors
    rows: list[Row] = []
    words = 0
    expected = 1
    empty: set[str] = set()
    ranges: list[tuple[int, int, int]] = []  # line, first and last word
    for line, text in enumerate(block.lines, block.line):
        if text[0] == "#":
            if rows:
                problems.add("comment-among-words", line, f"comment {quoted(text)} after words of the sentence")
            continue
        columns = text.split("\t")
        if len(columns) != 10 and not _noted_columns(text, len(columns), line, problems):
            continue
        name = columns[0]
        if MULTIWORD.match(name + "\t"):
            ranges.append((line, *_range(name, expected, line, problems)))
            if has_words and has_entity(columns[-1]):
                problems.add("entity-on-multiword-token", line, f"Entity on multiword token {name} is ignored")
                before += 1  # the words are sound
            continue
        place = parse_position(number, name)
        if place is not None and "." in name:
            _check_empty_node(name, expected, rows, empty, line, problems)
        else:
            words += 1
            if place is None:
                problems.add("bad-id", line, f"{quoted(name)} is not the id of a word")
            elif name != str(expected):
                again = ": is an empty line missing before it?" if name == "1" else ""
                problems.add("word-out-of-order", line, f"word {name} where {expected} is expected{again}")
                expected = int(name)
            expected += 1
            place = position(number, words)
        rows.append(Row(place, line, columns))
    sound = problems.errors == before
    if sound:
        _check_ranges(ranges, words, problems)
        _check_tree(rows, words, problems)
    return Rows(number, rows if sound else _apart(rows), words, sound)


def _apart(rows: list[Row]) -> list[Row]:
    """Give each row of a faulty sentence a position of its own: a repeated empty node comes after its row."""
    taken: set[int] = set()
    latest = 0
    for index, row in enumerate(rows):
        place = row.place if row.place not in taken else latest + 1
        while place in taken:
            place += 1
        taken.add(place)
        rows[index] = row._replace(place=place)
        latest = place
    return rows


def _noted_columns(text: str, columns: int, line: int, problems: Problems) -> bool:
    """Note that there are not ten columns; returns whether the line can be read."""
    if not text.strip():
        problems.add("line-of-blanks", line, "a line of blanks")
        return False
    message = f"{amount(columns, 'column')} instead of 10"
    blanks = columns == 1 and len(text.split()) >= 8
    problems.add("wrong-columns", line, message, "columns are separated by blanks: use tabs" if blanks else "")
    return columns > 1


def _range(name: str, expected: int, line: int, problems: Problems) -> tuple[int, int]:
    """First and last word of a multiword token; (0, 0) if its range is wrong."""
    first, last = (int(end) if len(end) < 7 else 0 for end in name.split("-"))
    if first < last and first == expected:
        return first, last
    fault = f"{name} is before word {expected}" if first < last else f"{quoted(name)} does not run forward"
    problems.add("bad-multiword-range", line, f"multiword token {fault}")
    return 0, 0


def _check_ranges(ranges: list[tuple[int, int, int]], words: int, problems: Problems) -> None:
    covered = 0
    for line, first, last in ranges:
        if last > words:
            problems.add("bad-multiword-range", line, f"multiword token {first}-{last} ends after the last word")
        elif last and first <= covered:
            problems.add("bad-multiword-range", line, f"multiword token {first}-{last} overlaps the one before")
        covered = max(covered, last)


def _check_empty_node(
    name: str, expected: int, rows: list[Row], empty: set[str], line: int, problems: Problems
) -> None:
    """Note an empty node that is repeated, out of place, or numbered from 10."""
    word, _, minor = name.partition(".")
    if name in empty:
        problems.add("repeated-empty-node", line, f"empty node {name} comes twice in the sentence")
        return
    empty.add(name)
    latest = int(node_name(rows[-1].place).partition(".")[2] or 0) if rows else 0
    if int(word) != expected - 1 or minor != str(latest + 1):
        after = f"{expected - 1}.{latest}" if latest else f"word {expected - 1}"
        problems.add("misplaced-empty-node", line, f"empty node {name} is after {after}")
    if int(minor) >= 10:
        problems.add("tenth-empty-node", line, f"empty node {name} is read as {float(name)} by the official scorer")


def _check_tree(rows: list[Row], words: int, problems: Problems) -> None:
    """Note heads that name no word, and one word of each cycle."""
    parents = [0] * (words + 1)
    lines = [0] * (words + 1)
    for row in rows:
        _, word, minor = coordinates(row.place)
        head = row.columns[6]
        if minor or head == "_":
            continue
        lines[word] = row.line
        if not (head.isascii() and head.isdigit() and len(head) < 7 and int(head) <= words):
            problems.add("bad-tree", row.line, f"HEAD {quoted(head)} of word {word} names no word of the sentence")
        else:
            parents[word] = int(head)
    state = [1] + [0] * words  # 0: not visited, 1: leads to the root, -1: on the path
    for start in range(1, words + 1):
        path, word = [], start
        while not state[word]:
            state[word] = -1
            path.append(word)
            word = parents[word]
        if state[word] < 0:
            problems.add("bad-tree", lines[word], f"word {word} depends on itself, directly or over other words")
        for word in path:
            state[word] = 1
