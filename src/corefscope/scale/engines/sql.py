"""The SQL statements, one text for all engines (those that take certain cells are in :mod:`.counting`).

Statements use only SQL that all engines have in common:

- sums are cast to BIGINT, since DuckDB makes them wider, and NumPy floats of these;
- no literal has a fraction: 2.0 is a decimal number to Spark, which divides these otherwise;
- names of the caller are quoted by ``Dialect.quoted``, and occur in :func:`side` only;
- no float is ever added up: only counts are fetched.

Tables and their columns:

====================  ===========================================================================================
side                  document, topic, mention, entity (several: entity, entity_1, …): input under our names
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

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from .base import Dialect

TEXT = "STRING"


class LabelledTable(NamedTuple):
    """A table with the entity of each mention, and the names of its columns."""

    view: str
    entities: tuple[str, ...]
    """The columns of entities; each column is a response of its own."""
    mention: str = ""
    """Needed to join two tables."""
    document: str = ""
    """Empty if there is one document."""

    def columns(self) -> dict[str, str]:
        """The columns by their roles: ``document``, ``mention``, ``entity``, ``entity_1`` and so on."""
        entities = dict(zip(numbered("entity", len(self.entities)), self.entities, strict=True))
        named = {"document": self.document, "mention": self.mention, **entities}
        return {role: column for role, column in named.items() if column}


def numbered(role: str, count: int) -> list[str]:
    """The names of several columns of a role.

    >>> numbered("entity", 3)
    ['entity', 'entity_1', 'entity_2']
    """
    return [role, *[f"{role}_{index}" for index in range(1, count)]]


# Reading


def side(labelled: LabelledTable, dialect: Dialect, kinds: Mapping[str, str], as_text: Collection[str] = ()) -> str:
    """The rows of a table with roles as column names; ``kinds`` of columns, and those to be cast ``as_text``."""
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
    """The columns that identify mentions, entities and pairs."""

    documents: bool = False
    """Whether mentions have documents: a mention is a document and an id."""
    part: str = ""
    """The column that keeps entities apart: ``document``, ``topic``, or none."""
    lone: bool = True
    """Whether mentions of one side only have ids. If not, both sides are columns of one table."""

    @property
    def mention(self) -> list[str]:
        """The columns that identify a mention."""
        return ["document", "mention"] if self.documents else ["mention"]

    @property
    def texts(self) -> list[str]:
        """The same columns as text."""
        return [f"CAST({name} AS {TEXT}) AS {name}" for name in self.mention]

    @property
    def text_order(self) -> list[str]:
        """The order of mentions by their text, the same in all engines."""
        return [f"HEX(CAST({name} AS {TEXT}))" for name in self.mention]

    @property
    def by(self) -> list[str]:
        """The columns that identify an entity, besides its name."""
        return ["part"] if self.part else []

    @property
    def pair(self) -> list[str]:
        """The columns that identify a row of pairs."""
        apart = ["lone", "lone_in"] if self.documents and self.part != "document" else ["lone"]
        return [*self.by, "key", "response", *(apart if self.lone else [])]


def joined(key: str, response: str, shape: Shape, responses: int = 1) -> str:
    """The mentions of both sides, joined; those of one side only included."""
    columns = [f"COALESCE(k.{shape.part}, r.{shape.part}) AS part"] if shape.part else []
    entities = zip(numbered("entity", responses), numbered("response", responses), strict=True)
    columns += ["k.entity AS key", *[f"r.{entity} AS {name}" for entity, name in entities]]
    for mention, name in (("mention", "lone"), ("document", "lone_in")):
        if name in shape.pair:
            one = f"WHEN k.mention IS NULL THEN r.{mention} WHEN r.mention IS NULL THEN k.{mention}"
            columns.append(f"CASE {one} END AS {name}")
    same = " AND ".join([f"k.{column} = r.{column}" for column in shape.mention])
    return f"(SELECT {', '.join(columns)} FROM {key} k FULL OUTER JOIN {response} r ON {same})"


def side_by_side(table: str, shape: Shape, responses: int = 1) -> str:
    """The mentions of a table that has the entities of both sides: key first, then the responses."""
    columns = [f"s.{shape.part} AS part"] if shape.part else []
    entities = zip(numbered("entity", responses + 1), ["key", *numbered("response", responses)], strict=True)
    columns += [f"s.{entity} AS {name}" for entity, name in entities]
    return f"(SELECT {', '.join(columns)} FROM {table} s)"


def pairs(rows: str, shape: Shape, response: str = "response") -> str:
    """How many mentions there are of each pair of entities."""
    names = [response if name == "response" else name for name in shape.pair]
    columns = [f"{name} AS {ours}" for name, ours in zip(names, shape.pair, strict=True)]
    some = f"key IS NOT NULL OR {response} IS NOT NULL"
    return f"SELECT {', '.join(columns)}, COUNT(*) AS n FROM {rows} mentions WHERE {some} GROUP BY {', '.join(names)}"


def without_singletons(pairs: str, key: str, response: str, shape: Shape) -> str:
    """The pairs without entities of one mention."""
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


def part_names(parts: str, first: int, after: int) -> str:
    """The names of the documents from one on, up to another, in order."""
    where = between(first, after, "number")
    return f"SELECT CAST(name AS {TEXT}) AS name FROM {parts} p{where} ORDER BY number"


def parts_counted(parts: str, side: str) -> str:
    """How many documents there are, how many of them a side lacks, and the number of the first (-1: none)."""
    lacks = sum_of(f"CASE WHEN {side} = 0 THEN 1 ELSE 0 END", "lacks")
    lacking = f"COALESCE(MIN(CASE WHEN {side} = 0 THEN number END), -1) AS lacking"
    return f"SELECT COUNT(*) AS documents, {lacks}, {lacking} FROM {parts} p"


def batches(parts: str, size: int) -> str:
    """Ranges of documents with about ``size`` pieces, at least one document each."""
    before = "CAST(SUM(pieces) OVER (ORDER BY number ROWS UNBOUNDED PRECEDING) AS BIGINT) - pieces AS pieces_before"
    return (
        f"SELECT MIN(number) AS first, MAX(number) + 1 AS after FROM (SELECT number, {before} FROM {parts} p) summed "
        f"GROUP BY pieces_before - MOD(pieces_before, {size}) ORDER BY first"
    )


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


def cells(pairs: str, key: str, response: str, shape: Shape, by_place: bool = False) -> str:
    """The pairs of entities that share mentions, with sizes and matched mentions of both.

    If they are in the order of documents (``by_place``), those of a range are found without reading all.
    """
    columns = "ke.place AS place, ke.number AS key, re.number AS response, p.n AS n, ke.size AS k, re.size AS r"
    matched = "ke.matched AS km, re.matched AS rm"
    order = " ORDER BY place" if by_place else ""
    return f"SELECT {columns}, {matched} FROM {pairs} p {_entity_joins('JOIN', key, response, shape)}{order}"


def pieces(entities: str, cells: str, parts: str, side: str, shares: int, index: int) -> str:
    """The pieces of each entity: its size, number of pieces, largest piece, missing and foreign mentions.

    Entities are divided into ``shares`` by number; ``index`` selects one of these.
    """
    other = "r" if side == "key" else "k"
    foreign = sum_of(f"{other} - n", "foreigners")
    cut = f"SELECT {side} AS number, COUNT(*) AS pieces, {foreign} FROM {cells} c GROUP BY {side}"
    columns = [f"CAST(e.name AS {TEXT}) AS entity", "e.place AS place", "e.size AS size"]
    columns += ["COALESCE(p.pieces, 0) AS pieces", "e.best AS largest", "e.size - e.matched AS missing"]
    columns += ["COALESCE(p.foreigners, 0) AS foreigners"]
    joined = f"{entities} e LEFT JOIN ({cut}) p ON e.number = p.number"
    if parts:
        columns.append(f"CAST(d.name AS {TEXT}) AS document")
        joined += f" JOIN {parts} d ON e.place = d.number"
    share = f"WHERE MOD(e.number, {shares}) = {index}"
    return f"SELECT {', '.join(columns)} FROM {joined} {share} ORDER BY place, entity"


def key_cells(entities: str, cells: str, parts: str, shares: int, index: int) -> str:
    """The entities of the key with their cells, of which those without cells have one of 0; ``shares`` as above."""
    columns = [f"CAST(d.name AS {TEXT}) AS document"] if parts else []
    columns += ["e.number AS number", f"CAST(e.name AS {TEXT}) AS entity", "e.size AS size"]
    columns += ["COALESCE(c.n, 0) AS n", "COALESCE(c.r, 0) AS r"]
    joined = f"{entities} e LEFT JOIN {cells} c ON e.number = c.key"
    joined += f" JOIN {parts} d ON e.place = d.number" if parts else ""
    share = f"WHERE MOD(e.number, {shares}) = {index}"
    return f"SELECT {', '.join(columns)} FROM {joined} {share} ORDER BY number, n, r"


def weights(side: str, has_documents: bool) -> str:
    """The first and the last weight of each entity by their texts; weights are in the place of mentions."""
    by = [*(["document"] if has_documents else []), "entity"]
    columns = [f"CAST({name} AS {TEXT}) AS {name}" for name in by]
    columns += [f"{end}(COALESCE(CAST(mention AS {TEXT}), '')) AS {end}_weight" for end in ("min", "max")]
    return f"SELECT {', '.join(columns)} FROM {side} s WHERE entity IS NOT NULL GROUP BY {', '.join(by)}"


def histogram(table: str, columns: Sequence[str], where: str = "") -> str:
    """The histogram of the rows of a table, by document."""
    names = ", ".join(["place", *columns])
    return f"SELECT {names}, COUNT(*) AS count FROM {table} t{where} GROUP BY {names}"


def between(first: int, after: int, number: str = "place") -> str:
    """The condition for the documents from one on, up to another."""
    return f" WHERE {number} >= {first} AND {number} < {after}"


def selected(table: str, columns: Sequence[str], where: str = "") -> str:
    """Columns of a table as they are."""
    return f"SELECT {', '.join(columns)} FROM {table} t{where}"


def sum_of(value: str, name: str) -> str:
    """A sum of integers as an integer."""
    return f"CAST(COALESCE(SUM({value}), 0) AS BIGINT) AS {name}"


def entity_counts(entities: str) -> str:
    """How many entities there are, and how many have one mention."""
    singletons = sum_of("CASE WHEN size = 1 THEN 1 ELSE 0 END", "singletons")
    return f"SELECT COUNT(*) AS entities, {singletons} FROM {entities} e"


def counted(table: str, where: str = "") -> str:
    """How many rows there are."""
    return f"SELECT COUNT(*) AS count FROM {table} t{where}"


Operator: TypeAlias = "Callable[[Symbol, Operand], Symbol]"


def _operator(pattern: str) -> Operator:
    return lambda one, other: Symbol(pattern.format(one, other))


class Symbol:
    """An SQL expression built by Python arithmetic.

    Divisions are those of doubles in every engine; comparisons give 1 or 0.

    >>> n, k, r = map(Symbol, "nkr")
    >>> print(2 * n / (k + r))
    (CAST((2 * n) AS DOUBLE) / CAST((k + r) AS DOUBLE))
    >>> print((k > n) * k - 1)
    ((CASE WHEN k > n THEN 1 ELSE 0 END * k) - 1)
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    __add__: ClassVar[Operator] = _operator("({0} + {1})")
    __radd__: ClassVar[Operator] = _operator("({1} + {0})")
    __sub__: ClassVar[Operator] = _operator("({0} - {1})")
    __rsub__: ClassVar[Operator] = _operator("({1} - {0})")
    __mul__: ClassVar[Operator] = _operator("({0} * {1})")
    __rmul__: ClassVar[Operator] = _operator("({1} * {0})")
    __truediv__: ClassVar[Operator] = _operator("(CAST({0} AS DOUBLE) / CAST({1} AS DOUBLE))")
    __rtruediv__: ClassVar[Operator] = _operator("(CAST({1} AS DOUBLE) / CAST({0} AS DOUBLE))")
    __ge__: ClassVar[Operator] = _operator("CASE WHEN {0} >= {1} THEN 1 ELSE 0 END")
    __gt__: ClassVar[Operator] = _operator("CASE WHEN {0} > {1} THEN 1 ELSE 0 END")


