"""The metric of Hugging Face's ``evaluate``."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corefscope import InputError
from frameworks import WITH_FRAMEWORKS, framework
from tests.integrations.clusters import documents, figures

evaluate = framework("evaluate")
pytestmark = WITH_FRAMEWORKS

from corefscope.integrations import evaluate as module  # noqa: E402
from corefscope.integrations.evaluate import Coref  # noqa: E402


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left behind, and nothing is asked of the network."""
    monkeypatch.setattr("evaluate.config.HF_EVALUATE_OFFLINE", True, raising=False)
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "modules"))


def _sides(pairs: list[Any]) -> dict[str, Any]:
    return {"predictions": [response for _, response in pairs], "references": [key for key, _ in pairs]}


@pytest.mark.parametrize("options", [{"metrics": "muc,lea"}, {"preset": "conll12"}, {}])
def test_it_computes_the_scores_of_a_scorer(options: dict[str, Any], tmp_path: Path) -> None:
    pairs = [*documents(7), ([], []), ([[(0, 1)]], [])]
    found = Coref(cache_dir=str(tmp_path)).compute(**_sides(pairs), **options)
    assert found.pop("signature").startswith("clusters|match:exact")
    assert found == pytest.approx(figures(pairs, **options))
    assert json.dumps(found)


def test_it_is_filled_batch_by_batch(tmp_path: Path) -> None:
    pairs = documents(6)
    metric = Coref(cache_dir=str(tmp_path))
    for half in (pairs[:3], pairs[3:]):
        metric.add_batch(**_sides(half))
    assert metric.compute()["conll/f1"] == pytest.approx(figures(pairs)["conll/f1"])


def test_it_is_loaded_by_its_path(tmp_path: Path) -> None:
    pairs = documents(3)
    metric = evaluate.load(module.__file__, cache_dir=str(tmp_path))
    assert metric.compute(**_sides(pairs))["conll/f1"] == pytest.approx(figures(pairs)["conll/f1"])


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.config.HF_METRICS_CACHE", str(tmp_path))
    assert doctest.testmod(module) == (0, 3)


def test_spans_may_be_arrays_of_integers(tmp_path: Path) -> None:
    pairs = documents(6)
    arrays = [tuple([[np.array(span) for span in cluster] for cluster in side] for side in pair) for pair in pairs]
    found = Coref(cache_dir=str(tmp_path)).compute(**_sides(arrays))
    assert found["conll/f1"] == pytest.approx(figures(pairs)["conll/f1"])
    metric = Coref(cache_dir=str(tmp_path))
    for key, response in pairs:
        metric.add(prediction=response, reference=key)
    assert metric.compute()["conll/f1"] == pytest.approx(figures(pairs)["conll/f1"])


@pytest.mark.parametrize("span", [[0.5, 1.5], np.array([0.5, 1.5])])
def test_fractions_are_not_truncated_to_integers(span: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cluster 0 of the response: .* but not \[start, end\]"):
        Coref(cache_dir=str(tmp_path)).compute(predictions=[[[span]]], references=[[[[0, 1]]]])
