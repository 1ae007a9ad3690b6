"""The word that a zero is printed behind: of the words that govern it in DEPS the one highest in the tree.

Of equally high ones, the first one of the column counts. A zero that only the root governs stands before the first
word of its sentence, which is the place of word 0; one that no word governs stays behind the word before it.
"""

from __future__ import annotations

from ...base.document import Sentence, is_comment
from ...base.positions import MINOR_MASK, parse_position

HEAD_COLUMN, DEPS_COLUMN = 6, 8


def governors(sentence: Sentence) -> dict[int, int]:
    """The position of the word that each empty node of a sentence is printed behind, in the order of the nodes."""
    if not sentence.empty:
        return {}
    rows = {
        line.partition("\t")[0]: line.split("\t") for line in sentence.lines if line and not is_comment(line)
    }
    parents = {name: row[HEAD_COLUMN] for name, row in rows.items() if len(row) > HEAD_COLUMN}
    found = {}
    for name in sentence.empty:
        place = parse_position(sentence.number, name)
        if place is not None:
            words = _governing(rows[name])
            highest = min(words, key=lambda word: _depth(word, parents)) if words else ""
            governor = parse_position(sentence.number, highest)
            own = place & ~MINOR_MASK
            found[place] = governor if governor is not None and (highest in rows or highest == "0") else own
    return dict(sorted(found.items()))


def _governing(row: list[str]) -> list[str]:
    """The words that the DEPS of an empty node name."""
    deps = row[DEPS_COLUMN].split("|") if len(row) > DEPS_COLUMN else []
    names = [item.partition(":")[0] for item in deps if ":" in item]
    return [name for name in names if name.isdigit()]


def _depth(word: str, parents: dict[str, str]) -> int:
    """How many words are above a word; as many as there are if they go round in a circle."""
    depth = 0
    while word in parents and depth <= len(parents):
        word, depth = parents[word], depth + 1
    return depth
