"""Every result in every format: signed, readable by programs, and harmless whatever files and names hold."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import corefscope
from corefscope.analysis.agreement import agree
from corefscope.analysis.correlation import correlate
from corefscope.analysis.criteria import criteria
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.explain import explain_metric
from corefscope.analysis.noise.curves import curves
from corefscope.cli import main
from corefscope.comparison.difference import explain_difference
from corefscope.comparison.key_sets import score_keys
from corefscope.comparison.mean_report import AveragedReport
from corefscope.comparison.probe import probe
from corefscope.comparison.systems import compare
from corefscope.comparison.tasks import score_task, score_task_settings
from corefscope.formats.settings import score_settings
from corefscope.formats.standoff.gap import COLUMNS
from corefscope.formats.stats import StatisticsReport, file_statistics
from corefscope.formats.validate import Validation, inspect
from corefscope.measures.sampled_key import score_sampled_key
from corefscope.measures.windows import score_windows
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from corefscope.output.formats.latex import escaped as in_latex
from corefscope.output.formats.markdown import escaped as in_markdown
from corefscope.output.formats.typst import escaped as in_typst
from corefscope.output.layout import RESULTS, Block, Cell, Layout, Sheet, Text, lay_out
from corefscope.output.results.catalogues import definition, metrics
from corefscope.output.text import shown
from on_disk import written
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from rendering import as_text

HOSTILE = "\x1b[31m|**b**_<i>`&%$#{}~^\\"
COMMENT = {"latex": "% ", "typst": "// "}
"""What a line of a comment begins with."""
WITHOUT_TEXT = {
    "Criteria",
    "Explanation",
    "CatalogueListing",
    "SampledKeyReport",
}  # they show nothing that comes from files or names


def _text(*entities: str) -> str:
    """One document with hostile words, one entity mark for each."""
    lines = [f"{n}\tw{HOSTILE}\t_\t_\t_\t_\t0\t_\t_\t{entity}" for n, entity in enumerate(entities, 1)]
    comments = [f"# newdoc id = {HOSTILE}", "# global.Entity = eid-etype-head", f"# sent_id = {HOSTILE}"]
    return "\n".join([*comments, *lines]) + "\n\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Key and response, in a directory and under names that nobody would choose."""
    folder = tmp_path_factory.mktemp("files")
    key = _text("Entity=(e1-x-1)", "Entity=(e1-x-1)", "Entity=(e1-x-1)", "Entity=(e2-y-1)", "Entity=(e2-y-1)")
    response = _text("Entity=(e1-x-1)", "Entity=(e1-z-1)", "_", "Entity=(e1-y-1)", "Entity=(e2-y-1)")
    return written(folder, key, response, f"{HOSTILE}.conllu")


def _task_folder(key: Path, response: Path) -> Path:
    folder = key.parent / "task" / HOSTILE
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in (("key", key), (HOSTILE, response), ("b", key)):
        (folder / f"{name}.conllu").write_bytes(path.read_bytes())
    return folder.parent


def _gap(key: Path, response: Path) -> Any:  # noqa: ARG001
    text = f"{HOSTILE} saw Eve . She ran"
    cells = [HOSTILE, text, "She", text.index("She"), HOSTILE, 0, "TRUE", "Eve", text.index("Eve"), "FALSE"]
    gap, decisions = key.parent / "gap.tsv", key.parent / "decisions.tsv"
    gap.write_text("\n".join(["\t".join(COLUMNS), "\t".join(map(str, cells)), ""]), encoding="utf-8")
    decisions.write_text(f"{HOSTILE}\tTRUE\tTRUE\n", encoding="utf-8")
    return probe(gap, decisions, resamples=100)


