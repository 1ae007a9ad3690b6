"""``# global.Entity`` and ``# newdoc`` lines: what a file says about its brackets, and where documents begin.

The structure of one CoNLL-U sentence: columns, ids, order, ranges of multiword tokens, the tree.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ...core.errors import amount
from ...core.positions import coordinates, node_name, parse_position, position
from ..source import Source
from ..validate.problems import Block, Problems, quoted
from .brackets import places
from .fast import MULTIWORD
from .layout import OLD_MARKS, MarkLine, last_header
from .nodes import Nodes
from .sentences import has_entity


def mark_of(text: str) -> MarkLine:
    """What the reader takes a line for."""
    return MarkLine.read(b"\n" + text.encode("utf-8")) if text[0] == "#" else MarkLine("")


class Headers:
    """Checks the headers of a file as they come."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.last = last_header(source)
        """It holds for the whole file; empty if there is none."""
        self.local_ids = "GRP" in self.last
        self._note = problems.add
        self._current = ""
        self._old_seen = self._missing_noted = False

    def read(self, block: Block) -> None:
        """Note what is wrong with the headers of a block, and marks of the old format if there is no header."""
        for line, text in enumerate(block.lines, block.line):
            if not self.last and not self._old_seen and (marks := [mark for mark in OLD_MARKS if mark in text]):
                self._old_seen = True
                self._note("old-corefud", line, f"{marks[0]} in MISC: this is CorefUD 0.x")
            mark = mark_of(text)
            if mark.kind == "header":
                self._header(mark.value.decode("utf-8"), line)
            elif mark.kind == "ignored-header":
                self._note(mark.kind, line, f"{quoted(text)} is not read as a header")

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
        if id_ < 0 and header == self.last:  # else another holds, and it was noted that it differs, or will be
            self._note("header-without-id", line, f"global.Entity = {quoted(header)} has neither eid nor GRP")
        elif id_ >= 0 > head:
            self._note("header-without-head", line, f"global.Entity = {quoted(header)} names no head")

    def used(self, line: int) -> None:
        """Say that an Entity was met."""
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

    def read(self, block: Block, has_words: bool) -> str | None:
        """The name of the document that begins with a block; None if none does."""
        marks: list[tuple[int, bytes]] = []
        for line, text in enumerate(block.lines, block.line):
            mark = mark_of(text)
            if mark.kind == "newdoc":
                marks.append((line, mark.value))
            elif mark.kind == "ignored-newdoc":
                self._note(mark.kind, line, f"{quoted(text)} does not begin a document")
        for line, _ in marks[:-1] if has_words else marks:
            why = "another follows in the same sentence" if has_words else "no words follow before an empty line"
            self._note("ignored-newdoc", line, f"newdoc is ignored: {why}")
        return self._begin(*marks[-1]) if marks and has_words else None

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

    def outside(self, line: int) -> str:
        """The name of the document of a sentence that no newdoc precedes."""
        self.lines["#0"] = line
        return "#0"

    def finish(self) -> None:
        """Note that there was no newdoc, or text before the first."""
        if "#0" in self.lines and self._begun:
            self._note("text-before-newdoc", self.lines["#0"], "sentences come before the first newdoc")
        elif "#0" in self.lines:
            self._note("no-newdoc", 0, "the file has no newdoc and is read as one document")


TENTH = 10


class Row(NamedTuple):
    """The line of a word or an empty node."""

    place: int
    line: int
    columns: list[str]


class Rows(NamedTuple):
    """A sentence, as well as it can be read."""

    number: int
    line: int
    rows: list[Row]
    words: int
    sound: bool
    """Whether ids and columns are as they should be."""

    def nodes(self) -> Nodes:
        """Its words and empty nodes in order, with the DEPS of all."""
        deps = {node_name(row.place): row.columns[8] for row in self.rows if len(row.columns) == 10}
        return Nodes(list({row.place for row in self.rows}), deps)


def read_rows(block: Block, number: int, problems: Problems, has_words: bool) -> Rows:
    """Read the lines of a block, which may have no ordinary word, and note what is wrong with each."""
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
                before += 1  # the words are sound all the same
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
                problems.add("word-out-of-order", line, f"word {name} is where {expected} is expected{again}")
                expected = int(name)
            expected += 1
            place = position(number, words)
        rows.append(Row(place, line, columns))
    sound = problems.errors == before
    if sound:
        _check_ranges(ranges, words, problems)
        _check_tree(rows, words, problems)
    return Rows(number, block.line, rows if sound else _apart(rows), words, sound)


def _apart(rows: list[Row]) -> list[Row]:
    """The rows of a faulty sentence, each with a position of its own: a repeated empty node comes after its row."""
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
    """Note that there are not ten columns; whether the line is worth reading nevertheless."""
    if not text.strip():
        problems.add("line-of-blanks", line, "a line of blanks")
        return False
    message = f"{amount(columns, 'column')} instead of 10"
    blanks = columns == 1 and len(text.split()) >= 8
    problems.add("wrong-columns", line, message, "columns are separated by blanks: use tabs" if blanks else "")
    return columns > 1


def _range(name: str, expected: int, line: int, problems: Problems) -> tuple[int, int]:
    """First and last word of a multiword token, which stands before its first word."""
    first, last = (int(end) if len(end) < 7 else 0 for end in name.split("-"))
    if not first < last:
        problems.add("bad-multiword-range", line, f"multiword token {quoted(name)} does not run forward")
        return 0, 0
    if first != expected:
        problems.add("bad-multiword-range", line, f"multiword token {name} is before word {expected}")
        return 0, 0
    return first, last


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
    """Note an empty node that comes twice, stands elsewhere than it should, or has a number from 10."""
    word, _, minor = name.partition(".")
    if name in empty:
        problems.add("repeated-empty-node", line, f"empty node {name} comes twice in the sentence")
        return
    empty.add(name)
    latest = int(node_name(rows[-1].place).partition(".")[2] or 0) if rows else 0
    if int(word) != expected - 1 or minor != str(latest + 1):
        after = f"{expected - 1}.{latest}" if latest else f"word {expected - 1}"
        problems.add("misplaced-empty-node", line, f"empty node {name} is after {after}")
    if int(minor) >= TENTH:
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
