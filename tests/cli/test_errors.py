"""``corefscope errors``: what people see, what programs get, and what happens when something is wrong."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from corefscope import score
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.errors.kinds import ERROR_KINDS, IDENTITY, ZEROS, kinds_of
from corefscope.analysis.errors.report import SCHEMA
from corefscope.cli import errors as command
from corefscope.cli import main
from corefscope.cli.parser import Parser
from corefscope.cli.terminal import guarded
from corefscope.output.formats.json_text import schema
from corefscope.output.text import cut, table, width_of
from on_disk import written
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN
from rendering import as_text

FILES = [str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)]


def run(*arguments: str) -> int:
    """The command as the command line runs it."""
    parser = Parser()
    command.add_arguments(parser)
    return guarded(lambda: command.run(parser.parse_args(arguments)))


KINDS = [row.name for row in kinds_of(IDENTITY)]


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(*FILES, *arguments) == 0
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(shown(capsys, "--format", "json", *arguments))


# ---- text


def test_the_summary_says_what_was_lost_and_to_what(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = shown(capsys)
    assert text.startswith("CoNLL 72.88: 27.12 points lost in 2 documents\n")
    summary = " ".join(text.split())
    assert "Divided entities cost most: 7.80 points; weakest: antecedents in the same sentence." in summary
    start = next(number for number, line in enumerate(text.splitlines()) if line.endswith("points lost"))
    rows = {line[:18].strip(): line.split() for line in text.splitlines()[start + 1 : start + 7]}
    assert rows["missing mention"][-2:] == ["3", "7.52"]
    assert rows["all"] == ["all", "12", "27.12"]
    assert "among these: 1 missing zero, 1 extra zero, 1 misattached zero\n" in text
    assert "\nweakest slices " in text
    assert "\nantecedents in the same sentence " in text
    there = [row.title for row in kinds_of(IDENTITY) if examine(*FILES).counts[row.name]]
    costs = [float(rows[title][-1]) for title in rows if title != "all"]
    assert sorted(there) == sorted(set(rows) - {"all"})
    assert costs == sorted(costs, reverse=True)
    assert text.endswith(score(*FILES).signature + "\n")


def test_the_summary_and_its_groups_fit_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for files in (FILES, RELATED):
        text = as_text(examine(*files), 80)
        assert len(text.splitlines()) <= 40
        assert max(map(width_of, text.splitlines()[:-1])) <= 80
        assert "of 3\n" not in text  # no examples


def test_examples_are_shown_if_requested(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--examples", "3")
    titles = [line.partition(":")[0] for line in text.splitlines() if re.search(r": \d+ of \d+$", line)]
    assert titles[:2] == ["divided entity", "missing mention"]
    assert shown(capsys, "--limit", "3") == text
    assert re.search(": [0-9]+ of", shown(capsys)) is None


@pytest.mark.parametrize("name", ["missing_mention", "missing mention", "Missing mentions"])
def test_kinds_are_named_as_they_are_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--kind", name)
    assert "missing mention: 3 of 3\n" in text
    assert "span error:" not in text


def test_an_unknown_kind_gets_suggestions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(*FILES, "--kind", "mising mention")
    assert "unknown kind of error 'mising mention' (did you mean 'missing_mention'" in capsys.readouterr().err


def test_groups_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--group-by", "mention-type", "--group-by", "document")
    lines = [line.split() for line in text.splitlines()]
    assert ["pronouns", "missing", "mention", "×2", "5", "12.39"] in lines
    assert any(line[:1] == ["es_biblioteca"] for line in lines)
    assert "weakest slices" not in text
    assert run(*FILES, "--group-by", "txt") == 2
    assert "did you mean 'text'" in capsys.readouterr().err


def test_groups_as_records(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "--group-by", "document", "--format", "csv"))))
    assert [(row["value"], row["errors"]) for row in rows] == [("es_biblioteca", "7"), ("en_letter", "5")]
    assert sum(float(row["gain"]) for row in rows) == pytest.approx(examine(*FILES).attribution.lost)
    assert sum(int(row["missing_mention"] or 0) for row in rows) == 3
    assert list(rows[0])[-1] == "signature"


def test_examples_show_both_chains_zeros_and_gaps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    text = shown(capsys, "--kind", "missing_mention", "--kind", "divided")
    assert "key       Durante años [∅]e1 había prometido que [∅]e1 la abriría" in text
    assert "response  Durante años [∅]e1 había prometido que la abriría" in text
    assert "key       e9: A letter … that nob…office could explain · [it] · it (3)" in text
    assert f"es_biblioteca-2 · {EXAMPLE_KEY}:32\n" in text
    assert "missing mention: 3 of 3" in text
    assert "span error:" not in text


def test_discontinuous_mentions_are_marked_part_by_part(tmp_path: Path) -> None:
    def text(*entities: str) -> str:
        lines = [f"{n}\tw{n}\t_\t_\t_\t_\t0\t_\t_\t{entity}" for n, entity in enumerate(entities, 1)]
        return "\n".join(["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s", *lines]) + "\n\n"

    key = text("Entity=(e1-1)", "Entity=(e1[1/2]-1)", "_", "Entity=(e1[2/2]-1", "Entity=e1[2/2])", "Entity=(e1-1)")
    response = text("Entity=(x1-1)", "_", "_", "_", "_", "Entity=(x1-1)")
    shown = as_text(examine(*written(tmp_path, key, response), examples=1), 80)
    assert "key       [w1]e1 [w2]e1[1/2] w3 [w4 w5]e1[2/2] [w6]e1\n" in shown
    assert "key       e1: w1 · [w2 … w4 w5] · w6 (3)\n" in shown


@pytest.mark.parametrize("width", [40, 57, 80])
def test_no_line_of_an_example_is_wider_than_the_terminal(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = shown(capsys, "--limit", "9")
    examples = text[text.index("\ndivided entity: ") :].splitlines()[:-1]
    assert len(examples) > 50
    assert max(map(width_of, examples)) <= width


@pytest.mark.parametrize("width", [60, 80])
def test_where_a_mention_begins_and_ends_is_never_cut(width: int, tmp_path: Path) -> None:
    def text(first: int, last: int) -> str:
        lines = [f"{n}\tword{n}\t_\t_\t_\t_\t0\t_\t_\t_" for n in range(1, 61)]
        lines[first - 1] = lines[first - 1][:-1] + "Entity=(e1-1"
        lines[last - 1] = lines[last - 1][:-1] + "Entity=e1)"
        lines[58] = lines[58][:-1] + "Entity=(e1-1)"
        return "\n".join(["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s", *lines]) + "\n\n"

    found = examine(*written(tmp_path, text(3, 40), text(3, 45)), match="partial", examples=1)
    lines = as_text(found, width).splitlines()
    key, response = (next(line for line in lines if line.startswith(f"{side} ")) for side in ("key", "response"))
    assert all(bit in key for bit in ("[word3 ", "word40]e1", "word45"))
    assert all(bit in response for bit in ("[word3 ", "word45]e1", "word40"))
    assert max(len(key), len(response)) <= width


def test_colours_mark_what_the_error_is_about() -> None:
    found = examine(*FILES, kinds=["extra_mention"], examples=1)
    text = as_text(found, colour=True)
    assert "\x1b[1m[lo]e3\x1b[0m" in text
    assert "\x1b" not in as_text(found)


def test_examples_come_from_as_many_documents_as_possible(tmp_path: Path) -> None:
    texts = random_pair(random.Random(3), "medium")
    found = examine(*written(tmp_path, *texts), examples=2)
    everything = examine(*written(tmp_path, *texts))
    for kind, examples in found.examples.items():
        documents = {fault.document for fault in everything.faults if fault.kind == kind}
        assert len({example.error.document for example in examples}) == min(2, len(documents))


def test_slices_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--by", "mention-type", "--by", "order", "--metrics", "bcub,mentions")
    assert "by mention-type  key  response   share" in text
    first = next(line.split() for line in text.splitlines() if line.startswith("first mentions "))
    assert "–" in first
    assert "span error:" not in text
    assert text.count("\nall ") == 3


def test_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--document", "en_letter", "--metric", "muc")
    muc = score(*FILES).documents["en_letter"]["muc"].f1
    assert text.startswith(f"MUC {100 * muc:.2f}: {100 - 100 * muc:.2f} points lost in document en_letter\n")


def test_what_the_rules_cost_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "1\tw\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-1)"
    text = f"# newdoc id = d\n# global.Entity = eid-head\n# sent_id = s\n{line}\n\n"
    paths = map(str, written(tmp_path, text, text))
    assert run(*paths, "--singletons", "keep") == 0
    rules = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("rules "))
    assert rules.split() == ["rules", "33.33"]


# ---- data


@pytest.mark.parametrize(
    "more",
    [
        *([], ["--by", "chain-length", "--by", "document"], ["--limit", "1"], ["--metrics", "all", "--by", "order"]),
        ["--group-by", "text", "--kind", "divided"],
    ],
)
def test_json_keeps_to_its_schema(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    content = as_json(capsys, *more)
    jsonschema.Draft202012Validator(schema(SCHEMA)).validate(content)
    assert content["schema"] == SCHEMA


def test_the_schema_is_a_schema_and_knows_all_kinds() -> None:
    content = schema(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(content)
    fault = content["properties"]["faults"]["items"]["properties"]
    assert fault["kind"]["enum"] == [row.name for row in ERROR_KINDS.values() if row.concerns != ZEROS]
    assert content["$defs"]["counts"]["required"] == KINDS


def test_json_has_every_fault_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    content = as_json(capsys)
    kinds = [fault["kind"] for fault in content["faults"]]
    assert {kind: kinds.count(kind) for kind in KINDS} == {kind: content["errors"][kind] for kind in KINDS}
    attributed = content["attribution"]
    total = sum(step["gain"] for step in attributed["classes"].values())
    assert total == pytest.approx(attributed["lost"], abs=1e-9)
    zero = next(fault for fault in content["faults"] if fault["kind"] == "missing_mention" and fault["zero"])
    assert (zero["key"], zero["sentence"], zero["line"]) == (["2:5.1"], "es_biblioteca-2", 32)
    assert (zero["head"], zero["mention_type"], zero["distance"]) == ("∅", "zero", "0")
    assert len(as_json(capsys, "--kind", "misattached_zero")["faults"]) == 1
    limited = [fault["kind"] for fault in as_json(capsys, "--limit", "1")["faults"]]
    assert len(limited) == len(set(limited)) == 5


def test_csv_has_a_row_for_every_fault_or_slice(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(capsys, "--format", "csv"))))
    assert len(rows) == 12
    assert {row["zero_kind"] for row in rows} == {"", "missing_zero", "extra_zero", "misattached_zero"}
    divided = next(row for row in rows if row["kind"] == "divided")
    assert (divided["key_entity"], divided["other_entity"]) == ("e5", "e8")
    slices = list(csv.DictReader(io.StringIO(shown(capsys, "--format", "csv", "--by", "order"))))
    assert [slices[0][name] for name in ("by", "value", "muc")] == ["order", "first", ""]
    assert float(slices[1]["bcub"]) > 0.5


def test_the_name_of_a_file_says_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in ("json", "csv"):
        path = tmp_path / f"errors.{suffix}"
        assert run(*FILES, "-o", str(path)) == 0
        assert capsys.readouterr().out == ""
        assert path.read_text() == shown(capsys, "--format", suffix)
    assert run(*FILES, "-o", str(tmp_path / "errors.xyz")) == 2
    assert not (tmp_path / "errors.xyz").exists()
    capsys.readouterr()


def test_many_entities_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence is taken apart once, not once for each error, and the points still add up."""
    entities = [number // 2 for number in range(2000)]
    shuffled = random.Random(1).sample(entities, len(entities))

    def text(ids: list[int]) -> str:
        return "\n".join(["#begin document (d); part 000", *(f"w\t({i})" for i in ids), "", "#end document", ""])

    paths = [str(path) for path in written(tmp_path, text(entities), text(shuffled), "conll")]
    assert run(*paths, "--format", "json", "--quiet") == 0
    found = json.loads(capsys.readouterr().out)
    attribution = found["attribution"]
    points = sum(step["gain"] for step in attribution["classes"].values())
    assert points == pytest.approx(attribution["lost"], abs=1e-9)
    assert found["errors"]["divided"] > 960
    assert all(fault["line"] == int(fault["key"][0].partition(":")[2]) + 1 for fault in found["faults"])


# ---- what can go wrong


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--by", "mention-tipe"], "did you mean 'mention-type'"),
        (["--by", "genre=("], "not a regular expression"),
        (["--metric", "d_err"], "0 is perfect"),
        (["--metric", "xyz"], "unknown metric 'xyz'"),
        (["--metrics", "xyz", "--by", "order"], "unknown metric 'xyz'"),
    ],
)
def test_wrong_options_are_explained(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*FILES, *arguments) == 2
    assert said in capsys.readouterr().err


