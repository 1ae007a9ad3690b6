"""What the CorefUD reader makes of a file: positions, heads, order, ids, zeros, documents."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

import corefscope
from corefscope.core.document import Document, Mention
from corefscope.core.errors import InputError, Warnings
from corefscope.core.positions import position
from corefscope.formats import source
from corefscope.formats import source as unpacking
from corefscope.formats.corefud import layout
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.source import Source
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE
from tests.cli.test_faults import conllu

HEADER = "# global.Entity = eid-etype-head-other\n"


class Files:
    """Reads files from their short form (see ``test_faults.conllu``)."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "some.conllu"
        self.warnings = Warnings()

    def reader(self, short: str) -> CorefUDReader:
        self.path.write_text(conllu(short), encoding="utf-8")
        return CorefUDReader(Source.open(self.path), self.warnings)

    def documents(self, short: str) -> list[Document]:
        reader = self.reader(short)
        try:
            return list(reader)
        finally:
            reader.source.close()

    def document(self, *sentences: str, header: str = HEADER) -> Document:
        """The one document of a file of sentences."""
        (document,) = self.documents(f"# newdoc id = d\n{header}" + "\n\n".join(sentences) + "\n")
        return document

    def entities(self, *sentences: str, header: str = HEADER) -> dict[str, list[str]]:
        """Entity ids with their mentions: the words as ``sentence:id``, the head in square brackets."""
        document = self.document(*sentences, header=header)
        mentions = [[shown(mention) for mention in entity] for entity in document.entities]
        return dict(zip(document.entity_ids, mentions, strict=True))


def shown(mention: Mention) -> str:
    """The words of a mention with the head in square brackets.

    >>> shown(Mention((position(1, 2), position(1, 2, 1)), position(1, 2, 1)))
    '1:2 [1:2.1]'
    """
    names = {place: _name(place) for place in mention.positions}
    return " ".join(f"[{name}]" if place == mention.head else name for place, name in names.items())


def _name(place: int) -> str:
    sentence, word, minor = place >> 40, place >> 20 & 0xFFFFF, place & 0xFFFFF
    return f"{sentence}:{word}.{minor}" if minor else f"{sentence}:{word}"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


# ------------------------------------------------------------------------------------- words and their heads


def test_a_mention_is_its_words_and_one_of_them_is_the_head(files: Files) -> None:
    found = files.entities("1 a (e1--2\n2 b (e2--1)\n3 c e1)", "1 d\n2 e (e2--1)")
    assert found == {"e1": ["1:1 [1:2] 1:3"], "e2": ["[1:2]", "[2:2]"]}


def test_empty_nodes_between_the_words_of_a_mention_belong_to_it_and_count_for_its_head(files: Files) -> None:
    found = files.entities("0.1 _\n1 a (e1--3\n1.1 _\n1.2 _ (e2--1) 1:x\n2 b e1)\n2.1 _")
    assert found == {"e1": ["1:1 1:1.1 [1:1.2] 1:2"], "e2": ["[1:1.2]"]}


def test_a_mention_may_begin_and_end_in_empty_nodes(files: Files) -> None:
    assert files.entities("0.1 _ (e1--2\n1 a\n1.1 _ e1)\n2 b") == {"e1": ["1:0.1 [1:1] 1:1.1"]}


@pytest.mark.parametrize("head", ["", "-", "--0", "--0-other"], ids=["short", "no head", "0", "0 and other"])
def test_without_a_head_the_first_word_is_it(head: str, files: Files) -> None:
    assert files.entities(f"1 a (e1{head}\n2 b e1)") == {"e1": ["[1:1] 1:2"]}


def test_the_head_of_a_single_word_is_not_looked_at(files: Files) -> None:
    assert files.entities("1 a (e1--5)") == {"e1": ["[1:1]"]}


def test_of_two_values_of_entity_the_last_counts(files: Files) -> None:
    assert files.entities("1 a (e1--1)|Entity=(e2--1)\n2 b") == {"e2": ["[1:1]"]}


def test_values_beyond_the_header_are_dropped_and_fields_may_be_missing(files: Files) -> None:
    assert files.entities("1 a (e1-x-2-y-z-1\n2 b e1)(e2)") == {"e1": ["1:1 [1:2]"], "e2": ["[1:2]"]}


