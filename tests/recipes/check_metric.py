"""A metric that was added by the recipe of CONTRIBUTING is found everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.analysis.errors.examine import examine
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.core.errors import OptionError
from corefscope.core.metrics import METRICS, select
from corefscope.core.metrics.b_cubed import B_CUBED
from corefscope.core.metrics.base import Metric, by_mention, in_entities
from corefscope.output.pages.report import write_report
from oracles import partitions
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from strategies import Clusters, pairs

FILES = EXAMPLE_KEY, EXAMPLE_RESPONSE
SHARES = Metric(
    name="shares",
    title="Shares",
    summary="a metric whose counts are sums over mentions",
    cite="bagga-1998",
    definition="B³ under another name",
    counts=B_CUBED.counts,
    resampling=by_mention(lambda seen: (seen.share, 1, 0, 0), lambda seen: (0, 0, seen.share, 1), in_entities),
)


@pytest.fixture(autouse=True, scope="module")
def _second_metric() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(METRICS, SHARES.name, SHARES)
        yield


@given(pairs)
def test_it_equals_its_oracle(pair: tuple[Clusters, Clusters]) -> None:
    sets = [[frozenset[object](cluster) for cluster in side] for side in pair]
    expected = [float(figure) for figure in partitions.ORACLES["jaccard"](*sets)]
    assert tuple(corefscope.score_clusters(*pair, metrics="jaccard")["jaccard"]) == pytest.approx(expected)


def test_it_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert "jaccard" in select("all")
    report = corefscope.score(*FILES, metrics=["muc", "jaccard"])
    assert 0 < report["jaccard"].f1 < 1
    assert main(["score", *map(str, FILES), "--metrics", "all", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["jaccard"]["f1"] == report["jaccard"].f1
    assert main(["metrics"]) == 0
    assert METRICS["jaccard"].summary in " ".join(capsys.readouterr().out.split())


def test_it_is_compared_with_intervals() -> None:
    found = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], metrics=["jaccard", "bcub"], resamples=200).study
    assert found is not None
    low, high = found.intervals["response"]["jaccard"]["f1"]
    assert low <= corefscope.score(*FILES, metrics="jaccard")["jaccard"].f1 <= high
    assert found.differences["key"]["jaccard"].difference > 0


def test_its_lost_points_are_attributed() -> None:
    attribution = examine(*FILES, metric="jaccard", metrics=["jaccard"], by=["mention-type"]).attribution
    assert attribution.lost > 0
    assert sum(step.gain for step in attribution.steps) + attribution.rules == pytest.approx(attribution.lost)


def test_it_has_a_baseline() -> None:
    raw, above = (corefscope.score(*FILES, metrics="jaccard", baseline=name) for name in (None, "all"))
    assert above["jaccard"].recall < raw["jaccard"].recall
    assert "|baseline:all|" in above.signature


def test_parts_of_a_document_are_resampled_only_if_it_books_them() -> None:
    pair = EXAMPLE_KEY, [EXAMPLE_RESPONSE]
    with pytest.raises(OptionError, match=r"sums over mentions \(bcub, .*shares\): Jaccard compares entities, which"):
        compare(*pair, metrics="jaccard", resample="sentences")
    study, of_b_cubed = (
        compare(*pair, metrics=name, resample="sentences", rules="corrected", resamples=200).study
        for name in ("shares", "bcub")
    )
    assert study is not None
    assert of_b_cubed is not None
    assert study.intervals["response"]["shares"] == of_b_cubed.intervals["response"]["bcub"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30))
def test_it_counts_labels(labels: list[tuple[int, int]]) -> None:
    key, response = [k for k, _ in labels], [r for _, r in labels]
    clusters = [[[m for m, of in enumerate(side) if of == i] for i in sorted({*side})] for side in (key, response)]
    for name in ("jaccard", "shares"):
        expected = corefscope.score_clusters(*clusters, metrics=name)[name]
        assert tuple(corefscope.score_labels(key, response, metrics=name)[name]) == pytest.approx(tuple(expected))


def test_it_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Component by component, as long as it names no working of its own."""
    explanation = corefscope.explain_metric(*FILES, "jaccard", document="en_letter")
    counts = corefscope.score(*FILES, metrics="jaccard").documents["en_letter"].counts("jaccard")
    assert list(map(float, explanation.calculation.counts)) == list(counts.values())
    assert main(["explain", "jaccard", *map(str, FILES), "--document", "en_letter"]) == 0
    assert "Entities of key and response that share mentions" in capsys.readouterr().out


def test_it_is_on_the_page(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], out, metrics=["jaccard", "bcub"])
    page = out.read_text(encoding="utf-8")
    assert ">Jaccard<" in page
    assert f"{100 * corefscope.score(*FILES, metrics='jaccard')['jaccard'].f1:.2f}" in page
