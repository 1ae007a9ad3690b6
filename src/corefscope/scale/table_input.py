"""The tables of key and response in an engine: finding their columns, errors and warnings about their rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..core.errors import InputError, OptionError, Warnings, amount
from ..core.input import Input
from ..core.rules import RULES
from ..formats.mention_warnings import SideMentions, warn_of_mentions
from ..formats.source import path_name
from ..formats.tables.columns import SIDES, ColumnNames
from ..formats.tables.reader import columns_of
from .engines.base import Engine, Scratch
from .engines.counting import Facts, SideFacts
from .engines.sql import LabelledTable


class TablePair(NamedTuple):
    """The tables of key and response in an engine."""

    engine: Engine
    key: LabelledTable
    response: LabelledTable
    names: tuple[str, str]
    """Their names in messages: paths, names of tables, or ``DataFrame of the key``."""

    @property
    def in_one_table(self) -> bool:
        """Whether a row has the entities of both sides."""
        return self.key.view == self.response.view


@contextmanager
def open_tables(
    engine: Engine, tables: Sequence[object], key: str, responses: Sequence[str], names: ColumnNames
) -> Iterator[TablePair]:
    """Views of the tables of both sides, dropped at the end, with their columns.

    ``key`` and ``responses`` are the columns of entities; empty names are those of ``names``, or are found.
    """
    if len(tables) not in (1, 2):
        raise OptionError(f"{len(tables)} tables: give the key and the response, or one table that has both")
    if len(tables) == 1 and not ((key and all(responses)) or names.has_both_entities):
        raise OptionError("one table needs the columns of both sides: entity_column=(…, …), or key= and response=")
    if not responses:
        raise OptionError("no column of the response is named")
    for table in tables:
        _check_table(table)
    with Scratch(engine) as scratch:
        views = [scratch.view(side, table) for side, table in zip(SIDES, tables, strict=False)]
        called = _name_of(tables[0], "key"), _name_of(tables[-1], "response")
        found: list[LabelledTable] = []
        for side, view, name, entities in zip(SIDES, (views[0], views[-1]), called, ([key], responses), strict=True):
            header = list(engine.columns(view))
            named = names.of_side(side, header)
            entity = named.pop("entity", "")
            found.append(_columns(view, header, name, [each or entity for each in entities], named, len(tables) == 1))
        sides = TablePair(engine, found[0], found[1], called)
        has = bool(sides.key.document), bool(sides.response.document)
        if has[0] != has[1]:
            hint = "name it (--document-column); '' if ids of mentions are enough without"
            column = sides.key.document or sides.response.document
            message = f"no column holds the document, which {called[has.index(True)]} has"
            raise InputError(message, path=called[has.index(False)], hint=f"{hint} {column!r}")
        yield sides


def _check_table(table: object) -> None:
    """Refuse what no engine can read."""
    if isinstance(table, str) and table == "-":
        raise InputError("an engine cannot read standard input", hint="name a file")
    if isinstance(table, list | tuple):
        for path in table:
            path_name(path)
    if isinstance(table, dict):
        lengths = {len(values) if isinstance(values, Sized) else None for values in table.values()}
        if len(lengths) != 1 or None in lengths:
            raise InputError("the columns of a dict must have the same length", hint="give a list for each column")


def _columns(
    view: str, header: Sequence[str], name: str, entities: Sequence[str], named: Mapping[str, str], alone: bool
) -> LabelledTable:
    """A table with its columns. In a table that has both sides, each row is a mention, which needs no name."""
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
    return LabelledTable(view, tuple(columns), mention, document)


def _expanded(pattern: str, header: Sequence[str]) -> Sequence[str]:
    if pattern in header or not any(sign in pattern for sign in "*?["):
        return [pattern]
    matching = [name for name in header if fnmatchcase(name, pattern)]
    if not matching:
        raise InputError(f"no column matches {pattern!r}", hint=f"there are {', '.join(map(repr, header[:20]))}")
    return matching


def _name_of(table: object, side: str) -> str:
    if isinstance(table, str | os.PathLike):
        return os.fspath(table)
    if isinstance(table, list | tuple) and table and all(isinstance(each, str | os.PathLike) for each in table):
        return f"{os.fspath(table[0])} …" if len(table) > 1 else os.fspath(table[0])
    return f"{type(table).__name__} of the {side}"


ONE_OWNER = " or ".join(name for name, rules in RULES.items() if rules.one_owner)


def check_facts(facts: Facts, sides: TablePair, response: str, duplicates: str, rules: str) -> Warnings:
    """Raise an error for what cannot be scored; return warnings. ``response`` is the column that the facts are of."""
    warnings = Warnings()
    names = sides.names[0], sides.names[1] + (f" ({response})" if len(sides.response.entities) > 1 else "")
    both = list(zip(names, (facts.key, facts.response), (sides.key, sides.response), strict=True))
    for (name, side, table), entity in zip(both, (sides.key.entities[0], response), strict=True):
        _check_rows(name, side, {**table.columns(), "entity": entity}, sides.in_one_table)
    for name, side, _ in both:
        _check_repeats(name, side, duplicates, rules, warnings)
    for role, key, response in facts.cast:
        message = f"the {role} is {response} here, but {key} in the key: both are compared as text"
        warnings.add("types", names[1], 0, message)
    for name, side, _ in both:
        if side.lacks:
            message = f"{amount(side.lacks, 'document')} missing, such as {side.lacking!r}: taken for empty"
            warnings.add("absent", name, 0, message)
    if not facts.common:
        examples = [" in document ".join(map(repr, reversed(side.example))) for _, side, _ in both]
        message = (
            f"no mention of the response is one of the key: {examples[1]} is one here, {examples[0]} one of the key."
            " Are ids written alike?"
        )
        warnings.add("nothing in common", names[1], 0, message)
    else:
        mentions = map(SideMentions, names, facts.mentions, facts.mentions)
        warn_of_mentions(warnings, *mentions, matched=facts.common, ids_in_common=facts.common)
    return warnings


def _check_rows(name: str, side: SideFacts, columns: Mapping[str, str], in_one_table: bool) -> None:
    if not side.rows:
        raise InputError("has no rows", path=name, hint="a row is needed for each mention")
    for role, rows in side.missing.items():
        hint = "each row must name its mention and entity: select the rows that do"
        if in_one_table and role == "entity":
            hint += "; if a side lacks mentions that the other has, give two tables"
        what = f"{amount(rows, 'row')} of {side.rows:,} without {role}"
        raise InputError(f"{what}: the column {columns[role]!r} is empty there", path=name, hint=hint)


def _check_repeats(name: str, side: SideFacts, duplicates: str, rules: str, warnings: Warnings) -> None:
    """Repeated mentions are an error, unless ``duplicates`` says otherwise."""
    described = []
    for mention in side.repeated:
        document = f" of document {mention.document!r}" if mention.document else ""
        times = f" ({mention.times} rows)" if mention.times > 2 else ""
        described.append(f"{mention.mention!r}{document} in {' and '.join(map(repr, mention.entities))}{times}")
    examples = "; ".join(described)
    if side.several:
        message = f"{amount(side.several, 'mention')} in several entities"
        if duplicates != "largest":
            hint = "to keep each in the largest of its entities only: --duplicates largest"
            if not RULES[rules].one_owner:
                hint = (
                    f"rules {rules} count them in each, which is done in memory only: leave --engine out; or keep"
                    f" each in the largest of its entities: --duplicates largest --rules {ONE_OWNER}"
                )
            raise InputError(f"{message}: {examples}", path=name, hint=hint)
        warnings.add("two entities", name, 0, f"{message}, each taken for one of the largest: {examples}")
    if side.again:
        message = f"{amount(side.again, 'mention')} more than once in the same entity"
        if duplicates == "error":
            raise InputError(f"{message}: {examples}", path=name, hint="to count each once: --duplicates drop-equal")
        warnings.add("again", name, 0, f"{message}, counted once: {examples}")


def describe_inputs(facts: Facts, sides: TablePair, response: str) -> list[Input]:
    """The inputs of a report: what was read, by which engine, from which columns."""
    inputs = []
    both = (facts.key, sides.key, sides.key.entities[0]), (facts.response, sides.response, response)
    for name, (side, table, entity) in zip(sides.names, both, strict=True):
        read = Input(name)
        read.formats["table"] = None
        read.documents, read.mentions = side.documents + side.lacks or 1, side.rows
        read.entities, read.singletons = side.entities, side.singletons
        read.engine = f"{sides.engine.name} {sides.engine.version}"
        named = {"document": table.document, "mention": table.mention, "entity": entity}
        read.columns = {role: column for role, column in named.items() if column}
        inputs.append(read)
    return inputs
