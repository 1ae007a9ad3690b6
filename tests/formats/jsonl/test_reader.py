"""Jsonlines: every variant that systems write, what is ambiguous, faults with their lines, broken files, memory."""

from __future__ import annotations

import json
import random
import re
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import corefscope
from corefscope.core.document import Document, Mention
from corefscope.core.errors import CorefscopeError, InputError, Warnings
from corefscope.core.format import FORMATS
from corefscope.core.options import Options
from corefscope.core.positions import LONGEST, position
from corefscope.core.steps import align
from corefscope.formats.detection import read_documents
from corefscope.formats.jsonl import json_text
from corefscope.formats.jsonl import reader as jsonl
from corefscope.formats.jsonl.reader import JsonlReader
from corefscope.formats.jsonl.spans import DocumentFields, spans_document
from corefscope.formats.pairs import cut_like
from corefscope.formats.source import Source
from corefscope.formats.tables import clusters
from corefscope.formats.tables import reader as table
from examples import examples

SENTENCES = [["Ada", "Lovelace", "knew", "Babbage", "."], ["She", "wrote", "to", "him", "."]]
WORDS = [word for sentence in SENTENCES for word in sentence]
CLUSTERS = [[[5, 5], [0, 1]], [[3, 3], [8, 8]]]
PLAIN: dict[str, Any] = {"doc_key": "d", "sentences": SENTENCES, "clusters": CLUSTERS}
SPOKEN = [["Ada Lovelace", "She"], ["Babbage", "him"]]

TEXT = "Ada knew Babbage.\nShe wrote to him."
IN_TEXT = [[[0, 3], [18, 21]], [[9, 16], [31, 34]]]
STRINGS = [["Ada", "She"], ["Babbage", "him"]]

PIECES = ["[CLS]", "Ada", "Love", "##lace", "knew", "Babb", "##age", ".", "[SEP]"]
PIECES += ["[CLS]", "She", "wrote", "to", "him", ".", "[SEP]"]
PIECE_MAP = [0, 0, 1, 1, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9, 9]
PIECE_SENTENCES = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2]
IN_PIECES = [[[10, 10], [1, 3]], [[5, 6], [13, 13]]]


def _file(folder: Path, *documents: Any, name: str = "some.jsonl") -> Path:
    path = folder / name
    lines = [each if isinstance(each, str) else json.dumps(each) for each in documents]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _read(path: Path, side: str = "key", warnings: Warnings | None = None) -> list[Document]:
    source = Source.open(path)
    try:
        reader = JsonlReader(source, Warnings() if warnings is None else warnings, side)
        documents = list(reader)
        assert [document.id for document in documents] == reader.names
        return documents
    finally:
        source.close()


def _spoken(document: Document) -> list[list[str]]:
    return [[" ".join(document.words_of(mention)) for mention in entity] for entity in document.entities]


def _without(*names: str, **more: Any) -> dict[str, Any]:
    return {name: value for name, value in (PLAIN | more).items() if name not in names}


