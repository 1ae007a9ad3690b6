"""The measures of record linkage: their twins, their edges, how they are pooled and shown."""

from __future__ import annotations

import json
from itertools import permutations
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks.averages import missing_score
from corefscope.core.choices import Rules
from corefscope.core.metrics import GROUPS, METRICS, select
from corefscope.core.numbers import headline
from corefscope.core.rules import RULES
from examples import examples
from oracles.linkage import ORACLES, confusion
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

NAMES = tuple(ORACLES)
Pair = tuple[Clusters, Clusters]
approx = pytest.approx


def _report(*documents: Pair, rules: Rules = "corefud-1.2") -> Any:
    scorer = corefscope.Scorer(metrics=NAMES, rules=rules)
    for document in documents:
        scorer.add(*document)
    return scorer.report()


def _figures(report: Any) -> dict[str, tuple[float, ...]]:
    return {name: tuple(report[name]) for name in NAMES}


@examples(150)
@given(pairs, st.sampled_from(sorted(RULES)))
def test_each_equals_its_twin(pair: Pair, rules: str) -> None:
    """Mentions that one side lacks, empty sides and singletons among them."""
    nothing = int(RULES[rules].conventions.nothing)
    for name, figures in _figures(_report(pair, rules=rules)).items():  # type: ignore[arg-type]
        assert figures == approx([float(figure) for figure in ORACLES[name]([pair], nothing)], abs=1e-12), name


@examples(150)
@given(st.lists(pairs, max_size=4))
def test_documents_are_pooled_as_their_twins_pool_them(documents: list[Pair]) -> None:
    """No pair and no cluster runs across documents, and chance works within each."""
    for name, figures in _figures(_report(*documents)).items():
        assert figures == approx([float(figure) for figure in ORACLES[name](documents, 0)], abs=1e-12), name


@examples(100)
@given(st.lists(pairs, min_size=1, max_size=3))
def test_the_confusion_counts_are_in_the_json(documents: list[Pair]) -> None:
    names = ("true_positives", "false_positives", "false_negatives")
    counts = _report(*documents).to_dict()["metrics"]["pairs"].get("counts", dict.fromkeys(names, 0))
    assert counts == dict(zip(names, confusion(documents), strict=True))


def test_chance_is_the_mean_over_all_ways_to_deal_out_the_mentions() -> None:
    key = [["a", "b", "c"], ["d", "e"], ["f"]]
    response = [["a", "b"], ["c", "d"], ["e", "f"]]
    common = []
    for dealt in permutations("abcdef"):
        name = dict(zip("abcdef", dealt, strict=True))
        common.append(confusion([(key, [[name[m] for m in cluster] for cluster in response])])[0])
    report = _report((key, response))
    assert report.counts("adjusted_rand")["pairs_by_chance"] == approx(np.mean(common), abs=1e-12)


def test_the_adjusted_rand_index_can_be_minus_one_half() -> None:
    report = _report(([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]))
    assert report["adjusted_rand"].value == approx(-0.5, abs=1e-15)
    assert METRICS["adjusted_rand"].scale.range[0] == -0.5


@pytest.mark.parametrize("rules", sorted(RULES))
def test_singletons_only_are_nothing_to_count_for_pairs_alone(rules: str) -> None:
    """Both sides are the same: all else is perfect."""
    nothing = RULES[rules].conventions.nothing
    report = _report(([["a"], ["b"], ["c"]], [["b"], ["a"], ["c"]]), rules=rules)  # type: ignore[arg-type]
    assert [report.nothing(name) for name in NAMES] == [True, False, False, True, False]
    assert _figures(report) == {
        "pairs": (nothing,) * 3,
        "clusters_exact": (1, 1, 1),
        "adjusted_rand": (1,),
        "fowlkes_mallows": (nothing,),
        "variation_of_information": (0,),
    }


@pytest.mark.parametrize("rules", sorted(RULES))
def test_one_mention_has_no_pair(rules: str) -> None:
    report = _report(([["a"]], [["a"]]), rules=rules)  # type: ignore[arg-type]
    assert [report.nothing(name) for name in NAMES] == [True, False, True, True, False]
    assert (report["adjusted_rand"].value, report["variation_of_information"].value) == (1, 0)


