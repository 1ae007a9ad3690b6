"""SACR: mentions in braces."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_sacr

TEXT = (
    '#title:A walk\n\n#textid:walk\n\n{Ann:function="s subject, or so",head="1" Ann} likes'
    " {D {Ann:x=1 her} dog}.\n#note\nEnd"
)


def put(folder: Path, text: str) -> Path:
    path = folder / "some.sacr"
    path.write_text(text, encoding="utf-8")
    return path


def test_braces_nest_and_comments_are_no_text(tmp_path: Path) -> None:
    name, (document,) = read(put(tmp_path, TEXT))
    assert (name, document.id, document.counts_characters) == ("sacr", "walk", True)
    assert [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities] == [
        ["Ann", "her"],
        ["her dog"],
    ]
    assert "".join(word.partition("\t")[2] for sentence in document.sentences for word in sentence.words).split() == [
        *("Ann", "likes", "her", "dog.", "End"),
    ]


@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"sacr {seed}")
    document = random_text(rng, nested=True)
    _, (found,) = read(write_sacr(document, tmp_path, rng), "sacr")
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#textid: a\n\nAnn}\n", ":3: '}' closes what was never opened"),
        ("#textid: a\n\n{A:x=1 Ann\n\nmet\n", ":3: the mention of 'A' is never closed"),
        ("#textid: a\n{A:x=1 Ann} {, met}\n", ":2: no entity after '{, met}"),
        ("#textid: a\n{A:x=1 } met\n", ":2: a mention has characters 1 to 1, which is empty"),
        ("#textid: a\n" + "{A " * 5000, ":2: more than 1000 braces are open"),
    ],
)
def test_faults_have_a_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, text), "sacr")
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["{A {B Her} dog} barks.\n", '\n{A:x="1" {B Her} dog} barks.\n'])
def test_a_text_may_begin_with_a_mention(text: str, tmp_path: Path) -> None:
    name, (document,) = read(put(tmp_path, text))
    assert name == "sacr"
    assert [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities] == [
        ["Her dog"],
        ["Her"],
    ]
