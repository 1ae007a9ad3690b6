"""From pairs of entities to stacks: documents are numbered, entities measured, and what looks alike is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ..histogram import Looks, PartialAssignment, Stack
from ..terms import Weighing
from . import statements as sql
from .base import Scratch
from .certain_cells import CertainCells
from .facts import SideFacts
from .statements import Shape

BATCH = 2_000_000
"""About so many pairs of entities make a stack."""
ENTITY = ("size", "matched", "best")
PIECES = ("entity", "size", "pieces", "largest", "missing", "foreigners")
STEP = "counting what looks alike"


class Counted:
    """The pairs of one response, counted; without entities of one mention if ``singletons`` is ``drop``."""

    def __init__(self, scratch: Scratch, pairs: str, shape: Shape, whole: str, singletons: str = "keep") -> None:
        self._scratch, self._shape = scratch, shape
        self._parts = ""
        self._names, self._pieces, self._mentions = [whole], [0], ([1], [1])
        if shape.part:
            self._number_parts(pairs)
        self._key, self._response = self._measured(pairs)
        self._counts = [self._entity_counts(table) for table in (self._key, self._response)]
        if singletons == "drop":
            statement = sql.without_singletons(pairs, self._key, self._response, shape)
            kept = scratch.make("pairs", statement, "dropping singletons")
            scratch.drop(self._key, self._response, pairs)
            pairs = kept
            self._key, self._response = self._measured(pairs)
        self._pairs = pairs
        self._made: list[str] = []

    def drop(self) -> None:
        """Make room for the next response."""
        self._scratch.drop(*filter(None, [self._pairs, self._key, self._response, self._parts, *self._made]))

    def facts(self, side: int, facts: SideFacts) -> SideFacts:
        """What was found about a side, with its entities and the documents that it lacks."""
        entities, singletons = self._counts[side]
        facts = facts._replace(entities=entities, singletons=singletons)
        if self._shape.part != "document":
            return facts
        lacks = [name for name, mentions in zip(self._names, self._mentions[side], strict=True) if not mentions]
        present = len(self._names) - len(lacks)
        return facts._replace(documents=present, lacks=len(lacks), lacking=lacks[0] if lacks else "")

    @cached_property
    def _cells(self) -> str:
        statement = sql.cells(self._pairs, self._key, self._response, self._shape)
        cells = self._scratch.make("cells", statement, "measuring cells")
        self._made.append(cells)
        self._scratch.drop(self._pairs)
        return cells

    def pieces(self, side: str, batch: int) -> Iterator[Sequence[Any]]:
        """What became of the entities of a side: columns of documents, entities, and the fields of ``Pieces``."""
        table = self._key if side == "key" else self._response
        shares = 1 + self._entity_counts(table)[0] // batch
        for index in range(shares):
            statement = sql.pieces(table, self._cells, side, sql.share_of(shares, index))
            rows = self._scratch.fetch(statement, f"writing what became of entities of the {side}")
            documents = [self._names[place] for place in rows["place"].tolist()]
            yield documents, *[rows[name] for name in PIECES]

    def batches(self, local: int, batch: int, kernel_limit: int) -> Iterator[tuple[list[str], Stack]]:
        """The names of some documents, and their tables, in the order of names."""
        cells = self._cells
        certain = CertainCells(self._scratch, cells, local)
        ranges = list(_ranges(self._pieces, batch))
        several = len(ranges) > 1
        tables = [self._histogram(cells, columns, several) for columns in (("n", "k", "r"), ("n", "rm"), ("n", "km"))]
        tables += [self._histogram(table, ENTITY, several) for table in (self._key, self._response)]
        for first, after in ranges:
            looked = [self._looks(*table, first, after) for table in tables]
            looks, matched, matched_back, key, response = looked
            names = self._names[first:after]

            def peeled(weighing: Weighing, first: int = first, after: int = after) -> PartialAssignment:
                return certain.take(weighing, first, after)

            both = matched, matched_back
            yield names, Stack(len(names), looks, key, response, both, peeled, kernel_limit=kernel_limit)

    def _number_parts(self, pairs: str) -> None:
        self._parts = self._scratch.make("parts", sql.parts(pairs), "numbering documents")
        rows = self._scratch.fetch(sql.part_names(self._parts), "numbering documents")
        self._names, self._pieces = rows["name"].tolist(), rows["pieces"].tolist()
        self._mentions = rows["key"].tolist(), rows["response"].tolist()

    def _measured(self, pairs: str) -> list[str]:
        """The tables of the entities of both sides."""
        dialect = self._scratch.engine.dialect
        return [
            self._scratch.make(
                f"{side}_entities",
                sql.entities(pairs, side, self._shape, dialect, self._parts),
                f"measuring entities of the {side}",
            )
            for side in ("key", "response")
        ]

    def _entity_counts(self, table: str) -> tuple[int, int]:
        rows = self._scratch.fetch(sql.entity_counts(table), "measuring entities")
        return int(rows["entities"][0]), int(rows["singletons"][0])

    def _histogram(self, table: str, columns: Sequence[str], several: bool) -> tuple[str, Sequence[str], bool]:
        """A table of which some documents can be had; made beforehand if it is asked several times."""
        if not several:
            return table, columns, False
        looks = self._scratch.make("looks", sql.ordered(sql.histogram(table, columns)), STEP)
        self._made.append(looks)
        return looks, columns, True

    def _looks(self, table: str, columns: Sequence[str], made: bool, first: int, after: int) -> Looks:
        where = sql.between(first, after)
        statement = sql.histogram(table, columns)
        if made:
            statement = sql.selected(table, ["place", *columns, "count"], where)
        rows = self._scratch.fetch(statement, STEP)
        return Looks(rows["place"] - first, tuple([rows[name] for name in columns]), rows["count"])


def _ranges(pieces: Sequence[int], batch: int) -> Iterator[tuple[int, int]]:
    """Documents in stretches of about so many pieces; at least one document each.

    >>> list(_ranges([3, 3, 9, 1, 1], 7))
    [(0, 2), (2, 3), (3, 5)]
    """
    first = held = 0
    for index, more in enumerate(pieces):
        if held and held + more > batch:
            yield first, index
            first, held = index, 0
        held += more
    yield first, len(pieces)
