"""CDCR mention JSON: ids beside another list, words beside a key that has words."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import AnnotatedText, Parts, cdcr_mentions, random_text, read, write_jsonl

MENTIONS = [
    {"doc_id": "1_1ecb.xml", "sent_id": 0, "tokens_number": [0], "tokens_str": "Ann", "coref_chain": "HUM1"},
    {"doc_id": "1_1ecb.xml", "sent_id": "0", "tokens_number": [3, 2], "tokens_str": "her dog", "coref_chain": 7},
    {"doc_id": "1_2ecb.xml", "sent_id": 1, "tokens_number": [2], "tokens_str": "She", "coref_chain": "HUM1"},
    {"doc_id": "1_2ecb.xml", "sent_id": 0, "tokens_number": [2]},
]


def put(folder: Path, mentions: object, name: str = "a.json") -> Path:
    path = folder / name
    path.write_text(mentions if isinstance(mentions, str) else json.dumps(mentions, indent=1), encoding="utf-8")
    return path


def test_chains_hold_for_all_documents(tmp_path: Path) -> None:
    name, documents = read(put(tmp_path, MENTIONS))
    assert name == "cdcr"
    assert [sorted(document.entity_ids) for document in documents] == [["7", "HUM1"], ["1_2ecb.xml#1", "HUM1"]]
    path = put(tmp_path, MENTIONS)
    report = corefscope.score(path, path, documents="merge", metrics="muc")
    assert report["muc"].f1 == 1
    assert str(report.inputs[0]) == "2 documents, 4 mentions in 4 entities (4 singletons)"


def test_a_document_without_mentions_is_empty(tmp_path: Path) -> None:
    key, response = put(tmp_path, MENTIONS), put(tmp_path, MENTIONS[2:], "b.json")
    report = corefscope.score(key, response, metrics="bcub")
    assert (report["bcub"].recall, report["bcub"].precision) == (0.5, 1)
    assert any("'1_1ecb.xml' is missing" in str(warning) for warning in report.warnings)


@pytest.mark.parametrize("seed", seeds(30))
def test_beside_words_they_are_mentions_of_words(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"cdcr {seed}")
    document = random_text(rng)
    inside: list[list[Parts]] = [
        [((a, b),) for ((a, b),) in members if document.places[a][0] == document.places[b - 1][0]]
        for members in document.entities
    ]
    document = AnnotatedText(document.sentences, list(filter(None, inside)))
    if not document.entities:
        return
    response = put(tmp_path, cdcr_mentions(document))
    report = corefscope.score(write_jsonl(document, tmp_path), response, metrics="bcub")
    assert report.signature.startswith("jsonl+cdcr-over-words|")
    assert report["bcub"].f1 == 1
    assert corefscope.score(response, response, metrics="conll").signature.startswith("cdcr|")


def test_words_must_be_in_the_key(tmp_path: Path) -> None:
    document = AnnotatedText([["Ann", "left"]], [[((0, 1),)]])
    key = write_jsonl(document, tmp_path)
    mention = {"doc_id": "walk", "sent_id": 0, "tokens_number": [2], "coref_chain": "x"}
    with pytest.raises(corefscope.InputError, match=r":2: there is no word 2 in sentence 0 of 'walk'"):
        corefscope.score(key, put(tmp_path, [mention]))
    other = [mention | {"tokens_number": [0]}, mention | {"doc_id": "run"}]
    with pytest.raises(corefscope.InputError, match=r"document 'run' is not in the key"):
        corefscope.score(key, put(tmp_path, other))
    with pytest.raises(corefscope.InputError, match="has no words: it is read over those of a key"):
        read(put(tmp_path, other), "cdcr-over-words")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"doc_id": "a", "sent_id": 0, "tokens_number": [0]},\n{"tokens_number": [0]}]', ":2: doc_id is null"),
        ('[\n{"doc_id": "a", "sent_id": -1, "tokens_number": [0]}]', ":2: sent_id is -1, not a number from 0"),
        ('[\n{"doc_id": "a", "sent_id": 0, "tokens_number": []}]', r":2: tokens_number is \[\], not a list"),
        ('[\n{"doc_id": "a", "sent_id": 0, "tokens_number": [1e999]}]', ":2: tokens_number is"),
        ('[\n{"doc_id": "a", "sent_id": 0, "tokens_number": [0], "coref_chain": {}}]', ":2: the chain is {}"),
        ("[\n3]", ":2: 3 is no mention"),
        ('[{"doc_id":\n', "invalid JSON"),
        ("{}", ":1: is no list of mentions"),
        ("[]", "holds no mention"),
    ],
)
def test_faults_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError, match=message):
        read(put(tmp_path, text), "cdcr")