def _probe(key: Path, response: Path) -> Any:  # noqa: ARG001
    path = key.parent / "pronouns.jsonl"
    lines = [{"doc_key": f"{HOSTILE}{n}", "tokens": [HOSTILE, "she"], "clusters": [[[0, 0], [1, 1]]]} for n in (1, 2)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return probe(path, path, path, path, names=[HOSTILE, "b"], resamples=100)


def _correlation(key: Path, response: Path) -> Any:
    saved = key.parent / "compared.json"
    systems = compare(key, [response, key, response], names=[HOSTILE, "b", "c"], resample="nothing")
    saved.write_text(json.dumps(systems.to_dict()), encoding="utf-8")
    return correlate([saved])


MAKERS: dict[str, Callable[[Path, Path], Any]] = {
    "Report": lambda key, response: corefscope.score(key, response, metrics="all"),
    "AveragedReport": lambda key, response: AveragedReport.of(corefscope.score(key, response, metrics="all")),
    "KeySetReport": lambda key, response: score_keys([key, response], response, names=[HOSTILE, "b"]),
    "SampledKeyReport": lambda key, response: score_sampled_key(key, response),
    "WindowCurve": lambda key, response: score_windows(key, response, [1, 2], metrics="muc,lea"),
    "SettingsReport": lambda key, response: score_settings(key, response, "head,exact+keep"),
    "Comparison": lambda key, response: compare(key, [response, key], names=[HOSTILE, "b"], resamples=100),
    "TaskResult": lambda *files: score_task(_task_folder(*files), jobs=1, resamples=100),
    "TaskSettings": lambda *files: score_task_settings(_task_folder(*files), "head,exact", jobs=1, resamples=100),
    "Agreement": lambda key, response: agree([key, response, key], names=[HOSTILE, "b", "c"]),
    "GapReport": _gap,
    "ProbeReport": _probe,
    "Correlation": _correlation,
    "Curves": lambda key, _: curves(key, kinds="merge", levels=[0, 50, 100], metrics="muc,lea"),
    "Criteria": lambda *_: criteria("muc,core,dmt"),
    "ErrorReport": lambda key, response: examine(key, response, by=["order"], examples=2),
    "Explanation": lambda key, response: explain_difference(["50", "0.10"], key, response, metrics="muc"),
    "MetricExplanation": lambda key, response: explain_metric(key, response, "conll"),
    "StatisticsReport": lambda key, response: StatisticsReport([file_statistics(path) for path in (key, response)]),
    "CatalogueListing": lambda *_: metrics(),
    "Validation": lambda key, response: Validation([inspect(path) for path in (key, response)]),
}
"""A result of each kind."""

EVERY = pytest.mark.parametrize("name", RESULTS)
FORMAT = pytest.mark.parametrize("form", REPORTS)
DETAIL = pytest.mark.parametrize("per_document", [False, True])


@pytest.fixture(scope="module")
def results(files: tuple[Path, Path]) -> dict[str, Any]:
    return {name: make(*files) for name, make in MAKERS.items()}


def test_every_row_is_the_name_of_a_class(results: dict[str, Any]) -> None:
    assert {type(result).__name__ for result in results.values()} == set(RESULTS) == set(MAKERS)


@pytest.mark.parametrize("name", corefscope.METRICS)
def test_a_definition_says_what_the_metric_itself_is(name: str) -> None:
    """Where a definition lists metrics, each finds an item of its own, or one for several."""
    metric = corefscope.METRICS[name]
    if "\n- ``" in metric.definition:
        items = [line for line in definition(metric).split("\n") if line.startswith("- ``")]
        assert items
        assert len(items) < metric.definition.count("\n- ``")


@EVERY
@FORMAT
@DETAIL
def test_every_output_carries_the_signature(
    name: str, form: str, per_document: bool, results: dict[str, Any]
) -> None:
    result = results[name]
    text = REPORTS[form].render(result, per_document)
    plain = text.replace("\\_", "_")
    if form == "text":
        plain = plain.replace("\n|", "|")
    several = "SettingsReport", "TaskSettings", "WindowCurve"  # a signature for each report
    if name in several and form in ("json", "csv", "tsv"):
        assert all(report.signature in plain for report in result.values())
    else:
        assert all(signature in plain for signature in lay_out(result).signatures)
    assert text.endswith("\n")


@EVERY
@FORMAT
@DETAIL
def test_text_of_files_and_names_is_harmless(
    name: str, form: str, per_document: bool, results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "2000")
    text = REPORTS[form].render(results[name], per_document)
    if form in ("csv", "tsv"):
        return  # data are written as they are
    assert "\x1b" not in text
    if form == "markdown":
        text, comment, after = text.partition("\n<!--\n")
        assert after.endswith("\n-->\n") and "--" not in after[:-4] if comment else not after
        outside_code = re.sub(r"^`.*`$", "", text, flags=re.MULTILINE)
        assert re.search(r"(?<!\\)(<|\*\*b|`)", outside_code) is None
    if form in COMMENT:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(COMMENT[form]))
    if form == "latex":
        assert re.search(r"(?<!\\)[#$%&]{2}", text) is None
        assert "_<i>" not in text
    escapings: dict[str, Callable[[str], str]] = {
        "text": shown,
        "markdown": in_markdown,
        "latex": in_latex,
        "typst": in_typst,
    }
    if form in escapings and per_document and name not in WITHOUT_TEXT:
        assert escapings[form](HOSTILE) in text


