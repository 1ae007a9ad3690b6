"""Metrics that have nothing to count on either side: a dash in tables, no best mark, no share in means."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.analysis.explain import explain_metric
from corefscope.cli import main
from corefscope.comparison.verify import verify
from corefscope.compat.commands import corefud
from corefscope.core.metrics import METRICS
from corefscope.core.report import Report
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema

ZEROLESS = """\
# global.Entity = eid-etype-head
# newdoc id = d
# sent_id = s
1\tAnn\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1-x-1)
2\tsaw\t_\t_\t_\t_\t0\troot\t_\t_
3\therself\t_\t_\t_\t_\t2\tobj\t_\tEntity=(e1-x-1)

"""
WITH_ZERO = ZEROLESS.replace("3\therself", "2.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-x-1)\n3\therself")

FIGURE_TITLES = ("Recall  ", "Precision  ", "F1  ")

SINGLE = ZEROLESS.replace("(e1-x-1)", "(e2-x-1)", 1)


def _files(folder: Path, **texts: str) -> list[str]:
    for name, text in texts.items():
        (folder / f"{name}.conllu").write_text(text)
    return [str(folder / f"{name}.conllu") for name in texts]


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return corefscope.score(*_files(tmp_path, key=ZEROLESS, response=ZEROLESS))


def _render(result: Any, name: str) -> str:
    return REPORTS[name].render(result, False, False)


def test_nothing_is_known_from_the_counts(report: Report) -> None:
    assert [name for name in report if report.nothing(name)] == ["zero"]
    assert report.figure("zero") is None
    assert report["zero"].f1 == 0
    assert report.figure("conll") == 1
    empty = corefscope.score_clusters(
        [], [], metrics=[name for name in METRICS if not METRICS[name].scope.needs_words]
    )
    assert all(empty.nothing(name) for name in empty if name not in ("d_err", "muc_pb", "core"))
    one_sided = corefscope.score_clusters([["a", "b"]], [], metrics="conll")
    assert not any(one_sided.nothing(name) for name in one_sided)
    singletons = corefscope.score_clusters([["a"]], [["a"]], metrics="conll")
    assert [singletons.nothing(name) for name in ("muc", "bcub", "conll")] == [True, False, False]


@pytest.mark.parametrize("name", ["text", "html"])
def test_tables_have_a_dash_where_nothing_is_to_count(name: str, report: Report) -> None:
    (row,) = [line for line in _render(report, name).split("\n") if "Zeros" in line]
    assert row.replace("&#8211;", "–").count("–") == 3
    assert "0.00" not in row


@pytest.mark.parametrize("name", ["markdown", "latex", "typst"])
def test_tables_for_papers_leave_out_what_has_nothing_to_count(name: str, report: Report) -> None:
    assert "Zeros" not in _render(report, name)
    assert "CoNLL" in _render(report, name)


def test_the_corrected_rules_say_1_and_tables_a_dash(tmp_path: Path) -> None:
    pair = _files(tmp_path, key=ZEROLESS, response=ZEROLESS)
    report = corefscope.score(*pair, rules="corrected")
    assert report["zero"].f1 == 1
    assert "100" not in next(line for line in _render(report, "text").split("\n") if "Zeros" in line)


def test_records_are_empty_and_json_keeps_the_number(report: Report) -> None:
    (row,) = [line for line in _render(report, "csv").split("\n") if line.startswith("zero,")]
    assert row.startswith("zero,,,,,corefud|")
    plain = json.loads(_render(report, "json"))
    assert plain["metrics"]["zero"]["f1"] == 0
    assert plain["metrics"]["zero"]["nothing"] is True
    assert "nothing" not in plain["metrics"]["muc"]


def test_each_document_has_its_own_dashes(tmp_path: Path) -> None:
    second = WITH_ZERO.replace("= d", "= e").replace("e1-", "e2-")
    path = _files(tmp_path, key=ZEROLESS + second)[0]
    report = corefscope.score(path, path)
    assert [scores.figure("zero") for scores in report.documents.values()] == [None, 1]
    assert report.figure("zero") == 1


def test_nobody_is_best_at_nothing(tmp_path: Path) -> None:
    key, one, other = _files(tmp_path, key=ZEROLESS, one=ZEROLESS, other=ZEROLESS)
    compared = corefscope.compare(key, [one, other], resample="nothing")
    assert compared.best("zero") == set()
    assert compared.best("conll") == {"one", "other"}
    full = REPORTS["markdown"].render(compared, table="full")
    row = next(line for line in full.split("\n") if "one" in line)
    assert row.count("**") == 2 * 9
    assert "| – |" in row
    key, right, wrong = _files(tmp_path, key=ZEROLESS, right=ZEROLESS, wrong=WITH_ZERO)
    compared = corefscope.compare(key, [right, wrong], resample="nothing")
    assert compared.best("zero") == set()  # who has a score here has errors only


def _two_documents(text: str) -> str:
    return text + text.replace("= d", "= e").replace("e1-", "e2-")


def test_differences_of_nothing_are_dashes(tmp_path: Path) -> None:
    key, one, other = _files(tmp_path, **dict.fromkeys(("key", "one", "other"), _two_documents(ZEROLESS)))
    compared = corefscope.compare(key, [one, other], resamples=100)
    lines = REPORTS["markdown"].render(compared, table="full").split("\n")
    (difference,) = [line for line in lines if line.startswith("| other") and "p=" in line]
    assert difference.count("| – ") == 1


def _task(folder: Path, **texts: dict[str, str]) -> Any:
    for dataset, files in texts.items():
        (folder / dataset).mkdir()
        _files(folder / dataset, **files)
    return corefscope.score_task(folder, metrics="corefud")


@pytest.mark.parametrize("systems", [("a",), ("a", "b")])
def test_a_key_that_nobody_was_scored_on_says_that_it_has_nothing(tmp_path: Path, systems: tuple[str, ...]) -> None:
    faulty = {"key": ZEROLESS, **dict.fromkeys(systems, "no file of any format\n")}
    zeros = {"key": WITH_ZERO, **dict.fromkeys(systems, WITH_ZERO)}
    result = _task(tmp_path, de=faulty, es=zeros)
    assert result.counting("zero") == ("es",)
    assert result.average("a", "zero") == 1
    assert result.average("a", "muc") == 0.5


def test_data_sets_in_which_nobody_has_anything_are_left_out_of_averages(tmp_path: Path) -> None:
    zeros = {"key": WITH_ZERO, "a": WITH_ZERO, "b": WITH_ZERO}
    result = _task(tmp_path, de={"key": ZEROLESS, "a": ZEROLESS, "b": ZEROLESS}, es=zeros)
    assert result.average("a", "zero") == 1  # of es alone
    assert result.counting("zero") == ("es",)
    assert result.counting("muc") == ("de", "es")
    assert any("nothing to count in the key of de; left out of the mean" in note for note in result.notes)
    records = {(record["dataset"], record["metric"]): record["f1"] for record in result.to_records()}
    assert records["de", "zero"] is None
    assert records["", "zero"] == 1


def test_a_data_set_in_which_somebody_has_something_counts_for_all(tmp_path: Path) -> None:
    zeros = {"key": WITH_ZERO, "a": WITH_ZERO, "b": WITH_ZERO}
    result = _task(tmp_path, de={"key": ZEROLESS, "a": ZEROLESS, "b": WITH_ZERO}, es=zeros)
    assert [result.average(system, "zero") for system in ("a", "b")] == [0.5, 0.5]
    assert any("nothing to count in the key of de; its score is in the mean" in note for note in result.notes)


def test_a_task_without_any_has_dashes_and_says_so_in_json(tmp_path: Path) -> None:
    import jsonschema

    result = _task(tmp_path, de={"key": ZEROLESS, "a": ZEROLESS, "b": ZEROLESS})
    assert result.nothing("zero")
    table = _render(result, "text")
    block = next(block for block in table.split("\n\n") if "Zeros" in block)
    assert "–" in next(line for line in block.split("\n") if line.startswith("a "))
    plain = result.to_dict()
    assert plain["systems"]["a"]["macro"]["zero"] == {"recall": 0, "precision": 0, "f1": 0, "nothing": True}
    jsonschema.Draft202012Validator(schema(plain["schema"])).validate(json.loads(json.dumps(plain)))


def test_means_over_annotators_leave_out_pairs_that_have_nothing(tmp_path: Path) -> None:
    paths = _files(tmp_path, a=ZEROLESS, b=SINGLE, c=SINGLE)
    agreement = corefscope.agree(paths, metrics="muc,bcub")
    assert agreement["b", "c"].nothing("muc")
    assert agreement.mean("muc") == 0  # of a and b, a and c; not 1/3
    assert agreement.matrix("muc")[1][2] is None
    assert agreement.documents["d"]["muc"] == 0
    assert _render(agreement, "text").count("–") == 2
    assert agreement.to_dict(False)["pairs"][2]["nothing"] == ["muc"]
    alike = corefscope.agree(paths[1:], metrics="muc")
    assert alike.mean("muc") == 1
    assert alike.documents["d"]["muc"] is None


SCHEMAS: dict[str, Callable[[list[str]], Any]] = {
    "agreement": lambda paths: corefscope.agree(paths[1:] * 2, names="a,b"),
    "curves": lambda paths: corefscope.curves(paths[0], kinds="drop"),
    "comparison": lambda paths: corefscope.compare(paths[0], paths),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_json_with_nothing_keeps_to_its_schema(name: str, tmp_path: Path) -> None:
    import jsonschema
    from referencing import Registry, Resource

    plain = json.loads(json.dumps(SCHEMAS[name](_files(tmp_path, a=ZEROLESS, b=SINGLE)).to_dict()))
    assert "nothing" in json.dumps(plain)
    registry: Any = Registry().with_resource("corefscope-report-1", Resource.from_contents(schema()))
    jsonschema.Draft202012Validator(schema(plain["schema"]), registry=registry).validate(plain)


def test_curves_have_dashes_and_empty_records(tmp_path: Path) -> None:
    curves = corefscope.curves(*_files(tmp_path, key=ZEROLESS), kinds="drop", levels=[50, 100])
    (row,) = [line for line in _render(curves, "text").split("\n") if line.startswith("Zeros")]
    assert row.count("–") == 2
    assert [record["zero"] for record in curves.to_records()] == [None, None]


def test_the_drop_in_keeps_the_official_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert corefud.main([*_files(tmp_path, key=ZEROLESS, response=ZEROLESS)]) == 0
    assert "zero\nRecall: 0.00  Precision: 0.00  F1: 0.00" in capsys.readouterr().out


def test_a_result_that_was_saved_before_these_fields_existed_can_be_verified(tmp_path: Path) -> None:
    pair = _files(tmp_path, key=ZEROLESS, response=ZEROLESS)
    saved = tmp_path / "result.json"
    assert main(["score", *pair, "-o", str(saved)]) == 0
    plain = json.loads(saved.read_text())
    del plain["options"]["heads"], plain["metrics"]["zero"]["nothing"]
    plain["signature"] = plain["signature"].rpartition("|v")[0] + "|v0.3.0"
    saved.write_text(json.dumps(plain))
    assert verify(saved).same


@pytest.mark.parametrize(
    ("clusters", "metric", "rules", "shown"),
    [
        ([["a"]], "blanc", "corrected", True),
        ([["a"]], "blanc", "corefud-1.2", False),
        ([["a"], ["b"]], "muc_pb", "corefud-1.2", True),
        ([["a"], ["b"]], "core", "corrected", True),
        ([["a"], ["b"]], "muc", "corrected", False),
    ],
)
def test_what_its_author_says_of_0_by_0_is_a_score(
    clusters: list[list[str]],
    metric: str,
    rules: str,
    shown: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Luo et al. (2014), boundary case 1; Popescu-Belis (2000), definitions 5 and 13. All outputs agree."""
    path = tmp_path / "clusters.json"
    path.write_text(json.dumps(clusters))
    pair = [str(path), str(path)]
    expected = ["100.00"] * 3 if shown else ["–"] * 3
    assert main(["score", *pair, "--metrics", metric, "--rules", rules, "--quiet"]) == 0
    row = next(line for line in capsys.readouterr().out.split("\n") if line.startswith(METRICS[metric].title))
    assert row.split()[-3:] == expected
    assert main(["score", *pair, "--metrics", metric, "--rules", rules, "--format", "json"]) == 0
    scored = json.loads(capsys.readouterr().out)["metrics"][metric]
    assert ("nothing" not in scored, scored["f1"] == 1) == (shown, shown or rules == "corrected")
    explanation = explain_metric(path, path, metric, rules=rules)  # type: ignore[arg-type]
    assert ("nothing" not in explanation.to_dict()) == shown
    percents = [
        line.split()[-1] for line in _render(explanation, "text").split("\n") if line.startswith(FIGURE_TITLES)
    ]
    assert percents == expected


def test_the_note_on_rules_says_what_tables_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """BLANC has a score without links under the corrected rules only; MUC has none under either."""
    path = tmp_path / "one.json"
    path.write_text('[["a"]]')
    assert main(["score", str(path), str(path), "--metrics", "muc,blanc"]) == 0
    note = capsys.readouterr().err
    assert "BLANC is – under rules corefud-1.2 but 100.00 under corrected (" in note
    assert "MUC" not in note
