"""Coefficients against SciPy, and results that go together or do not."""

from __future__ import annotations

import argparse
import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corefscope
from corefscope.base.errors import InputError, OptionError
from corefscope.cli import correlate as command
from corefscope.cli.terminal import guarded
from corefscope.show.formats import REPORTS
from corefscope.show.formats.json import schema
from corefscope.study.correlation import COEFFICIENTS, Correlation, correlate, kendall, pearson, spearman
from corefscope.study.noise.files import perturb_file
from corefscope.study.resampling.paired import doubled_ranks
from corefscope.study.saved_scores import SavedScores, read_scores
from places import EXAMPLE_KEY
from rendering import as_text

Results = list[Path]


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    options = parser.parse_args(arguments)
    return guarded(lambda: command.run(options))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """What six made-up systems score; no metric is constant but the one for zeros."""
    folder = tmp_path_factory.mktemp("systems")
    perturb_file(EXAMPLE_KEY, folder, kinds="drop,split,spurious", levels=[30, 60])
    found = []
    for response in sorted(folder.glob("*.conllu")):
        path = folder / f"{response.stem}.json"
        report = corefscope.score(EXAMPLE_KEY, response, singletons="keep")
        path.write_text(json.dumps(report.to_dict()), encoding="utf-8")
        found.append(path)
    return found


@pytest.fixture(scope="module")
def example(results: Results) -> Correlation:
    return correlate(results)


values = st.one_of(st.integers(0, 4).map(float), st.floats(0, 1).map(lambda value: round(value, 6)))
columns = st.lists(st.tuples(values, values), min_size=3, max_size=12)