VARIANTS: dict[str, dict[str, Any]] = {
    "sentences": PLAIN,
    "tokens": _without("sentences", tokens=WORDS),
    "AllenNLP": {"document": WORDS, "clusters": CLUSTERS, "top_spans": [[0, 1]], "predicted_antecedents": [-1]},
    "both, agreeing": PLAIN | {"tokens": WORDS},
    "sentence map": _without("sentences", tokens=WORDS, sentence_map=[0] * 5 + [1] * 5),
    "wl-coref": {
        "document_id": "d",
        "cased_words": WORDS,
        "sent_id": [0] * 5 + [1] * 5,
        "span_clusters": [[[5, 6], [0, 2]], [[3, 4], [8, 9]]],
    },
    "span_clusters as well": PLAIN | {"span_clusters": [[[3, 4], [8, 9]], [[0, 2], [5, 6]]]},
    "maverick": {
        "tokens": WORDS,
        "clusters_token_offsets": CLUSTERS,
        "clusters_char_offsets": None,
        "clusters_token_text": SPOKEN,
        "clusters_char_text": None,
    },
    "maverick, of a text": {
        "tokens": WORDS,
        "clusters_token_offsets": CLUSTERS,
        "clusters_char_offsets": [[[0, 11], [25, 27]], [[18, 24], [38, 40]]],
    },
    "fastcoref, of words": {
        "text": WORDS,
        "clusters": [[[0, 2], [5, 6]], [[3, 4], [8, 9]]],
        "clusters_strings": [[WORDS[0:2], WORDS[5:6]], [WORDS[3:4], WORDS[8:9]]],
    },
    "Hugging Face coref-data": {
        "id": "d",
        "text": " ".join(WORDS),
        "sentences": [
            {"id": at, "speaker": None, "text": "", "tokens": [{"id": i, "text": w} for i, w in enumerate(sentence)]}
            for at, sentence in enumerate(SENTENCES)
        ],
        "coref_chains": [[[0, 0, 1], [1, 0, 0]], [[0, 3, 3], [1, 3, 3]]],
    },
    "coref-data with words as strings": {
        "id": "d",
        "sentences": [{"tokens": sentence} for sentence in SENTENCES],
        "coref_chains": [[[0, 0, 1], [1, 0, 0]], [[0, 3, 3], [1, 3, 3]]],
    },
    "PreCo": {
        "id": "d",
        "sentences": SENTENCES,
        "mention_clusters": [[[0, 0, 2], [1, 0, 1]], [[0, 3, 4], [1, 3, 4]]],
    },
    "subtokens": {
        "doc_key": "d",
        "sentences": [PIECES[:9], PIECES[9:]],
        "clusters": IN_PIECES,
        "subtoken_map": PIECE_MAP,
        "sentence_map": PIECE_SENTENCES,
    },
    "subtokens and words": {
        "doc_key": "d",
        "tokens": WORDS,
        "sentences": [PIECES[:9], PIECES[9:]],
        "clusters": IN_PIECES,
        "subtoken_map": PIECE_MAP,
    },
    "subtokens and words in sentences": PLAIN | {"clusters": IN_PIECES, "subtoken_map": PIECE_MAP},
    "subtokens as word_ids() has them": {
        "tokens": WORDS,
        "clusters": IN_PIECES,
        "subtoken_map": [None, *PIECE_MAP[1:8], None, None, *PIECE_MAP[10:15], None],
    },
    "sentencepieces": {
        "sentences": [["▁Ada", "▁Love", "lace", "▁knew", "▁Babbage", ".", "▁She", "▁wrote", "▁to", "▁him", "."]],
        "clusters": [[[6, 6], [0, 2]], [[4, 4], [9, 9]]],
        "subtoken_map": [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    },
}
ONE_SENTENCE = {"tokens", "AllenNLP", "maverick", "maverick, of a text", "fastcoref, of words", "sentencepieces"}
ONE_SENTENCE |= {"subtokens and words", "subtokens as word_ids() has them"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_holds_the_same(variant: str, tmp_path: Path) -> None:
    (document,) = _read(_file(tmp_path, VARIANTS[variant]))
    assert _spoken(document) == SPOKEN
    assert [word.partition("\t")[2] for sentence in document.sentences for word in sentence.words] == WORDS
    assert len(document.sentences) == (1 if variant in ONE_SENTENCE else 2)
    assert document.id == (
        "d" if any(name in VARIANTS[variant] for name in ("doc_key", "document_id", "id")) else "#1"
    )


def test_words_have_the_positions_of_other_formats(tmp_path: Path) -> None:
    """Sentences are counted through the file, words from 1; who has no head is headed by the first word."""
    first, second = _read(_file(tmp_path, PLAIN, "", _without(doc_key="e")))
    assert first.entities == (
        (Mention((position(1, 1), position(1, 2)), position(1, 1)), Mention((position(2, 1),), position(2, 1))),
        (Mention((position(1, 4),), position(1, 4)), Mention((position(2, 4),), position(2, 4))),
    )
    assert first.entity_ids == ("0", "1")
    assert first.sentences[1].words == ["1\tShe", "2\twrote", "3\tto", "4\thim", "5\t."]
    assert [(sentence.number, sentence.line) for sentence in second.sentences] == [(3, 3), (4, 3)]
    assert second.line_of(second.entities[0][0].head) == 3
    assert first.local_ids


def test_canonical_order(tmp_path: Path) -> None:
    """Mentions by first word, longer first, repeated ones kept; entities by their first mentions."""
    given = [[[3, 3], [0, 0], [0, 4], [0, 1], [0, 1]], [[0, 9]], [[0, 4]], [[2, 2]]]
    (document,) = _read(_file(tmp_path, PLAIN | {"clusters": given}))
    assert document.entity_ids == ("1", "0", "2", "3")
    assert [len(mention.positions) for mention in document.entities[1]] == [5, 2, 2, 1, 1]


def test_sentences_without_words_do_not_count(tmp_path: Path) -> None:
    empty = PLAIN | {"sentences": [[], SENTENCES[0], [], [], SENTENCES[1]]}
    assert _read(_file(tmp_path, empty))[0].entities == _read(_file(tmp_path, PLAIN))[0].entities
    counted = {**VARIANTS["PreCo"], "sentences": [[], *SENTENCES]}
    counted["mention_clusters"] = [[[1, 0, 2], [2, 0, 1]], [[1, 3, 4], [2, 3, 4]]]
    assert _spoken(_read(_file(tmp_path, counted))[0]) == SPOKEN


def test_a_text_without_words_is_read_by_characters_also_if_words_were_counted(tmp_path: Path) -> None:
    offsets = {"clusters_token_offsets": [[[0, 0], [2, 2]]], "clusters_char_offsets": [[[0, 2], [8, 10]]]}
    (document,) = _read(_file(tmp_path, {"text": "Ann saw her", **offsets}))
    assert [len(mention.positions) for mention in document.entities[0]] == [3, 3]


def test_marks_of_tokenizers_are_marks_inside_of_words_only(tmp_path: Path) -> None:
    pieces = ["##", "one", "t", "##wo", "##s"]
    fields = {"sentences": [pieces], "subtoken_map": [0, 1, 2, 2, 3], "clusters": []}
    (document,) = _read(_file(tmp_path, fields))
    assert [word.partition("\t")[2] for word in document.sentences[0].words] == ["##", "one", "two", "##s"]


@pytest.mark.parametrize("without", [[0], [0, 1], [2], [4], [5], [9]])
def test_words_without_subtokens_stay_in_the_sentence_of_their_neighbours(without: list[int], tmp_path: Path) -> None:
    """A word without subtokens goes with the word before, at the beginning with the next that has some."""
    pieces = [word for word in range(len(WORDS)) for _ in range(2) if word not in without]
    fields = {"tokens": WORDS, "clusters": [], "subtoken_map": pieces, "sentence_map": [word // 5 for word in pieces]}
    (document,) = _read(_file(tmp_path, fields))
    sizes = [6, 4] if without == [5] else [5, 5]
    assert [len(sentence.words) for sentence in document.sentences] == sizes


@pytest.mark.parametrize(
    "fields",
    [
        {"text": TEXT, "clusters": IN_TEXT, "clusters_strings": STRINGS},
        {"text": TEXT, "span_clusters": IN_TEXT},
        {"text": TEXT, "clusters_char_offsets": [[[a, b - 1] for a, b in cluster] for cluster in IN_TEXT]},
    ],
    ids=["fastcoref", "span_clusters", "clusters_char_offsets"],
)
def test_characters_are_words_where_there_are_none(fields: dict[str, Any], tmp_path: Path) -> None:
    (document,) = _read(_file(tmp_path, fields))
    assert [["".join(document.words_of(mention)) for mention in entity] for entity in document.entities] == STRINGS
    assert [len(sentence.words) for sentence in document.sentences] == [18, 17]


def test_heads_of_wl_coref(tmp_path: Path) -> None:
    """A prediction has a head for each span; a key lists the heads of several spans once."""
    predicted = VARIANTS["wl-coref"] | {"word_clusters": [[5, 1], [3, 8]]}
    source = Source.open(_file(tmp_path, predicted))
    reader = JsonlReader(source, Warnings())
    assert reader.has_heads
    (document,) = reader
    source.close()
    assert [[document.form(mention.head) for mention in entity] for entity in document.entities] == [
        ["Lovelace", "She"],
        ["Babbage", "him"],
    ]
    key = VARIANTS["wl-coref"] | {"word_clusters": [[3, 8]], "head2span": [[1, 0, 2], [3, 3, 4], [8, 8, 9]]}
    warnings = Warnings()
    (document,) = _read(_file(tmp_path, key), warnings=warnings)
    assert document.form(document.entities[0][0].head) == "Lovelace"
    assert "not in head2span" in next(iter(warnings))
    source = Source.open(_file(tmp_path, predicted, PLAIN | {"doc_key": "e"}))
    assert not JsonlReader(source, Warnings()).has_heads
    source.close()


def test_predicted_clusters_are_the_response(tmp_path: Path) -> None:
    both = PLAIN | {"predicted_clusters": [[[0, 1], [8, 8]]]}
    path = _file(tmp_path, both, both | {"doc_key": "e"})
    warnings = Warnings()
    assert _spoken(_read(path, "key", warnings)[0]) == SPOKEN
    assert not list(warnings)
    assert _spoken(_read(path, "response", warnings)[0]) == [["Ada Lovelace", "him"]]
    assert list(warnings) == [f"{path}:1: the response is read from predicted_clusters, not from clusters"]
    assert _spoken(_read(_file(tmp_path, PLAIN), "response")[0]) == SPOKEN


def test_fields_that_seem_to_hold_clusters_are_told(tmp_path: Path) -> None:
    warnings = Warnings()
    path = _file(tmp_path, PLAIN | {"pred_clusters": [], "speakers": []})
    _read(path, "response", warnings)
    assert list(warnings) == [f'{path}:1: unknown field "pred_clusters" ignored']


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"doc_key": "a", "id": "b"}, "a"),
        ({"id": "b", "clusters": [], "doc_key": "a"}, "a"),
        ({"doc_id": "x/y"}, "x/y"),
        ({"document_id": "x", "part_id": 3}, "x; part 003"),
        ({"id": 7}, "7"),
        ({"meta": {"id": "no", "doc_key": "no"}}, "#1"),
        ({"meta": {"doc_key": "no"}, "id": "yes"}, "yes"),
        ({"doc_key": ""}, "#1"),
        ({"doc_key": None, "id": "b"}, "b"),
        ({"doc_key": 'q"\\\u00e9\U0001f600'}, 'q"\\\u00e9\U0001f600'),
        ({"tokens": ["doc_key", '"id": "x"']}, "#1"),
    ],
)
def test_names(fields: dict[str, Any], name: str, tmp_path: Path) -> None:
    words = {"tokens": ["a"], "clusters": []}
    for document in (fields | {k: v for k, v in words.items() if k not in fields}, words | fields):
        for ascii_only in (True, False):
            path = _file(tmp_path, json.dumps(document, ensure_ascii=ascii_only))
            assert _read(path)[0].id == name


