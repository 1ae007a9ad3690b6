"""What holds for every metric of the catalogue, and what declares itself exempt."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.core.choices import Match, Rules
from corefscope.core.metrics import GROUPS, METRICS
from corefscope.core.numbers import headline
from examples import examples, seeds
from oracles.generate import random_pair
from strategies import Clusters, pairs, partitions, repeated

RULES = sorted(corefscope.RULES)
NEED_NO_WORDS = [name for name, metric in METRICS.items() if not metric.scope.needs_words]


def _figures(report: Any) -> dict[str, tuple[float, ...]]:
    return {name: tuple(figure for figure in report[name] if not isinstance(figure, str)) for name in report}


def _files(folder: Path, seed: int, **features: Any) -> tuple[Path, Path]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, text in zip(paths, random_pair(random.Random(seed), **features), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@examples(100)
@given(partitions(), st.sampled_from(RULES))
def test_a_perfect_response_scores_1(key: Clusters, rules: Rules) -> None:
    """Of what there is to count; under corrected rules of nothing, too."""
    report = corefscope.score_clusters(key, key, rules=rules, metrics=NEED_NO_WORDS)
    has_links = any(len(cluster) > 1 for cluster in key)
    for name, score in report.items():
        has_major = not name.startswith("major") or any(len(cluster) >= 4 for cluster in key)
        if rules == "corrected" or (has_links and has_major):
            assert headline(score) == pytest.approx(METRICS[name].scale.perfect, abs=1e-12), name


@examples(200)
@given(pairs, st.sampled_from(RULES))
def test_swapping_the_sides_swaps_recall_and_precision(pair: tuple[Clusters, Clusters], rules: Rules) -> None:
    key, response = pair
    names = [name for name in NEED_NO_WORDS if METRICS[name].scale.symmetric]
    if rules == "conll-8.01":
        names.remove("blanc")  # the kinds of link that the key lacks are left out, not those that the response lacks
    forth = corefscope.score_clusters(key, response, rules=rules, metrics=names)
    back = corefscope.score_clusters(response, key, rules=rules, metrics=names)
    for name in names:
        ours, theirs = forth[name], back[name]
        if isinstance(ours, corefscope.Score):
            assert (ours.recall, ours.precision) == pytest.approx((theirs.precision, theirs.recall), abs=1e-12), name
        assert headline(ours) == pytest.approx(headline(theirs), abs=1e-12), name


@examples(100)
@given(pairs, st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(pair: tuple[Clusters, Clusters], rng: random.Random) -> None:
    renamed = dict(zip("abcdefghijkl", rng.sample(range(12), 12), strict=True))
    shuffled = []
    for side in pair:
        clusters = [[renamed[mention] for mention in rng.sample(cluster, len(cluster))] for cluster in side]
        shuffled.append(rng.sample(clusters, len(clusters)))
    names = [
        name for name in NEED_NO_WORDS if not name.startswith("xcore")
    ]  # whose ties go by the order of the clusters
    ours, theirs = (_figures(corefscope.score_clusters(*sides, metrics=names)) for sides in (pair, shuffled))
    for name, figures in ours.items():
        assert figures == pytest.approx(theirs[name], abs=1e-12), name


@examples(100)
@given(pairs)
def test_scores_are_python_floats_in_range(pair: tuple[Clusters, Clusters]) -> None:
    for name, figures in _figures(corefscope.score_clusters(*pair, metrics=NEED_NO_WORDS)).items():
        low, high = METRICS[name].scale.range
        for figure in figures:
            assert type(figure) is float, name
            assert low - 1e-12 <= figure <= high + 1e-12, name


@examples(100)
@given(repeated, repeated)
def test_measures_of_partitions_keep_their_range_where_mentions_repeat(key: Clusters, response: Clusters) -> None:
    """Only what reproduces the official scorer may exceed 1."""
    names = [name for name in NEED_NO_WORDS if name not in GROUPS["corefud"]]
    for name, figures in _figures(corefscope.score_clusters(key, response, metrics=names)).items():
        low, high = METRICS[name].scale.range
        assert all(low - 1e-12 <= figure <= high + 1e-12 for figure in figures), (name, figures)


@examples(100)
@given(repeated, st.randoms(use_true_random=False))
def test_repeated_mentions_do_not_depend_on_order_under_corrected_rules(key: Clusters, rng: random.Random) -> None:
    report = corefscope.score_clusters(key, rng.sample(key, len(key)), rules="corrected")
    assert {name: headline(report[name]) for name in report} == pytest.approx(dict.fromkeys(report, 1.0))


@examples(60)
@given(st.lists(pairs, min_size=1, max_size=4))
def test_pooled_counts_are_sums_over_documents(documents: list[tuple[Clusters, Clusters]]) -> None:
    whole = corefscope.Scorer()
    for key, response in documents:
        whole.add(key, response)
    report = whole.report()
    for name in report:
        for field, total in report.counts(name).items():
            parts = [corefscope.score_clusters(*document).counts(name)[field] for document in documents]
            assert total == pytest.approx(sum(parts), abs=1e-9), (name, field)


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.parametrize("match", ["head", "exact", "partial"])
def test_a_file_against_itself_is_100_under_corrected_rules(seed: int, match: Match, tmp_path: Path) -> None:
    """Whatever it contains: spans in two entities, spans with two heads, zeros without dependencies, many of them."""
    flags: dict[str, Any] = dict.fromkeys(("duplicates", "two_heads", "empty_deps", "shared_eids", "minors"), True)
    for path in _files(tmp_path, seed, **flags):
        for zeros in ("dependent", "linear"):
            for singletons in ("drop", "keep"):
                report = corefscope.score(
                    path, path, match=match, zeros=zeros, singletons=singletons, rules="corrected"
                )
                assert {name: report[name].f1 for name in report} == pytest.approx(dict.fromkeys(report, 1.0))


@pytest.mark.parametrize("seed", seeds(120))
@pytest.mark.parametrize("match", ["head", "exact"])
def test_swapping_files_swaps_recall_and_precision_under_corrected_rules(
    seed: int, match: Match, tmp_path: Path
) -> None:
    """For every metric that says it is symmetric."""
    flags: dict[str, Any] = dict.fromkeys(("duplicates", "two_heads", "empty_deps"), seed % 2 == 1)
    key, response = _files(tmp_path, seed, **flags)
    for zeros in ("dependent", "linear"):
        forth = corefscope.score(key, response, match=match, zeros=zeros, rules="corrected")
        back = corefscope.score(response, key, match=match, zeros=zeros, rules="corrected")
        for name in forth:
            if METRICS[name].scale.symmetric and isinstance(ours := forth[name], corefscope.Score):
                theirs = tuple(back[name])
                assert (ours.precision, ours.recall, ours.f1) == pytest.approx(theirs, abs=1e-12), (name, zeros)


def _components(key: list[list[int]], response: list[list[int]]) -> list[tuple[list[list[int]], list[list[int]]]]:
    """The clusters in groups that share mentions, directly or through others."""
    groups: list[set[int]] = []
    for cluster in [*key, *response]:
        touching = [group for group in groups if group & {*cluster}]
        groups = [group for group in groups if group not in touching] + [{*cluster}.union(*touching)]
    return [
        (
            [cluster for cluster in key if cluster[0] in group],
            [cluster for cluster in response if cluster[0] in group],
        )
        for group in groups
    ]


def test_counts_add_over_connected_components_where_a_metric_says_so() -> None:
    """And nowhere else: of every other metric of the table there are partitions whose counts do not."""
    rng = random.Random(3)
    differ = set()
    for _ in range(300):
        sides = [[rng.randrange(-2, 6) for _ in range(10)] for _ in range(2)]
        key, response = (
            [[m for m, entity in enumerate(side) if entity == i] for i in sorted({*side}) if i >= 0] for side in sides
        )
        whole = corefscope.score_clusters(key, response, metrics=NEED_NO_WORDS)
        parts = [corefscope.score_clusters(*part, metrics=NEED_NO_WORDS) for part in _components(key, response)]
        for name in NEED_NO_WORDS:
            for field, count in whole.counts(name).items():
                if count != pytest.approx(sum(part.counts(name)[field] for part in parts), abs=1e-9):
                    differ.add(name)
    counted_from_tables = {name for name in NEED_NO_WORDS if METRICS[name].reads != "scores"}
    assert {
        name for name, metric in METRICS.items() if metric.engines.adds_over_components
    } == counted_from_tables - differ


def test_what_is_not_symmetric_has_a_reason() -> None:
    """The declarations partition the catalogue: a metric that is not here must swap recall and precision."""
    reasons = {
        "zero": "each side decides for itself which of its zeros are anaphors",
        "b3_0": "only the precision takes spurious mentions out",
        "b3_rn": "only the precision leaves spurious singletons out",
        "b3_sys": "likewise",
        "ceaf_rn": "likewise",
        "ceaf_sys": "likewise, and recall and precision have maps of their own",
        "ceaf_sys_phi4": "likewise",
        "xcore": "the key chooses its exclusive cores",
        "xcore_strict": "likewise",
        "anaphora_classes": "recall asks for one right mention, precision for all",
        "anaphora_links": "each side decides for itself what its anaphors are, and precedes what",
        "anaphora_full": "likewise",
        "major_macro": "the key says which entities are major",
        "major_micro": "likewise",
    }
    assert {name for name, metric in METRICS.items() if not metric.scale.symmetric} == set(reasons)
