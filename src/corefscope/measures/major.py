"""Major entities: F1 = Σ w(K) · F(K) / Σ w(K) over the key entities K of at least t mentions, F(K) = 2n / (|K| + |R|)

F(K) is the F1 of two sets of mentions: R is the response entity that K is mapped to, and n the number of their common
mentions; it is 0 if K is mapped to none. The map is one-to-one, with the greatest Σ F(K); of several such maps, one
with the greatest Σ |K| · F(K). t is 4, or as in ``major_macro(10)``; ``major_macro(10,names)`` maps K to the response
entity of the same id in the file instead. All other entities are left out.

- ``major_macro``: w(K) = 1: each major entity weighs the same.
- ``major_micro``: w(K) = |K|: each mention of a major entity weighs the same.

Documents are pooled by adding numerators and denominators. Without major entities there is nothing to count.

Manikantan et al. (2024). Their program takes at most five entities of a document, of 4 mentions or more and with a
name, and maps by name.

>>> from corefscope import score_clusters
>>> key, response = [["a", "b", "c", "d"], ["e", "f", "g", "h", "i", "j"], ["k"]], [["a", "b", "c", "e"], ["f", "g"]]
>>> report = score_clusters(key, response, metrics="major")
>>> report["major_macro"], report["major_micro"]
(F1(f1=0.625), F1(f1=0.6))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import lcm
from typing import NamedTuple

from ..core.components import components
from ..core.errors import InputError, OptionError
from ..core.matching.alignment import Alignment, Side
from ..core.matching.assignment import assign_component
from ..core.metrics.base import (
    MAPS_ENTITIES,
    Applicability,
    Conventions,
    EngineSupport,
    Explanation,
    Metric,
    Scale,
    elementwise,
    rows,
)
from ..core.metrics.ceaf import dice
from ..core.numbers import F1, Counts, Numeric, in_order, ratio
from ..core.table import Table, tabulate_partition

LEAST = 4
"""t: the number of mentions from which on an entity is major."""
EXACT = 20_000
"""Cells of major entities in one connected component; from here on equal totals may be told apart by rounding."""
NAME = re.compile(r"major_(macro|micro)(?:\((?:([1-9]\d{0,8})(,names)?|(names))\))?")


class Setting(NamedTuple):
    """What the name of a metric says."""

    is_micro: bool
    least: int
    by_name: bool

    def weight(self, size: Numeric) -> Numeric:
        """w(K)"""
        return size if self.is_micro else 1


def setting_of(name: str) -> Setting:
    """The setting that a name says; OptionError if it says none.

    >>> setting_of("major_micro(10,names)"), setting_of("major_macro")
    (Setting(is_micro=True, least=10, by_name=True), Setting(is_micro=False, least=4, by_name=False))
    """
    found = NAME.fullmatch(name.replace(" ", ""))
    if found is None:
        hint = "write the least number of mentions, names, or both, as in major_macro(10) or major_macro(10,names)"
        raise OptionError(f"{name!r:.60} is no metric: {hint}")
    return Setting(found[1] == "micro", int(found[2] or LEAST), bool(found[3] or found[4]))


def best_map(cells: Iterable[tuple[int, int, int]], sizes: Sequence[int], others: Sequence[int]) -> dict[int, int]:
    """The response entity of each key entity in the map with the greatest Σ F, then the greatest Σ |K|·F.

    ``cells`` are (key entity, response entity, n) of the major entities, with entities as indices of their sizes.

    >>> best_map([(0, 0, 3), (1, 0, 1), (1, 1, 2)], [4, 6], [4, 2])
    {0: 0, 1: 1}
    """
    by_row: dict[int, dict[int, int]] = {}
    for i, j, n in cells:
        by_row.setdefault(i, {})[j] = n
    numbers, lines = list(by_row), list(by_row.values())
    chosen: dict[int, int] = {}
    for group in components(lines) if lines else ():
        members = [numbers[row] for row in group]
        weights = _weights([(sizes[i], {j: (n, others[j]) for j, n in by_row[i].items()}) for i in members])
        chosen |= {members[row]: j for row, j in assign_component(weights)}
    return dict(sorted(chosen.items()))


def _weights(lines: list[tuple[int, dict[int, tuple[int, int]]]]) -> list[dict[int, Numeric]]:
    """F of each cell, and much less of |K|·F: as integers, so that equal totals are equal."""
    factor: Numeric = 1e-9
    unit = 0
    if sum(len(line) for _, line in lines) <= EXACT:
        unit = lcm(*{int(k + r) for k, line in lines for _, r in line.values()})
        factor = 1 + 2 * sum(int(k) for k, _ in lines) * unit  # more than all of the Σ |K|·F

    def weight(n: int, k: int, r: int) -> Numeric:
        if not unit:
            return dice(n, k, r) * (1 + k * factor)
        share = 2 * int(n) * unit // int(k + r)
        return share * factor + share * int(k)

    return [{j: weight(n, k, r) for j, (n, r) in line.items()} for k, line in lines]


def _count_table(setting: Setting, table: Table) -> Counts:
    sizes, others = ([size for size, _ in side.each_entity()] for side in (table, table.T))
    cells = {(i, j): n for i, j, n in table.each_cell() if sizes[i] >= setting.least}
    chosen = best_map(((i, j, n) for (i, j), n in cells.items()), sizes, others)
    return _sums(setting, sizes, others, {(i, j): cells[i, j] for i, j in chosen.items()})


def _sums(
    setting: Setting, sizes: Sequence[int], others: Sequence[int], pairs: Mapping[tuple[int, int], int]
) -> Counts:
    weight = setting.weight
    numerator = in_order(weight(sizes[i]) * dice(n, sizes[i], others[j]) for (i, j), n in pairs.items())
    return numerator, sum(weight(size) for size in sizes if size >= setting.least)


def _count_alignment(setting: Setting, alignment: Alignment) -> Counts:
    """The counts by the ids of entities, of a partition."""
    table = tabulate_partition(alignment)
    names, of_others = (entity_names(side) for side in alignment[:2])
    pairs = {
        (i, j): n for i, j, n in table.each_cell() if table.key_sizes[i] >= setting.least and names[i] == of_others[j]
    }
    return _sums(setting, table.key_sizes, table.response_sizes, pairs)


def entity_names(side: Side) -> list[str]:
    """The ids of the entities of a side that own mentions, in the order of :func:`tabulate_partition`."""
    document = side.document
    if document and document.local_ids and document.entities:
        hint = "use a format with names of entities, or leave 'names' out"
        raise InputError("its entities have no names that both sides share", path=document.path, hint=hint)
    named = zip(document.entity_ids, document.entities, strict=False) if document else ()
    id_of = {mention: id_ for id_, entity in named for mention in entity}
    first = {entity: side.mentions[number] for number, entity in reversed([*enumerate(side.owner)])}
    if not all(mention in id_of for mention in first.values()):
        raise OptionError("only entities of files, as they are, can be compared by name: leave 'names' out")
    return [id_of[first[entity]] for entity in dict.fromkeys(side.owner)]


@elementwise
def _score(counts: Counts, conventions: Conventions) -> F1:
    return F1(ratio(counts[0], counts[1], conventions.nothing))


@lru_cache(maxsize=64)
def row_of(name: str) -> Metric:
    """The row of a metric with or without settings in its name."""
    setting = setting_of(name)
    is_micro, least, by_name = setting
    settings = ",".join([str(least)] * (least != LEAST or by_name) + ["names"] * by_name)
    kind = "micro" if is_micro else "macro"
    of_names = " of the same name" if by_name else ""
    return Metric(
        name=f"major_{kind}({settings})" if settings else f"major_{kind}",
        title=f"Major {kind} ({least}+{', names' * by_name})",
        summary=f"{kind} F1 of key entities of {least} or more mentions, each mapped to a response entity{of_names}",
        cite="manikantan-2024",
        definition=__doc__,
        reads="alignment" if by_name else "partition",
        counts=partial(_count_alignment if by_name else _count_table, setting),
        fields=("f1_of_mentions", "mentions") if is_micro else ("f1_of_entities", "entities"),
        score=_score,
        scale=Scale(symmetric=False),
        scope=Applicability(needs_words=by_name),
        resampling=MAPS_ENTITIES,
        explanation=Explanation(f"entities.major:{name}"),
        engines=EngineSupport(not by_name, each_entity="maps single entities, so that it must know each of them"),
    )


ROWS = rows(row_of("major_macro"), row_of("major_micro"))
