"""Batched contingency tables from two tables in an engine: reading, checking, joining and counting."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import NamedTuple

from ...core.errors import InputError, OptionError, amount
from ..batch_assignment import KERNEL_LIMIT
from ..batched_table import BatchedTable
from . import sql
from .base import Engine, Scratch, Steps
from .counting import BATCH, BATCH_SHARE, Cast, Facts, PairCounts, find_repeats, kind_of, survey
from .sql import LabelledTable, Shape

DUPLICATES = ("error", "drop-equal", "largest")
"""A mention that comes twice is an error; or rows that are the same count once; or its largest entity counts."""
SIDES = ("key", "response")
ROW_BYTES, PAIR_BYTES = 28, 240
"""What a row of a side, and a pair of entities with its counts, take of memory and disk besides ids."""
WIDTH_SHARE = 9 / 8
"""How often ids are stored: once, and again where a table is being copied."""


class Sides:
    """Key and response in an engine: two tables, or one that has the entities of both sides.

    The tables are surveyed before they are joined, and the sums of the joined pairs are compared with those of the
    tables. Only if these differ are repeated mentions searched for.
    """

    def __init__(self, scratch: Scratch, key: LabelledTable, response: LabelledTable, duplicates: str) -> None:
        OptionError.check("duplicates", duplicates, DUPLICATES)
        self._scratch, self._duplicates = scratch, duplicates
        self._responses = len(response.entities)
        self._rows = ""
        self._resolved = False
        self._common = 0
        self._mentions = 0, 0
        self.fatal: bool = False
        self._one_table = key._replace(entities=()) == response._replace(entities=())
        tables = [key._replace(entities=key.entities + response.entities)] if self._one_table else [key, response]
        types = [_types(table, scratch.engine.columns(table.view)) for table in tables]
        self._kinds = [{role: kind_of(type_) for role, type_ in each.items()} for each in types]
        self._cast = () if self._one_table else tuple(_casts(*types))
        as_text = [role for role, _, _ in self._cast]
        self._sides = [
            sql.side(table, scratch.engine.dialect, kinds, as_text)
            for table, kinds in zip(tables, self._kinds, strict=True)
        ]
        self._kinds = [{**kinds, **dict.fromkeys(as_text, "text")} for kinds in self._kinds]
        self._named = bool(key.mention)
        self.shape: Shape = Shape(documents=bool(key.document), lone=not self._one_table)
        if not self._named and not self._one_table:
            raise InputError("the mentions of two tables need a column that names them", hint="name it: mention=")

    def read(self, documents: str, topic: Callable[[str], str] | None) -> None:
        """Survey the tables; documents stay ``apart``, or are joined: ``merge``, or ``topic`` by a function."""
        steps = ["reading the table"] if self._one_table else [f"reading the {side}" for side in SIDES]
        sides = zip(self._sides, self._kinds, steps, strict=True)
        looked = [survey(self._scratch, side, kinds, step) for side, kinds, step in sides]
        self._facts = [facts for facts, _ in looked]
        missing = {role for facts in self._facts for role in facts.missing}
        # In one table, a side that has no entity there lacks the mention.
        self.fatal = bool(missing & {"document", "mention"} if self._one_table else missing)
        if self.fatal:
            return
        rows = sum(facts.rows for facts in self._facts)
        needed = sum(facts.rows * (ROW_BYTES + WIDTH_SHARE * facts.width) for facts in self._facts)
        self._check_room(amount(rows, "row"), needed)
        if self.shape.documents:
            self._set_parts(documents, topic)
        if any(too_full for _, too_full in looked) or (self._one_table and self._named):
            self._resolve_repeats()

    def pairs(self, index: int) -> str:
        """The table of pairs of the key and one response; empty if they have a fatal problem."""
        pairs, totals = self._counted(index)
        is_repeated = False
        if self.shape.lone and index == 0 and not self._resolved:  # a repeated mention makes the join longer
            is_repeated = any(totals[side] != facts.rows for side, facts in zip(SIDES, self._facts, strict=True))
            if not is_repeated:
                lone = self._scratch.fetch(sql.repeated_lone(pairs, self.shape), "adding up")
                is_repeated = int(lone["mentions"][0]) > 0
        if is_repeated:
            self._scratch.drop(pairs)
            self._resolve_repeats()
            if self.fatal:
                return ""
            pairs, totals = self._counted(index)
        width = sum((facts.width for facts in (self._facts * 2)[:2]), PAIR_BYTES / WIDTH_SHARE)
        self._check_room(amount(totals["pairs"], "pair") + " of entities", totals["pairs"] * WIDTH_SHARE * width)
        self._common = totals["common"]
        self._mentions = totals["key"], totals["response"]
        return pairs

    def _check_room(self, what: str, needed: float) -> None:
        """Raise an error if something may need more bytes than there are."""
        room = self._scratch.engine.room
        if 0 < room < needed:
            sizes = f"may need {int(needed) >> 20:,} MB of memory and disk, and there are {room >> 20:,}"
            hint = (
                "allow more memory (--memory, memory=), 20 times which are used on the disk at most; or name a"
                " directory with more room (--temp, temp=)"
            )
            raise InputError(f"{what} {sizes}", hint=hint)

    def facts(self, index: int, counted: PairCounts | None) -> Facts:
        """The facts about one response, with counts if there are any."""
        sides = (self._facts * 2)[:2]
        if self._one_table:
            for side, entity in enumerate(("entity", f"entity_{index + 1}")):
                roles = {"document": "document", "mention": "mention", entity: "entity"}
                missing = {roles[role]: rows for role, rows in sides[side].missing.items() if role in roles}
                sides[side] = sides[side]._replace(missing=missing)
        if counted:
            sides = [counted.facts(side, facts) for side, facts in enumerate(sides)]
        if counted and not self._common and self._named:
            tables = (self._sides * 2)[:2]
            for number, table in enumerate(tables):
                rows = self._scratch.fetch(sql.one_mention(table, self.shape), "looking for an example")
                found = [str(rows[name][0]) for name in self.shape.mention if len(rows[name])]
                sides[number] = sides[number]._replace(example=tuple(found))
        key, response = sides
        return Facts(key, response, self._cast, self._common, self._mentions, self.fatal)

    def _set_parts(self, documents: str, topic: Callable[[str], str] | None) -> None:
        """Set the column that keeps entities of the same name apart."""
        if documents == "apart":
            self.shape = self.shape._replace(part="document")
            return
        step = "reading the names of documents"
        for number, side in enumerate(self._sides):
            count = self._scratch.fetch(f"SELECT COUNT(DISTINCT document) AS documents FROM {side} s", step)
            self._facts[number] = self._facts[number]._replace(documents=int(count["documents"][0]))
        if topic:
            names = self._scratch.fetch(sql.document_names(self._sides), step)["name"].tolist()
            topics = self._scratch.view("topics", {"document": names, "topic": [topic(name) for name in names]})
            self._sides = [sql.with_topics(side, topics) for side in self._sides]
            self.shape = self.shape._replace(part="topic")

    def _counted(self, index: int) -> tuple[str, dict[str, int]]:
        """The pairs of one response, and how many mentions they have of each side and of both."""
        if not self._rows:  # at first, and if repeats were resolved since
            self._rows = (
                sql.side_by_side(self._sides[0], self.shape, self._responses)
                if self._one_table
                else sql.joined(self._sides[0], self._sides[1], self.shape, self._responses)
            )
            if not self._one_table and self._responses > 1:  # joined once for all responses
                statement = f"SELECT * FROM {self._rows} m"
                self._rows = self._scratch.make("rows", statement, "joining key and responses")
        response = sql.numbered("response", self._responses)[index]
        step = "counting pairs" if self._one_table or self._responses > 1 else "joining key and response"
        pairs = self._scratch.make("pairs", sql.pairs(self._rows, self.shape, response), step)
        totals = self._scratch.fetch(sql.totals(pairs), "adding up")
        return pairs, {name: int(column[0]) for name, column in totals.items()}

    def _resolve_repeats(self) -> None:
        """Find repeated mentions, and treat them as ``duplicates`` says."""
        if self._duplicates == "largest" and (self._one_table or self._responses > 1):
            what = "duplicates largest needs tables with one column of entities each"
            raise InputError(what, hint="give two tables, or duplicates= drop-equal")
        self._resolved, self._rows = True, ""
        for side, table in enumerate(self._sides):
            step = "looking for repeated mentions"
            facts = find_repeats(self._scratch, table, self.shape, self._facts[side], step)
            self._facts[side] = facts
            if facts.several and self._duplicates != "largest":
                self.fatal = True
            elif facts.several or facts.again:
                self.fatal |= self._duplicates == "error"
                if not self.fatal:
                    self._drop_repeats(side)

    def _drop_repeats(self, side: int) -> None:
        columns = ", ".join([*self._kinds[side], *(["topic"] if self.shape.part == "topic" else [])])
        statement = f"SELECT DISTINCT {columns} FROM {self._sides[side]} s"
        made = self._sides[side] = self._scratch.make("distinct", statement, "dropping rows that are the same")
        if self._duplicates == "largest":
            step = "finding the largest entity of each mention"
            self._sides[side] = self._scratch.make("largest", sql.in_largest(made, self.shape), step)
            self._scratch.drop(made)


def _types(table: LabelledTable, columns: Mapping[str, str]) -> dict[str, str]:
    unknown = [column for column in table.columns().values() if column not in columns]
    if unknown:
        found = ", ".join(map(repr, list(columns)[:20]))
        raise InputError(f"there is no column {unknown[0]!r}", hint=f"the columns are {found}")
    return {role: columns[column] for role, column in table.columns().items()}


def _casts(key: Mapping[str, str], response: Mapping[str, str]) -> Iterable[Cast]:
    """The columns of the join whose types differ; floats are read as integers."""
    for role in ("document", "mention"):
        if role in key and role in response:
            kinds = {kind_of(each[role]).replace("float", "int") for each in (key, response)}
            if len(kinds) > 1:
                yield role, key[role], response[role]


ONE_DOCUMENT = "#1"
ALL_DOCUMENTS = "all documents"


class TabulatedResponse(NamedTuple):
    """The facts about one response, and its counts; None if the facts are fatal."""

    response: str
    """The column of its entities."""
    facts: Facts
    counted: PairCounts | None

    def batches(self, is_named: bool = True) -> Iterator[tuple[list[str], BatchedTable]]:
        """The tables of some documents at a time, in the order of names; with their names if ``is_named``."""
        assert self.counted, "nothing can be counted"
        return self.counted.batches(is_named)


def tabulate(
    engine: Engine,
    key: LabelledTable,
    response: LabelledTable,
    *,
    documents: str = "apart",
    topic: Callable[[str], str] | None = None,
    singletons: str = "keep",
    duplicates: str = "error",
    local: int | None = None,
    batch: int | None = None,
    kernel_limit: int = KERNEL_LIMIT,
    progress: Steps | None = None,
) -> Generator[TabulatedResponse, None, None]:
    """Tabulate each column of entities of the response, one after the other.

    The tables of a response exist until the next one is requested. If key and response are columns of the same table,
    a row is a mention, and a side without an entity there lacks it. Close the iterator if it is not used up.
    ``local`` is :attr:`Engine.local` by default, and so is what a ``batch`` of documents takes.
    """
    local = engine.local if local is None else local
    batch = max(1, min(BATCH, engine.local // BATCH_SHARE)) if batch is None else batch
    with Scratch(engine, progress) as scratch:
        sides = Sides(scratch, key, response, duplicates)
        sides.read(documents, topic)
        whole = ALL_DOCUMENTS if documents == "merge" else ONE_DOCUMENT
        for index, column in enumerate(response.entities):
            pairs = "" if sides.fatal else sides.pairs(index)
            limits = local, batch, kernel_limit
            counted = PairCounts(scratch, pairs, sides.shape, whole, singletons, limits) if pairs else None
            yield TabulatedResponse(column, sides.facts(index, counted), counted)
            if not counted:
                return
            counted.drop()
