"""Tables and scores of arrays: the counts of plain cells, the best totals of all maps, the scores of rows."""

from __future__ import annotations

import gc
import itertools
import random
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.core.metrics import METRICS, counted, select
from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.core.numbers import F1, Deviation, Value, headline, prf
from corefscope.core.report import Scores
from corefscope.core.rules import RULES
from corefscope.scale import arrays, batch_assignment
from corefscope.scale.arrays import tabulate_labels
from examples import examples
from oracles.partitions import ORACLES

NEED_NO_WORDS = [name for name, metric in METRICS.items() if not metric.scope.needs_words]
NAMES = select("all")


def _clusters(labels: list[int]) -> list[list[int]]:
    return [[m for m, label in enumerate(labels) if label == entity] for entity in dict.fromkeys(labels)]


def _taken(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray) -> list[int]:
    rounds, _ = batch_assignment.take_certain(rows, columns, weights)
    return [cell for taken in rounds for cell in taken.tolist()]


def test_cells_are_taken_only_if_they_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small dense tables, in which the best cell of a row is often wanted by another row, and the other way round."""
    monkeypatch.setattr(batch_assignment, "SMALL", 0)
    rng = random.Random(1)
    for _ in range(100):
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


@st.composite
def pooled_counts(draw: st.DrawFn) -> dict[str, list[tuple[float, ...]]]:
    """Counts of every metric, some of which make no sense: zeros are frequent."""
    number = st.sampled_from([0, 0, 1, 2, 3, 7, 0.5, 1 / 3, 12345])
    return {
        metric.name: draw(st.lists(st.tuples(*[number] * len(metric.fields)), min_size=3, max_size=3))
        for metric in counted(METRICS)
    }


def _assert_scored_alike(counts: dict[str, list[tuple[float, ...]]], names: tuple[str, ...], rules: str) -> None:
    pooled = {name: np.array(rows, dtype=float).T for name, rows in counts.items()}
    found: Any = arrays.score_arrays(names, pooled, RULES[rules].conventions)
    for at in range(len(next(iter(counts.values())))):
        scalar = Scores(names, {name: rows[at] for name, rows in counts.items()}, rules)
        for name, score in scalar.items():
            expected = {figure: value for figure, value in score._asdict().items() if not isinstance(value, str)}
            assert {figure: getattr(found[name], figure)[at] for figure in expected} == pytest.approx(
                expected, rel=1e-12, abs=1e-12
            ), (name, counts)
            if isinstance(score, Deviation):
                assert found[name].direction[at] == score.direction


@examples(60)
@given(pooled_counts(), st.sampled_from(sorted(RULES)))
def test_arrays_are_scored_as_rows_are(counts: dict[str, list[tuple[float, ...]]], rules: str) -> None:
    _assert_scored_alike(counts, NAMES, rules)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_pattern_of_zeros_is_scored_as_rows_are(rules: str) -> None:
    for metric in counted(METRICS):
        rows = list(itertools.product([0.0, 2.0], repeat=len(metric.fields)))
        _assert_scored_alike({metric.name: rows}, (metric.name,), rules)


def test_no_metric_is_scored_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_score_one_by_one", None)
    for rules in RULES.values():
        pooled = {metric.name: np.ones((len(metric.fields), 2)) for metric in counted(METRICS)}
        assert arrays.score_arrays(METRICS, pooled, rules.conventions)


def test_arrays_are_freed_without_the_garbage_collector() -> None:
    pooled = {metric.name: np.ones((len(metric.fields), 2)) for metric in counted(METRICS)}
    gc.collect()
    gc.disable()
    try:
        alive = [weakref.ref(array) for array in pooled.values()]
        scores: Any = arrays.score_arrays(METRICS, pooled, RULES["corrected"].conventions)
        alive += [weakref.ref(scores[name].f1) for name in ("muc", "conll")]
        del pooled, scores
        assert not any(each() is not None for each in alive)
    finally:
        gc.enable()


def test_a_new_metric_needs_no_array_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def lowest(counts: Any, _: Any) -> Value:
        return Value(float(min(counts)))

    def least_f1(parts: Any, _: Any) -> F1:
        return F1(min(part.f1 for part in parts))

    monkeypatch.setitem(METRICS, "lowest", METRICS["rand"]._replace(name="lowest", score=lowest))
    monkeypatch.setitem(METRICS, "least", METRICS["conll"]._replace(name="least", score=least_f1))
    counts = [(1, 3, 2, 3), (3, 4, 1, 2)]
    pooled = {name: np.array(counts, dtype=float).T for name in ("muc", "bcub", "ceafe")}
    pooled["lowest"] = np.array([[4, 0.5], [3, 1]])
    found: Any = arrays.score_arrays(["lowest", "least"], pooled, RULES["corrected"].conventions)
    assert found["lowest"].value.tolist() == [3, 0.5]
    assert found["least"].f1.tolist() == pytest.approx([headline(prf(row)) for row in counts])
