"""Lists of validated sentences restrict a score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main

KEY = {"doc_key": "1_1ecb", "sentences": [["Ann", "left"], ["She", "ran"]], "clusters": [[[0, 0], [2, 2]], [[1, 1]]]}
RESPONSE = KEY | {"clusters": [[[0, 0], [2, 2]], [[1, 1], [3, 3]]]}


def put(folder: Path, name: str, content: object) -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content) + "\n", encoding="utf-8")
    return str(path)


def test_mentions_of_other_sentences_do_not_count(tmp_path: Path) -> None:
    key, response = put(tmp_path, "key.jsonl", KEY), put(tmp_path, "response.jsonl", RESPONSE)
    listed = put(tmp_path, "list.csv", "Topic,File,Sentence Number\n1,1ecb,0\n9,9ecbplus,3\n")
    report = corefscope.score(key, response, metrics="bcub", sentences=listed)
    assert report["bcub"].f1 == 1
    assert "|subset:sentences|" in report.signature
    assert corefscope.score(key, response, metrics="bcub")["bcub"].f1 < 1
    assert main(["score", key, response, "--sentences", listed, "--quiet"]) == 0


def test_documents_that_are_not_listed_are_named(tmp_path: Path) -> None:
    key = put(tmp_path, "key.jsonl", KEY)
    listed = put(tmp_path, "list.csv", "Topic,File,Sentence Number\n1,2ecb,0\n")
    report = corefscope.score(key, key, metrics="bcub", sentences=listed)
    assert any("document '1_1ecb' is not listed" in str(warning) for warning in report.warnings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Topic,File\n1,1ecb\n", r"list\.csv:1: has no column 'Sentence Number'"),
        ("Topic,File,Sentence Number\n1,1ecb\n", r"list\.csv:2: the cell of the Sentence Number is empty"),
        ("Topic,File,Sentence Number\n1,1ecb,x\n", r"list\.csv:2: 'x' is no number of a sentence"),
    ],
)
def test_faults_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    key = put(tmp_path, "key.jsonl", KEY)
    with pytest.raises(corefscope.InputError, match=message):
        corefscope.score(key, key, sentences=put(tmp_path, "list.csv", text))
