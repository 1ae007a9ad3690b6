"""All the SQL there is, with :mod:`.checks` and :mod:`.choices`: one text for all engines.

A statement uses what SQL has in common, and:

- sums are cast to BIGINT, since DuckDB makes them wider, and NumPy floats of these;
- no literal has a fraction: 2.0 is a decimal number to Spark, which divides these otherwise;
- names that are not ours come through ``Dialect.quoted``, and only in :func:`side`;
- no float is ever added up: what comes home are counts.

Tables and their columns:

====================  ===========================================================================================
side                  document, topic, mention, entity (several: entity, entity_1, …): what is read, under our names
rows                  part, key, response (several: response, response_1, …), lone, lone_in: a row for each mention.
                      ``part`` is the document or topic that keeps entities apart. ``lone`` is the mention if only
                      one side has it, and ``lone_in`` its document where that is not the part
pairs                 part, key, response, lone, lone_in, n: how many mentions there are of each kind
parts                 name, number, pieces, key, response: in the order of names
entities              number, part, place, name, size, matched, best: ``place`` is the number of the part
cells                 place, key, response, n, k, r, km, rm: entities by number, their sizes, and how many of their
                      mentions have a counterpart
====================  ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from .base import Dialect

TEXT = "STRING"


class Labelled(NamedTuple):
    """A table that says of mentions to which entity they belong, and what its columns are called."""

    view: str
    entities: tuple[str, ...]
    """Several, if there are several answers: each is a response of its own."""
    mention: str = ""
    """Needed where mentions of two tables must be found again."""
    document: str = ""
    """Nothing: there is one document."""

    def columns(self) -> dict[str, str]:
        """The columns by what we call them."""
        named = {"document": self.document, "mention": self.mention}
        return {role: column for role, column in named.items() if column} | dict(
            zip(entity_roles(len(self.entities)), self.entities, strict=True)
        )


def entity_roles(count: int) -> list[str]:
    """What the columns of entities are called.

    >>> entity_roles(3)
    ['entity', 'entity_1', 'entity_2']
    """
    return ["entity", *[f"entity_{index}" for index in range(1, count)]]


def response_roles(count: int) -> list[str]:
    """What the columns of responses are called."""
    return [role.replace("entity", "response") for role in entity_roles(count)]


# What is read


def side(labelled: Labelled, dialect: Dialect, kinds: Mapping[str, str], as_text: Collection[str] = ()) -> str:
    """The rows under our names; ``kinds`` says what columns hold, ``as_text`` which of them become text."""
    columns = []
    for role, column in labelled.columns().items():
        value = dialect.quoted(column)
        if kinds[role] == "float":  # whole numbers that pandas wrote so; others are no ids
            whole = f"{value} = FLOOR({value}) AND ABS({value}) < 9007199254740992"
            value = f"CASE WHEN {whole} THEN CAST({value} AS BIGINT) END"
        if role in as_text:
            value = f"CAST({value} AS {TEXT})"
        columns.append(f"{value} AS {role}")
    return f"(SELECT {', '.join(columns)} FROM {dialect.quoted(labelled.view)})"


def document_names(sides: Sequence[str]) -> str:
    """The names of the documents of both sides."""
    each = " UNION ".join([f"SELECT CAST(document AS {TEXT}) AS name FROM {side} s" for side in sides])
    return f"SELECT name FROM ({each}) named WHERE name IS NOT NULL"


def with_topics(side: str, topics: str) -> str:
    """A side whose documents have topics."""
    joined = f"{side} s LEFT JOIN {topics} t ON CAST(s.document AS {TEXT}) = t.document"
    return f"(SELECT s.*, t.topic AS topic FROM {joined})"


# Mentions of both sides


class Shape(NamedTuple):
    """What names a mention, and what keeps entities of the same name apart."""

    documents: bool = False
    """Whether mentions have documents: a mention is a document and an id."""
    part: str = ""
    """The column that keeps entities apart: ``document``, ``topic``, or none."""
    lone: bool = True
    """Whether mentions of one side only are known by name. If not, both sides are columns of one table."""

    @property
    def mention(self) -> list[str]:
        """What names a mention."""
        return ["document", "mention"] if self.documents else ["mention"]

    @property
    def by(self) -> list[str]:
        """What names an entity, besides its own name."""
        return ["part"] if self.part else []

    @property
    def pair(self) -> list[str]:
        """What names a row of pairs."""
        apart = ["lone", "lone_in"] if self.documents and self.part != "document" else ["lone"]
        return [*self.by, "key", "response", *(apart if self.lone else [])]


def joined(key: str, response: str, shape: Shape, responses: int = 1) -> str:
    """The mentions of both sides, with those that only one side has."""
    columns = [f"COALESCE(k.{shape.part}, r.{shape.part}) AS part"] if shape.part else []
    columns += ["k.entity AS key", *_renamed("r", entity_roles(responses), response_roles(responses))]
    for mention, name in (("mention", "lone"), ("document", "lone_in")):
        if name in shape.pair:
            one = f"WHEN k.mention IS NULL THEN r.{mention} WHEN r.mention IS NULL THEN k.{mention}"
            columns.append(f"CASE {one} END AS {name}")
    same = " AND ".join([f"k.{column} = r.{column}" for column in shape.mention])
    return f"(SELECT {', '.join(columns)} FROM {key} k FULL OUTER JOIN {response} r ON {same})"


def side_by_side(table: str, shape: Shape, responses: int = 1) -> str:
    """The mentions of a table that has the entities of both sides: key first, then the responses."""
    columns = [f"s.{shape.part} AS part"] if shape.part else []
    columns += _renamed("s", entity_roles(responses + 1), ["key", *response_roles(responses)])
    return f"(SELECT {', '.join(columns)} FROM {table} s)"


def _renamed(table: str, columns: Iterable[str], names: Iterable[str]) -> list[str]:
    return [f"{table}.{column} AS {name}" for column, name in zip(columns, names, strict=True)]


def pairs(rows: str, shape: Shape, response: str = "response") -> str:
    """How many mentions there are of each pair of entities."""
    names = [response if name == "response" else name for name in shape.pair]
    columns = [f"{name} AS {ours}" for name, ours in zip(names, shape.pair, strict=True)]
    some = f"key IS NOT NULL OR {response} IS NOT NULL"
    return f"SELECT {', '.join(columns)}, COUNT(*) AS n FROM {rows} mentions WHERE {some} GROUP BY {', '.join(names)}"


def without_singletons(pairs: str, key: str, response: str, shape: Shape) -> str:
    """The pairs once entities of one mention are gone: their mentions have no counterpart."""
    columns = [f"p.{column} AS {column}" for column in shape.by]
    columns += [f"CASE WHEN {table}.size > 1 THEN p.{side} END AS {side}" for side, table in SIDES]
    return (
        f"SELECT {', '.join([*shape.by, 'key', 'response', sum_of('n', 'n')])} FROM (SELECT {', '.join(columns)}, n "
        f"FROM {pairs} p {_entity_joins('LEFT JOIN', key, response, shape)}) kept "
        f"WHERE key IS NOT NULL OR response IS NOT NULL GROUP BY {', '.join([*shape.by, 'key', 'response'])}"
    )


SIDES = (("key", "ke"), ("response", "re"))


def _entity_joins(join: str, key: str, response: str, shape: Shape) -> str:
    """The entities of both sides beside the pairs."""
    return " ".join(
        [
            f"{join} {entities} {table} ON "
            + " AND ".join([f"p.{side} = {table}.name", *[f"p.{column} = {table}.{column}" for column in shape.by]])
            for entities, (side, table) in zip((key, response), SIDES, strict=True)
        ]
    )


# Documents, entities, cells


def parts(pairs: str) -> str:
    """Documents or topics, in the order of their names: that of the bytes of their text in UTF-8."""
    sums = [sum_of(f"CASE WHEN {side} IS NOT NULL THEN n ELSE 0 END", side) for side, _ in SIDES]
    named = f"SELECT part AS name, COUNT(*) AS pieces, {', '.join(sums)} FROM {pairs} p GROUP BY part"
    number = f"ROW_NUMBER() OVER (ORDER BY HEX(CAST(name AS {TEXT}))) - 1"
    return f"SELECT name, CAST({number} AS BIGINT) AS number, pieces, key, response FROM ({named}) named"


def part_names(parts: str) -> str:
    """The names of documents, in order, with how much there is of each."""
    return f"SELECT CAST(name AS {TEXT}) AS name, pieces, key, response FROM {parts} p ORDER BY number"


def entities(pairs: str, side: str, shape: Shape, dialect: Dialect, parts: str = "") -> str:
    """The entities of a side with their sizes, how many mentions have a counterpart, and the largest cell."""
    other = "response" if side == "key" else "key"
    sums = [
        sum_of("n", "size"),
        sum_of(f"CASE WHEN {other} IS NOT NULL THEN n ELSE 0 END", "matched"),
        f"MAX(CASE WHEN {other} IS NOT NULL THEN n ELSE 0 END) AS best",
    ]
    by = [*shape.by, side]
    counted = (
        f"SELECT {', '.join([*shape.by, f'{side} AS name', *sums])} FROM {pairs} p WHERE {side} IS NOT NULL "
        f"GROUP BY {', '.join(by)}"
    )
    place = "d.number" if shape.part else "CAST(0 AS BIGINT)"
    columns = [f"{dialect.row_number} AS number", *[f"e.{name} AS {name}" for name in (*shape.by, "name")]]
    columns += [f"{place} AS place", "e.size AS size", "e.matched AS matched", "e.best AS best"]
    where = f" JOIN {parts} d ON e.part = d.name" if shape.part else ""
    return f"SELECT {', '.join(columns)} FROM ({counted}) e{where}"


def cells(pairs: str, key: str, response: str, shape: Shape) -> str:
    """The pairs of entities that share mentions, with what is known of both."""
    columns = "ke.place AS place, ke.number AS key, re.number AS response, p.n AS n, ke.size AS k, re.size AS r"
    matched = "ke.matched AS km, re.matched AS rm"
    return f"SELECT {columns}, {matched} FROM {pairs} p {_entity_joins('JOIN', key, response, shape)}"


def pieces(entities: str, cells: str, side: str, share: str = "") -> str:
    """What became of each entity: its size, pieces, largest piece, missing mentions, and those foreign to it.

    ``share`` selects some of the entities, by number.
    """
    other = "r" if side == "key" else "k"
    foreign = sum_of(f"{other} - n", "foreigners")
    cut = f"SELECT {side} AS number, COUNT(*) AS pieces, {foreign} FROM {cells} c GROUP BY {side}"
    columns = [f"CAST(e.name AS {TEXT}) AS entity", "e.place AS place", "e.size AS size"]
    columns += ["COALESCE(p.pieces, 0) AS pieces", "e.best AS largest", "e.size - e.matched AS missing"]
    columns += ["COALESCE(p.foreigners, 0) AS foreigners"]
    joined = f"{entities} e LEFT JOIN ({cut}) p ON e.number = p.number"
    return f"SELECT {', '.join(columns)} FROM {joined}{share} ORDER BY place, entity"


def share_of(shares: int, index: int) -> str:
    """The condition for one of so many shares of all entities."""
    return f" WHERE MOD(e.number, {shares}) = {index}" if shares > 1 else ""


def histogram(table: str, columns: Sequence[str], where: str = "") -> str:
    """How many rows of a table look alike, by document."""
    names = ", ".join(["place", *columns])
    return f"SELECT {names}, COUNT(*) AS count FROM {table} t{where} GROUP BY {names}"


def between(first: int, after: int) -> str:
    """The condition for the documents from one on, up to another."""
    return f" WHERE place >= {first} AND place < {after}"


def selected(table: str, columns: Sequence[str], where: str = "") -> str:
    """Columns of a table as they are."""
    return f"SELECT {', '.join(columns)} FROM {table} t{where}"


def ordered(statement: str) -> str:
    """The same by document, so that the rows of some documents are found without reading all."""
    return f"SELECT * FROM ({statement}) u ORDER BY place"


def sum_of(value: str, name: str) -> str:
    """A sum of whole numbers that comes home as whole numbers."""
    return f"CAST(COALESCE(SUM({value}), 0) AS BIGINT) AS {name}"


def entity_counts(entities: str) -> str:
    """How many entities there are, and how many have one mention."""
    singletons = sum_of("CASE WHEN size = 1 THEN 1 ELSE 0 END", "singletons")
    return f"SELECT COUNT(*) AS entities, {singletons} FROM {entities} e"


def documents_counted(side: str) -> str:
    """How many documents a side has."""
    return f"SELECT COUNT(DISTINCT document) AS documents FROM {side} s"


def all_of(rows: str) -> str:
    """Rows as they are."""
    return f"SELECT * FROM {rows} m"


def counted(table: str, where: str = "") -> str:
    """How many rows there are."""
    return f"SELECT COUNT(*) AS count FROM {table} t{where}"
