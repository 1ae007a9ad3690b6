"""Explanations derived from the counts of a metric, for metrics without one of their own.

The counts of a metric that adds over connected components are shown for each component, other counts for the whole
document.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ...core.components import components
from ...core.matching.alignment import NONE
from ...core.metrics.base import Metric
from ...core.table import Cells, Contingency
from .pieces import EntityPieces, Partitions, SplitEntity
from .sections import Column, Entry, Piece, Section, Term


def by_component(metric: Metric, source: EntityPieces | Partitions) -> list[Section]:
    """The counts of each group of entities that share mentions, directly or through others."""
    sides = source.pieces() if isinstance(source, Partitions) else source
    entries = []
    for key, response in _groups(sides):
        entities = [*(sides.key[i] for i in key), *(sides.response[j] for j in response)]
        pieces = [Piece(tuple([m.mention for m in split.members]), split.entity) for split in entities]
        terms = _terms(metric, _table(sides, key, response))
        entries.append(Entry(terms, name=f"{len(key)} and {len(response)}", pieces=tuple(pieces)))
    return [Section("Entities of key and response that share mentions", _columns(metric), tuple(entries))]


def whole_document(metric: Metric, source: EntityPieces | Partitions) -> list[Section]:
    """The counts of the document."""
    sides = source.pieces() if isinstance(source, Partitions) else source
    table = sides.table or _table(sides, list(range(len(sides.key))), list(range(len(sides.response))))
    return [Section("The counts of the document", _columns(metric), (Entry(_terms(metric, table), name="document"),))]


def _columns(metric: Metric) -> tuple[Column, ...]:
    return tuple([Column(name.replace("_", " "), (field,)) for field, name in enumerate(metric.fields)])


def _terms(metric: Metric, table: Contingency) -> tuple[Term, ...]:
    return tuple(
        [Term(count if isinstance(count, Fraction | float) else Fraction(count)) for count in metric.counts(table)]
    )


def _groups(sides: EntityPieces) -> Iterable[tuple[list[int], list[int]]]:
    """The key entities and the response entities of each component."""
    rows: list[set[Any]] = []
    for side, other in ((0, 1), (1, 0)):
        for i, split in enumerate((sides.key, sides.response)[side]):
            faced = {(other, "entity", member.other) for member in split.members if member.other != NONE}
            rows.append({(side, "entity", i), *faced, *(member.mention for member in split.members)})
    for i, j in sides.shared:
        rows[i].add((1, "entity", j))
    for group in components(rows) if rows else ():
        first = len(sides.key)
        yield [row for row in group if row < first], [row - first for row in group if row >= first]


def _table(sides: EntityPieces, key: list[int], response: list[int]) -> Contingency:
    """The table of one component, in exact numbers."""
    rows, columns = [sides.key[i] for i in key], [sides.response[j] for j in response]
    row, column = ({entity: n for n, entity in enumerate(side)} for side in (key, response))
    sizes: Any = [Fraction(split.size) for split in rows]
    others: Any = [Fraction(split.size) for split in columns]
    shared: Any = {(row[i], column[j]): Fraction(len(both)) for (i, j), both in sides.shared.items() if i in row}
    return Contingency(
        sizes,
        others,
        Cells.of_pairs(_pairs(rows, column), sizes, others),
        back=Cells.of_pairs(_pairs(columns, row), others, sizes),
        shared=Cells.of_pairs(shared, sizes, others),
        matched=len({member.mention for split in rows for member in split.members if member.other != NONE}),
        mentions=(_distinct(rows), _distinct(columns)),
    )


def _distinct(side: list[SplitEntity]) -> int:
    return len({member.mention for split in side for member in split.members})


def _pairs(side: list[SplitEntity], places: dict[int, int]) -> dict[tuple[int, int], Any]:
    cells: dict[tuple[int, int], Any] = {}
    for i, split in enumerate(side):
        for member in split.members:
            if member.other != NONE:
                cell = i, places[member.other]
                cells[cell] = cells.get(cell, Fraction(0)) + 1
    return cells
