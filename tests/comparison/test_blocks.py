"""Blocks of a document in place of documents: their rows add up to its own."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.comparison.resampling import (
    block_size,
    bookable,
    check_bookable,
    headline_of,
    intervals,
    rows_by_block,
)
from corefscope.core.choices import Match, Rules
from corefscope.core.document import Document, Mention, Sentence
from corefscope.core.errors import InputError, OptionError, Warnings
from corefscope.core.matching.alignment import Alignment
from corefscope.core.metrics import METRICS
from corefscope.core.numbers import add, headline
from corefscope.core.options import Options
from corefscope.core.positions import position
from corefscope.core.report import Report
from corefscope.core.rules import RULES
from corefscope.core.steps import align, count
from corefscope.formats.corpus import Corpus
from examples import examples, seeds
from oracles.generate import random_pair

METRICS_OF_MENTIONS = tuple(METRICS[name] for name in bookable())
REFUSABLE = ("mentions", "bcub")
ASKED_TOGETHER = [[METRICS[name]] for name in REFUSABLE]
ASKED_TOGETHER.append([metric for metric in METRICS_OF_MENTIONS if metric.name not in REFUSABLE])


def _document(entities: list[list[tuple[int, int, int]]], sentences: int = 4) -> Document:
    """Mentions are (sentence, first word, last word)."""
    made = tuple(
        tuple(_mention(sentence, first, sentence, last) for sentence, first, last in entity) for entity in entities
    )
    return Document("d", made, sentences=tuple(Sentence("", n + 1, 1, [], [], "") for n in range(sentences)))


def _mention(sentence: int, first: int, last_sentence: int, last: int) -> Mention:
    if sentence == last_sentence:
        words = tuple(position(sentence, word) for word in range(first, last + 1))
    else:
        words = position(sentence, first), position(last_sentence, last)
    return Mention(words, words[0])


@cache
def _texts(seed: int, **features: Any) -> tuple[str, str]:
    return random_pair(random.Random(seed), **features)


def _documents(folder: Path, seed: int, **features: Any) -> list[tuple[Document, Document]]:
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, text in zip(paths, _texts(seed, **features), strict=True):
        path.write_text(text, encoding="utf-8")
    return [(key, response) for key, response in Corpus(*paths, Warnings())]


CORRECTED = Options(rules="corrected")


def _adds_up(key: Document, alignment: Alignment, size: int, rules: Rules) -> int:
    """Every metric that does not refuse adds up; the number of refusals."""
    refused = 0
    wholes = count(alignment, METRICS_OF_MENTIONS, Options(rules=rules))
    whole = dict(zip((metric.name for metric in METRICS_OF_MENTIONS), wholes, strict=True))
    for metrics in ASKED_TOGETHER:
        try:
            rows = rows_by_block(key, alignment, f"blocks:{size}", metrics, Options(rules=rules))
        except OptionError:
            assert metrics[0].name in REFUSABLE
            refused += 1
            continue
        assert len(rows) == -(-len(key.sentences) // size)
        for metric, *booked in zip(metrics, *rows.values(), strict=True):
            assert add(booked) == pytest.approx(whole[metric.name], rel=1e-12, abs=1e-12), metric.name
    return refused


@pytest.mark.parametrize("rules", sorted({*RULES} - {"ua-1.0"}))  # which knows mentions by their ends alone
@pytest.mark.parametrize("match", ["head", "partial", "exact"])
def test_blocks_of_random_documents_add_up(rules: Rules, match: Match, tmp_path: Path) -> None:
    """With zeros, discontinuous mentions, repeats; few documents are refused."""
    refused = tried = 0
    for seed in seeds(12):
        options = Options(match=match, rules=rules, singletons="keep" if seed % 2 else "drop")
        repeats = seed % 4 == 3
        for key, response in _documents(tmp_path, seed, size="medium", duplicates=repeats, two_heads=repeats):
            alignment = align(key, response, options)
            for size in (1, 4):
                refused += _adds_up(key, alignment, size, rules)
                tried += len(METRICS_OF_MENTIONS)
    assert refused == 0 if rules == "corrected" else refused < tried * 0.05


spans = st.tuples(st.integers(1, 4), st.integers(1, 6), st.integers(0, 3)).map(lambda s: (s[0], s[1], s[1] + s[2]))
entities = st.lists(st.lists(spans, min_size=1, max_size=4, unique=True), max_size=5)


@examples(300)
@given(entities, entities, st.integers(1, 5), st.sampled_from(sorted(RULES)))
def test_blocks_add_up(key: Any, response: Any, size: int, rules: Rules) -> None:
    """Mentions may stand in several entities."""
    ours, theirs = _document(key), _document(response)
    alignment = align(ours, theirs, Options(match="exact", singletons="keep", rules=rules))
    assert not _adds_up(ours, alignment, size, rules) or rules == "conll-8.01"


def test_what_a_mention_contributes_is_booked_where_it_begins() -> None:
    """In the first sentence two of three mentions are found together, in the third one of one is found alone."""
    key = _document([[(1, 1, 1), (1, 3, 4), (3, 1, 2)], [(1, 6, 6)]])
    response = _document([[(1, 1, 1), (1, 3, 4)], [(3, 1, 2), (4, 1, 1)]])
    alignment = align(key, response, Options(match="exact", singletons="keep", rules="corrected"))
    rows = rows_by_block(
        key, alignment, "sentences", [METRICS["bcub"], METRICS["mentions"], METRICS["mor"]], CORRECTED
    )
    assert list(rows) == ["d#1-1", "d#2-2", "d#3-3", "d#4-4"]
    bcub, mentions, mor = zip(*rows.values(), strict=True)
    third = 1 / 3
    assert bcub == (
        pytest.approx((4 * third, 3, 2, 2)),
        (0, 0, 0, 0),
        pytest.approx((third, 1, 0.5, 1)),
        (0, 0, 0, 1),
    )
    assert mentions == ((2, 3, 2, 2), (0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 0, 1))
    assert mor == ((3, 4, 3, 3), (0, 0, 0, 0), (2, 2, 2, 2), (0, 0, 0, 1))


def test_missing_and_spurious_mentions_are_booked_where_they_begin() -> None:
    key = _document([[(1, 1, 1), (1, 3, 4), (3, 1, 2)], [(1, 6, 6)]])
    response = _document([[(1, 1, 1), (1, 3, 4)], [(3, 1, 2), (4, 1, 1)], [(4, 5, 5)]])
    alignment = align(key, response, Options(match="exact", singletons="keep", rules="corrected"))
    names = ("b3_0", "b3_all", "b3_rn", "b3_sys", "b3_pb")
    rows = rows_by_block(key, alignment, "sentences", [METRICS[name] for name in names], CORRECTED)
    first, _, third, fourth = (dict(zip(names, row, strict=True)) for row in rows.values())
    share = 1 / 3
    assert {name: pytest.approx(counts) for name, counts in first.items()} == {
        "b3_0": (4 * share, 3, 2, 2),
        "b3_all": (4 * share + 1, 3, 2, 2),
        "b3_rn": (4 * share + 1, 3, 2, 2),
        "b3_sys": (4 * share + 1, 3, 3, 3),
        "b3_pb": (4 * share + 1, 3, 3, 3),
    }
    assert {name: pytest.approx(counts) for name, counts in third.items()} == {
        name: (share, 1, 1 if name == "b3_0" else 0.5, 1) for name in names
    }
    assert fourth == {
        "b3_0": (0, 0, 0, 0),
        "b3_all": (0, 0, 1.5, 2),
        "b3_rn": (0, 0, 0.5, 1),
        "b3_sys": (0, 0, 0.5, 1),
        "b3_pb": (2, 2, 1.5, 2),
    }


def test_anaphors_are_booked_where_they_stand() -> None:
    """Sentence 2 has a zero that is right, 3 one that is lost, 4 a spurious one."""
    zeros = [Mention((place,), place) for place in (position(sentence, 1, 1) for sentence in (2, 3, 4))]
    key, response = _document([[(1, 1, 1)]]), _document([[(1, 1, 1)]])
    key = key.replace_entities([0], ((*key.entities[0], zeros[0], zeros[1]),))
    response = response.replace_entities([0], ((*response.entities[0], zeros[0], zeros[2]),))
    alignment = align(key, response, Options(match="exact", zeros="linear", rules="corrected"))
    rows = rows_by_block(key, alignment, "sentences", [METRICS["zero"]], CORRECTED)
    assert [row[0] for row in rows.values()] == [(0, 0, 0, 0), (1, 1, 1, 1), (0, 1, 0, 0), (0, 0, 0, 1)]


def test_mentions_over_several_sentences_tie_them_together() -> None:
    across = _mention(1, 5, 3, 2)
    key, response = _document([[(1, 5, 5), (3, 2, 2)]]), _document([[(1, 5, 5), (4, 1, 1)]])
    response = response.replace_entities([0], ((across, *response.entities[0]),))
    alignment = align(key, response, Options(match="exact", singletons="keep", rules="corrected"))
    rows = rows_by_block(key, alignment, "sentences", [METRICS["mor"]], CORRECTED)
    assert [row[0] for row in rows.values()] == [(2, 1, 2, 3), (0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1)]


def test_mentions_between_the_ends_of_a_long_one_do_not_untie_its_sentences() -> None:
    across = _mention(1, 5, 3, 2)
    key = _document([[(1, 5, 5), (2, 1, 1), (3, 2, 2)]])
    response = _document([[(1, 5, 5), (2, 1, 1), (4, 1, 1)]])
    response = response.replace_entities([0], ((across, *response.entities[0]),))
    alignment = align(key, response, Options(match="exact", singletons="keep", rules="corrected"))
    rows = rows_by_block(key, alignment, "sentences", [METRICS["mor"]], CORRECTED)
    assert [row[0] for row in rows.values()] == [(3, 1, 3, 3), (0, 1, 0, 1), (0, 1, 0, 0), (0, 0, 0, 1)]


def test_blocks_can_be_resampled(tmp_path: Path) -> None:
    """A report whose documents are blocks has the same scores, and intervals."""
    key, response = _documents(tmp_path, 1, size="medium")[0]
    options = Options(rules="corrected")
    alignment = align(key, response, options)
    rows = rows_by_block(key, alignment, "sentences", METRICS_OF_MENTIONS, CORRECTED)
    names = tuple(bookable())
    by_block = Report(options, names, rows)
    whole = Report(options, names, {key.id: count(alignment, METRICS_OF_MENTIONS, CORRECTED)})
    found = intervals(by_block, resamples=200)
    for name in names:
        assert tuple(by_block[name]) == pytest.approx(tuple(whole[name]))
        interval = headline_of(found[name])
        assert interval.low <= headline(by_block[name]) <= interval.high


def test_sentences_are_counted_as_they_follow() -> None:
    """Not by their numbers, which have gaps where a document is in several places."""
    numbers = (3, 4, 9, 10, 11)
    mentions = tuple(_mention(n, 1, n, 1) for n in numbers)
    document = Document("d", (mentions,), sentences=tuple(Sentence("", n, 1, [], [], "") for n in numbers))
    alignment = align(document, document, Options(match="exact", singletons="keep", rules="corrected"))
    rows = rows_by_block(document, alignment, "blocks:2", [METRICS["mentions"]], CORRECTED)
    assert rows == {"d#3-4": ((2, 2, 2, 2),), "d#9-10": ((2, 2, 2, 2),), "d#11-11": ((1, 1, 1, 1),)}
    with pytest.raises(InputError, match="no sentences"):
        rows_by_block(Document("d", ()), alignment, "sentences", [METRICS["mentions"]], CORRECTED)


def test_other_metrics_are_refused_with_the_reason() -> None:
    for name in METRICS:
        if name in bookable():
            check_bookable([name])
            continue
        with pytest.raises(OptionError, match=r"sums over mentions \(bcub, ") as refusal:
            check_bookable([name])
        assert METRICS[name].title in str(refusal.value)
        assert "not known" not in str(refusal.value)
    with pytest.raises(OptionError, match="CoNLL is made from MUC and CEAFe, which are not"):
        check_bookable(["bcub", "conll"])
    alignment = align(_document([]), _document([]), Options())
    with pytest.raises(OptionError, match="MUC counts links"):
        rows_by_block(_document([]), alignment, "sentences", [METRICS["muc"]], CORRECTED)


def test_units() -> None:
    assert block_size("blocks:7") == 7
    for wrong in ("blocks", "blocks:0", "blocks:-1", "blocks:x", "blocks:٣", "words", ""):
        with pytest.raises(OptionError, match="choose sentences"):
            block_size(wrong)


def test_words_in_the_middle_of_a_mention_over_three_sentences_overlap() -> None:
    words = tuple(position(sentence, 1) for sentence in (1, 2, 3))
    key, response = _document([[(1, 1, 1)]]), _document([[(2, 1, 1)]])
    key = key.replace_entities([0], ((Mention(words, words[0]),),))
    alignment = align(key, response, Options(match="exact", singletons="keep", rules="corrected"))
    assert count(alignment, [METRICS["mor"]], CORRECTED) == ((1, 3, 1, 1),)
