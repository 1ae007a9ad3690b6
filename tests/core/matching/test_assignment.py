"""Maximum-weight assignment of sparse matrices: SciPy's pairs, ties included."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefscope.core.matching.assignment import assign, assign_all, best_total, sparse, tight_edges
from corefscope.core.registry import HOOKS


def _matrix(rng: random.Random, rows: int, columns: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    density = rng.choice([0.05, 0.1, 0.2, 0.4, 0.8, 1.0])
    matrix = np.zeros((rows, columns))
    for i in range(rows):
        length = rng.randint(1, 7)
        for j in range(columns):
            if rng.random() < density:
                weights = (
                    rng.randint(1, length) / length,
                    rng.randint(1, 3),
                    10 * rng.randint(1, 3) / 3 + 1 / length,
                )
                matrix[i, j] = rng.choice(weights)
    return matrix


@pytest.mark.parametrize("seed", range(20))
def test_pairs_and_totals_are_those_of_scipy(seed: int) -> None:
    """Tied matrices of all shapes, with rows and columns that have no weight at all."""
    rng = random.Random(seed)
    for attempt in range(150):
        largest = 50 if attempt % 30 == 0 else 9
        matrix = _matrix(rng, rng.randint(1, largest), rng.randint(1, largest))
        rows = [{j: float(weight) for j, weight in enumerate(row) if weight} for row in matrix]
        chosen = list(zip(*linear_sum_assignment(-matrix), strict=True))
        assert assign(rows, matrix.shape[1]) == [(i, j) for i, j in chosen if matrix[i, j] > 0]
        cells = [(i, j, weight) for i, row in enumerate(rows) for j, weight in row.items()]
        assert best_total(cells) == pytest.approx(sum(matrix[i, j] for i, j in chosen), abs=1e-9)


def test_large_components_go_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same total from either solver."""
    rng = np.random.default_rng(1)
    matrix = rng.integers(0, 20, size=(60, 80)).astype(float)
    cells = [(i, j, float(matrix[i, j])) for i in range(60) for j in range(80) if matrix[i, j]]
    expected = matrix[linear_sum_assignment(-matrix)].sum()
    assert best_total(cells) == pytest.approx(expected)
    monkeypatch.setattr("corefscope.core.matching.assignment.total.LARGE", 10**9)
    assert best_total(cells) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "columns", "connected", "asked"),
    [
        ([{(i + n) % 400: 1.0 for n in range(8)} for i in range(400)], 400, True, True),
        ([{(i + n) % 400: 1.0 for n in range(8)} for i in range(400)], 400, False, False),
        ([{(i + n) % 100: 1.0 for n in range(8)} for i in range(100)], 100, True, False),
        ([{i % 5: 1.0} for i in range(4000)], 5, True, False),
        ([dict.fromkeys(range(20_001), 1.0)], 20_001, False, True),
    ],
    ids=["rows and weights", "not connected", "few of both", "few columns", "weights"],
)
def test_scipy_is_asked_where_rows_or_weights_are_many(
    rows: list[dict[int, float]], columns: int, connected: bool, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few thousand weights are enough if hundreds of rows search among them."""
    answers: list[tuple[int, int]] = []
    monkeypatch.setitem(HOOKS, "assign_matrix", lambda *_: answers)
    assert (assign(rows, columns, connected=connected) == answers) == asked


@pytest.mark.parametrize("seed", range(3))
def test_hundreds_of_rows_are_assigned_as_scipy_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As φ4 of random entities: many ties, weights that are rounded."""
    rng = random.Random(seed)
    sizes = [rng.randint(2, 9) for _ in range(120)]
    rows = [
        {j: 1 - (1 - 2 / (size + sizes[j])) for j in rng.sample(range(len(sizes)), size)}
        for size in rng.choices(sizes, k=rng.randint(100, 140))
    ]
    monkeypatch.setattr(sparse, "SEARCHED", 0)
    assert assign(rows, len(sizes), connected=True) == [
        (i, j) for i, j in assign_all(rows, len(sizes)) if j in rows[i]
    ]


def test_rounding_can_make_a_taken_column_the_nearest() -> None:
    """Row 1 leaves column 2 at a potential of 1.1e-16 where exact arithmetic has 0.

    So the path of row 2, which has no weight at all, goes through column 2 and does not end at the first free column,
    as it would without rounding; and row 3 finds the other of its two equally good columns free.
    """
    rows = [{2: 1 / 7, 3: 1 / 7}, {2: 2 / 3}, {}, {0: 1 / 2, 1: 1 / 2}]
    matrix = np.array([[row.get(j, 0.0) for j in range(4)] for row in rows])
    chosen = zip(*(side.tolist() for side in linear_sum_assignment(-matrix)), strict=True)
    assert assign(rows, 4) == [(i, j) for i, j in chosen if matrix[i, j] > 0] == [(0, 3), (1, 2), (3, 0)]


def test_nothing_to_assign() -> None:
    assert assign([], 0) == assign([{}], 0) == assign([], 3) == []
    assert best_total([]) == 0


@pytest.mark.parametrize("seed", range(5))
def test_pairs_of_all_best_assignments_are_tight_edges(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        size, columns = rng.randint(1, 5), rng.randint(1, 5)
        rows = [{j: rng.randint(1, 3) for j in range(columns) if rng.random() < 0.7} for _ in range(size)]
        width = max(size, columns)
        every = {
            frozenset((i, j) for i, j in enumerate(chosen[:size]) if j in rows[i])
            for chosen in permutations(range(width))
        }
        best = max(sum(rows[i][j] for i, j in pairs) for pairs in every)
        used = {pair for pairs in every if sum(rows[i][j] for i, j in pairs) == best for pair in pairs}
        kept = tight_edges(rows, columns)
        assert used <= {(i, j) for i, row in enumerate(kept) for j in row}
        assert all(row.items() <= whole.items() for row, whole in zip(kept, rows, strict=True))
