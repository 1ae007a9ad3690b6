"""Parquet of Hugging Face data sets: rows are the documents that lines of jsonlines would be."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.core.errors import Warnings
from corefscope.formats.detection import open_reader
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

WORDS = ["Ann", "likes", "her", "dog"]
CLUSTERS = [[[0, 0], [2, 2]], [[2, 3]]]
DIALECTS: dict[str, dict[str, Any]] = {
    "sentences": {"doc_key": "walk", "sentences": [WORDS], "clusters": CLUSTERS, "speakers": [["_"] * 4]},
    "tokens": {"id": 7, "tokens": WORDS, "clusters_token_offsets": CLUSTERS},
    "coref-data": {
        "id": "walk",
        "text": "Ann likes her dog",
        "sentences": [{"id": 0, "tokens": [{"text": word, "upos": "X"} for word in WORDS]}],
        "coref_chains": [[[0, 0, 0], [0, 2, 2]], [[0, 2, 3]]],
    },
    "PreCo": {"id": "walk", "sentences": [WORDS], "mention_clusters": [[[0, 0, 1], [0, 2, 3]], [[0, 2, 4]]]},
}
WINO = {"document_id": "x", "part_number": 0, "tokens": WORDS, "coreference_clusters": ["0", "0", "2", "3"]}


def put(folder: Path, *rows: dict[str, Any], name: str = "walk.parquet", **options: Any) -> Path:
    path = folder / name
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path, **options)
    return path


def spoken(path: Path) -> list[list[list[str]]]:
    name, documents = read(path)
    assert name == "parquet"
    return [
        [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]
        for document in documents
    ]


def refusal(path: Path, format_: str | None = None) -> str:
    with pytest.raises(corefscope.InputError) as error:
        read(path, format_)
    return str(error.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_rows_are_documents(dialect: str, tmp_path: Path) -> None:
    path = put(tmp_path, DIALECTS[dialect])
    assert spoken(path) == [[["Ann", "her"], ["her dog"]]]
    same = tmp_path / "same.jsonl"
    same.write_text(json.dumps(DIALECTS[dialect]), encoding="utf-8")
    report = corefscope.score(same, path, metrics="conll")
    assert report["conll"].f1 == 1
    assert report.signature.startswith("jsonl+parquet|")


def test_clusters_of_winobias_are_flat_lists_of_strings(tmp_path: Path) -> None:
    none: dict[str, Any] = WINO | {"part_number": 2, "coreference_clusters": []}
    path = put(tmp_path, WINO, WINO | {"part_number": 1, "coreference_clusters": ["2", "2"]}, none)
    assert spoken(path) == [[["Ann", "her dog"]], [["her"]], []]


@pytest.mark.parametrize("flat", [["0"], ["0", "x"], ["0", "9" * 5000], ["-1", "0"], [None, "1"]])
def test_other_flat_lists_are_refused(flat: list[str], tmp_path: Path) -> None:
    path = put(tmp_path, WINO, WINO | {"part_number": 1, "coreference_clusters": flat})
    assert ":2: coreference_clusters is [" in refusal(path)


def test_other_columns_are_left_out(tmp_path: Path) -> None:
    assert spoken(put(tmp_path, DIALECTS["sentences"] | {"picture": b"\xff", "when": 1.5})) == [
        [["Ann", "her"], ["her dog"]]
    ]


def test_tables_of_mentions_are_still_tables(tmp_path: Path) -> None:
    path = put(tmp_path, {"document": "a", "mention": "m1", "entity": "e1"})
    assert read(path)[0] == "table"


def test_it_can_be_read_again(tmp_path: Path) -> None:
    _, reader = open_reader(put(tmp_path, DIALECTS["sentences"]), None, Warnings())
    again: Any = type(reader)
    assert [document.id for document in again(reader.source, Warnings(), "key")] == ["walk"]
    reader.source.close()


def test_the_commands_that_take_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, converted = put(tmp_path, DIALECTS["sentences"]), tmp_path / "converted.jsonl"
    assert main(["validate", str(path)]) == 0
    assert main(["stats", str(path)]) == 0
    assert main(["convert", str(path), str(converted)]) == 0
    assert [len(entity) for entity in read(converted)[1][0].entities] == [2, 1]
    capsys.readouterr()


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"parquet {seed}")
    documents = [random_text(rng) for _ in range(rng.randint(1, 4))]
    rows = [
        {
            "doc_key": f"d{at}",
            "sentences": each.sentences,
            "clusters": [[[a, b - 1] for ((a, b),) in members] for members in each.entities],
        }
        for at, each in enumerate(documents)
    ]
    path = put(tmp_path, *rows, row_group_size=rng.choice((1, 2, 99)), compression=rng.choice(("snappy", "none")))
    name, found = read(path)
    assert name == "parquet"
    assert list(map(read_clusters, found)) == list(map(wanted_clusters, documents))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"sentences": [WORDS], "clusters": [[[0, 9]]]}, ":1: the mention \\[0, 9\\]|:1: .*\\[0, 9\\]"),
        ({"sentences": "Ann", "clusters": CLUSTERS}, ":1: "),
        ({"sentences": [WORDS], "clusters": "x"}, ":1: "),
        ({"sentences": [WORDS], "clusters": [[[0.5, 1.0]]]}, ":1: "),
        ({"sentences": [[1, 2]], "clusters": CLUSTERS}, ":1: "),
        ({"tokens": "Ann", "coreference_clusters": "01"}, ":1: coreference_clusters is 01"),
    ],
)
def test_faults_have_the_number_of_the_row(row: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError, match=message):
        read(put(tmp_path, row))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path, DIALECTS["sentences"])
    path.write_bytes(path.read_bytes()[:-9])
    assert "is no Parquet file that can be read" in refusal(path)
    assert "is no Parquet file that can be read" in refusal(path, "parquet")
    other = tmp_path / "other.jsonl"
    other.write_text("{}", encoding="utf-8")
    assert "is no Parquet file that can be read" in refusal(other, "parquet")


def test_rows_that_take_too_much_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, {"tokens": ["x"] * 100_000, "clusters": [[[0, 0]]]})
    assert path.stat().st_size < 5000
    monkeypatch.setattr("corefscope.formats.jsonl.parquet.max_memory", lambda: 1_000_000)
    assert "would take more than 2GB of memory" in refusal(path)