def test_one_array_or_documents_over_several_lines(tmp_path: Path) -> None:
    documents = [PLAIN, PLAIN | {"doc_key": "é"}, PLAIN | {"doc_key": "f"}]
    plain = [document.entities for document in _read(_file(tmp_path, *documents))]
    pretty = [json.dumps(document, indent=1, ensure_ascii=False) for document in documents]
    for text in (
        json.dumps(documents),
        json.dumps(documents, indent=2, ensure_ascii=False),
        "\n \n" + "[\n" + ",\n".join(pretty) + "\n]\n",
        "\n".join(pretty),
    ):
        path = _file(tmp_path, text)
        found = _read(path)
        assert [document.entities for document in found] == plain
        assert [document.id for document in found] == ["d", "é", "f"]
        lines = path.read_text(encoding="utf-8").split("\n")
        for document in found[1:] if len(lines) > 3 else ():
            start = document.sentences[0].line
            assert "{" in lines[start - 1]
            assert document.id in lines[start]
    (one,) = _read(_file(tmp_path, json.dumps(PLAIN, indent=2)))
    assert one.entities == plain[0]


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    lines = [json.dumps(PLAIN), json.dumps(PLAIN | {"doc_key": "e"})]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert [document.id for document in _read(path)] == ["d", "e"]


