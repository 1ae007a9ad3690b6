"""A metric that is added as CONTRIBUTING says is found everywhere, without a further edit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.analysis.errors.examine import examine
from corefscope.cli import main
from corefscope.comparison.systems import compare
from corefscope.core.errors import OptionError
from corefscope.core.metrics import GROUPS, METRICS, select
from corefscope.core.metrics.b_cubed import B_CUBED
from corefscope.core.metrics.base import Metric, by_mention, in_entities
from corefscope.output.pages.report import write_report
from oracles import partitions
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY
from strategies import Clusters, pairs

FILES = EXAMPLE_KEY, EXAMPLE_RESPONSE
RECIPE = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Set up")[0]
MODULE, TWIN = re.findall(r"```python\n(.*?)```", RECIPE, flags=re.DOTALL)


def _run(code: str, **names: Any) -> dict[str, Any]:
    module = ModuleType("added")
    module.__dict__.update(names)
    exec(compile(code, "CONTRIBUTING.md", "exec"), module.__dict__)
    return module.__dict__


ENTITIES: Metric = _run(MODULE, __package__="corefscope.core.metrics")["ENTITIES"]
ORACLE: Callable[..., partitions.Figures] = _run(TWIN, **vars(partitions))["entities"]
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
def _catalogue() -> Iterator[None]:
    """The second edit: the rows in the catalogue, and a group that has them."""
    with pytest.MonkeyPatch.context() as patch:
        for metric in (ENTITIES, SHARES):
            patch.setitem(METRICS, metric.name, metric)
        patch.setitem(GROUPS, "all", tuple(METRICS))
        patch.setitem(GROUPS, "conll", (*GROUPS["conll"], "entities"))
        yield


@given(pairs)
def test_it_equals_its_twin(pair: tuple[Clusters, Clusters]) -> None:
    """The third edit."""
    sets = [[frozenset[object](cluster) for cluster in side] for side in pair]
    expected = [float(figure) for figure in ORACLE(*sets)]
    assert tuple(corefscope.score_clusters(*pair, metrics="entities")["entities"]) == pytest.approx(expected)


def test_its_doctest_is_true() -> None:
    key, response = [["a", "b"], ["c", "d"]], [["a", "b"], ["c"]]
    assert corefscope.score_clusters(key, response, metrics="entities")["entities"].recall == 0.5
    assert ENTITIES.definition.startswith("Exact entities: R = ")


def test_it_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    assert "entities" in select("conll")
    report = corefscope.score(*FILES, metrics=["muc", "entities"])
    assert 0 < report["entities"].f1 < 1
    assert main(["score", *map(str, FILES), "--metrics", "all", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["entities"]["f1"] == report["entities"].f1
    assert main(["metrics"]) == 0
    assert ENTITIES.summary in " ".join(capsys.readouterr().out.split())


def test_it_is_compared_with_intervals() -> None:
    found = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], metrics=["entities", "bcub"], resamples=200).study
    assert found is not None
    low, high = found.intervals["response"]["entities"]["f1"]
    assert low <= corefscope.score(*FILES, metrics="entities")["entities"].f1 <= high
    assert found.differences["key"]["entities"].difference > 0


def test_its_lost_points_are_attributed() -> None:
    attribution = examine(*FILES, metric="entities", metrics=["entities"], by=["mention-type"]).attribution
    assert attribution.lost > 0
    assert sum(step.gain for step in attribution.steps) + attribution.rules == pytest.approx(attribution.lost)


def test_it_has_a_baseline() -> None:
    """Where everything is one entity, none is right."""
    raw, above = (corefscope.score(*FILES, metrics="entities", baseline=name) for name in (None, "all"))
    assert above["entities"] == raw["entities"]
    assert "|baseline:all|" in above.signature


def test_parts_of_a_document_are_resampled_only_if_it_books_them() -> None:
    pair = EXAMPLE_KEY, [EXAMPLE_RESPONSE]
    with pytest.raises(OptionError, match=r"sums over mentions \(bcub, .*shares\): Entities counts entities, which"):
        compare(*pair, metrics="entities", resample="sentences")
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
    for name in ("entities", "shares"):
        expected = corefscope.score_clusters(*clusters, metrics=name)[name]
        assert tuple(corefscope.score_labels(key, response, metrics=name)[name]) == pytest.approx(tuple(expected))


def test_it_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Component by component, as long as it names no working of its own."""
    explanation = corefscope.explain_metric(*FILES, "entities", document="en_letter")
    counts = corefscope.score(*FILES, metrics="entities").documents["en_letter"].counts("entities")
    assert list(map(float, explanation.calculation.counts)) == list(counts.values())
    assert main(["explain", "entities", *map(str, FILES), "--document", "en_letter"]) == 0
    assert "Entities of key and response that share mentions" in capsys.readouterr().out


def test_it_is_on_the_page(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write_report(EXAMPLE_KEY, [EXAMPLE_RESPONSE], out, metrics=["entities", "bcub"])
    page = out.read_text(encoding="utf-8")
    assert ">Entities<" in page
    assert f"{100 * corefscope.score(*FILES, metrics='entities')['entities'].f1:.2f}" in page
