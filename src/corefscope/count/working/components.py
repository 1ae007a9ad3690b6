"""Component by component: what is shown of a metric that names no working, if it adds over connected components."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from ...base.components import components
from ...match.alignment import NONE
from ..metrics.base import Metric
from ..table import Cells, Contingency
from .cuts import Cut, Cuts
from .sections import Column, Entry, Piece, Section, Term
from .sets import Sets


def by_component(metric: Metric) -> Callable[[Any], Sequence[Section]]:
    """The counts of each group of entities that share mentions, directly or through others."""

    def work(source: Cuts | Sets) -> list[Section]:
        cuts = source.cuts() if isinstance(source, Sets) else source
        columns = tuple([Column(name.replace("_", " "), (field,)) for field, name in enumerate(metric.fields)])
        entries = []
        for key, response in _groups(cuts):
            counts = metric.counts(_table(cuts, key, response))
            terms = tuple(
                [Term(count if isinstance(count, Fraction | float) else Fraction(count)) for count in counts]
            )
            entities = [*(cuts.key[i] for i in key), *(cuts.response[j] for j in response)]
            pieces = [Piece(tuple([m.mention for m in cut.members]), cut.entity) for cut in entities]
            entries.append(Entry(terms, name=f"{len(key)} and {len(response)}", pieces=tuple(pieces)))
        return [Section("Entities of key and response that share mentions", columns, tuple(entries))]

    return work


def _groups(cuts: Cuts) -> Iterable[tuple[list[int], list[int]]]:
    """The key entities and the response entities of each component."""
    rows: list[set[Any]] = []
    for side, other in ((0, 1), (1, 0)):
        for i, cut in enumerate((cuts.key, cuts.response)[side]):
            faced = {(other, "entity", member.other) for member in cut.members if member.other != NONE}
            rows.append({(side, "entity", i), *faced, *(member.mention for member in cut.members)})
    for i, j in cuts.shared:
        rows[i].add((1, "entity", j))
    for group in components(rows) if rows else ():
        first = len(cuts.key)
        yield [row for row in group if row < first], [row - first for row in group if row >= first]


def _table(cuts: Cuts, key: list[int], response: list[int]) -> Contingency:
    """The table of one component, in exact numbers."""
    rows, columns = [cuts.key[i] for i in key], [cuts.response[j] for j in response]
    row, column = ({entity: n for n, entity in enumerate(side)} for side in (key, response))
    sizes: Any = [Fraction(cut.size) for cut in rows]
    others: Any = [Fraction(cut.size) for cut in columns]
    shared: Any = {(row[i], column[j]): Fraction(len(both)) for (i, j), both in cuts.shared.items() if i in row}
    return Contingency(
        sizes,
        others,
        Cells.of_pairs(_pairs(rows, column), sizes, others),
        back=Cells.of_pairs(_pairs(columns, row), others, sizes),
        shared=Cells.of_pairs(shared, sizes, others),
        matched=len({member.mention for cut in rows for member in cut.members if member.other != NONE}),
        mentions=(_distinct(rows), _distinct(columns)),
    )


def _distinct(side: list[Cut]) -> int:
    return len({member.mention for cut in side for member in cut.members})


def _pairs(side: list[Cut], places: dict[int, int]) -> dict[tuple[int, int], Any]:
    cells: dict[tuple[int, int], Any] = {}
    for i, cut in enumerate(side):
        for member in cut.members:
            if member.other != NONE:
                cell = i, places[member.other]
                cells[cell] = cells.get(cell, Fraction(0)) + 1
    return cells
