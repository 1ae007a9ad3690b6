"""Holm's correction, signed ranks and the paired t-test, by hand and by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.comparison.paired_tests import TESTS, holm, signed_rank, student
from examples import examples
from oracles import resampling as slow


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6, 0.001]) == pytest.approx([1.0, 1.0, 0.003])
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


@examples(200)
@given(st.lists(st.integers(-6, 6), max_size=10))
def test_signed_ranks_with_ties_and_zeros(differences: list[int]) -> None:
    p, exact = signed_rank([difference * 0.1 for difference in differences])
    assert p == pytest.approx(slow.signed_rank(differences))
    assert exact


@pytest.mark.parametrize(("number", "method"), [(30, "exact"), (400, "approx")])
def test_signed_ranks_as_in_scipy(number: int, method: str) -> None:
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(number)
    differences = rng.normal(0.1, 1, number)
    p, exact = signed_rank(differences.tolist())
    assert p == pytest.approx(wilcoxon(differences, method=method, correction=False).pvalue)
    assert exact == (method == "exact")


@examples(100)
@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=2, max_size=30))
def test_the_paired_t_test_is_that_of_scipy(differences: list[float]) -> None:
    from scipy.stats import ttest_1samp

    p, exact = student(differences)
    assert not exact
    if len(set(differences)) > 1:
        assert p == pytest.approx(ttest_1samp(differences, 0).pvalue, abs=1e-12)
    else:
        assert p == (1.0 if differences[0] == 0 else 0.0)


def test_signed_ranks_with_ties_as_in_scipy() -> None:
    from scipy.stats import wilcoxon

    differences = np.random.default_rng(1).integers(-9, 12, 500)
    expected = wilcoxon(differences, method="approx", correction=False, zero_method="wilcox").pvalue
    assert signed_rank(differences.tolist())[0] == pytest.approx(expected)


def test_differences_that_are_equal_but_for_rounding_share_their_rank() -> None:
    differences = [0.1 + 0.2, -0.3, -0.6, -0.6, -0.2]
    assert differences[0] != -differences[1]
    assert signed_rank(differences) == signed_rank([3, -3, -6, -6, -2])


@pytest.mark.parametrize(("differences", "exact"), [(100, True), (101, False)])
def test_the_signs_of_up_to_a_hundred_differences_are_counted_out(differences: int, exact: bool) -> None:
    assert signed_rank([*range(1, differences + 1)]).exact is exact


def test_the_least_p_of_randomisation_is_two_of_all_swaps_or_one_of_the_resamples() -> None:
    assert TESTS["randomisation"].least_p(3, 10_000) == 2 / 2**3
    assert TESTS["randomisation"].least_p(40, 99) == 1 / 100
