"""The random weights of resamples: those of the documented stream, whatever the chunks."""

from __future__ import annotations

import numpy as np
import pytest

from corefscope.comparison import count_matrix
from corefscope.comparison.count_matrix import all_swaps, bootstrap_weights, random_swaps
from oracles import resampling as slow


def test_numbers_are_those_of_pcg64() -> None:
    numbers = slow.stream(42)
    assert [next(numbers) for _ in range(50)] == np.random.PCG64(42).random_raw(50).tolist()


def test_draws_do_not_depend_on_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [np.concatenate(list(draw(9, 7, 40))) for draw in (bootstrap_weights, random_swaps)]
    every = np.concatenate(list(all_swaps(7)))
    monkeypatch.setattr(count_matrix, "CELLS", 50)
    parts = [list(draw(9, 7, 40)) for draw in (bootstrap_weights, random_swaps)]
    assert [len(part) for part in parts] == [6, 6]
    for found, part in zip(whole, parts, strict=True):
        assert (found == np.concatenate(part)).all()
    assert (every == np.concatenate(list(all_swaps(7)))).all()
    assert len({tuple(row) for row in every.tolist()}) == 2**7


def test_draws_are_documented() -> None:
    expected = [[documents.count(at) for at in range(7)] for documents in slow.samples(9, 7, 20)]
    assert np.concatenate(list(bootstrap_weights(9, 7, 20))).tolist() == expected
    assert np.concatenate(list(random_swaps(9, 7, 20))).tolist() == list(slow.swaps(9, 7, 20))