@EVERY
@DETAIL
def test_json_keeps_to_its_schema(name: str, per_document: bool, results: dict[str, Any]) -> None:
    content = json.loads(REPORTS["json"].render(results[name], per_document))
    inside = [(name, Resource.from_contents(schema(name))) for name in ("corefscope-report-1", "corefscope-task-1")]
    registry: Any = Registry().with_resources(inside)
    jsonschema.Draft202012Validator(schema(content["schema"]), registry=registry).validate(content)


@EVERY
@DETAIL
@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_text_reads_back(
    name: str, per_document: bool, form: str, delimiter: str, results: dict[str, Any]
) -> None:
    result = results[name]
    rows = list(csv.DictReader(io.StringIO(REPORTS[form].render(result, per_document)), delimiter=delimiter))
    records = result.to_records(per_document)
    assert len(rows) == len(records) > 0
    for row, record in zip(rows, records, strict=True):
        assert row["signature"]
        assert {field: row[field] for field in record} == {
            field: "" if value is None else str(value) for field, value in record.items()
        }


@EVERY
@DETAIL
def test_latex_is_well_formed(name: str, per_document: bool, results: dict[str, Any]) -> None:
    """Environments and braces balance, and every row has as many cells as there are columns."""
    text = REPORTS["latex"].render(results[name], per_document)
    assert re.findall(r"\\begin\{(\w+)\}", text) == ["table", "tabular"] * text.count(r"\toprule")
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    for columns, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns)}
        assert not [row for row in rows if row.startswith("[")]  # it would belong to the \\ before


@EVERY
@DETAIL
def test_typst_compiles_without_a_warning(name: str, per_document: bool, results: dict[str, Any]) -> None:
    typst = pytest.importorskip("typst", reason="there is no Typst: pip install typst")
    text = REPORTS["typst"].render(results[name], per_document, table="full")
    _, warnings = typst.compile_with_warnings(text.encode())
    assert warnings == []


def test_a_result_that_has_no_errors_has_a_head_all_the_same() -> None:
    errors = examine(EXAMPLE_KEY, EXAMPLE_KEY)
    (head,) = REPORTS["csv"].render(errors).splitlines()
    assert head.startswith("kind,zero_kind,document,")
    assert head.endswith(",signature")


def test_whatever_is_no_result_cannot_be_shown() -> None:
    with pytest.raises(TypeError, match="int cannot be shown"):
        REPORTS["text"].render(3)


