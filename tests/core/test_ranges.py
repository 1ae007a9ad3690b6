"""Scores that are not known, but lie between two bounds: in Python, text, JSON, records, and whatever reads those."""

from __future__ import annotations

import csv
import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import corefscope
from corefscope.analysis.correlation import read_scores
from corefscope.cli import main
from corefscope.comparison.verify import verify
from corefscope.core.report import Report, Rows, Tally
from corefscope.formats.settings import SettingsReport
from corefscope.output.formats import REPORTS

SCHEMAS = Path(corefscope.__file__).parent / "output" / "schemas"
LIMIT = 1000
OPEN = ("ceafe", "conll")
"""The bounds of CEAFm meet in these labels."""


@pytest.fixture(scope="module")
def labels() -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    return rng.integers(0, 1200, 6000), rng.integers(0, 1200, 6000)


@pytest.fixture(scope="module")
def report(labels: tuple[Any, Any]) -> Report:
    return corefscope.score_labels(*labels, kernel_limit=LIMIT)


@pytest.fixture(scope="module")
def exact(labels: tuple[Any, Any]) -> Report:
    return corefscope.score_labels(*labels)


def test_the_score_lies_between_the_two_that_are_certain(report: Report, exact: Report) -> None:
    for name in exact:
        low, score, high = report[name], exact[name], report.at_most[name]
        assert all(a <= b <= c for a, b, c in zip(low, score, high, strict=True)), name
        assert report.is_open(name) == (name in OPEN)
        assert (low == score == high) == (name not in OPEN)
    assert 0 < report.at_most["conll"].f1 - report["conll"].f1 < 0.01


def test_what_is_made_of_it_is_a_range_too(labels: tuple[Any, Any]) -> None:
    names = ["mean(muc,ceafe)", "ceaf_sys_phi4", "mean(muc,lea)"]
    report = corefscope.score_labels(*labels, metrics=names, kernel_limit=LIMIT)
    assert [name for name in names if report.is_open(name)] == names[:-1]


def test_a_warning_says_why_and_what_to_do(report: Report, exact: Report) -> None:
    (warning,) = report.warnings
    assert warning.startswith("ceafe, conll: too many entities overlap")
    assert "--metrics muc,bcub,lea" in warning
    assert not exact.warnings


def test_below_the_limit_nothing_is_open(exact: Report) -> None:
    assert exact.high_rows is None
    assert exact.at_most is exact
    assert not any(map(exact.is_open, exact))


def test_metrics_that_map_no_entities_avoid_it(labels: tuple[Any, Any]) -> None:
    report = corefscope.score_labels(*labels, metrics="muc,bcub,lea", kernel_limit=LIMIT)
    assert report.high_rows is None
    assert not report.warnings


def test_text_shows_a_range(report: Report) -> None:
    text = REPORTS["text"].render(report)
    low, high = (f"{100 * score['ceafe'].f1:.2f}" for score in (report, report.at_most))
    assert low != high
    assert f"{low}–{high}" in text
    assert f"{100 * report['muc'].f1:.2f}–" not in text
    assert f"{low}–{high}" in REPORTS["markdown"].render(report)
    assert f"ceafe={report['ceafe'].f1:.4f}–{report.at_most['ceafe'].f1:.4f}" in repr(report)


def test_text_shows_a_range_by_document(report: Report) -> None:
    assert REPORTS["text"].render(report, per_document=True).count("–") == 2 + 4


def test_json_has_both_and_fits_the_schema(report: Report, exact: Report) -> None:
    schema = json.loads((SCHEMAS / "corefscope-report-1.json").read_text("utf-8"))
    values = json.loads(REPORTS["json"].render(report, per_document=True))
    Draft202012Validator(schema).validate(values)
    for metrics in (values["metrics"], values["documents"][0]["metrics"]):
        assert metrics["ceafe"]["f1"] == report["ceafe"].f1
        assert metrics["ceafe"]["at_most"] == report.at_most["ceafe"]._asdict()
        assert metrics["conll"]["at_most"] == {"f1": report.at_most["conll"].f1}
        assert "at_most" not in metrics["muc"]
    assert "at_most" not in json.dumps(exact.to_dict())


