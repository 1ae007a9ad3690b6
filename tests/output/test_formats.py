"""Every format for every result: machine-readable or ready to paste, always with the signature."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import corefscope
from corefscope.cli import main
from corefscope.cli.parser import COMMANDS, command_parser, options_of
from corefscope.comparison.signature import read_signature
from corefscope.comparison.systems import compare
from corefscope.formats.settings import score_settings
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from corefscope.output.formats.latex import escaped as in_latex
from corefscope.output.formats.markdown import escaped as in_markdown
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

RESULTS: dict[str, Callable[[], Any]] = {
    "report": lambda: corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="all"),
    "settings": lambda: score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac"),
    "comparison": lambda: compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], resamples=100),
}
EVERY = pytest.mark.parametrize("name", RESULTS)
DETAIL = pytest.mark.parametrize("per_document", [False, True])


@EVERY
@DETAIL
@pytest.mark.parametrize("form", REPORTS)
def test_every_output_carries_the_signature(name: str, form: str, per_document: bool) -> None:
    result = RESULTS[name]()
    text = REPORTS[form].render(result, per_document, False)
    signature = result.signature if hasattr(result, "signature") else ""
    plain = text.replace(r"\textbar{}\allowbreak{}", "|").replace("\\", "").replace("\n|", "|")
    assert signature in plain or all(report.signature in plain for report in result.values())
    assert "\x1b" not in text
    assert text.endswith("\n")


@EVERY
@DETAIL
@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_text_reads_back(name: str, per_document: bool, form: str, delimiter: str) -> None:
    result = RESULTS[name]()
    rows = list(csv.DictReader(io.StringIO(REPORTS[form].render(result, per_document, False)), delimiter=delimiter))
    records = result.to_records(per_document)
    assert len(rows) == len(records) > 0
    for row, record in zip(rows, records, strict=True):
        for field, value in record.items():
            assert row[field] == ("" if value is None else str(value))


@EVERY
@DETAIL
def test_markdown_is_a_table(name: str, per_document: bool) -> None:
    text = REPORTS["markdown"].render(RESULTS[name](), per_document, False)
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert tables
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
        assert len(widths) == 1
        assert re.fullmatch(r"\| :--( \| --:)+ \|", table[1])


@EVERY
@DETAIL
def test_json_keeps_to_its_schema(name: str, per_document: bool) -> None:
    content = json.loads(REPORTS["json"].render(RESULTS[name](), per_document, False))
    registry: Any = Registry().with_resource("corefscope-report-1", Resource.from_contents(schema()))
    jsonschema.Draft202012Validator(schema(content["schema"]), registry=registry).validate(content)


@EVERY
@DETAIL
def test_latex_is_well_formed(name: str, per_document: bool) -> None:
    """Environments and braces balance, and every row has as many cells as there are columns."""
    text = REPORTS["latex"].render(RESULTS[name](), per_document, False)
    assert re.findall(r"\\begin\{(\w+)\}", text) == ["table", "tabular"] * text.count(r"\toprule")
    assert text.count(r"\begin{") == text.count(r"\end{")
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    for columns, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert rows
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns)}
    assert text.isascii() or name != "report"


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no TeX is installed")
@EVERY
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    text = REPORTS["latex"].render(RESULTS[name](), True, False)
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    (tmp_path / "t.tex").write_text(f"{head}\n{text}\n\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_text_of_files_cannot_break_a_format() -> None:
    hostile = "a|b\n**c** <script> \\x1b[31m & % $ # _ { } ~ ^ \\ `d`" + chr(27)
    assert "\n" not in in_markdown(hostile)
    assert re.search(r"(?<!\\)[|<`]", in_markdown(hostile)) is None
    latex = in_latex(hostile)
    assert "\n" not in latex
    assert re.search(r"(?<!\\)[&%$#_](?!\w*\$)", latex.replace(r"\$", "")) is None


@pytest.mark.parametrize("form", REPORTS)
def test_the_name_of_the_file_says_the_format(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"out{REPORTS[form].suffix}"
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    assert main(["score", *files, "--format", form]) == 0
    printed = capsys.readouterr().out
    assert main(["score", *files, "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert out.read_text(encoding="utf-8") == printed
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    out.write_text("before", encoding="utf-8")
    assert main(["score", str(EXAMPLE_KEY), str(tmp_path / "none"), "-o", str(out)]) == 1
    assert out.read_text(encoding="utf-8") == "before"
    assert main(["score", str(EXAMPLE_KEY), str(EXAMPLE_KEY), "-o", str(tmp_path / "no" / "x.json")]) == 1
    assert "make the directory first" in capsys.readouterr().err
    assert main(["score", str(EXAMPLE_KEY), str(EXAMPLE_KEY), "-o", str(tmp_path / "x.doc")]) == 2
    assert "does not say the format" in capsys.readouterr().err


def test_records_are_flat() -> None:
    """Ready for a data frame: the same fields everywhere, plain values only."""
    records = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE).to_records(per_document=True)
    assert {tuple(record) for record in records} == {
        ("document", "metric", "recall", "precision", "f1", "value", "signature")
    }
    assert all(value is None or isinstance(value, str | float) for record in records for value in record.values())


def test_records_of_documents_come_with_the_totals() -> None:
    report = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    totals = [record for record in report.to_records(per_document=True) if not record.pop("document")]
    assert totals == report.to_records()
    found = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], resamples=100)
    by_document = found.to_records(per_document=True)
    assert all("f1_low" not in record and "p" not in record for record in by_document if record["document"])
    assert [record for record in by_document if not record.pop("document")] == found.to_records()


@pytest.mark.parametrize("command", ["score", "compare", "stats", "validate", "agree", "curves"])
def test_format_wins_and_a_dash_is_standard_output(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)][: 1 if command == "curves" else 2]
    more = ["--metrics", "muc"] if command in ("compare", "agree", "curves") else []
    assert main([command, *files, *more, "--format", "json", "-o", "-"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)
    for name in ("out.txt", "out.unknown"):
        assert main([command, *files, *more, "--format", "json", "-o", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out == ""
        assert (tmp_path / name).read_text(encoding="utf-8") == printed
    assert main([command, *files, *more, "-o", str(tmp_path / "out.docx")]) == 2
    assert "does not say the format" in capsys.readouterr().err


def test_compressed_files_say_their_format_before(tmp_path: Path) -> None:
    assert main(["score", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "-o", str(tmp_path / "out.csv.gz")]) == 0
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).startswith(b"metric,recall,")


def test_names_of_files_need_not_be_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff.conllu")
    try:
        shutil.copy(EXAMPLE_RESPONSE, odd)
    except OSError:
        pytest.skip("the file system takes text only")
    files = [str(EXAMPLE_KEY), odd, str(EXAMPLE_RESPONSE)]
    for form in REPORTS:
        out = tmp_path / "out"
        more = ["--format", form, "--resample", "nothing", "--metrics", "muc"]
        assert main(["compare", *files, *more, "-o", str(out)]) == 0
        assert "udcff" in out.read_text(encoding="utf-8")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["settings", "comparison"])
def test_lines_fit_and_broken_signatures_are_accepted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = RESULTS[name]()
    lines = REPORTS["text"].render(result, True, False).splitlines()
    assert max(map(len, lines)) <= 80
    start = next(number for number, line in enumerate(lines) if line.startswith("corefud|"))
    assert "".join(lines[start:]) == result.signature
    if name == "comparison":
        assert read_signature("\n".join(lines[start:])) == read_signature(result.signature)


def test_a_table_says_that_not_all_of_it_is_f1() -> None:
    for metrics, corner in (("muc,lea", "F1"), ("muc,kappa", "score")):
        found = compare(EXAMPLE_KEY, [EXAMPLE_RESPONSE], metrics=metrics, resample="nothing")
        assert REPORTS["text"].render(found, False, False).split()[0] == corner
        settings = score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "head,exact", metrics=metrics)
        assert REPORTS["text"].render(settings, False, False).split()[0] == corner


def test_wide_characters_take_two_columns() -> None:
    found = compare(
        EXAMPLE_KEY, [EXAMPLE_RESPONSE, EXAMPLE_KEY], names="東京,ours", metrics="muc", resample="nothing"
    )
    assert REPORTS["text"].render(found, False, False).splitlines()[:3] == [
        "F1       MUC",
        "ours  100.00",
        "東京   76.92",
    ]


HOSTILE = [
    "=HYPERLINK(1)",
    "+cmd",
    "-cmd",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "＝1",
    "x;=1+1",
    'x","=1',
    "a\x1b[31m\x9b1m",
    "-0.5",
]
"""Names of documents that a spreadsheet or a terminal would obey, and a number."""
QUOTED = {*HOSTILE[:7]}


@pytest.fixture
def hostile_pair(tmp_path: Path) -> list[str]:
    """A key and a response whose documents have hostile names."""
    path = tmp_path / "clusters.json"
    path.write_text(json.dumps({name: {"e": ["m1", "m2"]} for name in HOSTILE}), encoding="utf-8")
    return [str(path), str(path)]


def documents_in(text: str, form: str) -> list[str]:
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter={"csv": ",", "tsv": "\t"}[form])
    return [name for name in dict.fromkeys(row["document"] for row in rows) if name]


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_delimited_text_in_files_and_pipes_keeps_ids_as_they_are(
    form: str, hostile_pair: list[str], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    command = ["score", *hostile_pair, "--metrics", "muc", "--per-document", "--format", form]
    assert main(command) == 0
    piped = capfdbinary.readouterr().out
    assert main([*command, "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_bytes() == piped
    assert sorted(documents_in(piped.decode("utf-8"), form)) == sorted(HOSTILE)


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("more", [[], ["--spreadsheet"]])
def test_delimited_text_on_a_terminal_has_its_control_characters_escaped(
    form: str, more: list[str], hostile_pair: list[str]
) -> None:
    pty = pytest.importorskip("pty")
    own, terminal = pty.openpty()
    command = ["score", *hostile_pair, "--metrics", "muc", "--per-document", "--format", form, *more]
    done = subprocess.run([sys.executable, "-m", "corefscope", *command], stdout=terminal, check=True)
    os.close(terminal)
    printed = b""
    try:
        while part := os.read(own, 1 << 16):
            printed += part
    except OSError:  # Linux says so that nothing more comes
        pass
    os.close(own)
    assert done.returncode == 0
    text = printed.decode("utf-8").replace("\r\n", "\n")
    assert r"a\x1b[31m\x9b1m" in text
    assert r"\t=1" in text
    kept = text.replace("\n", "").replace("\t", "" if form == "tsv" else "\t")
    assert kept.isprintable()


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_spreadsheet_runs_no_cell(form: str, hostile_pair: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", *hostile_pair, "--metrics", "muc,kappa", "--per-document", "--format", form]
    assert main([*command, "--spreadsheet"]) == 0
    text = capsys.readouterr().out
    assert sorted(documents_in(text, form)) == sorted("'" + name if name in QUOTED else name for name in HOSTILE)
    assert '"x;=1+1"' in text  # else a spreadsheet that splits at semicolons would find a formula
    result = corefscope.score(*hostile_pair, metrics="muc")
    assert REPORTS[form].render(result, True, spreadsheet=True).count("'=HYPERLINK(1)") == 1


@pytest.mark.parametrize("value", [-0.5, "-0.5", "+1e-3", "-.5", 7, None])
def test_numbers_stay_numbers_in_a_spreadsheet(value: object) -> None:
    class Result:
        columns = ()
        signature = "s"

        def to_records(self, per_document: bool) -> list[dict[str, object]]:  # noqa: ARG002
            return [{"figure": value}]

    text = REPORTS["csv"].render(Result(), spreadsheet=True)
    [row] = csv.DictReader(io.StringIO(text))
    assert row["figure"] == ("" if value is None else str(value))


@pytest.mark.parametrize("form", [name for name in REPORTS if name not in ("csv", "tsv")])
def test_spreadsheet_is_refused_for_what_no_spreadsheet_opens(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE), "--format", form, "--spreadsheet"]) == 2
    captured = capsys.readouterr()
    assert f"--spreadsheet is for csv and tsv, but the output is {form}" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_writes_csv_has_spreadsheet(command: str) -> None:
    parser = command_parser(command)
    assert ("--spreadsheet" in options_of(parser)) == ("csv" in parser.values.get("format", {}))


@pytest.mark.parametrize("table", ["entities.csv", "entities.tsv"])
def test_tables_of_entities_are_safe_in_a_spreadsheet(
    table: str, hostile_pair: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / table
    assert main(["score", *hostile_pair, "--metrics", "muc", "--entities", str(path)]) == 0
    assert sorted(documents_in(path.read_bytes().decode("utf-8"), table[-3:])) == sorted(HOSTILE)
    assert main(["score", *hostile_pair, "--metrics", "muc", "--entities", str(path), "--spreadsheet"]) == 0
    documents = documents_in(path.read_bytes().decode("utf-8"), table[-3:])
    assert sorted(documents) == sorted("'" + name if name in QUOTED else name for name in HOSTILE)
    assert "=HYPERLINK" not in capsys.readouterr().err
