"""Agreement of annotators: the same whoever is named first."""

from __future__ import annotations

import csv
import json
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import corefscope
from corefscope.analysis.agreement import MEASURES, Agreement, agree, measures
from corefscope.cli.compare import AGREE
from corefscope.cli.parser import Parser
from corefscope.cli.terminal import guarded
from corefscope.core.errors import AlignmentError, InputError, OptionError
from corefscope.core.numbers import headline
from corefscope.formats.naming import names_of
from corefscope.output.formats import REPORTS
from corefscope.output.formats.json_text import schema
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from rendering import as_text

BOTH = [EXAMPLE_KEY, EXAMPLE_RESPONSE]


def run(*arguments: str) -> int:
    parser = Parser()
    AGREE.add_arguments(parser)
    options = parser.parse_args(arguments)
    return guarded(lambda: AGREE.run(options))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Agreement:
    """Two annotators of the example, and one who has read neither."""
    third = tmp_path_factory.mktemp("annotators") / "third.conllu"
    content = EXAMPLE_KEY.read_text(encoding="utf-8").replace("(e2-place-1)", "(e3-place-1)")
    third.write_text(content, encoding="utf-8")
    return agree([*BOTH, third])


def test_all_symmetric_measures_are_taken() -> None:
    assert {"muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "conll", "mentions", "kappa", "entropy"} <= set(MEASURES)
    assert not {"zero", "b3_sys", "xcore", "d_err"} & set(MEASURES)


def test_figures_are_those_of_score(three: Agreement) -> None:
    report = corefscope.score(*BOTH, rules="corrected", match="exact", singletons="keep", metrics=MEASURES)
    for name in MEASURES:
        assert three.value(name, "key", "response") == headline(report[name])
    assert three["key", "response"].signature == three.signature == report.signature


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_annotators_does_not_matter(seed: int, tmp_path: Path) -> None:
    flags: dict[str, Any] = dict.fromkeys(("duplicates", "two_heads", "empty_deps"), seed % 2 == 1)
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    for path, content in zip(paths, random_pair(random.Random(seed), **flags), strict=True):
        path.write_text(content, encoding="utf-8")
    for match in ("exact", "head"):
        forth, back = agree(paths, match=match), agree(paths[::-1], match=match)
        for name in MEASURES:
            assert forth.value(name, "a", "b") == pytest.approx(back.value(name, "a", "b"), abs=1e-12), name
        same = agree([paths[0], paths[0]], match=match)
        assert {name: same.mean(name) for name in MEASURES} == pytest.approx(dict.fromkeys(MEASURES, 1.0))


def test_means_and_matrices_are_made_of_pairs(three: Agreement) -> None:
    assert list(three) == [("key", "response"), ("key", "third"), ("response", "third")]
    for name in three.metrics:
        values = [three.value(name, *pair) for pair in three]
        assert three.mean(name) == pytest.approx(sum(values) / 3)
        matrix = three.matrix(name)
        assert all(matrix[i][i] is None for i in range(3))
        assert all(matrix[i][j] == matrix[j][i] for i, j in permutations(range(3), 2))
        assert [matrix[0][1], matrix[0][2], matrix[1][2]] == values
    assert three["response", "key"] is three["key", "response"]


def test_documents_are_means_over_pairs(three: Agreement) -> None:
    assert list(three.documents) == ["es_biblioteca", "en_letter"]
    for document, figures in three.documents.items():
        values = [headline(report.documents[document]["conll"]) for report in three.values()]
        assert figures["conll"] == pytest.approx(sum(values) / 3)


def test_text_shows_a_matrix_for_each_measure(three: Agreement) -> None:
    shown = as_text(three.with_all(), 80)
    assert all(len(line) <= 80 for line in shown.split("\n"))
    assert shown.count("third") == 1 + 2 * len(three.metrics)
    assert "--all" not in shown
    assert f"{100 * three.mean('kappa'):.2f}" in shown
    assert shown.endswith(three.signature + "\n")
    per_document = as_text(three, 80, per_document=True)
    assert all(len(line) <= 80 for line in per_document.split("\n"))
    assert "es_biblioteca" in per_document
    assert "es_biblioteca" not in shown


def test_three_measures_lead_and_say_which_to_report(three: Agreement) -> None:
    assert three.shown == ("mentions", "conll", "kappa")
    lines = as_text(three, 80).splitlines()
    assert [line.split()[0] for line in lines[3:6]] == ["Mentions", "CoNLL", "κ"]
    assert [line.partition(":")[0] for line in lines if "Report this one" in line] == ["CoNLL"]
    assert sum(line.startswith("third ") for line in lines) == 1  # of the one matrix
    assert f"--all shows {len(MEASURES) - 3} more measures and their matrices" in lines
    assert {*three.to_dict()["mean"]} == {*MEASURES}


def test_ten_annotators_fit_a_screen(tmp_path: Path) -> None:
    paths = [tmp_path / f"annotator-{number}.conllu" for number in range(10)]
    for path in paths:
        path.write_bytes(EXAMPLE_KEY.read_bytes())
    lines = as_text(agree(paths), 80).splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80


def test_of_two_annotators_there_is_one_column() -> None:
    shown = as_text(agree(BOTH, metrics="muc,kappa"))
    assert [line.split() for line in shown.split("\n")[2:5]] == [["Agreement"], ["MUC", "66.67"], ["κ", "33.38"]]


def test_names_from_files_are_harmless_in_text() -> None:
    shown = as_text(agree(BOTH, names=["\x1b[31mred", "blue"], metrics="lea"))
    assert "\x1b" not in shown


@pytest.mark.parametrize("per_document", [False, True])
def test_json_keeps_to_its_schema(three: Agreement, per_document: bool) -> None:
    content = json.loads(REPORTS["json"].render(three, per_document))
    jsonschema.Draft202012Validator(schema("corefscope-agreement-1")).validate(content)
    assert ("documents" in content["pairs"][0]) == per_document
    assert content["mean"]["lea"] == three.mean("lea")


def test_csv_reads_back(three: Agreement) -> None:
    rows = list(csv.DictReader(REPORTS["csv"].render(three).splitlines()))
    assert [(row["annotator"], row["other"]) for row in rows] == [*three, ("", "")]
    assert float(rows[1]["kappa"]) == three.value("kappa", "key", "third")
    assert {row["signature"] for row in rows} == {three.signature}
    rows = list(csv.DictReader(REPORTS["csv"].render(three, True).splitlines()))
    assert [row["document"] for row in rows] == ["es_biblioteca", "en_letter"] * 3 + [""] * 4
    assert float(rows[-3]["kappa"]) == three.value("kappa", "key", "third")


def test_metrics_are_chosen_by_name_and_group() -> None:
    assert measures("corefud") == tuple(name for name in corefscope.GROUPS["corefud"] if name != "zero")
    assert measures(["kappa", "lea"]) == ("kappa", "lea")
    with pytest.raises(OptionError, match="no measure of agreement: zero"):
        measures("lea,zero")
    with pytest.raises(OptionError, match="did you mean 'kappa'"):
        measures("kapa")


@pytest.mark.parametrize(
    ("paths", "options", "message"),
    [
        (BOTH[:1], {}, "two annotators"),
        ([*BOTH, "-"], {}, "standard input"),
        (BOTH, {"match": "partial"}, "prefers the key"),
        (BOTH, {"match": "xact"}, "did you mean 'exact'"),
        (BOTH, {"rules": "corefud-1.2"}, "treat key and response differently"),
        (BOTH, {"names": "a,b,c"}, "3 names for 2 files"),
        (BOTH, {"names": "a,a"}, "must differ"),
    ],
)
def test_what_prefers_a_side_is_refused(paths: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        agree(paths, **options)


def test_files_over_other_words_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    other.write_text(EXAMPLE_KEY.read_text(encoding="utf-8").replace("\tayer\t", "\thoy\t", 1), encoding="utf-8")
    with pytest.raises(InputError, match="hoy"):
        agree([*BOTH, other])


def test_names_tell_files_apart() -> None:
    assert names_of(["a/x.conllu", "b/x.conllu", "c/x.conllu"]) == ("a/x", "b/x", "c/x")
    assert names_of(["x.conllu", "x.conllu"]) == ("x", "x (2)")
    assert names_of([Path("x"), ".hidden", "-"]) == ("x", ".hidden", "-")
    assert names_of(["x", "y"], "one, two") == ("one", "two")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = list(map(str, BOTH))
    assert run(*paths, "--names", "Anna,Béla", "--metrics", "conll,kappa") == 0
    assert "Agreement of Anna, Béla" in capsys.readouterr().out
    table = tmp_path / "agreement.json"
    assert run(*paths, *paths[:1], "-o", str(table), "--per-document") == 0
    assert json.loads(table.read_text(encoding="utf-8"))["annotators"] == ["key", "response", "key (2)"]
    assert not capsys.readouterr().out
    assert run(*paths, "-o", "table.svg") == 2
    assert run(paths[0]) == 2
    assert run(paths[0], str(tmp_path / "none")) == 1
    assert capsys.readouterr().err.count("error:") == 3


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("\tLa\t", "\tLe\t", "word 1 of sentence 'es_biblioteca-1' is 'Le', but in line 5 of {0} 'La'"),
        ("newdoc id = es", "newdoc id = fr", "but in line 1 of {0} 'es_biblioteca' (2 documents in {0}, 2 in {1})"),
        ("# newdoc id = en_letter\n", "", "document 'en_letter' is not in {1} (2 documents in {0}, 1 in {1})"),
    ],
)
def test_files_that_differ_are_named(old: str, new: str, says: str, tmp_path: Path) -> None:
    other = tmp_path / "other.conllu"
    other.write_text(EXAMPLE_KEY.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(AlignmentError) as raised:
        agree([EXAMPLE_KEY, other])
    assert says.format(EXAMPLE_KEY, other) in str(raised.value)
    assert not re.search(r"\bthe (key|response)\b", str(raised.value))


def test_a_document_that_only_one_annotator_has_is_averaged_over_the_pairs_that_have_it(tmp_path: Path) -> None:
    """A table cannot say that a document is empty: two of three annotators have nothing in it."""
    texts = ["a,1,x\na,2,x\nb,1,x\nb,2,x\n", "a,1,x\na,2,x\n", "a,1,x\na,2,x\n"]
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text("document,mention,entity\n" + text, encoding="utf-8")
    agreement = corefscope.agree(paths, metrics="muc")
    assert list(agreement.documents) == ["a", "b"]
    assert agreement.documents["a"]["muc"] == 1
    assert agreement.documents["b"]["muc"] == 0