def test_a_closing_bracket_closes_what_its_entity_opened_last(files: Files) -> None:
    """Spans of one entity that cross are therefore read as nested; those of two entities may cross."""
    found = files.entities("1 a (e1--1(e2--1\n2 b (e1--2\n3 c e1)e2)\n4 d e1)")
    assert found == {"e1": ["[1:1] 1:2 1:3 1:4", "1:2 [1:3]"], "e2": ["[1:1] 1:2 1:3"]}


def test_the_words_of_a_mention_are_those_of_its_sentence_in_the_whole_file(files: Files) -> None:
    """Sentences are numbered through the file, over the borders of documents."""
    _, second = files.documents(f"# newdoc id = d1\n{HEADER}1 a\n\n1 b\n\n# newdoc id = d2\n1 c\n2 d (e1--1)\n")
    assert second.entities == ((Mention((position(3, 2),), position(3, 2)),),)


# ------------------------------------------------------------------------------------------- discontinuous


def test_the_parts_of_a_mention_are_joined_and_the_last_part_names_the_head(files: Files) -> None:
    found = files.entities("1 a (e1[1/2]--1\n2 b e1[1/2])\n3 c\n4 d (e1[2/2]--3\n5 e e1[2/2])")
    assert found == {"e1": ["1:1 1:2 [1:4] 1:5"]}


def test_parts_of_single_words(files: Files) -> None:
    assert files.entities("1 a (e1[1/3])\n2 b\n3 c (e1[2/3])\n4 d\n5 e (e1[3/3]--2)") == {"e1": ["1:1 [1:3] 1:5"]}


def test_head_0_of_a_last_part_of_one_word_is_that_word(files: Files) -> None:
    """As the official loader has it; everywhere else 0 is the first word."""
    assert files.entities("1 a (e1[1/2]--1)\n2 b\n3 c (e1[2/2]--0)") == {"e1": ["1:1 [1:3]"]}


def test_parts_may_stand_in_several_sentences(files: Files) -> None:
    assert files.entities("1 a (e1[1/2]--1)", "1 b (e1[2/2]--2)") == {"e1": ["1:1 [2:1]"]}


def test_a_discontinuous_mention_may_hold_another_mention_of_its_entity(files: Files) -> None:
    found = files.entities("1 a (e1[1/2]--1)\n2 b (e1--1)\n3 c (e1[2/2]--2(e1--1)\n4 d e1[2/2])")
    assert found == {"e1": ["1:1 [1:3] 1:4", "[1:2]", "[1:3]"]}


def test_an_id_in_square_brackets_is_the_name_of_an_entity_if_it_looks_like_no_part(files: Files) -> None:
    assert files.entities("1 a (e[x]1--1\n2 b e[x]1)") == {"e[x]1": ["[1:1] 1:2"]}


# ------------------------------------------------------------------------------------------- order and names


def test_mentions_stand_by_first_word_then_longer_first(files: Files) -> None:
    found = files.entities("1 a (e1--1)(e1--1\n2 b (e1--1(e1--1)\n3 c e1)e1)", "1 d (e1--1)")
    assert found == {"e1": ["[1:1] 1:2 1:3", "[1:1]", "[1:2] 1:3", "[1:2]", "[2:1]"]}


def test_entities_stand_in_the_order_of_their_first_mentions(files: Files) -> None:
    found = files.entities("1 a (e10--1)(e9--1)(e8--1\n2 b e8)(e1--1)")
    assert list(found) == ["e8", "e10", "e9", "e1"], "longer first, then by name as text"


def test_entity_types_are_the_first_ones_given(files: Files) -> None:
    document = files.document("1 a (e1--1)(e2-place-1)(e3)\n2 b (e1-person-1)(e2--1)")
    assert document.entity_ids == ("e1", "e2", "e3")
    assert document.entity_types == ("person", "place", "")
    assert len(files.warnings) == 0, "no type is no other type"


def test_the_name_of_the_type_field_may_be_entity(files: Files) -> None:
    document = files.document("1 a (place-e1-1)", header="# global.Entity = entity-GRP-head\n")
    assert (document.entity_ids, document.entity_types) == (("e1",), ("place",))


