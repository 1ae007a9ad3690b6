"""Level 1: the lines of a sentence, their columns, and the order of ids. What fails here is not looked at further."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import is_normalized

from ..problems import quoted
from .sentence import BLANK, EMPTY, FORM, ID, LEMMA, MISC, MULTIWORD, NAMES, Note, UDRow, UDSentence, number

BLANKS = re.compile(rf"{BLANK}+")
TWO_BLANKS = re.compile(rf"{BLANK}{BLANK}")
BAD_CHARACTER = "\ufffd"


def is_end(line: str) -> bool:
    """Whether a line ends a sentence: it is empty, or looks so."""
    return not line or BLANKS.fullmatch(line) is not None


def read_sentence(lines: Sequence[str], first: int, note: Note) -> UDSentence | None:
    """The sentence of these lines, the empty one after it included; None if it is too faulty to go on."""
    if not _check_lines(lines, first, note):
        return None
    comments = next((index for index, line in enumerate(lines) if line[:1] != "#"), len(lines))
    end = len(lines) - is_end(lines[-1])
    rows = [UDRow(first + index, lines[index].split("\t")) for index in range(comments, end)]
    sound = True
    for row in rows:
        if len(row.columns) == len(NAMES):
            _check_blanks(row, note)
        else:
            note("number-of-columns", row.line, f"{len(row.columns)} columns instead of {len(NAMES)}")
            sound = False
    if not sound or not _check_ids(rows, first + comments, note) or not _check_overlaps(rows, note):
        return None
    return UDSentence(first, lines[:comments], rows)


def _check_lines(lines: Sequence[str], first: int, note: Note) -> bool:
    """Comments, then rows, then an empty line; whether to go on."""
    sound, words, begun = True, False, False
    for number_, line in enumerate(lines, first):
        if BAD_CHARACTER in line:
            note("invalid-utf", number_, "bytes that are not UTF-8, or U+FFFD in their place")
        if not is_normalized("NFC", line):
            note("unicode-normalization", number_, "characters that are not in the normal form NFC")
        if line[:1] == "#":
            if begun:
                note("misplaced-comment", number_, f"comment {quoted(line)} after words of the sentence")
                sound = False
            continue
        begun = True
        if line[:1].isdigit():
            words = True
        elif not is_end(line):
            note("invalid-line", number_, f"{quoted(line)} begins neither with a digit nor with '#'")
            sound = False
        elif line:
            note("pseudo-empty-line", number_, "a line of blanks")
    last = first + len(lines) - 1
    if not is_end(lines[-1]):
        note("missing-empty-line", last, "the file ends without an empty line after this")
        return words
    if not words:
        note("empty-sentence", last, "no words before this empty line")
    return sound and words


def _check_blanks(row: UDRow, note: Note) -> None:
    """FORM, LEMMA and MISC may have blanks inside; of a multiword token, only MISC."""
    if all(row.columns) and not any(map(str.isspace, "".join(row.columns))):
        return
    allowed = (MISC,) if row.is_multiword else (FORM, LEMMA, MISC)
    for index, (name, value) in enumerate(zip(NAMES, row.columns, strict=True)):
        shown = f"{name} {quoted(value)}"
        if index not in allowed and BLANKS.search(value):
            test = "invalid-whitespace-mwt" if index in (FORM, LEMMA) else "invalid-whitespace"
            note(test, row.line, f"blank in {shown}")
            continue
        if not value:
            note("empty-column", row.line, f"{name} is empty")
            continue
        if value[0].isspace():
            note("leading-whitespace", row.line, f"{shown} begins with a blank")
        if value[-1].isspace():
            note("trailing-whitespace", row.line, f"{shown} ends in a blank")
        if TWO_BLANKS.search(value):
            note("repeated-whitespace", row.line, f"two blanks in a row in {shown}")


def _check_ids(rows: Sequence[UDRow], first: int, note: Note) -> bool:
    """Words 1, 2, …, empty nodes after their words, multiword tokens before theirs; whether all is well."""
    sound = True
    words: list[int] = []
    tokens: list[tuple[int, int, int]] = []  # first and last word, line: of multiword tokens, and of other words
    word, minor = 0, 1  # the latest word, and the empty node that may come next

    def fault(test: str, line: int, message: str) -> None:
        nonlocal sound
        sound = False
        note(test, line, message)

    for row in rows:
        name, line = row.id, row.line
        if row.is_word:
            word, minor = number(name), 1
            words.append(word)
            if not (tokens and tokens[-1][0] <= word <= tokens[-1][1]):
                tokens.append((word, word, line))
        elif span := MULTIWORD.fullmatch(name):
            minor = 1
            if words and number(span[1]) <= words[-1]:
                fault("misplaced-word-interval", line, f"multiword token {quoted(name)} comes after its first word")
            else:
                tokens.append((number(span[1]), number(span[2]), line))
        elif node := EMPTY.fullmatch(name):
            if (number(node[1]), number(node[2])) != (word, minor):
                fault("misplaced-empty-node", line, f"empty node {quoted(name)} stands where {word}.{minor} would")
            minor += 1
            if number(node[1]) == word and tokens and word < tokens[-1][0]:
                message = f"empty node {quoted(name)} stands after multiword token {tokens[-1][0]}-{tokens[-1][1]}"
                fault("misplaced-empty-node", line, message)
        else:
            fault("invalid-word-id", line, f"{quoted(row.columns[ID])} is no id")
    if words != list(range(1, len(words) + 1)):
        fault("word-id-sequence", first, "words are not numbered 1, 2, 3, …")
    for begin, end, line in tokens:
        if end < begin:
            fault("reversed-word-interval", line, f"multiword token {begin}-{end} ends before it begins")
        elif end > len(words):
            fault("word-interval-out", line, f"{begin}-{end} is beyond the {len(words)} words of the sentence")
    return sound


def _check_overlaps(rows: Sequence[UDRow], note: Note) -> bool:
    sound, latest = True, 0
    for row in rows:
        if span := MULTIWORD.fullmatch(row.id):
            if number(span[1]) <= latest:
                note("overlapping-word-intervals", row.line, f"multiword token {row.id} overlaps another")
                sound = False
            latest = max(latest, number(span[2]))
    return sound
