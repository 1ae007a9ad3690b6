"""JSON of Label Studio, doccano, Prodigy, CoreNLP and xCoRe: what is read, and what is wrong with files."""

from __future__ import annotations

import json
import random
import resource
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope.cli import main
from corefscope.formats.standoff.offsets import UNITS
from examples import seeds
from standoff_files import (
    STANDOFF,
    random_text,
    read,
    read_clusters,
    wanted_clusters,
    within_sentences,
    write_label_studio,
)

TEXT = "Ann likes her dog"
FORMATS = ("label-studio", "doccano", "prodigy", "corenlp", "xcore")
WANTED = [["Ann", "her"], ["her dog"]]


def label(id_: str, start: int, end: int, **value: Any) -> dict[str, Any]:
    return {"id": id_, "type": "labels", "value": {"start": start, "end": end, "labels": ["M"]} | value}


RELATION = {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right", "labels": ["coref"]}
RESULT = [label("a", 0, 3), RELATION, label("b", 10, 13), label("c", 10, 17, text="her dog")]
TASK: dict[str, Any] = {"id": 1, "data": {"text": TEXT}, "annotations": [{"completed_by": 3, "result": RESULT}]}
DOCCANO: dict[str, Any] = {
    "id": 1,
    "text": TEXT,
    "entities": [
        {"id": 4, "label": "M", "start_offset": 0, "end_offset": 3},
        {"id": 5, "label": "M", "start_offset": 10, "end_offset": 13},
        {"id": 6, "label": "M", "start_offset": 10, "end_offset": 17},
    ],
    "relations": [{"id": 1, "from_id": 5, "to_id": 4, "type": "coref"}],
}
OFFSETS = ((0, 3), (4, 9), (10, 13), (14, 17))
SPANS = [{"start": a, "end": b} for a, b in ((0, 3), (10, 13), (10, 17))]
PRODIGY: dict[str, Any] = {
    "text": TEXT,
    "tokens": [{"text": TEXT[a:b], "start": a, "end": b, "id": at} for at, (a, b) in enumerate(OFFSETS)],
    "spans": [{"token_start": 2, "token_end": 3}],
    "relations": [
        {
            "head": 2,
            "child": 0,
            "label": "COREF",
            "head_span": {"token_start": 2, "token_end": 2},
            "child_span": {"token_start": 0, "token_end": 0},
        }
    ],
}
CORENLP: dict[str, Any] = {
    "docId": "walk",
    "sentences": [{"tokens": [{"word": word, "originalText": word} for word in TEXT.split()]}],
    "corefs": {
        "1": [
            {"sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1},
            {"sentNum": 1, "startIndex": 3, "endIndex": 4, "headIndex": 3},
        ],
        "4": [{"sentNum": 1, "startIndex": 3, "endIndex": 5, "headIndex": 4}],
    },
}
XCORE: dict[str, Any] = {
    "tokens": [TEXT.split(), ["She", "left"]],
    "clusters_token_offsets": [[[0, 0, 0], [0, 2, 2], [1, 0, 0]], [[0, 2, 3]]],
}
EXAMPLES = {"label-studio": TASK, "doccano": DOCCANO, "prodigy": PRODIGY, "corenlp": CORENLP, "xcore": XCORE}


def put(folder: Path, *values: object, name: str = "walk.json", indent: int | None = None) -> Path:
    path = folder / name
    texts = [value if isinstance(value, str) else json.dumps(value, indent=indent) for value in values]
    path.write_text("\n".join(texts), encoding="utf-8", errors="surrogatepass")
    return path


def spoken(path: Path, format_: str, *relations: str) -> list[list[str]]:
    name, documents = read(path, relations=relations)
    assert name == format_
    glue = "" if documents[0].counts_characters else " "
    return [[glue.join(documents[0].words_of(mention)) for mention in entity] for entity in documents[0].entities]


def refusal(path: Path, format_: str | None = None) -> str:
    with pytest.raises(corefscope.InputError) as error:
        read(path, format_)
    return str(error.value)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("indent", [None, 1])
def test_one_document_an_array_or_lines(format_: str, indent: int | None, tmp_path: Path) -> None:
    example = EXAMPLES[format_]
    assert spoken(put(tmp_path, example, indent=indent), format_) == WANTED
    assert spoken(put(tmp_path, [example], indent=indent), format_) == WANTED


@pytest.mark.parametrize("format_", FORMATS)
def test_the_commands_that_take_files(format_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, converted = put(tmp_path, EXAMPLES[format_]), tmp_path / "converted.jsonl"
    assert main(["validate", str(path)]) == 0
    assert main(["stats", str(path)]) == 0
    assert main(["score", str(path), str(path), "--metrics", "muc"]) == 0
    assert main(["convert", str(path), str(converted), "--to", "jsonl", "--lossy"]) == 0
    assert [len(entity) for entity in read(converted)[1][0].entities] == [2, 1]
    capsys.readouterr()


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_written_is_read(format_: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{format_} {seed}")
    document = random_text(rng)
    document = within_sentences(document) if format_ == "corenlp" else document
    name, (found,) = read(STANDOFF[format_](document, tmp_path, rng))
    assert name == format_
    assert read_clusters(found) == wanted_clusters(document)


@pytest.mark.parametrize("encoding", UNITS.values())
@pytest.mark.parametrize("seed", seeds(10))
def test_offsets_of_label_studio_count_what_its_texts_say(seed: int, encoding: str, tmp_path: Path) -> None:
    rng = random.Random(f"{encoding} {seed}")
    document = random_text(rng)
    _, (found,) = read(write_label_studio(document, tmp_path, rng, encoding))
    assert read_clusters(found) == wanted_clusters(document)


# ------------------------------------------------------------------------------------------ Label Studio


def test_the_first_annotation_that_was_not_cancelled_counts(tmp_path: Path) -> None:
    other = {"result": [label("x", 0, 3)]}
    cancelled = {"was_cancelled": True, "result": "x"}
    task = TASK | {"annotations": [cancelled, *TASK["annotations"], other], "predictions": [other]}
    path = put(tmp_path, task)
    assert spoken(path, "label-studio") == WANTED
    report = corefscope.score(path, path, metrics="muc")
    assert any("a task has 2 annotations: the first one is read" in str(each) for each in report.warnings)
    predicted = TASK | {"annotations": [], "predictions": TASK["annotations"]}
    assert spoken(put(tmp_path, predicted), "label-studio") == WANTED


def test_several_labels_of_one_span_share_its_id(tmp_path: Path) -> None:
    result = [*RESULT, {"id": "a", "type": "choices", "value": {"choices": ["x"]}}, label("a", 0, 3)]
    assert spoken(put(tmp_path, TASK | {"annotations": [{"result": result}]}), "label-studio") == WANTED


def test_relations_are_identity_by_their_names_in_the_whole_file(tmp_path: Path) -> None:
    other = [RELATION | {"labels": ["part-of"]}, *(each for each in RESULT if each is not RELATION)]
    task = TASK | {"id": 2, "annotations": [{"result": other}]}
    _, documents = read(put(tmp_path, TASK, task))
    assert [len(document.entities) for document in documents] == [2, 3]
    path = put(tmp_path, task)
    assert "found: 'part-of'" in refusal(path)
    assert spoken(path, "label-studio", "part-of") == WANTED


def test_offsets_of_html_count_its_text(tmp_path: Path) -> None:
    def html(id_: str, start: int, end: int, text: str) -> dict[str, Any]:
        value = {"start": "/p[1]/text()[1]", "end": "/p[1]/b[1]/text()[1]", "startOffset": 0, "endOffset": 3}
        return {"id": id_, "type": "hypertextlabels", "value": value | {"text": text}} | {
            "value": value | {"text": text, "globalOffsets": {"start": start, "end": end}}
        }

    result = [html("a", 0, 3, "Ann"), html("b", 8, 15, "her dog")]
    task = TASK | {"data": {"html": "<p>Ann &amp; <b>co</b>her dog</p>"}, "annotations": [{"result": result}]}
    assert spoken(put(tmp_path, task), "label-studio") == [["Ann"], ["her dog"]]
    del result[0]["value"]["globalOffsets"]
    assert "counts characters within elements of HTML" in refusal(put(tmp_path, task))


def test_json_min_has_no_relations(tmp_path: Path) -> None:
    value = {"id": 1, "text": TEXT, "label": [{"start": 0, "end": 3, "labels": ["M"]}], "annotation_id": 1}
    message = refusal(put(tmp_path, [value]))
    assert ":1: this is Label Studio's JSON-MIN" in message
    assert "export JSON, not JSON-MIN" in message


# ------------------------------------------------------------------------------- doccano, Prodigy, others


@pytest.mark.parametrize("field", ["label", "labels"])
def test_labels_of_doccano_are_called_by_their_name(field: str, tmp_path: Path) -> None:
    path = put(tmp_path, {"id": 1, "text": TEXT, field: [[0, 3, "PER"]]}, name="walk.jsonl")
    assert ":1: this is doccano's JSONL with labels of spans only" in refusal(path)


def test_spans_of_prodigy_may_count_characters(tmp_path: Path) -> None:
    relation = {"label": "COREF", "head_span": SPANS[1], "child_span": SPANS[0]}
    example = PRODIGY | {"spans": SPANS, "relations": [relation], "_task_hash": 7}
    assert spoken(put(tmp_path, example), "prodigy") == WANTED
    blank = {"text": "\n", "start": 3, "end": 4, "id": 1}
    tokens = [example["tokens"][0], blank, *example["tokens"][1:]]
    assert spoken(put(tmp_path, example | {"tokens": tokens}), "prodigy") == WANTED
    del example["tokens"]
    assert spoken(put(tmp_path, example), "prodigy") == WANTED


def test_examples_that_were_not_accepted_are_left_out(tmp_path: Path) -> None:
    path = put(tmp_path, PRODIGY | {"answer": "reject"}, PRODIGY | {"answer": "accept"})
    _, (document,) = read(path)
    assert document.id == "#2"
    assert "holds no document" in refusal(put(tmp_path, PRODIGY | {"answer": "ignore"}))


def test_heads_of_corenlp_are_read(tmp_path: Path) -> None:
    path = put(tmp_path, CORENLP)
    _, (document,) = read(path)
    (mention,) = document.entities[1]
    assert mention.head == mention.positions[-1]
    assert corefscope.score(path, path, match="head", metrics="muc")["muc"].f1 == 1
    assert "this is CoreNLP's JSON without corefs" in refusal(
        put(tmp_path, '{"sentences": [{"tokens": [{"word": "a", "characterOffsetBegin": 0}]}]}')
    )


def test_entities_of_xcore_are_shared_by_its_documents(tmp_path: Path) -> None:
    key = put(tmp_path, XCORE)
    apart = XCORE | {"clusters_token_offsets": [[[0, 0, 0], [0, 2, 2]], [[1, 0, 0]], [[0, 2, 3]]]}
    response = put(tmp_path, apart, name="response.json")
    assert corefscope.score(key, response, metrics="muc")["muc"].f1 == 1
    merged = corefscope.score(key, response, metrics="muc", documents="merge")["muc"]
    assert (merged.recall, merged.precision) == (0.5, 1)
    _, documents = read(put(tmp_path, XCORE, XCORE))
    assert [document.id for document in documents] == ["#1", "#2", "#3", "#4"]
    assert {*documents[0].entity_ids}.isdisjoint(documents[2].entity_ids)
    _, documents = read(put(tmp_path, XCORE | {"doc_ids": ["a", 7]}))
    assert [document.id for document in documents] == ["a", "7"]


# ------------------------------------------------------------------------------------------------ faults


def task(*result: object) -> dict[str, Any]:
    return TASK | {"annotations": [{"result": list(result)}]}


def doccano(start: object, end: object, id_: object = 1, **fields: Any) -> dict[str, Any]:
    return {
        "text": TEXT,
        "entities": [{"id": id_, "start_offset": start, "end_offset": end}],
        "relations": [],
    } | fields


UNKNOWN = [{"from_id": 1, "to_id": 9, "type": "coref"}]
FAULTS: list[tuple[str, object, str]] = [
    ("label-studio", task(label("a", 0, 99)), ":2: a has characters 0 to 99, but the text has 17 characters"),
    ("label-studio", task(label("a", -1, 3)), ":2: a has characters -1 to 3"),
    ("label-studio", task(label("a", 0, 3, text="Eve")), ":2: a is 'Eve', but its place in the text says 'Ann'"),
    ("label-studio", task(label("a", 0, 3), label("a", 4, 9)), "['result'][1] has the id 'a' of another span"),
    ("label-studio", task(label("a", 0, 3), RELATION), "['result'][1]['from_id'] is 'b', which is no mention"),
    ("label-studio", task(RELATION | {"from_id": []}), "['from_id'] is no id"),
    ("label-studio", task(label("a", 0, 3) | {"value": [1]}), "['value'] is [1], not a dictionary"),
    ("label-studio", task(7), "['result'][0] is 7, not a dictionary"),
    ("label-studio", TASK | {"annotations": 7}, "document['annotations'] is 7, not a list"),
    ("label-studio", TASK | {"data": {"a": "x", "b": "y"}}, "document['data'] has no text"),
    ("label-studio", {"data": {}}, ":2: document has neither annotations nor predictions"),
    ("label-studio", task(label("a", 3, 4)), "a mention is blank"),
    ("doccano", doccano(0, 99), ":2: document['entities'][0] is characters[0:99], but there are 17 characters"),
    ("doccano", doccano(3, 3), "which holds nothing"),
    ("doccano", doccano(-3, 3), "characters[-3:3]"),
    ("doccano", doccano(0, 1.5), "['end_offset'] is 1.5, not a whole number"),
    ("doccano", doccano(0, 10**400), "but there are 17 characters"),
    ("doccano", doccano(0, 3, True), "['id'] is no id"),
    ("doccano", doccano(0, 3, relations=UNKNOWN), "['relations'][0]['to_id'] is 9, which is no mention"),
    ("doccano", doccano(0, 3, relations={}), "document['relations'] is {}, not a list"),
    ("doccano", doccano(0, 3, text=["x"]), "document['text'] is not a string"),
    (
        "doccano",
        '{"text": "\\ud800", "entities": [], "relations": []}',
        ":2: a string holds half of a surrogate pair",
    ),
    ("doccano", '{"text": "a", "text": "b"}', ':2: the name "text" comes twice'),
    ("doccano", '{"text": ' + "9" * 5000, ":2: invalid JSON: a number has too many digits"),
    ("doccano", "[" * 100_000, ":2: JSON that is nested too deeply"),
    ("prodigy", PRODIGY | {"tokens": 7}, "document['tokens'] is 7, not a list"),
    ("prodigy", PRODIGY | {"spans": [{"token_start": 1, "token_end": 4}]}, "is tokens[1:5], but there are 4 tokens"),
    ("prodigy", PRODIGY | {"spans": [{"start": 1, "end": 3}]}, "which do not begin and end with tokens"),
    ("prodigy", PRODIGY | {"relations": [{"head": 1, "child": 2}]}, "has no 'head_span', only 'head', 'child'"),
    ("prodigy", PRODIGY | {"answer": "reject"}, "holds no document"),
    ("corenlp", CORENLP | {"corefs": {"1": [{"sentNum": 2}]}}, "annotation['corefs']['1'][0] has no 'startIndex'"),
    ("corenlp", CORENLP | {"corefs": {"1": []}}, "annotation['corefs']['1'] is empty"),
    ("corenlp", CORENLP | {"docId": {}}, "document['docId'] is no id"),
    ("xcore", XCORE | {"clusters_token_offsets": [[[2, 0, 0]]]}, "is in document 2, but there are 2, counted from 0"),
    ("xcore", XCORE | {"clusters_token_offsets": [[[1, 0, 2]]]}, "[0][0] is tokens[0:3], but there are 2 tokens"),
    ("xcore", XCORE | {"clusters_token_offsets": [[[1, 0]]]}, "is [1, 0], not (document, first, last)"),
    ("xcore", XCORE | {"doc_ids": ["a"]}, "document['doc_ids'] has 1 ids, but there are 2 documents"),
    ("xcore", XCORE | {"doc_ids": ["a", "a"]}, ":2: document 'a' comes twice (first in line 2)"),
]


@pytest.mark.parametrize(("format_", "value", "message"), FAULTS)
def test_faults_have_a_line(format_: str, value: object, message: str, tmp_path: Path) -> None:
    shown = refusal(put(tmp_path, "", value), format_)
    assert message in shown
    assert "\n  hint: " in shown


def test_the_line_is_that_of_the_part(tmp_path: Path) -> None:
    path = put(tmp_path, [DOCCANO, DOCCANO | {"id": 2, "entities": [DOCCANO["entities"][0], {"id": 8}]}], indent=1)
    line = 1 + path.read_text(encoding="utf-8").split("\n").index('    "id": 8')
    assert f":{line - 1}: document['entities'][1] has no 'start_offset'" in refusal(path)


def test_documents_must_have_different_ids(tmp_path: Path) -> None:
    assert ":2: document '1' comes twice (first in line 1)" in refusal(put(tmp_path, DOCCANO, DOCCANO))


LARGE = "x " * 500_000
HOSTILE = {
    "spans of a whole text": task(*(label(f"m{at}", 0, 10**6 - 1) for at in range(4_000)))
    | {"data": {"text": LARGE}},
    "texts of a whole text": task(*(label(f"m{at}", 0, 10**6, text="y") for at in range(9_000)))
    | {"data": {"text": LARGE}},
    "annotations": '[{"annotations": [' * 60_000,
    "results": '{"annotation_id" ' + '"result": ["annotations": ' * 40_000,
    "labels": '{"label": [[0,' * 70_000,
    "names": '{"tokens": ' * 90_000,
    "quotes": '{"a": "' + '\\"tokens' * 120_000,
    "open strings": '{"head_span' + '"' * 10**6,
    "blanks": '{"corefs"' + " " * 10**6,
    "offsets": '{"start_offset"' + "\n" * 10**6,
    "documents": {"tokens": [[]] * 5_000, "clusters_token_offsets": []},
    "links": doccano(0, 3, relations=[{"from_id": 1, "to_id": 1, "type": f"coref{at}"} for at in range(6_000)]),
    "names of relations": doccano(
        0, 3, relations=[{"from_id": 1, "to_id": 1, "type": f"{at}"} for at in range(6_000)]
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_end_soon(case: str, tmp_path: Path) -> None:
    """A second and 200 MB are promised; slow machines get a little more."""
    path = put(tmp_path, HOSTILE[case])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    with suppress(corefscope.InputError):
        read(path)
    assert time.process_time() - start < 3
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