def test_an_entity_whose_mentions_are_never_closed_is_none(files: Files) -> None:
    assert files.entities("1 a (e1--1\n2 b (e2--1)(e2--1") == {"e2": ["[1:2]"]}
    assert len(files.warnings) == 2


# ----------------------------------------------------------------------------------------------------- zeros


def test_a_zero_has_the_dependencies_of_its_empty_node(files: Files) -> None:
    """Parents may be words, other empty nodes and the root; relations keep their subtypes."""
    deps = "0:root|2:nsubj:pass|2.10:conj:and:or"
    ((zero,),) = files.document(f"1 a\n1.1 _ (e1--1) {deps}\n2 b\n2.10 _").entities
    assert zero.is_zero
    assert zero.dependencies == (
        (position(1, 0), "root"),
        (position(1, 2), "nsubj:pass"),
        (position(1, 2, 10), "conj:and:or"),
    )


def test_a_zero_without_dependencies(files: Files) -> None:
    ((zero,),) = files.document("1 a\n1.1 _ (e1--1)").entities
    assert (zero.is_zero, zero.dependencies) == (True, ())


def test_what_makes_a_zero_is_its_head_alone(files: Files) -> None:
    """The dependencies of words are not read, not even faulty ones."""
    zero, overt = files.document("1 a (e1--2(e2--1\n1.1 _ _ 2:nsubj\n2 b e1)e2) 99").entities
    assert zero[0].positions == overt[0].positions
    assert (zero[0].is_zero, zero[0].dependencies) == (True, ((position(1, 2), "nsubj"),))
    assert (overt[0].is_zero, overt[0].dependencies) == (False, ())


def test_a_discontinuous_zero_finds_its_dependencies_in_the_sentence_of_its_head(files: Files) -> None:
    ((zero,),) = files.document("1 a\n1.1 _ (e1[1/2]--1) 1:x", "1 b\n1.1 _ 1:y\n2 c (e1[2/2]--1)").entities
    assert zero.dependencies == ((position(1, 1), "x"),)


def test_the_largest_number_of_an_empty_node_is_noted(files: Files) -> None:
    """Of sentences with mentions, which is what it matters for."""
    assert files.document("1 a (e1--1)\n1.2 _\n1.10 _\n2 b", "1 c\n1.3 _ (e1--1)").largest_minor == 10
    assert files.document("1 a (e1--1)").largest_minor == 0


# ------------------------------------------------------------------------------------ sentences and documents


def test_sentences_know_their_place_and_words(files: Files) -> None:
    document = files.document("# sent_id = s1\n1-2 ab\n1 a\n2 b\n2.1 _", "# text = c\n1 c")
    first, second = document.sentences
    assert (first.id, first.number, first.line, first.words) == ("s1", 1, 1, ["1\ta", "2\tb"])
    assert (first.unusual, first.empty) == (["1-2", "2.1"], ["2.1"])
    assert (second.id, second.number, second.line, second.words) == ("2", 2, 9, ["1\tc"])
    assert document.path == str(files.path)


@pytest.mark.parametrize("name", ["1", "2", "2.1", "2.10", "12"])
def test_columns_and_line_of_a_node(name: str, files: Files) -> None:
    """Found by the whole id, whatever comments and multiword tokens come before it."""
    words = "".join(f"{number} w{number}\n" for number in range(3, 13))
    document = files.document("1 other", f"# 1\n1-2 ab\n1 a\n2 b (e1--1)\n# 2.1\n2.1 _\n2.10 _ (e1--1) 1:x\n{words}")
    _, sentence = document.sentences
    word, _, minor = name.partition(".")
    place = position(2, int(word), int(minor or 0))
    line = conllu_lines(files).index("\t".join(document.columns(place))) + 1
    assert document.columns(place)[0] == name
    assert document.line_of(place) == sentence.line_of(place) == line
    assert sentence.columns("1-2")[1] == "ab"


def conllu_lines(files: Files) -> list[str]:
    return files.path.read_text(encoding="utf-8").split("\n")


def test_long_sentences(files: Files) -> None:
    """More words than anyone numbers by heart, all in place."""
    words = "\n".join(f"{number} w" for number in range(1, 2000))
    assert files.entities(f"{words}\n2000 w (e1--2\n2001 w e1)") == {"e1": ["1:2000 [1:2001]"]}


