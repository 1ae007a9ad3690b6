"""What is found about two tables before they are counted: what is missing, what comes twice, what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from . import checks
from .base import Scratch
from .statements import Shape

EXAMPLES = 5
INTEGERS = {"byte", "hugeint", "int", "integer", "long", "short", "uhugeint", *("tinyint", "smallint", "bigint")}
INTEGERS |= {f"u{name}" for name in INTEGERS}
TEXTS = {"char", "string", "text", "varchar"}
FLOATS = {"double", "float", "real"}


class Repeated(NamedTuple):
    """A mention that a side has more than once."""

    document: str
    """Nothing, where mentions have no document."""
    mention: str
    entities: tuple[str, ...]
    """Its entity, or the first and the last of them."""
    times: int


class SideFacts(NamedTuple):
    """What was found on one side."""

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
    """How many mentions come several times, in the same entity."""
    repeated: tuple[Repeated, ...] = ()
    """Some of them."""
    lacks: int = 0
    """How many documents only the other side has."""
    lacking: str = ""
    """One of them."""
    example: tuple[str, ...] = ()
    """If the sides have no mention in common, a mention of this one: its document, if there are any, and its id."""


class Cast(NamedTuple):
    """Columns of different types, which are compared as texts."""

    role: str
    key: str
    response: str


class Facts(NamedTuple):
    """What was found."""

    key: SideFacts
    response: SideFacts
    cast: tuple[Cast, ...] = ()
    common: int = 0
    """The mentions that both sides have."""
    mentions: tuple[int, int] = (0, 0)
    """Those of the key and of the response, each once if repeats were dropped."""
    fatal: bool = False
    """Nothing can be counted: ids are missing, or mentions are in several entities."""


def kind_of(type_: str) -> str:
    """What a column holds, of what engines call its type: ``int``, ``text``, ``float``, or the type itself.

    >>> kind_of("BIGINT"), kind_of("VARCHAR"), kind_of("char(3)"), kind_of("DATE")
    ('int', 'text', 'text', 'date')
    """
    name = type_.lower().partition("(")[0].strip()
    families = {"int": INTEGERS, "text": TEXTS, "float": FLOATS}
    return next((kind for kind, names in families.items() if name in names), type_.lower())


def survey(scratch: Scratch, side: str, kinds: Mapping[str, str], step: str) -> tuple[SideFacts, bool]:
    """Rows and what they lack; and whether a mention may come so often that a join would not end."""
    found = {name: int(column[0]) for name, column in scratch.fetch(checks.survey(side, kinds), step).items()}
    missing = {role: rows for role in kinds if (rows := found["total"] - found[f"with_{role}"])}
    too_full = found["fullest"] > 10_000 + 8 * found["total"] // checks.BUCKETS
    return SideFacts(found["total"], missing), too_full


def find_repeats(scratch: Scratch, side: str, shape: Shape, facts: SideFacts, step: str) -> SideFacts:
    """The same facts with the mentions that come more than once."""
    table = scratch.make("repeats", checks.repeats(side, shape), step)
    counted = scratch.fetch(checks.repeats_counted(table), step)
    rows = scratch.fetch(checks.repeats_shown(table, shape, EXAMPLES), step)
    scratch.drop(table)
    repeated = tuple(
        [
            Repeated(document, mention, tuple(dict.fromkeys((first, last))), int(times))
            for document, mention, first, last, times in zip(
                rows.get("document", [""] * len(rows["mention"])),
                *(rows[name] for name in ("mention", "first_entity", "last_entity", "times")),
                strict=True,
            )
        ]
    )
    return facts._replace(several=int(counted["several"][0]), again=int(counted["again"][0]), repeated=repeated)


def example(scratch: Scratch, side: str, shape: Shape) -> tuple[str, ...]:
    """A mention of a side: its document, if it has one, and its id."""
    rows: Mapping[str, Any] = scratch.fetch(checks.one_mention(side, shape), "looking for an example")
    return tuple([str(rows[name][0]) for name in shape.mention if len(rows[name])])
