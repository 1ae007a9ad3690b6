"""CoNLL-U sentences: cut, checked and numbered, without looking at columns nobody needs.

A sentence of plain words is checked by counting its tabs and lines; only one whose counts do not add up
is examined line by line, to name the fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import NoReturn

from ...base.document import Sentence
from ...base.errors import InputError, amount
from ...base.positions import parse_position
from .sink import ReaderSink

WORD = re.compile(r"\n([0-9]+\t[^\t\n]*)")
UNUSUAL = re.compile(r"\n([0-9]+[-.][0-9]+)\t")  # multiword tokens and empty nodes
MULTIWORD = re.compile(r"[0-9]+-[0-9]+")
SENT_ID = re.compile(r"\n# sent_id[^\S\n]*=?[^\S\n]*([^\s=]\S*)")
NUMBERS = [f"{number}\t" for number in range(1, 512)]


def sentences(
    text: str, number: int, line: int, path: str, lost: Callable[[int], object] = int
) -> Iterator[tuple[Sentence, list[str], int]]:
    """The sentences of a text, numbered after ``number``; its first line is ``line`` of the file at ``path``.

    Each comes with its lines, and how many of them come before the words (0 if comments and words are mixed).
    Blocks without any ordinary word are skipped; ``lost`` is told the lines of those that hold an Entity.
    """
    for block in text.split("\n\n"):
        if block[:1] == "\n" or block[-1:] == "\n":  # more than one empty line, or the end of the file
            stripped = block.lstrip("\n")
            line += len(block) - len(stripped)
            block = stripped.rstrip("\n")
        marked = "\n" + block
        words = WORD.findall(marked)
        lines = block.split("\n")
        complete = [line.count("\t") for line in lines].count(9)
        unusual = UNUSUAL.findall(marked) if complete != len(words) else []
        comments = len(lines) - len(words) - len(unusual)
        if (
            complete != len(words) + len(unusual)
            or not all(map(str.startswith, words, NUMBERS))
            or len(words) > len(NUMBERS)
            or (unusual and not _well_named(unusual))
            or not all(map(str.startswith, lines[:comments], repeat("#")))
            or "\t" in "".join(lines[:comments])  # a comment could be taken for a word when columns are counted
        ):
            _examine(lines, line, path)
            comments = 0
        if words:
            number += 1
            sent_id = SENT_ID.search(marked)
            name = sent_id[1] if sent_id else str(number)
            yield Sentence(name, number, line, words, unusual, block), lines, comments
        elif unusual and hold_entity(lines):
            lost(line)
        line += len(lines) + 1


def entity_values(sentence: Sentence, lines: list[str], sink: ReaderSink) -> list[tuple[int, str]]:
    """The nodes of a sentence with an Entity, each with its position and value, in the order of the positions."""
    values: list[tuple[int, str]] = []
    for number, line in enumerate(lines, sentence.line):
        if "Entity" not in line:
            continue
        columns = line.split("\t")
        place = parse_position(sentence.number, columns[0])
        if place is None:  # a comment, or a multiword token: what that carries is ignored
            if MULTIWORD.fullmatch(columns[0]) and has_entity(columns[9]):
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


def _well_named(unusual: list[str]) -> bool:
    """Whether empty nodes have ids that can be, each its own."""
    empty = [name for name in unusual if "." in name]
    return len(set(empty)) == len(empty) and all(parse_position(0, name) is not None for name in empty)


def _examine(lines: list[str], line: int, path: str) -> None:
    """Name the fault in a sentence whose counts do not add up; one that is valid if unusual passes."""
    words = 0
    empty: set[str] = set()
    for number, text in enumerate(lines if lines != [""] else [], line):

        def fail(code: str, message: str, hint: str, number: int = number) -> NoReturn:
            raise InputError(message, path=path, line=number, hint=hint, code=code)

        if text[:1] == "#":
            continue
        columns = text.split("\t")
        name = columns[0]
        if len(columns) != 10:
            fail(*_wrong_columns(text, len(columns)))
        if MULTIWORD.fullmatch(name):
            continue
        if parse_position(0, name) is None:
            hint = "ids are 1, 2, … or 2.1 (empty node) or 2-3 (multiword)"
            fail("bad-id", f"{name!r} is not the id of a word", hint)
        if "." in name:
            if name in empty:
                message = f"empty node {name} comes twice in the sentence"
                fail("repeated-empty-node", message, "number empty nodes 2.1, 2.2, …")
            empty.add(name)
        else:
            words += 1
            if name != str(words):
                message = f"word {name!r} stands where word {words} is expected"
                fail("word-out-of-order", message, "number the words 1, 2, 3, …")


def _wrong_columns(line: str, columns: int) -> tuple[str, str, str]:
    """Code, message and hint."""
    if not line.strip():
        return "line-of-blanks", "a line of blanks", "sentences are separated by a line that is really empty"
    message = f"{amount(columns, 'column')} instead of 10: not CoNLL-U"
    if columns == 1 and len(line.split()) >= 8:
        return "wrong-columns", message, "columns are separated by blanks here: CoNLL-U needs tabs"
    return "wrong-columns", message, "CoNLL-U has ten columns separated by tabs, '_' for an empty one"
