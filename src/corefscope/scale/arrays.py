"""Contingency tables of NumPy arrays, scores of arrays of counts by the formulas of plain numbers, and of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.choices import Rules
from ..core.clusters import PLAIN, table_metrics, without_words
from ..core.document import Document
from ..core.errors import InputError
from ..core.matching.assignment import best_total
from ..core.metrics import METRICS
from ..core.metrics.base import Conventions, Metric
from ..core.naming import check_values
from ..core.numbers import AnyScore, Counts, Numeric, in_order
from ..core.report import Report, Row, Tally
from ..core.table import Cells, Contingency, SizeTerm, Term, Weighing
from ..formats.tables.rows import DocumentRows, RepeatedError, common_rows, has_many_rows, rows_of
from .batch_assignment import KERNEL_LIMIT, Bounds, choose
from .batched_table import Numbers
from .large_assignment import Integers


class ArrayContingency(Contingency):
    """A contingency table whose columns are NumPy arrays.

    The best total of a connected component of more than ``kernel_limit`` cells is known by two bounds only.
    """

    __slots__ = ("_best", "_high", "ids_in_common", "kernel_limit")

    def __init__(self, *arguments: Any, kernel_limit: int | None = None, **further: Any) -> None:
        super().__init__(*arguments, **further)
        self.kernel_limit: int = KERNEL_LIMIT if kernel_limit is None else kernel_limit
        self._best: dict[Weighing, Bounds] = {}
        self._high = False
        self.ids_in_common: int = 0
        """Of a table of ids: how many both sides have, dropped entities included."""

    def count(self, metric: Metric) -> Counts:
        """The counts of a metric whose mentions are ids, as Python numbers."""
        assert metric.counts_of_ids
        return plain(metric.counts_of_ids(self))

    @staticmethod
    def _sum(sizes: Numeric) -> int:
        return int(sizes.sum())

    @staticmethod
    def _pairs(sizes: Numeric, total: int) -> int:
        return (int((sizes * sizes).sum()) - total) // 2

    def over_cells(self, term: Term) -> Numeric:
        """Σ term(n, k, r)"""
        return term(self.cells.n, self.cells.k, self.cells.r).sum()

    def over_entities(self, term: SizeTerm) -> Numeric:
        """Σ term(k)"""
        return term(self.key_sizes).sum()

    def pairs_of_matched(self) -> tuple[int, int]:
        """Σ C2(k') and Σ C2(r'), where k' and r' are the sums of n over the cells of a row and of a column."""
        cells = self.cells
        by_row, by_column = (_sums(names, cells.n) for names in (cells.rows, cells.columns))
        return self._pairs(by_row, self.common), self._pairs(by_column, self.common)

    def over_cells_and_matched(self, term: Callable[[Numeric, Numeric], Numeric]) -> Numeric:
        """Σ term(n, r'), where r' = Σ n over the cells of the same column."""
        return term(self.cells.n, self._matched_sizes()).sum()

    def over_best_cells(self) -> Numeric:
        """Σ max n over the cells of each row; 1 for a row without cells."""
        best = np.ones(self.entities, dtype=np.int64)
        np.maximum.at(best, self.cells.rows, self.cells.n)
        return best.sum()

    @staticmethod
    def n_log_n(n: Numeric) -> Numeric:
        """(n · log n), 0 for 0."""
        return n * np.log(np.maximum(n, 1))

    def sizes(self) -> dict[int, int]:
        """{k: number of entities}"""
        sizes, entities = np.unique(self.key_sizes, return_counts=True)
        return dict(zip(sizes.tolist(), entities.tolist(), strict=True))

    def best(self, term: Term) -> float:
        """Max Σ term(n, k, r) over assignments."""
        return self.best_of(Weighing(term))

    def best_of(self, weighing: Weighing) -> float:
        """The best total where entities may be mapped to mentions without counterpart; a bound if it is not known."""
        if weighing not in self._best:
            self._best[weighing] = self._search(weighing)
        total = self._best[weighing]
        return float(total.high if self._high else total.low)

    def _search(self, weighing: Weighing) -> Bounds:
        cells: Numeric = self.shared
        r = self._matched_sizes() if weighing.common_only else cells.r
        rows, columns, weights = cells.rows, cells.columns, weighing.term(cells.n, cells.k, r).astype(float)
        if lone := list(weighing.lone(self.each_entity(), self.T.each_entity())):
            more = list(map(np.array, zip(*lone, strict=True)))
            rows, columns, weights = map(np.concatenate, zip((rows, columns, weights), more, strict=True))
            rows, columns = rows - rows.min(), columns - columns.min()
        (alone, *rounds), solved, rest, bounded = choose(rows, columns, weights, self.kernel_limit)
        certain = in_order(float(weights[taken].sum()) for taken in rounds) + fsum(weights[solved].tolist())
        left = zip(rows[rest].tolist(), columns[rest].tolist(), weights[rest].tolist(), strict=True)
        low = float(weights[alone].sum()) + certain + best_total(left)
        return Bounds(low, low + sum(excess for _, excess in bounded))

    @property
    def unsolved(self) -> bool:
        """Whether a requested best total is known by its bounds only."""
        return any(total.is_open for total in self._best.values())

    @property
    def at_most(self) -> ArrayContingency:
        """The same table with the upper bounds of best totals."""
        high = copy(self)
        high._high = True
        return high

    def _matched_sizes(self) -> Numeric:
        """R' of each cell: how many mentions of its response entity have counterparts."""
        return _sums(self.cells.columns, self.cells.n)[self.cells.columns]

    def each_entity(self) -> Iterable[tuple[int, int]]:
        """(k, k − k'), where k' is the sum of n over the cells of the row."""
        sizes: Numeric = self.key_sizes
        missing = sizes - _sums(self.cells.rows, self.cells.n, len(sizes))
        return zip(sizes.tolist(), missing.tolist(), strict=True)

    def each_cell(self) -> Iterable[tuple[int, int, int]]:
        """(row, column, n)"""
        cells: Numeric = self.cells
        return zip(cells.rows.tolist(), cells.columns.tolist(), cells.n.tolist(), strict=True)


def _sums(names: Numeric, n: Numeric, size: int = 0) -> Integers:
    """Σ n by name, of names from 0 on, ``size`` or more of them; sums of floats that are integers are exact."""
    return np.bincount(names, weights=n, minlength=size).astype(np.int64)


def tabulate_labels(key: ArrayLike, response: ArrayLike, kernel_limit: int | None = None) -> ArrayContingency:
    """Count how often each pair of labels occurs, by sorting the pairs."""
    key_codes, response_codes = _codes(key, "key"), _codes(response, "response")
    if len(key_codes) != len(response_codes):
        raise InputError(
            f"{len(key_codes)} key labels but {len(response_codes)} response labels",
            hint="both arrays say of every mention which entity it belongs to",
        )
    (key_codes, key_sizes), (response_codes, response_sizes) = _dense(key_codes), _dense(response_codes)
    pairs = key_codes * len(response_sizes) + response_codes
    return tabulate_pairs(pairs, key_sizes, response_sizes, kernel_limit)


def tabulate_pairs(
    pairs: Integers, key_sizes: Integers, response_sizes: Integers, kernel_limit: int | None = None
) -> ArrayContingency:
    """Count how often each pair occurs; (i, j) is the number i · (number of response entities) + j.

    ``pairs`` are sorted in place.
    """
    pairs.sort()
    starts = np.flatnonzero(np.concatenate(([len(pairs) > 0], pairs[1:] != pairs[:-1])))
    rows, columns = np.divmod(pairs[starts], max(len(response_sizes), 1))
    n = np.diff(starts, append=len(pairs))
    arrays: tuple[Numeric, ...] = rows, columns, n, key_sizes[rows], response_sizes[columns]
    cells = Cells(*arrays)
    return ArrayContingency(key_sizes, response_sizes, cells, kernel_limit=kernel_limit)


def _dense(codes: Integers) -> tuple[Integers, Integers]:
    """Codes without gaps, and how often each occurs."""
    sizes = np.bincount(codes)
    present = sizes > 0
    return (codes, sizes) if present.all() else ((np.cumsum(present) - 1)[codes], sizes[present])


def _codes(labels: ArrayLike, side: str) -> Integers:
    """Labels as small non-negative integers, sorted only if they are not such integers already."""
    listed: Any = labels
    types = () if isinstance(listed, np.ndarray) else {int if type(x) is float else type(x) for x in listed}
    if len(types) > 1:
        raise InputError(f"the {side} labels are of several types", hint="use integers or strings")
    try:
        array = np.asarray(labels)
    except ValueError as error:
        raise InputError(f"the {side} labels are no array: {error}", hint="give one label per mention") from None
    if array.ndim != 1:
        raise InputError(f"the {side} labels have {array.ndim} dimensions", hint="give one label per mention")
    if np.ma.is_masked(labels) or (array != array).any() or (array.dtype == object and None in listed):
        raise InputError(f"a {side} label is missing", hint="every mention needs a label on both sides")
    if array.dtype.kind in "iu" and len(array):
        low, high = int(array.min()), int(array.max())
        if high - low < 4 * len(array) + 1024:
            codes: Integers = (array - array.dtype.type(low)).astype(np.int64)
            return codes
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.int64)
    except TypeError as error:
        raise InputError(f"the {side} labels cannot be sorted: {error}", hint="use integers or strings") from None


