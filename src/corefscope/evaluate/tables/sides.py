"""The tables of key and response as an engine has them, and which of their columns is what."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.errors import InputError, OptionError
from ...read.ids.table import columns_of

if TYPE_CHECKING:
    from ...count.engines.base import Engine
    from ...count.engines.statements import Labelled

SIDES = ("key", "response")
ROLES = ("mention", "document")
Names = Mapping[str, str | Sequence[str] | None]
"""What mentions and documents are called: one name, or one for each side, or None if it is to be found."""


class BothSides(NamedTuple):
    """Key and response, ready to be counted."""

    engine: Engine
    key: Labelled
    response: Labelled
    names: tuple[str, str]
    """What messages call them: paths, names of tables, or ``DataFrame of the key``."""

    @property
    def in_one_table(self) -> bool:
        """Whether a row has the entities of both sides."""
        return self.key.view == self.response.view


@contextmanager
def labelled(
    engine: Engine, tables: Sequence[Any], key: str, responses: Sequence[str], roles: Names
) -> Iterator[BothSides]:
    """The tables of both sides, with their columns found; what the engine knows of them it forgets in the end.

    ``key`` and ``responses`` are the columns of entities; an empty name is found.
    """
    _check_arguments(tables, key, responses)
    prefix = f"corefscope_{token_hex(6)}"
    views = {f"{prefix}_{side}": table for side, table in zip(SIDES, tables, strict=False)}
    try:
        for view, table in views.items():
            engine.view(view, table)
        called = [*views.items()]
        (key_view, key_table), (response_view, response_table) = called[0], called[-1]
        names = _name_of(key_table, "key"), _name_of(response_table, "response")
        sides = BothSides(
            engine,
            _columns(engine, key_view, names[0], [key], _of_side(roles, 0), len(tables) == 1),
            _columns(engine, response_view, names[1], responses, _of_side(roles, 1), len(tables) == 1),
            names,
        )
        _check_documents(sides)
        yield sides
    finally:
        engine.drop(*views)


def _check_arguments(tables: Sequence[Any], key: str, responses: Sequence[str]) -> None:
    if len(tables) not in (1, 2):
        raise OptionError(f"{len(tables)} tables: give the key and the response, or one table that has both")
    if len(tables) == 1 and not (key and all(responses)):
        raise OptionError("one table needs the columns of both sides: key= and response= (--key-column …)")
    if not responses:
        raise OptionError("no column of the response is named")
    for table in tables:
        if isinstance(table, str) and table == "-":
            raise InputError("an engine cannot read standard input", hint="name a file")


def _of_side(roles: Names, side: int) -> dict[str, str]:
    """The names of one side that somebody has given."""
    given = {role: name if isinstance(name, str) else name[side] for role, name in roles.items() if name is not None}
    return {role: name for role, name in given.items() if name is not None}


def _columns(
    engine: Engine, view: str, name: str, entities: Sequence[str], named: Mapping[str, str], alone: bool
) -> Labelled:
    """A table with its columns. One that has both sides need not name its mentions: each row is one."""
    from ...count.engines.statements import Labelled

    header = list(engine.columns(view))
    optional = ("document", "mention") if alone else ("document",)
    try:
        found = [
            columns_of(header, {**named, **({"entity": entity} if entity else {})}, optional)
            for pattern in entities
            for entity in _expanded(pattern, header)
        ]
    except InputError as error:
        raise error.located(name, 0) from None
    document, mention, _ = (header[index] if index >= 0 else "" for index in found[0])
    columns = dict.fromkeys(header[entity] for _, _, entity in found)
    return Labelled(view, tuple(columns), mention, document)


def _expanded(pattern: str, header: Sequence[str]) -> Sequence[str]:
    """The columns that a pattern with wildcards stands for; a name stands for itself."""
    if pattern in header or not any(sign in pattern for sign in "*?["):
        return [pattern]
    matching = [name for name in header if fnmatchcase(name, pattern)]
    if not matching:
        raise InputError(f"no column matches {pattern!r}", hint=f"there are {', '.join(map(repr, header[:20]))}")
    return matching


def _check_documents(sides: BothSides) -> None:
    """Documents are named on both sides, or on none."""
    has = bool(sides.key.document), bool(sides.response.document)
    if has[0] != has[1]:
        named, other = (sides.names[index] for index in (has.index(True), has.index(False)))
        column = sides.key.document or sides.response.document
        hint = f"name it (--document-column); '' if ids of mentions are enough without {column!r}"
        raise InputError(f"no column holds the document, which {named} has", path=other, hint=hint)


def _name_of(table: Any, side: str) -> str:
    """What messages call a table."""
    if isinstance(table, str | os.PathLike):
        return os.fspath(table)
    if isinstance(table, list | tuple) and table and all(isinstance(each, str | os.PathLike) for each in table):
        return f"{os.fspath(table[0])} …" if len(table) > 1 else os.fspath(table[0])
    return f"{type(table).__name__} of the {side}"
