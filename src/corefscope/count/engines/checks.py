"""Statements that look for faults: ids that are missing, mentions that come twice. See :mod:`.statements`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .statements import TEXT, Shape, sum_of

BUCKETS = 1 << 16


def survey(side: str, kinds: Mapping[str, str]) -> str:
    """How many rows there are and how many have a value, by column; how many may be of one mention at the most.

    Mentions are put into buckets by a number that the engine makes of them. A bucket that is far too full holds a
    mention that is repeated very often; to join it with its like would not end.
    """
    present = {role: f"NULLIF({role}, '')" if kind == "text" else role for role, kind in kinds.items()}
    counts = ", ".join(["COUNT(*) AS total", *[f"COUNT({value}) AS with_{role}" for role, value in present.items()]])
    mention = ", ".join([role for role in ("document", "mention") if role in kinds])
    buckets = f"SELECT {counts} FROM {side} s GROUP BY HASH({mention or 1}) & {BUCKETS - 1}"
    sums = [sum_of(name, name) for name in ("total", *[f"with_{role}" for role in kinds])]
    return f"SELECT {', '.join(sums)}, COALESCE(MAX(total), 0) AS fullest FROM ({buckets}) b"


def totals(pairs: str) -> str:
    """How many mentions pairs have of the key, of the response, and of both."""
    both = "key IS NOT NULL AND response IS NOT NULL"
    conditions = {"key": "key IS NOT NULL", "response": "response IS NOT NULL", "common": both}
    sums = [sum_of(f"CASE WHEN {condition} THEN n ELSE 0 END", name) for name, condition in conditions.items()]
    return f"SELECT {', '.join(sums)} FROM {pairs} p"


def repeated_lone(pairs: str, shape: Shape) -> str:
    """How many mentions without counterpart a side has twice."""
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
    """The first of them: those in several entities before those that come twice in one."""
    texts = [f"CAST({name} AS {TEXT}) AS {name}" for name in shape.mention]
    order = [f"HEX(CAST({name} AS {TEXT}))" for name in shape.mention]
    columns = ", ".join([*texts, "first_entity", "last_entity", "times", "entities"])
    several = "CASE WHEN entities > 1 THEN 0 ELSE 1 END"
    return f"SELECT {columns} FROM {repeats} r ORDER BY {', '.join([several, *order])} LIMIT {most}"


def one_mention(side: str, shape: Shape) -> str:
    """A mention of a side: the first by its text."""
    texts = [f"CAST({name} AS {TEXT}) AS {name}" for name in shape.mention]
    order = [f"HEX(CAST({name} AS {TEXT}))" for name in shape.mention]
    return f"SELECT {', '.join(texts)} FROM {side} s ORDER BY {', '.join(order)} LIMIT 1"


def without_equal(side: str, columns: Iterable[str]) -> str:
    """Rows that are the same only once."""
    return f"SELECT DISTINCT {', '.join(columns)} FROM {side} s"


def in_largest(rows: str, shape: Shape) -> str:
    """Each mention only in the largest of its entities; of equally large ones in the one whose id is smaller.

    ``rows`` are without equal ones.
    """
    entity = [*([shape.part] if shape.part else []), "entity"]
    columns = list(dict.fromkeys([*shape.mention, *entity]))
    sized = f"SELECT {', '.join(columns)}, COUNT(*) OVER (PARTITION BY {', '.join(entity)}) AS size FROM {rows} s"
    rank = f"ROW_NUMBER() OVER (PARTITION BY {', '.join(shape.mention)} ORDER BY size DESC, entity)"
    ranked = f"SELECT {', '.join(columns)}, {rank} AS nth FROM ({sized}) sized"
    return f"SELECT {', '.join(columns)} FROM ({ranked}) ranked WHERE nth = 1"
