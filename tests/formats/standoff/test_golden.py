"""Files that others wrote in each format say what their key says, recognised without any option."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope
from places import GOLDEN
from standoff_files import read, read_clusters

FOLDERS = sorted((GOLDEN / "standoff").glob("d*"))
FORMATS = {
    "brat.ann": "brat",
    "book.entities": "booknlp",
    "webanno.tsv": "webanno",
    "mmax.mmax": "mmax",
    "markables/mmax_coref_level.xml": "mmax",
    "sacr.sacr": "sacr",
    "1_1ecb.xml": "ecb",
}
SCORED = [
    ("key.jsonl", "book.entities"),
    ("key.jsonl", "webanno.tsv"),
    ("key.jsonl", "mmax.mmax"),
    ("key.jsonl", "1_1ecb.xml"),
    ("key.jsonl", "cdcr.json"),
    ("cdcr.json", "cdcr.json"),
    ("scorch.key.json", "scorch.json"),
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("name", FORMATS)
def test_the_clusters_are_those_of_the_key(name: str, folder: Path) -> None:
    _, (key,) = read(folder / "key.jsonl")
    format_, (document,) = read(folder / name)
    assert format_ == FORMATS[name]
    assert read_clusters(document) == read_clusters(key)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize(("key", "response"), SCORED)
def test_the_score_is_100(key: str, response: str, folder: Path) -> None:
    report = corefscope.score(folder / key, folder / response, match="exact", singletons="keep", metrics="conll")
    assert report["conll"].f1 == 1