Operand = Symbol | float


def at_least_0(value: Symbol) -> Symbol:
    """The value, or 0 if it is negative."""
    return Symbol(f"GREATEST({value}, 0)")


BUCKETS = 1 << 16


def survey(side: str, kinds: Mapping[str, str]) -> str:
    """Count rows, values of each column, bits of texts, and the rows of the fullest bucket of mentions.

    Mentions are put into buckets by their hash. A bucket that is far too full holds a mention that is repeated so
    often that a join would not end.
    """
    present = {role: f"NULLIF({role}, '')" if kind == "text" else role for role, kind in kinds.items()}
    counted = {f"with_{role}": f"COUNT({value})" for role, value in present.items()}
    lengths = [f"COALESCE(BIT_LENGTH({role}), 0)" for role, kind in kinds.items() if kind == "text"]
    counted["bits"] = f"SUM({' + '.join(lengths) or 0})"
    counts = ", ".join(["COUNT(*) AS total", *[f"{value} AS {name}" for name, value in counted.items()]])
    mention = ", ".join([role for role in ("document", "mention") if role in kinds])
    buckets = f"SELECT {counts} FROM {side} s GROUP BY HASH({mention or 1}) & {BUCKETS - 1}"
    sums = [sum_of(name, name) for name in ("total", *counted)]
    return f"SELECT {', '.join(sums)}, COALESCE(MAX(total), 0) AS fullest FROM ({buckets}) b"


