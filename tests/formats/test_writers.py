"""Writers: what fits, fresh files, and CorefUD that stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from corefscope.core.document import Document, Mention
from corefscope.core.errors import OptionError, Warnings
from corefscope.core.format import FORMATS
from corefscope.core.positions import position
from corefscope.formats import fitting
from corefscope.formats.corefud import writer as corefud
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.detection import word_tags
from corefscope.formats.losses import LOSSES, Losses
from corefscope.formats.source import DocumentReader, Source
from corefscope.formats.writers import WRITERS, writer_for
from corefscope.formats.writing import Origin
from tests.formats.test_writing import document


def origin(source_format: str, same: bool = False) -> Origin:
    """What a writer knows of a file of a format."""
    return Origin(same, partial(word_tags, FORMATS[source_format]))


def documents(path: Path, reader: Callable[[Source, Warnings], DocumentReader]) -> list[Document]:
    source = Source.open(path)
    try:
        return list(reader(source, Warnings()))
    finally:
        source.close()


# ------------------------------------------------------------------------------------------------- what does not fit


def fitted(found: Document, *steps: fitting.Step) -> tuple[list[str], dict[str, int]]:
    """The mentions that are left, as in :func:`document`, and what was lost."""
    losses = Losses()
    row = WRITERS["jsonl"]._replace(steps=steps, cannot_hold=("documents",), name_of_document=None)
    (kept,) = fitting.fitted([found], row, losses)
    shown = []
    for entity in kept.entities:
        mentions = []
        for mention in entity:
            numbers = ",".join(str((place >> 20) & 0xFFFFF) for place in mention.positions)
            head = f"@{(mention.head >> 20) & 0xFFFFF}" if mention.head != mention.positions[0] else ""
            mentions.append(numbers + head)
        shown.append(" ".join(mentions))
    return shown, losses.counts


def test_discontinuous_mentions_become_the_span_that_covers_them() -> None:
    assert fitted(document("1,3@3 5"), fitting.without_gaps) == (["1,2,3@3 5"], {"discontinuous": 1})
    assert fitted(document("1-3@2"), fitting.without_gaps) == (["1,2,3@2"], {})


def test_of_crossing_mentions_of_one_entity_the_first_is_kept() -> None:
    assert fitted(document("1-3 2-4 3-5"), fitting.without_crossing) == (["1,2,3 3,4,5"], {"crossing": 1})
    assert fitted(document("1-4 2-3 4-6 1-2"), fitting.without_crossing)[1] == {}, "nested, or sharing a border"
    assert fitted(document("1-3", "2-4"), fitting.without_crossing)[1] == {}, "of two entities"
    assert fitted(document("1,3 2,4"), fitting.without_crossing)[1] == {"crossing": 1}, "parts of which is which?"


def test_mentions_of_an_entity_are_kept_once_and_their_parts_merged() -> None:
    assert fitted(document("1-3 4 1-3@2", "1-3"), fitting.without_repeats)[1] == {"repeated": 1}
    assert fitted(document("1-2,2-4 5"), fitting.without_overlaps) == (["1,2,3,4 5"], {"overlaps": 1})
    assert fitted(document("1-2,4 5"), fitting.without_overlaps) == (["1,2,4 5"], {})


def test_heads_count_only_where_they_are_not_the_first_word() -> None:
    assert fitted(document("1-3@2 4-5 6"), fitting.headed_by_first_word) == (["1,2,3 4,5 6"], {"heads": 1})


def test_entities_without_mentions_are_gone() -> None:
    zero = Mention((position(1, 1, 1),), position(1, 1, 1), ((position(1, 2), "nsubj"),))
    mixed = Mention((position(1, 1, 1), position(1, 2)), position(1, 1, 1))
    inside = Mention((position(1, 2), position(1, 2, 1), position(1, 3)), position(1, 3))
    found = Document("d", ((zero,), (mixed, inside)), entity_ids=("e1", "e2"), sentences=document().sentences)
    steps = fitting.without_zeros, fitting.without_empty_nodes, fitting.without_gaps
    assert fitted(found, *steps) == (["2,3@3 2"], {"zeros": 2, "empty_nodes": 1})


def test_every_loss_that_a_format_names_exists() -> None:
    for row in WRITERS.values():
        assert set(row.cannot_hold) <= LOSSES.keys()


# ------------------------------------------------------------------------------------------------------- fresh files


def test_corefud_from_nothing_but_words_and_clusters(tmp_path: Path) -> None:
    found = document("1-2@2 4", "1-2,5", words=5, entity_ids=("7", "8"))
    (text,) = corefud.write([found], origin("jsonl"), Losses())
    assert text == (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n# text = w1 w2 w3 w4 w5\n"
        "1\tw1\t_\t_\t_\t_\t0\t_\t_\tEntity=(e7--2(e8[1/2]--1\n"
        "2\tw2\t_\t_\t_\t_\t0\t_\t_\tEntity=e8[1/2])e7)\n"
        "3\tw3\t_\t_\t_\t_\t0\t_\t_\t_\n"
        "4\tw4\t_\t_\t_\t_\t0\t_\t_\tEntity=(e7--1)\n"
        "5\tw5\t_\t_\t_\t_\t0\t_\t_\tEntity=(e8[2/2]--1)\n\n"
    )
    path = tmp_path / "new.conllu"
    path.write_text(text, encoding="utf-8")
    (again,) = documents(path, CorefUDReader)
    assert set(again.entities) == set(found.entities)
    assert again.entity_ids == ("e8", "e7"), "the longer first mention first"


# ------------------------------------------------------------------------------------------------ choosing a writer


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.conllu", "corefud"),
        ("A.CONLLU.GZ", "corefud"),
        ("a.v4_gold_conll", "conll"),
        ("a.conll.xz", "conll"),
        ("a.jsonl", "jsonl"),
        ("a.jsonlines.bz2", "jsonl"),
        ("a.json", "clusters"),
        ("a.ann", "brat"),
        ("a.ann.gz", "brat"),
    ],
)
def test_the_end_of_a_name_says_which_format(path: str, name: str) -> None:
    assert writer_for(path, None).name == name
    assert writer_for(path, "jsonl").name == "jsonl"


@pytest.mark.parametrize("path", ["-", "a.text", "conllu", "a.gz", "a.tsv"])
def test_a_name_that_says_nothing_is_an_error(path: str) -> None:
    with pytest.raises(OptionError, match=r"--to corefud\|ua\|conll\|jsonl\|clusters"):
        writer_for(path, None)
    with pytest.raises(OptionError, match="did you mean 'jsonl'"):
        writer_for(path, "json")


def test_clusters_are_one_json_object() -> None:
    found = [document("1-2 4", "5", name="d1", entity_ids=("e1", "e2")), document(name='"d2"')]
    text = "".join(WRITERS["clusters"].write(found, origin("corefud"), Losses()))
    assert json.loads(text) == {"d1": {"e1": ["1:1-2", "1:4"], "e2": ["1:5"]}, '"d2"': {}}
    assert json.loads("".join(WRITERS["clusters"].write([], origin("corefud"), Losses()))) == {}