def test_no_mention_is_nothing_to_count() -> None:
    report = _report(([], []))
    assert all(report.nothing(name) for name in NAMES)
    assert report["variation_of_information"].value == 0


def test_only_one_side_has_pairs() -> None:
    report = _report(([["a", "b"], ["c"]], [["a"], ["b"], ["c"]]), rules="corrected")
    assert tuple(report["pairs"]) == (0, 0, 0)
    assert (report["fowlkes_mallows"].value, report["adjusted_rand"].value) == (0, 0)
    assert tuple(report["clusters_exact"]) == approx((1 / 2, 1 / 3, 2 / 5))


def test_mentions_that_one_side_lacks_count_against_it() -> None:
    """The response lacks c and d: two pairs of the key are lost, and both its clusters are wrong."""
    report = _report(([["a", "b", "c"], ["d"]], [["a", "b"]]))
    assert tuple(report["pairs"])[:2] == approx((1 / 3, 1))
    assert tuple(report["clusters_exact"])[:2] == (0, 0)
    assert report["variation_of_information"].value == approx((2 * log(3 / 2) + log(3)) / 4)


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40))
def test_labels_are_counted_alike(labels: list[tuple[int, int]]) -> None:
    key, response = [k for k, _ in labels], [r for _, r in labels]
    clusters: Any = [
        [[m for m, of in enumerate(side) if of == i] for i in sorted({*side})] for side in (key, response)
    ]
    by_labels, by_clusters = corefscope.score_labels(key, response, metrics=NAMES), _report(clusters)
    for name in NAMES:
        assert tuple(by_labels[name]) == approx(tuple(by_clusters[name]), abs=1e-12), name
        assert all(type(figure) is float for figure in by_labels[name])


def test_large_sizes_do_not_overflow() -> None:
    """Pairs of pairs would leave 64 bits; sums of pairs do not."""
    size = 200_000
    key = np.repeat([0, 1], size)
    response = np.concatenate([np.zeros(size + 1, dtype=int), np.ones(size - 1, dtype=int)])
    report = corefscope.score_labels(key, response, metrics=NAMES)
    assert 0.9999 < report["adjusted_rand"].value < 1
    assert 0.9999 < report["fowlkes_mallows"].value < 1


def test_the_group_has_what_packages_of_record_linkage_have() -> None:
    assert select("linkage") == GROUPS["linkage"]
    assert {*NAMES, "bcub", "rand", "entropy"} == {*GROUPS["linkage"]}


@pytest.mark.parametrize(("alias", "name"), [("ari", "adjusted_rand"), ("vi", "variation_of_information")])
def test_other_names_lead_to_ours(alias: str, name: str) -> None:
    assert select(alias) == (name,)


def test_less_variation_of_information_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    """In comparisons the key is best and has 0, from a baseline it stays a distance, and nothing is the worst."""
    arguments: dict[str, Any] = {"metrics": ["variation_of_information"], "resamples": 100}
    comparison = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], **arguments)
    assert comparison.best("variation_of_information") == {"key"}
    assert comparison.reports["key"]["variation_of_information"].value == approx(0, abs=1e-12)
    files = EXAMPLE_KEY, EXAMPLE_RESPONSE
    raw, above = (
        corefscope.score(*files, metrics="variation_of_information", baseline=baseline) for baseline in (None, "none")
    )
    assert raw["variation_of_information"] == above["variation_of_information"]
    assert headline(missing_score("variation_of_information", "corefud-1.2")) == float("inf")
    assert main(["score", *map(str, files), "--metrics", "linkage", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)["metrics"]["variation_of_information"]
    assert shown["value"] == raw["variation_of_information"].value
    assert "0 is perfect" in shown["note"]


def test_parts_of_a_document_can_be_resampled_with_what_mentions_leave_open() -> None:
    """The sums over mentions are those of the table."""
    arguments: dict[str, Any] = {"metrics": "variation_of_information", "rules": "corrected", "resamples": 100}
    whole = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="variation_of_information", rules="corrected")
    parts = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE], resample="sentences", **arguments)
    assert parts.study is not None
    low, high = parts.study.intervals["response"]["variation_of_information"]["value"]
    assert low < whole["variation_of_information"].value < high