def totals(pairs: str) -> str:
    """How many pairs there are, and how many mentions they have of the key, of the response, and of both."""
    both = "key IS NOT NULL AND response IS NOT NULL"
    conditions = {"key": "key IS NOT NULL", "response": "response IS NOT NULL", "common": both}
    sums = [sum_of(f"CASE WHEN {condition} THEN n ELSE 0 END", name) for name, condition in conditions.items()]
    return f"SELECT COUNT(*) AS pairs, {', '.join(sums)} FROM {pairs} p"


def repeated_lone(pairs: str, shape: Shape) -> str:
    """How many mentions without counterpart occur twice on a side."""
    names = [name for name in shape.pair if name.startswith("lone") or name == "part"]
    names.append("CASE WHEN key IS NULL THEN 1 ELSE 0 END")
    repeated = f"SELECT 1 AS one FROM {pairs} p WHERE lone IS NOT NULL GROUP BY {', '.join(names)} HAVING SUM(n) > 1"
    return f"SELECT COUNT(*) AS mentions FROM ({repeated}) twice"


def repeats(side: str, shape: Shape) -> str:
    """The mentions that a side has more than once, with the first and the last of their entities."""
    names = ", ".join(shape.mention)
    entities = f"CAST(MIN(entity) AS {TEXT}) AS first_entity, CAST(MAX(entity) AS {TEXT}) AS last_entity"
    counts = f"COUNT(*) AS times, COUNT(DISTINCT entity) AS entities, {entities}"
    return f"SELECT {names}, {counts} FROM {side} s GROUP BY {names} HAVING COUNT(*) > 1"


