"""Maximum-weight assignment of large connected components: SciPy's totals, whichever prices come first."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.scale import arrays
from corefscope.scale import large_assignment as large
from corefscope.scale.arrays import tabulate_labels
from corefscope.scale.large_assignment import best_assignment, find_components

STARTS: dict[str, dict[str, float]] = {"no prices": {"FEW": 1.0}, "soft prices": {"FEW": -1.0, "WORTH": 2.0}}


def _start_with(patch: pytest.MonkeyPatch, start: str) -> None:
    for name, value in STARTS[start].items():
        patch.setattr(large, name, value)


def _best_total(rows: Any, columns: Any, weights: Any) -> float:
    return math.fsum(weights[best_assignment(rows, columns, weights)].tolist())


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
        found = _best_total(cells.rows, cells.columns, weights)
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
            assert _best_total(rows, columns, matrix[rows, columns] * scale) == pytest.approx(best * scale, rel=1e-14)


def _each_of(rng: Any, mentions: int, per_key_entity: int, per_response_entity: int) -> tuple[Any, Any]:
    key, response = (rng.integers(0, mentions // size, mentions) for size in (per_key_entity, per_response_entity))
    return key, response


def _skewed(rng: Any, mentions: int) -> tuple[Any, Any]:
    key, response = ((mentions // 5 * rng.random(mentions) ** 3).astype(int) for _ in range(2))
    return key, response


def _noisy(rng: Any, mentions: int, noise: float) -> tuple[Any, Any]:
    key, other = _each_of(rng, mentions, 5, 5)
    return key, np.where(rng.random(mentions) < noise, other, key)


def _in_blocks(rng: Any, mentions: int) -> tuple[Any, Any]:
    block = np.arange(mentions) % 3 * mentions
    key, response = _each_of(rng, mentions, 12, 15)
    return block + key, block + response


SHAPES: dict[str, Callable[[Any, int], tuple[Any, Any]]] = {
    **{
        f"{size} a class": partial(_each_of, per_key_entity=size, per_response_entity=size) for size in (2, 5, 10, 50)
    },
    "classes of other sizes": partial(_each_of, per_key_entity=5, per_response_entity=6),
    "classes of far other sizes": partial(_each_of, per_key_entity=3, per_response_entity=40),
    "skewed": _skewed,
    "half noise": partial(_noisy, noise=0.5),
    "mostly noise": partial(_noisy, noise=0.9),
    "blocks": _in_blocks,
}


@pytest.mark.parametrize("term", [shared_mentions, dice])
@pytest.mark.parametrize("shape", SHAPES)
def test_thousands_of_labels_of_any_shape_are_what_scipy_finds(shape: str, term: Any) -> None:
    for mentions in (2000, 5000):
        cells: Any = tabulate_labels(*SHAPES[shape](np.random.default_rng(mentions), mentions)).cells
        weights = term(*cells[2:]).astype(float)
        found = _best_total(cells.rows, cells.columns, weights)
        assert math.isclose(found, _by_scipy(cells, weights), rel_tol=0 if term is shared_mentions else 1e-14)


@pytest.mark.parametrize(("term", "share"), [(shared_mentions, 0.001), (dice, 0.04)])
@pytest.mark.parametrize("shape", ["2 a class", "5 a class", "10 a class", "classes of other sizes"])
def test_prices_leave_few_to_search_for(shape: str, term: Any, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    _start_with(monkeypatch, "soft prices")
    cells: Any = tabulate_labels(*SHAPES[shape](np.random.default_rng(5), 20_000)).cells
    priced = large.LargeAssignment(cells.rows, cells.columns, term(*cells[2:]).astype(float))
    assert priced.count_left_out() < share * sum(priced.shape)


@pytest.mark.parametrize(("rows", "columns", "shape"), [(2.0, 3.0, (10, 8)), (1e-9, 5.0, (8, 8)), (0.5, 4.0, (7, 9))])
def test_equally_many_rows_and_columns_are_assigned(rows: float, columns: float, shape: tuple[int, int]) -> None:
    balance = large.balance(rows, columns, shape)
    assert shape[0] - balance * rows == pytest.approx(shape[1] - columns / balance)


def test_cells_know_their_connected_component() -> None:
    rows, columns = np.array([0, 0, 1, 5, 7]), np.array([0, 1, 1, 3, 3])
    first, *others = find_components(rows, columns).tolist()
    assert [other == first for other in others] == [True, True, False, False]
    assert others[2] == others[3]


def test_labels_that_hang_together_never_become_plain_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    table = tabulate_labels(*_unrelated(rng, 12_000, 2400))
    expected = _by_scipy(table.cells, shared_mentions(*table.cells[2:]).astype(float))
    monkeypatch.setattr(arrays, "best_total", lambda cells: float(len(list(cells))))  # few, each of weight 1
    assert table.best(shared_mentions) == expected
    monkeypatch.setattr(arrays, "best_total", lambda cells: 100.0 * len(list(cells)))
    assert table.best(shared_mentions) < expected + 1000