FAULTS: list[tuple[dict[str, Any], str]] = [
    (_without("sentences"), 'has no words; its fields: "doc_key", "clusters"'),
    (_without("clusters"), 'has no clusters; its fields: "doc_key", "sentences"'),
    (_without("clusters", predicted_clusters=[]), "has only predicted_clusters"),
    (_without("clusters", gold_mentions=[]), "understood are clusters, predicted_clusters, span_clusters"),
    (_without("clusters", word_clusters=[[0, 5]]), "has no clusters"),
    ({"text": "Ann.", "clusters": [[[0, 3]]]}, "call it span_clusters if its ends are exclusive"),
    (_without("sentences", cased_words=WORDS), "clusters over cased_words may mean two things"),
    (PLAIN | {"span_clusters": [[[5, 6], [0, 3]]]}, "clusters and span_clusters do not hold the same mentions"),
    (PLAIN | {"tokens": WORDS[1:]}, "sentences and tokens do not hold the same words"),
    (PLAIN | {"tokens": WORDS, "document": WORDS[1:]}, "tokens and document do not hold the same words"),
    (VARIANTS["maverick"] | {"clusters_char_offsets": [[[0, 1]]]}, "do not hold the same mentions"),
    ({"text": TEXT, "clusters": IN_TEXT, "clusters_strings": [["x"]]}, "clusters and clusters_strings do not"),
    ({"text": TEXT, "tokens": ["Ada"], "clusters": IN_TEXT, "clusters_strings": STRINGS}, "there are words as well"),
    ({"text": TEXT, "clusters_token_offsets": CLUSTERS}, "counts words, but the document has none"),
    ({"tokens": WORDS, "clusters_char_offsets": CLUSTERS}, "no text that its characters are counted in"),
    ({"text": 3, "span_clusters": []}, "text is 3, not a string"),
    ({"text": TEXT, "coref_chains": [[[0, 0, 0]]]}, "there are no sentences"),
    (
        PLAIN | {"clusters": [[[0, 10]]]},
        "has 10 words, 0 to 9\n  hint: ends are inclusive in clusters; if yours are excl",
    ),
    (PLAIN | {"clusters": [[[0, 1]], [[0, 1], [0, 25]]]}, "clusters[1][1] is [0, 25], but the document has 10 words"),
    (PLAIN | {"clusters": [[[0, 25]]]}, "needs a subtoken_map"),
    (PLAIN | {"clusters": [[[3, 1]]]}, "clusters[0][0] is [3, 1]: it ends before it begins"),
    (VARIANTS["wl-coref"] | {"span_clusters": [[[3, 3]]]}, "there are no words in it"),
    (PLAIN | {"clusters": [[[-1, 1]]]}, "words are counted from 0"),
    (PLAIN | {"clusters": [[[10**4000, 10**4000]]]}, "clusters[0][0] is [1000"),
    (PLAIN | {"clusters": [[]]}, "clusters[0] has no mentions"),
    (PLAIN | {"clusters": [[[0, 1]], []]}, "clusters[1] has no mentions"),
    (PLAIN | {"clusters": [[[0, 1.0]]]}, "whole numbers"),
    (PLAIN | {"clusters": [[[0, True]]]}, "whole numbers"),
    (PLAIN | {"clusters": [[[0, "1"]]]}, "whole numbers"),
    (PLAIN | {"clusters": [[[0, float("nan")], [1, 1]]]}, "whole numbers"),
    (PLAIN | {"clusters": [[[0, 1], [0, None]]]}, "whole numbers"),
    (PLAIN | {"clusters": [[[0, 1, 2]]]}, "clusters[0][0] is [0, 1, 2], not [first, last]"),
    (PLAIN | {"clusters": [[13, 14]]}, "clusters[0][0] is 13, not [first, last]"),
    (PLAIN | {"clusters": [["ab"]]}, 'clusters[0][0] is "ab", not [first, last]'),
    (PLAIN | {"clusters": [{"a": [0, 1]}]}, "not a list of mentions"),
    (PLAIN | {"clusters": [0]}, "clusters[0] is 0, not a list of mentions"),
    (PLAIN | {"clusters": {"a": 7}}, "clusters[0] is 7, not a list of mentions"),
    (PLAIN | {"clusters": {"\ud800": [[0, 0]]}}, "half of a surrogate pair"),
    (PLAIN | {"clusters": ""}, 'clusters is "", not a list'),
    (PLAIN | {"clusters": 7}, "clusters is 7, not a list"),
    (PLAIN | {"sentences": [["a", 3]]}, "the word 3 is not a string"),
    (PLAIN | {"sentences": [["a", ["b"]]]}, 'the word ["b"] is not a string'),
    (PLAIN | {"sentences": "Ada"}, 'sentences is "Ada", not a list of sentences'),
    (PLAIN | {"sentences": ["Ada"]}, 'sentences[0] is "Ada", not a list of words'),
    (PLAIN | {"sentences": [{"text": "Ada"}]}, "not a list of words"),
    (_without("sentences", tokens="Ada"), 'tokens is "Ada", not a list of words'),
    (_without("sentences", tokens=WORDS, sent_id=[0, 0]), "sent_id has 2 items, but there are 10 words"),
    (PLAIN | {"sentences": [["\ud800"]], "clusters": []}, "half of a surrogate pair"),
    (PLAIN | {"doc_key": "\ud800"}, "half of a surrogate pair"),
    (PLAIN | {"doc_key": ["d"]}, 'doc_key is ["d"]'),
    (PLAIN | {"doc_key": True}, "doc_key is true"),
    (VARIANTS["PreCo"] | {"mention_clusters": [[[2, 0, 1]]]}, "there are 2 sentences, counted from 0"),
    (VARIANTS["PreCo"] | {"mention_clusters": [[[1, 0, 6]]]}, "that sentence has 5 words, 0 to 4"),
    (VARIANTS["PreCo"] | {"mention_clusters": [[[0, 1]]]}, "not [sentence, first, last]"),
    (VARIANTS["subtokens"] | {"clusters": [[[0, 16]]]}, "the subtoken_map has 16 subtokens, 0 to 15"),
    (VARIANTS["subtokens"] | {"subtoken_map": [0]}, "sentences hold 16 items, but the subtoken_map 1 subtokens"),
    (VARIANTS["subtokens"] | {"subtoken_map": [1, 0]}, "the numbers of subtoken_map do not increase"),
    (VARIANTS["subtokens"] | {"subtoken_map": [0, 10**9]}, "but has 2 subtokens only"),
    (VARIANTS["subtokens"] | {"subtoken_map": "x"}, "subtoken_map is not a list of word numbers"),
    (VARIANTS["subtokens"] | {"sentence_map": [0]}, "sentence_map has 1 items, but the subtoken_map 16"),
    (VARIANTS["subtokens"] | {"sentences": [[1] * 16]}, "the subtoken 1 is not a string"),
    (VARIANTS["subtokens and words"] | {"tokens": ["a"]}, "names word 9, but there are 1 words"),
    (VARIANTS["subtokens as word_ids() has them"] | {"clusters": [[[0, 3]]]}, "belongs to no word"),
    (VARIANTS["wl-coref"] | {"word_clusters": [[2, 0], [3, 8]]}, "the head 2 is not in its span [5, 6]"),
    (VARIANTS["wl-coref"] | {"word_clusters": [[6, 0], [3, 8]]}, "the head 6 is not in its span [5, 6]"),
    (VARIANTS["wl-coref"] | {"word_clusters": 3}, "word_clusters is not a list of clusters"),
    (VARIANTS["wl-coref"] | {"word_clusters": [], "head2span": [[1, 2]]}, "head2span[0][0] is [1, 2]"),
]