def test_an_unknown_document_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*FILES, "--document", "en_leter") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "there is no document 'en_leter'" in err
    assert "'en_letter'" in err


def test_a_document_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*FILES, "--document", "en_leter") == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "no document 'en_leter'" in output.err
    assert "'en_letter'" in output.err


@pytest.mark.parametrize(
    "arguments", [["--kind", "dividd"], ["--limit", "-1"], ["--examples", "x"], ["--format", "xml"]]
)
def test_usage_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(*FILES, *arguments)
    assert stopped.value.code == 2
    capsys.readouterr()


def test_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY), str(tmp_path / "none.conllu")) == 1
    assert "none.conllu" in capsys.readouterr().err


def test_hostile_text_is_inert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def text(entity: str) -> str:
        lines = ["# newdoc id = d\x1b[31m", "# global.Entity = eid-head", "# sent_id = s\x1b]0;x\x07"]
        forms = ["\x1b[2J", "a\u202eb", "x" * 500, "=1+1"]
        lines += [f"{n}\t{form}\t_\t_\t_\t_\t0\t_\t_\t{entity}" for n, form in enumerate(forms, 1)]
        return "\n".join(lines) + "\n\n"

    paths = [str(path) for path in written(tmp_path, text("Entity=(e\x1b[5m1-1)"), text("_"))]
    assert run(*paths, "--limit", "5") == 0
    output = capsys.readouterr()
    assert "missing entity" in output.out
    assert "\\x1b[2J" in output.out
    for dangerous in ("\x1b", "\u202e", "\x07"):
        assert dangerous not in output.out + output.err
    assert run(*paths, "--document", "d\x1b[32m") == 1
    assert "\x1b" not in capsys.readouterr().err