def test_names_are_known_before_reading_and_reading_can_be_repeated(files: Files) -> None:
    text = f"1 x\n\n# newdoc\n{HEADER}1 a (e1--1)\n\n# newdoc id = my doc \n1 b (e2--1)\n\n# newdoc\n1 c\n"
    reader = files.reader(text)
    assert reader.names == ["#0", "#1", "my doc", "#3"]
    once, again = list(reader), list(reader)
    reader.source.close()
    assert [document.id for document in once] == reader.names
    assert [document.entities for document in once] == [document.entities for document in again]
    assert [document.entity_ids for document in once] == [(), ("e1",), ("e2",), ()]


def test_a_file_without_newdoc_is_one_document(files: Files) -> None:
    (document,) = files.documents(f"{HEADER}1 a (e1--1)\n\n1 b (e1--1)\n")
    assert (document.id, len(document.sentences), document.entity_ids) == ("#1", 2, ("e1",))


AGAIN = "# newdoc id = {}\n1 a (e1--1)\n2 b (e2--1)\n\n"


def test_documents_with_the_same_id_are_one(files: Files) -> None:
    """Its sentences keep their numbers in the file; an eid is one entity in all of it."""
    first, second = files.documents(HEADER + "".join(map(AGAIN.format, ["d1", "d2", "d1"])))
    assert (first.id, second.id) == ("d1", "d2")
    assert [(sentence.number, sentence.line) for sentence in first.sentences] == [(1, 1), (3, 10)]
    assert [list(map(shown, entity)) for entity in first.entities] == [["[1:1]", "[3:1]"], ["[1:2]", "[3:2]"]]
    assert [list(map(shown, entity)) for entity in second.entities] == [["[2:1]"], ["[2:2]"]]
    assert first.line_of(position(3, 2)) == 12


def test_with_grp_ids_are_new_at_every_newdoc_even_if_the_documents_are_one(files: Files) -> None:
    header = HEADER.replace("eid", "GRP")
    (document,) = files.documents(header + AGAIN.format("d1") * 2)
    assert [list(map(shown, entity)) for entity in document.entities] == [["[1:1]"], ["[1:2]"], ["[2:1]"], ["[2:2]"]]
    assert document.entity_ids == ("e1", "e2", "e1.2", "e2.2")


def test_relations_are_between_the_entities_of_their_part_where_ids_are_new_at_every_newdoc(files: Files) -> None:
    part = "# newdoc id = d1\n1 a (e1--1)\n2 b (e2--1)|Bridge=e1<e2\n"
    (document,) = files.documents(HEADER.replace("eid", "GRP") + part + "\n" + part)
    assert [relation.ids for relation in document.relations] == [("e2", "e1"), ("e2.2", "e1.2")]
    assert corefscope.score(files.path, files.path, metrics="bridging_entity")["bridging_entity"].f1 == 1


def test_ids_that_look_like_those_of_a_later_part_stay_apart(files: Files) -> None:
    """Entity e1 of the second part is called e1.2, so e1.2 of the first part is not."""
    parts = "# newdoc id = d1\n1 a ({0}--1)\n2 b (e2--1)|Bridge={0}<e2\n\n# newdoc id = d1\n1 a (e1--1)\n"
    (document,) = files.documents(HEADER.replace("eid", "GRP") + parts.format("e1.2"))
    assert document.entity_ids == ("e1.2.1", "e2", "e1.2")
    assert [relation.ids for relation in document.relations] == [("e2", "e1.2.1")]
    (alone,) = files.documents(HEADER.replace("eid", "GRP") + parts.format("e1.2").partition("\n\n")[0])
    assert alone.entity_ids == ("e1.2", "e2")
    assert [relation.ids for relation in alone.relations] == [("e2", "e1.2")]