def plain(counts: Counts) -> Counts:
    """Counts as Python numbers, not NumPy scalars."""
    return tuple([value.item() if isinstance(value, np.generic | np.ndarray) else value for value in counts])


def score_arrays(
    names: Iterable[str], pooled: Mapping[str, Iterable[Numbers]], conventions: Conventions
) -> dict[str, AnyScore]:
    """Score many pooled counts at once; ``pooled`` has an array for each field of a metric."""
    scores: dict[str, AnyScore] = {}
    return {name: _score_once(name, pooled, conventions, scores) for name in names}


def _score_once(
    name: str, pooled: Mapping[str, Iterable[Numbers]], conventions: Conventions, scores: dict[str, AnyScore]
) -> AnyScore:
    """The score of a metric, from ``scores`` if it is there; those of its parts are added.

    A function of its own: a nested one that calls itself is a reference cycle, which keeps every array alive until
    the garbage collector runs (2 GB in a task of 20 data sets and 10 systems).
    """
    if name not in scores:
        metric = METRICS[name]
        parts = [_score_once(part, pooled, conventions, scores) for part in metric.parts]
        counts = parts if metric.parts else tuple(pooled[name])
        score = metric.score if metric.elementwise else partial(_score_one_by_one, metric)
        scores[name] = score(counts, conventions)
    return scores[name]