def test_several_signatures_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    for number, match in enumerate(["head", "exact", "head"]):
        content = corefscope.score(EXAMPLE_KEY, EXAMPLE_RESPONSE, match=match).to_dict()  # type: ignore[arg-type]
        (tmp_path / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
    mixed = correlate(sorted(tmp_path.iterdir()), mixed=True)
    assert as_text(mixed).splitlines()[-2:] == list(mixed.signatures)
    for signature in mixed.signatures:
        assert f"`{signature}`" in REPORTS["markdown"].render(mixed)


def test_lines_keep_their_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    """Indented lines are items of a list in Markdown; what looks like an item and is none is escaped."""
    rows = [[Cell("[a"), Cell("1")], [Cell("  b"), Cell("2")]]
    blocks: list[Block] = [
        Text(["- no item", "1. nor this", "title:", "  item", "    item of the item"]),
        Sheet(["", "n"], rows, title="above", note="below", bars=["██", "█"]),
    ]
    layout = Layout(blocks, ["signature"])
    for module in ("markdown", "latex", "typst", "terminal"):
        monkeypatch.setattr(f"corefscope.output.formats.{module}.lay_out", lambda *_, **__: layout)
    assert REPORTS["markdown"].render(None) == (
        "\\- no item  \n1\\. nor this  \ntitle:  \n- item\n  - item of the item\n\n"
        "above\n\n|  | n |\n| :-- | --: |\n| \\[a | 1 |\n| &nbsp;&nbsp;b | 2 |\n\nbelow\n\n`signature`\n"
    )
    assert REPORTS["latex"].render(None).splitlines()[3:8] == [
        r"\noindent - no item\newline", r"1. nor this\newline", r"title:\newline", r"\hspace*{2ex}item\newline",
        r"\hspace*{4ex}item of the item",
    ]  # fmt: skip
    assert "\n{}[a & 1 \\\\\n" in REPORTS["latex"].render(None)
    typst = REPORTS["typst"].render(None)
    assert "\n\\- no item \\\n1\\. nor this \\\ntitle: \\\n#h(1em);item \\\n#h(2em);item of the item\n" in typst
    assert "    [\\[a], [1],\n    [#h(1em);b], [2],\n" in typst
    table = REPORTS["text"].render(None).split("\n\n")[1]
    assert table == "above\n     n\n[a   1  ██\n  b  2  █\nbelow"
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("corefscope.output.formats.terminal.terminal_width", lambda: 9)
    assert "█" not in REPORTS["text"].render(None)


def test_showing_scores_imports_nothing_else() -> None:
    """The cold start of ``corefscope score``: neither other results nor other formats are loaded."""
    code = (
        "import sys, corefscope; from corefscope.output.formats import REPORTS\n"
        f"REPORTS['text'].render(corefscope.score({str(EXAMPLE_KEY)!r}, {str(EXAMPLE_RESPONSE)!r}))\n"
        "print(*(name for name in sys.modules if name.startswith('corefscope.output.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = {name.removeprefix("corefscope.output.") for name in done.stdout.split()}
    assert names == {"formats", "formats.terminal", "layout", "results", "results.score", "text"}


COMMANDS: dict[str, list[str]] = {
    "score": ["{key}", "{response}"],
    "compare": ["{key}", "{response}", "--resample", "nothing"],
    "task": ["{task}", "--jobs", "1", "--no-significance"],
    "agree": ["{key}", "{response}"],
    "correlate": ["{compared}"],
    "metrics": ["--criteria", "muc", "core"],
    "curves": ["{key}", "--kinds", "merge", "--step", "50", "--metrics", "muc"],
    "errors": ["{key}", "{response}"],
    "explain-difference": ["50", "{key}", "{response}", "--metrics", "muc"],
    "stats": ["{key}", "{response}"],
    "validate": ["{key}", "{response}"],
}


@FORMAT
@pytest.mark.parametrize("command", COMMANDS)
def test_the_name_of_the_file_says_the_format(
    command: str,
    form: str,
    files: tuple[Path, Path],
    results: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key, response = files
    assert results  # which has written what task and correlate read
    places = {"key": key, "response": response, "task": key.parent / "task", "compared": key.parent / "compared.json"}
    arguments = [places[word[1:-1]].as_posix() if word[0] == "{" else word for word in COMMANDS[command]]
    assert main([command, *arguments, "--format", form]) == 0
    printed = capsys.readouterr().out
    out = tmp_path / f"out{REPORTS[form].suffix}"
    assert main([command, *arguments, "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    assert out.read_text(encoding="utf-8") == printed
    assert corefscope.__version__ in printed


def test_what_is_read_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = (tmp_path / f"{name}.txt" for name in ("key", "response"))
    for path, example in ((key, EXAMPLE_KEY), (response, EXAMPLE_RESPONSE)):
        path.write_bytes(example.read_bytes())
    for command in (["explain-difference", "50", str(key), str(response)], ["curves", str(key)]):
        assert main([*command, "-o", str(key)]) == 2
        assert "is an input: it would be overwritten (name another file)" in capsys.readouterr().err
