"""Tables that an engine counts score what files score that are read into memory."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.core.errors import InputError, OptionError
from corefscope.core.metrics import METRICS
from corefscope.core.report import Report, Scores
from corefscope.core.rules import RULES
from corefscope.formats.mention_warnings import ARE_SAMPLED
from corefscope.output.formats.json_text import schema
from corefscope.scale import tables
from corefscope.scale.engines.base import Scratch
from corefscope.scale.engines.tabulate import tabulate
from corefscope.scale.tables import exact_sum, score_tables
from examples import seeds
from labelled import Made, columns, made, write

duckdb = pytest.importorskip("duckdb")
OFFERED = [name for name, metric in METRICS.items() if not metric.not_from_histogram]
CEAFE = {"ceafe", "ceaf_sys_phi4"}
"""Σ of what was chosen: where several choices are best, they may be added up otherwise."""
TO_THE_BIT = [name for name in OFFERED if not CEAFE & {name, *METRICS[name].parts}]
COMPARED = ["muc", "bcub", "ceafe", "blanc", "lea"]
KEY: dict[str, Any] = {"mention": [1, 2, 3, 4, 5], "entity": ["x", "x", "x", "y", "y"]}
RESPONSE: dict[str, Any] = {"mention": [1, 2, 3, 4, 6], "entity": [7, 7, 8, 8, 8]}
BOTH: dict[str, list[Any]] = {
    "unique_id": [1, 2, 3, 4],
    "person": [1, 1, 1, 2],
    "t_90": [1, 1, 2, 2],
    "t_95": [1, 1, 1, 2],
    "age": [9] * 4,
}


def _in_memory(sides: Made, directory: Path, **options: Any) -> Report:
    paths = [write(directory / f"{name}.csv", rows, sides.documents) for name, rows in _named(sides)]
    return corefscope.score(*paths, **options)


def _named(sides: Made) -> list[tuple[str, Any]]:
    return [("key", sides.key), ("response", sides.response)]


def _frames(sides: Made) -> list[dict[str, list[Any]]]:
    return [columns(rows, sides.documents) for _, rows in _named(sides)]


def _same(ours: Scores, others: Scores, names: list[str] = OFFERED) -> None:
    for name in names:
        assert ours.nothing(name) == others.nothing(name), name
        assert tuple(ours[name]) == pytest.approx(tuple(others[name]), abs=1e-12), name


@pytest.mark.parametrize("local", [0, 1000])
@pytest.mark.parametrize("seed", seeds(12))
def test_every_offered_metric_is_that_of_memory(
    seed: int, local: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pooled and by document; strings and numbers, lone mentions, documents or none, both ways with singletons."""
    random = Random(seed)
    monkeypatch.setattr(tables, "tabulate", partial(tabulate, local=local))
    sides = made(random)
    rules = list(RULES)[seed % 3]
    options: Any = {"rules": rules, "singletons": random.choice(("keep", "drop")), "metrics": OFFERED}
    expected = _in_memory(sides, tmp_path, **options)
    report = score_tables(*_frames(sides), **options)
    assert list(report.documents) == list(expected.documents)
    _same(report, expected)
    for name, scores in expected.documents.items():
        _same(report.documents[name], scores)
    assert report.signature == expected.signature
    for ours, others in zip(report.inputs, expected.inputs, strict=True):
        assert str(ours) == str(others)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("documents", ["merge", "topic"])
