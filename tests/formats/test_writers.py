"""Writers: what fits, fresh files, and CorefUD that stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.core.document import Document, Mention
from corefscope.core.errors import OptionError, Warnings
from corefscope.core.format import FORMATS
from corefscope.core.positions import position
from corefscope.formats import fitting
from corefscope.formats.conll import writer as conll
from corefscope.formats.conll.reader import ConllReader
from corefscope.formats.convert import convert
from corefscope.formats.corefud import writer as corefud
from corefscope.formats.corefud.reader import CorefUDReader
from corefscope.formats.detection import word_tags
from corefscope.formats.losses import LOSSES, Losses
from corefscope.formats.source import DocumentReader, Source
from corefscope.formats.writers import WRITERS, writer_for
from corefscope.formats.writing import Origin
from tests.cli.test_faults import conllu
from tests.formats.test_writing import document

HEADER = "# global.Entity = eid-etype-head-other\n"


def origin(source_format: str, same: bool = False) -> Origin:
    """What a writer knows of a file of a format."""
    return Origin(same, partial(word_tags, FORMATS[source_format]))


def documents(path: Path, reader: Callable[[Source, Warnings], DocumentReader]) -> list[Document]:
    source = Source.open(path)
    try:
        return list(reader(source, Warnings()))
    finally:
        source.close()


def content(found: Document) -> object:
    """What must come back."""
    words = [(sentence.number, sentence.words) for sentence in found.sentences]
    return found.id, words, found.entities


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


CONLL = """#begin document (nw/a_1); part 003
nw/a_1\t3\t0\tAnn\tNNP\t(TOP(S*\t-\t-\t-\tSpeaker#1\t(PERSON)\t(0)
nw/a_1\t3\t1\tsleeps\tVBZ\t*))\tsleep\t01\t1\tSpeaker#1\t*\t-

#end document
"""


def test_conll_keeps_its_columns_in_conll_and_what_fits_in_corefud(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(CONLL.replace("\t", "  "), encoding="utf-8")
    (found,) = documents(path, ConllReader)
    assert list(conll.write([found], origin("conll", same=True), Losses())) == [CONLL]
    (text,) = corefud.write([found], origin("conll"), Losses())
    assert "# newdoc id = nw/a_1; part 003\n" in text
    assert "# speaker = Speaker#1\n# text = Ann sleeps\n1\tAnn\t_\t_\tNNP\t_\t0\t_\t_\tEntity=(e0--1)\n" in text


def test_conll_has_twelve_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    body = "# speaker = Ann B.\n1\tHo\tho\tINTJ\tUH\t_\t0\troot\t_\t_\n2\tI\tI\tPRON\t_\t_\t1\tx\t_\tEntity=(e3--1)\n"
    path.write_text(f"# newdoc id = #1\n{HEADER}{body}\n", encoding="utf-8")
    (text,) = conll.write(documents(path, CorefUDReader), origin("corefud"), Losses())
    assert text == (
        "#begin document (#1)\n"
        "_1\t0\t0\tHo\tUH\t*\t-\t-\t-\tAnn_B.\t*\t-\n"
        "_1\t0\t1\tI\tPRON\t*\t-\t-\t-\tAnn_B.\t*\t(3)\n"
        "\n#end document\n"
    )


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=8) | st.sampled_from(
    ["a; part 003", "a; part 3", "a; part 0003", "(a)", "a)", "(a); part 000", "; part 000", " a ", "a;1", "#1", "()"]
)


@given(names)
def test_names_of_documents_come_back(name: str) -> None:
    """Of CoNLL all that fit on a line; of CorefUD those without blanks around them."""
    import tempfile

    found = document("1", name=name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_text("".join(conll.write([found], origin("jsonl"), Losses())), encoding="utf-8")
        assert conll.clean_name(name) == name
        assert [content(again) for again in documents(path, ConllReader)] == [content(found)]
        found = found._replace(id=corefud.clean_name(name))
        assert found.id in (name, name.strip() or "_")
        path.write_text("".join(corefud.write([found], origin("jsonl"), Losses())), encoding="utf-8")
        assert [content(again) for again in documents(path, CorefUDReader)] == [content(found)]


# ------------------------------------------------------------------------------------------------- CorefUD to CorefUD


def converted(folder: Path, text: str) -> str:
    (folder / "in.conllu").write_text(text, encoding="utf-8")
    convert(folder / "in.conllu", folder / "out.conllu")
    before, after = (documents(folder / name, CorefUDReader) for name in ("in.conllu", "out.conllu"))
    assert [content(found) for found in before] == [content(found) for found in after]
    assert [found.entity_ids for found in before] == [found.entity_ids for found in after]
    once = (folder / "out.conllu").read_bytes().decode()
    convert(folder / "out.conllu", folder / "twice.conllu")
    assert (folder / "twice.conllu").read_bytes().decode() == once
    return once


CANONICAL = """# newdoc id = d1
# global.Entity = GRP-etype-infstat-minspan-link-identity
# meta::x = 1
# sent_id = s1
# text = ab c
# Entity=(e9) is no Entity
1-2\tab\t_\t_\t_\t_\t_\t_\t_\tEntity=(e8)(e1)
1\ta\tl\tNOUN\tNN\tX=Entity=1\t0\troot\t0:root\tBridge=e2<e1:part|Entity=(e1-person-new-1,2-coref-A_(B)|SplitAnte=e1<e2
2\tb\t_\t_\t_\t_\t1\tx\t_\tXEntity=e1)|Entity=e1)|SpaceAfter=No
2.1\t_\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e2-person-acc-1-coref)

