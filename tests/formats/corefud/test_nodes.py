"""Where CorefUD scorer 1.2 reads other mentions than the annotation says: both readings of one document."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

import corefscope
from corefscope.core.document import Document
from corefscope.core.errors import Warnings
from corefscope.core.positions import decimal, in_file, node_name, parse_position
from corefscope.formats.detection import open_reader
from tests.cli.test_faults import conllu
from tests.formats.corefud.test_reader import HEADER, Files, shown

TEN = "\n".join(f"1.{minor} _" for minor in range(1, 11))


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def entities(document: Document | None) -> dict[str, list[str]]:
    assert document is not None
    mentions = [[shown(mention) for mention in entity] for entity in document.entities]
    return dict(zip(document.entity_ids, mentions, strict=True))


def test_a_plain_document_has_one_reading(files: Files) -> None:
    text = "1 a (e1[1/2]--1)\n1.1 _ (e2--1\n1.2 _ e2)\n2 b (e1[2/2]--1)(e2--2\n3 c (e1--1)e2)"
    assert files.document(text).official is None


# --------------------------------------------------------------------- opened and closed on one node


@pytest.mark.parametrize("inner", ["(e2--1)", "(e2--1)(e3--1)", "(e2--1)(e2--1)"])
def test_what_is_closed_where_it_was_opened_runs_on_to_the_end_of_the_sentence(inner: str, files: Files) -> None:
    document = files.document(f"1 a (e1--1{inner}e1)\n2 b\n3 c (e1--1)", "1 d")
    assert entities(document)["e1"] == ["[1:1]", "[1:3]"]
    assert entities(document.official)["e1"] == ["[1:1] 1:2 1:3", "[1:3]"]


def test_it_runs_over_empty_nodes_too(files: Files) -> None:
    document = files.document("0.1 _ (e1--1(e2--1)e1) 1:x\n1 a\n1.1 _\n2 b\n2.1 _")
    assert entities(document)["e1"] == ["[1:0.1]"]
    assert entities(document.official)["e1"] == ["[1:0.1] 1:1 1:1.1 1:2 1:2.1"]


def test_on_the_last_node_there_is_nothing_to_run_on_to(files: Files) -> None:
    document = files.document("1 a\n2 b (e1--1(e2--1)e1)")
    assert entities(document) == entities(document.official) == {"e1": ["[1:2]"], "e2": ["[1:2]"]}


def test_of_two_that_are_open_the_inner_one_is_closed_and_runs_on(files: Files) -> None:
    document = files.document("1 a (e1--1\n2 b (e1--1(e2--1)e1)\n3 c e1)\n4 d")
    assert entities(document)["e1"] == ["[1:1] 1:2 1:3", "[1:2]"]
    assert entities(document.official)["e1"] == ["[1:1] 1:2 1:3", "[1:2] 1:3 1:4"]


def test_a_part_that_runs_on_leaves_nothing_to_the_next_but_the_word_that_opens_it(files: Files) -> None:
    document = files.document("1 a (e1[1/2]--1(e2--1)e1[1/2])\n2 b\n3 c (e1[2/2]--2\n4 d e1[2/2])\n5 e")
    assert entities(document)["e1"] == ["1:1 [1:3] 1:4"]
    (mention,) = document.official.entities[0] if document.official else ()
    assert [place >> 20 & 7 for place in mention.positions] == [1, 2, 3, 3, 4, 5]
    assert shown(mention) == "1:1 [1:2] 1:3 1:4 1:5"


def test_the_last_part_of_one_word_counts_the_head_before_the_words_are_sorted(files: Files) -> None:
    document = files.document(
        "1 a (e1[1/2]--1(e2--1)e1[1/2])\n2 b (e1[2/2]--3)\n3 c\n4 d (e1[1/2])\n5 e (e1[2/2]--2)"
    )
    assert document.official is not None
    assert shown(document.official.entities[0][0]) == "1:1 1:2 [1:3] 1:4 1:5"


def test_a_head_that_only_the_official_reading_has_makes_it_the_reading_of_all(files: Files) -> None:
    document = files.document("1 a (e1--3(e2--1)e1)\n2 b\n3 c")
    assert entities(document)["e1"] == entities(document.official)["e1"] == ["1:1 1:2 [1:3]"]
    assert "only CorefUD scorer 1.2 can read document 'd'" in next(iter(files.warnings))


# ------------------------------------------------------------------------- empty nodes from the tenth on


def test_the_tenth_empty_node_is_the_first_while_spans_and_heads_are_read(files: Files) -> None:
    text = TEN.replace("1.2 _", "1.2 _ (e1--9")
    document = files.document(f"1 a\n{text}\n2 b e1)")
    assert entities(document)["e1"] == ["1:1.2 1:1.3 1:1.4 1:1.5 1:1.6 1:1.7 1:1.8 1:1.9 [1:1.10] 1:2"]
    assert entities(document.official)["e1"] == ["1:1.2 1:1.3 1:1.4 1:1.5 1:1.6 1:1.7 1:1.8 1:1.9 [1:2]"]


def test_the_tenth_empty_node_comes_after_the_first_and_before_the_second(files: Files) -> None:
    text = TEN.replace("1.2 _", "1.2 _ e1)").replace("1.10 _", "1.10 _ _ 1:x")
    document = files.document(f"1 a (e1--3\n{text}\n2 b")
    assert entities(document)["e1"] == ["1:1 1:1.1 [1:1.2]"]
    assert entities(document.official)["e1"] == ["1:1 1:1.1 1:1.2 [1:1.10]"]


def test_mentions_and_entities_stand_in_the_order_of_decimal_numbers(files: Files) -> None:
    """1.2 comes after 1.10 then; of mentions that begin alike the longer one stands first, as everywhere."""
    text = TEN.replace("1.2 _", "1.2 _ (e1--1)(e2--1) 1:x").replace("1.10 _", "1.10 _ (e1--1)(e1--1(e3--1) 1:x")
    document = files.document(f"1 a\n{text}\n2 b e1)")
    assert list(entities(document)) == ["e1", "e2", "e3"]
    assert document.official is not None
    assert list(entities(document.official)) == ["e1", "e3", "e2"]
    assert [node_name(mention.head) for mention in document.official.entities[0]] == ["1.10", "1.10", "1.2"]
    assert [len(mention.positions) for mention in document.official.entities[0]] == [10, 1, 1]


def test_what_is_closed_on_an_equal_node_runs_on_to_the_end_of_the_sentence(files: Files) -> None:
    document = files.document("1 a\n1.1 _ (e1--1 1:x\n1.10 _ e1)\n2 b\n3 c")
    assert entities(document)["e1"] == ["[1:1.1] 1:1.10"]
    assert entities(document.official)["e1"] == ["[1:1.1] 1:2 1:3"]


def test_brackets_written_in_the_official_order_are_read_in_it(files: Files) -> None:
    """Programs that use the official library open a mention of 1.10 and 1.2 on 1.10."""
    text = TEN.replace("1.2 _", "1.2 _ e1)").replace("1.10 _", "1.10 _ (e1--1 1:x")
    document = files.document(f"1 a\n{text}\n2 b")
    assert entities(document)["e1"] == entities(document.official)["e1"] == ["1:1.2 [1:1.10]"]
    assert document.largest_minor == 10


def test_what_the_official_scorer_cannot_read_is_read_as_it_is_meant(files: Files) -> None:
    text = TEN.replace("1.2 _", "1.2 _ (e1--1 1:x").replace("1.10 _", "1.10 _ e1)")
    document = files.document(f"1 a\n{text}\n2 b")
    assert len(document.entities[0][0].positions) == 9
    assert document.official is None
    assert "CorefUD scorer 1.2 cannot read document 'd'" in next(iter(files.warnings))


def test_what_nobody_can_read_is_refused_where_it_stands(files: Files) -> None:
    with pytest.raises(corefscope.InputError, match=r"some.conllu:4: entity 'e1' is closed but was never opened"):
        files.document("1 a\n1.10 _ e1)\n2 b")


# ------------------------------------------------------------------------------------- zeros in front


def test_parts_with_zeros_in_front_are_refused(files: Files) -> None:
    """The official scorer compares them as text: part 02 of 2 is not the last one."""
    with pytest.raises(corefscope.InputError, match=r"'e1\[02/2\]' is no part of a mention"):
        files.document("1 a (e1[1/2]--1)\n2 b (e1[02/2]--1)")


@pytest.mark.parametrize("name", ["3", "3.1", "3.10", "3.99999", "3.01", "3.010", "3.001", "3.00009", "0.1", "0.01"])
def test_every_id_has_a_position_and_back(name: str) -> None:
    place = parse_position(7, name)
    assert place is not None
    assert node_name(place) == name
    assert place >> 40 == 7
    assert float(node_name(decimal(place))) == float(name)
    assert decimal(decimal(place)) == decimal(place) == decimal(in_file(decimal(place)))


@pytest.mark.parametrize("name", ["3.0", "3.00", "3.", "03.1", "3.000001", "3.1e1", "3.-1", "٣.1"])
def test_other_ids_have_none(name: str) -> None:
    assert parse_position(7, name) is None


def test_decimals_are_in_the_order_of_the_numbers() -> None:
    names = ["1", "1.0009", "1.001", "1.01", "1.010", "1.02", "1.1", "1.10", "1.101", "1.11", "1.2", "1.99999", "2"]
    places = [decimal(place) for name in names if (place := parse_position(1, name)) is not None]
    assert places == sorted(places)
    assert [one == other for one, other in pairwise(places)] == [float(a) == float(b) for a, b in pairwise(names)]


def test_empty_node_1_01_is_not_1_1(files: Files, tmp_path: Path) -> None:
    """For the official scorer it is 1.010, however: that is the same number."""
    paths = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    found = {}
    for name in ("1.1", "1.01", "1.010"):
        for path, zero in zip(paths, ("1.01", name), strict=True):
            text = f"# newdoc id = d\n{HEADER}1 a (e1--1)\n{zero} _ (e1--1) 1:x\n2 b\n"
            path.write_text(conllu(text), encoding="utf-8")
        found[name] = [
            corefscope.score(*paths, rules=rules, zeros="linear", match="exact")["muc"].f1
            for rules in ("corefud-1.2", "corrected")
        ]
    assert found == {"1.1": [0, 0], "1.01": [1, 1], "1.010": [1, 0]}
    assert entities(files.document("1 a (e1--2\n1.1 _\n1.01 _ e1)\n2 b").official)["e1"] == ["1:1 [1:1.200001]"]


# ----------------------------------------------------------------------------------- fields named twice


@pytest.mark.parametrize(
    ("header", "chunk", "expected"),
    [
        ("eid-etype-head-head", "e1-x-1-2", "1:1 [1:2]"),
        ("eid-etype-head-head", "e1-x-2", "1:1 [1:2]"),
        ("eid-head-etype-head", "e1-2-x", "1:1 [1:2]"),
        ("eid-head-eid", "e9-2-e1", "1:1 [1:2]"),
        ("eid-head-eid", "e1-2", "1:1 [1:2]"),
    ],
)
def test_of_a_field_named_twice_the_last_one_that_is_there_counts(
    header: str, chunk: str, expected: str, files: Files
) -> None:
    """Under all rules: the official scorer reads so, and no other reading would be better."""
    document = files.document(f"1 a ({chunk}\n2 b e1)", header=f"# global.Entity = {header}\n")
    assert entities(document) == {"e1": [expected]}
    assert document.official is None


def test_of_a_type_named_twice_the_last_one_that_is_there_counts(files: Files) -> None:
    document = files.document("1 a (e1-x-y)(e2-x)", header="# global.Entity = eid-etype-entity\n")
    assert dict(zip(document.entity_ids, document.entity_types, strict=True)) == {"e1": "y", "e2": "x"}


# --------------------------------------------------------------------------------- entities of a file


def test_entities_of_earlier_documents_come_in_the_order_in_which_those_were_read_officially(files: Files) -> None:
    """Longer first: that is e2 for us, and e1 for the official scorer."""
    first = "1 a (e2--1(e1--1(e3--1)e1)\n2 b e2)\n3 c"
    for text, order in ((first, ("e1", "e2")), (first.replace("(e1--1(e3--1)e1)", "(e1--1)"), ("e2", "e1"))):
        _, document = files.documents(f"# newdoc id = d1\n{HEADER}{text}\n\n# newdoc id = d2\n1 d (e1--1)(e2--1)\n")
        assert document.entity_ids == order


def test_what_only_the_official_reading_explains_is_a_warning_under_the_name_of_the_fault(tmp_path: Path) -> None:
    """1.1 stands for 1.10 in the DEPS of a zero: validate says bad-zero-deps, and so does the reader."""
    path = tmp_path / "x.conllu"
    lines = ["# newdoc id = d", "# global.Entity = eid-head", "# sent_id = s", "1\ta" + "\t_" * 8]
    lines += ["1.4" + "\t_" * 7 + "\t1.1:x\tEntity=(e1-1)", "1.10" + "\t_" * 9, "2\tb" + "\t_" * 8, "", ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    warnings = Warnings()
    _, reader = open_reader(path, "corefud", warnings)
    with closing(reader.source):
        assert [len(document.entities) for document in reader] == [1]
    assert [(warned.kind, warned.line) for warned in warnings.records()] == [("bad-zero-deps", 5)]
