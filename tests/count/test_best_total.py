"""The best total of a one-to-one assignment: certain cells first, then one component after the other."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.count import best_total as module
from corefscope.count.best_total import best_total

Weights = dict[tuple[int, int], int]

matrices = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(0, 7), max_size=14)


def _by_trying_all(weights: Weights) -> float:
    return max(sum(weights.get(place, 0) for place in enumerate(order)) for order in permutations(range(5))) / 8


def _cells(weights: Weights) -> list[tuple[int, int, float]]:
    """In eighths: below 1, as the weights of CEAFe are, and exact."""
    return [(i, j, weight / 8) for (i, j), weight in weights.items()]


@given(matrices)
def test_it_is_the_best_of_all(weights: Weights) -> None:
    assert best_total(_cells(weights)) == _by_trying_all(weights)


@given(matrices)
def test_scipy_finds_the_same(weights: Weights) -> None:
    """Whatever is not certain goes to SciPy here, weights of 0 included."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGE", 0)
        assert best_total(_cells(weights)) == _by_trying_all(weights)


def _searches(monkeypatch: pytest.MonkeyPatch) -> list[list[dict[int, float]]]:
    """What is left to be searched, each time worth its number of rows."""
    searched: list[list[dict[int, float]]] = []

    def solve(rows: list[dict[int, float]]) -> float:
        searched.append(rows)
        return float(len(rows))

    monkeypatch.setattr(module, "_solve", solve)
    return searched


def test_a_cell_is_certain_if_it_outweighs_what_it_pushes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """5 ≥ 3 + 2, so that nothing is left to search; the same row with 6 ≥ 3 + 3 likewise, but not 5 < 3 + 3."""
    searched = _searches(monkeypatch)
    assert best_total([(0, 0, 5.0), (0, 1, 3.0), (1, 0, 2.0), (1, 1, 0.0)]) == 5
    assert best_total([(0, 0, 6.0), (0, 1, 3.0), (1, 0, 3.0)]) == 6
    assert not searched
    best_total([(0, 0, 5.0), (0, 1, 3.0), (1, 0, 3.0)])
    assert searched == [[{0: 5.0, 1: 3.0}, {0: 3.0}]]


def test_components_are_searched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = _searches(monkeypatch)
    square = [(0, 0, 3.0), (0, 1, 2.0), (1, 0, 2.0)]
    assert best_total([*square, *((i + 7, j + 7, weight) for i, j, weight in square)]) == 4
    assert searched == [[{0: 3.0, 1: 2.0}, {0: 2.0}], [{7: 3.0, 8: 2.0}, {7: 2.0}]]


def test_taking_a_cell_can_make_others_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 1 is not certain at first (4 < 4 + 3); once row 0 has taken column 1, it is."""
    monkeypatch.setattr(module, "LARGE", -1)
    monkeypatch.setattr(module, "_solve_large", lambda *_: pytest.fail("nothing is left to search"))
    assert best_total([(0, 1, 9.0), (1, 0, 4.0), (1, 1, 4.0), (2, 0, 3.0)]) == 13


def test_a_row_is_looked_at_again_only_after_it_has_changed() -> None:
    """Many entities on one span: each cell that is taken leaves all others to be looked at, once."""

    class Counted(dict[int, dict[int, float]]):
        looks = 0

        def get(self, *key: Any) -> Any:
            self.looks += 1
            return super().get(*key)

    size = 40
    rows = Counted({i: {j: 2.0 if i == j else 1.0 for j in range(size)} for i in range(size)})
    columns = {j: {i: rows[i][j] for i in range(size)} for j in range(size)}
    assert module._take_certain_cells(rows, columns) == 2 * size
    assert rows.looks <= size * size
