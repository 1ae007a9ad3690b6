"""Pairs that say the same in different ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.core.errors import Warnings
from corefscope.core.positions import position
from corefscope.formats.corpus import Corpus
from corefscope.formats.jsonl.spans import ListedText
from corefscope.formats.mention_warnings import ARE_SAMPLED

SENTENCES = [["Ann", "came"], ["She", "left", "him"]]
FLAT = [word for sentence in SENTENCES for word in sentence]


def _jsonl(path: Path, *documents: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    return path


@pytest.mark.parametrize("swap", [False, True])
def test_words_without_sentences_take_those_of_the_other_side(tmp_path: Path, swap: bool) -> None:
    """In all documents: once one is cut anew, the sentences of the next have other numbers."""
    clusters = [[[0, 0], [2, 2]], [[3, 4]]]
    cut: list[dict[str, Any]] = [{"doc_key": name, "sentences": SENTENCES, "clusters": clusters} for name in "ab"]
    flat: list[dict[str, Any]] = [{"doc_key": name, "document": FLAT, "clusters": clusters} for name in "ab"]
    files = [_jsonl(tmp_path / "cut.jsonl", *cut), _jsonl(tmp_path / "flat.jsonl", *flat)]
    report = corefscope.score(*(files[::-1] if swap else files), match="exact", singletons="keep")
    assert report["conll"].f1 == 1
    assert report["mentions"].f1 == 1


@pytest.mark.parametrize(("part", "name"), [(0, "d"), (0, "d_0"), (3, "d_3"), (0, "d; part 000")])
def test_parts_are_told_in_several_ways(tmp_path: Path, part: int, name: str) -> None:
    key = tmp_path / "key.conll"
    rows = "".join(f"d\t{part}\t{at}\t{word}\t-\t(1)\n" for at, word in enumerate(SENTENCES[0]))
    key.write_text(f"#begin document (d); part {part:03d}\n{rows}\n#end document\n", encoding="utf-8")
    document = {"doc_key": name, "sentences": SENTENCES[:1], "clusters": [[[0, 0], [1, 1]]]}
    report = corefscope.score(key, _jsonl(tmp_path / "r.jsonl", document), preset="conll12")
    assert report["conll"].f1 == 1


def test_other_words_are_an_error(tmp_path: Path) -> None:
    cut = _jsonl(tmp_path / "cut.jsonl", {"doc_key": "a", "sentences": SENTENCES, "clusters": []})
    flat = _jsonl(tmp_path / "flat.jsonl", {"doc_key": "a", "tokens": FLAT[:-1], "clusters": []})
    with pytest.raises(corefscope.AlignmentError):
        corefscope.score(cut, flat, match="exact")


def test_sentences_of_equal_lists_are_compared_without_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def file(name: str, sentences: list[list[str]]) -> Path:
        fields: dict[str, Any] = {"clusters": [[[0, 0], [2, 2]]]}
        first, second = {"doc_key": "a", "sentences": SENTENCES}, {"doc_key": "b", "sentences": sentences}
        return _jsonl(tmp_path / name, first | fields, second | fields)

    key, same, cut = file("key.jsonl", SENTENCES), file("same.jsonl", SENTENCES), file("cut.jsonl", [FLAT])
    word = file("word.jsonl", [["x", *FLAT[1:]]])

    def readings() -> list[str]:
        with pytest.raises(corefscope.AlignmentError) as raised:
            corefscope.score(key, word, match="exact")
        scored = [repr(corefscope.score(key, response, match="exact").to_dict()) for response in (same, cut)]
        return [*scored, str(raised.value)]

    listed = readings()
    monkeypatch.setattr(ListedText, "same_text", lambda *_: False)
    assert readings() == listed
    monkeypatch.undo()
    monkeypatch.setattr(ListedText, "sentences", lambda _: pytest.fail("sentences were made"))
    assert repr(corefscope.score(key, same, match="exact").to_dict()) == listed[0]


def test_a_document_without_name_may_be_any(tmp_path: Path) -> None:
    named = _jsonl(tmp_path / "named.jsonl", {"doc_key": "a", "sentences": SENTENCES, "clusters": [[[0, 0], [2, 2]]]})
    unnamed = _jsonl(tmp_path / "unnamed.jsonl", {"sentences": SENTENCES, "clusters": [[[0, 0], [2, 2]]]})
    assert corefscope.score(named, unnamed, match="exact")["conll"].f1 == 1
    assert list(corefscope.score(named, unnamed, match="exact").documents) == ["a"]


def test_a_table_without_rows_for_a_document_has_it_empty(tmp_path: Path) -> None:
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_text("document,mention,entity\nb,1,x\nb,2,x\na,1,x\n", encoding="utf-8")
    response.write_text("document,mention,entity\nb,1,x\nb,2,x\nc,1,y\n", encoding="utf-8")
    report = corefscope.score(key, response, singletons="keep", metrics="mentions")
    assert {name: tuple(scores.counts("mentions").values()) for name, scores in report.documents.items()} == {
        "a": (0, 1, 0, 0),
        "b": (2, 2, 2, 2),
        "c": (0, 0, 0, 1),
    }
    third = "1 of 3 mentions (33.3 %)"
    assert [warning.partition(": ")[2] for warning in report.warnings] == [
        "document 'a' is missing: counted as empty",
        "document 'c' is missing: counted as empty",
        f"{third} are not in {key}, and {third} of {key} are not here: {ARE_SAMPLED}",
    ]


CONLLU = """# newdoc id = a
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
2\tcame\t_\t_\t_\t_\t0\t_\t_\t_

