"""brat: what its lines say, what offsets count, which relations are identity, and what is wrong with files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import corefscope
from corefscope.cli import main
from corefscope.formats.standoff.offsets import UNITS
from examples import seeds
from standoff_files import random_text, read, read_clusters, wanted_clusters, write_brat

TEXT = "Ann met her old dog. It barked."
ANNOTATION = """\
T1\tPerson 0 3\tAnn
T2\tPerson 8 11\ther
T3\tAnimal 8 19\ther old dog
T4\tAnimal 21 23\tIt
R1\tCoreference Arg1:T2 Arg2:T1
*\tCoref T3 T4
E1\tBark:T5 Agent:T4
T5\tBark 24 30\tbarked
A1\tLoud E1
N1\tReference T1 Wikidata:Q1\tAnn
#1\tAnnotatorNotes T1\twho is she?
"""


def put(folder: Path, annotation: str, text: str | bytes = TEXT) -> Path:
    (folder / "walk.txt").write_bytes(text.encode() if isinstance(text, str) else text)
    path = folder / "walk.ann"
    path.write_text(annotation, encoding="utf-8")
    return path


def spoken(path: Path, *relations: str) -> list[list[str]]:
    name, (document,) = read(path, relations=relations)
    assert name == "brat"
    assert document.counts_characters
    assert document.id == "walk"
    return [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


def refusal(path: Path, *relations: str) -> str:
    with pytest.raises(corefscope.InputError) as error:
        read(path, "brat", relations)
    return str(error.value)


def test_every_text_bound_annotation_is_a_mention(tmp_path: Path) -> None:
    assert spoken(put(tmp_path, ANNOTATION)) == [["Ann", "her"], ["her old dog", "It"], ["barked"]]


def test_a_relation_to_an_event_is_one_to_its_trigger(tmp_path: Path) -> None:
    path = put(tmp_path, ANNOTATION + "R2\tCoreference Arg1:E1 Arg2:T4\n")
    assert spoken(path) == [["Ann", "her"], ["her old dog", "It", "barked"]]


def test_a_mention_may_be_in_parts_and_begin_with_blanks(tmp_path: Path) -> None:
    path = put(tmp_path, "T1\tP 0 3;7 11;16 20\tAnn her dog.\n")
    assert spoken(path) == [["Annherdog."]]


def test_relations_are_identity_by_their_names(tmp_path: Path) -> None:
    path = put(tmp_path, ANNOTATION.replace("Coreference", "cop").replace("Coref ", "appos "))
    assert "none of its relations has a known name of identity; found: 'appos', 'cop'" in refusal(path)
    assert "--relations appos" in refusal(path)
    assert spoken(path, "cop")[0] == ["Ann", "her"]
    assert len(spoken(path, "cop")) == 4
    assert spoken(path, "cop", "appos") == [["Ann", "her"], ["her old dog", "It"], ["barked"]]
    assert "none of its relations has 'coref'" in refusal(path, "coref")


def test_commands_take_names_of_relations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(put(tmp_path, ANNOTATION.replace("Coreference", "cop").replace("Coref ", "appos ")))
    for command in (["stats", path], ["validate", path], ["score", path, path], ["convert", path, f"{path}.jsonl"]):
        assert main(command) == 1
        assert "--relations appos" in "".join(capsys.readouterr())
        assert main([*command, "--relations", "cop,appos"]) == 0
        capsys.readouterr()


@pytest.mark.parametrize("encoding", UNITS.values())
def test_offsets_count_what_the_text_column_says(encoding: str, tmp_path: Path) -> None:
    text = "😀 Łódź met Ann"
    start, end = (
        len(part.encode(encoding or "utf-32-le")) // {"": 4, "utf-16-le": 2, "utf-8": 1}[encoding]
        for part in (text[:11], text)
    )
    assert spoken(put(tmp_path, f"T1\tP {start} {end}\tAnn\n", text)) == [["Ann"]]


def test_line_ends_of_windows_count_as_two(tmp_path: Path) -> None:
    assert spoken(put(tmp_path, "T1\tP 5 8\tAnn\n", b"Hi.\r\nAnn\r\n")) == [["Ann"]]


@pytest.mark.parametrize("seed", seeds(60))
def test_what_is_written_is_read(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"brat {seed}")
    document = random_text(rng, broken=True)
    path = write_brat(document, tmp_path, rng, rng.choice(list(UNITS.values())), rng.choice(("\n", "\r\n")))
    name, (found,) = read(path)
    assert name == "brat"
    assert read_clusters(found) == wanted_clusters(document)


FAULTS = {
    "T1\tP 0 3\tEve\n": ":1: T1 is 'Eve', but its place in the text says 'Ann'",
    "T1\tP 0 99\tAnn\n": ":1: T1 has characters 0 to 99, but the text has 31 characters",
    "T1\tP 3 3\n": ":1: T1 has characters 3 to 3",
    "T1\tP 3 4\n": ":1: a mention is blank",
    "T1\tP 0 3\tAnn\nT1\tP 8 11\ther\n": ":2: T1 comes twice",
    "T1\tP 0 3\tAnn\nR1\tCoref Arg1:T1 Arg2:T9\n": ":2: T9 is not in the file",
    "T1\tP 0 3\tAnn\nnothing\n": ":2: 'nothing' is no annotation of brat",
    f"T1\tP 0 {'9' * 30}\tAnn\n": ":1: an offset is '999999",
}


@pytest.mark.parametrize("annotation", FAULTS)
def test_faults_have_a_line(annotation: str, tmp_path: Path) -> None:
    assert FAULTS[annotation] in refusal(put(tmp_path, annotation))


def test_the_text_must_be_there(tmp_path: Path) -> None:
    path = put(tmp_path, ANNOTATION)
    (tmp_path / "walk.txt").unlink()
    assert "there is no walk.txt beside it, which has the text" in refusal(path)


def test_the_text_alone_is_no_annotation(tmp_path: Path) -> None:
    put(tmp_path, ANNOTATION)
    with pytest.raises(corefscope.InputError, match=r"has the text of brat annotation(?s:.*)walk\.ann"):
        read(tmp_path / "walk.txt")


LITBANK = """\
T1\tPROP_PER 0 3\tAnn
T2\tPRON_PER 8 11\ther
T3\tNOM_PER 8 19\ther old dog
T4\tPRON_PER 21 23\tIt
T5\tAnn-0 0 3\tAnn
T6\tAnn-0 8 11\ther
T7\ther-old_dog-1 8 19\ther old dog
R1\tcop Arg1:T4 Arg2:T3
"""


def test_labels_of_litbank_are_entities(tmp_path: Path) -> None:
    path = put(tmp_path, LITBANK)
    assert spoken(path) == [["Ann", "her"], ["her old dog"], ["It"]]
    assert spoken(path, "cop") == [["Ann", "her"], ["her old dog", "It"]]
    _, (document,) = read(path)
    assert document.entity_ids == ("Ann-0", "her-old_dog-1", "T4")
    assert document.entity_types == ("PER", "PER", "PER")
    assert "none of its relations has 'coref'; found: 'cop'" in refusal(path, "coref")


def test_a_link_of_litbank_may_have_the_annotation_of_an_entity(tmp_path: Path) -> None:
    assert spoken(put(tmp_path, LITBANK.replace("Arg2:T3", "Arg2:T7")), "cop") == [
        ["Ann", "her"],
        ["her old dog", "It"],
    ]


@pytest.mark.parametrize("label", ["Covid-19", "PROP_PER"])
def test_other_labels_are_no_entities(label: str, tmp_path: Path) -> None:
    path = put(tmp_path, f"T1\t{label} 0 3\tAnn\nT2\t{label} 8 11\ther\nR1\tcop Arg1:T1 Arg2:T2\n")
    assert "none of its relations has a known name of identity; found: 'cop'" in refusal(path)


def test_signatures_have_the_names_of_relations_and_replay_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = put(tmp_path, ANNOTATION.replace("Coreference", "cop").replace("Coref ", "appos "))
    report = corefscope.score(key, key, relations="cop,appos", metrics="muc")
    assert "|relations:cop,appos|" in report.options.signature
    saved = tmp_path / "saved.json"
    assert main(["score", str(key), str(key), "--relations", "cop", "--metrics", "muc", "-o", str(saved)]) == 0
    assert main(["verify", str(saved)]) == 0
    arguments = [str(key), str(key), "--metrics", "muc", "--signature", report.options.signature]
    assert main(["score", *arguments]) == 0
    assert "relations:cop,appos" in capsys.readouterr().out