def _score_one_by_one(metric: Metric, counts: Sequence[Numeric], conventions: Conventions) -> AnyScore:
    """Score arrays with a metric that takes only numbers; ``counts`` are the scores of its parts if it has some."""
    if metric.parts:
        columns: list[Sequence[Numeric]] = [
            [type(part)(*row) for row in zip(*(array.tolist() for array in part), strict=True)] for part in counts
        ]
    else:
        columns = [array.tolist() for array in counts]
    scores = [metric.score(row, conventions) for row in zip(*columns, strict=True)]
    return type(scores[0])._make(map(np.array, zip(*scores, strict=True)))


def tabulate_documents(key: Document, response: Document, min_entity_size: int) -> ArrayContingency | None:
    """The table of two documents of ids, one of them large, without entities of fewer than so many mentions.

    None if they are small, or if a mention occurs more than once: rule sets treat repeated mentions differently, so
    such documents are aligned mention by mention.
    """
    ours, theirs = (rows_of(key), rows_of(response)) if has_many_rows(key, response) else (None, None)
    if ours is None or theirs is None:
        return None
    (of_key, key_sizes), (of_response, response_sizes) = (_entities(side, min_entity_size) for side in (ours, theirs))
    pairs = np.empty(min(len(ours), len(theirs)), dtype=np.int64)
    count = in_common = 0
    try:
        for key_rows, rows in common_rows(ours.mentions, theirs.mentions):
            in_common += len(rows)
            first, second = of_key[key_rows], of_response[rows]
            kept = (first >= 0) & (second >= 0)
            before, count = count, count + int(kept.sum())
            pairs[before:count] = first[kept].astype(np.int64) * len(response_sizes) + second[kept]
    except RepeatedError:
        return None
    finally:
        ours.forget()
        theirs.forget()
    del of_key, of_response  # the table needs the memory
    table = tabulate_pairs(pairs[:count], key_sizes, response_sizes)
    table.ids_in_common = in_common
    return table


def _entities(side: DocumentRows, smallest: int) -> tuple[Integers, Integers]:
    """The entity of each row, -1 if it is left out, and the sizes of entities."""
    numbers, sizes = side.interned()
    if smallest < 2:
        return numbers, sizes
    kept = sizes >= smallest
    return np.where(kept, np.cumsum(kept) - 1, -1)[numbers], sizes[kept]


def score_labels(
    key: ArrayLike,
    response: ArrayLike,
    *,
    metrics: str | Sequence[str] | None = None,
    rules: Rules = "corefud-1.2",
    kernel_limit: int | None = None,
) -> Report:
    """Score two equal-length arrays: mention i belongs to entity ``key[i]`` and ``response[i]``.

    Labels are integers, strings or whatever NumPy can sort. Every mention is on both sides, singletons count.

    CEAF maps entities to each other. Where labels are all but random, most overlap, directly or through others, and
    the best map is hard to find. If they share mentions in more than ``kernel_limit`` pairs of entities (1,000,000),
    CEAF and what is made of it lie between two bounds: ``report["ceafe"]`` is the lower one,
    ``report.at_most["ceafe"]`` the upper one, and a warning says so.

    >>> round(score_labels([1, 1, 1, 2], [5, 5, 6, 6], metrics="muc")["muc"].f1, 4)
    0.5
    """
    names = without_words("corefud") if metrics is None else table_metrics(metrics)
    check_values({"kernel_limit": kernel_limit})
    tally = Tally(PLAIN._replace(format="labels", rules=rules), names)
    table = tabulate_labels(key, response, kernel_limit)

    def row(of: ArrayContingency) -> Row:
        return tuple([plain(metric.counts(of)) for metric in tally.metrics])

    tally.add("#1", row(table), row(table.at_most) if table.unsolved else None)
    return tally.report()
