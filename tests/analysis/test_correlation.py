"""Coefficients against SciPy, and results that go together or do not."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import corefscope
from corefscope.analysis.correlation import (
    COEFFICIENTS,
    Correlation,
    SavedScores,
    coefficient_of,
    correlate,
    read_scores,
)
from corefscope.analysis.noise.files import perturb_file
from corefscope.cli.compare import CORRELATE
from corefscope.cli.parser import Parser
from corefscope.cli.terminal import guarded
from corefscope.comparison.paired_tests import doubled_ranks
from corefscope.core.errors import InputError, OptionError
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from examples import examples
from places import EXAMPLE_KEY
from rendering import as_text

Results = list[Path]


def run(*arguments: str) -> int:
    parser = Parser()
    CORRELATE.add_arguments(parser)
    options = parser.parse_args(arguments)
    return guarded(lambda: CORRELATE.run(options))


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


@examples(100)
@given(columns)
def test_coefficients_are_those_of_scipy(pairs: list[tuple[float, float]]) -> None:
    """With ties and without."""
    from scipy import stats

    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    assume(len(set(xs)) > 1 and len(set(ys)) > 1)
    for name, scipy_function in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        expected = scipy_function(xs, ys)
        found = coefficient_of(name, xs, ys)
        assert found is not None
        assert found == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12, nan_ok=True), name
        assert -1 <= found.value <= 1
    assert doubled_ranks(xs) == [2 * rank for rank in stats.rankdata(xs)]


def test_coefficients_are_those_of_their_definitions() -> None:
    """By hand: r = Σ(x−x̄)(y−ȳ)/√…, ρ on ranks, τ_b = (C − D)/√((P − Tx)(P − Ty))."""
    xs, ys = [1.0, 2.0, 4.0, 4.0], [2.0, 1.0, 3.0, 5.0]
    by_hand = {
        "pearson": 5.75 / math.sqrt(6.75 * 8.75),  # x̄ = 2.75, ȳ = 2.75
        "spearman": 3.5 / math.sqrt(4.5 * 5),  # ranks 1, 2, 3.5, 3.5 and 2, 1, 3, 4
        "kendall": (4 - 1) / math.sqrt(5 * 6),
    }
    for name, expected in by_hand.items():
        found = coefficient_of(name, xs, ys)
        assert found is not None
        assert found.value == pytest.approx(expected), name


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_constant_columns_are_undefined(name: str) -> None:
    assert coefficient_of(name, [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    assert coefficient_of(name, [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]) is None
    falling = coefficient_of(name, [1.0, 2.0, 3.0], [3.0, 2.0, 1.0])
    assert falling is not None
    assert falling.value == pytest.approx(-1)


def test_scores_are_taken_from_results(example: Correlation, results: Results) -> None:
    assert example.systems == tuple(path.stem for path in results)
    first = json.loads(results[0].read_text(encoding="utf-8"))["metrics"]
    for metric in example.metrics:
        assert example.scores[metric][0] == first[metric]["f1"]
        assert example.value("pearson", metric, metric) in (pytest.approx(1), None)
    both = example.scores["muc"], example.scores["lea"]
    assert example.correlated("kendall", "muc", "lea") == coefficient_of("kendall", *both)
    assert example.matrix("spearman")[0][1] == example.value("spearman", "bcub", "muc")
    with pytest.raises(OptionError, match="did you mean 'kendall'"):
        example.value("kendal", "muc", "lea")


def test_noise_of_floating_point_makes_no_ranks() -> None:
    def system(name: str, one: float, other: float) -> Any:
        return SavedScores(name, "x", {"muc": {"f1": one}, "lea": {"f1": other}})

    noisy = Correlation([system("a", 0.1 + 0.2, 1), system("b", 0.3, 2), system("c", 0.3, 3)], ("muc", "lea"))
    assert noisy.value("kendall", "muc", "lea") is None


def test_text_shows_a_triangle_for_each_coefficient(example: Correlation) -> None:
    shown = as_text(example, 100)
    for name, row in COEFFICIENTS.items():
        assert shown.count(row.title) == 1
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
    pair = {"metric": "muc", "other": "mor", "figure": "f1", "systems": 6}
    assert content["correlations"][0] == pair | {name + end: None for name in COEFFICIENTS for end in ("", "_p")}
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
    with pytest.raises(InputError, match="have muc in common, of muc, kappa, but two metrics are needed"):
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


PUBLISHED = """task,system,metric,recall,precision,f1
t1,a,blanc,50.0,49.0,48.84
t1,a,muc,60.0,51.0,55.0
t1,b,blanc,40.68,49.05,44.47
t1,b,muc,48.0,50.0,49.0
t2,a,blanc,47.83,44.22,45.95
t2,a,muc,57.0,45.0,50.0
t2,c,blanc,30.0,60.0,40.0
t2,c,muc,31.0,44.0,41.0
"""


def test_published_scores_give_one_metric_against_the_rest_with_p_values(tmp_path: Path) -> None:
    """The table of Luo et al. (2014), Table 3: a row for each other metric; recall, precision and F1."""
    from scipy import stats

    path = tmp_path / "published.csv"
    path.write_text(PUBLISHED, encoding="utf-8")
    found = correlate([path], against="blanc")
    assert found.systems == ("t1:a", "t1:b", "t2:a", "t2:c")
    assert found.figures == ("recall", "precision", "f1")
    rows = {record["figure"]: record for record in found.to_records()}
    columns = {
        "recall": ([50, 40.68, 47.83, 30], [60, 48, 57, 31]),
        "f1": ([48.84, 44.47, 45.95, 40], [55, 49, 50, 41]),
    }
    for figure, (blanc, muc) in columns.items():
        expected = stats.pearsonr(blanc, muc)
        assert rows[figure]["pearson"] == pytest.approx(expected.statistic, abs=1e-12)
        assert rows[figure]["pearson_p"] == pytest.approx(expected.pvalue, abs=1e-12)
        assert (rows[figure]["metric"], rows[figure]["other"], rows[figure]["systems"]) == ("blanc", "muc", 4)
    shown = as_text(found, 100)
    assert "Pearson's r with BLANC" in shown
    assert f"{rows['recall']['pearson']:.3f}" in shown
    assert f"{rows['recall']['pearson_p']:.3f}".removeprefix("0") in shown
    jsonschema.Draft202012Validator(schema("corefscope-correlation-1")).validate(found.to_dict())
    assert run(str(path), "--against", "blanc", "-o", str(tmp_path / "table.csv")) == 0
    assert len(list(csv.DictReader((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()))) == 3


def test_published_files_tell_of_the_same_systems_together(tmp_path: Path) -> None:
    header, *rows = PUBLISHED.splitlines()
    for metric in ("blanc", "muc"):
        lines = [header, *(row for row in rows if f",{metric}," in row)]
        (tmp_path / f"{metric}.csv").write_text("\n".join(lines), encoding="utf-8")
    paths = [tmp_path / "blanc.csv", tmp_path / "muc.csv"]
    assert correlate(paths).metrics == ("muc", "blanc")
    assert correlate(paths).scores["blanc"][0] == pytest.approx(0.4884)
    with pytest.raises(InputError, match="have blanc in common, but two metrics are needed"):
        correlate(paths[:1])
    with pytest.raises(InputError, match="a second row of 't1:a' and 'blanc'"):
        correlate([paths[0], paths[0]])


def test_the_published_figures_of_luo_2014_are_read_in(tmp_path: Path) -> None:
    """Tables 1 and 2: 53 systems in four tasks. Table 3 needs the scores of other metrics in another file."""
    path = EXAMPLE_KEY.parent / "luo" / "published.csv"
    systems = read_scores([path])
    assert len(systems) == 53
    assert systems[0].name == "conll-2011:lee"
    assert systems[0].figure("blanc", "recall") == pytest.approx(0.5023)
    with pytest.raises(InputError, match="the results have blanc in common, but two metrics are needed"):
        correlate([path], against="blanc")
    other = tmp_path / "other.csv"
    other.write_text(path.read_text(encoding="utf-8").replace(",blanc,", ",muc,"), encoding="utf-8")
    found = correlate([path, other], against="blanc")
    assert {(record["other"], record["systems"]) for record in found.to_records()} == {("muc", 53)}
    assert [record["pearson"] for record in found.to_records()] == [pytest.approx(1)] * 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name,metric,f1\na,muc,1\n", "no column system"),
        ("system,metric\na,muc\n", "none of recall"),
        ("system,metric,f1\na,muc,high\n", "no number"),
        ("system,metric,f1\na,muc,nan\n", "no number"),
        ("system,metric,f1\na,muc,\n", "no number"),
        ("", "no column system"),
    ],
)
def test_a_csv_of_something_else_is_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        correlate([path])


def test_recall_and_precision_are_correlated_on_request(results: Results) -> None:
    found = correlate(results, metrics="muc,lea,conll", figures="recall,precision")
    assert found.figures == ("recall", "precision")
    first = json.loads(results[0].read_text(encoding="utf-8"))["metrics"]
    assert found.scores_of("recall")["lea"][0] == first["lea"]["recall"]
    assert "conll" not in found.scores_of("recall")
    with pytest.raises(OptionError, match="did you mean 'recall'"):
        correlate(results, figures="recal")
    with pytest.raises(OptionError, match="not among the metrics"):
        correlate(results, metrics="muc,lea", against="blanc")
