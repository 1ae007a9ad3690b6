"""Tables and scores of NumPy arrays: the same terms and the same formulas that run on numbers elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from math import fsum
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.numbers import AnyScore, Counts, in_order
from ..match.assignment import best_total
from .batch_assignment import KERNEL_LIMIT, Bounds, choose
from .metrics import METRICS
from .metrics.base import Conventions, Metric
from .table import Cells, Contingency, SizeTerm
from .terms import Term, Weighing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class ArrayContingency(Contingency):
    """A table whose columns are NumPy arrays.

    A best total of more than ``kernel_limit`` cells that hang together lies between two bounds.
    """

    __slots__ = ("_best", "_high", "ids_in_common", "kernel_limit")

    def __init__(self, *arguments: Any, kernel_limit: int | None = None, **further: Any) -> None:
        super().__init__(*arguments, **further)
        self.kernel_limit = KERNEL_LIMIT if kernel_limit is None else kernel_limit
        self._best: dict[Weighing, Bounds] = {}
        self._high = False
        self.ids_in_common = 0
        """Of a table of ids, how many both sides have, in entities that are dropped too."""

    @staticmethod
    def _sum(sizes: Any) -> int:
        return int(sizes.sum())

    @staticmethod
    def _pairs(sizes: Any, total: int) -> int:
        return (int((sizes * sizes).sum()) - total) // 2

    def over_cells(self, term: Term) -> Any:
        """Σ term(n, k, r)"""
        return term(self.cells.n, self.cells.k, self.cells.r).sum()

    def over_entities(self, term: SizeTerm) -> Any:
        """Σ term(k)"""
        return term(self.key_sizes).sum()

    def pairs_of_matched(self) -> tuple[int, int]:
        """Σ C2(k') and Σ C2(r'), where k' and r' are the sums of n over the cells of a row and of a column."""
        cells = self.cells
        by_row, by_column = (_sums(names, cells.n) for names in (cells.rows, cells.columns))
        return self._pairs(by_row, self.common), self._pairs(by_column, self.common)

    def over_cells_and_matched(self, term: Callable[[Any, Any], Any]) -> Any:
        """Σ term(n, r'), where r' = Σ n over the cells of the same column."""
        return term(self.cells.n, self._matched_sizes()).sum()

    def over_best_cells(self) -> Any:
        """Σ max n over the cells of each row; 1 for a row without cells."""
        import numpy as np

        best = np.ones(self.entities, dtype=np.int64)
        np.maximum.at(best, self.cells.rows, self.cells.n)
        return best.sum()

    @staticmethod
    def n_log_n(n: Any) -> Any:
        """(n · log n), 0 for 0."""
        import numpy as np

        return n * np.log(np.maximum(n, 1))

    def sizes(self) -> dict[int, int]:
        """{k: number of entities}"""
        import numpy as np

        sizes, entities = np.unique(self.key_sizes, return_counts=True)
        return dict(zip(sizes.tolist(), entities.tolist(), strict=True))

    def best(self, term: Term) -> float:
        """Max Σ term(n, k, r) over assignments."""
        return self.best_of(Weighing(term))

    def best_of(self, weighing: Weighing) -> float:
        """The same where entities may be mapped to mentions without counterpart; if it is not known, a bound."""
        if weighing not in self._best:
            self._best[weighing] = self._search(weighing)
        total = self._best[weighing]
        return float(total.high if self._high else total.low)

    def _search(self, weighing: Weighing) -> Bounds:
        import numpy as np

        cells: Any = self.shared
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
        return Bounds(low, low + sum(component.excess for component in bounded))

    @property
    def unsolved(self) -> bool:
        """Whether a best total was asked for that lies between two bounds."""
        return any(total.is_open for total in self._best.values())

    @property
    def at_most(self) -> ArrayContingency:
        """The same table with upper bounds of best totals where this one has lower ones."""
        high = copy(self)
        high._high = True
        return high

    def _matched_sizes(self) -> Any:
        """R' of each cell: how many mentions of its response entity have counterparts."""
        return _sums(self.cells.columns, self.cells.n)[self.cells.columns]

    def each_entity(self) -> Iterable[tuple[int, int]]:
        """(k, k − k'), where k' is the sum of n over the cells of the row."""
        sizes: Any = self.key_sizes
        missing = sizes - _sums(self.cells.rows, self.cells.n, len(sizes))
        return zip(sizes.tolist(), missing.tolist(), strict=True)

    def each_cell(self) -> Iterable[tuple[int, int, int]]:
        """(row, column, n)"""
        cells: Any = self.cells
        return zip(cells.rows.tolist(), cells.columns.tolist(), cells.n.tolist(), strict=True)


def _sums(names: Any, n: Any, size: int = 0) -> Any:
    """Σ n by name, of names from 0 on, ``size`` or more of them; sums of floats that are integers are exact."""
    import numpy as np

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
    pairs: Any, key_sizes: Any, response_sizes: Any, kernel_limit: int | None = None
) -> ArrayContingency:
    """Count how often each pair occurs; (i, j) is the number i · (number of response entities) + j.

    ``pairs`` are sorted in place.
    """
    import numpy as np

    pairs.sort()
    starts = np.flatnonzero(np.concatenate(([len(pairs) > 0], pairs[1:] != pairs[:-1])))
    n: Any = np.diff(starts, append=len(pairs))
    rows, columns = np.divmod(pairs[starts], max(len(response_sizes), 1))
    cells = Cells(rows, columns, n, key_sizes[rows], response_sizes[columns])
    return ArrayContingency(key_sizes, response_sizes, cells, kernel_limit=kernel_limit)


