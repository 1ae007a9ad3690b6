"""Conversion between formats: what fits comes back the same, what does not is refused, and scores stay the same."""

from __future__ import annotations

import io
import json
import random
import re
import sys
import tempfile
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import corefscope
from corefscope.cli import main
from corefscope.core.document import Document, Mention
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.formats.convert import Conversion, convert
from corefscope.formats.detection import open_reader
from corefscope.formats.writers import WRITERS
from oracles.generate import random_pair
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, GOLDEN, SHARED
from tests.cli.test_faults import conllu

SUFFIX = {name: row.suffixes[0].rpartition(".")[2] for name, row in WRITERS.items() if row.suffixes}
WITH_WORDS = ("corefud", "conll", "jsonl")
HEADER = "# global.Entity = eid-etype-head-other\n"
Clusters = list[list[tuple[int, int]]]


def documents(path: Path, format_: str | None = None) -> list[Document]:
    _, reader = open_reader(path, format_, Warnings())
    try:
        return list(reader)
    finally:
        reader.source.close()


def mentions(document: Document) -> Counter[frozenset[tuple[Mention, int]]]:
    """The entities of a document, whatever they are called and in whatever order they stand."""
    return Counter(frozenset(Counter(entity).items()) for entity in document.entities)


def content(path: Path, format_: str | None = None) -> list[object]:
    """All that a score can depend on."""
    return [
        (found.id, [(sentence.number, sentence.words) for sentence in found.sentences], mentions(found))
        for found in documents(path, format_)
    ]