CONLL = """#begin document (d); part 000
d 0 0 Ann (0)
d 0 1 saw -
d 0 2 the (1
d 0 3 dog 1)

d 0 0 She (0)
d 0 1 fed -
d 0 2 it {}

#end document
"""


def test_other_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(path) for path in written(tmp_path, CONLL.format("(1)"), CONLL.format("-"), "conll")]
    assert run(*paths, "--preset", "conll12", "--limit", "1") == 0
    text = capsys.readouterr().out
    assert re.search("missing mention +it +1 ", text)
    assert "key       She fed [it]1" in text
    assert run(*paths, "--documents", "merge", "--limit", "1") == 0
    assert "document all documents" in capsys.readouterr().out


# ---- columns


def test_columns_count_wide_characters() -> None:
    assert [width_of(line) for line in table(["", "n"], [["東京", "1"], ["ab", "10"]])] == [8, 8, 8]
    assert cut("東京", 3) == "東…"
    assert cut("ab", 0) == ""


# ---- relations

RELATED = [str(GOLDEN / "anaphora" / f"{side}.conllua") for side in ("key", "response")]
ONCE = (
    *("wrong_entity", "missing_element", "missing_non_referring"),
    *("deixis_missing_mention", "deixis_extra_mention"),
)


def test_errors_in_relations_are_counted_and_shown_with_what_they_are_linked_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(*RELATED, "--examples", "2") == 0
    text = capsys.readouterr().out
    _, _, table_of_relations = text.partition("\nrelations ")
    rows = {line[:31].strip(): line.split()[-1] for line in table_of_relations.split("\n\n")[0].splitlines()[1:]}
    assert rows == {ERROR_KINDS[kind].title: "1" for kind in ONCE}
    assert re.search("plural with a missing element +They +1", table_of_relations)
    assert "key       the door → an old house (part)\nresponse  the door → Bob (part)\n" in text
    assert "key       [They] closed the door .\n" in text
    assert "key       They → Bob\n" in text
    assert "key       [It] rained .\nresponse  It rained .\n" in text
    assert "weakest: anaphors of none" not in text


