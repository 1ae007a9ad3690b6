"""Where there is no NumPy, as in a browser: the same draws, the same figures, the same p-values."""

from __future__ import annotations

import random
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefscope
from corefscope.comparison.plain_resampling import PlainCounts, stream
from corefscope.comparison.resampling import Study, study
from corefscope.comparison.systems import compare
from corefscope.core.errors import OptionError
from corefscope.core.report import Report
from on_disk import written
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PACKAGES = ("numpy", "scipy")
STUDY = sys.modules["corefscope.comparison.resampling"]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """NumPy and SciPy cannot be imported, and what has imported them is imported anew."""
    for name in list(sys.modules):
        if name.partition(".")[0] in PACKAGES or (
            name.startswith("corefscope.comparison.") and "np" in vars(sys.modules[name])
        ):
            monkeypatch.delitem(sys.modules, name)
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, None)
    return monkeypatch


def _systems(folder: Path, documents: int, **options: Any) -> dict[str, Report]:
    """Three systems on random documents; every file is one."""
    systems: dict[str, Report] = {}
    for at, name in enumerate("abc"):
        rows: dict[str, Any] = {}
        baselines: list[dict[str, Any]] = []
        for number in range(documents):
            paths = folder / "key.conllu", folder / "response.conllu"
            for path, text in zip(paths, random_pair(random.Random(100 * at + number)), strict=True):
                path.write_text(text, encoding="utf-8")
            report = corefscope.score(*paths, metrics="all", **options)
            rows[f"#{number}"] = next(iter(report.rows.values()))
            layers = [next(iter(layer.values())) for layer in report.baseline_rows]
            baselines = baselines or [{} for _ in layers]
            for layer, row in zip(baselines, layers, strict=True):
                layer[f"#{number}"] = row
        systems[name] = Report(report.options, tuple(report), rows, baseline_rows=baselines)
    return systems


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for key in value for number in _numbers(value[key])]
    if isinstance(value, tuple | list):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, int | float) else []


def _same(one: Study, other: Study) -> None:
    assert _numbers(other) == pytest.approx(_numbers(one), rel=1e-11, abs=1e-13)
    assert other.cautions == one.cautions
    for name, differences in one.differences.items():
        assert [(d.p, d.adjusted, d.exact) for d in other.differences[name].values()] == [
            (d.p, d.adjusted, d.exact) for d in differences.values()
        ]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 + 5, 2**130 + 3, 2**200 + 77])
def test_the_stream_is_that_of_numpy(seed: int) -> None:
    assert list(islice(stream(seed), 50)) == np.random.PCG64(seed).random_raw(50).tolist()


@pytest.mark.parametrize(("documents", "test"), [(2, "randomisation"), (5, "bootstrap"), (9, "randomisation")])
def test_studies_without_numpy_are_those_with_it(
    bare: pytest.MonkeyPatch, tmp_path: Path, documents: int, test: str
) -> None:
    """All metrics, three systems; so few documents are swapped in all ways, more of them at random."""
    plan: dict[str, Any] = {"resamples": 120, "seed": 5, "level": 0.9, "test": test}
    systems = _systems(tmp_path, documents)
    without = study(systems, baseline="b", **plan)
    bare.undo()
    _same(study(systems, baseline="b", **plan), without)


def test_plain_numbers_are_resampled_only_where_numpy_is_missing(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reports = list(_systems(tmp_path, 2).values())
    make = vars(STUDY)["_make_resampler"]
    assert isinstance(make(reports, ["muc"]), PlainCounts)
    bare.undo()
    assert not isinstance(make(reports, ["muc"]), PlainCounts)


def test_a_baseline_of_scores_is_resampled_too(bare: pytest.MonkeyPatch, tmp_path: Path) -> None:
    systems = _systems(tmp_path, 4, baseline="none")
    metrics = ["bcub", "lea", "conll"]
    without = study(systems, metrics, resamples=100)
    bare.undo()
    _same(study(systems, metrics, resamples=100), without)


def test_other_tests_say_what_they_need(bare: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"wilcoxon needs NumPy.*use randomisation"):
        compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], test="wilcoxon", resamples=100)
    bare.undo()


def test_dense_components_are_assigned_without_numpy(bare: pytest.MonkeyPatch) -> None:
    """Large components and many competing pairs, which SciPy solves where it is there."""
    from corefscope.core.matching import assignment
    from corefscope.core.matching.assignment import sparse
    from corefscope.core.matching.assignment import total as totals

    rng = random.Random(3)
    rows = [{j: rng.random() for j in rng.sample(range(40), 12)} for _ in range(30)]
    cells = [(i, j, weight) for i, row in enumerate(rows) for j, weight in row.items()]
    bare.setattr(sparse, "CROWDED", 10)
    bare.setattr(totals, "LARGE", 10)
    pairs, total = assignment.assign(rows, 40), assignment.best_total(cells)
    assert total == pytest.approx(sum(rows[i][j] for i, j in pairs))
    bare.undo()
    assert assignment.assign(rows, 40) == pairs


@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected"])
def test_dense_groups_are_scored_without_numpy(tmp_path: Path, bare: pytest.MonkeyPatch, rules: str) -> None:
    """Nothing may fail for want of a package, in a bare container least of all."""
    from corefscope.core.matching import corrected, matchers

    def scores() -> list[dict[str, Any]]:
        options = {"match": "partial", "singletons": "keep", "metrics": "corefud", "rules": rules}
        return [corefscope.score(*pair, **options).to_dict()["metrics"] for pair in pairs]  # type: ignore[arg-type]

    rng = random.Random(5)
    pairs = []
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        pairs.append(written(folder, *random_pair(rng)))
    limits = [(matchers, 0), (corrected, 0)]
    for module, limit in limits:
        bare.setattr(module, "CROWDED", limit)
    without = scores()
    bare.undo()
    for module, limit in limits:
        bare.setattr(module, "CROWDED", limit)
    assert scores() == without
    bare.undo()