# a comment of its own


# sent_id = s2
1\tc\t_\t_\t_\t_\t0\troot\t_\t_

# newdoc
# sent_id = s3
1\td\t_\t_\t_\t_\t0\troot\t_\tA=1|Entity=(e1-place-new-1-coref-)|Z"""


def test_a_canonical_file_stays_as_it_is(tmp_path: Path) -> None:
    """To the byte, whatever it has besides brackets, and even without a line end after its last line."""
    text = CANONICAL.replace("A_(B)", "A_B")
    assert converted(tmp_path, text) == text


def test_only_the_order_of_brackets_changes(tmp_path: Path) -> None:
    def short(one: str, two: str, three: str) -> str:
        values = [f"A=1|Entity={value}|B=2" for value in (one, two, three)]
        rows = [f"{i}\tw\tl\tX\tX\tF\t0\td\t_\t{value}" for i, value in enumerate(values, 1)]
        return "\n".join([f"# newdoc id = d\n{HEADER}# sent_id = s", *rows, "", ""])

    old = short("(e3-x-1-c)(e1-x-1-a(e2-y-2-b(e2--1-", "(e4--1-(e5--1-q)e4)e2)(e6--1", "e1)e2)e6)")
    new = short("(e1-x-1-a(e2-y-2-b(e2--1-(e3-x-1-c)", "e2)(e6--1(e4--1-)(e5--1-q)", "e6)e2)e1)")
    assert converted(tmp_path, old) == new


def test_what_the_reader_ignores_is_not_written(tmp_path: Path) -> None:
    text = conllu(f"# newdoc id = d\n{HEADER}1 a (e1--1)(e2--1\n2 b (e3--1\n3 c (e1--1)x\n")
    assert "Entity=(e1--1)\n" in (out := converted(tmp_path, text))
    assert "e2" not in out
    assert "\t_\n3" in out, "nothing is left of the second word's"


def test_mentions_of_one_entity_that_cross_are_still_read_as_before(tmp_path: Path) -> None:
    text = conllu(f"# newdoc id = d\n{HEADER}1 a (e1--1\n2 b (e1[1/2]--1\n3 c e1)\n4 d e1[1/2])\n5 e (e1[2/2]--1)\n")
    assert converted(tmp_path, text) == text


def test_parts_that_canonical_order_would_join_otherwise_stay(tmp_path: Path) -> None:
    """Here the first part must end before the second begins, although it is a single word."""
    text = conllu(
        f"# newdoc id = d\n{HEADER}1 a (e1[1/2]--1\n2 b e1[1/2])(e1[2/2]--1)\n\n1 x (e2--1\n2 y e2)(e3--1)\n"
    )
    assert converted(tmp_path, text) == text.replace("e2)(e3--1)", "(e3--1)e2)")
    warnings = convert(tmp_path / "in.conllu", tmp_path / "out.conllu").warnings
    assert "joined otherwise" in " ".join(warnings)


def test_a_file_that_comes_back_to_a_document_keeps_its_order(tmp_path: Path) -> None:
    block = "# newdoc id = {}\n1 a (e1--1\n2 b e1)(e2--1)\n\n"
    text = conllu(HEADER + "".join(map(block.format, ["d1", "d2", "d1"])))
    assert converted(tmp_path, text) == text.replace("e1)(e2--1)", "(e2--1)e1)")


def test_a_file_without_entities_passes(tmp_path: Path) -> None:
    text = "\n\n# nothing yet\n\n# newdoc id = d\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n\n"
    assert converted(tmp_path, text) == text


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
    ],
)
def test_the_end_of_a_name_says_which_format(path: str, name: str) -> None:
    assert writer_for(path, None).name == name
    assert writer_for(path, "jsonl").name == "jsonl"


@pytest.mark.parametrize("path", ["-", "a.text", "conllu", "a.gz"])
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
