"""Tasks with systems of several runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import jsonschema
import pytest
from scipy import stats

from corefscope.cli import main
from corefscope.comparison.resampling import study
from corefscope.comparison.tasks import TaskResult, score_task
from corefscope.comparison.tasks.scoring import read_task
from corefscope.comparison.verify import verify
from corefscope.core.errors import InputError
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from oracles import runs as slow
from rendering import as_text
from tasks_on_disk import BAD, KEY, WORSE, Documents, write

RUNS: dict[str, list[Documents]] = {"a": [WORSE, KEY, WORSE], "b": [BAD, WORSE], "c": [WORSE], "d": [BAD]}


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Two data sets of four documents each, and systems of three, two, one and one runs."""
    files: dict[str, Documents | str] = {f"{dataset}.key.conllu": [*KEY, *KEY] for dataset in ("one", "two")}
    for system, runs in RUNS.items():
        for n, run in enumerate(runs):
            files[f"one.{system}{n}.conllu"] = [*run, *WORSE]
            files[f"two.{system}{n}.conllu"] = [*KEY, *run]
    patterns = {
        system: [f"{{dataset}}.{system}{n}.conllu" for n in range(len(runs))] for system, runs in RUNS.items()
    }
    systems = [f"{system} = {json.dumps(of_runs)}" for system, of_runs in patterns.items()]
    files["task.toml"] = "\n".join(
        ['metrics = "bcub"', "[datasets]", 'one = "one.key.conllu"', 'two = "two.key.conllu"', "[systems]", *systems]
    )
    return write(tmp_path, files) / "task.toml"


def _bcub(rows: Sequence[Any]) -> float:
    n, k, m, r = (sum(column) for column in zip(*rows, strict=True))
    return float(2 * (n / k) * (m / r) / (n / k + m / r))


def _counts(result: TaskResult, system: str) -> list[list[list[tuple[float, ...]]]]:
    """By data set and run the counts of each document."""
    reports = [result[system][dataset] for dataset in result.datasets]
    return [
        [[row[0] for row in run.rows.values()] for run in getattr(report, "runs", [report])] for report in reports
    ]


def test_averages_spreads_and_tests_are_over_runs(manifest: Path) -> None:
    result = score_task(manifest, resamples=200, jobs=1)
    assert result.runs == {"a": 3, "b": 2}
    macros = [mean(_bcub(dataset[run]) for dataset in _counts(result, "a")) for run in range(3)]
    assert result.average("a", "bcub") == pytest.approx(mean(macros))
    assert result.spread("a")["bcub"]["f1"] == pytest.approx(stdev(macros))
    variance, freedom = slow.of_difference([_counts(result, "a")], _bcub)
    far = stats.t(freedom).ppf(0.975) * variance**0.5
    assert tuple(result.intervals["a"]) == pytest.approx((mean(macros) - far, mean(macros) + far))
    for contrast in result.ranking.comparisons:
        pair = [_counts(result, name) for name in (contrast.system, contrast.best)]
        if contrast.best == "a" or contrast.system in result.runs:
            variance, freedom = slow.of_difference(pair, _bcub)
            assert contrast.p == pytest.approx(2 * stats.t(freedom).sf(abs(contrast.difference) / variance**0.5))
    assert result.plan.test == "runs"
    report = result["a"]["one"]
    alone = study({"a": report}).intervals["a"]["bcub"]["f1"]
    assert alone.low < report["bcub"].f1 < alone.high


def test_one_run_in_a_list_is_one_run(manifest: Path) -> None:
    text = manifest.read_text(encoding="utf-8")
    listed = "\n".join(line for line in text.splitlines() if line[:4] not in ("a = ", "b = "))
    plain = listed.replace('["', '"').replace('"]', '"')
    results = []
    for content in (listed, plain):
        manifest.write_text(content, encoding="utf-8")
        results.append(score_task(manifest, resamples=200, jobs=1).to_dict())
    assert results[0] == results[1]
    assert results[0]["plan"]["test"] == "randomisation"


def test_the_spread_is_shown_and_saved(manifest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "result.json"
    assert main(["task", str(manifest), "--resamples", "200", "--quiet", "-o", str(out)]) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.validate(content, schema("corefscope-task-1"))
    assert len(content["systems"]["a"]["submissions"]["one"]["more_files"]) == 2
    assert verify(out).same
    assert main(["task", str(manifest), "--quiet", "--signature", content["signature"]]) == 0
    result = score_task(manifest, resamples=200, jobs=1)
    shown = f"±{100 * result.spread('a')['bcub']['f1']:.2f}"
    assert shown in capsys.readouterr().out
    assert shown in REPORTS["html"].render(result, False, False)
    assert shown.replace("±", r"$\pm$") in REPORTS["latex"].render(result, False, False)
    assert max(map(len, as_text(result, 80).splitlines())) <= 80
    macro = next(row for row in result.to_records() if (row["system"], row["average"]) == ("a", "macro"))
    assert (macro["runs"], macro["f1_sd"]) == (3, result.spread("a")["bcub"]["f1"])


def test_a_system_counts_only_with_all_its_runs(manifest: Path) -> None:
    run = manifest.parent / "two.a1.conllu"
    run.write_text("x\n", encoding="utf-8")
    result = score_task(manifest, resamples=200, jobs=1)
    (error,) = result.errors
    assert (error.system, error.dataset, error.message.partition(":")[0]) == ("a", "two", "run 2")
    assert result.average("a", "bcub") == pytest.approx(result["a"]["one"]["bcub"].f1 / 2)
    assert result.intervals["a"].low < result.average("a", "bcub") < result.intervals["a"].high  # type: ignore[operator]
    run.unlink()
    assert "run 2: there is no" in score_task(manifest, significance=False, jobs=1).problems[0].message


@pytest.mark.parametrize("runs", ['[["x"]]', '["{dataset}.a0.conllu", "{dataset}.a0.conllu"]'])
def test_lists_that_are_no_runs_are_refused(manifest: Path, runs: str) -> None:
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(f"{text}\ne = {runs}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"task\.toml:10: 'e' must list different runs"):
        read_task(manifest)