@pytest.mark.parametrize(("fields", "message"), FAULTS, ids=[message[:40] for _, message in FAULTS])
@pytest.mark.parametrize("side", ["key", "response"])
def test_faults_have_their_line(fields: dict[str, Any], message: str, side: str, tmp_path: Path) -> None:
    if side == "response" and "predicted_clusters" in fields:
        pytest.skip("a response is read from them")
    path = _file(tmp_path, PLAIN | {"doc_key": "before"}, "", fields)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        _read(path, side)
    assert caught.value.line == 3
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"doc_key": "x", "tokens": ["a"', "it ends too early"),
        ('{"doc_key": "x", "tokens": ["a" "b"], "clusters": []}', "invalid JSON"),
        ('{"tokens": ["a"], "clusters": []},', "extra data after its end"),
        ('{"id": "x", "tokens": [nothing], "clusters": []}', "invalid JSON"),
        ('{"tokens": [nothing], "id": "x", "clusters": []}', "invalid JSON"),
        ('{"tokens": ["a"], "id" "x"}', "':' was expected"),
        ('{"tokens": ["a"] "id": "x"}', "',' or '}' was expected"),
        ('{id: "x"}', "invalid JSON"),
        ('{"x": 1, id: "x", "id": 2}', "a name in double quotes was expected"),
        ('["a"]', "is not a document"),
        ("17", "is not a document"),
        ('"text"', "is not a document"),
        ('{"id": "x", "tokens": [], "clusters": [], "clusters": []}', 'the name "clusters" comes twice'),
        ('{"tokens": [], "id": "x", "clusters": [], "id": "y", "doc_id": "x"}', 'the name "id" comes twice'),
        ('{"doc_key": "x", "a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"a": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + ', "id": "x"}', "nested too deeply"),
        ('{"doc_key": "x", "tokens": ["a"], "clusters": [[[0, ' + "9" * 5000 + "]]]}", "too many digits"),
        ('{"doc_key": "d"}', "document 'd' comes twice (first in line 1)"),
    ],
)
def test_invalid_json_has_its_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        _read(_file(tmp_path, PLAIN, "", line))
    assert caught.value.line == 3


