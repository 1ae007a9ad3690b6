"""Crowds: the pairs are those that are found one by one elsewhere, and work grows as the mentions do."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefscope
from corefscope.comparison import other_rules
from corefscope.core.document import Dependency, Document, Mention
from corefscope.core.matching import corrected, matchers, official
from corefscope.core.matching.alignment import Alignment, Side
from corefscope.core.matching.matchers import MATCHERS
from corefscope.core.matching.transform import SAME_WORDS_AND_HEAD
from corefscope.core.metrics import METRICS
from corefscope.core.options import Options
from corefscope.core.positions import position, runs_in
from corefscope.core.steps import align
from corefscope.scale import dense_groups
from examples import examples
from strategies import small_documents

ALL = 0  # whatever competes is a crowd
SETTINGS = st.sampled_from([Options(match=m, zeros=z) for m in MATCHERS for z in ("dependent", "linear")])  # type: ignore[arg-type]


def _aligned(key: Document, response: Document, options: Options, **crowded: int) -> Alignment:
    with pytest.MonkeyPatch.context() as patch:
        for module, limit in crowded.items():
            patch.setattr({"matchers": matchers, "corrected": corrected}[module], "CROWDED", limit)
        return align(key, response, options._replace(singletons="keep"))


@given(small_documents(), small_documents(), SETTINGS)
@examples(300)
def test_the_official_pairs_of_a_crowd_are_those_found_one_by_one(
    key: Document, response: Document, options: Options
) -> None:
    one_by_one, crowded = _aligned(key, response, options), _aligned(key, response, options, matchers=ALL)
    assert crowded[2:-2] == one_by_one[2:-2]


@given(small_documents(), small_documents(), SETTINGS)
@examples(300)
def test_the_best_pair_of_a_crowd_is_taken_first(key: Document, response: Document, options: Options) -> None:
    options = options._replace(rules="corrected")
    one_by_one = _aligned(key, response, options, corrected=0)
    assert _aligned(key, response, options, corrected=0, matchers=ALL)[2:] == one_by_one[2:]


@given(small_documents(), small_documents())
@examples(200)
def test_a_crowd_overlaps_as_its_mentions_do_one_by_one(key: Document, response: Document) -> None:
    alignment = align(key, response, Options(singletons="keep"))
    counts = METRICS["mor"].counts
    expected = counts(alignment)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matchers, "CROWDED", ALL)
        assert counts(alignment) == expected


def _competing(rng: random.Random) -> Side:
    """Spans with gaps, all but a few of which have one head, and zeros of a few kinds."""
    head, other = position(1, 3), position(1, 4)
    words = [position(1, word) for word in range(1, 8)] + [position(1, 2, 1)]
    spans = {tuple(sorted({head, other, *rng.sample(words, rng.randint(0, 5))})) for _ in range(rng.randint(2, 14))}
    mentions = [Mention(span, head if rng.random() < 0.9 else other) for span in sorted(spans)]
    kinds: list[tuple[Dependency, ...]] = [((1, "a"),), ((1, "a"), (2, "b")), ((2, "c"),), ((5, "a"),)]
    nodes = [position(1, word, 1) for word in rng.sample(range(3, 20), rng.randint(0, 8))]
    mentions += [Mention((node,), node, rng.choice(kinds)) for node in nodes]
    rng.shuffle(mentions)
    return Side([mentions], list(map(SAME_WORDS_AND_HEAD, mentions)))


@pytest.mark.parametrize("rules", [official, corrected])
def test_mentions_that_all_compete_are_paired_as_one_by_one(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrected, "CROWDED", 0)
    usual = matchers.CROWDED
    for seed in range(200):
        rng = random.Random(seed)
        sides = _competing(rng), _competing(rng)
        found = []
        for limit in (usual, ALL):
            monkeypatch.setattr(matchers, "CROWDED", limit)
            found.append(rules.align(*sides, MATCHERS["head"].find, zeros_first=seed % 2 == 0).to_response)
        assert found[0] == found[1]


def _zeros(count: int) -> Side:
    nodes = [position(1, word, 1) for word in range(1, count + 1)]
    zeros = [Mention((node,), node, ((position(1, 1), "nsubj"),)) for node in nodes]
    return Side([zeros], [zero[:2] for zero in zeros])


@pytest.mark.parametrize("rules", [official, corrected])
def test_zeros_that_share_their_dependencies_are_compared_once(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: Counter[int] = Counter()

    def overlap_of(*kinds: Any) -> Any:
        compared[count] += 1
        return compare(*kinds)

    compare = rules.dependency_overlap
    for module in (rules, dense_groups):
        monkeypatch.setattr(module, "dependency_overlap", overlap_of)
    for count in (150, 300):
        alignment = rules.align(_zeros(count), _zeros(count), MATCHERS["head"].find, zeros_first=True)
        assert alignment.to_response == list(range(count))
    assert compared == {150: 1, 300: 1}


def test_a_crowd_looks_at_two_rows_and_columns_for_each_mention(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans that end or begin at one head: without a crowd there would be a score for each of 90,000 pairs."""
    looked = 0
    common = dense_groups.Words.common

    def counted(words: dense_groups.Words, runs: dense_groups.Runs) -> Any:
        nonlocal looked
        looked += 1
        return common(words, runs)

    monkeypatch.setattr(dense_groups.Words, "common", counted)
    count, head = 300, position(1, 301)
    places = [position(1, word) for word in range(1, 2 * count + 2)]
    left = [Mention(tuple(places[i : count + 1]), head) for i in range(count)]
    right = [Mention(tuple(places[count : count + i + 2]), head) for i in range(count)]
    key, response = (Side([mentions], list(map(SAME_WORDS_AND_HEAD, mentions))) for mentions in (left, right))
    alignment = corrected.align(key, response, MATCHERS["head"].find, zeros_first=True)
    assert alignment.matched == count
    assert looked <= 4 * count


