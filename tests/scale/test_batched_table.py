"""Tables known by the looks of their cells: every metric counts as it does on the plain tables of the documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batched_tables import rows_by_document, stack_of
from corefscope.core.clusters import tabulate_clusters
from corefscope.core.metrics import METRICS
from corefscope.core.table import Contingency

OFFERED = [metric for metric in METRICS.values() if not metric.parts and not metric.not_from_histogram]


@st.composite
def documents(draw: st.DrawFn) -> list[Contingency]:
    """Tables of documents, empty ones among them, with mentions that only one side has."""
    tables = []
    for _ in range(draw(st.integers(1, 4))):
        labels = st.lists(st.integers(-1, draw(st.integers(0, 6))), max_size=draw(st.integers(0, 25)))
        tables.append(table_of(draw(labels), draw(labels)))
    return tables


def table_of(*sides: list[int]) -> Contingency:
    """From the entity of each mention, −1 if it has none."""
    key, response = (
        [_hashable(m for m, label in enumerate(side) if label == i) for i in sorted({*side} - {-1})] for side in sides
    )
    return tabulate_clusters(key, response, single_owner=True)[1]


def _hashable(mentions: Iterable[int]) -> list[Hashable]:
    return [*mentions]


@given(documents(), st.booleans())
def test_every_offered_metric_counts_looks_as_it_counts_cells(tables: list[Contingency], taken: bool) -> None:
    rows = list(rows_by_document(stack_of(tables, taken=taken), OFFERED))
    assert len(rows) == len(tables)
    for row, table in zip(rows, tables, strict=True):
        for metric, found in zip(OFFERED, row, strict=True):
            expected = metric.counts(table)
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-12), metric.name
            assert all(a == b for a, b in zip(found, expected, strict=True) if isinstance(b, int)), metric.name


@given(documents(), st.integers(0, 9))
def test_the_order_of_rows_changes_no_bit(tables: list[Contingency], seed: int) -> None:
    ordered, shuffled = stack_of(tables), stack_of(tables, seed=seed)
    metrics = [metric for metric in OFFERED if metric.name != "ceafe"]
    assert list(rows_by_document(ordered, metrics)) == list(rows_by_document(shuffled, metrics))


def test_what_is_refused_says_why() -> None:
    refused = {name: metric.not_from_histogram for name, metric in METRICS.items() if metric.not_from_histogram}
    assert {"mor", "zero", "xcore", "xcore_strict"} <= refused.keys()
    assert "words" in refused["mor"]
    assert "one after the other" in refused["xcore"]
    assert {metric.name for metric in OFFERED} >= {"dmt", "d_err", "kappa", "ceafe", "b3_0"}
    assert METRICS["mean(muc,xcore)"].not_from_histogram.startswith("has XC, which lets entities choose")
    assert not METRICS["conll"].not_from_histogram


@pytest.mark.parametrize("size", [2**31 - 7, 2**31 + 1, 2**40 + 3])
def test_sums_of_large_sizes_are_exact(size: int) -> None:
    """Two entities of the key against two of the response: (size, 1) and (2, size)."""
    pairs = {(0, 0): size, (0, 1): 1, (1, 1): size, (1, 0): 2}
    table = Contingency.of_pairs([size + 1, size + 2], [size + 2, size + 1], pairs)
    (row,) = rows_by_document(stack_of([table]), OFFERED)
    for metric, found in zip(OFFERED, row, strict=True):
        expected = metric.counts(table)
        for a, b in zip(found, expected, strict=True):
            assert a == b if isinstance(b, int) else a == pytest.approx(b, rel=1e-12), metric.name


def test_one_document_is_summed_with_one_rounding() -> None:
    """Half the looks share 1/3 of their entity: 300 times that, and 1e16, and back."""
    table = table_of([i // 3 for i in range(900)], list(range(900)))
    stack = stack_of([table])
    assert stack.over_cells(lambda n, k, _r: n / k).tolist() == [300.0]
    assert stack.over_cells(lambda n, k, _r: n / k).dtype == np.float64


def test_a_table_is_freed_when_it_is_no_longer_used() -> None:
    """Without the garbage collector, which arrays do not set off."""
    stack = stack_of([table_of([0, 0, 1], [0, 1, 1])] * 2)
    for metric in OFFERED:
        metric.counts(stack)
    assert stack.T.T is stack
    assert stack.at_most.T.T.total.tolist() == [3, 3]
    freed = ref(stack)
    del stack
    assert freed() is None