def repeats_counted(repeats: str) -> str:
    """How many mentions are in several entities, and how many come twice in the same one."""
    several = sum_of("CASE WHEN entities > 1 THEN 1 ELSE 0 END", "several")
    again = sum_of("CASE WHEN entities = 1 THEN 1 ELSE 0 END", "again")
    return f"SELECT {several}, {again} FROM {repeats} r"


def repeats_shown(repeats: str, shape: Shape, most: int) -> str:
    """The first repeated mentions: those in several entities before those repeated in one."""
    columns = ", ".join([*shape.texts, "first_entity", "last_entity", "times", "entities"])
    several = "CASE WHEN entities > 1 THEN 0 ELSE 1 END"
    return f"SELECT {columns} FROM {repeats} r ORDER BY {', '.join([several, *shape.text_order])} LIMIT {most}"


def one_mention(side: str, shape: Shape) -> str:
    """The first mention of a side by its text."""
    return f"SELECT {', '.join(shape.texts)} FROM {side} s ORDER BY {', '.join(shape.text_order)} LIMIT 1"


def in_largest(rows: str, shape: Shape) -> str:
    """Each mention in the largest of its entities only; of equally large ones in that with the smallest id.

    ``rows`` are distinct.
    """
    entity = [*([shape.part] if shape.part else []), "entity"]
    columns = list(dict.fromkeys([*shape.mention, *entity]))
    sized = f"SELECT {', '.join(columns)}, COUNT(*) OVER (PARTITION BY {', '.join(entity)}) AS size FROM {rows} s"
    rank = f"ROW_NUMBER() OVER (PARTITION BY {', '.join(shape.mention)} ORDER BY size DESC, entity)"
    ranked = f"SELECT {', '.join(columns)}, {rank} AS nth FROM ({sized}) sized"
    return f"SELECT {', '.join(columns)} FROM ({ranked}) ranked WHERE nth = 1"
