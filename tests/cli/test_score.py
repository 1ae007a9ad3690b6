"""``corefscope score``: tables, documents, JSON and the note on rules."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.metrics import METRICS, headline_first
from corefscope.output.formats.json_text import schema
from oracles.quirks import conllu
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

PAIR = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
Captured = pytest.CaptureFixture[str]


def test_the_table_has_a_row_per_metric_and_the_signature(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR]) == 0
    lines = capsys.readouterr().out.split("\n")
    report = corefscope.score(*PAIR)
    assert lines[0].split() == ["Recall", "Precision", "F1"]
    for line, name in zip(lines[1:], headline_first(report), strict=False):
        title, *figures = line.split()
        assert title == METRICS[name].title
        assert figures == [f"{100 * figure:.2f}" for figure in report[name]]
    assert lines[-2] == report.signature


def test_documents_are_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR, "--per-document", "--metrics", "conll,lea"]) == 0
    out = capsys.readouterr().out
    for name, scores in corefscope.score(*PAIR, metrics=["conll", "lea"]).documents.items():
        row = next(line for line in out.split("\n") if line.startswith(name))
        assert row.split()[-1] == f"{100 * scores['lea'].f1:.2f}"


@pytest.mark.parametrize(
    "more", [[], ["--metrics", "all"], ["--per-document"], ["--rules", "corrected", "--metrics", "lea"]]
)
def test_json_keeps_to_its_schema(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *PAIR, "--format", "json", *more]) == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema()).validate(content)
    assert ("documents" in content) == ("--per-document" in more)
    if "all" in more:
        assert "reconstructed" in content["metrics"]["d_err"]["note"]
    if not more:
        assert content["metrics"]["muc"]["f1"] == corefscope.score(*PAIR)["muc"].f1


def test_the_schema_is_a_schema_and_knows_all_choices() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    options = schema()["properties"]["options"]["properties"]
    assert options["rules"]["enum"] == list(corefscope.RULES)


def _tie(folder: Path, key: str = "e1 3..4 9", response: str = "e2 2..6@3 8; e1 3..5 9") -> list[str]:
    """A pair on which the rule sets disagree; unless others are given, quirk 5."""
    paths = []
    for name, notation in (("key", key), ("response", response)):
        paths.append(folder / f"{name}.conllu")
        paths[-1].write_text(conllu(notation), encoding="utf-8")
    return list(map(str, paths))


def test_rule_sets_that_disagree_are_mentioned_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *_tie(tmp_path)]) == 0
    note = "CoNLL is 22.22 under rules corefud-1.2 but 66.67 under corrected"
    err = capsys.readouterr().err
    assert note in err
    assert err.count("\n") == 1
    for silence in (["--no-rules-note"], ["--quiet"], ["--rules", "corrected"]):
        assert main(["score", *_tie(tmp_path), *silence]) == 0
        assert not capsys.readouterr().err
    assert main(["score", *_tie(tmp_path), "--metrics", "lea"]) == 0
    assert "LEA is 0.00 under rules corefud-1.2 but 66.67 under corrected (" in capsys.readouterr().err
    assert main(["score", PAIR[0], PAIR[0]]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "response", "note"),
    [
        # Zeros in swapped places: only one metric differs, and it is not CoNLL.
        ("e1 1 2.1[3:nsubj]; e2 2 2.2[4:obj]", "e1 1 2.2[3:nsubj]; e2 2 2.1[4:obj]", "Zeros is 0.00"),
        # Boundary case (1) of Luo et al. (2014): the same mentions and no links.
        ("e1 1", "e1 1", "BLANC is –"),
    ],
)
def test_the_note_on_rules_looks_at_every_metric_shown(
    key: str, response: str, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = _tie(tmp_path, key, response)
    assert main(["score", *pair, "--singletons", "keep", "--metrics", "zero,blanc,lea"]) == 0
    assert f"{note} under rules corefud-1.2 but 100.00 under corrected (" in capsys.readouterr().err
    assert main(["score", *pair, "--singletons", "keep", "--metrics", "bcub,ceafm"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("metrics", ["anaphora", "all"])
def test_the_note_on_rules_leaves_out_what_is_not_shown(metrics: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The files have no split antecedents; the two rule sets give metrics of nothing different scores."""
    files = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]
    assert main(["score", *files, "--rules", "ua-1.0", "--metrics", metrics]) == 0
    assert "plural" not in "".join(capsys.readouterr())


