"""LitBank's own ``.ann``: lines of mentions and entities over words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_litbank

ANNOTATION = (
    "COREF\tT1\tAnn-0\nMENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\nMENTION\tT2\t0\t2\t1\t0\ther dog\tPER\tPRON\n"
)


def put(folder: Path, annotation: str = ANNOTATION) -> Path:
    (folder / "a.txt").write_text("Ann likes her\ndog .\n", encoding="utf-8")
    path = folder / "a.ann"
    path.write_text(annotation, encoding="utf-8")
    return path


def test_mentions_and_entities(tmp_path: Path) -> None:
    name, (document,) = read(put(tmp_path))
    assert name == "litbank"
    assert [[document.words_of(mention) for mention in entity] for entity in document.entities] == [
        [["Ann"]],
        [["her", "dog"]],
    ]
    assert document.entity_ids == ("Ann-0", "T2")
    assert document.entity_types == ("PER", "PER")


@pytest.mark.parametrize("seed", seeds(30))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"litbank {seed}")
    document = random_text(rng)
    name, (found,) = read(write_litbank(document, tmp_path, rng))
    assert name == "litbank"
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("COREF\tT9\tx", ":4: T9 is no mention of the file"),
        ("MENTION\tT3\t0\t3\t0\t3\tx\tPER\tNOM", ":4: there is no word 3 in sentence 0"),
        ("MENTION\tT3\t1\t0\t0\t0\tx\tPER\tNOM", ":4: T3 ends before it begins"),
        ("MENTION\tT3\tx\t0\t0\t0\tx\tPER\tNOM", ":4: a place is 'x', not a number"),
        ("MENTION\tT3", ":4: 'MENTION\\tT3' is no annotation of LitBank"),
    ],
)
def test_faults_have_a_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, f"{ANNOTATION}{line}\n"))
    assert message in str(error.value)
