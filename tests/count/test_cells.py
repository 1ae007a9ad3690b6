"""Cells in the groups in which an assignment can choose, and the table seen from the other side."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from corefscope.count.cells import Cells, Parted, part

Place = tuple[int, int]


def _cells(*places: Place) -> Cells:
    return Cells.of_pairs({place: 1 + n for n, place in enumerate(places)}, range(10, 20), range(30, 40))


def _parted(*places: Place) -> Parted:
    cells = _cells(*places)
    return part(cells.rows, cells.columns)


def test_counts_and_sizes_stand_side_by_side() -> None:
    cells = _cells((0, 2), (1, 0), (1, 2))
    assert [list(column) for column in (cells.rows, cells.columns, cells.n, cells.k, cells.r)] == [
        [0, 1, 1],
        [2, 0, 2],
        [1, 2, 3],
        [10, 11, 11],
        [32, 30, 32],
    ]
    back = cells.T
    assert (back.rows, back.columns, back.n, back.k, back.r) == (cells.columns, cells.rows, cells.n, cells.r, cells.k)


def test_a_cell_that_shares_nothing_is_alone() -> None:
    assert _parted((0, 1), (1, 0)) == Parted([0, 1], [], [], [])


def test_of_the_cells_of_one_row_or_column_one_is_taken() -> None:
    """Row 5 and column 5 are told apart."""
    parted = _parted((5, 0), (1, 5), (5, 1), (2, 5))
    assert parted == Parted([], [[0, 2], [1, 3]], [], [])


def test_a_cell_that_joins_a_row_and_a_column_is_taken_or_one_of_each() -> None:
    assert _parted((0, 0), (0, 1), (0, 2), (1, 0)) == Parted([], [], [(0, [1, 2], [3])], [])


def test_what_hangs_together_in_other_ways_is_left_to_a_search() -> None:
    parted = _parted((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (7, 7))
    assert parted[:3] == ([5], [], [])
    assert sorted(parted.others) == [0, 1, 2, 3, 4]


def _best(places: list[Place], weights: list[Fraction], numbers: list[int]) -> Fraction:
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
    alone, one_of, one_or_two, others = _parted(*places)
    groups = [[n] for n in alone] + one_of + [[n, *row, *column] for n, row, column in one_or_two] + [others]
    assert sorted(n for group in groups for n in group) == list(range(len(places)))
    everything = _best(places, weights, list(range(len(places))))
    assert everything == sum((_best(places, weights, group) for group in groups), Fraction(0))
    for group in one_of:
        assert len(group) > 1
        assert _best(places, weights, group) == max(weights[n] for n in group)
    for n, row, column in one_or_two:
        either = max(weights[m] for m in row) + max(weights[m] for m in column)
        assert _best(places, weights, [n, *row, *column]) == max(weights[n], either)
