"""Small files that would fill memory: each is refused by name, and the process stays small."""

from __future__ import annotations

import gzip
import os
from itertools import pairwise
from pathlib import Path

import pytest

import corefscope
from corefscope.core.errors import InputError
from corefscope.formats.source import max_memory
from peak import run_limited

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits on memory are those of POSIX")

SMALL = 300 << 20
"""Bytes that a process may take which refuses its input at once."""


@pytest.mark.parametrize("before", ["metrics:\n", "datasets:\n  x:\n"])
def test_aliases_of_yaml_are_refused(before: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    names = "abcdefghij"
    lists = ["  - &a [" + "x," * 9 + "]"]
    lists += [f"  - &{name} [" + f"*{inner}," * 9 + "]" for inner, name in pairwise(names)]
    (tmp_path / "t.yaml").write_text(before + "\n".join(lists) + "\nsystems: {b: k}\n", encoding="utf-8")
    ended = run_limited("task", "t.yaml", cwd=tmp_path)
    assert ended.code == 1
    assert "the alias *a is not read" in ended.said
    assert ended.peak < SMALL


JSON = {
    "empty lists": ("x.json", b"[", b"[],", b"[]]"),
    "objects": ("x.json", b"[", b"{},", b"{}]"),
    "ids": ("x.json", b"[[", b"0,", b"1]]"),
    "deep in a document": (
        "x.jsonl",
        b'{"doc_key": "d", "sentences": [["a"]], "clusters": [',
        b"[[0,0]],",
        b"[[0,0]]]}",
    ),
    "before the name": ("x.jsonl", b'{"sentences": [["a"]], "clusters": [', b"[],", b'[]], "doc_key": "d"}'),
    "one long line": ("x.jsonl", b'{"doc_key": "d", "sentences": [["', b"a" * 8, b'"]], "clusters": []}'),
}


@pytest.mark.parametrize("case", JSON)
def test_json_that_was_compressed_takes_no_more_memory_than_allowed(case: str, tmp_path: Path) -> None:
    """200 MB and more of JSON in 200 kB, which would be made into 10 GB of lists."""
    name, start, middle, end = JSON[case]
    size = 700 << 20 if case == "one long line" else 200 << 20
    piece = middle * ((1 << 20) // len(middle))
    bomb = tmp_path / f"{name}.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(size >> 20):
            file.write(piece)
        file.write(end)
    ended = run_limited("score", bomb, bomb)
    assert ended.code == 1
    assert f"{name}.gz" in ended.said
    assert "would take more than 2GB of memory once it is unpacked" in ended.said
    assert "--max-unpacked" in ended.said
    assert ended.peak < 2 * 10**9


@pytest.mark.parametrize(("rows", "length"), [(1 << 26, 1), (1 << 14, 1 << 18)], ids=["rows", "long texts"])
def test_parquet_takes_no_more_memory_than_allowed(rows: int, length: int, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.nulls(1 << 14, pyarrow.int32()).fill_null(0), ["x" * length])
    table = pyarrow.table({"mention": texts, "entity": texts})
    bomb = tmp_path / "x.parquet"
    with parquet.ParquetWriter(bomb, table.schema, compression="zstd") as writer:
        for _ in range(rows >> 14):
            writer.write_table(table)
    ended = run_limited("score", bomb, bomb)
    assert ended.code == 1
    assert "x.parquet: would take more than 2GB of memory once it is unpacked" in ended.said
    assert ended.peak < 2 * 10**9


def test_memory_is_raised_by_the_limit_of_unpacked_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COREFSCOPE_MAX_UNPACKED", raising=False)
    assert max_memory() == 2 * 10**9
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "5MB")
    assert max_memory() == 2 * 10**9
    monkeypatch.setenv("COREFSCOPE_MAX_UNPACKED", "20GB")
    assert max_memory() == 20 * 10**9


def test_plain_json_is_not_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefscope.formats.source.max_memory", lambda: 1000)
    text = b'[["a", "b"], ["c", "d"]]'
    (tmp_path / "x.json").write_bytes(text)
    (tmp_path / "y.json.gz").write_bytes(gzip.compress(text))
    assert corefscope.score(tmp_path / "x.json", tmp_path / "x.json")["muc"].f1 == 1
    with pytest.raises(InputError, match="of memory once it is unpacked"):
        corefscope.score(tmp_path / "y.json.gz", tmp_path / "x.json")


def _crowded(entities: int) -> str:
    """A word and a second one, each with that many entities on it."""
    crowd = "".join(f"(e{number}-x-1-)" for number in range(entities))
    words = [f"{i}\ta\ta\tX\t_\t_\t{i - 1}\tdep\t_\tEntity={crowd}" for i in (1, 2)]
    head = ["# global.Entity = eid-etype-head-other", "# newdoc id = crowd", "# sent_id = 1", "# text = a a"]
    return "\n".join([*head, *words, "", ""])


@pytest.mark.parametrize("rules", ["corefud-1.2", "conll-8.01"])
def test_entities_by_the_thousand_on_one_span_are_refused(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(_crowded(4000), encoding="utf-8")
    assert path.stat().st_size < 100_000
    ended = run_limited("score", path, path, "--rules", rules)
    assert ended.code == 1
    message = "document 'crowd': 32,000,000 pairs of key and response entities share a mention, and 1,000,000 can be"
    assert f"{path}: {message}" in ended.said
    assert ended.peak < SMALL


def test_entities_by_the_hundred_on_one_span_are_scored(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text(_crowded(100), encoding="utf-8")
    assert corefscope.score(path, path)["muc"].f1 == 1


def test_thousands_of_clusters_with_one_mention_are_refused() -> None:
    clusters = [["a", number] for number in range(2000)]
    with pytest.raises(InputError, match="4,002,000 pairs"):
        corefscope.score_clusters(clusters, clusters, rules="corefud-1.2")
