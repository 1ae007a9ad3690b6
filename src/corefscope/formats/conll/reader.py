"""CoNLL-2011 and CoNLL-2012: one word a line, coreference brackets in the last column.

Read as it is met in the wild: skeleton files of few columns; ``-``, ``_``, ``*`` or nothing for an empty cell; part
numbers of any width or none; ``# begin document`` with a blank and names without brackets; ids that are no numbers;
no ``|`` between brackets; a bare id inside of its mention (``(0``, ``0``, ``0)``); mentions that cross sentences. A
document is an id with its part. How ``scorer.pl`` reads such files is told in :mod:`.scorer_pl`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from ...core.document import Document, Entity, Mention, Sentence, is_comment, mention_of_runs, unbroken
from ...core.errors import Warnings
from ...core.positions import FAR, LONGEST, SENTENCE_SHIFT, WORD_MASK, WORD_SHIFT, word_positions
from ..sentences import RowWords
from ..source import Source

CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
NOT_OPEN, CONTINUED, REOPENED = "closed-never-opened", "bare-id", "opened-after-closed"
"""Faults of brackets. The last two are none to readers: an id without bracket while a mention of it is open; and a
cell that closes a mention and then begins another of the same id, of which they warn."""


class Mentions:
    """The brackets of one document: a stack per id.

    Brackets of a cell count from left to right: ``5)|(5`` ends a mention and begins another. To the reference scorer
    it is a mention of one word inside of the first, because it opens what a cell opens before it closes. Once there
    is such a cell, ``official`` has the mentions as the reference finds them.
    """

    def __init__(self) -> None:
        self.of_ids: defaultdict[str, list[Mention]] = defaultdict(list)
        """The mentions of each id, none if it is never closed. Ids are in the order of their first brackets; of one
        cell, those of single words come first."""
        self.opened: defaultdict[str, list[int]] = defaultdict(list)
        """The first words of mentions that are not closed yet."""
        self.sizes: dict[int, int] = {}
        """The number of words of each sentence that has ended."""
        self._words_before = [0]
        """The number of words before each sentence, as far as somebody asked for it."""
        self._seams: list[int] = []
        """The last word of a sentence and the first of the next, as :func:`runs_in` has them, likewise."""
        self.official: Mentions | None = None

    def feed(self, cell: str, position: int) -> list[tuple[str, str]]:
        """Read the cell of a word, on past its faults: these are codes of validation, each with a chunk."""
        singles, opened, closed, in_order = _brackets(cell)
        if in_order or self.official:
            return self._feed_in_order(cell, position)
        not_open = self.feed_in_groups(position, singles, opened, closed)
        return [(NOT_OPEN, id_) for id_ in not_open] if not_open else []

    def _feed_in_order(self, cell: str, position: int) -> list[tuple[str, str]]:
        chunks = CHUNK.findall(cell)
        faults = [(REOPENED, id_) for id_ in _reopened(chunks)]
        if faults and self.official is None:
            self.official = self._copy()
        singles, opens, closes, _ = _brackets(cell)
        if self.official:
            self.official.feed_in_groups(position, singles, opens, closes)
        for id_ in singles + opens:
            self.of_ids[id_]  # now it has its place
        for single, opened, closed, bracket, other in chunks:
            if single or opened or closed:
                groups = [(id_,) if id_ else () for id_ in (single, opened, closed)]
                faults += [(NOT_OPEN, id_) for id_ in self.feed_in_groups(position, *groups)]
            else:
                faults.append((CONTINUED if self.opened.get(other) else "bad-cell", bracket or other))
        return faults

    def feed_in_groups(
        self, position: int, singles: Sequence[str], opened: Sequence[str], closed: Sequence[str]
    ) -> list[str]:
        """Read the brackets of a word as the reference does, kind by kind; returns what was not open."""
        of_ids, stacks = self.of_ids, self.opened
        for id_ in singles:
            of_ids[id_].append(unbroken(position, position, position))
        for id_ in opened:
            of_ids[id_]  # now it has its place
            stacks[id_].append(position)
        not_open = []
        for id_ in closed:
            if not (stack := stacks.get(id_)):
                not_open.append(id_)
                continue
            first = stack.pop()
            if first >> SENTENCE_SHIFT == position >> SENTENCE_SHIFT:
                of_ids[id_].append(unbroken(first, position, first))
            else:
                of_ids[id_].append(self._broken(first, position))
        return not_open

    def _broken(self, first: int, last: int) -> Mention:
        """The mention from a word of one sentence to a word of another; runs share the numbers of their ends."""
        start = next(iter(self.sizes))
        begins, ends = ((place >> SENTENCE_SHIFT) - start for place in (first, last))
        for number in range(start + len(self._words_before) - 1, start + ends):
            words = word_positions(number, self.sizes[number])
            self._words_before.append(self._words_before[-1] + len(words))
            self._seams += FAR - words[-1], word_positions(number + 1, 1)[0]
        runs = (first, *self._seams[2 * begins : 2 * ends], FAR - last)
        before, after = ((place & WORD_MASK) >> WORD_SHIFT for place in (first, last))
        words_between = self._words_before[ends] - self._words_before[begins]
        return mention_of_runs(runs, after + words_between - before + 1, last, first)

    def _copy(self) -> Mentions:
        """The same mentions to go on from; the sizes of sentences, which nobody reads in two ways, are shared."""
        new = Mentions()
        new.sizes = self.sizes
        new.of_ids.update({id_: list(mentions) for id_, mentions in self.of_ids.items()})
        new.opened.update({id_: list(stack) for id_, stack in self.opened.items()})
        return new

    def entities(self) -> dict[str, Entity]:
        """The entities that have mentions, by their first brackets; mentions in order."""
        return {id_: tuple(sorted(mentions)) for id_, mentions in self.of_ids.items() if mentions}

    def document(self, name: str, sentences: tuple[Sentence, ...], path: str) -> Document:
        """The document; entities by their first brackets."""
        entities = self.entities()
        return Document(
            name,
            tuple(entities.values()),
            entity_ids=tuple(entities),
            entity_types=("",) * len(entities),
            sentences=sentences,
            path=path,
            official=self.official.document(name, sentences, path) if self.official else None,
        )


@lru_cache(maxsize=1 << 14)  # the same few cells come again in every document
def _brackets(cell: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """The ids of one-word, opening and closing brackets; and whether their order matters, or there is more."""
    chunks = CHUNK.findall(cell)
    singles = tuple([chunk[0] for chunk in chunks if chunk[0]])
    opened = tuple([chunk[1] for chunk in chunks if chunk[1]])
    closed = tuple([chunk[2] for chunk in chunks if chunk[2]])
    brackets = len(singles) + len(opened) + len(closed)
    return singles, opened, closed, bool(opened and closed) or brackets < len(chunks)


def _reopened(chunks: list[tuple[str, ...]]) -> list[str]:
    """The ids of which a cell closes a mention that was open before it, and leaves open one that it opens."""
    opened: Counter[str] = Counter()
    closed: dict[str, None] = {}
    for _, opening, closing, *_ in chunks:
        if opening:
            opened[opening] += 1
        elif opened[closing]:
            opened[closing] -= 1
        elif closing:
            closed[closing] = None
    return [id_ for id_ in closed if opened[id_]]


ALMOST_BEGIN = re.compile(r"#\s*begin[\s_]*doc", flags=re.IGNORECASE)
"""What looks like '#begin document'; validation and the readers ask for the real thing first."""


def warn_of_misspelt(line: str, number: int, source: Source, warnings: Warnings) -> None:
    """Warn if a comment that begins no document looks as if it did."""
    if ALMOST_BEGIN.match(line):
        message = f"{line[:60]!r} does not begin a document: write '#begin document (ID); part 000'"
        warnings.add("ignored-begin-line", source.name, number, message)


def warn_of_words_before(first: int, source: Source, warnings: Warnings) -> None:
    """Warn of what is lost before the first document, which begins at an offset."""
    data = source.read(source.start, first)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{data[error.start]:02x} before the first document is not UTF-8: ignored"
        warnings.add("not-utf-8", source.name, data.count(b"\n", 0, error.start) + 1, message)
        text = data.decode("utf-8", errors="replace")
    for number, line in enumerate(text.split("\n"), 1):
        if is_comment(line):
            warn_of_misspelt(line, number, source, warnings)
        elif line.strip():
            message = "words before the first '#begin document' are ignored"
            warnings.add("words-outside-documents", source.name, number, message)


BEGIN = re.compile(r"#[ ]?begin document\b(.*)")
END = re.compile(r"#[ ]?end document\b")
PART = re.compile(r"\s*(?:part\s*)?([0-9]{1,9})\s*")
EMPTY = {"-", "_", "*", ""}
AFTER_TAB, AFTER_BLANK = ({separator + cell for cell in "-_*"} for separator in "\t ")
"""How lines end that have an empty cell in the last of their columns, which are two at least ..."""
FIRST, BEYOND_ASCII, LAST = "$", "\x7f", "\U0010ffff"
"""... if they sort after ``#``, and do not begin with a blank."""
NOTHING: set[str] = set()


class ConllReader:
    """The documents of one file, read one at a time while iterating; ``names`` are known beforehand."""

    word = 3
    """The column of the word."""
    skeleton = 4
    """With so many columns or fewer it is the one before the last."""

    def __init__(self, source: Source, warnings: Warnings, side: str = "key") -> None:  # noqa: ARG002
        self.source = source
        self._warnings = warnings
        self.has_heads = False
        self._starts = _beginnings(source)
        self.names = [name for name, _ in self._starts]
        if not self._starts:
            source.refuse("has no '#begin document' line", "is it a CoNLL file at all?", code="no-document")
        seen: set[str] = set()
        for index, name in enumerate(self.names):
            if name in seen:
                line = self.line_of_document(index)
                source.refuse(f"document {name!r} comes twice", "number its parts", line, "repeated-part")
            seen.add(name)
        warn_of_words_before(self._starts[0][1], source, warnings)

    def line_of_document(self, index: int) -> int:
        """The line of the file on which a document begins."""
        return self.source.line_number(self._starts[index][1])

    @property
    def starts(self) -> list[int]:
        """Where documents begin in the file."""
        return [start for _, start in self._starts]

    def __iter__(self) -> Iterator[Document]:
        return self.documents(0, len(self.names))

    def documents(self, start: int, stop: int) -> Iterator[Document]:
        """Those from one number up to another; of those before, only sentences are counted."""
        marks = [*self.starts, self.source.size]
        line = self.line_of_document(start)
        sentences = sum(_count_sentences(self.source.text(*extent)) for extent in pairwise(marks[: start + 1]))
        for name, extent in zip(self.names[start:stop], pairwise(marks[start : stop + 1]), strict=True):
            text = self.source.text(*extent)
            document = self._document(name, text, line, sentences)
            sentences += len(document.sentences)
            line += text.count("\n")
            yield document
        if not sentences and stop == len(self.names):
            self.source.refuse("holds no sentence", "is it a CoNLL file at all?", code="no-sentence")

    def _document(self, name: str, text: str, first_line: int, before: int) -> Document:
        """The document of this text; the file has so many sentences before it.

        Most lines are words without brackets: their endings tell, and nothing is made of them before somebody asks.
        """
        refuse = self.source.refuse
        lines = text.split("\n")
        endings, beyond = (AFTER_TAB, LAST) if "\t" in text else (AFTER_BLANK, BEYOND_ASCII)
        mentions = Mentions()
        extents: list[tuple[int, int]] = []  # the lines of each sentence: the first, and the next after the last
        number, start, origin = before + 1, 0, -1  # word n of a sentence is on the line ``origin + n``
        for index, line in enumerate([*lines, ""]):
            if line[-2:] in endings and FIRST <= line < beyond:
                continue
            no_word = not FIRST <= line < BEYOND_ASCII and (not line or line.isspace() or is_comment(line))
            if no_word or index - origin > LONGEST:
                comment = line[:1] == "#"
                most = 0 if no_word and not comment else LONGEST  # words of a sentence that does not end here
                while index - origin > most + no_word:
                    mentions.sizes[number] = size = min(index - origin - 1, LONGEST)
                    extents.append((start, origin + 1 + size))
                    number, start, origin = number + 1, origin + 1 + size, origin + size
            if no_word:
                if index - origin == 1:  # no word yet
                    start = index + 1
                origin += 1
                if comment and END.match(line):
                    endings = NOTHING  # words that follow are looked at
                if comment and index:  # the first line begins the document
                    warn_of_misspelt(line, first_line + index, self.source, self._warnings)
                continue
            _, tab, cell = line.rpartition("\t")
            if not tab:
                cells = line.split()
                cell = cells[-1]
                if len(cells) < 2:
                    hint = "a word and its coreference cell are needed"
                    refuse("a line of one column", hint, first_line + index, "one-column")
            if endings is NOTHING:
                hint = "words must be between #begin and #end document"
                refuse("a word after '#end document'", hint, first_line + index, "words-outside-documents")
            if cell in EMPTY or (cell := cell.strip()) in EMPTY:
                continue
            for problem, chunk in mentions.feed(cell, number << SENTENCE_SHIFT | index - origin << WORD_SHIFT):
                self._take(problem, chunk, cell, first_line + index)
        for id_, stack in mentions.opened.items():
            if stack:
                line_number = first_line + extents[(stack[-1] >> SENTENCE_SHIFT) - before - 1][0]
                message = f"a mention of {id_!r} that begins in this sentence is never closed"
                refuse(message, f"write {id_ + ')'!r} in the cell of its last word", line_number, "never-closed")
        sentences = [
            self._sentence(number, size, first_line + start, lines[start:end])
            for (number, size), (start, end) in zip(mentions.sizes.items(), extents, strict=True)
        ]
        return mentions.document(name, tuple(sentences), self.source.name)

    def _sentence(self, number: int, size: int, line: int, lines: list[str]) -> Sentence:
        """The sentence of so many words on these lines, the first of which has this number in the file."""
        rows = lines
        if len(lines) > size:
            while is_comment(lines[-1]):  # what follows, such as #end document
                lines.pop()
            rows = [row for row in lines if not is_comment(row)]
        return Sentence("", number, line, RowWords(rows, self.form), [], lines)

    @classmethod
    def form(cls, line: str) -> str:
        """The word on a line of at least two columns."""
        cells = line.split("\t") if "\t" in line else line.split()
        return cells[cls.word] if len(cells) > cls.skeleton else cells[-2]

    def _take(self, problem: str, chunk: str, cell: str, line: int) -> None:
        """Refuse a fault of a cell, warn of it, or put up with it."""
        if problem == REOPENED:
            message = f"{cell!r} closes {chunk!r} and opens it again: the reference scorer opens before it closes"
            self._warnings.add(REOPENED, self.source.name, line, f"{message}, and reads other mentions")
        elif problem != CONTINUED:
            message = f"entity {chunk!r} is closed but was never opened"
            if problem == "bad-cell":
                message = f"{chunk!r} in the coreference cell {cell!r} is no bracket with an id"
            self.source.refuse(message, "cells hold (ID, ID), (ID) and combinations joined by '|'", line, problem)


class SemevalReader(ConllReader):
    """The same with the words in the second column."""

    word = 1
    skeleton = 2


def _beginnings(source: Source) -> list[tuple[str, int]]:
    """Name and offset of every document, from one pass over the bytes."""
    beginnings = []
    for offset, piece in source.pieces(b"\n"):
        end = 0
        while (found := piece.find(b"begin document", end)) >= 0:
            start = piece.rfind(b"\n", 0, found) + 1
            end = piece.find(b"\n", found)
            end = end if end >= 0 else len(piece)
            begin = BEGIN.match(piece[start:end].decode("utf-8", errors="replace"))
            if begin:
                beginnings.append((document_name(begin[1]), offset + start))
    return beginnings


def _count_sentences(text: str) -> int:
    """How many sentences the reader finds in a document that is sound."""
    filled = (bool(line) and not line.isspace() for line in text.split("\n") if not is_comment(line))
    runs = [sum(1 for _ in run) for words, run in groupby(filled) if words]
    return sum(-(-words // LONGEST) for words in runs)


def document_name(text: str) -> str:
    """What a document is called whose '#begin document' line goes on like this.

    >>> document_name("(nw/xinhua_0001); part 000"), document_name("abstract-1")
    ('nw/xinhua_0001; part 000', 'abstract-1')
    """
    id_, _, tail = text.rpartition(";")
    part = PART.fullmatch(tail) if id_ else None
    name = (id_ if part else text).strip().removeprefix("(").removesuffix(")")
    return name + (f"; part {int(part[1]):03d}" if part else "")