def written(folder: Path, text: str, name: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(source: Path, target: Path, to: str) -> str:
    """What a conversion is refused for; nothing if it is not."""
    try:
        convert(source, target, to=to)
    except InputError as error:
        assert not target.exists()
        return error.message
    return ""


# -------------------------------------------------------------------------------------------- random annotations

WORDS = st.sampled_from(["a", "é", "#", "(", ")", "-", "_", "*", "1", "Entity=", "|", "水", "x" * 30])


@st.composite
def texts(draw: st.DrawFn) -> list[list[list[str]]]:
    """Documents of sentences of words."""
    sentence = st.lists(WORDS, min_size=1, max_size=6)
    return draw(st.lists(st.lists(sentence, min_size=1, max_size=3), min_size=1, max_size=2))


@st.composite
def clusters(draw: st.DrawFn, text: list[list[str]], anywhere: bool = False) -> Clusters:
    """Entities of distinct mentions; unless they may be anywhere, such as every format can hold."""
    words = sum(map(len, text))
    spans = [(first, last) for first in range(words) for last in range(first, min(first + 4, words))]
    if not anywhere:
        sentence_of = [number for number, sentence in enumerate(text) for _ in sentence]
        spans = [(first, last) for first, last in spans if sentence_of[first] == sentence_of[last]]
    drawn = draw(st.lists(st.sampled_from(spans), unique=not anywhere, max_size=8))
    entities: dict[int, list[tuple[int, int]]] = {}
    for first, last in drawn:
        members = entities.setdefault(draw(st.integers(0, 3)), [])
        if anywhere or not any(crossing((first, last), other) for other in members):
            members.append((first, last))
    return list(entities.values())


def crossing(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether they cross, or one begins at the last word of the other: what brackets of CoNLL cannot hold."""
    (a, b), (c, d) = sorted((one, other))
    return a < c <= b < d


def jsonl(text: list[list[list[str]]], sides: list[Clusters]) -> str:
    """A source that can hold all of it, written by hand."""
    return "".join(
        json.dumps({"doc_key": f"d {number}", "sentences": sentences, "clusters": found}) + "\n"
        for number, (sentences, found) in enumerate(zip(text, sides, strict=True))
    )


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Key and response that every format can hold."""
    text = draw(texts())
    key, response = ([draw(clusters(sentences)) for sentences in text] for _ in range(2))
    return jsonl(text, key), jsonl(text, response)


@given(pairs(), st.lists(st.sampled_from(WITH_WORDS), min_size=1, max_size=5))
def test_chains_of_conversions_keep_annotation_and_scores(pair: tuple[str, str], chain: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key, response = (written(folder, text, f"{at}.jsonl") for at, text in enumerate(pair))
        expected = [content(path) for path in (key, response)]
        figures = scores(key, response)
        for step, format_ in enumerate(chain):
            key, response = (
                converted(path, folder / f"{side}{step}.{SUFFIX[format_]}")
                for side, path in (("k", key), ("r", response))
            )
            assert [content(path) for path in (key, response)] == expected
        assert same(scores(key, response), figures)


def converted(source: Path, target: Path) -> Path:
    done = convert(source, target)
    assert not done.lost
    return target


def scores(key: Path, response: Path, **options: Any) -> dict[str, Any]:
    """All figures of all documents together that do not depend on the order in which a file lists its entities."""
    options = {"match": "exact", "metrics": "all", "singletons": "keep", **options}
    report = corefscope.score(key, response, **options)
    return {name: report[name] for name in report if name not in {"xcore", "xcore_strict"}}


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Up to the order in which entities are added up."""
    return ours.keys() == theirs.keys() and all(ours[name] == pytest.approx(theirs[name]) for name in ours)


@given(pairs())
def test_clusters_score_as_files_with_words_do(texts_of_pair: tuple[str, str]) -> None:
    """By exact match; measures of overlap need words."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = [written(folder, text, f"{at}.jsonl") for at, text in enumerate(texts_of_pair)]
        named = [folder / f"{at}.json" for at in range(2)]
        for source, target in zip(sides, named, strict=True):
            convert(source, target, lossy=True)
        metrics = ["muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mentions"]
        for rules in corefscope.RULES:
            figures, expected = (scores(*pair, rules=rules, metrics=metrics) for pair in (named, sides))
            assert same(figures, expected)


@given(st.data())
def test_what_cannot_be_held_is_refused_and_nothing_else(data: st.DataObject) -> None:
    """Mentions anywhere: crossing others of their entity, crossing sentences, standing twice."""
    (text,) = data.draw(texts().filter(lambda drawn: len(drawn) == 1))
    drawn = data.draw(clusters(text, anywhere=True))
    sentence_of = [number for number, sentence in enumerate(text) for _ in sentence]
    over_sentences = sum(sentence_of[first] != sentence_of[last] for entity in drawn for first, last in entity)
    crossed = any(crossing(one, other) for entity in drawn for one in entity for other in entity)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = written(folder, jsonl([text], [drawn]), "source.jsonl")
        for format_ in WITH_WORDS:
            target = folder / f"target.{SUFFIX[format_]}"
            told = refusal(source, target, format_)
            assert (" another of " in told) == (crossed and format_ == "conll") or format_ == "corefud"
            assert ("sentences" in told) == (over_sentences > 0 and format_ == "corefud")
            done = convert(source, target, lossy=True)
            same = content(target) == content(source)
            assert same == (not told) == (not done.lost)
            assert content(target) == content(converted(target, folder / f"again.{SUFFIX[format_]}"))


def read_by_hand(text: str, kind_by_kind: bool) -> Clusters:
    """The mentions of a CoNLL file of one document, by the numbers of their words.

    Brackets of a cell are taken from left to right; or single words, then what opens, then what closes, as by the
    reference scorer.
    """
    opened: dict[str, list[int]] = {}
    found: dict[str, list[tuple[int, int]]] = {}
    rows = [line for line in text.split("\n") if line and not line.startswith("#")]
    for word, row in enumerate(rows):
        cell = row.split("\t")[-1]
        brackets = cell.split("|") if cell != "-" else []
        if kind_by_kind:
            brackets.sort(
                key=lambda bracket: 0 if bracket[-1:] == ")" and bracket[0] == "(" else 2 - ("(" in bracket)
            )
        for bracket in brackets:
            id_ = bracket.strip("()")
            if bracket[0] == "(":
                opened.setdefault(id_, []).append(word)
            if bracket[-1] == ")":
                found.setdefault(id_, []).append((opened[id_].pop(), word))
    assert not any(opened.values())
    return sorted(map(sorted, found.values()))


@given(st.data())
def test_a_written_conll_file_can_be_read_in_one_way_only(data: st.DataObject) -> None:
    (text,) = data.draw(texts().filter(lambda drawn: len(drawn) == 1))
    drawn = data.draw(clusters(text, anywhere=True))
    with tempfile.TemporaryDirectory() as name:
        source = written(Path(name), jsonl([text], [drawn]), "source.jsonl")
        done = convert(source, Path(name) / "target.conll", lossy=True)
        conll = (Path(name) / "target.conll").read_text(encoding="utf-8")
        readings = [read_by_hand(conll, kind_by_kind) for kind_by_kind in (False, True)]
        assert readings[0] == readings[1]
        assert [found.official for found in documents(Path(name) / "target.conll")] == [None]
        kept = sum(map(len, readings[0]))
        assert (readings[0] == sorted(map(sorted, drawn))) == (kept == sum(map(len, drawn))) == (not done.lost)


@pytest.mark.parametrize(
    ("spans", "lost"),
    [
        ([(4, 6), (6, 7)], 1),
        ([(0, 2), (1, 3)], 1),
        ([(0, 2), (2, 4), (4, 6)], 1),
        ([(0, 3), (0, 3), (3, 3), (0, 0)], 0),
        ([(0, 5), (1, 5), (5, 5), (0, 2)], 1),
        ([(0, 5), (1, 4), (2, 3)], 0),
        ([(0, 2), (3, 5)], 0),
    ],
)
def test_mentions_of_one_entity_that_touch_are_lost_in_conll(
    spans: list[tuple[int, int]], lost: int, tmp_path: Path
) -> None:
    source = written(tmp_path, jsonl([[list("abcdefgh")]], [[spans]]), "source.jsonl")
    told = refusal(source, tmp_path / "target.conll", "conll")
    assert told == (f"conll cannot hold {lost} mention that clashes with another of its entity" if lost else "")
    assert refusal(source, tmp_path / "target.jsonl", "jsonl") == ""
    assert convert(source, tmp_path / "target.conll", lossy=True).lost == ({"crossing": lost} if lost else {})
    apart = [[[span] for span in spans]]
    assert (
        refusal(written(tmp_path, jsonl([[list("abcdefgh")]], apart), "a.jsonl"), tmp_path / "a.conll", "conll") == ""
    )


def test_a_mention_over_many_sentences_needs_no_more_than_its_words(tmp_path: Path) -> None:
    """Positions leave room for a million words in each of them."""
    source = written(tmp_path, jsonl([[["a"]] * 300], [[[(0, 299), (0, 0)]]]), "source.jsonl")
    tracemalloc.start()
    try:
        converted(source, tmp_path / "target.conll")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert content(tmp_path / "target.conll") == content(source)


@given(st.integers(0, 10**9), st.booleans())
def test_corefud_to_others_is_refused_exactly_if_it_does_not_come_back(seed: int, rich: bool) -> None:
    """Zeros, empty nodes in spans, gaps, heads: all that CorefUD has and others have not."""
    features = {} if rich else {"zeros": False, "discontinuous": False}
    key, _ = random_pair(random.Random(seed), "small", duplicates=rich, two_heads=rich, **features)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = written(folder, key, "source.conllu")
        before = content(source)
        for format_ in ("conll", "jsonl"):
            target = folder / f"target.{SUFFIX[format_]}"
            told = refusal(source, target, format_)
            done = convert(source, target, lossy=True)
            assert bool(told) == (content(target) != before)
            assert bool(told) == bool(done.lost)
            assert done.mentions == sum(len(entity) for found in documents(target) for entity in found.entities)
            back = folder / f"back.from.{format_}.conllu"
            crossed = convert(target, back, lossy=True).lost  # by spans that cover gaps
            assert (content(back) == content(target)) == (not crossed)
        told = refusal(source, folder / "target.json", "clusters")
        found = [mention for document in documents(source) for entity in document.entities for mention in entity]
        assert bool(told) == any(mention.is_zero or len(mention.positions) > 1 for mention in found)


ODD = dict.fromkeys(("late_header", "shared_eids", "merged_documents", "duplicates", "two_heads"), True)


@given(st.integers(0, 10**9), st.sampled_from([{}, ODD, {"minors": True}, {"newdoc": False}, {"grp": True, **ODD}]))
def test_corefud_to_corefud_reads_the_same(seed: int, features: dict[str, bool]) -> None:
    text, _ = random_pair(random.Random(seed), "small", **features)
    with tempfile.TemporaryDirectory() as name:
        source = written(Path(name), text, "source.conllu")
        assume_readable(source)
        check_canonical(source, Path(name))


def assume_readable(path: Path) -> None:
    try:
        documents(path)
    except InputError:
        assume(False)


def check_canonical(source: Path, folder: Path) -> None:
    once, twice = folder / "once.conllu", folder / "twice.conllu"
    convert(source, once)
    convert(once, twice)
    assert once.read_bytes() == twice.read_bytes()
    for old, new in zip(documents(source), documents(once), strict=True):
        assert (old.id, old.entities, old.entity_ids, old.entity_types) == (
            new.id,
            new.entities,
            new.entity_ids,
            new.entity_types,
        )
        for before, after in zip(old.sentences, new.sentences, strict=True):
            assert without_entities(before.text) == without_entities(after.text)


def without_entities(text: str) -> list[tuple[str, Counter[str]]]:
    """Each line without what stands in Entity, and the brackets that do, which may only move."""
    found = []
    for line in text.split("\n"):
        value = re.search(r"(?:\t|\|)Entity=([^|\t]*)(?=\||$)", line)
        brackets = re.findall(r"\([^()]*\)?|[^()]+\)", value[1]) if value and "-" not in line.split("\t")[0] else []
        found.append((line.replace("".join(brackets), ""), Counter(brackets)))
    return found


PIECES = ["(", ")", "|", "-", "\t", "\n", "\n\n", "[1/2]", "e1)", "(e1", "Entity=", "#", '"', "0", "1.1", "\x85", "é"]


@given(
    st.integers(0, 10**9),
    st.sampled_from([*WITH_WORDS, "clusters"]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), st.sampled_from(PIECES)), min_size=1, max_size=4),
)
def test_damaged_files_are_refused_or_become_readable_ones(
    seed: int, format_: str, damages: list[tuple[float, int, str]]
) -> None:
    key, _ = random_pair(random.Random(seed))
    with tempfile.TemporaryDirectory() as name:
        source, target = written(Path(name), key, "source.conllu"), Path(name) / "target"
        convert(source, target, to=format_, lossy=True)
        text = target.read_text(encoding="utf-8")
        for where, length, piece in damages:
            at = int(where * len(text))
            text = text[:at] + piece + text[at + length :]
        source.write_text(text, encoding="utf-8")
        for other in WRITERS:
            try:
                done = convert(source, target, to=other, from_format=format_, lossy=True)
            except InputError:
                continue
            found = documents(target, other) if done.words and other != "tagged" else []  # which needs the words
            assert not found or sum(len(document.entities) for document in found) == done.entities


# -------------------------------------------------------------------------------------------------- files at hand


def conformance_files() -> list[Path]:
    found = sorted((GOLDEN / "corefud").glob("*.conllu")) + sorted((GOLDEN / "corefud-duplicates").glob("*.conllu"))
    found += sorted((SHARED / "conformance").glob("corefud*/*.conllu")) + sorted(
        (SHARED / "data").glob("gum-dev.*.conllu")
    )
    return found


def test_all_conformance_files_stay_the_same(tmp_path: Path) -> None:
    checked = 0
    for path in conformance_files():
        try:
            documents(path)
        except InputError:
            continue  # made to be refused
        check_canonical(path, tmp_path)
        checked += 1
    assert checked > 50


def test_figures_stay_the_same(tmp_path: Path) -> None:
    """Under the official rules against the response, and 100 against itself under the corrected ones."""
    keys = [EXAMPLE_KEY, *sorted((GOLDEN / "corefud").glob("*.key.conllu"))[:12]]
    for key in keys:
        response = EXAMPLE_RESPONSE if key == EXAMPLE_KEY else Path(str(key).replace(".key.", ".sys."))
        try:
            expected = scores(key, response, match="head", singletons="drop")
        except InputError:
            continue
        new = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
        for source, target in zip((key, response), new, strict=True):
            convert(source, target)
        assert scores(*new, match="head", singletons="drop") == expected
        figures = scores(key, new[0], match="head", rules="corrected", metrics="conll")
        assert figures["conll"].f1 == pytest.approx(1)


@pytest.mark.skipif(not (SHARED / "data").exists(), reason="the corpus is not at hand")
def test_a_corpus_passes_through_other_formats(tmp_path: Path) -> None:
    for path in (SHARED / "data").glob("gum-dev.*.conllu"):
        for format_ in ("conll", "jsonl"):
            done = convert(path, tmp_path / f"out.{format_}", lossy=True)
            assert set(done.lost) == {"heads", "zeros", "empty_nodes"}
            again = convert(tmp_path / f"out.{format_}", tmp_path / "again.conllu")
            assert again[2:6] == done[2:6]


def test_conll_files_of_the_reference_pass_through_all_formats(tmp_path: Path) -> None:
    """Figures of the files themselves and of what became of them are the same to the last digit."""
    for key in sorted((GOLDEN / "conll").glob("*.key.conll")):
        sides = [key, Path(str(key).replace(".key.", ".response."))]
        expected = scores(*sides, rules="corrected")
        for format_ in WITH_WORDS:
            new = [tmp_path / f"{side.stem}.{SUFFIX[format_]}" for side in sides]
            for source, target in zip(sides, new, strict=True):
                convert(source, target)
            assert same(scores(*new, rules="corrected"), expected), (key, format_)


# ----------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("format_", "message"),
    [
        ("conll", "conll cannot hold 4 zeros, 1 discontinuous mention, 14 heads that are not the first word"),
        ("jsonl", "jsonl cannot hold 4 zeros, 1 discontinuous mention, 14 heads that are not the first word"),
        ("clusters", "clusters cannot hold 4 zeros, 16 mentions of several words"),
    ],
)
def test_the_refusal_counts_and_says_what_would_be_done(format_: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        convert(EXAMPLE_KEY, tmp_path / "out", to=format_)
    assert caught.value.message == message
    assert caught.value.path == str(EXAMPLE_KEY)
    assert "--lossy (lossy=True) writes it anyway: a zero is " in caught.value.hint
    assert not list(tmp_path.iterdir())
    done = convert(EXAMPLE_KEY, tmp_path / "out", to=format_, lossy=True)
    assert done.lost
    assert any(message.replace("cannot hold ", "").partition(" ")[2] in note for note in done.notes)
    assert done.noted["types"] == 17


def test_what_is_done_with_zeros_and_gaps(tmp_path: Path) -> None:
    text = conllu(
        f"# newdoc id = d\n{HEADER}1 a (e1--1\n1.1 _ (e2--1) 1:x\n2 b e1)(e3[1/2]--2)\n3 c\n"
        "4 d (e3[2/2]--2)\n5 e (e1--1)\n"
    )
    source = written(tmp_path, text, "in.conllu")
    done = convert(source, tmp_path / "out.jsonl", lossy=True)
    assert done.lost == {"zeros": 1, "empty_nodes": 1, "discontinuous": 1, "heads": 1}
    assert (done.documents, done.words, done.entities, done.mentions) == (1, 5, 2, 3)
    assert any("1 entity had only such mentions" in note for note in done.notes)
    assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["clusters"] == [
        [[0, 1], [4, 4]],
        [[1, 3]],
    ]


def test_words_with_blanks_do_not_go_into_conll(tmp_path: Path) -> None:
    source = written(
        tmp_path, '{"doc_key": "d", "sentences": [["New York", "\\t", ""]], "clusters": [[[0, 0]]]}', "in.jsonl"
    )
    assert refusal(source, tmp_path / "out.conll", "conll").endswith("3 words that cannot be written as they are")
    assert refusal(source, tmp_path / "out.conllu", "corefud").endswith("2 words that cannot be written as they are")
    convert(source, tmp_path / "out.conll", lossy=True)
    convert(source, tmp_path / "out.conllu", lossy=True)
    for name, words in (("out.conll", ["New_York", "_", "_"]), ("out.conllu", ["New York", "_", "_"])):
        ((sentence,),) = (found.sentences for found in documents(tmp_path / name))
        assert [word.partition("\t")[2] for word in sentence.words] == words


def test_names_of_documents_stay_apart(tmp_path: Path) -> None:
    lines = [f'{{"doc_key": {name}, "sentences": [["a"]], "clusters": []}}' for name in ('"d"', '"d "', '"d\\n"')]
    source = written(tmp_path, "\n".join(lines), "in.jsonl")
    assert "2 document names" in refusal(source, tmp_path / "out.conllu", "corefud")
    convert(source, tmp_path / "out.conllu", lossy=True)
    assert [found.id for found in documents(tmp_path / "out.conllu")] == ["d", "d 2", "d 3"]


def test_documents_without_words_are_none_in_corefud(tmp_path: Path) -> None:
    lines = [
        '{"doc_key": "d", "sentences": [], "clusters": []}',
        '{"doc_key": "e", "sentences": [["a"]], "clusters": []}',
    ]
    source = written(tmp_path, "\n".join(lines), "in.jsonl")
    assert "1 document without words" in refusal(source, tmp_path / "out.conllu", "corefud")
    convert(source, tmp_path / "out.conllu", lossy=True)
    assert [found.id for found in documents(tmp_path / "out.conllu")] == ["e"]
    convert(source, tmp_path / "out.conll")
    assert content(tmp_path / "out.conll") == content(source)


def test_clusters_have_no_words_to_write(tmp_path: Path) -> None:
    source = written(tmp_path, '{"d": {"x": ["Ada", 7, [1, 2]], "y": ["b", "b"]}}', "in.json")
    for format_ in WITH_WORDS:
        with pytest.raises(InputError, match="holds ids of mentions but no words"):
            convert(source, tmp_path / "out", to=format_, lossy=True)
    assert not (tmp_path / "out").exists()
    done = convert(source, tmp_path / "out.json")
    assert not done.lost
    assert content(tmp_path / "out.json") == content(source)
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert {name: sorted(map(str, ids)) for name, ids in found["d"].items()} == {
        "x": ["7", "Ada", "[1, 2]"],
        "y": ["b", "b"],
    }


@pytest.mark.parametrize("text", ["[]", '{"d": []}'])
@pytest.mark.parametrize("format_", WITH_WORDS)
def test_nothing_at_all_is_not_written(text: str, format_: str, tmp_path: Path) -> None:
    """No reader could make anything of it."""
    source = written(tmp_path, text, "in.json")
    with pytest.raises(InputError, match="holds no words"):
        convert(source, tmp_path / "out", to=format_, lossy=True)
    assert not (tmp_path / "out").exists()


def test_faults_of_the_source_leave_nothing_behind(tmp_path: Path) -> None:
    text = conllu(f"# newdoc id = d\n{HEADER}1 a (e1--1)\n\n# newdoc id = e\n1 b e1)\n")
    source = written(tmp_path, text, "in.conllu")
    for target in ("out.conllu", "out.jsonl", "out.conll.gz"):
        with pytest.raises(InputError, match=r"in\.conllu:6: entity 'e1' is closed but was never opened"):
            convert(source, tmp_path / target)
    assert list(tmp_path.iterdir()) == [source]


def test_the_source_is_not_overwritten(tmp_path: Path) -> None:
    source = written(tmp_path, EXAMPLE_KEY.read_text(encoding="utf-8"), "in.conllu")
    (tmp_path / "link.conllu").symlink_to(source)
    (tmp_path / "hard.conllu").hardlink_to(source)
    for name in ("in.conllu", "link.conllu", "hard.conllu"):
        with pytest.raises(InputError, match="it would be overwritten"):
            convert(source, tmp_path / name)
    assert source.read_bytes() == EXAMPLE_KEY.read_bytes()


def test_compressed_from_and_to(tmp_path: Path) -> None:
    convert(EXAMPLE_KEY, tmp_path / "a.conllu.gz")
    convert(tmp_path / "a.conllu.gz", tmp_path / "b.conllu.xz")
    convert(tmp_path / "b.conllu.xz", tmp_path / "c.conllu")
    assert (tmp_path / "c.conllu").read_bytes() == EXAMPLE_KEY.read_bytes()
    assert (tmp_path / "a.conllu.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_the_response_of_a_file_that_holds_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0]]], "predicted_clusters": [[[1, 1]]]}
    source = written(tmp_path, json.dumps(fields), "in.jsonl")
    for options, cell in (([], "\t(0)\n"), (["--response"], "\t-\n")):
        assert run(str(source), str(tmp_path / "out.conll"), *options) == 0
        assert cell in (tmp_path / "out.conll").read_text(encoding="utf-8").partition("\tb\t")[0]
    assert "the response is read from predicted_clusters" in capsys.readouterr().err
    with pytest.raises(OptionError, match="unknown side 'system'"):
        convert(source, tmp_path / "out.conll", side="system")  # type: ignore[arg-type]


def test_options_are_checked(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="unknown format 'conlu'"):
        convert(EXAMPLE_KEY, tmp_path / "out", to="conlu")
    with pytest.raises(OptionError, match="unknown format 'corefd'"):
        convert(EXAMPLE_KEY, tmp_path / "out.conllu", from_format="corefd")
    with pytest.raises(OptionError, match="which format to write"):
        convert(EXAMPLE_KEY, tmp_path / "out")


# ------------------------------------------------------------------------------------------------- the command line


def run(*arguments: str) -> int:
    return main(["convert", *arguments])


def test_the_command_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(EXAMPLE_KEY), str(tmp_path / "out.conllu")) == 0
    assert capsys.readouterr() == (
        "",
        "corefscope: note: wrote 2 documents, 37 mentions in 17 entities (corefud to corefud)\n",
    )
    assert run(str(EXAMPLE_KEY), str(tmp_path / "out.conllu"), "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.jsonl"
    assert run(str(EXAMPLE_KEY), str(target)) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "key.conllu: jsonl cannot hold 4 zeros, 1 discontinuous mention" in err
    assert not target.exists()
    assert run(str(EXAMPLE_KEY), str(target), "--lossy") == 0
    assert "note: lost in jsonl: 4 zeros" in capsys.readouterr().err
    assert target.exists()


def test_standard_input_and_output(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = EXAMPLE_KEY.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("-", "-", "--to", "corefud", "--from", "corefud", "-q") == 0
    assert capsysbinary.readouterr().out == data
    assert run(str(EXAMPLE_KEY), "-") == 2
    assert b"standard output has no name that says which format" in capsysbinary.readouterr().err
    assert run(str(EXAMPLE_KEY), "-", "--to", "jsonl") == 1
    assert capsysbinary.readouterr().out == b"", "nothing is written before all of it is known to fit"
    assert not list(tmp_path.iterdir())


def test_a_conversion_shows_itself() -> None:
    one = Conversion("conll", "jsonl", 1, 5, 1, 1, {}, {}, (), ())
    assert str(one) == "1 document, 1 mention in 1 entity (conll to jsonl)"


def test_a_part_number_of_thousands_of_digits_is_part_of_the_name(tmp_path: Path) -> None:
    """Python makes no number of so many digits."""
    name = f"(d); part {'9' * 5000}"
    source = written(tmp_path, f"#begin document {name}\nd\t0\t0\ta\t(1)\n\n#end document\n", "in.conll")
    convert(source, tmp_path / "out.conll")
    assert [found.id for found in documents(tmp_path / "out.conll")] == [found.id for found in documents(source)]


def test_words_of_ua_may_stand_between_blanks(tmp_path: Path) -> None:
    """Its columns are those of CoNLL-U, which has tabs only."""
    (tmp_path / "a.conllua").write_text("# newdoc id = d\n1  Ann  _  NOUN  NN  _  _  _  _  _  _\n", encoding="utf-8")
    convert(tmp_path / "a.conllua", tmp_path / "a.conll", from_format="ua", to="conll")
    assert (tmp_path / "a.conll").read_text(encoding="utf-8").splitlines()[1].split()[3:5] == ["Ann", "NN"]


@pytest.mark.parametrize("number", ["5.1", "1.2"])
def test_a_zero_that_is_not_numbered_by_its_place_cannot_be_written_as_ua(number: str, tmp_path: Path) -> None:
    """CoNLL-UA counts words and zeros, so it would come back as 1.1."""
    rows = ["1\tAnn" + "\t_" * 8, number + "\t_" * 7 + "\t1:x\tEntity=(e1)"]
    text = "\n".join(["# newdoc id = d", "# global.Entity = eid", *rows, "", ""])
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="1 zero that is not numbered by its place"):
        convert(tmp_path / "a.conllu", tmp_path / "a.conllua", to="ua")


def test_heads_of_jsonl_become_minima_of_ua(tmp_path: Path) -> None:
    """wl-coref has heads beside spans."""
    document = {"document_id": "d", "cased_words": ["Ada", "Lovelace"], "sent_id": [0, 0]}
    document |= {"span_clusters": [[[0, 2]]], "word_clusters": [[1]], "head2span": [[1, 0, 2]]}
    (tmp_path / "a.jsonl").write_text(json.dumps(document), encoding="utf-8")
    convert(tmp_path / "a.jsonl", tmp_path / "a.conllua", to="ua")
    assert "|Min=2" in (tmp_path / "a.conllua").read_text(encoding="utf-8")
