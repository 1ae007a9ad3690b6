"""Clusters of ids: every form they are written in, what ids are, faults with their lines, broken files."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.cli import main
from corefscope.core.choices import Match, Rules
from corefscope.core.document import Document, Mention
from corefscope.core.errors import CorefscopeError, InputError, Warnings
from corefscope.core.options import Options
from corefscope.core.positions import MINOR_MASK, id_at, shown_id
from corefscope.core.steps import align
from corefscope.formats.source import Source
from corefscope.formats.tables.clusters import ClustersReader
from corefscope.formats.tables.rows import IdError, id_position, id_text
from examples import examples
from tests.formats.jsonl.test_reader import broken

CLUSTERS = [["m1", "m2", "m3"], ["m4"]]
OTHERS = [["m9"]]


def _read(path: Path, side: str = "key", warnings: Warnings | None = None) -> list[Document]:
    source = Source.open(path)
    try:
        reader = ClustersReader(source, Warnings() if warnings is None else warnings, side)
        documents = list(reader)
        assert [document.id for document in documents] == reader.names
        assert reader.has_heads
        return documents
    finally:
        source.close()


def _of(folder: Path, value: Any, side: str = "key") -> dict[str, list[list[str]]]:
    path = folder / "some.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return {
        document.id: [[shown_id(mention.head) for mention in entity] for entity in document.entities]
        for document in _read(path, side)
    }


def test_forms(tmp_path: Path) -> None:
    assert _of(tmp_path, CLUSTERS) == {"#1": CLUSTERS}
    assert _of(tmp_path, {"clusters": CLUSTERS}) == {"#1": CLUSTERS}
    assert _of(tmp_path, {"doc_key": "d", "clusters": CLUSTERS}) == {"d": CLUSTERS}
    assert _of(tmp_path, {"document_id": "d", "part_id": 1, "clusters": CLUSTERS}) == {"d; part 001": CLUSTERS}
    assert _of(tmp_path, {"d": CLUSTERS}) == {"d": CLUSTERS}
    assert _of(tmp_path, {"d": CLUSTERS, "clusters": OTHERS}) == {"clusters": OTHERS, "d": CLUSTERS}
    assert _of(tmp_path, {"tokens": CLUSTERS}) == {"tokens": CLUSTERS}
    assert _of(tmp_path, {"d": {"e1": CLUSTERS[0], "e2": CLUSTERS[1]}}) == {"d": CLUSTERS}
    assert _of(tmp_path, {"clusters": {"e1": CLUSTERS[0]}}) == {"#1": [CLUSTERS[0]]}
    assert _of(tmp_path, [{"id": "d", "clusters": CLUSTERS}, {"id": 7, "clusters": []}]) == {"d": CLUSTERS, "7": []}
    assert _of(tmp_path, '{"id": "d", "clusters": [["a"]]}\n{"id": "c", "clusters": []}\n') == {"c": [], "d": [["a"]]}
    assert _of(tmp_path, {"d": []}) == {"d": []}
    assert _of(tmp_path, []) == {"#1": []}


def test_documents_stand_in_the_order_of_their_names(tmp_path: Path) -> None:
    """So files whose objects are in another order can be compared; each is still found on its line."""
    text = '{\n"b": [["x"]],\n"c": [],\n"a": [\n["y"]]\n}'
    assert list(_of(tmp_path, text)) == ["a", "b", "c"]
    source = Source.open(tmp_path / "some.json")
    reader = ClustersReader(source, Warnings())
    assert [reader.line_of_document(at) for at in range(3)] == [4, 2, 3]
    source.close()


def test_the_response_is_what_was_predicted(tmp_path: Path) -> None:
    both = {"doc_key": "d", "clusters": CLUSTERS, "predicted_clusters": OTHERS}
    assert _of(tmp_path, both) == {"d": CLUSTERS}
    assert _of(tmp_path, both, "response") == {"d": OTHERS}
    warnings = Warnings()
    _read(tmp_path / "some.json", "response", warnings)
    assert "the response is read from predicted_clusters" in next(iter(warnings))
    assert _of(tmp_path, {"predicted_clusters": OTHERS}, "response") == {"#1": OTHERS}
    assert _of(tmp_path, {"clusters": CLUSTERS}, "response") == {"#1": CLUSTERS}
    assert _of(tmp_path, {"clusters": CLUSTERS, "predicted_clusters": None}, "response") == {"#1": CLUSTERS}


def test_ids_of_entities(tmp_path: Path) -> None:
    """Numbers of clusters hold in their document; names hold everywhere."""
    path = tmp_path / "some.json"
    path.write_text('{"d": [["b"], ["a"]], "e": {"x": ["b"], "y": ["a"]}}', encoding="utf-8")
    numbered, named = _read(path)
    assert (numbered.entity_ids, numbered.local_ids) == (("1", "0"), True)
    assert (named.entity_ids, named.local_ids) == (("y", "x"), False)
    assert not numbered.sentences


IDS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=8),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.text(st.characters(codec="utf-8"), max_size=4) | st.integers(), min_size=1, max_size=3),
)


@given(one=IDS, other=IDS)
def test_ids_have_positions_of_their_own(one: Any, other: Any) -> None:
    mentions = [Mention((id_position(id_),), id_position(id_)) for id_ in (one, other)]
    assert (mentions[0] == mentions[1]) == (one == other)
    for id_, mention in zip((one, other), mentions, strict=True):
        assert json.loads(id_at(mention.head)) == id_
        assert shown_id(mention.head) == (id_ if isinstance(id_, str) else id_at(mention.head))
        assert not mention.head & MINOR_MASK
        assert not mention.is_zero


def test_ids_of_all_kinds(tmp_path: Path) -> None:
    given = [["a", 1, 2.5, [3, 4], ["s", 1], '"', "1", -7, 1e300, "é\n\U0001f600", ""]]
    path = tmp_path / "some.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    (document,) = _read(path)
    assert len({mention.head for mention in document.entities[0]}) == 11
    found = [json.loads(id_at(mention.head)) for mention in document.entities[0]]
    assert sorted(found, key=repr) == sorted([*given[0][:8], int(1e300), *given[0][9:]], key=repr)
    assert id_position(1.0) == id_position(1) != id_position("1")
    assert id_text([1.0, "a"]) == '[1,"a"]'
    wrong: list[Any] = [None, True, {}, [], [[1]], float("nan"), float("inf"), [None]]
    for odd in wrong:
        with pytest.raises(IdError, match="is no id"):
            id_position(odd)


@pytest.mark.parametrize("match", ["head", "partial", "exact"])
@pytest.mark.parametrize("rules", ["corefud-1.2", "corrected"])
def test_ids_align(match: Match, rules: Rules, tmp_path: Path) -> None:
    key, response = tmp_path / "key.json", tmp_path / "response.json"
    key.write_text('[["a", "b", "x"], [[1, 2], [3, 4]], ["z"]]', encoding="utf-8")
    response.write_text('[["b", "a"], ["x", [3, 4], "y"], ["z", "q"]]', encoding="utf-8")
    alignment = align(_read(key)[0], _read(response)[0], Options(match=match, rules=rules, singletons="keep"))
    assert alignment.matched == 5


def test_mentions_that_stand_twice_are_told_without_a_line(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text('[["a", "b", "a"], ["b", "c"]]', encoding="utf-8")
    (document,) = _read(path)
    assert len(document.entities[0]) == 3
    warnings = Warnings()
    align(document, document, Options(), warnings)
    told = f"{path}: the same span is in two entities, '0' and '1'"
    assert [warning.partition(" (")[0] for warning in warnings] == [told]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"d": [["a"]],\n"e": [["b"],\n[]]}', 3, "a cluster of document 'e' is empty"),
        ('{"d": [["a"]],\n"e": {"x": ["b"],\n"y": []}}', 3, "a cluster of document 'e' is empty"),
        ('{"d": [["a"]],\n"d": []}', 2, 'the name "d" comes twice'),
        ('{"d": {"x": ["a"],\n"x": ["b"]}}', 2, 'the name "x" comes twice'),
        ('[["a"],\n["b",\ntrue]]', 3, "true is no id"),
        ('[["a"],\n["b",\nnull]]', 3, "null is no id"),
        ('[["a"],\n["b",\nNaN]]', 3, "NaN is no id"),
        ('[["a"],\n[{}]]', 2, "{} is no id"),
        ('[["a"],\n["\\ud800"]]', 2, "half of a surrogate pair"),
        ("[[[[0, 1], [2, 3]]],\n[[[1, 1]]]]", 1, "several documents are {document: clusters}"),
        ('["a",\n"b"]', 1, "\"a\" is no cluster of document '#1'"),
        ('{"d": "a"}', 1, "\"a\" is no clusters of document 'd'"),
        ('{"d": [["a"]],\n"e": 7}', 2, "7 is no clusters of document 'e'"),
        ('{"doc_key": [1],\n"clusters": []}', 1, "doc_key is [1]"),
        ('{"d": [["a"]]}\n{"d": []}', 2, "document 'd' comes twice"),
        ('[["a"]', 1, "it ends too early"),
        ('[["a"],\n["b" "c"]]', 2, "invalid JSON"),
        ("7", 1, "7 is no clusters"),
        ('"text"', 1, '"text" is no clusters'),
        ("{}", 0, "holds no document"),
        ("\n ", 0, "holds no document"),
        ("[" * 100_000 + "]" * 100_000, 1, "nested too deeply"),
        ("[[" + "9" * 5000 + "]]", 1, "too many digits"),
        (
            '\n{"doc_key": "d", "clusters": [[[0, 1]]], "sentences": [["a", "b"]]}',
            2,
            "the document has words, in sentences: this is jsonlines",
        ),
        ('{"clusters": [[[0, 1]]], "tokens": ["a", "b"]}', 1, "hint: name the format: jsonl"),
    ],
)
def test_faults_have_their_line(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        _read(path)
    assert caught.value.line == line


def _all_read(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    for side in ("key", "response"):
        with suppress(CorefscopeError):
            for document in _read(path, side):
                align(document, document, Options(singletons="keep"))
                assert all(shown_id(mention.head) is not None for entity in document.entities for mention in entity)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.floats() | st.sampled_from(["", "a", "\ud800", "d"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a", "b", "clusters", "predicted_clusters", "id", "part_id"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@examples(700)
@given(values=st.lists(JSON, max_size=2))
def test_any_json(values: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    _all_read("\n".join(map(json.dumps, values)).encode() or b" ", tmp_path_factory.getbasetemp() / "any.json")


@examples(700)
@given(data=st.binary(max_size=60) | st.text('{}[]",:0123456789.eE-\\undtfalsr \n', max_size=60).map(str.encode))
def test_any_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    _all_read(data, tmp_path_factory.getbasetemp() / "bytes.json")


@pytest.mark.parametrize("seed", range(8))
def test_broken_files(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    values: list[Any] = [CLUSTERS, {"d": CLUSTERS, "e": {"x": [[0, 1], [2, 2]], "y": [7, "7"]}}]
    values += [{"doc_key": "d", "clusters": CLUSTERS, "predicted_clusters": OTHERS}]
    whole = [json.dumps(value, indent=indent).encode() for value in values for indent in (None, 1)]
    for _ in range(100):
        _all_read(broken(rng, rng.choice(whole)), tmp_path / "broken.json")


@pytest.mark.parametrize("command", ["score --documents merge", "score --per-document", "curves", "stats"])
@pytest.mark.parametrize(
    "clusters",
    [
        {"d\ud800": {"e": ["m", "n"]}, "z": {"e": ["m"]}},
        {"d": {"e\udc00": ["m", "n"]}, "z": {"e": ["m"]}},
        {"d": {"e": ["m\ud800", "n"]}, "z": {"e": ["m"]}},
        [{"doc_key": "d\ud800", "clusters": {"e": ["m", "n"]}}],
    ],
    ids=["document", "entity", "mention", "name"],
)
def test_half_of_a_surrogate_pair_in_any_id_is_an_error_with_its_line(
    clusters: Any, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.json"
    path.write_text("\n" + json.dumps(clusters), encoding="utf-8")
    name, *options = command.split()
    assert main([name, str(path), *([str(path)] if name == "score" else []), *options]) == 1
    error = capsys.readouterr().err
    assert "holds half of a surrogate pair" in error
    assert "some.json:2: " in error