def test_records_have_both(report: Report, exact: Report) -> None:
    by_metric = {record["metric"]: record for record in csv.DictReader(io.StringIO(REPORTS["csv"].render(report)))}
    assert float(by_metric["ceafe"]["recall_at_most"]) == report.at_most["ceafe"].recall
    assert by_metric["muc"]["f1_at_most"] == by_metric["muc"]["f1"]
    assert by_metric["conll"]["recall_at_most"] == ""
    assert not any("at_most" in field for field in exact.to_records()[0])


def test_settings_show_ranges(report: Report, exact: Report) -> None:
    text = REPORTS["text"].render(SettingsReport({"quick": report, "all": exact}))
    ours, theirs = (line for line in text.splitlines() if line.startswith(("quick", "all")))
    assert ours.count("–") == len(OPEN)
    assert theirs.count("–") == 0


def test_baselines_move_both(report: Report) -> None:
    """(s − b)/(1 − b) of both ends."""
    (row,), (high_row,) = ([rows["#1"][2]] for rows in (report.rows, report.high_rows or {}))
    baseline = (row[0] / 2, row[1], row[2] / 2, row[3])
    rows: Rows = {"#1": (row,)}
    moved = Report(
        *(report.options, ["ceafe"], rows),
        baseline_rows=[{"#1": (baseline,)}],
        high_rows={"#1": (high_row,)},
    )
    for scores, above in ((report, moved), (report.at_most, moved.at_most)):
        base = baseline[0] / baseline[1]
        assert above["ceafe"].recall == pytest.approx((scores["ceafe"].recall - base) / (1 - base))
    assert moved.documents["#1"].at_most["ceafe"] == moved.at_most["ceafe"]


@pytest.fixture
def saved(labels: tuple[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A JSON result of files with so many ids that they become arrays, scored on the command line."""
    monkeypatch.setattr("corefscope.scale.arrays.KERNEL_LIMIT", LIMIT)
    monkeypatch.setattr("corefscope.formats.tables.rows.LARGE", 100)
    for side, ids in zip(("key", "response"), labels, strict=True):
        rows = "".join(f"{mention},{entity}\n" for mention, entity in enumerate(ids.tolist()))
        (tmp_path / f"{side}.csv").write_text("mention,entity\n" + rows, "utf-8")
    path = tmp_path / "result.json"
    arguments = [str(tmp_path / "key.csv"), str(tmp_path / "response.csv"), "--metrics", "conll", "-o", str(path)]
    assert main(["score", *arguments]) == 0
    return path


def test_files_have_ranges_and_are_verified(saved: Path, exact: Report) -> None:
    values = json.loads(saved.read_text("utf-8"))
    ceafe = values["metrics"]["ceafe"]
    assert ceafe["f1"] < exact["ceafe"].f1 < ceafe["at_most"]["f1"]
    assert "too many entities overlap" in values["warnings"][0]
    assert not verify(saved).differences
    values["metrics"]["ceafe"]["at_most"]["f1"] += 0.01
    saved.write_text(json.dumps(values), "utf-8")
    assert any("at_most" in difference for difference in verify(saved).differences)


def test_saved_scores_are_the_lower_ones(saved: Path) -> None:
    (system,) = read_scores([saved])
    assert system.figure("ceafe", "f1") == json.loads(saved.read_text("utf-8"))["metrics"]["ceafe"]["f1"]


def test_compare_takes_the_lower_ones_and_says_so(saved: Path) -> None:
    files = [saved.parent / f"{side}.csv" for side in ("key", "response")]
    comparison = corefscope.compare(files[0], [files[1], files[0]], metrics="ceafe", resamples=100)
    assert comparison.to_dict()["systems"]["response"]["metrics"]["ceafe"]["at_most"]["f1"] < 0.23
    assert any("too many entities overlap" in warning for warning in comparison.warnings)


def test_a_tally_with_ranges_can_be_pickled(report: Report) -> None:
    tally = Tally(report.options, tuple(report))
    tally.add("a", report.rows["#1"], (report.high_rows or {})["#1"])
    tally.add("b", report.rows["#1"])
    again = pickle.loads(pickle.dumps(tally)).report()
    assert again.documents["a"].is_open("ceafe")
    assert not again.documents["b"].is_open("ceafe")
    assert report["ceafe"].f1 < again.at_most["ceafe"].f1 < report.at_most["ceafe"].f1
