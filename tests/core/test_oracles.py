"""The fast code against slow, obvious twins."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import corefscope
from corefscope.core.metrics import METRICS
from examples import examples
from fuzz.pairs import corefud_relation_differences, ua_relation_differences
from oracles import linkage, major
from oracles.generate import random_pair
from oracles.official import score_files
from oracles.papers import FIGURES, VALUES
from oracles.partitions import ORACLES
from strategies import Clusters, pairs

FEATURES = ("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads", "empty_deps")
OPTIONS: list[dict[str, Any]] = [
    {"match": match, "zeros": zeros, "singletons": singletons}
    for match, zeros, singletons in itertools.product(
        ("head", "exact", "partial"), ("dependent", "linear"), ("drop", "keep")
    )
]


@examples(400)
@given(pairs)
def test_table_metrics_equal_their_set_based_twins(pair: tuple[Clusters, Clusters]) -> None:
    """Partitions with twinless mentions on both sides; exact fractions on the other side of the comparison."""
    key, response = pair
    report = corefscope.score_clusters(key, response, metrics=list(ORACLES))
    sets = [[frozenset[object](cluster) for cluster in side] for side in pair]
    for name, oracle in ORACLES.items():
        assert tuple(report[name]) == pytest.approx([float(figure) for figure in oracle(*sets)], abs=1e-12), name


def test_every_table_metric_has_an_oracle() -> None:
    """Composed metrics are tested through their parts."""
    counted = {metric.name for metric in METRICS.values() if metric.reads in ("table", "partition")}
    known = {*ORACLES, *FIGURES, *VALUES, *linkage.ORACLES, *major.ORACLES}
    assert not counted - known, "add oracles of these metrics to ORACLES in tests/support/oracles/partitions.py"
    assert not known - counted, "these oracles belong to no metric: remove them, or list the metric in METRIC_MODULES"


@pytest.mark.parametrize("seed", range(0, 80, 10))
def test_files_are_scored_as_by_the_official_twin(seed: int, tmp_path: Path) -> None:
    """Random files with zeros, discontinuous mentions, ties, repeats and odd headers, under all options."""
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    for offset in range(10):
        rng = random.Random(seed + offset)
        features: dict[str, Any] = {name: rng.random() < 0.25 for name in FEATURES}
        for path, text in zip((key, response), random_pair(rng, **features), strict=True):
            path.write_text(text, encoding="utf-8")
        for options in OPTIONS:
            report, expected = corefscope.score(key, response, **options), score_files(key, response, **options)
            for name, value in expected.items():
                wanted = (value,) if isinstance(value, float) else value
                assert tuple(report[name]) == pytest.approx(wanted, abs=1e-9), (seed + offset, options, name)


@pytest.mark.parametrize("seed", range(0, 60, 10))
def test_relations_of_corefud_files_are_those_of_their_definitions(seed: int, tmp_path: Path) -> None:
    """Bridging and split antecedents, under both rule sets, all matches, and with singletons kept and dropped."""
    assert not [found for offset in range(10) for found in corefud_relation_differences(seed + offset, tmp_path)]


@pytest.mark.parametrize("seed", [81, 108, 183, 203])
def test_rare_relations_of_corefud_files_are_those_of_their_definitions(seed: int, tmp_path: Path) -> None:
    """Two zeros that swap places (81, 183), two plurals for one entity (108, 203)."""
    assert not corefud_relation_differences(seed, tmp_path)


@pytest.mark.parametrize("seed", range(0, 40, 10))
def test_relations_of_ua_files_are_those_of_their_definitions(seed: int, tmp_path: Path) -> None:
    """Besides these, mentions that do not refer, discourse deixis, and minimal words."""
    assert not [found for offset in range(10) for found in ua_relation_differences(seed + offset, tmp_path)]
