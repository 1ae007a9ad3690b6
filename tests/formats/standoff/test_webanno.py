"""WebAnno TSV 3: chains, relations, stacked cells, escapes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from examples import seeds
from standoff_files import (
    random_text,
    read,
    read_clusters,
    wanted_clusters,
    write_webanno_chains,
    write_webanno_relations,
)

START = "#FORMAT=WebAnno TSV 3.3\n"
CHAINS = START + (
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n\n"
    "#Text=Ann likes\n#Text=her dog\n"
    "1-1\t0-3\tAnn\t*->1-1\tperson[1]\t\n1-2\t4-9\tlikes\t_\t_\t\n"
    "1-3\t10-13\ther\tcoref->1-2|*->2-1\tperson[1]|animal[2]\t\n1-4\t14-17\tdog\t*->2-1\tanimal[2]\n"
)
RELATIONS = START + (
    "#T_SP=webanno.custom.Referent|entity\n#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n"
    "#Text=Ann likes her dog\n1-1\t0-3\tAnn\tperson\tcoref|bridge:aggr\t1-3[2_0]|1-3[1_0]\t\n"
    "1-2\t4-9\tlikes\t_\t_\t_\t\n"
    "1-3\t10-13\ther\tanimal[1]|person[2]\t_\t_\t\n1-4\t14-17\tdog\tanimal[1]\t_\t_\t\n"
)


def put(folder: Path, text: str) -> Path:
    path = folder / "walk.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def spoken(path: Path, *relations: str) -> list[list[str]]:
    name, (document,) = read(path, relations=relations)
    assert name == "webanno"
    return [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


@pytest.mark.parametrize("text", [CHAINS, RELATIONS])
def test_chains_and_relations(text: str, tmp_path: Path) -> None:
    assert spoken(put(tmp_path, text)) == [["Ann", "her"], ["her dog"]]


def test_types_of_spans_are_types_of_entities(tmp_path: Path) -> None:
    _, (document,) = read(put(tmp_path, RELATIONS))
    assert document.entity_types == ("person", "animal")


def test_relations_may_be_named(tmp_path: Path) -> None:
    path = put(tmp_path, RELATIONS)
    assert spoken(path, "bridge:aggr") == [["Ann", "her dog"], ["her"]]
    other = put(tmp_path, RELATIONS.replace("custom.Coref|", "custom.Anaphora|").replace("\tcoref|", "\tana|"))
    with pytest.raises(corefscope.InputError, match=r"found: 'Anaphora', 'ana', 'bridge:aggr'"):
        read(other)
    assert spoken(other, "ana") == [["Ann", "her"], ["her dog"]]


def test_an_asterisk_is_no_name_of_a_relation(tmp_path: Path) -> None:
    text = RELATIONS.replace("custom.Coref|", "custom.Anaphora|").replace("\tcoref|bridge:aggr\t", "\t*|*\t")
    with pytest.raises(corefscope.InputError, match=r"found: 'Anaphora'\n.*--relations Anaphora"):
        read(put(tmp_path, text))


def test_dependencies_beside_chains_are_left_alone(tmp_path: Path) -> None:
    text = CHAINS.replace("#T_CH", "#T_RL=x.Dependency|DependencyType|BT_x.POS\n#T_CH")
    text = text.replace("\t*->1-1", "\tnsubj\t1-2\t*->1-1").replace("\tcoref->", "\tdet\t1-4\tcoref->")
    text = text.replace("likes\t_", "likes\troot\t1-2\t_").replace("dog\t*", "dog\tobj\t1-2\t*")
    assert spoken(put(tmp_path, text)) == [["Ann", "her"], ["her dog"]]


def test_a_chain_must_have_a_link(tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError, match=":7: a chain without CHAIN-LINK"):
        read(put(tmp_path, CHAINS.replace("*->1-1", "_")))


def test_a_part_of_a_word_is_widened_to_the_word(tmp_path: Path) -> None:
    text = CHAINS.replace("\t_\t_\t\n", "\t_\t_\t\n1-2.1\t4-8\tlike\t*->3-1\tx[3]\t\n", 1)
    assert spoken(put(tmp_path, text)) == [["Ann", "her"], ["likes"], ["her dog"]]


@pytest.mark.parametrize("seed", seeds(60))
@pytest.mark.parametrize("write", [write_webanno_chains, write_webanno_relations])
def test_what_is_written_is_read(write, seed: int, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    rng = random.Random(f"webanno {seed}")
    document = random_text(rng, broken=True)
    name, (found,) = read(write(document, tmp_path, rng))
    assert name == "webanno"
    assert [word.partition("\t")[2] for sentence in found.sentences for word in sentence.words] == document.words
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "1-2\t4-9\tlikes\t_\t_\t_\t\n",
            "1-2\t4-9\tlikes\t_\n",
            ":8: 1 columns of annotation, but the header declares 3",
        ),
        (
            "dog\tanimal[1]\t_\t_\t",
            "dog\tanimal[1]\t_\t_\tx\t",
            ":10: 4 columns of annotation, but the header declares 3",
        ),
        ("1-2\t4-9\tlikes\t_\t_\t_\t\n", "#T_SP=x|y\n", ":8: declares a layer after words"),
        ("1-3[2_0]", "1-3[7_0]", ":7: a relation has an annotation 7 of webanno.custom.Referent, which is not there"),
        ("1-3[2_0]", "x", ":7: 'x' is no end of a relation"),
        ("1-2\t4-9", "likes", ":8: .* is no row of WebAnno TSV 3"),
        (RELATIONS, START + "1-1\t0-3\tAnn\n", "neither chains .* nor relations"),
    ],
)
def test_faults_have_a_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(corefscope.InputError, match=message):
        read(put(tmp_path, RELATIONS.replace(old, new)))
