"""Maximum-weight assignment of dense matrices: SciPy's pairs, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefscope.scale import dense_assignment as dense
from corefscope.scale.dense_assignment import assign_dense
from examples import examples

tables = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=1, max_size=7)
)
PATIENT, IMPATIENT = 10**9, 0


@given(tables, st.sampled_from([1, 3, 7]), st.sampled_from([PATIENT, IMPATIENT]))
@examples(400)
def test_dense_pairs_are_those_of_scipy(table: list[list[int]], divisor: int, patience: int) -> None:
    scores = np.array(table) / divisor / np.arange(1, len(table) + 1)[:, None]
    rows, columns = linear_sum_assignment(-scores)
    expected = [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if scores[i, j] > 0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense, "PATIENCE", patience)
        assert assign_dense(lambda i: scores[i], lambda j: scores[:, j], scores.shape) == expected


def test_rows_that_find_a_free_column_at_once_are_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once to assign them, once to see whether the pair has a score; the matrix is never made."""
    monkeypatch.setattr(dense, "assign_matrix", lambda _: pytest.fail("no matrix is needed"))
    places = np.arange(300)
    looked = 0

    def row(i: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        nonlocal looked
        looked += 1
        return (300 - np.maximum(places, i)) / (300 - i)

    pairs = assign_dense(row, lambda _: pytest.fail("there are not more rows than columns"), (300, 300))
    assert pairs == [(i, i) for i in range(300)]
    assert looked == 600
