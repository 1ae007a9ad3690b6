"""Scores by class: against the definitions on sets, their properties, files, and every place that shows them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import corefscope
from corefscope import InputError, OptionError
from corefscope.analysis.errors.labels import Labels, TypedCounts
from corefscope.analysis.errors.pairing import AnnotatedSide, Pairing
from corefscope.cli import main
from corefscope.core.options import Options
from corefscope.core.steps import align
from corefscope.formats.tables.rows import ids_document
from corefscope.formats.tables.writer import mention_name
from examples import examples
from oracles.typed import typed
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, SOURCE
from strategies import Clusters, pairs

FILES = str(EXAMPLE_KEY), str(EXAMPLE_RESPONSE)
LETTERS = "abcdefghijkl"
OPTIONS = Options(match="exact", singletons="keep", rules="corrected")
labelled = st.dictionaries(st.sampled_from(LETTERS), st.sampled_from(["person", "place", "thing"]))


def _labels(folder: Path, labels: dict[str, str]) -> Labels:
    path = folder / "classes.csv"
    path.write_text("mention,class\n" + "".join(f"{m},{c}\n" for m, c in labels.items()), encoding="utf-8")
    return Labels(str(path))


def _counted(pair: tuple[Clusters, Clusters], labels: Labels) -> TypedCounts:
    key, response = (ids_document("d", [(str(i), e) for i, e in enumerate(side)], "") for side in pair)
    alignment = align(key, response, OPTIONS)
    sides = AnnotatedSide(key, alignment.key), AnnotatedSide(response, alignment.response)
    counts, pairing = TypedCounts(), Pairing(alignment)
    counts.add(labels.values(*sides, pairing), pairing)
    return counts


@examples(150)
@given(pair=pairs, labels=labelled)
def test_scores_are_those_of_the_definition(
    pair: tuple[Clusters, Clusters], labels: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = _counted(pair, _labels(tmp_path_factory.mktemp("labels"), labels))
    expected, confusion = typed(*pair, labels, LETTERS)
    assert {name: count for name, count in found.confusion.items() if count} == dict(confusion)
    *classes, everything = found.scores()
    assert {scores.name: scores.counts for scores in classes} == expected
    totals = tuple(tuple(map(sum, zip(*kind, strict=True))) for kind in zip(*expected.values(), strict=True))
    assert everything.counts == (totals or ((0, 0, 0), (0, 0, 0)))


@examples(60)
@given(pair=pairs)
def test_one_class_gives_the_plain_scores(
    pair: tuple[Clusters, Clusters], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """All mentions are found as in mention detection, and all links as in ``pairs``."""
    found = _counted(pair, _labels(tmp_path_factory.mktemp("labels"), dict.fromkeys(LETTERS, "thing")))
    report = corefscope.score_clusters(*pair, metrics="mentions,pairs")
    *_, everything = found.scores()
    assert tuple(everything.mentions) == pytest.approx(tuple(report["mentions"]))
    assert tuple(everything.links) == pytest.approx(tuple(report["pairs"]))


def test_the_worked_example_of_the_page(tmp_path: Path) -> None:
    """Entity {a, b, c} is a person in the key; the response puts c with d and e, which are places."""
    labels = _labels(tmp_path, {"a": "person", "b": "person", "d": "place", "e": "place"})
    found = _counted(([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]), labels)
    assert found.confusion == {("person", "person"): 2, ("person", "place"): 1, ("place", "place"): 2}
    person, place, everything = sorted(found.scores(), key=lambda scores: scores.name == "all")
    assert (person.name, person.counts) == ("person", ((2, 3, 2), (1, 3, 1)))
    assert (place.name, place.counts) == ("place", ((2, 2, 3), (1, 1, 3)))
    assert (everything.mentions.f1, everything.links.f1) == pytest.approx((4 / 5, 1 / 2))


def test_a_response_mention_without_label_has_that_of_its_counterpart(tmp_path: Path) -> None:
    """Heads match, and the file names the words of the key's mentions only."""
    rows = ["document,mention,class"]
    for document in corefscope.read_documents(FILES[0]):
        numbers = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
        rows += [f'{document.id},"{mention_name(m, numbers)}",thing' for e in document.entities for m in e]
    path = tmp_path / "classes.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    found = corefscope.examine(*FILES, labels=path, metrics="mentions")
    detection = found.report["mentions"]
    *_, everything = found.typed["label"].scores()
    assert everything.mentions.recall == pytest.approx(detection.recall)
    assert found.typed["label"].classes == ["thing"]
    assert found.typed["label"].confusion["thing", "none"] == 0
    assert "thing" in [part.value for part in found.slices["label"]]


def _example_labels(folder: Path) -> str:
    """Three classes in turn, for the first mentions of the entities of the key."""
    rows = ["document,mention,class"]
    for document in corefscope.read_documents(FILES[0]):
        numbers = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
        for i, entity in enumerate(document.entities):
            rows.append(f'{document.id},"{mention_name(entity[0], numbers)}",{("person", "<i>", "place")[i % 3]}')
    path = folder / "classes.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


