"""Results of tasks as records, JSON and tables, and the command."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import jsonschema
import pytest

from corefscope.cli import main
from corefscope.comparison.tasks import score_task
from corefscope.comparison.verify import task_again
from corefscope.core.choices import Missing
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from tasks_on_disk import BAD, KEY, Documents, text, write


def command_line(*arguments: str) -> int:
    return main(["task", *arguments])


@pytest.mark.parametrize("per_document", [False, True])
@pytest.mark.parametrize("name", REPORTS)
def test_every_format_has_figures_and_signature(folder: Path, name: str, per_document: bool) -> None:
    result = score_task(folder)
    shown = REPORTS[name].render(result, per_document, False).replace("\n|", "|")
    assert (json.dumps(result.signature) if name == "json" else result.signature) in shown
    average = result.average("a", "conll")
    assert average is not None
    figure = str(result["a"]["one"]["conll"].f1) if name in ("json", "csv", "tsv") else f"{100 * average:.2f}"
    assert figure in shown or per_document
    assert ("d1" in shown) == per_document
    if name in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(shown), delimiter="," if name == "csv" else "\t"))
        assert rows[0]["system"] == "a"
        assert {row["dataset"] for row in rows} == {"one", "two", ""}
        totals = [row for row in rows if not row.pop("document", "")]
        assert [float(row["f1"]) if row["f1"] else None for row in totals] == [
            record["f1"] for record in result.to_records()
        ]
    if name == "latex":
        tables = re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", shown, re.DOTALL)
        assert tables
        for columns, body in tables:
            assert {row.count("&") for row in body.splitlines() if row.endswith(r"\\")} == {len(columns) - 1}
    if name == "markdown":
        assert "| a | 1 | **" in shown


def test_records(folder: Path) -> None:
    result = score_task(folder, metrics="muc")
    records = {(row["system"], row["average"], row["dataset"]): row for row in result.to_records()}
    assert len(records) == 6
    assert records["b", "micro", "two"]["submission"] == "missing"
    assert records["b", "micro", "two"]["f1"] == 0
    assert records["b", "macro", ""]["f1"] == pytest.approx(0.5)
    skipped = score_task(folder, metrics="muc", missing="skip").to_records()
    assert [row["f1"] for row in skipped if row["system"] == "b"] == [1, None, 1]
    none = score_task(folder, metrics="muc", missing="error").to_records()
    assert [row["f1"] for row in none if row["system"] == "b"] == [1, None, None]


@pytest.mark.parametrize("significance", [True, False])
def test_a_saved_result_can_be_computed_again(folder: Path, significance: bool) -> None:
    write(folder, {"three/key.conllu": "x\n", "three/a.conllu": KEY, "one/c.conllu": "x\n"})
    result = score_task(
        folder,
        metrics="lea",
        match="exact",
        significance=significance,
        resamples=150 if significance else None,
        digests=True,
    )
    saved = json.loads(REPORTS["json"].render(result, True, False))
    told: list[tuple[str, str]] = []

    def find(side: str, path: str) -> str:
        told.append((side, path))
        return path

    again = task_again(saved, find)
    assert again.to_dict() == saved
    assert again.scheme.plan.resamples == (150 if significance else 10_000)
    assert ("key", str(folder / "two" / "gold.conllu")) in told
    assert ("response", str(folder / "one" / "b.conllu")) in told


@pytest.mark.parametrize("missing", ["zero", "skip", "error"])
@pytest.mark.parametrize("significance", [True, False])
def test_json_is_as_its_schema_says(folder: Path, missing: Missing, significance: bool) -> None:
    write(folder, {"three/key.conllu": "x\n", "three/a.conllu": KEY, "one/c.conllu": "x\n"})
    result = score_task(folder, metrics="all", missing=missing, significance=significance)
    for per_document in (False, True):
        content = json.loads(REPORTS["json"].render(result, per_document, False))
        jsonschema.validate(content, schema("corefscope-task-1"))
        reports = [
            submission["report"]
            for system in content["systems"].values()
            for submission in system["submissions"].values()
            if submission["report"]
        ]
        assert len(reports) == 3
        for report in reports:
            jsonschema.validate(report, schema())
            assert ("documents" in report) == per_document


def test_the_best_are_bold(folder: Path) -> None:
    shown = REPORTS["markdown"].render(score_task(folder, metrics="conll"), False, False)
    rows = {line.split(" | ")[0]: line for line in reversed(shown.splitlines())}
    assert re.fullmatch(r"\| a \| 1 \| \*\*[\d.]+\*\* \| [\d.]+ \| \*\*100.00\*\* \|", rows["| a"])
    assert re.fullmatch(r"\| b \| [12] \| [\d.]+ \| \*\*100.00\*\* \| missing \|", rows["| b"])


def test_data_sets_may_be_called_like_other_columns(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {f"{name}/key.conllu": KEY for name in ("Rank", "Macro")}
    files.update({"Rank/a.conllu": BAD, "Macro/a.conllu": KEY})
    result = score_task(write(tmp_path, files), metrics="muc")
    shown = REPORTS["markdown"].render(result, table="full")
    assert "| MUC | Rank | Macro | Macro | Rank |" in shown
    assert "| a | 1 | **50.00** | **100.00** | **0.00** |" in shown
    assert "| a | 1 | 50.00 | 100.00 | 0.00 |" in REPORTS["markdown"].render(result)  # one system is not the best


def test_metrics_of_which_a_key_has_nothing_are_noted(tmp_path: Path) -> None:
    write(tmp_path, {"one/key.conllu": KEY, "one/a.conllu": KEY, "two/key.conllu": [[]], "two/a.conllu": [[]]})
    notes = score_task(tmp_path, metrics="muc,zero").notes
    assert "MUC: nothing to count in the key of two; left out of the mean" in notes
    assert "Zeros: no key has anything to count" in notes


def test_names_are_made_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"one/key.conllu": KEY, "one/\x1b[31mred.conllu": "x\n", "one/b.conllu": KEY})
    assert command_line(str(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert r"\x1b[31mred on one" in err


def test_the_command_prints_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(str(folder), "--metrics", "conll", "--jobs", "1", "--quiet") == 0
    out, err = capsys.readouterr()
    assert not err
    lines = out.replace("\n|", "|").splitlines()
    assert lines[0].split() == ["CoNLL", "Rank", "Macro", "95", "%", "one", "two"]
    assert lines[1].split()[:2] == ["a", "1"]
    assert lines[4].split() == ["Macro", "average", "MUC", "B³", "CEAFe"]
    assert lines[-1] == score_task(folder, metrics="conll").signature


def test_the_command_writes_files(folder: Path, tmp_path: Path) -> None:
    for name, row in REPORTS.items():
        path = tmp_path / f"result{row.suffix}"
        assert command_line(str(folder), "-o", str(path), "--no-significance", "-q") == 0
        shown = path.read_text(encoding="utf-8")
        expected = score_task(folder, significance=False, digests=name == "json")
        assert shown == row.render(expected, False, False)


def test_not_all_warnings_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = text(KEY).replace("-x-1-)", "-y-1-)", 1)
    write(tmp_path, {"one/key.conllu": KEY, **{f"one/s{at:02}.conllu": odd for at in range(15)}})
    assert command_line(str(tmp_path), "--no-significance") == 0
    err = capsys.readouterr().err
    assert err.count("corefscope: warning:") == 11
    assert err.endswith("corefscope: warning: and 5 more (--format json has all)\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--no-significance", "--seed", "1"], 2, "--resamples and --seed are for the test"),
        (["--jobs", "0"], 2, "the number of jobs must be at least 1"),
        (["--resamples", "5"], 2, "5 resamples are too few"),
        (["-o", "x.doc"], 2, "does not say the format"),
        (["--metrics", "x"], 2, "unknown metric 'x'"),
    ],
)
def test_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert command_line(str(folder), *arguments) == code
    assert message in capsys.readouterr().err
