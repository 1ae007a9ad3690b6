"""Words and empty nodes of a sentence: their order, also that of CorefUD scorer 1.2, and their dependencies.

The official scorer reads some mentions differently because it orders nodes differently; :class:`OfficialNodes`
implements the differences, and the bracket parser is the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from ...core.document import Dependency, Mention, Sentence, is_comment
from ...core.positions import (
    MINOR_MASK,
    SENTENCE_SHIFT,
    WORD_MASK,
    WORD_SHIFT,
    NodeCuts,
    NodeRange,
    decimal,
    node_name,
    parse_position,
)
from ..sentences import RowWords


class Nodes:
    """The words and empty nodes of a sentence that has empty nodes."""

    __slots__ = ("_cuts", "order", "raw")

    def __init__(self, positions: list[int], raw: dict[str, str]) -> None:
        self.order: list[int] = self.sorted(positions)
        self._cuts: NodeCuts | None = None
        self.raw: dict[str, str] = raw
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
        return NodeRange(self.order, self._cuts, start, bisect_left(self.order, last, start) + 1)

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
    """The nodes of udapi, with which CorefUD scorer 1.2 reads; there are four differences.

    - Ids are decimal numbers: 1.1 and 1.10 are equal, and both precede 1.2; 1.01 precedes 1.1. Equal nodes keep the
      order of the file.
    - An open mention continues with the nodes after its last word, up to the node that closes it. If that one is not
      among them, because it is the same node or an equal one, the mention continues to the end of the sentence.
    - It continues from the last word so far, which in a mention of parts may belong to an earlier part.
    - Words of several sentences are sorted by their ids alone when heads are counted.
    """

    __slots__ = ()

    @staticmethod
    def sorted(positions: list[int]) -> list[int]:
        """The positions by their ids as decimal numbers."""
        return sorted(positions, key=lambda position: decimal(position) & WORD_MASK)

    def holds(self, position: int) -> bool:
        """Whether there is such a node, by its id as a decimal number."""
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


class OfficialOrder:
    """Sort key of mentions: by first word, then longer first, then by last word, then by the id of the entity.

    Mentions that begin with equal nodes, 1.1 and 1.10, keep their order, however long they are.
    """

    __slots__ = ("_end", "_first", "_start")

    def __init__(self, mention: Mention, id_: str = "") -> None:
        words = OfficialNodes.sorted(list(mention.positions)) if mention.broken else [mention.first, mention.last]
        self._first, self._start = words[0], decimal(words[0])
        self._end = -mention.size, decimal(words[-1]), id_

    def __lt__(self, other: OfficialOrder) -> bool:
        return self._end < other._end if self._first == other._first else self._start < other._start


class NewNode(NamedTuple):
    """An empty node to be added to a sentence."""

    place: int
    dependencies: tuple[Dependency, ...]
    form: str = "_"
    pos: str = "_"


def with_empty_nodes(sentence: Sentence, nodes: Iterable[NewNode]) -> Sentence:
    r"""Add empty nodes to a sentence: each after its word and earlier empty nodes, or after the comments.

    Files of CoNLL-UA may number words through the document: lines are found by their positions, and IDs are those of
    the file.

    >>> lines = ["# a comment", "1\tx", "1.1\t_", "2\ty"]
    >>> sentence = Sentence("", 0, 1, ["1\tx", "2\ty"], ["1.1"], lines)
    >>> nodes = [NewNode((1 << 20) + 2, ((1 << 20, "dep"),)), NewNode(1, ())]
    >>> [line.partition("\t")[0] for line in with_empty_nodes(sentence, nodes).lines]
    ['# a comment', '0.1', '1', '1.1', '1.2', '2']
    """
    lines = list(sentence.lines)
    first = next((index for index, line in enumerate(lines) if not is_comment(line)), len(lines))
    last_behind = {place & ~MINOR_MASK: place for place in sentence.nodes}  # in order: of several, the last
    added: dict[int, list[str]] = {}
    names = []
    for node in nodes:
        names.append(node_name(node.place))
        last = last_behind.get(node.place & ~MINOR_MASK)
        index = first if last is None else sentence.line_index(node_name(last)) + 1
        added.setdefault(index, []).append(_line(node, sentence))
    for index in sorted(added, reverse=True):
        lines[index:index] = added[index]
    return sentence._replace(lines=lines, unusual=[*sentence.unusual, *names])


def _line(node: NewNode, sentence: Sentence) -> str:
    """The line of a new node, with the ids of the file."""

    def id_of(place: int) -> str:
        return sentence.columns(node_name(place))[0] if place & WORD_MASK else "0"

    word = id_of(node.place & ~MINOR_MASK)
    name = f"{word}.{node.place & MINOR_MASK}" if word.isdigit() else node_name(node.place)
    deps = "|".join(f"{id_of(parent)}:{relation}" for parent, relation in node.dependencies)
    return "\t".join([name, node.form, "_", node.pos, "_", "_", "_", "_", deps or "_", "_"])


class BasicTree:
    """The basic dependencies of a sentence; false if its lines have none, as in a file of another format."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence

    def __bool__(self) -> bool:
        return bool(self._rows) and all(map(_has_ten_columns, self._rows))

    @cached_property
    def _rows(self) -> list[str]:
        """The lines of ordinary words."""
        if isinstance(self._sentence.words, RowWords):
            return self._sentence.words.rows
        rows = (line for line in self._sentence.lines if line and not is_comment(line))
        return [row for row in rows if not {".", "-"} & set(row.partition("\t")[0])]

    def parent(self, word: int) -> int | None:
        """The parent of a word, by its position; None if HEAD is not a number."""
        index = ((word & WORD_MASK) >> WORD_SHIFT) - 1
        if index >= len(self._rows) or not _has_ten_columns(self._rows[index]):
            return None
        return parse_position(self._sentence.number, self._rows[index].split("\t", 7)[6])


def _has_ten_columns(row: str) -> bool:
    return row.count("\t") == 9


def zero_dependencies(sentence: Sentence, head: int) -> tuple[Dependency, ...]:
    """The enhanced dependencies of a head that is an empty node; none if they name no node of the sentence."""
    try:
        return Nodes.of(sentence).dependencies(head) if head & MINOR_MASK else ()
    except LookupError:
        return ()
