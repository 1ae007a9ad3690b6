"""CoNLL-U sentences: split, checked and numbered; and the outline of a document, from which they are made lazily.

A sentence of words and multiword tokens, as nearly all are, is checked by counting its tabs and numbers. Any other is
examined line by line: it has empty nodes, or there is a fault to report.

If the lines of key and response differ only in MISC and comments, the response takes the outline of the key, and the
two are aligned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import compress, repeat
from operator import ne

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

    Raises InputError at the first fault. Blocks without ordinary words are skipped; ``lost`` is called with the line
    of each that has an Entity.
    """
    for start, first, end, multiword in blocks(all_lines):
        lines, words = all_lines[start:end], all_lines[first:end]
        if multiword is None:
            words, unusual = _examine(lines, line + start, path)
        else:
            unusual = [words.pop(index).partition("\t")[0] for index in reversed(multiword)][::-1]
        if words:
            number += 1
            name = sent_id(lines) or str(number)
            yield Sentence(name, number, line + start, RowWords(words, form), unusual, lines)
        elif hold_entity(lines):
            lost(line + start)


def blocks(lines: list[str], table: bool = False) -> Iterator[Block]:
    """The blocks of lines between empty lines, without those that are only comments.

    With ``table``, all rows are known to have ten columns.
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
    """The id in the comments of a sentence; empty if there is none."""
    for line in lines:
        if match := SENT_ID.match(line):
            return match[1]
    return ""


def entity_values(sentence: Sentence, sink: ReaderSink) -> list[Carrier]:
    """The Entity values of a sentence with the positions of their nodes, in text order."""
    values: list[Carrier] = []
    for number, line in enumerate(sentence.lines, sentence.line):
        if "Entity" not in line:
            continue
        columns = line.split("\t")
        place = parse_position(sentence.number, columns[0])
        if place is None:  # a comment, or a multiword token, whose Entity is ignored
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
    """Whether a MISC column has an Entity."""
    return misc.startswith("Entity=") or "|Entity=" in misc


def _examine(lines: list[str], first: int, path: str) -> tuple[list[str], list[str]]:
    """The lines of the words of a sentence, and the ids of its other nodes; InputError for its first fault."""
    words: list[str] = []
    unusual: list[str] = []
    empty: set[str] = set()
    for line, text in enumerate(lines, first):
        if text[0] == "#":
            continue
        name, expected = text.partition("\t")[0], str(len(words) + 1)
        code = message = hint = ""
        if (columns := text.count("\t") + 1) != 10:
            code, message = "wrong-columns", f"{amount(columns, 'column')} instead of 10: not CoNLL-U"
            hint = "CoNLL-U has ten columns separated by tabs, '_' for an empty one"
            if not text.strip():
                code, message = "line-of-blanks", "a line of blanks"
                hint = "sentences are separated by a line that is really empty"
            elif columns == 1 and len(text.split()) >= 8:
                hint = "columns are separated by blanks here: CoNLL-U needs tabs"
        elif name == expected:
            words.append(text)
        elif MULTIWORD.match(text):
            unusual.append(name)
        elif parse_position(0, name) is None:
            code, message = "bad-id", f"{name!r} is not the id of a word"
            hint = "ids are 1, 2, … or N.1 (empty node) or N-M (multiword token)"
        elif "." not in name:
            code, message = "word-out-of-order", f"word {name!r} where word {expected} is expected"
            hint = "number the words 1, 2, 3, …"
        elif name in empty:
            code, message = "repeated-empty-node", f"empty node {name} comes twice in the sentence"
            hint = "number the empty nodes after word N as N.1, N.2, …"
        else:
            empty.add(name)
            unusual.append(name)
        if code:
            raise InputError(message, path=path, line=line, hint=hint, code=code)
    return words, unusual


class Outline:
    """Lines of a file from ``line`` on, and their blocks.

    ``before`` is the number of sentences before them. ``ids`` are those of the sentences, once all are read.
    """

    __slots__ = ("before", "blocks", "ids", "line", "lines")

    def __init__(self, lines: list[str], line: int, before: int, found: list[Block]) -> None:
        self.lines: list[str] = lines
        self.line: int = line
        self.before: int = before
        self.blocks: list[Block] = found
        self.ids: list[str] = []

    def share_layout_with(self, lines: list[str], line: int, before: int) -> Outline | None:
        """The outline of other lines if they differ only in MISC and comments; None if not, or not known."""
        if not self.ids or before != self.before or len(lines) != len(self.lines):
            return None
        pairs = zip(self.lines, lines, strict=True)
        for ours, theirs in compress(pairs, map(ne, self.lines, lines)):
            if ours[:1] == "#" == theirs[:1]:
                if SENT_ID.match(ours) or SENT_ID.match(theirs):
                    return None
            elif not (columns := ours.rpartition("\t")[0]) or columns != theirs.rpartition("\t")[0]:
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
    """The outlines of a document: one, unless its file returns to it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.outlines: list[Outline] = []

    def __len__(self) -> int:
        return sum([len(outline.ids) for outline in self.outlines])

    @property
    def ids(self) -> list[str]:
        """The ids of all sentences."""
        return [id_ for outline in self.outlines for id_ in outline.ids]

    @property
    def outline(self) -> Outline | None:
        """The only outline; None if there are several."""
        return self.outlines[0] if len(self.outlines) == 1 else None

    def walk(self) -> Iterator[Sentence]:
        """One sentence at a time: while a document is read, later ones may have faults."""
        for outline in self.outlines:
            yield from sentences(outline.lines, outline.before, outline.line, self._path)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences."""
        return tuple(self.walk())

    def same_text(self, other: TextLayout | None) -> bool:
        """Whether another document has the same sentences: ids, numbers, and the numbers and forms of their words."""
        if not isinstance(other, DocumentOutline):
            return False
        ours, theirs = self.outline, other.outline
        if ours and theirs and ours.blocks is theirs.blocks:
            return True
        starts, other_starts = (
            [(outline.before, len(outline.ids)) for outline in side.outlines] for side in (self, other)
        )
        if self.ids != other.ids or starts != other_starts:
            return False
        rows, others = ([row for outline in side.outlines for row in outline.rows] for side in (self, other))
        if same_but_last(rows, others):
            return True
        words, other_words = ([row.split("\t", 2)[:2] for row in side] for side in (rows, others))
        return words == other_words