def test_common_words_of_spans_with_gaps_and_empty_nodes() -> None:
    spans = [(1, 2, 3), (1, 3), (2, 2.1, 3), (2.1,), (4,), (1, 2, 2, 3)]
    placed = [tuple(position(1, int(n), round(n % 1 * 10)) for n in span) for span in spans]
    words = dense_groups.Words([Mention(span, span[0]) for span in placed])
    assert words.sizes.tolist() == [3, 2, 3, 1, 1, 3]
    assert [len(runs) for runs in words.runs] == [1, 2, 2, 1, 1, 1]  # one of words, one of each empty node
    for span, runs in zip(placed, words.runs, strict=True):
        assert np.array_equal(words.common(runs), [len({*span} & {*other}) for other in placed])


def test_nothing_is_made_for_the_positions_between_two_sentences() -> None:
    """There are 2⁴⁰ of them."""
    assert runs_in((position(1, 7), position(1 << 20, 1)))
    assert not runs_in((position(1, 7), position(1, 8)))
    assert runs_in((position(1, 7), position(1, 7, 1), position(1, 9)))


def _spans_with_one_head(last: int) -> str:
    """Three mentions that end in the same word, which is their head."""
    marks = ["(a-x-4-", "(b-x-3-", "(a-x-2-", "", ""]
    marks[last] = "a)b)a)" + marks[last]
    rows = "\n".join(f"{n}\tw\t_\t_\t_\t_\t0\troot\t_\t{f'Entity={m}' if m else '_'}" for n, m in enumerate(marks, 1))
    return f"# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s\n{rows}\n\n"


def test_rules_are_not_compared_where_too_many_pairs_compete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "key.conllu", tmp_path / "response.conllu"]
    for file, last in zip(files, (3, 4), strict=True):
        file.write_text(_spans_with_one_head(last))
    monkeypatch.setattr(matchers, "CROWDED", ALL)
    monkeypatch.setattr(other_rules, "CROWDED", 9)
    report = corefscope.score(*files, compare_rules=True, singletons="keep")
    assert report.alternative is not None
    assert not report.warnings
    monkeypatch.setattr(other_rules, "CROWDED", 8)
    skipped = corefscope.score(*files, compare_rules=True, singletons="keep")
    assert skipped.alternative is None
    assert skipped.to_dict()["metrics"] == report.to_dict()["metrics"]
    (warning,) = skipped.warnings
    assert "key.conllu:4: too many mentions compete with each other to compare rules" in warning
    assert not corefscope.score(*files, singletons="keep").warnings