def test_documents_are_joined_as_in_memory(seed: int, documents: str, tmp_path: Path) -> None:
    sides = next(sides for n in range(100) if (sides := made(Random(100 * seed + n))).documents)
    options: dict[str, Any] = {"documents": documents, "metrics": OFFERED}
    if documents == "topic":
        options["topic"] = "d([0-2])|d"
    expected = _in_memory(sides, tmp_path, **options)
    report = score_tables(*_frames(sides), **options)
    assert list(report.documents) == list(expected.documents)
    assert report.signature == expected.signature
    _same(report, expected)
    for name, scores in expected.documents.items():
        _same(report.documents[name], scores)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_and_patterns_are_read(suffix: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    sides = made(Random(5))
    expected = _in_memory(sides, tmp_path, metrics="conll")
    paths = []
    for name, rows in _named(sides):
        (tmp_path / name).mkdir()
        half = len(rows) // 2
        for part, some in enumerate((rows[:half], rows[half:])):
            write(tmp_path / name / f"part-{part}{suffix}", some, sides.documents)
        paths.append(str(tmp_path / name / f"*{suffix}"))
    _same(score_tables(*paths, metrics="conll"), expected, ["conll", "muc"])


def test_the_result_is_a_report_without_a_trace_of_the_engine_but_in_its_inputs() -> None:
    report = score_tables(KEY, RESPONSE)
    assert report.signature.startswith("table|match:exact|zeros:dependent|singletons:keep|rules:corefud-1.2|v")
    content = report.to_dict()
    jsonschema.Draft202012Validator(schema()).validate(content)
    assert content["inputs"]["key"]["engine"] == f"duckdb {duckdb.__version__}"
    assert content["inputs"]["key"]["columns"] == {"mention": "mention", "entity": "entity"}
    assert "duckdb" not in str({name: value for name, value in content.items() if name != "inputs"}).lower()
    assert list(report) == list(corefscope.GROUPS["linkage"])
    assert "mor" not in score_tables(KEY, RESPONSE, metrics="conll,bcub,blanc")


def test_numbers_stay_whole_and_scores_do_not_depend_on_order_and_threads() -> None:
    sides = made(Random(8), 200)
    reports = []
    for threads, seed in ((1, 1), (2, 2), (2, 3)):
        key, response = list(sides.key), list(sides.response)
        Random(seed).shuffle(key)
        Random(seed).shuffle(response)
        frames = [columns(rows, sides.documents) for rows in (key, response)]
        reports.append(score_tables(*frames, threads=threads, metrics=TO_THE_BIT))
    assert len({str([dict(report.rows), [*report.values()]]) for report in reports}) == 1
    assert isinstance(reports[0].counts("muc")["recall_numerator"], int)


def test_a_connection_is_used_and_left_as_it_was() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE gold AS SELECT range AS mention, range // 3 AS entity FROM range(30)")
    connection.execute("CREATE SCHEMA s")
    connection.execute("CREATE TABLE s.found AS SELECT range AS mention, range // 2 AS entity FROM range(30)")
    before = connection.execute("SELECT * FROM duckdb_settings() ORDER BY name").fetchall()
    report = score_tables("gold", "s.found", engine=connection, metrics="muc")
    relation = connection.sql("SELECT * FROM s.found WHERE mention >= 0")
    assert score_tables("gold", relation, engine=connection, metrics="muc")["muc"] == report["muc"]
    assert connection.execute("SELECT * FROM duckdb_settings() ORDER BY name").fetchall() == before
    shown = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
    assert sorted(shown) == [("found",), ("gold",)]


def test_one_table_has_both_labels() -> None:
    report = score_tables(BOTH, key="person", response="t_90", metrics="muc")
    assert report["muc"] == corefscope.score_labels(BOTH["person"], BOTH["t_90"])["muc"]
    assert isinstance(report, Report)
    read = report.to_dict()["inputs"]
    assert (read["key"]["columns"]["entity"], read["response"]["columns"]["entity"]) == ("person", "t_90")


@pytest.mark.parametrize("response", [["t_90", "t_95"], ["t_*"]])
@pytest.mark.parametrize("two", [False, True])
def test_several_columns_make_a_sweep(response: list[str], two: bool) -> None:
    tables = [BOTH, BOTH] if two else [BOTH]
    result = score_tables(*tables, key="person", response=response, mention="unique_id")
    assert isinstance(result, corefscope.SettingsReport)
    assert list(result) == ["t_90", "t_95"]
    for column, report in result.items():
        assert report["bcub"] == corefscope.score_labels(BOTH["person"], BOTH[column])["bcub"]
        assert report.inputs[1].columns["entity"] == column
    jsonschema.Draft202012Validator(schema()).validate(result["t_95"].to_dict())


def test_columns_may_be_called_differently_on_both_sides() -> None:
    key = {"id": KEY["mention"], "label": KEY["entity"]}
    response = {"unique_id": RESPONSE["mention"], "z_cluster": RESPONSE["entity"]}
    report = score_tables(key, response, mention=("id", "unique_id"), response="z_cluster")
    assert report["bcub"] == score_tables(KEY, RESPONSE)["bcub"]


def test_scores_of_documents_go_to_a_file(tmp_path: Path) -> None:
    sides = next(sides for n in range(100) if (sides := made(Random(n))).documents)
    path = tmp_path / "documents.csv"
    report = score_tables(*_frames(sides), metrics="conll,kappa,d_err", documents_to=path)
    with path.open(encoding="utf-8") as file:
        rows = {row["document"]: row for row in csv.DictReader(file)}
    assert list(rows) == list(report.documents)
    for name, scores in report.documents.items():
        row = rows[name]
        assert row["muc_f1"] == ("" if scores.nothing("muc") else str(scores["muc"].f1))
        assert row["conll_f1"] == ("" if scores.nothing("conll") else str(scores["conll"].f1))
        assert row["kappa_value"] == ("" if scores.nothing("kappa") else str(scores["kappa"].value))


def test_a_sweep_writes_all_its_documents_to_one_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "documents.parquet"
    score_tables(BOTH, key="person", response=["t_90", "t_95"], metrics="muc,blanc", documents_to=path)
    table = parquet.read_table(path).to_pydict()
    assert table["response"] == ["t_90", "t_95"]
    assert table["document"] == ["#1", "#1"]
    assert table["muc_f1"][1] == 1.0


def test_too_many_documents_are_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tables, "KEPT_DOCUMENTS", 3)
    table = {"document": list("aabbccdd"), "mention": [1, 2] * 4, "entity": [1] * 8}
    other = {**table, "entity": [1, 2] * 4}
    whole = score_tables(table, table, metrics="muc")
    assert not whole.documents
    assert whole["muc"].f1 == 1.0
    with pytest.raises(InputError, match="4 documents: too many to show") as caught:
        score_tables(table, other, per_document=True)
    assert "documents_to" in caught.value.hint
    score_tables(table, other, metrics="muc", documents_to=tmp_path / "d.tsv")
    assert len((tmp_path / "d.tsv").read_text(encoding="utf-8").splitlines()) == 5


