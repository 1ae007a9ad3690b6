"""Scoring two arrays of entity labels: one document of millions of mentions, with NumPy.

The same terms that run on numbers elsewhere run on arrays here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..count.best_total import best_total
from ..count.cells import Cells
from ..count.table import Contingency, SizeTerm, Term
from .clusters import TABLE_METRICS, table_metrics
from .options import Options
from .results import Report, Tally

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def score_labels(
    key: ArrayLike,
    response: ArrayLike,
    *,
    metrics: str | Sequence[str] = TABLE_METRICS,
    rules: str = "corefud-1.2",
) -> Report:
    """Score two equal-length arrays: mention i belongs to entity ``key[i]`` and ``response[i]``.

    Labels are integers, strings or whatever NumPy can sort. Every mention is on both sides, singletons count.

    >>> round(score_labels([1, 1, 1, 2], [5, 5, 6, 6], metrics="muc")["muc"].f1, 4)
    0.5
    """
    tally = Tally(Options("labels", "exact", "linear", "keep", rules), table_metrics(metrics))
    table = tabulate_labels(key, response)
    tally.add("#1", tuple([tuple(map(_number, metric.count(table))) for metric in tally.metrics]))
    return tally.report()


class ArrayContingency(Contingency):
    """A table whose columns are NumPy arrays."""

    __slots__ = ()

    @staticmethod
    def _sum(sizes: Any) -> int:
        return int(sizes.sum())

    def over_cells(self, term: Term) -> Any:
        """Σ over the cells of a term of n, k and r."""
        return term(self.cells.n, self.cells.k, self.cells.r).sum()

    def over_entities(self, term: SizeTerm) -> Any:
        """Σ over the key entities of a term of their size."""
        return term(self.key_sizes).sum()

    def pairs_of_twins(self) -> tuple[int, int]:
        """Every mention has a counterpart here."""
        return self.pairs_in_entities(), self.T.pairs_in_entities()

    @staticmethod
    def _pairs(sizes: Any, total: int) -> int:
        """Σ C2(x) = (Σ x² − Σ x)/2"""
        return (int((sizes * sizes).sum()) - total) // 2

    def over_cells_and_twins_back(self, term: Callable[[Any, Any], Any]) -> Any:
        """Σ over the cells of a term of n and the size of the response entity."""
        return term(self.cells.n, self.cells.r).sum()

    def over_best_cells(self) -> Any:
        """Σ over the key entities of what they share with the response entity they share most with."""
        import numpy as np

        best = np.zeros(int(np.max(self.cells.rows, initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(best, self.cells.rows, self.cells.n)
        return best.sum()

    def missing_by_entity(self) -> list[int]:
        """No mention is missing."""
        return [0] * len(self.key_sizes)

    def sorted_sizes(self) -> list[int]:
        """The sizes of the key entities, largest first."""
        sizes: list[int] = sorted(self.key_sizes.tolist(), reverse=True)  # type: ignore[attr-defined]
        return sizes

    @staticmethod
    def log(value: Any) -> Any:
        """The natural logarithm, for terms."""
        import numpy as np

        return np.log(value)

    def best(self, term: Term, besides: Sequence[tuple[int, int, float]] = ()) -> float:  # noqa: ARG002
        """The largest Σ of a term over cells no two of which share a row or a column; there are none besides."""
        cells: Any = self.shared
        weights = term(cells.n, cells.k, cells.r).astype(float)
        total, left = _peel(cells.rows, cells.columns, weights)
        found = zip(cells.rows[left].tolist(), cells.columns[left].tolist(), weights[left].tolist(), strict=True)
        return total + best_total(found)


class ArrayCells(Cells):
    """Cells whose columns are NumPy arrays."""

    __slots__ = ()

    def __init__(self, rows: Any, columns: Any, n: Any, k: Any, r: Any) -> None:
        self.rows, self.columns, self.n, self.k, self.r = rows, columns, n, k, r
        self.total = int(n.sum())
        self._parted = None

    @property
    def T(self) -> ArrayCells:  # noqa: N802  (as in NumPy)
        """The same cells seen from the other side."""
        return ArrayCells(self.columns, self.rows, self.n, self.r, self.k)


def tabulate_labels(key: ArrayLike, response: ArrayLike) -> ArrayContingency:
    """Count how often each pair of labels occurs, by sorting the pairs."""
    import numpy as np

    ours, theirs = _codes(key, "key"), _codes(response, "response")
    if len(ours) != len(theirs):
        raise InputError(
            f"{len(ours)} key labels but {len(theirs)} response labels",
            hint="both arrays say of every mention which entity it belongs to",
        )
    if len(ours) == 0:
        empty: Any = np.zeros(0, dtype=np.int64)
        return ArrayContingency(empty, empty, ArrayCells(empty, empty, empty, empty, empty))
    width = int(theirs.max()) + 1
    pairs = ours * width + theirs
    pairs.sort()
    starts = np.flatnonzero(np.concatenate(([True], pairs[1:] != pairs[:-1])))
    n = np.diff(starts, append=len(pairs))
    rows, columns = np.divmod(pairs[starts], width)
    key_sizes, rows = _dense(np.bincount(ours), rows)
    response_sizes, columns = _dense(np.bincount(theirs), columns)
    cells = ArrayCells(rows, columns, n, key_sizes[rows], response_sizes[columns])
    return ArrayContingency(key_sizes, response_sizes, cells)


def _dense(sizes: Any, names: Any) -> tuple[Any, Any]:
    """The sizes of the entities that exist, and the names of cells as their numbers among these."""
    import numpy as np

    present = sizes > 0
    return sizes[present], (np.cumsum(present) - 1)[names]


def _codes(labels: ArrayLike, side: str) -> NDArray[np.int64]:
    """Labels as small non-negative integers: as they are if they are such already, else by sorting."""
    import numpy as np

    given: Any = labels
    if (
        not isinstance(given, np.ndarray)
        and len({int if type(label) is float else type(label) for label in given}) > 1
    ):
        raise InputError(f"the {side} labels are of several types", hint="use integers or strings")
    try:
        array = np.asarray(labels)
    except ValueError as error:
        raise InputError(f"the {side} labels are no array: {error}", hint="give one label per mention") from None
    if array.ndim != 1:
        raise InputError(f"the {side} labels have {array.ndim} dimensions", hint="give one label per mention")
    if np.ma.is_masked(labels) or (array != array).any() or (array.dtype == object and None in given):
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


SMALL = 5000  # cells; from here on plain Python peels the rest


def _peel(rows: Any, columns: Any, weights: Any) -> tuple[float, Any]:
    """Take cells that belong to some best assignment, in rounds: their total, and the cells left over.

    A cell is taken if it weighs at least as much as the best others of its row and of its column together.
    """
    import numpy as np

    total = 0.0
    left = np.arange(len(weights))
    by_row, by_column = np.argsort(rows, kind="stable"), np.argsort(columns, kind="stable")
    alive = np.ones(len(weights), dtype=bool)
    while len(left) > SMALL:
        leads_row, row_rival = _leaders(rows, weights, by_row)
        leads_column, column_rival = _leaders(columns, weights, by_column)
        certain = leads_row & leads_column & (weights >= row_rival + column_rival)
        taken = np.flatnonzero(certain & alive)
        if not len(taken):
            break
        total += float(weights[taken].sum())
        alive &= ~(_marked(rows, taken) | _marked(columns, taken))
        by_row, by_column = by_row[alive[by_row]], by_column[alive[by_column]]
        left = np.flatnonzero(alive)
    return total, left


def _leaders(names: Any, weights: Any, order: Any) -> tuple[Any, Any]:
    """Of the cells in ``order``, grouped by name: which lead their group, and the best other weight there."""
    import numpy as np

    grouped, heavy = names[order], weights[order]
    starts = np.flatnonzero(np.concatenate(([True], grouped[1:] != grouped[:-1])))
    group = np.cumsum(np.concatenate(([0], grouped[1:] != grouped[:-1])))
    best = np.flatnonzero(heavy == np.maximum.reduceat(heavy, starts)[group])
    first = best[np.concatenate(([True], group[best][1:] != group[best][:-1]))]
    heavy[first] = 0.0
    leads, rival = np.zeros(len(names), dtype=bool), np.zeros(len(names))
    leads[order[first]] = True
    rival[order[first]] = np.maximum.reduceat(heavy, starts)
    return leads, rival


def _marked(names: Any, taken: Any) -> Any:
    """The cells that have a row (or column) in common with those taken."""
    import numpy as np

    mark = np.zeros(int(names.max()) + 1, dtype=bool)
    mark[names[taken]] = True
    return mark[names]


def _number(value: Any) -> float:
    """A Python number, not NumPy's."""
    number: float = value.item() if hasattr(value, "item") else value
    return number
