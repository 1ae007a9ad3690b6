"""Counting in an engine: problems of two tables, and the histograms of their cells and entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...core.table import Weighing
from ..batched_table import BatchedTable, CellHistogram, PartialAssignment
from . import sql
from .base import Scratch
from .certain_cells import CertainCells
from .sql import Shape

EXAMPLES = 5
INTEGERS = {"byte", "hugeint", "int", "integer", "long", "short", "uhugeint", *("tinyint", "smallint", "bigint")}
INTEGERS |= {f"u{name}" for name in INTEGERS}
TEXTS = {"char", "string", "text", "varchar"}
FLOATS = {"double", "float", "real"}


class RepeatedMention(NamedTuple):
    """A mention that a side has more than once."""

    document: str
    """Empty if mentions have no document."""
    mention: str
    entities: tuple[str, ...]
    """Its entity, or the first and the last of them."""
    times: int


class SideFacts(NamedTuple):
    """The counts and problems of one side."""

    rows: int
    missing: Mapping[str, int]
    """How many rows have no ``document``, ``mention`` or ``entity`` (or ``entity_1``, … of further columns)."""
    documents: int = 0
    entities: int = 0
    """Singletons included, also if these are dropped."""
    singletons: int = 0
    several: int = 0
    """How many mentions are in several entities."""
    again: int = 0
    """How many mentions occur repeatedly in the same entity."""
    repeated: tuple[RepeatedMention, ...] = ()
    """Some of them."""
    lacks: int = 0
    """How many documents only the other side has."""
    lacking: str = ""
    """One of them."""
    example: tuple[str, ...] = ()
    """A mention of this side if the sides have none in common: its document, if it has one, and its id."""


class Cast(NamedTuple):
    """Columns of different types, compared as text."""

    role: str
    key: str
    response: str


class Facts(NamedTuple):
    """The counts and problems of both sides."""

    key: SideFacts
    response: SideFacts
    cast: tuple[Cast, ...] = ()
    common: int = 0
    """The number of mentions that both sides have."""
    mentions: tuple[int, int] = (0, 0)
    """The numbers of mentions of key and response, repeats dropped if so asked."""
    fatal: bool = False
    """Whether nothing can be counted: ids are missing, or mentions are in several entities."""


def kind_of(type_: str) -> str:
    """The kind of a column by the engine's name of its type: ``int``, ``text``, ``float``, or the type itself.

    >>> kind_of("BIGINT"), kind_of("VARCHAR"), kind_of("char(3)"), kind_of("DATE")
    ('int', 'text', 'text', 'date')
    """
    name = type_.lower().partition("(")[0].strip()
    families = {"int": INTEGERS, "text": TEXTS, "float": FLOATS}
    return next((kind for kind, names in families.items() if name in names), type_.lower())


def survey(scratch: Scratch, side: str, kinds: Mapping[str, str], step: str) -> tuple[SideFacts, bool]:
    """Count rows and missing values; and whether a mention may be repeated so often that a join would not end."""
    found = {name: int(column[0]) for name, column in scratch.fetch(sql.survey(side, kinds), step).items()}
    missing = {role: rows for role in kinds if (rows := found["total"] - found[f"with_{role}"])}
    too_full = found["fullest"] > 10_000 + 8 * found["total"] // sql.BUCKETS
    return SideFacts(found["total"], missing), too_full


def find_repeats(scratch: Scratch, side: str, shape: Shape, facts: SideFacts, step: str) -> SideFacts:
    """Facts with the repeated mentions added."""
    table = scratch.make("repeats", sql.repeats(side, shape), step)
    counted = scratch.fetch(sql.repeats_counted(table), step)
    rows = scratch.fetch(sql.repeats_shown(table, shape, EXAMPLES), step)
    scratch.drop(table)
    repeated = tuple(
        [
            RepeatedMention(document, mention, tuple(dict.fromkeys((first, last))), int(times))
            for document, mention, first, last, times in zip(
                rows.get("document", [""] * len(rows["mention"])),
                *(rows[name] for name in ("mention", "first_entity", "last_entity", "times")),
                strict=True,
            )
        ]
    )
    return facts._replace(several=int(counted["several"][0]), again=int(counted["again"][0]), repeated=repeated)


def example(scratch: Scratch, side: str, shape: Shape) -> tuple[str, ...]:
    """The document, if there is one, and the id of a mention of a side."""
    rows = scratch.fetch(sql.one_mention(side, shape), "looking for an example")
    return tuple([str(rows[name][0]) for name in shape.mention if len(rows[name])])


BATCH = 2_000_000
"""About so many pairs of entities make a batch."""
ENTITY = ("size", "matched", "best")
PIECES = ("entity", "size", "pieces", "largest", "missing", "foreigners")
STEP = "counting equal cells"


class PairCounts:
    """The pairs of entities of key and one response; without singletons if ``singletons`` is ``drop``."""

    def __init__(self, scratch: Scratch, pairs: str, shape: Shape, whole: str, singletons: str = "keep") -> None:
        self._scratch, self._shape = scratch, shape
        self._parts = ""
        self._names, self._pieces, self._mentions = [whole], [0], ([1], [1])
        if shape.part:
            self._parts = scratch.make("parts", sql.parts(pairs), "numbering documents")
            rows = scratch.fetch(sql.part_names(self._parts), "numbering documents")
            self._names, self._pieces = rows["name"].tolist(), rows["pieces"].tolist()
            self._mentions = rows["key"].tolist(), rows["response"].tolist()
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
        """Drop all tables of this response."""
        self._scratch.drop(*filter(None, [self._pairs, self._key, self._response, self._parts, *self._made]))

    def facts(self, side: int, facts: SideFacts) -> SideFacts:
        """Facts with the entities of a side and the documents that it lacks."""
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
        """The pieces of the entities of a side: columns of documents, entities, and the fields of ``Pieces``."""
        table = self._key if side == "key" else self._response
        shares = 1 + self._entity_counts(table)[0] // batch
        for index in range(shares):
            statement = sql.pieces(table, self._cells, side, shares, index)
            rows = self._scratch.fetch(statement, f"writing pieces of entities of the {side}")
            documents = [self._names[place] for place in rows["place"].tolist()]
            yield documents, *[rows[name] for name in PIECES]

    def batches(self, local: int, batch: int, kernel_limit: int) -> Iterator[tuple[list[str], BatchedTable]]:
        """The names of some documents, and their tables, in the order of names."""
        cells = self._cells
        certain = CertainCells(self._scratch, cells, local)
        ranges = list(_ranges(self._pieces, batch))
        sources: list[tuple[str, Sequence[str]]] = [
            *((cells, columns) for columns in (("n", "k", "r"), ("n", "rm"), ("n", "km"))),
            *((table, ENTITY) for table in (self._key, self._response)),
        ]
        if len(ranges) > 1:
            sources = [(self._make_histogram(table, columns), columns) for table, columns in sources]
        for first, after in ranges:
            histograms = []
            for table, columns in sources:
                statement = sql.histogram(table, columns)
                if len(ranges) > 1:
                    statement = sql.selected(table, ["place", *columns, "count"], sql.between(first, after))
                rows = self._scratch.fetch(statement, STEP)
                values = tuple([rows[name] for name in columns])
                histograms.append(CellHistogram(rows["place"] - first, values, rows["count"]))
            cell_sizes, matched, matched_back, key, response = histograms
            names = self._names[first:after]

            def peeled(weighing: Weighing, first: int = first, after: int = after) -> PartialAssignment:
                return certain.take(weighing, first, after)

            both = matched, matched_back
            yield names, BatchedTable(len(names), cell_sizes, key, response, both, peeled, kernel_limit=kernel_limit)

    def _make_histogram(self, table: str, columns: Sequence[str]) -> str:
        """A table with a histogram, ordered so that the documents of a batch are found without reading all."""
        statement = f"SELECT * FROM ({sql.histogram(table, columns)}) u ORDER BY place"
        made = self._scratch.make("histogram", statement, STEP)
        self._made.append(made)
        return made

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


def _ranges(pieces: Sequence[int], batch: int) -> Iterator[tuple[int, int]]:
    """Ranges of documents with about ``batch`` pieces, at least one document each.

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
