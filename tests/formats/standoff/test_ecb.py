"""ECB+: tokens, anchors, instances."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_ecb

FILE = """\
<?xml version="1.0" encoding="UTF-8"?>
<Document doc_name="1_1ecb.xml" doc_id="DOC1">
<token t_id="1" sentence="0" number="0">Ann</token> <token t_id="2" sentence="0" number="1">left</token>
<token t_id="3" sentence="1" number="0">She</token> <token t_id="4" sentence="1" number="1">went</token>
<token t_id="5" sentence="1" number="2">quickly</token> <token t_id="6" sentence="1" number="3">away</token>
<Markables><ACTION_OCCURRENCE m_id="7"><token_anchor t_id="2"/></ACTION_OCCURRENCE>
<ACTION_OCCURRENCE m_id="8"><token_anchor t_id="6"/><token_anchor t_id="4"/></ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="10"><token_anchor t_id="1"/></HUMAN_PART_PER>
<HUMAN_PART_PER m_id="11"><token_anchor t_id="3"/></HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="9" RELATED_TO="" TAG_DESCRIPTOR="t1_leave" instance_id="ACT123"/></Markables>
<Relations><CROSS_DOC_COREF r_id="3" note="ACT123"><source m_id="7"/><source m_id="8"/><target m_id="9"/>
</CROSS_DOC_COREF></Relations></Document>
"""


def put(folder: Path, text: str) -> Path:
    path = folder / "1_1ecb.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_mentions_are_markables_with_anchors(tmp_path: Path) -> None:
    name, (document,) = read(put(tmp_path, FILE))
    assert (name, document.id, document.local_ids) == ("ecb", "1_1ecb.xml", False)
    assert [[document.words_of(mention) for mention in entity] for entity in document.entities] == [
        [["Ann"]],
        [["left"], ["went", "away"]],
        [["She"]],
    ]
    assert document.entity_ids == ("1_1ecb.xml#m10", "ACT123", "1_1ecb.xml#m11")
    assert document.entity_types == ("HUMAN_PART_PER", "ACTION_OCCURRENCE", "HUMAN_PART_PER")
    assert [len(sentence.words) for sentence in document.sentences] == [2, 4]


def test_entities_are_followed_across_documents(tmp_path: Path) -> None:
    for name in ("1_1ecb.xml", "1_2ecb.xml"):
        (tmp_path / name).write_text(FILE.replace("1_1ecb.xml", name), encoding="utf-8")
    report = corefscope.score(tmp_path, tmp_path, documents="topic", topic="[0-9]+", metrics="bcub")
    assert list(report.documents) == ["1"]
    assert str(report.inputs[0]) == "2 documents, 8 mentions in 6 entities (4 singletons)"


@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"ecb {seed}")
    document = random_text(rng, broken=True)
    name, (found,) = read(write_ecb(document, tmp_path, rng))
    assert name == "ecb"
    assert read_clusters(found) == wanted_clusters(document)


def test_relations_of_what_is_not_there_are_left_out(tmp_path: Path) -> None:
    path = put(tmp_path, FILE.replace('<source m_id="8"/>', '<source m_id="99"/>'))
    with pytest.warns(UserWarning, match=r":11: a relation has markable '99', which has no words: left out"):
        (document,) = corefscope.read_documents(path)
    assert len(document.entities) == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('t_id="6"/>', 't_id="66"/>', ":7: there is no token '66'"),
        ('t_id="2" sentence', 't_id="1" sentence', ":3: t_id '1' comes twice"),
        ('m_id="10"', 'id="10"', ":8: <HUMAN_PART_PER> has no m_id"),
        ("</Markables>", "", ":12: is not well-formed XML"),
        ("Document", "Text", ":2: begins with <Text>, not <Document>"),
    ],
)
def test_faults_have_a_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError) as error:
        read(put(tmp_path, FILE.replace(old, new)), "ecb")
    assert message in str(error.value)
