"""The words and empty nodes of a sentence, in our order and in that of the official scorer.

What the official scorer reads in another way, it reads so because of its order of nodes. :class:`OfficialNodes` says
what the differences are; the bracket machine knows nothing of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...base.document import Sentence
from ...base.mention import Dependency
from ...base.positions import (
    FAR,
    MINOR_MASK,
    SENTENCE_SHIFT,
    WORD_MASK,
    cuts_in,
    decimal,
    node_name,
    parse_position,
    run_ends,
)


class NodeCuts(NamedTuple):
    """Where runs begin in an order of positions, the first one aside, and how those before them end."""

    indices: list[int]
    ends: tuple[int, ...]
    """Two for each: the end of the run before, and the position that begins the next."""

    @classmethod
    def of(cls, order: Sequence[int]) -> NodeCuts:
        """The cuts in an order."""
        cuts = cuts_in(order)
        return cls(cuts, tuple(run_ends(order, cuts)))


class Stretch(Sequence[int]):
    """Positions of a sentence that follow each other in its order, from one index up to another."""

    __slots__ = ("_cuts", "_order", "_range")

    def __init__(self, order: Sequence[int], cuts: NodeCuts, start: int, stop: int) -> None:
        self._order, self._cuts, self._range = order, cuts, range(start, stop)

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, index: Any) -> Any:
        chosen = self._range[index]
        return self._order[chosen] if isinstance(chosen, int) else [self._order[i] for i in chosen]

    def runs(self) -> tuple[int, ...]:
        """As :func:`~corefscope.base.positions.runs_in` has them, found without looking at all positions."""
        start, stop = self._range.start, self._range.stop
        cuts, ends = self._cuts
        inside = slice(2 * bisect_right(cuts, start), 2 * bisect_left(cuts, stop))
        first, between, last = (self._order[start],), ends[inside], (FAR - self._order[stop - 1],)
        return first + between + last if between else ()  # to unpack them would make a list first


class Nodes:
    """The words and empty nodes of a sentence that has empty nodes."""

    __slots__ = ("_cuts", "order", "raw")

    def __init__(self, positions: list[int], raw: dict[str, str]) -> None:
        self.order = self.sorted(positions)
        self._cuts: NodeCuts | None = None
        self.raw = raw
        """The DEPS column of each empty node, by its id."""

    @classmethod
    def of(cls, sentence: Sentence) -> Nodes:
        """The nodes of a sentence."""
        names = [word.partition("\t")[0] for word in sentence.words] + sentence.empty
        positions = [parse_position(sentence.number, name) for name in names]
        empty = set(sentence.empty)
        rows = [line.split("\t") for line in sentence.lines if line.partition("\t")[0] in empty]
        return cls([position for position in positions if position is not None], {row[0]: row[8] for row in rows})

    @staticmethod
    def sorted(positions: list[int]) -> list[int]:
        """The positions in order."""
        return sorted(positions)

    def between(self, first: int, last: int) -> Sequence[int]:
        """All positions from ``first`` to ``last``, both included."""
        if self._cuts is None:
            self._cuts = NodeCuts.of(self.order)
        start = bisect_left(self.order, first)
        return Stretch(self.order, self._cuts, start, bisect_left(self.order, last, start) + 1)

    def holds(self, position: int) -> bool:
        """Whether there is such a word or empty node; the root (word 0) always exists."""
        return node_name(position) in self.raw if position & MINOR_MASK else position <= self.order[-1]

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


class OfficialNodes(Nodes):
    """The same as udapi has them, with which CorefUD scorer 1.2 reads; there are four differences.

    - Ids are decimal numbers: 1.1 and 1.10 are equal, and both come before 1.2; 1.01 comes before 1.1. Of equal nodes
      the first one of the file comes first.
    - What is opened goes on with the nodes after its last word, to the node that closes it. If that one is not among
      them, because it is the same node or an equal one, it goes on to the end of the sentence.
    - What goes on begins at the last word so far, which in a mention of parts may belong to an earlier part.
    - Words of several sentences are sorted by their ids alone, when heads are counted.
    """

    __slots__ = ()

    @staticmethod
    def sorted(positions: list[int]) -> list[int]:
        """The positions by their ids as decimal numbers."""
        return sorted(positions, key=lambda position: decimal(position) & WORD_MASK)

    def holds(self, position: int) -> bool:
        """Parents, too, are found by their ids as decimal numbers."""
        if not position & MINOR_MASK:
            return super().holds(position)
        index = bisect_left(self.order, decimal(position), key=decimal)
        return index < len(self.order) and decimal(self.order[index]) == decimal(position)

    def between(self, first: int, last: int) -> tuple[int, ...]:
        """``first``, and the nodes after it up to ``last``, or to the end if ``last`` does not come after it."""
        start = bisect_right(self.order, decimal(first), key=decimal)
        end = bisect_left(self.order, decimal(last), start, key=decimal)
        rest = self.order[start:]
        return (first, *rest[: rest.index(last, end - start) + 1 if decimal(last) > decimal(first) else None])