def test_eid_entities_of_several_documents_are_apart_but_keep_the_order_of_the_file(files: Files) -> None:
    """The order decides who owns a mention of two entities, so it is the official one."""
    second_text = "# newdoc id = d2\n1 a (e3--1)\n2 b (e2--1)\n3 c (e1--1)\n"
    first, second = files.documents(HEADER + AGAIN.format("d1") + second_text)
    assert (first.entity_ids, second.entity_ids) == (("e1", "e2"), ("e1", "e2", "e3"))
    assert [list(map(shown, entity)) for entity in second.entities] == [["[2:3]"], ["[2:2]"], ["[2:1]"]]
    (warning,) = files.warnings
    assert f"{files.path}:8: entity 'e2' also occurs in an earlier document" in warning
    assert warning.endswith("(and 1 more of this kind)")


def test_with_grp_every_document_has_its_own_order(files: Files) -> None:
    text = HEADER.replace("eid", "GRP") + AGAIN.format("d1") + "# newdoc id = d2\n1 a (e2--1)\n2 b (e1--1)\n"
    assert [document.entity_ids for document in files.documents(text)] == [("e1", "e2"), ("e2", "e1")]
    assert len(files.warnings) == 0


@pytest.mark.parametrize("piece", [1, 7, 64, 1000])
def test_the_survey_of_a_file_may_cut_it_anywhere(piece: int, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, header and places are the same however little is looked at in one go."""
    text = HEADER + "\n".join(map(AGAIN.format, ["d1", "d2", "d1", "d3"])) + "# newdoc id = d4\n1 z (e4--1)"
    whole = files.documents(text)
    monkeypatch.setattr(source, "PIECE", piece)
    monkeypatch.setattr(unpacking, "PIECE", piece)
    assert [(d.id, d.entities, d.sentences) for d in files.documents(text)] == [
        (d.id, d.entities, d.sentences) for d in whole
    ]


# ------------------------------------------------------------------------------------------ the bundled example


def test_the_bundled_example_shows_what_the_format_has() -> None:
    """Two documents with zeros, a discontinuous mention, nested ones, singletons and a multiword token."""
    warnings = Warnings()
    readers = [CorefUDReader(Source.open(path), warnings) for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE)]
    (spanish, english), response = (list(reader) for reader in readers)
    for reader in readers:
        reader.source.close()
    assert [d.id for d in (spanish, english)] == [d.id for d in response] == ["es_biblioteca", "en_letter"]
    assert sum(mention.is_zero for entity in spanish.entities for mention in entity) == 4
    letter = english.entities[english.entity_ids.index("e9")][0]
    assert shown(letter) == "5:1 [5:2] 5:6 5:7 5:8 5:9 5:10 5:11 5:12 5:13 5:14"
    assert [english.columns(place)[1] for place in letter.positions[:3]] == ["A", "letter", "that"]
    assert all(any(len(entity) == 1 for entity in document.entities) for document in (spanish, english))
    assert any("-" in name for sentence in spanish.sentences for name in sentence.unusual)
    assert len(warnings) == 0


def test_a_file_that_is_read_again_is_read_the_same() -> None:
    """What comes first in the file is known from this reading, not from the one before."""
    warnings = Warnings()
    with closing(Source.open(EXAMPLE_KEY)) as opened:
        reader = CorefUDReader(opened, warnings)
        assert list(reader) == list(reader)
    assert not list(warnings)


def test_entities_that_recur_are_known_when_their_ranks_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts hold several ids, some the beginnings or ends of others."""
    monkeypatch.setattr(layout, "RECENT", 3)
    monkeypatch.setattr(layout, "TEXTS", 2)
    rng = random.Random(5)
    packed, expected = layout.Ranks(), dict[str, int]()
    for _ in range(300):
        ids = [rng.choice(("e", "x", "é")) + str(rng.randrange(400)) for _ in range(rng.randint(1, 6))]
        ids = list(dict.fromkeys(ids))
        assert packed.of(ids) == {id_: expected[id_] for id_ in ids if id_ in expected}
        packed.add(ids)
        for id_ in ids:
            expected.setdefault(id_, len(expected))


def test_a_file_without_header_that_comes_back_to_a_document_is_refused_for_that(tmp_path: Path) -> None:
    first, second = "# newdoc id = a\n1 a (e1)\n\n", "# newdoc id = b\n1 b\n\n"
    with pytest.raises(InputError, match=r"some.conllu:2: Entity is used but the file has no global.Entity header"):
        Files(tmp_path).documents(first + second + first)
