"""Scores of parts of the data against the naive oracle on restricted sets; mention types; the worst parts."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope import score
from corefscope.analysis.errors.examine import examine
from corefscope.analysis.errors.pairing import AnnotatedSide, Pairing
from corefscope.analysis.errors.report import ErrorReport
from corefscope.analysis.errors.slices import DIMENSIONS, Slice, Slicer, restricted_alignment, score_of, worst
from corefscope.core.document import Document, Mention, mention_type, word_type
from corefscope.core.errors import OptionError, Warnings
from corefscope.core.matching.alignment import Alignment
from corefscope.core.metrics import counted, select
from corefscope.core.numbers import Score
from corefscope.core.options import Options
from corefscope.core.positions import coordinates
from corefscope.core.report import Tally
from corefscope.core.steps import count
from corefscope.formats.detection import open_reader
from examples import examples
from on_disk import FEATURES, OPTIONS, STRICT, aligned, written
from oracles.generate import random_pair
from oracles.partitions import ORACLES
from oracles.quirks import conllu
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE

Entities = list[list[Mention]]
Value = Callable[[Document, Entities, int, int], str]
"""A naive dimension: of a document with its entities (in text order), mention ``at`` of entity ``i``."""


def in_text_order(mentions: list[Mention]) -> list[Mention]:
    return sorted(mentions, key=lambda m: (m.positions[0], m.positions[-1], len(m.positions)))


def size_name(size: int) -> str:
    return str(size) if size <= 2 else "3-5" if size <= 5 else "6-10" if size <= 10 else "11+"


def chain_length(_: Document, entities: Entities, i: int, __: int) -> str:
    return size_name(len(entities[i]))


def span_length(_: Document, entities: Entities, i: int, at: int) -> str:
    return size_name(len(set(entities[i][at].positions)))


def order(_: Document, __: Entities, ___: int, at: int) -> str:
    return "later" if at else "first"


def distance(_: Document, entities: Entities, i: int, at: int) -> str:
    if at == 0:
        return "first"
    sentences = [coordinates(entities[i][n].positions[0])[0] for n in (at - 1, at)]
    gap = sentences[1] - sentences[0]
    return str(gap) if gap <= 2 else "3-5" if gap <= 5 else "6+"


def entity_type(document: Document, entities: Entities, i: int, _: int) -> str:
    found = [
        document.entity_types[n]
        for n, entity in enumerate(document.entities)
        if {m.positions for m in entities[i]} <= {m.positions for m in entity}
    ]
    return found[0] or "none"


def head_type(document: Document, entities: Entities, i: int, at: int) -> str:
    return mention_type(document, entities[i][at])


def _places(document: Document, mentions: list[Mention]) -> tuple[list[int], list[int]]:
    """The words between which an entity extends, counted one by one, and its sentences."""
    words = [(sentence.number, n + 1) for sentence in document.sentences for n in range(len(sentence.words))]
    ends = [coordinates(place) for mention in mentions for place in (mention.positions[0], mention.positions[-1])]
    return [words.index((sentence, word or 1)) for sentence, word, _ in ends], [sentence for sentence, _, _ in ends]


def entity_span(document: Document, entities: Entities, i: int, _: int) -> str:
    words = _places(document, entities[i])[0]
    size = max(words) - min(words) + 1
    return "1-99" if size < 100 else "100-499" if size < 500 else "500-1999" if size < 2000 else "2000+"


def entity_sentences(document: Document, entities: Entities, i: int, _: int) -> str:
    sentences = _places(document, entities[i])[1]
    between = {
        sentence.number for sentence in document.sentences if min(sentences) <= sentence.number <= max(sentences)
    }
    size = len(between)
    return "1" if size == 1 else "2-5" if size <= 5 else "6-25" if size <= 25 else "26-100" if size <= 100 else "101+"


NAIVE: dict[str, Value] = {
    "entity-span": entity_span,
    "entity-sentences": entity_sentences,
    "chain-length": chain_length,
    "span-length": span_length,
    "order": order,
    "distance": distance,
    "entity-type": entity_type,
    "mention-type": head_type,
}


def naive_slices(
    key: Document, response: Document, alignment: Alignment, value: Value
) -> dict[str, tuple[list[frozenset[object]], list[frozenset[object]]]]:
    """The restricted partitions of each value: mentions are named by pair, or by side and number."""
    names: dict[int, object] = {}
    values: dict[object, str] = {}
    partitions: list[list[list[object]]] = []
    for side, document, other in ((alignment.key, key, None), (alignment.response, response, alignment.to_key)):
        entities = [in_text_order([side.mentions[n] for n in members]) for members in side.entities]
        number = {id(mention): n for n, mention in enumerate(side.mentions)}
        partition: list[list[object]] = []
        for i, entity in enumerate(entities):
            partition.append([])
            for at, mention in enumerate(entity):
                n = number[id(mention)]
                name: object = ("key", n)
                if other is None:
                    names[n] = name
                else:
                    name = names[other[n]] if other[n] >= 0 else ("response", n)
                values.setdefault(name, value(document, entities, i, at))
                partition[-1].append(name)
        partitions.append(partition)

    def restricted(partition: list[list[object]], wanted: str) -> list[frozenset[object]]:
        kept = [frozenset(mention for mention in entity if values[mention] == wanted) for entity in partition]
        return [entity for entity in kept if entity]

    ours, theirs = partitions
    return {wanted: (restricted(ours, wanted), restricted(theirs, wanted)) for wanted in set(values.values())}


def sliced(by: str, key: Document, response: Document, alignment: Alignment, options: Options) -> dict[str, Slice]:
    """One document divided by a dimension."""
    slicer = Slicer(by, options, list(ORACLES))
    row = count(alignment, counted(list(ORACLES)), options)
    slicer.add(
        AnnotatedSide(key, alignment.key), AnnotatedSide(response, alignment.response), Pairing(alignment), row
    )
    return {part.value: part for part in slicer.slices(options)}


@examples(40)
@given(st.integers(0, 10**6))
def test_an_alignment_is_restricted_to_any_mentions(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """Sets of names against the oracle: a mention that has a counterpart is named like it, whichever are kept."""
    chance = random.Random(seed)
    names = [name for name in ORACLES if not name.startswith("ceaf")]
    for _, _, alignment in aligned(tmp_path_factory.mktemp("pair"), *random_pair(chance), singletons="keep"):
        if not alignment.mutual:
            continue
        keys = [k for k in range(len(alignment.key.mentions)) if chance.random() < 0.6]
        responses = [r for r in range(len(alignment.response.mentions)) if chance.random() < 0.6]
        tally = Tally(Options(), names)
        part = restricted_alignment(Pairing(alignment), keys, responses)
        tally.add("part", count(part, tally.metrics, Options()))
        partitions = []
        sides = (alignment.key, keys, range(10**6)), (alignment.response, responses, alignment.to_key)
        for side, kept, key_of in sides:
            entities: dict[int, set[object]] = {}
            for n in kept:
                name = key_of[n] if key_of[n] >= 0 else f"response {n}"
                entities.setdefault(side.owner[n], set()).add(name)
            partitions.append([frozenset(entity) for entity in entities.values()])
        for metric in names:
            if any(tally.report().counts(metric).values()):
                figures = [float(figure) for figure in ORACLES[metric](*partitions)]
                assert tally.report()[metric] == pytest.approx(Score(*figures)), metric


@pytest.mark.parametrize("by", NAIVE)
@examples(40)
@given(st.integers(0, 10**6), OPTIONS)
def test_slices_are_restricted_partitions(
    tmp_path_factory: pytest.TempPathFactory, by: str, seed: int, options: dict[str, Any]
) -> None:
    chosen = Options(**options)
    texts = random_pair(random.Random(seed), same_empty=options["rules"] in STRICT)
    for key, response, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        if not alignment.mutual:
            continue
        expected = naive_slices(key, response, alignment, NAIVE[by])
        found = sliced(by, key, response, alignment, chosen)
        assert set(found) == set(expected)
        for value, partitions in expected.items():
            part = found[value]
            assert (part.key_mentions, part.response_mentions) == tuple(sum(map(len, side)) for side in partitions)
            for name, oracle in ORACLES.items():
                if name.startswith("ceaf") and max(map(len, partitions)) > 6:
                    continue
                if name == "blanc" or any(part.report.counts(name).values()):
                    figures = [float(figure) for figure in oracle(*partitions)]
                    if name != "blanc" or options["rules"] == "corefud-1.2":
                        assert part.report[name] == pytest.approx(Score(*figures)), (value, name)


@examples(40)
@given(st.integers(0, 10**6), OPTIONS, FEATURES, st.sampled_from(list(DIMENSIONS)))
def test_every_mention_is_in_one_slice(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    options: dict[str, Any],
    features: dict[str, Any],
    by: str,
) -> None:
    chosen = Options(**options)
    texts = random_pair(random.Random(seed), **features, same_empty=options["rules"] in STRICT)
    for key, response, alignment in aligned(tmp_path_factory.mktemp("pair"), *texts, **options):
        slices = sliced(by, key, response, alignment, chosen).values()
        if not any(map(DIMENSIONS[by].applies, (key, response))):
            assert not slices
            continue
        mentions = len(alignment.key.mentions), len(alignment.response.mentions)
        assert sum(part.key_mentions for part in slices) == mentions[0]
        assert sum(part.response_mentions for part in slices) == mentions[1]
        assert not slices or sum(part.share for part in slices) == pytest.approx(1)
        matched = sum(part.report.counts("mentions")["recall_numerator"] for part in slices)
        assert matched == len(Pairing(alignment).counterparts)


# ---- by hand


def test_a_matched_mention_belongs_to_the_slice_of_its_key_mention(tmp_path: Path) -> None:
    """Of the span 3..5 the response has only 4, but under head match they are a pair, and so is the slice."""
    (documents,) = aligned(tmp_path, conllu("e1 1 3..5@4 7"), conllu("x1 1 4 7 9"))
    slices = sliced("span-length", *documents, Options())
    assert {value: (part.key_mentions, part.response_mentions) for value, part in slices.items()} == {
        "1": (2, 3),
        "3-5": (1, 1),
    }
    assert slices["3-5"].report["mentions"].f1 == 1


def test_entities_of_one_mention_stay_in_a_slice(tmp_path: Path) -> None:
    (documents,) = aligned(tmp_path, conllu("e1 1 3; e2 5 7"), conllu("x1 1 3; x2 5 7"))
    first = sliced("order", *documents, Options())["first"]
    assert first.report["bcub"].f1 == 1
    assert score_of(first.report, "muc") is None
    assert score_of(first.report, "bcub") == 1


def test_order_distance_and_types_of_the_example() -> None:
    found = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, by=["mention-type", "entity-type", "order", "distance"])
    mentions = {by: {part.value: part.key_mentions for part in parts} for by, parts in found.slices.items()}
    assert list(mentions["mention-type"]) == ["zero", "pronoun", "name", "nominal"]
    assert set(mentions["entity-type"]) >= {"person", "place"}
    assert mentions["order"]["first"] == mentions["distance"]["first"]
    totals = {by: sum(values.values()) for by, values in mentions.items()}
    assert len(set(totals.values())) == 1


@pytest.mark.parametrize(
    ("upos", "feats", "expected"),
    [
        ("PRON", "Case=Nom|Person=3|PronType=Prs", "pronoun"),  # she
        ("DET", "Number=Sing|Poss=Yes|PronType=Prs", "pronoun"),  # Spanish su
        ("DET", "Definite=Def|PronType=Art", "other"),
        ("DET", "PronType=Dem", "pronoun"),  # Czech ten
        ("ADV", "PronType=Dem", "pronoun"),  # there
        ("ADV", "_", "other"),
        ("PROPN", "Number=Sing", "name"),
        ("NOUN", "_", "nominal"),
        ("ADJ", "Degree=Pos", "nominal"),  # the poor
        ("NUM", "NumType=Card", "nominal"),
        ("NUM", "NumType=Card|PronType=Int", "pronoun"),  # how many
        ("VERB", "VerbForm=Ger", "other"),
        ("_", "_", "other"),
    ],
)
def test_mention_types(upos: str, feats: str, expected: str) -> None:
    assert word_type(upos, feats) == expected


def test_mention_types_of_a_document() -> None:
    reader = open_reader(EXAMPLE_KEY, None, Warnings())[1]
    try:
        first = next(iter(reader))
    finally:
        reader.source.close()
    assert [mention_type(first, mention) for mention in first.entities[0]] == [
        "nominal",
        "zero",
        "zero",
        "pronoun",
        "zero",
    ]


# ---- documents


def genres(**options: Any) -> ErrorReport:
    return examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="corefud", **options)


def test_slices_of_documents_are_their_scores() -> None:
    report = score(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    slices = {part.value: part.report for part in genres(by=["document"]).slices["document"]}
    assert list(slices) == list(report.documents)
    for name, scores in report.documents.items():
        assert dict(slices[name]) == dict(scores)


@pytest.mark.parametrize(
    ("pattern", "expected"), [("^[a-z]+", ["es", "en"]), ("_([a-z])", ["b", "l"]), ("x|es()", ["none"]), (".", ["e"])]
)
def test_genres(pattern: str, expected: list[str]) -> None:
    slices = genres(by=[f"genre={pattern}"]).slices[f"genre={pattern}"]
    assert sorted(part.value for part in slices) == sorted(expected)


@pytest.mark.parametrize("by", ["genre", "genre=", "mention_type", "size"])
def test_unknown_dimensions(by: str) -> None:
    with pytest.raises(OptionError, match="unknown dimension"):
        genres(by=[by])


def test_a_genre_that_is_no_regular_expression() -> None:
    with pytest.raises(OptionError, match="not a regular expression"):
        genres(by=["genre=("])


# ---- several documents


def many(folder: Path, documents: int) -> tuple[Path, Path]:
    """The example over and over, under new names."""
    texts = []
    for path in (EXAMPLE_KEY, EXAMPLE_RESPONSE):
        text = path.read_text(encoding="utf-8")
        first = text[: text.index("# newdoc", 1)]
        texts.append("".join(first.replace("es_biblioteca", f"doc{number}") for number in range(documents)))
    return written(folder, *texts)


def test_slices_have_a_row_for_every_document_and_intervals(tmp_path: Path) -> None:
    paths = many(tmp_path, 7)
    found = examine(*paths, by=["mention-type", "genre=[0-3]"], intervals=True)
    for part in found.slices["mention-type"]:
        assert list(part.report.documents) == [f"doc{number}" for number in range(7)]
        assert part.documents == 7
        for name, (low, high) in part.intervals.items():
            level = score_of(part.report, name)
            assert level is not None
            assert low <= level + 1e-9
            assert high >= level - 1e-9
    assert found.slices["mention-type"][0].intervals
    assert all(not part.intervals for part in found.slices["genre=[0-3]"])
    assert all(not part.intervals for part in examine(*paths, by=["mention-type"]).slices["mention-type"])


def test_signatures_name_the_slice(tmp_path: Path) -> None:
    part = examine(*many(tmp_path, 2), by=["genre=."]).slices["genre=."][0]
    assert "subset:genre=.=d" in part.report.signature
    assert Options.parse(part.report.signature) == part.report.options


# ---- the worst


def test_the_worst_slices_weigh_most() -> None:
    found = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    assert found.slices == {}
    weights = [weakness.weight for weakness in found.worst]
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == 5
    for weakness in found.worst:
        assert weakness.score == score_of(weakness.slice.report, "conll")
        assert weakness.below == pytest.approx(found.report["conll"].f1 - weakness.score)
        assert weakness.weight == pytest.approx(weakness.below * weakness.slice.share)


def test_slices_without_a_score_are_not_the_worst() -> None:
    found = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, by=["order"])
    assert [(weakness.slice.value) for weakness in found.worst] == ["later"]
    assert worst(found.report, found.slices["order"], "mentions", limit=1)


def test_all_of_the_data_is_no_slice_to_blame() -> None:
    found = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE)
    weak = found.worst[0].slice
    assert worst(found.report, [weak], "conll")
    assert not worst(found.report, [weak._replace(share=1.0)], "conll")


def test_a_perfect_response_has_no_worst_slices() -> None:
    assert examine(EXAMPLE_KEY, EXAMPLE_KEY).worst == []


def test_all_metrics_have_slices() -> None:
    found = examine(EXAMPLE_KEY, EXAMPLE_RESPONSE, metrics="all", by=list(DIMENSIONS))
    for parts in found.slices.values():
        for part in parts:
            assert set(part.report) == set(select("all"))


@pytest.mark.parametrize(
    ("by", "sizes"),
    [("entity-span", (99, 100, 499, 500, 1999, 2000)), ("entity-sentences", (1, 2, 5, 6, 25, 26, 100, 101))],
)
def test_entities_are_divided_by_their_extent(by: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    """Two mentions that extend over so many words, or sentences of one word: both ends of each class."""
    lines = []
    for size in sizes:
        words = [f"w{n}" for n in range(size + 1)]
        sentences = [words] if by == "entity-span" else [[word] for word in words]
        lines.append(
            json.dumps({"doc_key": str(size), "sentences": sentences, "clusters": [[[0, 0], [size - 1, size - 1]]]})
        )
    path = tmp_path / "key.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    parts = examine(path, path, by=by, singletons="keep", limit=0).slices[by]
    found = {
        part.value: [int(name) for name, scores in part.report.documents.items() if not scores.nothing("mentions")]
        for part in parts
    }
    expected: dict[str, list[int]] = {}
    for size in sizes:
        ends = (99, 499, 1999) if by == "entity-span" else (1, 5, 25, 100)
        names = (
            ("1-99", "100-499", "500-1999", "2000+")
            if by == "entity-span"
            else ("1", "2-5", "6-25", "26-100", "101+")
        )
        expected.setdefault(names[sum(size > end for end in ends)], []).append(size)
    assert found == expected
