"""Explanations of metrics on one document: tables whose terms add up to the counts of the metric, exactly.

``Metric.explanation.function`` names a function of one of these modules, as ``module.function`` or
``module.function:argument``. Its last argument is the input of the metric with names:
:class:`~.pieces.EntityPieces` for ``reads="table"``, :class:`~.pieces.Partitions` for ``"partition"``, the alignment
for ``"alignment"``, judged relations for ``"relations"``. It returns a list of :class:`~.sections.Section`. A metric
of the table that names none is explained by its counts: of each connected component if they add up over these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any

from ...core.components import components
from ...core.matching.alignment import NONE
from ...core.metrics.base import Metric
from ...core.numbers import Numeric
from ...core.table import Cells, Contingency
from .pieces import KEY, RESPONSE, Column, EntityPieces, Entry, Partitions, Piece, Section, SplitEntity, Term


def named_function(name: str) -> Callable[..., Any]:
    """The function with a name such as ``entities.muc`` or ``mentions.by_links:full``."""
    place, _, argument = name.partition(":")
    module, _, function_name = place.partition(".")
    function: Callable[..., Any] = getattr(import_module(f".{module}", __package__), function_name)
    return partial(function, argument) if argument else function


def explanation_of(metric: Metric) -> Callable[..., Sequence[Section]] | None:
    """The function that explains a metric; None if there is none."""
    if metric.explanation.function:
        return named_function(metric.explanation.function)
    return partial(_from_counts, metric) if metric.reads in ("table", "partition") else None


def _from_counts(metric: Metric, source: EntityPieces | Partitions) -> list[Section]:
    """The counts of a metric without an explanation of its own: by component if they add up, or else as a whole."""
    sides = source.pieces() if isinstance(source, Partitions) else source
    columns = tuple([Column(name.replace("_", " "), (field,)) for field, name in enumerate(metric.fields)])

    def entry(table: Contingency, name: str, pieces: Iterable[Piece] = ()) -> Entry:
        counts = [count if isinstance(count, Fraction | float) else Fraction(count) for count in metric.counts(table)]
        return Entry(tuple(map(Term, counts)), name=name, pieces=tuple(pieces))

    if not metric.engines.adds_over_components:
        table = sides.table or _table(sides, list(range(len(sides.key))), list(range(len(sides.response))))
        return [Section("The counts of the document", columns, (entry(table, "document"),))]
    entries = []
    for key, response in _groups(sides):
        entities = [*(sides.key[i] for i in key), *(sides.response[j] for j in response)]
        pieces = [Piece(split.mentions, split.entity) for split in entities]
        entries.append(entry(_table(sides, key, response), f"{len(key)} and {len(response)}", pieces))
    return [Section("Entities of key and response that share mentions", columns, tuple(entries))]


def _groups(sides: EntityPieces) -> Iterator[tuple[list[int], list[int]]]:
    """The key entities and the response entities that share mentions, directly or through others."""
    rows: list[set[object]] = []
    for side, other, entities in ((KEY, RESPONSE, sides.key), (RESPONSE, KEY, sides.response)):
        for i, split in enumerate(entities):
            others = {(other, "entity", member.other) for member in split.members if member.other != NONE}
            rows.append({(side, "entity", i), *others, *split.mentions})
    for i, j in sides.shared:
        rows[i].add((RESPONSE, "entity", j))
    first = len(sides.key)
    for group in components(rows) if rows else ():
        yield [row for row in group if row < first], [row - first for row in group if row >= first]


def _table(sides: EntityPieces, key: list[int], response: list[int]) -> Contingency:
    """The table of one component, in exact numbers."""
    rows, columns = [sides.key[i] for i in key], [sides.response[j] for j in response]
    row, column = ({entity: n for n, entity in enumerate(side)} for side in (key, response))
    sizes: Numeric = [Fraction(split.size) for split in rows]
    others: Numeric = [Fraction(split.size) for split in columns]
    shared: Numeric = {(row[i], column[j]): Fraction(len(both)) for (i, j), both in sides.shared.items() if i in row}
    distinct_mentions = [len({m for split in side for m in split.mentions}) for side in (rows, columns)]
    return Contingency(
        sizes,
        others,
        Cells.of_pairs(_pairs(rows, column), sizes, others),
        back=Cells.of_pairs(_pairs(columns, row), others, sizes),
        shared=Cells.of_pairs(shared, sizes, others),
        matched=len({member.mention for split in rows for member in split.members if member.other != NONE}),
        mentions=(distinct_mentions[KEY], distinct_mentions[RESPONSE]),
    )


def _pairs(side: list[SplitEntity], places: dict[int, int]) -> dict[tuple[int, int], Numeric]:
    members = [(i, member.other) for i, split in enumerate(side) for member in split.members if member.other != NONE]
    return {(i, places[other]): Fraction(n) for (i, other), n in Counter(members).items()}
