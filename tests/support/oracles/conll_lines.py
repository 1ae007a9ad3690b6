"""CoNLL files line by line, with everything made of every line: what a reader must find that passes most of them by.

Brackets are read with a stack for each id and words numbered through the document, as the format describes them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

EMPTY = ("-", "_", "*", "")
BRACKET = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")


class FaultError(Exception):
    """What a file is refused for: the code, and the line."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(code, line)


class PlainSentence(NamedTuple):
    """A sentence and where it begins."""

    line: int
    words: list[str]
    lines: list[str]


class PlainDocument(NamedTuple):
    """Sentences, and the mentions of each id as pairs of (number of sentence, number of word)."""

    sentences: list[PlainSentence]
    entities: dict[str, list[list[tuple[int, int]]]]
    reopened: list[int]
    """The lines of cells that close an id and open it again."""
    misspelt: list[int]


def read(lines: list[str], first_line: int, before: int, word: int, skeleton: int, longest: int) -> PlainDocument:
    """The document of these lines, the first of which begins it."""
    document = PlainDocument([], {}, [], [])
    places: list[tuple[int, int]] = []
    opened: dict[str, list[int]] = {}
    open_sentence = ended = False
    pending: list[str] = []
    for number, line in enumerate(lines, first_line):
        if line.startswith("#") and not line.startswith("#\t"):
            ended |= re.match(r"#[ ]?end document\b", line) is not None
            if number > first_line and re.match(r"#\s*begin[\s_]*doc", line, re.IGNORECASE):
                document.misspelt.append(number)
            pending.append(line)
            continue
        if not line.strip():
            open_sentence = False
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2:
            raise FaultError("one-column", number)
        if ended:
            raise FaultError("words-outside-documents", number)
        if not open_sentence or len(document.sentences[-1].words) == longest:
            document.sentences.append(PlainSentence(number, [], []))
            open_sentence, pending = True, []
        sentence = document.sentences[-1]
        form = cells[word] if len(cells) > skeleton else cells[-2]
        sentence.words.append(f"{len(sentence.words) + 1}\t{form}")
        sentence.lines.extend([*pending, line])
        pending = []
        places.append((before + len(document.sentences), len(sentence.words)))
        if (cell := cells[-1].strip()) not in EMPTY:
            _cell(cell, number, len(places) - 1, opened, places, document)
    for stack in opened.values():
        if stack:
            raise FaultError("never-closed", document.sentences[places[stack[-1]][0] - before - 1].line)
    return document._replace(entities={id_: sorted(held, key=_order) for id_, held in document.entities.items()})


def _order(mention: list[tuple[int, int]]) -> Any:
    return mention[0], -len(mention)


def _cell(
    cell: str,
    line: int,
    word: int,
    opened: dict[str, list[int]],
    places: list[tuple[int, int]],
    document: PlainDocument,
) -> None:
    chunks = BRACKET.findall(cell)
    for kind in (0, 1):
        for chunk in chunks:
            if chunk[kind]:
                document.entities.setdefault(chunk[kind], [])
    fresh: dict[str, int] = {}
    closed_before: set[str] = set()
    for single, opening, closing, _, bare in chunks:
        if single:
            document.entities[single].append([places[word]])
        elif opening:
            opened.setdefault(opening, []).append(word)
            fresh[opening] = fresh.get(opening, 0) + 1
        elif closing:
            if fresh.get(closing):
                fresh[closing] -= 1
            else:
                closed_before.add(closing)
            if not opened.get(closing):
                raise FaultError("closed-never-opened", line)
            document.entities[closing].append(places[opened[closing].pop() : word + 1])
        elif not opened.get(bare):
            raise FaultError("bad-cell", line)
    document.reopened.extend(line for id_ in closed_before if fresh.get(id_))