def test_faults_in_files_that_are_one_value(tmp_path: Path) -> None:
    for text, line, message in (
        ('[\n{"tokens": [],\n"clusters": []},\n{"tokens": ["a",]}\n]', 4, "invalid JSON"),
        ('[\n{"tokens": [],\n"clusters": []},\n{"tokens": ["a"], "clusters": [[[0, 1]]]}\n]', 4, "has 1 words"),
        ('[\n{"tokens": [],\n"clusters": []},\n3]', 4, "3 is not a document"),
        ('{\n"tokens": [],\n"clusters": [],\n', 4, "it ends too early"),
        ("[]", 0, "holds no document"),
        (" \n", 0, "holds no document"),
        ('[["a", "b"]]', 1, "name the format clusters"),
    ):
        path = tmp_path / "whole.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=re.escape(message)) as caught:
            _read(path)
        assert caught.value.line == line


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    for data in (b'{"doc_key": "\xff", "tokens": [], "clusters": []}', b'{"doc_key": "a", "tokens": ["\xff"]}'):
        path = tmp_path / "bad.jsonl"
        path.write_bytes(b"\n" + data + b"\n")
        with pytest.raises(InputError, match="byte 0xff is not UTF-8") as caught:
            _read(path)
        assert caught.value.line == 2


def test_other_sentences_over_the_same_words(tmp_path: Path) -> None:
    """Who has only a list of words can be cut like who has sentences."""
    documents = [VARIANTS["tokens"], VARIANTS["tokens"] | {"doc_key": "e"}]
    flat = _read(_file(tmp_path, *documents))
    cut = _read(_file(tmp_path, PLAIN, PLAIN | {"doc_key": "e"}))
    for ours, theirs in zip(flat, cut, strict=True):
        same = cut_like(ours, theirs.sentences)
        assert same is not None
        assert same.entities == theirs.entities
        assert same.sentences == tuple(
            sentence._replace(line=ours.sentences[0].line) for sentence in theirs.sentences
        )
    assert cut_like(flat[0], cut[0].sentences[:1]) is None


