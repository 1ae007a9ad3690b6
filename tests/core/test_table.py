"""Metrics ask nothing of a table that ``Table`` does not declare."""

from __future__ import annotations

from typing import Any

import pytest

from corefscope.core.clusters import Cluster, tabulate_clusters
from corefscope.core.errors import InputError
from corefscope.core.matching.alignment import Alignment, Side
from corefscope.core.metrics import METRICS
from corefscope.core.metrics.ceaf import dice, shared_mentions
from corefscope.core.table import Cells, Contingency, Table, Weighing, tabulate
from corefscope.scale.arrays import tabulate_labels

DECLARED = {name for name in (*vars(Table), *Table.__annotations__) if not name.startswith("_")}
KEY: list[Cluster] = [["a", "b", "c"], ["d", "e"], ["f"]]
RESPONSE: list[Cluster] = [["a", "b"], ["c", "d", "x"], ["f"], ["y", "z"]]
TABLES = {
    "cells": tabulate_clusters(KEY, RESPONSE, single_owner=True)[0],
    "arrays": tabulate_labels([1, 1, 1, 2, 2, 3], [1, 1, 2, 2, 2, 3]),
}


class OnlyDeclared:
    """A table that has the members of the protocol, and no others."""

    def __init__(self, table: Contingency) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        assert name in DECLARED, f"Table has no {name}"
        member = getattr(self._table, name)
        return OnlyDeclared(member) if name == "T" else member


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.reads in ("table", "partition")])
def test_metrics_keep_to_the_protocol(name: str, kind: str) -> None:
    table = TABLES[kind]
    assert METRICS[name].counts(OnlyDeclared(table)) == METRICS[name].counts(table)


def test_tables_have_all_members() -> None:
    """The names, and (checked by mypy) the types."""
    tables: list[Table] = [*TABLES.values()]
    assert all(hasattr(table, name) for table in tables for name in DECLARED)
    assert len(DECLARED) > 10


def test_every_member_is_asked_for() -> None:
    asked = set()

    class Asked(OnlyDeclared):
        def __getattr__(self, name: str) -> Any:
            asked.add(name)
            member = super().__getattr__(name)
            return Asked(member._table) if name == "T" else member

    for metric in METRICS.values():
        if metric.reads in ("table", "partition"):
            metric.counts(Asked(TABLES["cells"]))
    assert asked == DECLARED


def test_counts_and_sizes_stand_side_by_side() -> None:
    cells = Cells.of_pairs({(0, 2): 1, (1, 0): 2, (1, 2): 3}, range(10, 20), range(30, 40))
    assert [list(column) for column in (cells.rows, cells.columns, cells.n, cells.k, cells.r)] == [
        [0, 1, 1],
        [2, 0, 2],
        [1, 2, 3],
        [10, 11, 11],
        [32, 30, 32],
    ]
    back = cells.T
    assert (back.rows, back.columns, back.n, back.k, back.r) == (cells.columns, cells.rows, cells.n, cells.r, cells.k)


@pytest.mark.parametrize(("entities_of_one_span", "is_refused"), [(2, False), (5, True)])
def test_only_mentions_in_several_entities_count_for_the_limit_of_pairs(
    entities_of_one_span: int, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document of many mentions is not refused for one of them that is in two entities."""
    monkeypatch.setattr("corefscope.core.matching.alignment.MAX_PAIRS", 10)
    side = Side.of_hashables([*[["x"]] * entities_of_one_span, list(range(20))])
    alignment = Alignment.of_pairs(side, side, list(range(len(side.mentions))))
    if is_refused:
        with pytest.raises(InputError, match="45 pairs of key and response entities share a mention, and 10 can"):
            tabulate(alignment)
    else:
        assert sum(tabulate(alignment).shared.n) == 24


def test_an_entity_without_counterparts_has_one_mention_in_its_best_cell() -> None:
    table = Contingency.of_pairs([3, 2], [2, 1], {(0, 0): 2, (0, 1): 1})
    assert table.over_best_cells() == 2 + 1
    assert table.T.over_best_cells() == 2 + 1


@pytest.mark.parametrize(("crossing", "best"), [(5, 5), (2, 3)])
def test_a_cell_is_taken_if_it_weighs_more_than_one_of_its_row_and_one_of_its_column(
    crossing: int, best: int
) -> None:
    table = Contingency.of_pairs([crossing + 1, 2], [crossing + 2, 1], {(0, 0): crossing, (0, 1): 1, (1, 0): 2})
    assert table.best(shared_mentions) == best


def test_response_entities_have_the_size_of_what_they_share_if_only_that_counts() -> None:
    table = Contingency.of_pairs([3], [4], {(0, 0): 3})
    assert table.best_of(Weighing(dice, common_only=True)) == 1
    assert table.best_of(Weighing(dice)) == 6 / 7
    assert table.T.best_of(Weighing(dice, common_only=True)) == 6 / 7
