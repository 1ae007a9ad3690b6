"""MMAX2: projects, levels, spans, and paths that lead nowhere."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_mmax

PROJECT = '<?xml version="1.0"?>\n<mmax_project>\n<words>walk_words.xml</words>\n</mmax_project>\n'
WORDS = "<words>\n" + "\n".join(
    f'<word id="w{id_}">{word}</word>' for id_, word in zip((7, 3, 9, 4), ("Ann", "likes", "her", "dog"), strict=True)
)
LEVEL = '<markables xmlns="www.eml.org/NameSpaces/coref">\n'
MARKABLES = (
    '<markable id="m1" span="w7" coref_class="set_1"/>\n<markable id="m2" span="w9" coref_class="set_1"/>\n'
    '<markable id="m3" span="w9..w4" coref_class="empty"/>\n<markable id="m4" span="w3" type="pleonastic"/>\n'
)


def put(folder: Path, markables: str = MARKABLES, project: str = PROJECT, words: str = WORDS) -> Path:
    (folder / "walk_words.xml").write_text(f"{words}\n</words>\n", encoding="utf-8")
    (folder / "walk_coref_level.xml").write_text(f"{LEVEL}{markables}</markables>\n", encoding="utf-8")
    path = folder / "walk.mmax"
    path.write_text(project, encoding="utf-8")
    return path


def spoken(path: Path) -> list[list[str]]:
    name, (document,) = read(path)
    assert name == "mmax"
    return [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


def refusal(path: Path) -> str:
    with pytest.raises(corefscope.InputError) as error:
        read(path)
    return str(error.value)


def test_words_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    assert spoken(put(tmp_path)) == [["Ann", "her"], ["her dog"]]
    assert spoken(tmp_path / "walk_coref_level.xml") == [["Ann", "her"], ["her dog"]]


def test_a_project_may_have_common_paths(tmp_path: Path) -> None:
    path = put(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "walk_words.xml").rename(tmp_path / "data" / "walk_words.xml")
    (tmp_path / "walk_coref_level.xml").rename(tmp_path / "data" / "walk_c.xml")
    (tmp_path / "common_paths.xml").write_text(
        "<common_paths><basedata_path>data/</basedata_path><markable_path>../../etc</markable_path><annotations>"
        '<level name="pos">$_pos.xml</level><level name="coref">$_c.xml</level></annotations></common_paths>',
        encoding="utf-8",
    )
    assert spoken(path) == [["Ann", "her"], ["her dog"]]


def test_pointers_link_if_their_type_is_identity(tmp_path: Path) -> None:
    markables = (
        '<markable id="m1" span="w7"/><markable id="m2" span="w9" ref="m1" type="ident"/>'
        '<markable id="m3" span="w9,w3" ref="m1" type="bridge"/>'
    )
    assert spoken(put(tmp_path, markables)) == [["Ann", "her"], ["likes her"]]


@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"mmax {seed}")
    document = random_text(rng, broken=True)
    name, (found,) = read(write_mmax(document, tmp_path, rng))
    assert name == "mmax"
    assert [len(sentence.words) for sentence in found.sentences] == list(map(len, document.sentences))
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize(
    "words", ["../../etc/passwd", "/etc/passwd", "..", "a/b.xml", "c:\\x", "\\\\host\\x", "x" * 300, ""]
)
def test_no_path_leads_out_of_the_project(words: str, tmp_path: Path) -> None:
    path = put(tmp_path, project=PROJECT.replace("walk_words.xml", words or "other_words.xml"))
    assert "is no plain file name" in refusal(path) if words else "there is no other_words.xml" in refusal(path)


@pytest.mark.parametrize(
    ("markables", "words", "message"),
    [
        ('<markable span="w7..w8"/>', WORDS, "walk.mmax: the span 'w7..w8' in"),
        ('<markable span="w4..w7"/>', WORDS, "has no such words"),
        ("<markable/>", WORDS, "the span '' in"),
        ("<markable", WORDS, "walk_coref_level.xml:2: is not well-formed XML"),
        ("", WORDS.replace("w3", "w7"), "words without an id of their own"),
    ],
)
def test_faults_name_their_file(markables: str, words: str, message: str, tmp_path: Path) -> None:
    assert message in refusal(put(tmp_path, markables, words=words))


def test_faults_of_a_level_that_is_named_have_its_line(tmp_path: Path) -> None:
    put(tmp_path, '<markable span="w1"/>\n')
    assert "walk_coref_level.xml:2: the span 'w1' has no such words" in refusal(tmp_path / "walk_coref_level.xml")
    assert "name walk_words.mmax" in refusal(tmp_path / "walk_words.xml")
