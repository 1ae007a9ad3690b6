"""``# global.Entity`` and ``# newdoc`` lines: what a file says about its brackets, and where documents begin."""

from __future__ import annotations

from collections import Counter

from ...read.corefud.brackets import places
from ...read.corefud.layout import OLD_MARKS, MarkLine, last_header
from ...read.source import Source
from .blocks import Block
from .problems import Problems, quoted


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
