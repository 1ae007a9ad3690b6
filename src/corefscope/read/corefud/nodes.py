"""The words and empty nodes of a sentence that has empty nodes."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from ...base.document import Dependency, Sentence
from ...base.positions import SENTENCE_SHIFT, WORD_MASK, node_name, parse_position


class Nodes(NamedTuple):
    """The words and empty nodes of a sentence that has empty nodes."""

    order: list[int]
    raw: dict[str, str]
    """The DEPS column of each empty node, by its id."""

    @classmethod
    def of(cls, sentence: Sentence) -> Nodes:
        """The nodes of a sentence in the order of the text."""
        names = [word.partition("\t")[0] for word in sentence.words] + sentence.empty
        positions = [parse_position(sentence.number, name) for name in names]
        empty = set(sentence.empty)
        rows = [line.split("\t") for line in sentence.text.split("\n") if line.partition("\t")[0] in empty]
        return cls(
            sorted(position for position in positions if position is not None), {row[0]: row[8] for row in rows}
        )

    def between(self, first: int, last: int) -> tuple[int, ...]:
        """All positions from ``first`` to ``last``, both included."""
        start = bisect_left(self.order, first)
        return tuple(self.order[start : bisect_left(self.order, last, start) + 1])

    def holds(self, position: int) -> bool:
        """Whether there is such a word or empty node; the root (word 0) always exists."""
        index = bisect_left(self.order, position)
        return (index < len(self.order) and self.order[index] == position) or not position & WORD_MASK

    def dependencies(self, position: int) -> tuple[Dependency, ...]:
        """The DEPS of an empty node as (position of the parent, relation).

        Raises LookupError with an item that names no parent.
        """
        raw = self.raw[node_name(position)]
        dependencies = []
        for item in raw.split("|") if raw != "_" else ():
            parent, colon, relation = item.partition(":")
            parent_position = parse_position(position >> SENTENCE_SHIFT, parent)
            if not colon or parent_position is None or not self.holds(parent_position):
                raise LookupError(item)
            dependencies.append((parent_position, relation))
        return tuple(dependencies)
