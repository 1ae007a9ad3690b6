"""Tables of arrays: the same counts as from plain cells, the same best totals as by trying all maps."""

from __future__ import annotations

import random

import numpy as np
import pytest

import corefscope
from corefscope.core.metrics import METRICS
from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.scale import batch_assignment
from corefscope.scale.arrays import tabulate_labels
from oracles.partitions import ORACLES

NEED_NO_WORDS = [name for name, metric in METRICS.items() if not metric.scope.needs_words]


def _clusters(labels: list[int]) -> list[list[int]]:
    return [[m for m, label in enumerate(labels) if label == entity] for entity in dict.fromkeys(labels)]


def _taken(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray) -> list[int]:
    rounds, _ = batch_assignment.take_certain(rows, columns, weights)
    return [cell for taken in rounds for cell in taken.tolist()]


def test_cells_are_taken_only_if_they_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small dense tables, in which the best cell of a row is often wanted by another row, and the other way round."""
    monkeypatch.setattr(batch_assignment, "SMALL", 0)
    rng = random.Random(1)
    for _ in range(300):
        key, response = ([rng.randrange(5) for _ in range(rng.randrange(5, 40))] for _ in range(2))
        key, response = key[: len(response)], response[: len(key)]
        sides = [[frozenset[object](cluster) for cluster in _clusters(side)] for side in (key, response)]
        for table, sets in ((tabulate_labels(key, response), sides), (tabulate_labels(response, key), sides[::-1])):
            ceafe, ceafm = (ORACLES[name](*sets)[0] for name in ("ceafe", "ceafm"))
            assert table.best(dice) / len(sets[0]) == pytest.approx(float(ceafe))
            assert table.best(shared_mentions) / len(key) == pytest.approx(float(ceafm))


def test_a_rival_in_the_column_counts_as_one_in_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells 3 2 / 2 0: taking the 3 loses both 2s, which are 4. Likewise if only one of the two rivals is there."""
    monkeypatch.setattr(batch_assignment, "SMALL", 0)
    rows, columns = np.array([0, 0, 1]), np.array([0, 1, 0])
    weights = np.array([3.0, 2.0, 2.0])
    assert not _taken(rows, columns, weights)
    weights = np.array([4.0, 2.0, 2.0])
    assert _taken(rows, columns, weights) == [0]
    weights = np.array([3.0, 0.5, 2.75])
    assert not _taken(rows, columns, weights)
    assert not _taken(columns, rows, weights)


def test_every_metric_counts_arrays_as_it_counts_clusters() -> None:
    rng = random.Random(2)
    for size in (0, 1, 2, 3, 8, 20, 60):
        for _ in range(15):
            key, response = ([rng.randrange(1 + size // 2) for _ in range(size)] for _ in range(2))
            key.sort()  # the exclusive cores of ``xcore`` are chosen in the order of the entities
            order = {label: at for at, label in enumerate(sorted({*response}))}
            clusters = sorted(_clusters(response), key=lambda cluster: order[response[cluster[0]]])
            expected = corefscope.score_clusters(_clusters(key), clusters, metrics=NEED_NO_WORDS)
            found = corefscope.score_labels(key, response, metrics=NEED_NO_WORDS)
            for name in NEED_NO_WORDS:
                assert found.counts(name) == pytest.approx(expected.counts(name)), name