# ---- tables of ids


@pytest.fixture
def linked(tmp_path: Path) -> str:
    """A table with the entities of both sides, of which a single mention of 30,000 is wrong."""
    rows = [f"{number // 2},{number // 2 if number else 'x'}" for number in range(30_000)]
    path = tmp_path / "linked.csv"
    path.write_text("\n".join(["person,cluster", *rows]), encoding="utf-8")
    return str(path)


def _rows(text: str) -> dict[str, list[str]]:
    return {line.split("  ")[0]: line.split()[1:] for line in text.split("\n\n")[0].splitlines()}


@pytest.mark.parametrize(
    "columns", [["--entity-column", "person,cluster"], ["--key-column", "person", "--response-column", "cluster"]]
)
def test_a_table_is_scored_by_linkage_and_nothing_wrong_rounds_to_100(
    columns: list[str], linked: str, capsys: Captured
) -> None:
    assert main(["score", linked, *columns, "--no-rules-note"]) == 0
    rows = _rows(capsys.readouterr().out)
    assert list(rows)[1:] == [METRICS[name].title for name in corefscope.GROUPS["linkage"]]
    assert rows["Pairs"] == ["99.99", "100.00", "99.99"]
    report = corefscope.score(linked, linked, entity_column=("person", "cluster"))
    assert 0.99995 > report["pairs"].recall == 14_999 / 15_000 > 0.9999
    assert 1 > report["adjusted_rand"].value > 0.99995
    assert rows["Adjusted Rand"][-1] == "99.99"


def test_a_threshold_adds_to_the_metrics_of_tables(linked: str, capsys: Captured) -> None:
    columns = ["--entity-column", "person,cluster", "--quiet"]
    assert main(["score", linked, *columns, "--fail-under", "conll=50%,pairs=50%"]) == 0
    titles = [METRICS[name].title for name in (*corefscope.GROUPS["linkage"], "muc", "ceafe", "conll")]
    assert sorted(_rows(capsys.readouterr().out)) == sorted(["", *titles])


def test_metrics_and_presets_replace_those_of_tables(linked: str) -> None:
    columns: dict[str, str] = {"entity_column": "person,cluster"}
    conll = corefscope.score(linked, linked, **columns, metrics="conll")  # type: ignore[arg-type]
    assert list(conll) == list(corefscope.GROUPS["conll"])
    preset = corefscope.score(linked, linked, **columns, preset="conll12")  # type: ignore[arg-type]
    assert list(preset) == list(corefscope.GROUPS["conll12"])


def test_one_table_needs_two_columns(linked: str, capsys: Captured) -> None:
    for columns in ([], ["--entity-column", "person"], ["--key-column", "person"]):
        assert main(["score", linked, *columns]) == 2
        assert "--entity-column KEY_NAME,RESPONSE_NAME" in capsys.readouterr().err
    assert main(["score", linked, "--key-column", "person", "--response-column", "cluster*"]) == 2
    assert "--engine duckdb" in capsys.readouterr().err


@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
def test_an_empty_name_says_that_there_is_no_document(engine: list[str], tmp_path: Path, capsys: Captured) -> None:
    """Else the column would be found by its name."""
    if engine:
        pytest.importorskip("duckdb")
    path = tmp_path / "a.csv"
    path.write_text("document,mention,entity\nd1,m1,x\nd2,m2,x\n", encoding="utf-8")
    files = ["score", str(path), str(path), *engine, "--format", "json", "--quiet"]
    counted = []
    for columns in ([], ["--document-column", ""]):
        assert main([*files, *columns, "--metrics", "pairs"]) == 0
        counted.append(json.loads(capsys.readouterr().out)["inputs"]["key"]["documents"])
    assert counted == [2, 1]
    assert main([*files, "--mention-column", ","]) == 2
    assert "mention_column is the name of a column, or two names" in capsys.readouterr().err