# sent_id = 2
1\tShe\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1)
2\tleft\t_\t_\t_\t_\t0\t_\t_\t_
2.1\t_\t_\t_\t_\t_\t_\t_\t2:obj\t_
3\thim\t_\t_\t_\t_\t0\t_\t_\t_

"""


def test_of_as_many_sentences_those_of_the_key_are_taken(tmp_path: Path) -> None:
    """The key knows more of them: empty nodes, which have no place in sentences that are cut anew."""
    key = tmp_path / "key.conllu"
    key.write_text(CONLLU, encoding="utf-8")
    document = {"doc_key": "a", "sentences": [FLAT[:1], FLAT[1:]], "clusters": [[[0, 0], [2, 2]]]}
    (pair,) = Corpus(key, _jsonl(tmp_path / "r.jsonl", document), Warnings())
    for side in pair:
        assert [len(sentence.words) for sentence in side.sentences] == [2, 3]
        assert [mention.head for mention in side.entities[0]] == [position(1, 1), position(2, 1)]
    assert pair.key.sentences[1].empty == ["2.1"]


@pytest.mark.parametrize("response", ["conll", "conllu"])
@pytest.mark.parametrize("swap", [False, True])
def test_a_document_that_comes_back_is_the_same_as_one_that_does_not(
    tmp_path: Path, response: str, swap: bool
) -> None:
    """CorefUD numbers sentences through the file: those of other documents in between must not matter."""
    row = "1\t{}\t_\tX\t_\t_\t0\troot\t_\t{}\n\n"
    first = "# newdoc id = d1\n# sent_id = s1\n" + row.format("a", "Entity=(e1-x-1-)")
    second = "# sent_id = s2\n" + row.format("c", "Entity=(e1-x-1-)")
    between = "# newdoc id = d2\n# sent_id = s3\n" + row.format("b", "_")
    header = "# global.Entity = eid-etype-head-other\n"
    texts = {
        "key.conllu": header + first + between + "# newdoc id = d1\n" + second,
        "response.conllu": header + first + second + between,
        "response.conll": "#begin document (d1)\na (1)\n\nc (1)\n\n#begin document (d2)\nb -\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / "key.conllu", tmp_path / f"response.{response}"]
    for documents in ("apart", "merge"):
        pair = files[::-1] if swap else files
        report = corefscope.score(*pair, match="exact", metrics="muc,bcub", documents=documents)
        assert (report["muc"].f1, report["bcub"].f1) == (1, 1)


def test_merged_documents_share_no_sentence_where_one_comes_back(tmp_path: Path) -> None:
    row, mention = "1\t{}\t_\tX\t_\t_\t0\troot\t_\t{}\n\n", "Entity=(e1-x-1-)"
    files = []
    for name, in_between, at_the_end in (("key", "_", mention), ("response", mention, "_")):
        first = "# global.Entity = eid-etype-head-other\n# newdoc id = d1\n" + row.format("a", mention)
        between = "# newdoc id = d2\n" + row.format("b", "_") + row.format("c", in_between)
        files.append(tmp_path / f"{name}.conllu")
        last = "# newdoc id = d1\n" + row.format("d", at_the_end)
        files[-1].write_text(first + between + last, encoding="utf-8")
    report = corefscope.score(*files, match="exact", singletons="keep", metrics="mentions", documents="merge")
    assert report["mentions"].f1 == 0.5
