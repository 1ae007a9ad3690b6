"""A document read a second time, as CorefUD scorer 1.2 reads it.

The bracket machine is the same. The nodes that it walks over stand in another order
(:class:`~.nodes.OfficialNodes`), and so do mentions and entities.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.document import Mention, Sentence
from ...core.positions import decimal
from .brackets import ID, MENTIONS, Brackets, Fields, ReaderSink, Row, rows_of
from .nodes import OfficialNodes
from .sentences import entity_values


def official_rows(parts: Sequence[Sequence[Sentence]], fields: Fields, path: str) -> list[Row]:
    """The entities of a document in the official order; ids are the same entities in one part of it only.

    Raises InputError, without a line, where the official scorer would stop.
    """
    rows: list[Row] = []
    for part in parts:
        sink = ReaderSink(path, lambda _: 0, None)
        brackets = Brackets(fields, sink)
        for sentence in part:
            values = dict(entity_values(sentence, sink))
            if values:
                nodes = OfficialNodes.of(sentence)
                brackets.feed([(node, values[node]) for node in nodes.order if node in values], nodes)
        brackets.finish()
        rows += rows_of(brackets, Place)
    return sorted(rows, key=lambda row: Place(row[MENTIONS][0], row[ID]))


class Place:
    """Where a mention stands: by first word, then longer first, then by last word, then by the id of its entity.

    Mentions that begin with equal nodes, 1.1 and 1.10, stay as they are, however long they are.
    """

    __slots__ = ("_end", "_first", "_start")

    def __init__(self, mention: Mention, id_: str = "") -> None:
        ends = [mention.first, mention.last]
        words = OfficialNodes.sorted(list(mention.positions)) if mention.broken else ends
        self._first, self._start = words[0], decimal(words[0])
        self._end = -mention.size, decimal(words[-1]), id_

    def __lt__(self, other: Place) -> bool:
        return self._end < other._end if self._first == other._first else self._start < other._start
