"""The same figures as scikit-learn and er-evaluation, from these packages themselves, where they define them alike.

Not alike, hence not compared: er-evaluation gives each *key* cluster the same weight in the precision of B³, too, and
it says 1 where a side has no pairs (0/0).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import corefscope

pytestmark = pytest.mark.filterwarnings("ignore")  # what the packages do is their affair
SEEDS = range(40)
Labels = Sequence[int]
approx = pytest.approx


def _labels(seed: int) -> tuple[list[int], list[int]]:
    """A key, and a response that has some of its mentions elsewhere; from one mention to many."""
    rng = random.Random(seed)
    count = rng.choice([1, 2, 3, 8, 40, 300])
    names = rng.choice([1, 2, count, max(1, count // 4)])
    key = [rng.randrange(names) for _ in range(count)]
    noise = rng.choice([0, 0.1, 0.5, 1])
    return key, [rng.randrange(names) if rng.random() < noise else label for label in key]


def _scores(key: Labels, response: Labels) -> Any:
    metrics = [*corefscope.GROUPS["linkage"], "b3_pb_class"]
    return corefscope.score_labels(key, response, metrics=metrics)


def _has_pairs(labels: Labels) -> bool:
    return len({*labels}) < len(labels)


@pytest.mark.parametrize("seed", SEEDS)
def test_indices_are_those_of_scikit_learn(seed: int) -> None:
    """Rand, adjusted Rand, Fowlkes–Mallows, V-measure and its two halves; VI by its mutual information."""
    measures = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    key, response = _labels(seed)
    report = _scores(key, response)
    if len(key) > 1:
        assert report["rand"].value == approx(measures.rand_score(key, response), abs=1e-12)
    assert report["adjusted_rand"].value == approx(measures.adjusted_rand_score(key, response), abs=1e-12)
    assert report["fowlkes_mallows"].value == approx(measures.fowlkes_mallows_score(key, response), abs=1e-12)
    homogeneity, completeness, v_measure = measures.homogeneity_completeness_v_measure(key, response)
    assert tuple(report["entropy"]) == approx((completeness, homogeneity, v_measure), abs=1e-9)
    mutual = measures.mutual_info_score(key, response)
    entropies = sum(measures.mutual_info_score(side, side) for side in (key, response))
    assert report["variation_of_information"].value == approx(entropies - 2 * mutual, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_and_clusters_are_those_of_er_evaluation(seed: int) -> None:
    """Where both sides have the same mentions, and each has a pair."""
    package, pandas = _er_evaluation()
    key, response = _labels(seed)
    report = _scores(key, response)
    sides = pandas.Series(response), pandas.Series(key)
    recall, precision, f1 = report["clusters_exact"]
    assert precision == approx(package.cluster_precision(*sides))
    assert recall == approx(package.cluster_recall(*sides))
    assert f1 == approx(package.cluster_f(*sides))
    if _has_pairs(key) and _has_pairs(response):
        recall, precision, f1 = report["pairs"]
        assert precision == approx(package.pairwise_precision(*sides))
        assert recall == approx(package.pairwise_recall(*sides))
        assert f1 == approx(package.pairwise_f(*sides))


@pytest.mark.parametrize("seed", SEEDS)
def test_b_cubed_of_classes_is_that_of_er_evaluation(seed: int) -> None:
    """Its recall gives every key cluster the same weight: ``b3_pb_class``. Precision is that of swapped sides."""
    package, pandas = _er_evaluation()
    key, response = _labels(seed)
    report = _scores(key, response)
    sides = pandas.Series(response), pandas.Series(key)
    assert report["b3_pb_class"].recall == approx(package.b_cubed_recall(*sides))
    assert report["b3_pb_class"].precision == approx(package.b_cubed_recall(*sides[::-1]))


@pytest.mark.parametrize("seed", SEEDS)
def test_b_cubed_is_that_of_er_evaluation_if_key_clusters_are_of_one_size(seed: int) -> None:
    """Then equal weights of clusters are equal weights of mentions."""
    package, pandas = _er_evaluation()
    rng = random.Random(seed)
    size, count = rng.randint(1, 5), rng.randint(1, 20)
    key = [label for label in range(count) for _ in range(size)]
    response = [rng.randrange(count) if rng.random() < 0.3 else label for label in key]
    report = _scores(key, response)
    sides = pandas.Series(response), pandas.Series(key)
    expected = package.b_cubed_recall(*sides), package.b_cubed_precision(*sides), package.b_cubed_f(*sides)
    assert tuple(report["bcub"]) == approx(expected)


def test_mentions_that_one_side_lacks_are_dropped_there_and_counted_here() -> None:
    """On what both have the packages agree again."""
    package, pandas = _er_evaluation()
    key, response = [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["d", "e", "x"]]
    both = {"a", "b", "d", "e"}
    common: Any = [[[m for m in cluster if m in both] for cluster in side] for side in (key, response)]
    sides = [pandas.Series({m: i for i, cluster in enumerate(side) for m in cluster}) for side in (response, key)]
    ours = corefscope.score_clusters(key, response, metrics="pairs")["pairs"]
    of_common = corefscope.score_clusters(*common, metrics="pairs")["pairs"]
    assert tuple(of_common)[:2] == (package.pairwise_recall(*sides), package.pairwise_precision(*sides)) == (1, 1)
    assert tuple(ours)[:2] == (1 / 2, 1 / 2)


def _er_evaluation() -> tuple[Any, Any]:
    package = pytest.importorskip("er_evaluation", reason="er-evaluation is not installed")
    return package, pytest.importorskip("pandas")