def test_sentences_longer_than_positions_can_tell() -> None:
    words = ["a"] * (LONGEST + 2)
    document = spans_document("d", DocumentFields([words], [[[LONGEST - 1, LONGEST]]]))
    assert [len(sentence.words) for sentence in document.sentences] == [LONGEST, 2]
    assert document.entities[0][0].positions == (position(1, LONGEST), position(2, 1))


def test_formats_are_told_apart() -> None:
    looks = {"jsonl": jsonl.LOOKS_LIKE, "clusters": clusters.LOOKS_LIKE, "table": table.LOOKS_LIKE}
    looks |= {name: FORMATS[name].looks_like for name in ("conll", "corefud")}
    samples = {json.dumps(fields): "jsonl" for fields in VARIANTS.values()}
    samples |= {json.dumps(fields, indent=1): "jsonl" for fields in VARIANTS.values()}
    samples |= {json.dumps([fields]): "jsonl" for fields in VARIANTS.values()}
    samples |= {json.dumps({"text": TEXT, "clusters": IN_TEXT}): "jsonl"}
    samples |= {json.dumps(fields, sort_keys=True): "jsonl" for fields in VARIANTS.values()}
    samples |= {json.dumps({"meta_data": {"a": 1}} | PLAIN): "jsonl"}
    samples |= {'{"doc_key": "d", "clusters": [' + "[[1, 2]], " * 9: "jsonl"}
    samples |= {
        '[["a", "b"], ["c"]]': "clusters",
        '{"d": [["a", "b"]]}': "clusters",
        '{"d": {"text": ["a", "b"]}}': "clusters",
        '\n{\n"clusters": [[[0, 1]]]}': "clusters",
        '{"doc_key": "d", "clusters": [["a"]]}\n{"doc_key": "e", "clusters": []}\n': "clusters",
        '{"doc_key": "d", "clusters": [["a"]]}': "clusters",
        "document,mention,entity\nd,m,e\n": "table",
        '"Doc_ID"\t"Mention_ID"\t"Cluster"\n': "table",
        "entity;mention\n": "table",
        "x,mention_id,y,label": "table",
        "PAR1\x15\x04": "table",
        "#begin document (d)\nd 0 0 mention entity -\n": "conll",
        "# newdoc id = mention,entity\n": "corefud",
        "1\tmention\tx\n": "corefud",
    }
    for sample, format_ in samples.items():
        assert [name for name, look in looks.items() if re.match(look, sample)] == [format_], sample


def test_looking_is_quick_whatever_there_is() -> None:
    for sample in (" " * 16384, "{" * 16384, "{}" * 8192, '{"' * 8192, "," * 16384, "mention," * 2048, "\n" * 16384):
        for look in (jsonl.LOOKS_LIKE, clusters.LOOKS_LIKE, table.LOOKS_LIKE):
            re.match(look, sample)


def test_documents_align_with_themselves(tmp_path: Path) -> None:
    for fields in VARIANTS.values():
        (document,) = _read(_file(tmp_path, fields))
        assert align(document, document, Options(match="head")).matched == 4


def test_memory_is_that_of_one_document(tmp_path: Path) -> None:
    """Many documents take no more memory than one: only their names and places are kept."""
    fields = {"sentences": [["a" * 500] * 40] * 4, "clusters": [[[i, i + 9], [i, i]] for i in range(100)]}
    line = json.dumps(fields)[1:]
    path = tmp_path / "large.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f'{{"doc_key": "{number}", {line}\n' for number in range(500))
    tracemalloc.start()
    source = Source.open(path)
    assert sum(len(document.entities) for document in JsonlReader(source, Warnings())) == 500 * 100
    source.close()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 40_000_000
    assert peak < 14_000_000  # pieces of 4 MB, in which documents are looked for, and one document


