"""Weights of entities: what an entity K adds to the two sums of a metric is multiplied by w(K)

A recall Σ_K a(K) / Σ_K b(K) becomes Σ_K w(K) · a(K) / Σ_K w(K) · b(K), and a precision the same over the response
entities R; a sum over mentions is one over entities, each with its mentions. If all weights are equal, scores are the
plain ones. A singleton that a metric adds weighs as much as the entity of its mention.

- ``size^ALPHA``: w(K) = |K|^ALPHA, w(R) = |R|^ALPHA. With ALPHA = −1, B³ gives each entity the same weight.
- a file, CSV or TSV with columns document, entity and weight: w(K) is in the row of K. ``FILE:COLUMN`` names the
  column of weights; the file may be the table of the key, with a row for each mention. Without a document, a row is
  for the entity of that id in all documents; a row of a document counts first. The entity ``*`` means all entities
  (of its document) that have no row of their own; without it, an entity without a row is an error. w(R) is the mean
  of the weights of its mentions: a mention weighs what the key entity of its counterpart does, and one without
  counterpart as much as ``*``, or without such a row as the mean of the file. Where documents are joined, so are
  their rows.

A metric can be weighed if its recall is a sum over key entities and its precision the same over response entities.

>>> from corefscope.core.table import Contingency
>>> from corefscope.core.metrics.b_cubed import B_CUBED
>>> table = Contingency.of_pairs([3, 2], [2, 3], {(0, 0): 2, (0, 1): 1, (1, 1): 2})
>>> B_CUBED.counts(WeightedTable(table, [2, 1], [1, 1]))[:2]
(5.333333333333333, 8)
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from math import isfinite
from typing import NamedTuple

from ..core.baselines import OF_FILE, of_file
from ..core.errors import InputError, OptionError
from ..core.grouping import Group
from ..core.matching.alignment import NONE, Alignment, Side
from ..core.metrics import METRICS, counted
from ..core.metrics.base import BOTH_WAYS, COUNTS_LINKS, MAPS_ENTITIES, Metric
from ..core.numbers import Counts, Numeric, in_order, mean, ratio
from ..core.table import Contingency, SizeTerm, Term, tabulate, tabulate_partition
from ..formats.source import read_bytes
from ..formats.tables.reader import COLUMNS
from ..formats.tables.small import read_cells

BY_SIZE = re.compile(r"size\^([+-]?\d{1,3}(?:\.\d{1,9})?)", re.ASCII)
SIGNED = re.compile(rf"{OF_FILE}(:.+)?")
LARGEST_POWER = 10
LARGEST = 1e9
OTHERS = "*"
HINT = "columns document (may be absent or empty), entity and weight; a weight is a number from 0 to 1e9"
REASONS = {
    MAPS_ENTITIES: "maps entities to each other, and the best map for one side is not that for the other",
    COUNTS_LINKS: "counts links for both sides at once",
}


class WeightedTable:
    """A table whose sums are weighted: each entity, with its cells and mentions, counts as often as it weighs."""

    mentions: float
    matched: float

    def __init__(
        self,
        table: Contingency,
        weights: Sequence[float],
        others: Sequence[float],
        found: Sequence[tuple[float, float]] = (),
    ) -> None:
        """``found`` has for each side the weights of all its mentions and of those that are matched."""
        self._table, self._weights, self._others, self._found = table, weights, others, found
        cells = table.cells
        self._of_cells = [weights[i] for i in cells.rows]
        sizes = list(zip(weights, table.each_entity(), strict=True))
        self.entities: float = in_order(weights)
        self.pieces: float = in_order(self._of_cells)
        self.total: float = in_order(w * k for w, (k, _) in sizes)
        self.missing: float = in_order(w * missing for w, (_, missing) in sizes)
        self.common: float = in_order(w * n for w, n in zip(self._of_cells, cells.n, strict=True))
        self.mentions, self.matched = found[0] if found else (self.total, self.common)

    @property
    def T(self) -> WeightedTable:  # noqa: N802  (as in NumPy)
        """The table with its sides swapped."""
        return WeightedTable(self._table.T, self._others, self._weights, self._found[::-1])

    def over_cells(self, term: Term) -> Numeric:
        """Σ w · term(n, k, r)"""
        cells = zip(self._of_cells, *self._table.cells[2:], strict=True)
        return in_order(w * term(n, k, r) for w, n, k, r in cells)

    def over_entities(self, term: SizeTerm) -> Numeric:
        """Σ w · term(k)"""
        return in_order(w * term(k) for w, k in zip(self._weights, self._table.key_sizes, strict=True))

    def over_best_cells(self) -> Numeric:
        """Σ w · max n; 1 for a row without cells."""
        best = dict.fromkeys(range(len(self._weights)), 1)
        for i, n in zip(self._table.cells.rows, self._table.cells.n, strict=True):
            best[i] = max(best[i], n)
        return in_order(self._weights[i] * n for i, n in best.items())

    def __getattr__(self, name: str) -> Numeric:
        raise OptionError(f"{name.replace('_', ' ')} of tables cannot be weighed")


EMPTY = WeightedTable(Contingency.of_pairs([], [], {}), [], [])


class EntityWeights(NamedTuple):
    """The weights of key entities; those of response entities follow."""

    signed: str
    """What a signature says: ``size^0.5``, or ``file-`` and how the SHA-256 of the file begins."""
    power: float = 0.0
    path: str = ""
    """The file, if there is one."""
    by_name: dict[tuple[str, str], float] = {}  # noqa: RUF012
    """By document and entity; the document is empty for all documents, the entity ``*`` for all others."""

    @classmethod
    def read(cls, path: str, group: Group | None, column: str = "weight") -> EntityWeights:
        """The weights in a column of a file, by what documents are joined under."""
        names = {"document": ("", *COLUMNS["document"]), "entity": COLUMNS["entity"], column: (column,)}
        weights: dict[tuple[str, str], float] = {}
        for line, (document, entity, cell) in read_cells(path, names, HINT):
            try:
                weight = float(cell)
            except ValueError:
                weight = -1.0
            if not (isfinite(weight) and 0 <= weight <= LARGEST):
                raise InputError(f"{cell[:60]!r} is no weight", path=path, line=line, hint=HINT)
            within = "" if document == OTHERS else group(document) if group and document else document
            if weights.setdefault((within, entity), weight) != weight:
                message = f"entity {entity!r:.60} has two weights, {weights[within, entity]:g} and {weight:g}"
                raise InputError(message, path=path, line=line, hint="give each entity one weight")
        if not weights:
            raise InputError("has no rows", path=path, hint=HINT)
        signed = of_file(sha256(read_bytes(path)).hexdigest()) + (f":{column}" if column != "weight" else "")
        return cls(signed, 0.0, path, weights)

    def of_sides(self, alignment: Alignment) -> tuple[list[float], list[float]]:
        """The weights of the entities of the key, and of the response."""
        key, response = alignment.key, alignment.response
        if not self.path:
            of_key, of_response = ([len(e) ** self.power for e in side.entities] for side in (key, response))
            return of_key, of_response
        weights = self._of_key(key)
        assert key.document is not None  # weights come with a document
        others = self._others(key.document.id)
        unmatched = mean(self.by_name.values()) if others is None else others
        of_mentions = [weights[key.owner[k]] if k != NONE else unmatched for k in alignment.to_key]
        return weights, [mean(of_mentions[number] for number in entity) for entity in response.entities]

    def _of_key(self, key: Side) -> list[float]:
        document = key.document
        assert document is not None  # weights come with a document
        ids = document.entity_ids or [str(i + 1) for i in range(len(key.entities))]
        others = self._others(document.id)
        weights = []
        for id_ in ids:
            weight = self.by_name.get((document.id, id_), self.by_name.get(("", id_), others))
            if weight is None:
                message = f"has no weight of entity {id_!r:.60} in document {document.id!r:.60}"
                raise InputError(message, path=self.path, hint=f"add a row for it, or one for all others: {OTHERS}")
            weights.append(weight)
        return weights

    def _others(self, document: str) -> float | None:
        return self.by_name.get((document, OTHERS), self.by_name.get(("", OTHERS)))


def parse_weights(text: str, group: Group | None = None) -> EntityWeights:
    """The weights that ``size^ALPHA``, ``FILE`` or ``FILE:COLUMN`` says; OptionError if it is none of these.

    >>> parse_weights("size^-1.0").signed
    'size^-1'
    """
    if by_size := BY_SIZE.fullmatch(text):
        power = float(by_size[1])
        if abs(power) > LARGEST_POWER:
            raise OptionError(f"weights {text}: ALPHA is from -{LARGEST_POWER} to {LARGEST_POWER}")
        return EntityWeights(f"size^{power:g}", power)
    if os.path.exists(text):
        return EntityWeights.read(text, group)
    path, _, column = text.rpartition(":")
    if column and os.path.exists(path):
        return EntityWeights.read(path, group, column)
    if SIGNED.fullmatch(text):
        raise OptionError(f"entities were weighed by a file ({text}: its SHA-256): say where it is, --weights FILE")
    raise OptionError(f"weights are size^ALPHA, such as size^0.5, or a file: there is no {text!r:.200}")


def weighted_counts(alignment: Alignment, metrics: Sequence[Metric]) -> tuple[Counts, ...]:
    """The counts of metrics with the weights that the key document carries."""
    document = alignment.key.document
    if document is None or document.weights is None:
        raise OptionError("weights are of the entities of files: score files")
    of_key, of_response = document.weights.of_sides(alignment)
    own_key, own_response = (
        [weights[i] for i in dict.fromkeys(side.owner)]
        for side, weights in ((alignment.key, of_key), (alignment.response, of_response))
    )
    partition = tabulate_partition(alignment)
    weighted = WeightedTable(partition, own_key, own_response)
    # Where counterparts are not mutual, rules say how many mentions are matched: each counts so much more or less.
    matched = ratio(alignment.matched, partition.common)
    mentions = [(side.total, side.common * matched) for side in (weighted, weighted.T)]
    tables = {
        "table": WeightedTable(tabulate(alignment), of_key, of_response, mentions),
        "partition": weighted,
    }
    return tuple([metric.counts(tables[metric.reads]) for metric in metrics])


def weighable(names: Iterable[str], named: Collection[str] = ()) -> tuple[str, ...]:
    """The metrics among these that can be weighed; OptionError if one of those that are ``named`` cannot, or none."""
    reasons = {name: _reason(name) for name in names}
    fit = tuple([name for name, reason in reasons.items() if not reason])
    refused = [f"{METRICS[name].title} {reason}" for name, reason in reasons.items() if reason]
    if refused and (not fit or any(reasons[name] for name in reasons if name in named)):
        of_named = [f"{METRICS[name].title} {reasons[name]}" for name in reasons if name in named and reasons[name]]
        possible = [name for name in METRICS.built_in if not _reason(name)]
        raise OptionError(f"cannot be weighed: {'; '.join(of_named or refused)}. Choose from {', '.join(possible)}")
    return fit


def _reason(name: str) -> str:
    """Why a metric cannot be weighed, as the end of a sentence about it; empty if it can."""
    for part in counted([name]):
        has = f"has {part.title}, which " if METRICS[name].parts else ""
        if part.reads not in ("table", "partition"):
            return f"{has}needs more than the entities that share mentions"
        try:
            fits = part.counts in BOTH_WAYS and bool(part.counts(EMPTY))
        except OptionError:
            fits = False
        if not fits:
            return has + REASONS.get(part.resampling, "is no pair of sums over entities, one for each side")
    return ""
