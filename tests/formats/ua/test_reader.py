"""CoNLL-UA: what is annotated is read in all spellings, and UA scorer 1.0 has a reading of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.core.document import Document, Mention, Relation
from corefscope.core.errors import InputError, Warnings
from corefscope.core.format import FORMATS
from corefscope.core.input import Input
from corefscope.core.positions import node_name
from corefscope.formats.detection import open_reader, read_documents
from corefscope.formats.pairs import OpenFile, Pair, document_pairs
from corefscope.formats.ua import lines
from corefscope.formats.ua.lines import LineNumbers
from corefscope.formats.ua.official import read_file
from places import GOLDEN


def line(id_: object, *cells: str, form: str = "") -> str:
    """A token line: IDENTITY, BRIDGING, DISCOURSE_DEIXIS and two columns that nobody reads."""
    return "\t".join([str(id_), form or f"w{id_}", *"_" * 8, *[*cells, *"_____"][:5]])


def text(*cells: str | tuple[str, ...]) -> str:
    """A document of one sentence with these cells."""
    rows = [
        line(number, *((cell or "_",) if isinstance(cell, str) else cell)) for number, cell in enumerate(cells, 1)
    ]
    return "\n".join(["# newdoc id = d", *rows, "", ""])


def opening(id_: str, entity: object, *fields: str) -> str:
    return "(" + "|".join([f"EntityID={entity}", f"MarkableID={id_}", *fields])


def one(id_: str, entity: object, *fields: str) -> str:
    return opening(id_, entity, *fields) + ")"


def bridge(anaphor: str, anchor: str, *fields: str) -> str:
    return "(" + "|".join([f"MarkableID={anaphor}", "Rel=poss", f"MentionAnchor={anchor}", *fields]) + ")"


def read(folder: Path, content: str, warnings: Warnings | None = None) -> list[Document]:
    path = folder / "some.conllua"
    path.write_text(content, encoding="utf-8")
    name, reader = open_reader(path, None, Warnings() if warnings is None else warnings)
    assert name == "ua"
    try:
        return list(reader)
    finally:
        reader.source.close()


def words(mention: Mention) -> str:
    return " ".join(map(node_name, mention.positions))


def entities(document: Document) -> dict[str, list[str]]:
    members = zip(document.entity_ids, document.entities, strict=True)
    return {id_: [words(mention) for mention in entity] for id_, entity in members}


def linked(relation: Relation) -> tuple[object, ...]:
    return (
        relation.kind,
        [words(mention) for mention in relation.anaphor],
        [[words(mention) for mention in target] for target in relation.targets],
        relation.label,
    )


# ------------------------------------------------------------------------------------------------ what is meant


def test_identity_bridging_plurals_and_what_does_not_refer(tmp_path: Path) -> None:
    (document,) = read(
        tmp_path,
        text(
            one("m1", 1, "ElementOf=3"),
            opening("m2", 2, "SemType=dn", "ElementOf=3,4"),
            ")",
            one("m3", 3),
            (one("m4", 5), bridge("m4", "m2", "EntityAnchor=2") + bridge("m4", "m1")),
            one("m5", "6-Pseudo"),
            one("m6", 1) + one("m7", "7_Pseudo"),
        ),
    )
    assert entities(document) == {"1": ["1", "7"], "2": ["2 3"], "3": ["4"], "5": ["5"]}
    assert list(map(linked, document.relations)) == [
        ("split", ["4"], [["1", "7"], ["2 3"]], ""),
        ("bridging", ["5"], [["2 3"]], "poss"),
        ("bridging", ["5"], [["1"]], "poss"),
        ("non-referring", ["6"], [], "6-Pseudo"),
        ("non-referring", ["7"], [], "7_Pseudo"),
    ]
    assert document.relations[0].ids == ("3", "1", "2")


@pytest.mark.parametrize(
    "cells",
    [
        (opening("m1", 1), one("m2", 2) + ")"),
        (opening("m1", 1) + "@", one("m2", 2) + "@)"),
        (opening("m1", 1), "m1)" + one("m2", 2)),
        ("(EntityId=1|MarkableId=m1", ")(Entity_ID=2|Markable_ID=m2)"),
        ("(MentionID=m1|EntityID=1|new", ")(SemType=x|MentionID=m2|EntityID=2)"),
    ],
)
def test_all_spellings_mean_the_same(cells: tuple[str, ...], tmp_path: Path) -> None:
    (document,) = read(tmp_path, text(*cells))
    assert entities(document) == {"1": ["1 2"], "2": ["2"]}


@pytest.mark.parametrize(
    "cell",
    [
        "MarkableID=m3|Rel=poss|MentionAnchor=m2|EntityAnchor=1",
        "(MarkableID=m3|Rel=poss|EntityAnchor=1)",
        "(MentionID=m3|Rel=poss|MentionAnchor=m2",
        "MarkableID=m3|Rel=poss|MentionAnchor=m2@",
    ],
)
def test_bridging_without_brackets_or_mention(cell: str, tmp_path: Path) -> None:
    """Of an entity alone, the nearest mention before the anaphor is meant."""
    (document,) = read(tmp_path, text(one("m1", 1), one("m2", 1), (one("m3", 2), cell), one("m4", 1)))
    assert list(map(linked, document.relations)) == [("bridging", ["3"], [["2"]], "poss")]


def test_an_anchor_that_only_follows_is_the_first_mention(tmp_path: Path) -> None:
    (document,) = read(tmp_path, text((one("m3", 2), "(MarkableID=m3|EntityAnchor=1)"), one("m1", 1), one("m2", 1)))
    assert linked(document.relations[0]) == ("bridging", ["1"], [["2"]], "")


def test_closings_that_name_their_markable_may_cross(tmp_path: Path) -> None:
    (document,) = read(tmp_path, text(opening("m1", 1), opening("m2", 2), "m1)", "m2)"))
    assert entities(document) == {"1": ["1 2 3"], "2": ["2 3 4"]}
    assert "identity" in dict(document.refusals)


def test_zeros_are_known_by_the_word_before_them(tmp_path: Path) -> None:
    rows = [line(1, one("m1", 1)), line("1.7", one("m2", 1)), line("1.9", one("m3", 1)), line(2, one("m4", 1))]
    (document,) = read(tmp_path, "\n".join(["# newdoc id = d", *rows, ""]))
    assert entities(document) == {"1": ["1", "1.1", "1.2", "2"]}
    assert [mention.is_zero for mention in document.entities[0]] == [False, True, True, False]
    assert document.form(document.entities[0][2].first) == "w1.9"
    assert document.line_of(document.entities[0][2].first) == 4


def test_a_multiword_token_stands_for_its_words(tmp_path: Path) -> None:
    rows = [line(1), line("2-3", one("m1", 1)), line(2), line(3, opening("m2", 1)), line(4, ")")]
    (document,) = read(tmp_path, "\n".join(["# newdoc id = d", *rows, ""]))
    assert entities(document) == {"1": ["2 3", "3 4"]}
    assert document.sentences[0].unusual == ["2-3"]


def test_words_count_through_a_sentence_whatever_their_ids_say(tmp_path: Path) -> None:
    rows = ["# newdoc id = d", line(1, one("m1", 1)), "", line(2, opening("m2", 1, "Min=3")), line(3, ")"), ""]
    (document,) = read(tmp_path, "\n".join(rows))
    assert entities(document) == {"1": ["1", "1 2"]}
    assert document.entities[0][1].minimum == (document.entities[0][1].last,)


def test_minima_are_words_of_their_mention(tmp_path: Path) -> None:
    warnings = Warnings()
    cells = (opening("m1", 1, "Min=2"), "", ")", one("m2", 1, "Min=9"), opening("m3", 2), ")", one("m4", 2, "Min=7"))
    (document,) = read(tmp_path, text(*cells), warnings)
    (first, second), (third, _) = document.entities
    assert [node_name(place) for place in first.minimum] == ["2"]
    assert first.head == first.minimum[0]
    assert second.minimum == third.minimum == ()  # that of the second lies elsewhere
    assert [warning.kind for warning in warnings.records()] == ["minimum-outside"]
    (zeroth,) = read(tmp_path, text("", one("m1", 1, "Min=0")), warnings)  # words count from 1, and not from the end
    assert zeroth.entities[0][0].minimum == ()
    assert [(warning.kind, warning.times) for warning in warnings.records()] == [("minimum-outside", 2)]
    (plain,) = read(tmp_path, text(one("m1", 1)))
    assert type(plain.entities[0][0]) is Mention
    assert plain.entities[0][0].minimum == ()


def test_deixis_is_a_layer_of_its_own(tmp_path: Path) -> None:
    (document,) = read(tmp_path, text((one("m1", 1), "_", one("d1", "1-DD")), ("_", "_", one("d2", "1-DD"))))
    assert entities(document) == {"1": ["1"]}
    assert document.deixis is not None
    assert entities(document.deixis) == {"1-DD": ["1", "2"]}
    assert read(tmp_path, text(one("m1", 1)))[0].deixis is None


def test_columns_stand_where_global_columns_says(tmp_path: Path) -> None:
    content = "# global.columns = ID FORM IDENTITY DISCOURSE_DEIXIS\n1\ta\t(EntityID=1|MarkableID=m1)\t_\n"
    (document,) = read(tmp_path, content)
    assert entities(document) == {"1": ["1"]}


@pytest.mark.parametrize(("cut", "sizes"), [(1, [1, 3]), (2, [1, 3]), (3, [2, 2])])
def test_a_response_gets_the_sentences_of_its_key(cut: int, sizes: list[int], tmp_path: Path) -> None:
    """Zeros, minima, deixis and the official reading move along."""
    rows = [
        line(1, one("m1", 1)),
        line("1.1", one("m3", 2)),
        line(2, opening("m2", 1, "Min=3"), "_", one("d1", 1)),
        line(3, ")"),
        line(4, one("m4", 2) + one("m1", 1)),
    ]
    key, response = tmp_path / "key.conllua", tmp_path / "response.conllua"
    key.write_text("\n".join(["# newdoc id = d", *rows[:cut], "", *rows[cut:], ""]), encoding="utf-8")
    response.write_text("\n".join(["# newdoc id = d", *rows, ""]), encoding="utf-8")
    files = [OpenFile(FORMATS["ua"], open_reader(path, None, Warnings())[1]) for path in (key, response)]
    ((pair,),) = document_pairs(files[0], files[1:], [Warnings()], [(Input("key"), Input("response"))])
    for file in files:
        file.reader.source.close()
    assert isinstance(pair, Pair)
    ours, theirs = pair
    assert ours.entities == theirs.entities
    assert ours.deixis is not None
    assert theirs.deixis is not None
    assert ours.deixis.entities == theirs.deixis.entities
    assert ours.official is not None
    assert theirs.official is not None
    assert ours.official.entities == theirs.official.entities
    assert [len(sentence.words) for sentence in theirs.sentences] == sizes
    assert [theirs.line_of(mention.first) for mention in theirs.entities[0]] == [2, 4]


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("cells", "at", "says"),
    [
        ([one("m1", 1), ")"], 3, "closes what was never opened"),
        ([opening("m1", 1), "m2)"], 3, "closes what was never opened"),
        (["", opening("m1", 1), ""], 3, "'m1' in IDENTITY is never closed"),
        (["(MarkableID=m1)"], 2, "has no EntityID"),
        ([one("m1", 1) + "x"], 2, "'x' in IDENTITY is no bracket"),
        ([one("m1", 1, "ElementOf=1")], 2, "'1' is an element of itself (1 of 1)"),
        ([one("m1", 1, "ElementOf=2"), one("m2", 2, "ElementOf=3"), one("m3", 3, "ElementOf=1")], 3, "itself"),
        ([(one("m1", 1), "(MarkableID=m1)")], 2, "has neither MentionAnchor nor EntityAnchor"),
        ([(one("m1", 1), "(MentionAnchor=m1)")], 2, "in BRIDGING has no MarkableID"),
        ([(one("m1", 1), "_", one("d1", ""))], 2, "in DISCOURSE_DEIXIS has no EntityID"),
        ([one("m1", 1, "Min=two")], 2, "Min=two of markable 'm1' is no number"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_line(
    cells: list[str | tuple[str, ...]], at: int, says: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text(*cells))
    assert says in caught.value.message
    assert caught.value.line == at
    assert caught.value.hint


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([(one("m1", 1), bridge("m1", "m9"))], "bridging-of-nothing"),
        ([(one("m1", 1), bridge("m9", "m1"))], "bridging-of-nothing"),
        ([(one("m1", 1), "(MarkableID=m1|EntityAnchor=9)")], "bridging-of-nothing"),
        ([one("m1", 1, "ElementOf=9")], "element-of-nothing"),
        ([one("m1", 1), one("m1", 2)], "markable-in-two-entities"),
    ],
)
def test_what_is_lost_is_a_warning(cells: list[str | tuple[str, ...]], kind: str, tmp_path: Path) -> None:
    warnings = Warnings()
    (document,) = read(tmp_path, text(*cells), warnings)
    assert [(warning.kind, warning.line > 1) for warning in warnings.records()] == [(kind, True)]
    assert not document.relations


# --------------------------------------------------------------------------------------- as UA scorer 1.0 reads


def spans(document: Document) -> dict[str, list[tuple[int, int]]]:
    lines = LineNumbers(document)
    members = zip(document.entity_ids, document.entities, strict=True)
    return {id_: [lines.span(mention) for mention in entity] for id_, entity in members}


def test_the_same_reading_is_not_kept_twice(tmp_path: Path) -> None:
    (document,) = read(tmp_path, text(one("m1", 1, "Min=1"), opening("m2", 1), ")"))
    assert document.official is None
    assert not document.refusals
    assert spans(document) == {"1": [(0, 0), (1, 2)]}


@pytest.mark.parametrize(
    ("rows", "read_as"),
    [
        ([line(1), line("1.1"), line(2, one("m1", 1))], {"1": [(2, 2)]}),
        ([line("1-2"), line(1), line(2, one("m1", 1))], {"1": [(2, 2)]}),
        ([line(1, one("m1", 1)), line(2), line(3, one("m1", 1))], {"1": [(2, 2)]}),
        ([line(1, one("m1", 1)), line(2, one("m1", 2))], {"2": [(1, 1)]}),
        ([line(1, one("m2", 1) + opening("m1", 1)), line(2, ")")], {"1": [(0, 0), (0, 1)]}),
        ([line(1, one("m1", "1_Pseudo"))], {"1_Pseudo": [(0, 0)]}),
        ([line(1, one("m1", 1)), line(2, opening("m1", 1)), line(3, opening("m2", 1)), line(4, ")")], None),
    ],
)
def test_quirks_of_the_reference_program(
    rows: list[str], read_as: dict[str, list[tuple[int, int]]] | None, tmp_path: Path
) -> None:
    path = tmp_path / "some.conllua"
    path.write_text("\n".join(["# newdoc id = d", *rows, ""]), encoding="utf-8")
    document = read_file(path)["d"].document
    if read_as is None:  # a markable that is left open the second time ends before it begins
        assert spans(document) == {"1": [(1, 0), (2, 3)]}
        return
    assert spans(document) == read_as
    (ours,) = read(tmp_path, path.read_text(encoding="utf-8"))
    if ours.official:
        assert spans(ours.official) == read_as
    else:
        assert spans(ours) == read_as


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        (text(opening("m1", 1), one("m2", 2) + ")"), "identity"),
        (text("(EntityId=1|MarkableID=m1)"), "identity"),
        (text(one("m1", 1) + "@" + one("m2", 1)), "identity"),
        (text((one("m1", 1), "(MarkableID=m1|EntityAnchor=1)")), "bridging"),
        (text(one("m1", 1, "ElementOf=1")), "split"),
        (text(one("m1", 1, "Min=x")), "minimum"),
    ],
)
def test_where_the_reference_program_stops_is_known_by_what_it_was_asked_for(
    content: str, asked: str, tmp_path: Path
) -> None:
    path = tmp_path / "some.conllua"
    path.write_text(content, encoding="utf-8")
    refusals = dict(read_file(path)["d"].document.refusals)
    assert list(refusals) == [asked]
    assert refusals[asked].line == 2 if asked != "identity" else refusals[asked].line in (2, 3)
    assert str(refusals[asked]).startswith(f"{path}:")


def test_names_of_documents_are_what_the_reference_program_takes_for_them(tmp_path: Path) -> None:
    path = tmp_path / "some.conllua"
    rows = [line(1, one("m0", 0)), "# newdoc id=foo", line(1, one("m1", 1)), "# newdoc", line(2, one("m2", 2))]
    path.write_text("\n".join([*rows, "# newdoc id = a", line(3, one("m3", 3)), ""]), encoding="utf-8")
    documents = read_file(path)
    assert list(documents) == ["o", "a"]  # what stands before the first, or after one without name, joins the next
    assert [spans(each.document) for each in documents.values()] == [
        {"0": [(0, 0)], "1": [(1, 1)]},
        {"2": [(0, 0)], "3": [(1, 1)]},
    ]


def test_bridging_that_the_reference_program_skips_is_told(tmp_path: Path) -> None:
    path = tmp_path / "some.conllua"
    path.write_text(text((one("m1", 1), bridge("m1", "m8") + bridge("m1", "m9"))), encoding="utf-8")
    assert read_file(path)["d"].skipped == (("m9", "m1"),)


def test_golden_files_are_read_in_both_ways() -> None:
    """Where the two differ, and where not, nothing is lost: the same ids of markables lead to as many mentions."""
    files = sorted((GOLDEN / "ua").glob("*.conllua"))
    assert files
    for path in files:
        _, reader = open_reader(path, None, Warnings())
        official = read_file(path)
        for document in reader:
            other = official[document.id].document
            if not other.refusals:
                assert sum(document.sizes) == sum(other.sizes), path.name
        reader.source.close()


def test_dependencies_of_zeros_are_looked_up_once_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[str] = []
    for number in range(1, 41):
        zero = line(f"{number}.1", one(f"m{number}", 1), form="_").split("\t")
        zero[8] = f"{number}:nsubj"
        rows += [line(number), "\t".join(zero)]
    path = tmp_path / "zeros.conllua"
    path.write_text("\n".join(["# newdoc id = d", *rows, "", ""]), encoding="utf-8")
    cut = lines.cells_of
    cells: list[str] = []

    def counted(text: str, least: int = 2) -> list[str]:
        cells.append(text)
        return cut(text, least)

    monkeypatch.setattr(lines, "cells_of", counted)
    (document,) = read_documents(path, "ua")
    assert [mention.dependencies[0][1] for mention in document.entities[0]] == ["nsubj"] * 40
    assert len(cells) < 10 * len(rows)


def test_zeros_are_counted_after_each_word(tmp_path: Path) -> None:
    rows = [line(1), line("1.1", one("m1", 1)), line("1.2", one("m2", 1)), line(2), line("2.1", one("m3", 1)), ""]
    (document,) = read(tmp_path, "\n".join(["# newdoc id = d", *rows]))
    assert entities(document) == {"1": ["1.1", "1.2", "2.1"]}


def test_a_sent_id_after_words_begins_a_sentence_also_without_an_empty_line(tmp_path: Path) -> None:
    rows = ["# newdoc id = d", "# sent_id = s1", line(1), line(2), "# sent_id = s2", line(1, one("m1", 1)), ""]
    (document,) = read(tmp_path, "\n".join(rows))
    assert [(sentence.id, len(sentence.words)) for sentence in document.sentences] == [("s1", 2), ("s2", 1)]


def test_of_a_minimum_that_ends_outside_the_reference_program_knows_both_ends(tmp_path: Path) -> None:
    """It is not written out word by word: it may end a billion words later."""
    path = tmp_path / "some.conllua"
    path.write_text(text(opening("m1", 1, "Min=2,9"), "", ")"), encoding="utf-8")
    document = read_file(path)["d"].document
    (mention,) = document.entities[0]
    assert len(mention.minimum) == 2
    assert LineNumbers(document).minimum(mention) == (1, 8)
    assert mention.head == mention.first


def test_a_file_without_newdoc_is_one_document(tmp_path: Path) -> None:
    (document,) = read(tmp_path, line(1, one("m1", 1)) + "\n")
    assert document.id == "#1"