@settings(max_examples=100, deadline=None)
@given(columns)
def test_coefficients_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    """With ties and without."""
    from scipy import stats

    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    assume(len(set(xs)) > 1 and len(set(ys)) > 1)
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        found = ours(xs, ys)
        assert found is not None
        assert found == pytest.approx(float(theirs(xs, ys).statistic), abs=1e-9), ours.__name__
        assert -1 <= found <= 1
    assert doubled_ranks(xs) == [2 * rank for rank in stats.rankdata(xs)]


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_constant_columns_are_undefined(coefficient: Callable[..., float | None]) -> None:
    assert coefficient([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    assert coefficient([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]) is None
    assert coefficient([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]) == -1


def test_scores_are_taken_from_results(example: Correlation, results: Results) -> None:
    assert example.systems == tuple(path.stem for path in results)
    first = json.loads(results[0].read_text(encoding="utf-8"))["metrics"]
    for metric in example.metrics:
        assert example.scores[metric][0] == first[metric]["f1"]
        assert example.value("pearson", metric, metric) in (1.0, None)
    assert example.value("kendall", "muc", "lea") == kendall(example.scores["muc"], example.scores["lea"])
    assert example.matrix("spearman")[0][1] == example.value("spearman", "bcub", "muc")
    with pytest.raises(OptionError, match="did you mean 'kendall'"):
        example.value("kendal", "muc", "lea")


def test_noise_of_floating_point_makes_no_ranks() -> None:
    def system(name: str, one: float, other: float) -> Any:
        return SavedScores(name, "x", {"muc": one, "lea": other})

    noisy = Correlation([system("a", 0.1 + 0.2, 1), system("b", 0.3, 2), system("c", 0.3, 3)], ("muc", "lea"))
    assert noisy.value("kendall", "muc", "lea") is None


def test_text_shows_a_triangle_for_each_coefficient(example: Correlation) -> None:
    shown = as_text(example, 100)
    for name, (title, _) in COEFFICIENTS.items():
        assert shown.count(title) == 1
        value = example.value(name, "muc", "lea")
        assert value is not None
        assert f"{value:.3f}" in shown
    assert "fewer than 10 systems" in shown
    assert example.signatures[0] in shown
    narrow = as_text(example, 45)
    assert all(len(line) <= 45 for line in narrow.split("\n") if line.startswith(("Pearson", "LEA", "CEAFm")))


def test_what_is_undefined_is_said(results: Results, tmp_path: Path) -> None:
    paths = []
    for path in results:
        content = json.loads(path.read_text(encoding="utf-8"))
        content["metrics"]["mor"]["f1"] = 0.5
        paths.append(tmp_path / path.name)
        paths[-1].write_text(json.dumps(content), encoding="utf-8")
    found = correlate(paths, metrics="muc,mor,lea")
    assert "– is undefined: all systems score the same in MOR" in as_text(found)
    content = json.loads(REPORTS["json"].render(found))
    assert content["correlations"][0] == dict.fromkeys(COEFFICIENTS) | {"metric": "muc", "other": "mor"}
    rows = list(csv.DictReader(REPORTS["csv"].render(found).splitlines()))
    assert rows[0]["pearson"] == ""
    if pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'"):
        assert run(*map(str, paths), "-o", str(tmp_path / "x.svg"), "--metrics", "muc,mor") == 0
        assert "undefined" in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_json_keeps_to_its_schema(example: Correlation) -> None:
    content = json.loads(REPORTS["json"].render(example))
    jsonschema.Draft202012Validator(schema("corefscope-correlation-1")).validate(content)


def test_csv_reads_back(example: Correlation) -> None:
    rows = list(csv.DictReader(REPORTS["csv"].render(example).splitlines()))
    assert len(rows) == math.comb(len(example.metrics), 2)
    assert float(rows[0]["kendall"]) == example.value("kendall", rows[0]["metric"], rows[0]["other"])


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_scatter_matrix_is_drawn(suffix: str, results: Results, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'corefscope[plot]'")
    path = tmp_path / f"scatter.{suffix}"
    assert run(*map(str, results), "--metrics", "muc,lea", "-o", str(path)) == 0
    assert path.read_bytes().startswith(b"<?xml" if suffix == "svg" else b"\x89PNG")


def _changed(results: Results, folder: Path, change: Callable[[dict[str, Any]], object]) -> Results:
    """The results with the second one changed."""
    content = json.loads(results[1].read_text(encoding="utf-8"))
    change(content)
    other = folder / "other.json"
    other.write_text(json.dumps(content), encoding="utf-8")
    return [results[0], other, *results[2:]]


def test_comparisons_hold_several_systems(results: Results, tmp_path: Path) -> None:
    reports = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in results}
    comparison = tmp_path / "all.json"
    comparison.write_text(json.dumps({"schema": "corefscope-comparison-1", "systems": reports}), encoding="utf-8")
    assert correlate([comparison]).to_dict() == correlate(results).to_dict()
    assert [system.name for system in read_scores([results[0], comparison])][:2] == ["drop-030", "all:drop-030"]
    assert read_scores([comparison], "a,b,c,d,e,f")[5].name == "f"
    with pytest.raises(OptionError, match="1 names for 6 systems"):
        read_scores([comparison], ["a"])
    comparison.write_text('{"schema": "corefscope-comparison-1", "systems": [1]}', encoding="utf-8")
    with pytest.raises(InputError, match="no reports of systems"):
        correlate([comparison])


def test_mixed_options_are_refused_unless_wanted(results: Results, tmp_path: Path) -> None:
    def exact(content: dict[str, Any]) -> None:
        content["signature"] = content["signature"].replace("match:head", "match:exact")

    paths = _changed(results, tmp_path, exact)
    with pytest.raises(InputError, match="match:exact instead of head") as caught:
        correlate(paths)
    assert "--mixed" in caught.value.hint
    found = correlate(paths, mixed=True)
    assert "match:exact instead of head" in found.warnings[0]
    assert len(found.signatures) == 2


def test_another_version_or_key_is_worth_a_warning(results: Results, tmp_path: Path) -> None:
    def older(content: dict[str, Any]) -> None:
        content["signature"] = content["signature"].rpartition("|")[0] + "|v0.0.1"

    assert "other options than drop-030: version" in correlate(_changed(results, tmp_path, older)).warnings[0]
    for path, key in zip(results[:3], ("a" * 64, "b" * 64, "a" * 64), strict=True):
        content = json.loads(path.read_text(encoding="utf-8"))
        content["inputs"] = {"key": {"sha256": key}}
        (tmp_path / path.name).write_text(json.dumps(content), encoding="utf-8")
    found = correlate([tmp_path / path.name for path in results[:3]])
    assert "another key" in found.warnings[0]
    assert len(found.warnings) == 1


def test_metrics_that_a_result_lacks_are_left_out(results: Results, tmp_path: Path) -> None:
    found = correlate(_changed(results, tmp_path, lambda content: content["metrics"].pop("lea")))
    assert "lea" not in found.metrics
    assert "has no lea: left out" in found.warnings[0]
    with pytest.raises(InputError, match="1 of these metrics in common"):
        correlate(results, metrics="muc,kappa")
    assert correlate(results, metrics="muc,lea").metrics == ("muc", "lea")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("[1, 2]", "is no result"),
        ('{"schema": "corefscope-stats-1"}', "is no result"),
        ('{"schema": "corefscope-report-1"}', "no numbers"),
        ('{"schema": "corefscope-report-1", "signature": "x", "metrics": {"muc": {"f1": "high"}}}', "no numbers"),
        ('{"schema": "corefscope-report-1", "signature": "x", "metrics": {"muc": {"f1": NaN}}}', "no numbers"),
        ('{"schema": "corefscope-report-1", "signature": "x", "metrics": {"muc": 1}}', "no numbers"),
        ('{"schema": "corefscope-report-1", "signature": "x", "metrics": [], "inputs": 1}', "no numbers"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_what_is_no_result_is_refused(content: str, message: str, results: Results, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        correlate([*results[:2], bad])


def test_the_command(results: Results, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = list(map(str, results))
    assert run(*paths, "--metrics", "conll", "--names", "a,b,c,d,e,f") == 0
    assert "6 systems: a, b, c, d, e, f" in capsys.readouterr().out
    assert run(*paths[:2]) == 2
    assert run(*paths, "-o", str(tmp_path / "x.gif")) == 2
    assert run(*paths[:2], str(tmp_path / "none.json")) == 1
    err = capsys.readouterr().err
    assert "need 3 systems or more, not 2" in err
    assert err.count("error:") == 3
    assert run(*paths, "-o", str(tmp_path / "table.txt")) == 0
    assert (tmp_path / "table.txt").read_text(encoding="utf-8").startswith("Correlations")
