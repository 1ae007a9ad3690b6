"""Bounds of best totals: an assignment below, prices above, the truth between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.core.table import Term
from corefscope.scale import batch_assignment
from corefscope.scale.arrays import tabulate_labels
from corefscope.scale.batch_assignment import best_by_document, bound
from examples import examples


def _best(matrix: Any) -> float:
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())


@st.composite
def kernels(draw: st.DrawFn) -> Any:
    """Matrices of whole numbers, or of fractions of all magnitudes; many are 0."""
    shape = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    matrix = rng.integers(0, draw(st.sampled_from([2, 3, 10, 10**6])), shape).astype(float)
    if draw(st.booleans()):
        matrix *= rng.random(shape) ** draw(st.sampled_from([0.1, 1, 8]))
    matrix *= rng.random(shape) < draw(st.sampled_from([0.2, 0.5, 1]))
    return matrix


@examples(300)
@given(kernels())
def test_the_best_total_lies_between_the_bounds(matrix: Any) -> None:
    rows, columns = np.nonzero(matrix)
    if not len(rows):
        return
    weights = matrix[rows, columns]
    chosen, high = bound(rows, columns, weights)
    assert len({*rows[chosen].tolist()}) == len({*columns[chosen].tolist()}) == len(chosen)
    exact = _best(matrix)
    assert weights[chosen].sum() <= exact * (1 + 1e-15)
    assert exact <= high
    assert matrix.max() <= high <= weights.sum() * (1 + 1e-9) + 1e-300


@examples(100)
@given(st.lists(kernels(), min_size=1, max_size=4), st.integers(1, 30))
def test_documents_with_kernels_above_the_limit_have_bounds_and_others_their_total(
    matrices: list[Any], limit: int
) -> None:
    cells = [
        (document, 9 * document + i, 9 * document + j, matrix[i, j])
        for document, matrix in enumerate(matrices)
        for i, j in np.argwhere(matrix).tolist()
    ]
    if not cells:
        return
    documents, rows, columns, weights = map(np.array, zip(*cells, strict=True))
    low, high = best_by_document(len(matrices), documents, rows, columns, weights, limit)
    for at, matrix in enumerate(matrices):
        assert low[at] <= _best(matrix) * (1 + 1e-12) <= high[at] * (1 + 2e-12)
        if np.count_nonzero(matrix) <= limit:
            assert low[at] == high[at]


@pytest.mark.parametrize("term", [shared_mentions, dice])
@pytest.mark.parametrize(("classes", "gap"), [((5, 5), 0.01), ((2, 3), 0.02), ((20, 20), 0.02), ((5, 20), 0.01)])
def test_bounds_of_random_labels_are_near(term: Term, classes: tuple[int, int], gap: float) -> None:
    rng = np.random.default_rng(3)
    key, response = (rng.integers(0, 30_000 // size, 30_000) for size in classes)
    exact = tabulate_labels(key, response).best(term)
    table = tabulate_labels(key, response, kernel_limit=1000)
    low = table.best(term)
    high = table.at_most.best(term)
    assert low <= exact <= high
    assert high - low <= gap * high
    assert table.unsolved == (low < high)


def _dense(size: int) -> tuple[Any, Any]:
    rows, columns = np.indices((size, size))
    return rows.ravel(), columns.ravel()


def _path(size: int) -> tuple[Any, Any]:
    """Cells each of which shares a row with the one before, or a column."""
    cells = np.arange(size)
    return (cells + 1) // 2, cells // 2


@pytest.mark.parametrize(("rows", "columns"), [_dense(300), _path(40_000)])
@pytest.mark.parametrize("whole", [True, False])
def test_rounds_are_few_however_cells_hang_together(
    rows: Any, columns: Any, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All equal, or nearly: everybody wants the same, and one change leads to the next."""
    rounds = []
    cells_of = batch_assignment._cells_of

    def counted(*of: Any) -> Any:
        rounds.append(of)
        return cells_of(*of)

    monkeypatch.setattr(batch_assignment, "_cells_of", counted)
    weights = np.ones(len(rows)) if whole else 1 + np.random.default_rng(1).random(len(rows)) / 10
    chosen, high = bound(rows, columns, weights)
    assert 0.95 * high < weights[chosen].sum() <= high
    assert len(rounds) < 5000


def test_labels_below_the_limit_are_solved() -> None:
    rng = np.random.default_rng(4)
    table = tabulate_labels(rng.integers(0, 2000, 10_000), rng.integers(0, 2000, 10_000))
    assert table.best(dice) == table.at_most.best(dice)
    assert not table.unsolved