def test_documents_that_are_joined_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "KEPT_DOCUMENTS", 1)
    table = {"document": list("aabb"), "mention": [1, 2] * 2, "entity": [1] * 4}
    assert list(score_tables(table, table, documents="merge", per_document=True).documents) == ["all documents"]


def test_documents_are_left_out_on_request() -> None:
    table = {"document": list("aabb"), "mention": [1, 2] * 2, "entity": [1] * 4}
    assert not score_tables(table, table, per_document=False).documents
    assert list(score_tables(table, table).documents) == ["a", "b"]


# Faults

FAULTS: list[tuple[dict[str, list[Any]], str, str]] = [
    ({"mention": [1, None], "entity": [1, 2]}, "1 row of 2 without mention: the column 'mention' is empty", "name"),
    ({"mention": [1, 2], "entity": [None, 2]}, "1 row of 2 without entity", "select the rows"),
    ({"mention": ["a", ""], "entity": [1, 2]}, "1 row of 2 without mention", "select the rows"),
    (
        {"mention": [1, 1, 2], "entity": [5, 6, 6]},
        "1 mention in several entities: '1' in '5' and '6'",
        "leave --engine",
    ),
    ({"mention": [77, 77], "entity": [5, 6]}, "1 mention in several entities: '77' in '5' and '6'", "largest"),
    (
        {"mention": [1, 1, 2], "entity": [5, 5, 6]},
        "1 mention more than once in the same entity: '1' in '5'",
        "drop-equal",
    ),
    ({"mention": [77, 77], "entity": [5, 5]}, "1 mention more than once in the same entity: '77'", "drop-equal"),
    ({"mention": [], "entity": []}, "has no rows", "a row is needed"),
    ({"name": [1], "entity": [1]}, "no column holds the mention; found 'name', 'entity'", "it may be called mention"),
    ({"mention": [1], "cluster": [1], "label": [1]}, "'cluster' and 'label' may both be the entity", "rename"),
    ({"document": ["a"], "mention": [1], "entity": [1]}, "no column holds the document, which", "--document-column"),
]


