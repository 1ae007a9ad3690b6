"""Counting in an engine: problems of two tables, the histograms of their cells and entities, and certain cells.

For CEAF, the engine takes certain cells until the others fit into this process.

By margins
    The other cells of a row share its k' − n other mentions with counterparts. None of them weighs more than one cell
    of all of these would whose response entity has nothing else. A cell that outweighs this bound of its row and that
    of its column together is in every best assignment, and no other such cell shares its row or column.
By leaders
    A cell that is the heaviest of its row and of its column is taken if it is certain
    (:func:`corefscope.core.matching.assignment.is_certain`), in rounds, while there are more cells than fit.

The cells that were taken are fetched as a histogram; no weight is ever added up by an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from ...core.matching.assignment import is_certain
from ...core.numbers import Numeric
from ...core.table import Weighing
from ..batched_table import BatchedTable, CellHistogram, OpenCells, PartialAssignment
from ..large_assignment import renumber
from . import sql
from .base import Columns, Scratch
from .sql import Shape, Symbol, at_least_0

SIZES = ("n", "k", "r", "km", "rm")
CELL = ("place", "key", "response", *SIZES)
SLACK = 1e-9
"""A smaller margin is not certain: weights are rounded."""
SLOW_ROUND = 0.9
"""Share of cells left after a round: with more, further rounds would take hardly any."""
FAR_TOO_MANY = 10
"""With so many times the cells that may be fetched, every round is worth its time."""


def margin(
    weighing: Weighing,
    n: Numeric,
    k: Numeric,
    r: Numeric,
    km: Numeric,
    rm: Numeric,
    at_least_0: Callable[[Numeric], Numeric],
) -> Numeric:
    """Compute by how much a cell outweighs all alternatives of its row and its column together."""
    in_row, in_column = km - n, rm - n
    row = weighing(in_row, k, in_row, km, in_row)
    column = weighing(in_column, in_column, r, in_column, rm)
    return weighing(n, k, r, km, rm) - (at_least_0(row) + at_least_0(column))


class CertainCells:
    """Partial assignments of documents whose cells are in the engine."""

    def __init__(self, scratch: Scratch, cells: str, local: int) -> None:
        self._scratch, self._cells, self._local = scratch, cells, local
        self._held: tuple[tuple[int, int], Columns] | None = None

    def take(self, weighing: Weighing, first: int, after: int) -> PartialAssignment:
        """Take the certain cells of the documents from ``first`` up to ``after``."""
        if not self._held or self._held[0] != (first, after):
            self._held = None
            here = sql.between(first, after)
            if _number(self._scratch.fetch(sql.counted(self._cells, here), "counting cells")) > self._local:
                return self._take_in_engine(weighing, first, here)
            self._held = (first, after), self._fetch(self._cells, here)
        return _take_here(weighing, self._held[1], first)

    def _take_in_engine(self, weighing: Weighing, first: int, here: str) -> PartialAssignment:
        """Take cells in the engine: by margins at once, then by leaders in rounds."""
        name = weighing.term.__name__.replace("_", " ")
        n, k, r, km, rm = map(Symbol, SIZES)
        weight, outweighs = weighing(n, k, r, km, rm), margin(weighing, n, k, r, km, rm, at_least_0)
        columns = [*CELL, f"CAST({weight} AS DOUBLE) AS weight", f"CAST({outweighs} AS DOUBLE) AS margin"]
        in_range = f"SELECT {', '.join(columns)} FROM {self._cells} t{here}"
        weighed = f"(SELECT * FROM ({in_range}) u WHERE weight > 0)"
        certain = f"SELECT {', '.join(CELL)} FROM {weighed} w WHERE margin > CAST('{SLACK}' AS DOUBLE)"
        taken = [self._scratch.make("taken", certain, f"peeling {name}")]
        left, number = self._left(weighed, taken[0], f"peeling {name}")
        while number > self._local:
            step = f"peeling {name}, round {len(taken)}: {number:,} cells left"
            leading = self._scratch.make("taken", _select_leaders(left), step)
            if not _number(self._scratch.fetch(sql.counted(leading), step)):
                self._scratch.drop(leading)
                break
            taken.append(leading)
            before, number_before = left, number
            left, number = self._left(before, leading, step)
            self._scratch.drop(before)
            if SLOW_ROUND * number_before < number < FAR_TOO_MANY * self._local:
                break
        united = " UNION ALL ".join([f"SELECT {', '.join(CELL)} FROM {table} u" for table in taken])
        taken_cells = self._scratch.fetch(sql.histogram(f"({united})", SIZES), "fetching cells")
        rows = self._fetch(left, "")
        self._scratch.drop(left, *taken)
        return _partial_assignment(taken_cells, rows, first)

    def _left(self, cells: str, taken: str, step: str) -> tuple[str, int]:
        """Keep the cells that share no row and no column with those that were taken; count them.

        One side at a time, so that one hash table is in memory.
        """
        made: list[str] = []
        for side, _ in sql.SIDES:
            same = f"SELECT 1 FROM {taken} t WHERE t.{side} = c.{side}"
            statement = f"SELECT {', '.join([*CELL, 'weight'])} FROM {made[0] if made else cells} c"
            made.append(self._scratch.make("left", f"{statement} WHERE NOT EXISTS ({same})", step))
        self._scratch.drop(made[0])
        return made[1], _number(self._scratch.fetch(sql.counted(made[1]), step))

    def _fetch(self, cells: str, here: str) -> Columns:
        """Fetch cells, and number their rows and columns from 0 on."""
        fetched = self._scratch.fetch(sql.selected(cells, CELL, here), "fetching cells")
        return {**fetched, **{side: renumber(fetched[side]) for side in ("key", "response")}}


def _take_here(weighing: Weighing, cells: Columns, first: int) -> PartialAssignment:
    """Take cells by margins only; :mod:`corefscope.scale.batch_assignment` takes the others."""
    n, k, r, km, rm = (cells[name] for name in SIZES)
    certain = margin(weighing, n, k, r, km, rm, lambda value: np.maximum(value, 0)) > SLACK
    left = weighing(n, k, r, km, rm) > 0
    for side in ("key", "response"):
        numbers = cells[side]
        touched = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=bool)
        touched[numbers[certain]] = True
        left &= ~touched[numbers]
    taken_cells = {name: cells[name][certain] for name in ("place", *SIZES)}
    taken_cells["count"] = np.ones(len(taken_cells["n"]), dtype=np.int64)
    return _partial_assignment(taken_cells, {name: column[left] for name, column in cells.items()}, first)


def _partial_assignment(taken: Columns, left: Columns, first: int) -> PartialAssignment:
    return PartialAssignment(
        CellHistogram(taken["place"] - first, tuple([taken[name] for name in SIZES]), taken["count"]),
        OpenCells(left["place"] - first, *[left[name] for name in CELL[1:]]),
    )


def _number(rows: Columns) -> int:
    return int(rows["count"][0])


def _select_leaders(left: str) -> str:
    """Select the certain cells among those that weigh most in their row and in their column."""
    ranks = []
    for side, other in (("key", "response"), ("response", "key")):
        over = f"OVER (PARTITION BY {side} ORDER BY weight DESC, {other})"
        ranks += [f"ROW_NUMBER() {over} AS {side}_rank", f"LEAD(weight) {over} AS {side}_next"]
    ranked = f"SELECT {', '.join([*CELL, 'weight', *ranks])} FROM {left} l"
    certain = is_certain(Symbol("weight"), *[Symbol(f"COALESCE({side}_next, 0)") for side, _ in sql.SIDES])
    where = f"key_rank = 1 AND response_rank = 1 AND {certain} = 1"
    return f"SELECT {', '.join(CELL)} FROM ({ranked}) ranked WHERE {where}"


EXAMPLES = 5
INTEGERS = {"byte", "hugeint", "int", "integer", "long", "short", "uhugeint", *("tinyint", "smallint", "bigint")}
INTEGERS |= {"int8", "int16", "int32", "int64"}  # of Arrow
INTEGERS |= {f"u{name}" for name in INTEGERS}
TEXTS = {"char", "string", "text", "varchar", *("large_string", "string_view", "large_utf8", "utf8", "utf8view")}
FLOATS = {"double", "float", "real", *("float32", "float64")}


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
    width: int = 0
    """The bytes that the ids of a row take in memory, on average."""
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


Cast = tuple[str, str, str]
"""The role of columns of different types, compared as text, and their types in key and response."""


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


ID_BYTES = {"int": 8, "float": 8}
TEXT_BYTES = 16
"""What a text takes besides its characters."""


def survey(scratch: Scratch, side: str, kinds: Mapping[str, str], step: str) -> tuple[SideFacts, bool]:
    """Count rows and missing values; and whether a mention may be repeated so often that a join would not end."""
    found = {name: int(column[0]) for name, column in scratch.fetch(sql.survey(side, kinds), step).items()}
    missing = {role: rows for role in kinds if (rows := found["total"] - found[f"with_{role}"])}
    too_full = found["fullest"] > 10_000 + 8 * found["total"] // sql.BUCKETS
    width = sum(ID_BYTES.get(kind, TEXT_BYTES) for kind in kinds.values())
    width += found["bits"] // (8 * max(found["total"], 1))
    return SideFacts(found["total"], missing, width), too_full


def find_repeats(scratch: Scratch, side: str, shape: Shape, facts: SideFacts, step: str) -> SideFacts:
    """Facts with the repeated mentions added."""
    table = scratch.make("repeats", sql.repeats(side, shape), step)
    counted = scratch.fetch(sql.repeats_counted(table), step)
    rows = scratch.fetch(sql.repeats_shown(table, shape, EXAMPLES), step)
    scratch.drop(table)
    documents = rows.get("document", [""] * len(rows["mention"]))
    columns = zip(documents, rows["mention"], rows["first_entity"], rows["last_entity"], rows["times"], strict=True)
    repeated = [
        RepeatedMention(document, mention, tuple(dict.fromkeys((first, last))), int(times))
        for document, mention, first, last, times in columns
    ]
    several, again = int(counted["several"][0]), int(counted["again"][0])
    return facts._replace(several=several, again=again, repeated=tuple(repeated))


BATCH = 2_000_000
"""At most about so many pairs of entities make a batch."""
BATCH_SHARE = 8
"""A pair of a batch takes the memory of so many cells that are fetched."""
ENTITY_BATCH = 1_000_000
"""The most entities that are fetched at a time when all are written to a file."""
ENTITY = ("size", "matched", "best")
CELL_HISTOGRAMS: tuple[Sequence[str], ...] = ("n", "k", "r"), ("n", "rm"), ("n", "km")
PIECES = ("entity", "size", "pieces", "largest", "missing", "foreigners")
STEP = "counting equal cells"


class PairCounts:
    """The pairs of entities of key and one response; without singletons if ``singletons`` is ``drop``.

    ``limits`` are the cells that are fetched to find a best assignment, the pairs of a batch, and the cells of the
    largest connected component that is solved.
    """

    def __init__(
        self, scratch: Scratch, pairs: str, shape: Shape, whole: str, singletons: str, limits: tuple[int, int, int]
    ) -> None:
        self._scratch, self._shape, self._whole = scratch, shape, whole
        self._local, batch, self._kernel_limit = limits
        self._parts = ""
        self._ranges = [(0, 1)]
        if shape.part:
            step = "numbering documents"
            self._parts = scratch.make("parts", sql.parts(pairs), step)
            ranges = scratch.fetch(sql.batches(self._parts, batch), step)
            self._ranges = list(zip(ranges["first"].tolist(), ranges["after"].tolist(), strict=True))
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
        rows = self._scratch.fetch(sql.parts_counted(self._parts, ("key", "response")[side]), "numbering documents")
        documents, lacks, first = (int(rows[name][0]) for name in ("documents", "lacks", "lacking"))
        lacking = self._names(first, first + 1)[0] if lacks else ""
        return facts._replace(documents=documents - lacks, lacks=lacks, lacking=lacking)

    @cached_property
    def _cells(self) -> str:
        many = len(self._ranges) > 1
        statement = sql.cells(self._pairs, self._key, self._response, self._shape, by_place=many)
        cells = self._scratch.make("cells", statement, "measuring cells")
        self._made.append(cells)
        self._scratch.drop(self._pairs)
        return cells

    def _names(self, first: int, after: int) -> list[str]:
        """The names of a range of documents."""
        if not self._parts:
            return [self._whole]
        names: list[str] = self._scratch.fetch(sql.part_names(self._parts, first, after), STEP)["name"].tolist()
        return names

    def pieces(self, side: str) -> Iterator[Sequence[Iterable[object]]]:
        """The pieces of the entities of a side, some at a time: columns of documents, entities, and ``Pieces``."""
        table = self._key if side == "key" else self._response
        shares = 1 + self._entity_counts(table)[0] // ENTITY_BATCH
        for index in range(shares):
            statement = sql.pieces(table, self._cells, self._parts, side, shares, index)
            rows = self._scratch.fetch(statement, f"writing pieces of entities of the {side}")
            documents = rows["document"] if self._parts else [self._whole] * len(rows["entity"])
            yield documents, *[rows[name] for name in PIECES]

    def key_cells(self) -> Iterator[tuple[str, str, int, list[tuple[int, int]]]]:
        """Each entity of the key: its document, name, size, and n and r of its cells."""
        shares = 1 + self._entity_counts(self._key)[0] // ENTITY_BATCH
        for index in range(shares):
            statement = sql.key_cells(self._key, self._cells, self._parts, shares, index)
            rows = self._scratch.fetch(statement, "fetching cells of the sample")
            columns = [rows[name].tolist() for name in ("number", "entity", "size", "n", "r")]
            documents = rows["document"].tolist() if self._parts else [self._whole] * len(columns[0])
            for _, same in groupby(zip(*columns, documents, strict=True), key=itemgetter(0)):
                entity = list(same)
                _, name, size, *_, document = entity[0]
                yield document, name, size, [(n, r) for *_, n, r, _ in entity if n]

    def batches(self, is_named: bool = True) -> Iterator[tuple[list[str], BatchedTable]]:
        """The tables of some documents at a time, in the order of names; with their names if ``is_named``."""
        cells, many = self._cells, len(self._ranges) > 1
        certain = CertainCells(self._scratch, cells, self._local)
        entities = [self._key, self._response]
        if many:  # small tables in the order of documents, like the cells
            for number, table in enumerate(entities):
                statement = f"SELECT * FROM ({sql.histogram(table, ENTITY)}) u ORDER BY place"
                self._made.append(self._scratch.make("histogram", statement, STEP))
                entities[number] = self._made[-1]
        for first, after in self._ranges:
            where = sql.between(first, after) if many else ""
            statements = [(sql.histogram(cells, columns, where), columns) for columns in CELL_HISTOGRAMS]
            for table in entities:
                counted = sql.selected(table, ["place", *ENTITY, "count"], where)
                statements.append((counted if many else sql.histogram(table, ENTITY), ENTITY))
            yield self._names(first, after) if is_named else [], self._batch(certain, first, after, statements)

    def _batch(
        self, certain: CertainCells, first: int, after: int, statements: Iterable[tuple[str, Sequence[str]]]
    ) -> BatchedTable:
        """The tables of a range of documents."""
        histograms = []
        for statement, columns in statements:
            rows = self._scratch.fetch(statement, STEP)
            values = tuple([rows[name] for name in columns])
            histograms.append(CellHistogram(rows["place"] - first, values, rows["count"]))
        cell_sizes, matched, matched_back, key, response = histograms
        return BatchedTable(
            after - first,
            cell_sizes,
            key,
            response,
            (matched, matched_back),
            lambda weighing: certain.take(weighing, first, after),
            kernel_limit=self._kernel_limit,
            is_all=len(self._ranges) == 1,
        )

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