def test_errors_in_relations_can_be_asked_for_and_keep_to_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*RELATED, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema(SCHEMA)).validate(content)
    assert [content["errors"][kind] for kind in ONCE] == [1] * len(ONCE)
    faults = {fault["kind"]: fault for fault in content["faults"]}
    wrong = faults["wrong_entity"]
    assert [wrong[name] for name in ("key", "key_targets", "key_entity")] == [["2:3,4"], ["1:5,6,7"], "house"]
    assert [wrong[name] for name in ("response", "response_targets", "label")] == [["2:3,4"], ["1:3"], "part"]
    assert "key_targets" not in faults["extra_mention"]
    assert run(*RELATED, "--format", "csv", "--kind", "missing_element") == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["text"], row["key_targets"], row["response_targets"]) == ("They", "1:3", "")


def test_files_without_relations_show_nothing_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert "relations" not in shown(capsys)
    content = as_json(capsys)
    assert not any(ERROR_KINDS[kind].relation for kind in content["errors"])
    assert all("label" not in fault for fault in content["faults"])


def test_mentions_are_sliced_by_relation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*RELATED, "--by", "relation") == 0
    rows = {line.split("  ")[0] for line in capsys.readouterr().out.splitlines()}
    assert rows >= {"by relation", "anaphors of no relation", "anaphors of split", "anaphors of bridging part"}
    assert run(*FILES, "--by", "relation") == 0


@pytest.mark.parametrize("metric", ["bridging_entity", "split", "deixis", "non_referring"])
def test_lost_points_of_relations_keep_to_the_schema(metric: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*RELATED, "--metric", metric, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema(SCHEMA)).validate(content)
    attributed = content["attribution"]
    assert {step: row["gain"] for step, row in attributed["classes"].items() if row["gain"]}.keys() <= {*ONCE}
    assert sum(row["gain"] for row in attributed["classes"].values()) == pytest.approx(attributed["lost"])


def test_tables_lose_points_of_the_metric_that_score_prints_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "key.csv", tmp_path / "response.csv"]
    for path, entities in zip(paths, ("aabb", "aaab"), strict=True):
        rows = [f"{mention},{entity}" for mention, entity in enumerate(entities)]
        path.write_text("\n".join(["id,cluster", *rows, ""]), encoding="utf-8")
    for arguments, title in (([], "Pairs"), (["--metric", "conll"], "CoNLL"), (["--jobs", "2"], "Pairs")):
        assert main(["errors", *map(str, paths), *arguments]) == 0
        assert capsys.readouterr().out.startswith(f"{title} ")
