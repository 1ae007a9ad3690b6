"""Best totals of many cells that hang together: the same as SciPy finds, whichever prices come first."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefscope.count import arrays, large_total
from corefscope.count.arrays import tabulate_labels
from corefscope.count.large_total import best_of_many, in_large_components
from corefscope.count.metrics.ceaf import dice, shared_mentions

STARTS: dict[str, dict[str, float]] = {"no prices": {"FEW": 1.0}, "soft prices": {"FEW": -1.0, "WORTH": 2.0}}


def _start_with(patch: pytest.MonkeyPatch, start: str) -> None:
    for name, value in STARTS[start].items():
        patch.setattr(large_total, name, value)


def _unrelated(rng: random.Random, mentions: int, entities: int) -> tuple[list[int], list[int]]:
    key, response = ([rng.randrange(entities) for _ in range(mentions)] for _ in range(2))
    return key, response


def _by_scipy(cells: Any, weights: Any) -> Fraction:
    matrix = np.zeros((cells.rows.max() + 1, cells.columns.max() + 1))
    matrix[cells.rows, cells.columns] = weights
    return sum(map(Fraction, matrix[linear_sum_assignment(matrix, maximize=True)].tolist()), Fraction(0))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("term", [shared_mentions, dice])
def test_it_is_what_scipy_finds(start: str, term: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _start_with(monkeypatch, start)
    rng = random.Random(start)
    for _ in range(60):
        mentions = rng.randrange(1, 200)
        cells: Any = tabulate_labels(
            *_unrelated(rng, mentions, rng.choice([1, 3, 1 + mentions // 5, mentions]))
        ).cells
        weights = term(*cells[2:]).astype(float)
        found = best_of_many(cells.rows, cells.columns, weights)
        if term is shared_mentions:
            assert found == _by_scipy(cells, weights)
        else:
            assert math.isclose(found, _by_scipy(cells, weights), rel_tol=1e-14)


@pytest.mark.parametrize("start", STARTS)
def test_weights_of_any_size_are_assigned(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _start_with(monkeypatch, start)
    rng = random.Random(7)
    for scale in (1e-9, 1.0, 3e15):
        for _ in range(20):
            places = {(rng.randrange(9), rng.randrange(7)): rng.randint(1, 9) for _ in range(rng.randint(1, 40))}
            rows, columns = (np.array(names) for names in zip(*places, strict=True))
            matrix = np.zeros((9, 7))
            matrix[rows, columns] = list(places.values())
            best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
            assert best_of_many(rows, columns, matrix[rows, columns] * scale) == pytest.approx(
                best * scale, rel=1e-14
            )


def test_large_components_are_told_from_small_ones() -> None:
    rows, columns = np.array([0, 0, 1, 5, 7]), np.array([0, 1, 1, 3, 3])
    assert in_large_components(rows, columns, 2).tolist() == [True, True, True, False, False]
    assert not in_large_components(rows, columns, 3).any()


def test_labels_that_hang_together_never_become_plain_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    table = tabulate_labels(*_unrelated(rng, 12_000, 2400))
    expected = _by_scipy(table.cells, shared_mentions(*table.cells[2:]).astype(float))
    monkeypatch.setattr(arrays, "best_total", lambda cells: float(len(list(cells))))  # few, each of weight 1
    assert table.best(shared_mentions) == expected
    monkeypatch.setattr(arrays, "best_total", lambda cells: 100.0 * len(list(cells)))
    assert table.best(shared_mentions) < expected + 1000
