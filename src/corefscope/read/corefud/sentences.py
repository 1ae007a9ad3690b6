"""CoNLL-U sentences: cut, checked and numbered, without looking at columns nobody needs.

A sentence of words and multiword tokens, as nearly all are, is checked by counting its tabs and numbers. Any other is
examined line by line: it has empty nodes, or there is a fault to name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, repeat
from operator import length_hint
from typing import NoReturn

from ...base.document import Sentence
from ...base.errors import InputError, amount
from ...base.positions import NEXT_WORD, SENTENCE_SHIFT, parse_position
from ..numbered import RowWords
from .sink import ReaderSink

MULTIWORD = re.compile(r"([0-9]+-[0-9]+)\t")
SENT_ID = re.compile(r"# sent_id\s*=?\s*([^\s=]\S*)")
ALL_BUT_TABS = bytes(set(range(256)) - set(b"\t\n"))
ROW = b"\t" * 9 + b"\n"
Carrier = tuple[int, str]
"""The position of a word or empty node, and its Entity."""
Block = tuple[int, int, int, list[int] | None]
"""Lines between empty lines: where they begin, where comments end, where they end; then which rows are multiword
tokens, all others being words in order, or None if it is not so or not known."""
NUMBERS = [f"{number}\t" for number in range(1, 512)]


def form(row: str) -> str:
    """The second column of a row."""
    return row.split("\t", 2)[1]


def is_table(data: bytes) -> bool:
    r"""Whether each of these lines has ten columns, or no tab at all.

    >>> is_table(b"# text\n1" + b"\t_" * 9 + b"\n\n"), is_table(b"# text\n1\t_\n")
    (True, False)
    """
    return b"\t" not in (data.translate(None, ALL_BUT_TABS) + b"\n").replace(ROW, b"")


def sentences(
    all_lines: list[str], number: int, line: int, path: str, lost: Callable[[int], object] = int
) -> Iterator[Sentence]:
    """The sentences of these lines, numbered after ``number``; the first line is ``line`` of the file at ``path``.

    Raises InputError at the first fault. Blocks without any ordinary word are skipped; ``lost`` is told the lines of
    those that hold an Entity.
    """
    new = tuple.__new__  # half the time of calling Sentence
    for start, first, end, multiword in blocks(all_lines):
        lines, words = all_lines[start:end], all_lines[first:end]
        if multiword is None:
            words, unusual = _examined(lines, line + start, path)
        else:
            unusual = [words.pop(index).partition("\t")[0] for index in reversed(multiword)][::-1]
        if words:
            number += 1
            name = sent_id(lines) or str(number)
            yield new(Sentence, (name, number, line + start, RowWords(words, form), unusual, lines))
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
            yield start, first, end, _multiword(rows)


def _multiword(rows: Sequence[str]) -> list[int] | None:
    """Which rows are multiword tokens; None if the others are not words in order, or there are no others."""
    if len(rows) > len(NUMBERS):
        return None
    multiword: list[int] = []
    number, left = 0, iter(rows)
    while not all(map(str.startswith, left, islice(NUMBERS, number, None))):
        index = len(rows) - length_hint(left) - 1  # of the row that ended this
        if not MULTIWORD.match(rows[index]):
            return None
        multiword.append(index)
        number = index + 1 - len(multiword)
    return multiword if len(multiword) < len(rows) else None


def sent_id(lines: Sequence[str]) -> str:
    """The id that comments give a sentence; empty if they give none."""
    for line in lines:
        if match := SENT_ID.match(line):
            return match[1]
    return ""


def plain_values(number: int, lines: list[str], block: Block) -> list[Carrier] | None:
    """What :func:`entity_values` says of a sentence, by its number and block; None if it needs a closer look."""
    _, first, end, multiword = block
    if multiword is None:
        return None
    rows = lines[first:end]
    for index in reversed(multiword):
        if "Entity" in rows.pop(index):
            return None
    values: list[Carrier] = []
    position = number << SENTENCE_SHIFT
    for row in rows:
        position += NEXT_WORD
        if "Entity" in row:
            before, _, rest = row.rpartition("Entity=")
            value, _, others = rest.partition("|")
            sign = before[-1:]
            # Another attribute, perhaps one Entity of two; another column; no value; perhaps one more.
            if (
                (sign != "\t" and (sign != "|" or "Entity" in before))
                or "\t" in rest
                or not value
                or (others and "Entity" in others)
            ):
                return None
            values.append((position, value))
    return values


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
            message = f"word {name!r} stands where word {expected} is expected"
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
