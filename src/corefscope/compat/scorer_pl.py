"""Reader of CoNLL and SemEval files as in the CoNLL reference scorer 8.01 (``scorer.pl``), which refuses little.

- A document goes from its ``#begin document NAME`` to the next line that contains ``#end document``, or to the end of
  the file, past other beginnings if need be. Its name is the rest of the line, unchanged: ``part 0`` is not
  ``part 000``. Of documents with one name the last counts, or the first if a document is asked for by name.
- Every line in it that is not blank is a word, comments too; empty lines have no meaning. Mentions are word numbers.
- The cell is what follows the last tab that has something after it; without tabs it is the whole line.
- A cell has one-word brackets ``(3)``, then opening ones ``(3``, then closing ones ``3)``, each removed when it is
  found. Ids are digits. Everything else, such as ``(a)``, ``(1+2)`` and a bare ``3``, is ignored.
- A mention that is closed without having been opened is an error, and so is one still open at ``#end document``; one
  open at the end of the file is dropped.

Warnings report what is ignored. Names and words may be in any encoding.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from ..core.document import Document, Sentence
from ..core.errors import InputError, Warnings
from ..core.positions import LONGEST
from ..formats.conll.reader import ConllReader, Mentions, SemevalReader
from ..formats.detection import sniff
from ..formats.pairs import Pair, numbered_alike
from ..formats.sentences import NumberedWords
from ..formats.source import Source, path_name

MARK = re.compile(rb"#[^\S\n]*(?:(begin document )|end document)")
BLANKS = " \t\r\f\v"
OPENS, CLOSES = re.compile(r"\([0-9]").search, re.compile(r"\)(?<=[0-9]\))").search
"""Whether a cell has brackets. Patterns that begin with the bracket are fast."""
DISCARDED = re.compile(r"\(([0-9]+\+[0-9])\)")
SINGLE = re.compile(r"\(([0-9]+)\)")
OPENING = re.compile(r"\(([0-9]+)")
CLOSING = re.compile(r"(?<![0-9])([0-9]+)\)")
IGNORED = "a bracket whose id is not a number is ignored, as by the reference"


class Beginning(NamedTuple):
    """Place where a document begins."""

    offset: int
    line: int


def _is_semeval(source: Source) -> bool:
    """Whether a file has the columns of SemEval; scorer.pl reads whatever it is given, so nothing is refused."""
    try:
        return sniff(source) == "semeval"
    except InputError:
        return False


class ScorerPlReader:
    """Reader of the documents of one file, by their names."""

    def __init__(self, source: Source, warnings: Warnings) -> None:
        self.source = source
        self.first: dict[str, Beginning] = {}
        """Beginning of the first document of each name."""
        self.last: dict[str, Beginning] = {}
        self.gap: str = ""
        """Name of a document without BLANC: an entity that is never closed precedes one that is."""
        self._columns = SemevalReader if _is_semeval(source) else ConllReader
        self._warnings = warnings
        self._beginnings: list[int] = []
        self._ends: list[int] = []
        self._index()
        if not self._beginnings:
            self.warn("no document", 0, "has no '#begin document' line: nothing in it is scored")

    @classmethod
    def open(cls, path: str, warnings: Warnings) -> ScorerPlReader:
        """Open a file; an empty one has no documents."""
        try:
            return cls(Source.open(path), warnings)
        except InputError as error:
            if error.code != "no-sentence":
                raise
        return cls(Source(path_name(path), BytesIO()), warnings)

    def __enter__(self) -> ScorerPlReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.source.close()

    def _index(self) -> None:
        """Find beginnings and ends in one pass over the bytes."""
        line = 1
        for offset, piece in self.source.pieces(b"\n"):
            counted = start = passed = 0
            for mark in MARK.finditer(piece):
                # Search only between two marks: a line may have very many.
                start = max(start, piece.rfind(b"\n", passed, mark.start()) + 1)
                passed = mark.end()
                if not mark[1]:
                    self._ends.append(offset + start)
                elif start == mark.start():
                    line += piece.count(b"\n", counted, start)
                    counted = start
                    end = piece.find(b"\n", passed)
                    name = _decoded(piece[passed : end if end >= 0 else len(piece)])
                    self._beginnings.append(offset + start)
                    at = self.last[name] = Beginning(offset + start, line)
                    if self.first.setdefault(name, at) is not at:
                        message = f"document {name!r} is repeated: the last one counts (by name, the first)"
                        self.warn("repeated", line, message)
            line += piece.count(b"\n", counted)

    def warn(self, kind: str, line: int, message: str) -> None:
        """Warn about a line of this file."""
        self._warnings.add(kind, self.source.name, line, message)

    def document(self, name: str, at: Beginning | None) -> Document:
        """The document that begins there; an empty one if there is none."""
        source = self.source
        if at is None:
            self.warn("absent", 0, f"document {name!r} is missing: counted as empty")
            return Document(name, (), path=source.name)
        later, after = bisect_right(self._beginnings, at.offset), bisect_right(self._ends, at.offset)
        ended = after < len(self._ends)
        end = self._ends[after] if ended else source.size
        if later < len(self._beginnings) and self._beginnings[later] < end:
            self.warn(
                "no end", at.line, f"document {name!r} does not end before the next, which is read as part of it"
            )
        _, *lines = _decoded(source.read(at.offset, end)).split("\n")
        empty = "" if source.first_return else "\t"  # a carriage return is a column, too
        mentions = Mentions()
        sentences: list[Sentence] = []
        for index, block in _blocks(lines):
            form = self._columns.form
            words = NumberedWords([form(line) if "\t" in line or len(line.split()) > 1 else line for line in block])
            sentence = Sentence("", len(sentences) + 1, at.line + 1 + index, words, [], block)
            sentences.append(sentence)
            mentions.sizes[sentence.number] = len(block)
            for number, (place, line) in enumerate(zip(sentence.positions, block, strict=True), sentence.line):
                cell = line.rstrip(empty).rpartition("\t")[2]
                if OPENS(cell) or CLOSES(cell):
                    cell = self._feed(mentions, cell, place, number)
                if "(" in (rest := cell[cell.rfind(" ") + 1 :]) or ")" in rest:
                    self.warn("brackets", number, IGNORED)
        self._check_open(mentions, name, at.line, ended)
        return mentions.document(name, tuple(sentences), source.name)

    def _feed(self, mentions: Mentions, cell: str, place: int, number: int) -> str:
        """Read the cell of the word in a line of this number, and return the rest."""
        groups, whole = [], cell
        for pattern in (DISCARDED, SINGLE, OPENING, CLOSING):
            ids, cell = _extract(pattern, cell)
            groups.append(ids)
        discarded, *brackets = groups
        for id_ in mentions.feed_in_groups(place, *brackets):
            message = f"{id_}) in {whole!r} closes what was never opened"
            self.source.refuse(message, f"ids must be numbers; write ({id_} on the first word of the mention", number)
        if discarded:
            self.warn("brackets", number, IGNORED)
        return cell

    def _check_open(self, mentions: Mentions, name: str, line: int, ended: bool) -> None:
        """Refuse or drop what is never closed."""
        opened = [id_ for id_, stack in mentions.opened.items() if stack]
        if opened and ended:
            message = f"a mention of {opened[0]} in document {name!r} is never closed"
            self.source.refuse(message, f"write {opened[0]}) on its last word", line)
        for id_ in opened:
            self.warn("unclosed", line, f"a mention of {id_} is never closed before the end of the file: dropped")
        closed = list(map(bool, mentions.of_ids.values()))  # in the order of first brackets
        if sorted(closed, reverse=True) != closed:
            self.gap = name


def paired_by_name(
    key: ScorerPlReader, response: ScorerPlReader, warnings: Warnings, name: str | None = None
) -> Iterator[Pair]:
    """Pairs of documents with one name in key and response, or the pair of this name.

    Documents that only the response has are not scored.
    """
    sides = [(reader, reader.last if name is None else reader.first) for reader in (key, response)]
    for each in key.last if name is None else [name]:
        pair = Pair(*[reader.document(each, beginnings.get(each)) for reader, beginnings in sides])
        yield numbered_alike(*pair, warnings) if pair.key.sentences and pair.response.sentences else pair
    for each, at in response.last.items():
        if name is None and each not in key.last:
            response.warn("extra", at.line, f"document {each!r} is not in the key: not scored")


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not blank, each with the number of its first line."""
    block: list[str] = []
    for at, line in enumerate([*lines, ""]):
        blank = not line.strip(BLANKS)
        if block and (blank or len(block) == LONGEST):
            yield at - len(block), block
            block = []
        if not blank:
            block.append(line)


def _extract(pattern: re.Pattern[str], cell: str) -> tuple[list[str], str]:
    """The ids that a pattern finds in a cell, and the rest. Removing one may make another match."""
    found: list[str] = []
    while ids := pattern.findall(cell):
        found += ids
        cell = pattern.sub("", cell)
    return found, cell


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape")
