"""Part of speech and speaker of words, from the lines of a sentence as they stand in its file."""

from __future__ import annotations

from typing import NamedTuple

from ..base.document import Sentence, is_comment

UNKNOWN = ("-", "*", "_")


class Tag(NamedTuple):
    """What is known of a word besides coreference; empty if it is not known."""

    pos: str
    speaker: str


def of_conllu(sentence: Sentence) -> list[Tag]:
    """XPOS, or else UPOS; the speaker stands in a comment."""
    speaker, tags = "", []
    for line in sentence.lines:
        if line[:1] == "#":
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == "speaker":
                speaker = value.strip()
            continue
        columns = line.split("\t") if "\t" in line else [*line.split(), ""]  # CoNLL-UA may have blanks
        if columns[0].isdigit():
            tags.append(Tag(next((tag for tag in columns[4:2:-1] if tag != "_"), ""), speaker))
    return tags


def of_conll(sentence: Sentence) -> list[Tag]:
    """The fifth and the tenth column of a file that has all; which columns a shorter one has cannot be known."""
    rows = conll_rows(sentence)
    if any(len(row) < 12 for row in rows):
        return []
    cells = [(row[4].strip(), row[9].strip()) for row in rows]
    return [Tag(*("" if cell in UNKNOWN else cell for cell in pair)) for pair in cells]


def conll_rows(sentence: Sentence) -> list[list[str]]:
    """The columns of the words of a CoNLL file."""
    lines = [line for line in sentence.lines if line and not is_comment(line)]
    return [line.split("\t") if "\t" in line else line.split() for line in lines]