@pytest.mark.parametrize(("table", "message", "hint"), FAULTS, ids=[message[:30] for _, message, _ in FAULTS])
@pytest.mark.parametrize("side", ["key", "response"])
def test_faults_are_errors_with_examples(table: dict[str, list[Any]], message: str, hint: str, side: str) -> None:
    pair = [table, RESPONSE] if side == "key" else [KEY, table]
    with pytest.raises(InputError) as caught:
        score_tables(*pair)
    assert message in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.parametrize("column", ["person", "t_90", "t_95"])
def test_a_table_of_both_sides_must_have_all_labels(column: str) -> None:
    table = {**BOTH, column: [None, *BOTH[column][1:]]}
    with pytest.raises(InputError) as caught:
        score_tables(table, key="person", response=["t_90", "t_95"])
    assert f"1 row of 4 without entity: the column {column!r} is empty there" in str(caught.value)
    assert "give two tables" in caught.value.hint


def test_equal_rows_count_once_on_request() -> None:
    twice = {name: values + values[:2] for name, values in KEY.items()}
    report = score_tables(twice, RESPONSE, duplicates="drop-equal")
    assert report["bcub"] == score_tables(KEY, RESPONSE)["bcub"]
    assert "2 mentions more than once in the same entity, counted once" in report.warnings[0]


def test_mentions_of_several_entities_stay_in_the_largest(tmp_path: Path) -> None:
    key: dict[str, Any] = {"mention": [1, 2, 3, 3, 4, 9, 9], "entity": ["x", "x", "x", "y", "y", "y", "z"]}
    report = score_tables(key, RESPONSE, duplicates="largest", rules="corrected", metrics=COMPARED)
    rows = [list(zip([""] * 9, side["mention"], side["entity"], strict=False)) for side in (key, RESPONSE)]
    expected = _in_memory(Made(rows[0], rows[1], False), tmp_path, rules="corrected", metrics=COMPARED)
    _same(report, expected, COMPARED)
    assert "in several entities" in report.warnings[0]
    with pytest.raises(OptionError, match="for rules that give a mention to one entity: corrected"):
        score_tables(key, RESPONSE, duplicates="largest")


def test_ids_of_different_types_are_compared_as_text() -> None:
    response = {**RESPONSE, "mention": list(map(str, RESPONSE["mention"]))}
    report = score_tables(KEY, response)
    assert report["bcub"] == score_tables(KEY, RESPONSE)["bcub"]
    (warning,) = report.warnings
    assert "the mention is VARCHAR here, but INTEGER in the key: both are compared as text" in warning


def test_nothing_in_common_is_a_warning_with_an_example_of_each_side() -> None:
    report = score_tables(KEY, {"mention": ["a1"], "entity": [1]})
    assert report["bcub"].f1 == 0
    assert any("'a1' is one here, '" in warning and "written alike?" in warning for warning in report.warnings)


