"""The propositions of Popescu-Belis (2000), by their numbers, over all pairs of partitions of up to 5 mentions.

N mentions, n classes in the key K, m in the response R; the pieces of a class are its intersections with the classes
of the other side. Each test goes over all 2,959 pairs; equality of figures is up to 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest

import corefscope
from corefscope.core.clusters import tabulate_clusters

LARGEST = 5
Classes = list[list[Any]]


class Both(NamedTuple):
    """A pair of partitions with its scores."""

    key: Classes
    response: Classes
    report: Any

    @property
    def swapped(self) -> tuple[Both, Both]:
        """The pair as it is and from the other side; the report stays as it is."""
        return self, Both(self.response, self.key, self.report)

    @property
    def mentions(self) -> int:
        return sum(map(len, self.key))

    @property
    def equal(self) -> bool:
        return sorted(map(sorted, self.key)) == sorted(map(sorted, self.response))

    def pieces(self) -> Iterator[list[int]]:
        """The sizes of the pieces of each key class."""
        for members in self.key:
            yield [n for other in self.response if (n := len({*members} & {*other}))]

    def table(self) -> list[list[int]]:
        return [[len({*members} & {*other}) for other in self.response] for members in self.key]


def _partitions(mentions: int) -> Iterator[Classes]:
    for labels in product(range(mentions), repeat=mentions):
        if all(label <= max(labels[:i], default=-1) + 1 for i, label in enumerate(labels)):
            yield [[m for m, label in enumerate(labels) if label == i] for i in range(max(labels) + 1)]


def _scored(key: Classes, response: Classes) -> Both:
    names = ["muc_pb", "b3_pb", "core", "entropy", "kappa"]
    return Both(key, response, corefscope.score_clusters(key, response, metrics=names))


@pytest.fixture(scope="module")
def every() -> list[Both]:
    sizes = [list(_partitions(mentions)) for mentions in range(1, LARGEST + 1)]
    return [_scored(key, response) for classes in sizes for key, response in product(classes, repeat=2)]


def approx(value: float) -> Any:
    return pytest.approx(value, abs=1e-12)


def each_side(every: list[Both]) -> Iterator[tuple[Both, str]]:
    """Every pair for its recall, and from the other side for its precision."""
    for both in every:
        yield from zip(both.swapped, ("recall", "precision"), strict=True)


def test_there_are_as_many_pairs_as_there_should_be(every: list[Both]) -> None:
    """The squares of the Bell numbers 1, 2, 5, 15, 52."""
    assert len(every) == 1 + 4 + 25 + 225 + 2704


def test_prop_1_a_class_has_between_one_and_all_its_mentions_as_pieces(every: list[Both]) -> None:
    for both in every:
        table, _ = tabulate_clusters(both.key, both.response, single_owner=True)
        pieces = [i for i, _, _ in table.each_cell()]
        for i, (members, sizes) in enumerate(zip(both.key, both.pieces(), strict=True)):
            assert 1 <= pieces.count(i) == len(sizes) <= len(members)


def test_prop_2_recall_and_precision_of_muc_have_one_numerator(every: list[Both]) -> None:
    for both in every:
        counts = both.report.counts("muc_pb")
        assert counts["recall_numerator"] == counts["precision_numerator"]


def test_prop_3_muc_recall_is_1_if_and_only_if_no_key_class_is_split(every: list[Both]) -> None:
    for side, field in each_side(every):
        whole = all(len(sizes) == 1 for sizes in side.pieces())
        assert (getattr(side.report["muc_pb"], field) == approx(1)) == whole
        assert (side.report["muc_pb"].f1 == approx(1)) == side.equal


def test_prop_4_one_response_class_has_muc_recall_1_and_a_known_precision(every: list[Both]) -> None:
    for both in every:
        if len(both.response) == 1 and both.mentions > 1:
            muc = both.report["muc_pb"]
            assert muc.recall == approx(1)
            assert muc.precision == approx((both.mentions - len(both.key)) / (both.mentions - 1))


def test_prop_5_muc_has_a_lower_bound(every: list[Both]) -> None:
    """(N − n·m)/(N − n) and (N − n·m)/(N − m): his Figure 3."""
    for side, field in each_side(every):
        if side.mentions > len(side.key):
            bound = (side.mentions - len(side.key) * len(side.response)) / (side.mentions - len(side.key))
            assert getattr(side.report["muc_pb"], field) >= bound - 1e-12


def test_prop_6_b_cubed_has_a_lower_bound(every: list[Both]) -> None:
    for side, field in each_side(every):
        assert len(side.key) / side.mentions - 1e-12 <= getattr(side.report["b3_pb"], field) <= 1 + 1e-12


def test_prop_7_cores_have_a_lower_bound(every: list[Both]) -> None:
    for side, field in each_side(every):
        if side.mentions > len(side.key):
            bound = (max(map(len, side.response)) - len(side.key)) / (side.mentions - len(side.key))
            assert getattr(side.report["core"], field) >= bound - 1e-12


def test_prop_8_cores_are_at_most_muc_and_equal_where_other_pieces_are_single(every: list[Both]) -> None:
    for side, field in each_side(every):
        core, muc = (getattr(side.report[name], field) for name in ("core", "muc_pb"))
        assert core <= muc + 1e-12
        single = all(sorted(sizes)[:-1] == [1] * (len(sizes) - 1) for sizes in side.pieces())
        assert (core == approx(muc)) == single


def _entropies(both: Both) -> tuple[float, ...]:
    """H(K), H(R), H(R|K), H(K|R)"""
    names = ("H(key)", "H(response)", "H(response|key)", "H(key|response)")
    components = both.report.components("entropy")
    return tuple(components[name] for name in names)


def test_prop_9_entropies_go_together(every: list[Both]) -> None:
    for both in every:
        key, response, response_given_key, key_given_response = _entropies(both)
        assert response == approx(key - key_given_response + response_given_key)
        assert -1e-12 <= key_given_response <= key + 1e-12
        assert -1e-12 <= response_given_key <= response + 1e-12


def test_prop_10_entropy_is_1_if_and_only_if_nothing_is_left_to_know(every: list[Both]) -> None:
    for both in every:
        _, _, *given = _entropies(both)
        assert (both.report["entropy"].f1 == approx(1)) == both.equal
        assert (given == [approx(0)] * 2) == both.equal


def _independent(both: Both) -> bool:
    """n_ij · N = k_i · r_j"""
    sizes = product(map(len, both.key), map(len, both.response))
    cells = [n for row in both.table() for n in row]
    return all(n * both.mentions == k * r for n, (k, r) in zip(cells, sizes, strict=True))


def test_prop_11_entropy_is_0_if_and_only_if_sides_say_nothing_about_each_other(every: list[Both]) -> None:
    for both in every:
        several = [len(side) > 1 for side in (both.key, both.response)]
        expected = any(several) and (not all(several) or _independent(both))
        assert (both.report["entropy"].f1 == approx(0)) == expected


def _proportional(rows: list[list[int]]) -> bool:
    columns = [list(zip(one, other, strict=True)) for one, other in combinations(rows, 2)]
    return all(a * d == b * c for pairs in columns for (a, b), (c, d) in combinations(pairs, 2))


def test_prop_12_independence_is_all_of_these_or_none(every: list[Both]) -> None:
    equivalent: tuple[Callable[[Both], bool], ...] = (
        _independent,
        lambda both: _entropies(both)[0] == approx(_entropies(both)[3]),
        lambda both: _entropies(both)[1] == approx(_entropies(both)[2]),
        lambda both: _proportional(both.table()),
        lambda both: _proportional([list(column) for column in zip(*both.table(), strict=True)]),
    )
    for both in every:
        assert len({holds(both) for holds in equivalent}) == 1


def test_prop_13_recall_of_muc_and_cores_ignores_key_singletons(every: list[Both]) -> None:
    """And their precision those of the response."""
    for both, (index, field) in product(every, enumerate(("recall", "precision"))):
        alone = {members[0] for members in both[index] if len(members) == 1}
        left = [
            [kept for members in side if (kept := [m for m in members if m not in alone])]
            for side in (both.key, both.response)
        ]
        if alone:
            fewer = corefscope.score_clusters(*left, metrics=["muc_pb", "core"])
            for name in ("muc_pb", "core"):
                assert getattr(both.report[name], field) == approx(getattr(fewer[name], field))


def test_kappa_does_not_lie_between_minus_1_and_1_as_the_paper_says(every: list[Both]) -> None:
    both = _scored([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    assert both.report["kappa"].value == -2
    assert min(pair.report["kappa"].value for pair in every) == -2
    assert max(pair.report["kappa"].value for pair in every) == 1
