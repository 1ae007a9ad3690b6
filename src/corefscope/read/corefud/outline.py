"""The lines of a document, and where sentences stand in them: these are made when somebody asks.

Key and response hold the same text. Where their lines differ in nothing but MISC and comments, what was found out
about the lines of the key holds for those of the response, and the two are aligned.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...base.document import Sentence, TextLayout
from ..numbered import same_but_last
from .sentences import SENT_ID, Block, sentences


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