def _all_read(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    for side in ("key", "response"):
        with suppress(CorefscopeError):
            for document in _read(path, side):
                align(document, document, Options(match="exact", singletons="keep"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats() | st.sampled_from(["", "a", "\ud800", "d"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=12,
)
NAMES = sorted({name for fields in VARIANTS.values() for name in fields} | {"predicted_clusters", "word_clusters"})


@examples(700)
@given(documents=st.lists(st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5), max_size=3), data=st.data())
def test_any_json_in_any_field(
    documents: list[dict[str, Any]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = [data.draw(st.sampled_from([{}, *VARIANTS.values()])) | fields for fields in documents]
    _all_read("\n".join(map(json.dumps, base)).encode() or b" ", tmp_path_factory.getbasetemp() / "any.jsonl")


@examples(700)
@given(data=st.binary(max_size=60) | st.text('{}[]",:0123456789.eE-\\undtfalsr \n', max_size=60).map(str.encode))
def test_any_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    _all_read(data, tmp_path_factory.getbasetemp() / "bytes.jsonl")


BITS = [b"[", b"]", b"{", b"}", b'"', b",", b":", b"-1", b"99", b"1e9", b"NaN", b"true", b"null", b'"clusters": ']
BITS += [b"\n", b"\r", b" ", b"\x00", b"\xff", b"\\ud800", b"\\", b"\xef\xbb\xbf", b"\x1f\x8b", b'"doc_key": "d", ']


def broken(rng: random.Random, text: bytes) -> bytes:
    """A file with a few pieces cut out, doubled, moved or put in."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((1, 2, 9, 60)))
        text = rng.choice(
            (
                text[:start] + text[end:],
                text[:end] + text[start:],
                text[:start] + rng.choice(BITS) + text[start:],
                text[:start] + rng.choice(BITS) + text[end:],
                text[:start] + rng.randbytes(2) + text[start:],
            )
        )
    return text or b" "


def _whole() -> Iterator[bytes]:
    for fields in VARIANTS.values():
        yield json.dumps(fields).encode() + b"\n" + json.dumps(fields | {"doc_key": "e"}).encode()
        yield json.dumps([fields, fields | {"doc_key": "e", "id": 3}], indent=1).encode()


@pytest.mark.parametrize("seed", range(10))
def test_broken_files(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    whole = list(_whole())
    for _ in range(100):
        _all_read(broken(rng, rng.choice(whole)), tmp_path / "broken.jsonl")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text('ab],}"[{\\ \u00e9', max_size=4),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("ab]", max_size=2), inner, max_size=4),
    max_leaves=40,
)


@pytest.mark.parametrize("batch", [5, 17, 60])
@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON, indent=st.sampled_from([None, 1]), broken_at=st.integers(0, 200))
def test_a_long_text_is_read_bit_by_bit_as_if_it_were_short(
    batch: int, value: Any, indent: int | None, broken_at: int
) -> None:
    text = json.dumps(value, indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("LARGE", 3), ("BATCH", batch), ("VOCABULARY", 2)):
            patch.setattr(json_text, name, size)
        assert json_text.only_value(text) == value
        broken_text = text[:broken_at] + text[broken_at + 1 :]
        try:
            expected = json.loads(broken_text)
        except ValueError:
            with pytest.raises(json_text.JsonError):
                json_text.only_value(broken_text)
        else:
            with suppress(json_text.JsonError):  # a name that comes twice now
                assert json_text.only_value(broken_text) == expected


@pytest.mark.parametrize(("words", "every"), [("sentences", 40), ("tokens", 40), ("text", 40), ("sentences", 5)])
def test_a_long_line_needs_a_small_multiple_of_its_size(words: str, every: int, tmp_path: Path) -> None:
    sentences = [[f"word{(i * j) % 997}" for j in range(1, 26)] for i in range(8000)]
    flat = [word for sentence in sentences for word in sentence]
    clusters = [[[i, i + 1], [i + 7, i + 8]] for i in range(0, len(flat) - 20, every)]
    content = {"sentences": sentences, "tokens": flat, "text": " ".join(flat)}[words]
    name = "clusters" if words != "text" else "span_clusters"
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({words: content, name: clusters, "doc_key": "last"}))
    tracemalloc.start()
    try:
        (document,) = read_documents(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(document.entities) == len(clusters)
    assert peak < 8 * path.stat().st_size


def test_a_text_has_the_words_of_a_list_of_its_characters(tmp_path: Path) -> None:
    paths = []
    for name, words in (("text", "ab c"), ("sentences", [list("ab c")])):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text(json.dumps({"id": "d", name: words, "span_clusters": [[[0, 2], [3, 4]]]}))
    assert corefscope.score(*paths, metrics="muc")["muc"].f1 == 1


def test_an_object_names_clusters_for_all_documents(tmp_path: Path) -> None:
    named = [
        {"doc_key": "1", "tokens": ["Ann", "met", "Bob"], "clusters": {"bob": [[2, 2]], "ann": [[0, 0]]}},
        {"doc_key": "2", "tokens": ["Bob"], "clusters": {"bob": [[0, 0]]}},
    ]
    path = _file(tmp_path, *named)
    documents = list(corefscope.read_documents(path))
    assert [(document.entity_ids, document.local_ids) for document in documents] == [
        (("ann", "bob"), False),
        (("bob",), False),
    ]
    corefscope.convert(path, tmp_path / "again.jsonl", to="jsonl")
    assert [document.entity_ids for document in corefscope.read_documents(tmp_path / "again.jsonl")] == [
        ("ann", "bob"),
        ("bob",),
    ]
