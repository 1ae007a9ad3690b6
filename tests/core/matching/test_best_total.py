"""The total of a maximum-weight assignment: groups, certain cells, then one connected component after the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.matching.assignment import CellGroups, best_total, group_cells
from corefscope.core.matching.assignment import total as module
from corefscope.scale import large_assignment as large

Place = tuple[int, int]
Weights = dict[Place, int]

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
    monkeypatch.setattr(large, "assign_large", lambda *_: pytest.fail("nothing is left to search"))
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


def _grouped(*places: Place) -> CellGroups:
    return group_cells([i for i, _ in places], [j for _, j in places])


def test_a_cell_that_shares_nothing_is_alone() -> None:
    assert _grouped((0, 1), (1, 0)) == CellGroups([0, 1], [], [], [])


def test_of_the_cells_of_one_row_or_column_one_is_taken() -> None:
    """Row 5 and column 5 are told apart."""
    groups = _grouped((5, 0), (1, 5), (5, 1), (2, 5))
    assert groups == CellGroups([], [[0, 2], [1, 3]], [], [])


def test_a_cell_that_joins_a_row_and_a_column_is_taken_or_one_of_each() -> None:
    assert _grouped((0, 0), (0, 1), (0, 2), (1, 0)) == CellGroups([], [], [(0, [1, 2], [3])], [])


def test_what_hangs_together_in_other_ways_is_left_to_a_search() -> None:
    groups = _grouped((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (7, 7))
    assert groups[:3] == ([5], [], [])
    assert sorted(groups.others) == [0, 1, 2, 3, 4]


def _best_by_trying_all(places: list[Place], weights: list[Fraction], numbers: list[int]) -> Fraction:
    """The best total over sets of these cells that share no row and no column, by trying all."""
    best = Fraction(0)
    for size in range(len(numbers) + 1):
        for chosen in combinations(numbers, size):
            if all(len({places[n][side] for n in chosen}) == size for side in (0, 1)):
                best = max(best, sum((weights[n] for n in chosen), Fraction(0)))
    return best


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), unique=True, max_size=9), st.randoms())
def test_every_cell_is_in_one_group_and_groups_choose_by_themselves(places: list[Place], rng: object) -> None:
    weights = [Fraction(rng.randint(1, 6), rng.randint(1, 3)) for _ in places]  # type: ignore[attr-defined]
    alone, one_of, one_or_two, others = _grouped(*places)
    groups = [[n] for n in alone] + one_of + [[n, *row, *column] for n, row, column in one_or_two] + [others]
    assert sorted(n for group in groups for n in group) == list(range(len(places)))
    everything = _best_by_trying_all(places, weights, list(range(len(places))))
    assert everything == sum((_best_by_trying_all(places, weights, group) for group in groups), Fraction(0))
    for group in one_of:
        assert len(group) > 1
        assert _best_by_trying_all(places, weights, group) == max(weights[n] for n in group)
    for n, row, column in one_or_two:
        either = max(weights[m] for m in row) + max(weights[m] for m in column)
        assert _best_by_trying_all(places, weights, [n, *row, *column]) == max(weights[n], either)