def test_documents_of_one_side_only_are_taken_for_empty() -> None:
    key = {"document": ["a", "b"], "mention": [1, 1], "entity": [1, 1]}
    response = {"document": ["b", "c"], "mention": [1, 1], "entity": [1, 1]}
    report = score_tables(key, response)
    assert list(report.documents) == ["a", "b", "c"]
    half = "1 of 2 mentions (50.0 %)"
    assert [warning.partition(": ")[2] for warning in report.warnings] == [
        "1 document missing, such as 'c': taken for empty",
        "1 document missing, such as 'a': taken for empty",
        f"{half} are not in dict of the key, and {half} of dict of the key are not here: {ARE_SAMPLED}",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": "all"}, "mor needs the words of the mentions"),
        ({"metrics": "xcore"}, "xcore .*Leave it out, or score in memory"),
        ({"engine": "duckdbb"}, "unknown engine 'duckdbb' .did you mean 'duckdb'"),
        ({"engine": "spark"}, "SparkSession"),
        ({"duplicates": "drop"}, "unknown duplicates 'drop'"),
        ({"baseline": "none"}, "baseline cannot be used here"),
        ({"heads": "tree"}, "heads cannot be used here: mentions are ids"),
        ({"where": print}, "select rows in the tables"),
        ({"key_format": "conll"}, "an engine reads tables, not conll"),
        ({"response": []}, "no column of the response is named"),
        ({"documents_to": "scores.xlsx"}, "does not say how to write a table: end it in .csv, .tsv, .parquet"),
        ({"memory": "lots"}, "'lots' is not a size"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        score_tables(KEY, RESPONSE, **arguments)


@pytest.mark.parametrize(
    ("tables", "arguments", "message"),
    [
        ([], {}, "0 tables"),
        ([BOTH], {}, "one table needs the columns of both sides"),
        (
            [BOTH],
            {"key": "person", "response": "t_80"},
            "there is no column 't_80'\n  hint: there are 'unique_id', 'p",
        ),
        ([BOTH], {"key": "person", "response": ["x_*"]}, "no column matches 'x_*'"),
        ([KEY, RESPONSE], {"mention": "id"}, "there is no column 'id'"),
        (["absent.parquet", RESPONSE], {}, "absent.parquet"),
        (["nowhere", RESPONSE], {}, "nowhere"),
        (["-", RESPONSE], {}, "standard input"),
        ([3, RESPONSE], {}, "int"),
    ],
)
def test_tables_and_columns_that_are_not_there_are_named(
    tables: list[Any], arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(corefscope.CorefscopeError) as caught:
        score_tables(*tables, **arguments)
    assert message in str(caught.value)


def test_unknown_arguments_are_those_of_python() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'metric'; did you mean 'metrics'"):
        score_tables(KEY, RESPONSE, metric="muc")  # type: ignore[call-overload]


def test_steps_are_told() -> None:
    steps: list[tuple[int, int, str]] = []
    score_tables(KEY, RESPONSE, progress=lambda *step: steps.append(step))
    assert [number for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert {total for _, total, _ in steps} == {0}
    assert any("join" in step for _, _, step in steps)


def test_a_preset_gives_options_and_metrics_that_fit() -> None:
    report = score_tables(KEY, RESPONSE, preset="conll12")
    assert report.options.rules == "conll-8.01"
    assert report.signature.startswith("table|")
    assert "mor" not in score_tables(KEY, RESPONSE, preset="crac24")


@pytest.mark.parametrize("per_document", [None, False])
def test_what_cannot_be_solved_is_a_range(per_document: bool | None) -> None:
    random = Random(4)
    labels = [[random.randrange(150) for _ in range(1000)] for _ in range(2)]
    table = {"key": labels[0], "response": labels[1]}
    exact = corefscope.score_labels(*labels)
    columns: Any = {"key": "key", "response": "response", "metrics": "conll,ceafm"}
    report = score_tables(table, **columns, kernel_limit=20, per_document=per_document)
    for name in ("ceafe", "ceafm", "conll"):
        assert report[name].f1 <= exact[name].f1 <= report.at_most[name].f1
    assert report.is_open("ceafe")
    assert report.is_open("conll")
    assert not report.is_open("bcub")
    assert "ceafe" in report.warnings[-1]
    jsonschema.Draft202012Validator(schema()).validate(report.to_dict())
    assert not score_tables(table, **columns).is_open("ceafe")


@given(st.lists(st.floats(-1e300, 1e300), max_size=30))
def test_sums_of_floats_are_exact(numbers: list[float]) -> None:
    assert exact_sum(np.array(numbers, dtype=float)) == sum(map(Fraction, numbers))


def test_batches_of_documents_change_no_bit_and_no_name_comes_home_unless_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(5)
    rows = [[(f"d{mention % 9}", mention, random.randrange(5)) for mention in range(120)] for _ in ("key", "r")]
    sides = [columns([row for row in side if random.random() < 0.9], documents=True) for side in rows]
    metrics = ["muc", "bcub", "blanc", "lea", "v_measure", "rand", "b3_0", "dmt", "ceafm"]
    statements: list[str] = []
    fetch = Scratch.fetch

    def recorded(scratch: Scratch, statement: str, step: str) -> Any:
        statements.append(statement)
        return fetch(scratch, statement, step)

    monkeypatch.setattr(Scratch, "fetch", recorded)
    expected = score_tables(*sides, metrics=metrics)
    for batch in (1, 60):
        monkeypatch.setattr(tables, "tabulate", partial(tabulate, batch=batch))
        statements.clear()
        pooled = score_tables(*sides, metrics=metrics, per_document=False)
        assert sum("AS name" in statement for statement in statements) <= 2  # an example of those that a side lacks
        path = tmp_path / f"{batch}.csv"
        report = score_tables(*sides, metrics=metrics, documents_to=path)
        assert len(path.read_text().splitlines()) == 1 + len(expected.documents)
        assert not pooled.documents
        assert str(pooled.inputs) == str(expected.inputs) == str(report.inputs)
        assert pooled.warnings == expected.warnings
        assert pooled.to_dict(per_document=False) == expected.to_dict(per_document=False)
        assert report.to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"mention": [1, 2], "entity": [1]}, "must have the same length"),
        ({"mention": 1, "entity": 2}, "must have the same length"),
        ({}, "must have the same length"),
        ([{"mention": 1, "entity": 2}], "is not a path"),
    ],
)
def test_what_is_no_table_is_an_error_of_ours(table: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        score_tables({"mention": [1], "entity": [1]}, table)


def test_frames_that_can_be_read_only_once_are_named_as_such() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    readers = [pyarrow.table({"mention": [1], "entity": [1]}).to_reader() for _ in range(2)]
    with pytest.raises(InputError, match="can be read only once") as caught:
        score_tables(*readers)
    assert "look whether the file" not in caught.value.hint


@pytest.mark.parametrize(
    "rows",
    [
        ["'a,1", "b',2", "c,2"],
        ["#a,1", "b,2", "# c,2", "d,1"],
        ['"a, b",1', '"a ""b""",1', "a'b,2"],
        ["a\\,1", '"b\\",2', "c,1"],
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_is_read_as_in_memory(rows: list[str], delimiter: str, tmp_path: Path) -> None:
    """No row is dropped as a comment, and only double quotes are quotes."""
    for name in ("key", "response"):
        lines = ["mention,entity", *(row if name == "key" else row[:-1] + "1" for row in rows)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines).replace(",", delimiter) + "\n", encoding="utf-8")
    paths = tmp_path / "key.csv", tmp_path / "response.csv"
    expected = corefscope.score(*paths)
    found = score_tables(*paths)
    assert dict(found) == dict(expected)
    assert [side.mentions for side in found.inputs] == [side.mentions for side in expected.inputs] == [len(rows)] * 2


@pytest.mark.parametrize("row", ["# remark", "b", "b,2,3", "'b,2,3'"])
def test_a_row_that_does_not_fit_is_an_error_as_in_memory(row: str, tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text(f"mention,entity\na,1\n{row}\nc,2\n", encoding="utf-8")
    for count in (corefscope.score, score_tables):
        with pytest.raises(InputError):
            count(path, path)