def _dense(codes: Any) -> tuple[Any, Any]:
    """Codes without gaps, and how often each occurs."""
    import numpy as np

    sizes = np.bincount(codes)
    present = sizes > 0
    return (codes, sizes) if present.all() else ((np.cumsum(present) - 1)[codes], sizes[present])


def _codes(labels: ArrayLike, side: str) -> NDArray[np.int64]:
    """Labels as small non-negative integers: as they are if they are such already, else by sorting."""
    import numpy as np

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
            codes: NDArray[np.int64] = (array - array.dtype.type(low)).astype(np.int64)
            return codes
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.int64)
    except TypeError as error:
        raise InputError(f"the {side} labels cannot be sorted: {error}", hint="use integers or strings") from None


def plain(counts: Counts) -> Counts:
    """Python's numbers, not NumPy's."""
    return tuple([value.item() if hasattr(value, "item") else value for value in counts])


# Scores of many pooled counts at once


def score_arrays(
    names: Iterable[str], pooled: Mapping[str, Iterable[Any]], conventions: Conventions
) -> dict[str, AnyScore]:
    """The score of each metric whose figures are arrays; ``pooled`` has an array for each field of a metric."""
    scores: dict[str, AnyScore] = {}
    return {name: _score_once(name, pooled, conventions, scores) for name in names}


def _score_once(
    name: str, pooled: Mapping[str, Iterable[Any]], conventions: Conventions, scores: dict[str, AnyScore]
) -> AnyScore:
    """The score of a metric, made once; those of its parts are added to ``scores`` on the way.

    A function of its own: a nested one that calls itself is a reference cycle, which keeps every array alive until
    the garbage collector runs (2 GB in a task of 20 data sets and 10 systems).
    """
    if name not in scores:
        metric = METRICS[name]
        parts = [_score_once(part, pooled, conventions, scores) for part in metric.parts]
        counts = parts if metric.parts else tuple(pooled[name])
        scores[name] = (metric.score if metric.elementwise else _one_by_one(metric))(counts, conventions)
    return scores[name]


def _one_by_one(metric: Metric) -> Callable[[Any, Conventions], AnyScore]:
    """The score function of a metric that takes numbers only, made to take arrays."""

    def score(counts: Any, conventions: Conventions) -> AnyScore:
        import numpy as np

        if not metric.parts:
            rows = _rows(counts)
        else:  # numbers in the form of the scores of the parts
            rows = zip(*([type(part)(*row) for row in _rows(part)] for part in counts), strict=True)
        scores: list[Any] = [metric.score(row, conventions) for row in rows]
        return type(scores[0])(*map(np.array, zip(*scores, strict=True)))  # type: ignore[no-any-return]

    return score


def _rows(columns: Iterable[Any]) -> Iterable[Any]:
    """Arrays side by side, read across: one tuple of plain numbers for each element."""
    return zip(*(column.tolist() for column in columns), strict=True)