def test_slices_have_the_mentions_of_each_class(tmp_path: Path) -> None:
    result = corefscope.examine(*FILES, labels=_example_labels(tmp_path), metrics="bcub,lea")
    parts = {part.value: part for part in result.slices["label"]}
    assert sum(part.key_mentions for part in parts.values()) == 29
    counts = {scores.name: scores.counts for scores in result.typed["label"].scores()}
    assert all(parts[name].key_mentions == counts[name][0][1] for name in parts if name != "none")
    assert "label" in {weakness.slice.by for weakness in result.worst}


@pytest.mark.parametrize("format_", ["text", "json", "csv", "markdown", "latex", "html"])
def test_every_format_shows_them(format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = _example_labels(tmp_path)
    assert main(["errors", *FILES, "--labels", labels, "--quiet", "--format", format_, "--wide"]) == 0
    out = capsys.readouterr().out
    result = corefscope.examine(*FILES, labels=labels)
    person = next(iter(result.typed["label"].scores()))
    if format_ == "json":
        saved = json.loads(out)
        schema = json.loads((SOURCE / "output/schemas/corefscope-errors-3.json").read_text(encoding="utf-8"))
        Draft202012Validator(schema).validate(saved)
        assert saved["typed"]["label"]["classes"][person.name]["mentions"]["f1"] == person.mentions.f1
    elif format_ == "csv":
        row = next(row for row in csv.DictReader(io.StringIO(out)) if row["value"] == person.name)
        assert float(row["typed_link_f1"]) == person.links.f1
        assert int(row[f"as_{person.name}"]) == person.counts[0][0]
    else:
        assert f"{100 * person.links.f1:.2f}" in out
        assert "<i>" not in out or format_ in ("text", "latex")


def test_the_page_has_the_classes(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["report", *FILES, "--labels", _example_labels(tmp_path), "-o", str(page), "--quiet"]) == 0
    content = page.read_text(encoding="utf-8")
    assert "Scores by class" in content
    assert "<bdi>&lt;i&gt;</bdi>" in content
    corefscope.write_report(FILES[0], [FILES[1]], page)
    assert "Scores by class" not in page.read_text(encoding="utf-8")


def test_several_processes_count_alike(tmp_path: Path) -> None:
    labels = _example_labels(tmp_path)
    one, two = (corefscope.examine(*FILES, labels=labels, jobs=jobs).typed["label"] for jobs in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_many_classes_are_listed_by_their_confusions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, response = (
        "\n".join(["mention,entity", *(f"{m},{e}" for m, e in rows), ""])
        for rows in ([(m, m // 2) for m in range(20)], [(m, (m + 1) // 2) for m in range(20)])
    )
    paths = [tmp_path / name for name in ("key.csv", "response.csv", "classes.csv")]
    classes = "mention,class\n" + "".join(f"{m},class {m // 2}\n" for m in range(20))
    for path, text in zip(paths, (key, response, classes), strict=True):
        path.write_text(text, encoding="utf-8")
    arguments = ["errors", *map(str, paths[:2]), "--labels", str(paths[2]), "--quiet"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "class in the key" in out
    assert "class 1" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mention\na\n", ":1: has no column 'class'"),
        ("mention,class\na,x\na,y\n", ":3: mention 'a' has two classes, 'x' and 'y'"),
        ("mention,class\na,none\n", ":2: 'none' is no class"),
        ("mention,class\nnowhere,x\n", "labels no mention of these documents"),
        ("mention,class\n", "labels no mention of these documents"),
    ],
)
def test_faults_of_files(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "classes.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        corefscope.examine(*FILES, labels=path)


def test_the_dimension_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="--labels FILE"):
        corefscope.examine(*FILES, by=["label"])
    arguments: dict[str, Any] = {"labels": _example_labels(tmp_path), "by": ["label", "mention-type"]}
    assert list(corefscope.examine(*FILES, **arguments).slices) == ["label", "mention-type"]


def test_rows_that_name_no_mention_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows for other documents are not; nor are singletons, though they are dropped."""
    rows = {"key.csv": "mention,entity\na,1\nb,1\nc,2\n", "response.csv": "mention,entity\na,1\nb,1\nc,2\n"}
    classes = "document,mention,class\n,a,person\n,b,person\n,c,place\n,B,person\n,x y,thing\nelsewhere,q,thing\n"
    for name, text in {**rows, "classes.csv": classes}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in rows]
    labels = str(tmp_path / "classes.csv")
    for jobs in ("1", "2"):
        assert main(["errors", *files, "--singletons", "drop", "--labels", labels, "--jobs", jobs]) == 0
        warned = " ".join(capsys.readouterr().err.split())
        assert "classes.csv: 2 of 5 labels name no mention, such as 'B'" in warned
    assert main(["report", *files, "--labels", labels, "--output", str(tmp_path / "page.html")]) == 0
    assert "2 of 5 labels" in (tmp_path / "page.html").read_text(encoding="utf-8")
