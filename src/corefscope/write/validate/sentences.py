"""The structure of one CoNLL-U sentence: columns, ids, order, ranges of multiword tokens, the tree."""

from __future__ import annotations

from typing import NamedTuple

from ...base.errors import amount
from ...base.positions import coordinates, node_name, parse_position, position
from ...read.corefud.fast import MULTIWORD
from ...read.corefud.nodes import Nodes
from ...read.corefud.sentences import has_entity
from .blocks import Block
from .problems import Problems, quoted

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
                problems.add("word-out-of-order", line, f"word {name} stands where {expected} is expected{again}")
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
        problems.add("bad-multiword-range", line, f"multiword token {name} stands before word {expected}")
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
        problems.add("misplaced-empty-node", line, f"empty node {name} stands after {after}")
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
