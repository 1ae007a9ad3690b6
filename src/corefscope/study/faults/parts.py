"""Counts of parts of a document: both partitions restricted to some of their mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...base.numbers import Counts
from ...count.cells import Cells
from ...count.metrics.base import Metric
from ...count.table import Contingency
from ...evaluate.rules import RULES
from ...evaluate.steps import count
from ...match.alignment import NONE, Alignment
from .pairing import Pairing
from .repair import numbered

Row = tuple[Counts, ...]
Part = tuple[tuple[int, ...], tuple[int, ...]]
"""Mentions of the key and of the response, by number."""
Table = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[tuple[int, int], int], ...]]
"""Sizes of the entities of both sides, and how many mentions they share."""

COMMON = 4  # entities of each side of a table that is likely to come again


class Parts:
    """Counts parts of one document after the other. What was counted before is not counted again."""

    def __init__(self, metrics: Sequence[Metric], rules: str) -> None:
        self._metrics, self._rules = metrics, rules
        self._tables_suffice = not RULES[rules].own_counts and all(metric.reads != "alignment" for metric in metrics)
        self._tables: dict[Table, Row] = {}
        self._pairing: Pairing | None = None
        self._of_document: dict[Part, Row] = {}

    def count(self, pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Row:
        """The counts of each metric for these mentions alone, each in the entity that owns it."""
        if self._pairing is not pairing:
            self._pairing, self._of_document = pairing, {}
        part = tuple(keys), tuple(responses)
        row = self._of_document.get(part)
        if row is None:
            row = self._of_document[part] = self._counted(pairing, *part)
        return row

    def _counted(self, pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Row:
        if not self._tables_suffice:
            return count(restricted_alignment(pairing, keys, responses), self._metrics, self._rules)
        table = _restricted_table(pairing, keys, responses)
        row = self._tables.get(table)
        if row is None:
            key_sizes, response_sizes, pairs = table
            seen = Contingency(key_sizes, response_sizes, Cells.count(dict(pairs), key_sizes, response_sizes))
            row = tuple([metric.count(seen) for metric in self._metrics])
            if len(key_sizes) <= COMMON and len(response_sizes) <= COMMON:
                self._tables[table] = row
        return row

    def nothing(self) -> Row:
        """The counts of a document that has no mentions."""
        empty = numbered([])
        return count(Alignment.of_pairs(empty, empty, []), self._metrics, self._rules)


def _restricted_table(pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Table:
    ours, theirs = pairing.key.owner, pairing.response.owner
    key_sizes, response_sizes = Counter([ours[k] for k in keys]), Counter([theirs[r] for r in responses])
    row, column = ({i: at for at, i in enumerate(sorted(sizes))} for sizes in (key_sizes, response_sizes))
    kept, counterparts = set(responses), pairing.counterparts
    found = [(row[ours[k]], column[theirs[counterparts[k]]]) for k in keys if counterparts.get(k, NONE) in kept]
    return (
        tuple([key_sizes[i] for i in row]),
        tuple([response_sizes[j] for j in column]),
        tuple(sorted(Counter(found).items())),
    )


def restricted_alignment(pairing: Pairing, keys: Sequence[int], responses: Sequence[int]) -> Alignment:
    """The alignment of these mentions alone, each in the entity that owns it."""
    ours, key_order = _entities(keys, pairing.key.owner)
    theirs, response_order = _entities(responses, pairing.response.owner)
    number = {r: at for at, r in enumerate(response_order)}
    to_response = [number.get(pairing.counterparts.get(k, NONE), NONE) for k in key_order]
    return Alignment.of_pairs(
        numbered([[pairing.key.mentions[k] for k in entity] for entity in ours]),
        numbered([[pairing.response.mentions[r] for r in entity] for entity in theirs]),
        to_response,
    )


def _entities(numbers: Sequence[int], owner: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    entities: dict[int, list[int]] = {}
    for number in numbers:
        entities.setdefault(owner[number], []).append(number)
    ordered = [entities[i] for i in sorted(entities)]
    return ordered, [number for entity in ordered for number in entity]
