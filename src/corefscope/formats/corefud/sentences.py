"""CoNLL-U sentences: cut, checked and numbered; and the outline of a document, from which they are made lazily.

A sentence of words and multiword tokens, as nearly all are, is checked by counting its tabs and numbers. Any other is
examined line by line: it has empty nodes, or there is a fault to name.

Key and response hold the same text. Where their lines differ in nothing but MISC and comments, the outline of the key
holds for the response, and the two are aligned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import NoReturn

from ...core.document import Sentence, TextLayout
from ...core.errors import InputError, amount
from ...core.positions import parse_position
from ..sentences import RowWords, same_but_last
from .brackets import ReaderSink
from .fast import MULTIWORD, Block, Carrier, multiword_rows

SENT_ID = re.compile(r"# sent_id\s*=?\s*([^\s=]\S*)")


def form(row: str) -> str:
    """The second column of a row."""
    return row.split("\t", 2)[1]


def sentences(
    all_lines: list[str], number: int, line: int, path: str, lost: Callable[[int], object] = int
) -> Iterator[Sentence]:
    """The sentences of these lines, numbered after ``number``; the first line is ``line`` of the file at ``path``.

    Raises InputError at the first fault. Blocks without any ordinary word are skipped; ``lost`` is told the lines of
    those that hold an Entity.
    """
    for start, first, end, multiword in blocks(all_lines):
        lines, words = all_lines[start:end], all_lines[first:end]
        if multiword is None:
            words, unusual = _examined(lines, line + start, path)
        else:
            unusual = [words.pop(index).partition("\t")[0] for index in reversed(multiword)][::-1]
        if words:
            number += 1
            name = sent_id(lines) or str(number)
            yield Sentence(name, number, line + start, RowWords(words, form), unusual, lines)
        elif hold_entity(lines):
            lost(line + start)


def blocks(lines: list[str], table: bool = False) -> Iterator[Block]:
    """What stands between empty lines; blocks of nothing but comments are left out.

    Who knows that all rows are a table spares the counting of columns.
    """
    end, last = -1, len(lines)
    while end < last:
        start = first = end + 1
        try:
            end = lines.index("", start)
        except ValueError:
            end = last
        while first < end and lines[first][0] == "#":
            first += 1
        if first == end:
            continue
        rows = lines[first:end]
        if not table and list(map(str.count, rows, repeat("\t"))).count(9) < len(rows):
            yield start, first, end, None
        else:
            yield start, first, end, multiword_rows(rows)


def sent_id(lines: Sequence[str]) -> str:
    """The id that comments give a sentence; empty if they give none."""
    for line in lines:
        if match := SENT_ID.match(line):
            return match[1]
    return ""


def entity_values(sentence: Sentence, sink: ReaderSink) -> list[Carrier]:
    """The nodes of a sentence with an Entity, each with its position and value, in the order of the positions."""
    values: list[Carrier] = []
    for number, line in enumerate(sentence.lines, sentence.line):
        if "Entity" not in line:
            continue
        columns = line.split("\t")
        place = parse_position(sentence.number, columns[0])
        if place is None:  # a comment, or a multiword token: what that carries is ignored
            if MULTIWORD.match(line) and has_entity(columns[9]):
                sink.note("entity-on-multiword-token", number, name=columns[0])
            continue
        attributes = [item.partition("=") for item in columns[9].split("|")]
        found = [(equals, value) for key, equals, value in attributes if key == "Entity"]
        if not all(value for _, value in found):
            sink.note("entity-without-value" if found[-1][0] else "entity-without-equals", number)
        if len(found) > 1:
            sink.note("repeated-entity-attribute", number, times=len(found))
        if found and found[-1][1]:
            values.append((place, found[-1][1]))
    return sorted(values)  # empty nodes may be written out of order


def hold_entity(lines: list[str]) -> bool:
    """Whether one of these lines, comments aside, has an Entity."""
    return any(has_entity(line.rpartition("\t")[2]) for line in lines if line[:1] != "#")


def has_entity(misc: str) -> bool:
    """Whether a MISC column has an Entity with a value, or what should be one."""
    return misc.startswith("Entity=") or "|Entity=" in misc


def _examined(lines: list[str], line: int, path: str) -> tuple[list[str], list[str]]:
    """The lines of the words of a sentence, and the ids of its other nodes; InputError for its first fault."""
    words: list[str] = []
    unusual: list[str] = []

    def fail(code: str, message: str, hint: str) -> NoReturn:
        raise InputError(message, path=path, line=line, hint=hint, code=code)

    expected = "1"
    line -= 1
    for text in lines:
        line += 1
        if text[0] == "#":
            continue
        if text.count("\t") != 9:
            fail(*_wrong_columns(text, text.count("\t") + 1))
        name = text[: text.index("\t")]
        if name == expected:
            words.append(text)
            expected = str(len(words) + 1)
        elif MULTIWORD.match(text):
            unusual.append(name)
        elif parse_position(0, name) is None:
            hint = "ids are 1, 2, … or N.1 (empty node) or N-M (multiword token)"
            fail("bad-id", f"{name!r} is not the id of a word", hint)
        elif "." not in name:
            message = f"word {name!r} is where word {expected} is expected"
            fail("word-out-of-order", message, "number the words 1, 2, 3, …")
        else:
            unusual.append(name)
            if unusual.count(name) > 1:
                message = f"empty node {name} comes twice in the sentence"
                fail("repeated-empty-node", message, "number the empty nodes after word N as N.1, N.2, …")
    return words, unusual


def _wrong_columns(line: str, columns: int) -> tuple[str, str, str]:
    """Code, message and hint."""
    if not line.strip():
        return "line-of-blanks", "a line of blanks", "sentences are separated by a line that is really empty"
    message = f"{amount(columns, 'column')} instead of 10: not CoNLL-U"
    if columns == 1 and len(line.split()) >= 8:
        return "wrong-columns", message, "columns are separated by blanks here: CoNLL-U needs tabs"
    return "wrong-columns", message, "CoNLL-U has ten columns separated by tabs, '_' for an empty one"


class Outline:
    """Lines of a file, and the blocks that they are; the first is ``line`` of the file.

    ``before`` is how many sentences come before. ``ids`` are those of the sentences, once all of them are read.
    """

    __slots__ = ("before", "blocks", "ids", "line", "lines")

    def __init__(self, lines: list[str], line: int, before: int, found: list[Block]) -> None:
        self.lines, self.line, self.before, self.blocks = lines, line, before, found
        self.ids: list[str] = []

    def share_layout_with(self, lines: list[str], line: int, before: int) -> Outline | None:
        """The outline of other lines, if they differ in nothing but MISC and comments; None if not, or not known."""
        if not self.ids or before != self.before or len(lines) != len(self.lines):
            return None
        for ours, theirs in zip(self.lines, lines):  # noqa: B905  (a hot loop, and they are as many)
            # Most lines that differ are rows: they begin with a digit, which no comment and no empty line does.
            if (
                ours != theirs
                and (ours < "0" or ours.rpartition("\t")[0] != theirs.rpartition("\t")[0])
                and not _same_comment(ours, theirs)
            ):
                return None
        outline = Outline(lines, line, before, self.blocks)
        outline.ids = self.ids
        return outline

    @property
    def rows(self) -> list[str]:
        """The lines of all words."""
        rows = (row for _, first, end, _ in self.blocks for row in self.lines[first:end])
        return [row for row in rows if row.partition("\t")[0].isdigit()]


class DocumentOutline:
    """The outlines of a document: one, unless its file comes back to it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._outlines: list[Outline] = []

    def add(self, outline: Outline) -> None:
        """Add lines of the document."""
        self._outlines.append(outline)

    def __len__(self) -> int:
        return sum([len(outline.ids) for outline in self._outlines])

    @property
    def ids(self) -> list[str]:
        """The ids of all sentences."""
        return [id_ for outline in self._outlines for id_ in outline.ids]

    @property
    def outline(self) -> Outline | None:
        """What all sentences are in, if they follow each other."""
        return self._outlines[0] if len(self._outlines) == 1 else None

    def walk(self) -> Iterator[Sentence]:
        """One after the other: while a document is read, later ones may have faults."""
        for outline in self._outlines:
            yield from sentences(outline.lines, outline.before, outline.line, self._path)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences."""
        return tuple(self.walk())

    def _starts(self) -> list[tuple[int, int]]:
        """The number before the first sentence of each stretch, and how many sentences that has."""
        return [(outline.before, len(outline.ids)) for outline in self._outlines]

    def same_text(self, other: TextLayout | None) -> bool:
        """Whether another document has the same sentences: ids, numbers, and the numbers and forms of their words."""
        if not isinstance(other, DocumentOutline):
            return False
        ours, theirs = self.outline, other.outline
        if ours and theirs and ours.blocks is theirs.blocks:
            return True
        if self.ids != other.ids or self._starts() != other._starts():
            return False
        rows, others = ([row for outline in side._outlines for row in outline.rows] for side in (self, other))
        return same_but_last(rows, others) or _words(rows) == _words(others)


def _same_comment(line: str, other: str) -> bool:
    """Whether two lines are comments that give no id."""
    return line[:1] == other[:1] == "#" and not (SENT_ID.match(line) or SENT_ID.match(other))


def _words(rows: list[str]) -> list[list[str]]:
    return [row.split("\t", 2)[:2] for row in rows]
