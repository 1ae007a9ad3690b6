"""Long mentions, crowded zeros and shared targets: what is done once is not done for each of many."""

from __future__ import annotations

import pytest

from corefscope.analysis.errors.pairing import AnnotatedSide
from corefscope.analysis.noise.changes import TextOrder
from corefscope.core.document import Document, Mention, MentionWithMinimum, Relation, Sentence
from corefscope.core.matching import matchers as candidates
from corefscope.core.matching import official
from corefscope.core.matching.matchers import MATCHERS, Kind, dependency_overlap
from corefscope.core.positions import position
from corefscope.formats.fitting import _with_mentions
from corefscope.formats.losses import Losses
from corefscope.scale.dense_groups import Overlaps

SIZE = 50
WORDS = [position(1, word) for word in range(1, SIZE + 1)]


@pytest.fixture
def unlisted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lists the words of a mention fails."""

    def listed(_: Mention) -> tuple[int, ...]:
        raise AssertionError("the words of a mention were listed")

    monkeypatch.setattr(Mention, "positions", property(listed))


@pytest.mark.usefixtures("unlisted")
def test_noise_and_errors_know_long_mentions_by_their_ends() -> None:
    sentence = Sentence("s", 1, 1, [f"{word}\ta" for word in range(1, SIZE + 1)], [])
    order = TextOrder(Document("d", (), sentences=(sentence,)))
    outer, inner, crossing = (Mention(words, words[0]) for words in (WORDS[:-1], WORDS[5:-5], WORDS[5:]))
    assert order.continuous(outer)
    assert not order.clash(outer, inner)
    assert order.clash(outer, crossing)
    assert AnnotatedSide.in_file(outer) is outer


def test_zeros_that_overlap_alike_are_scored_once() -> None:
    for cached in (candidates._overlaps, official._zeros_score):
        cached.cache_clear()
    kinds = [Kind(1, frozenset([(7, f"r{number}")]), frozenset([7])) for number in range(SIZE)]
    scores = [official._zeros_score(*dependency_overlap(one, other)) for one in kinds for other in kinds]
    assert (scores.count(11.0), scores.count(1.0)) == (SIZE, SIZE * (SIZE - 1))
    assert candidates._overlaps.cache_info().misses == official._zeros_score.cache_info().misses == 2


def test_minimal_words_that_follow_each_other_are_compared_as_one_run() -> None:
    minimum = tuple(WORDS)
    keys = [(0, MentionWithMinimum(WORDS, WORDS[0], (), minimum))]
    responses = [(0, Mention(WORDS, WORDS[0])), (1, Mention(WORDS[1:], WORDS[1]))]
    overlaps = Overlaps((keys, responses), MATCHERS["partial"].find)
    assert [len(needed) for needed in overlaps._minima.values()] == [1]
    assert overlaps.row(0).tolist() == [SIZE, 0]
    assert [overlaps.column(column).tolist() for column in (0, 1)] == [[SIZE], [0]]


def test_a_target_of_many_relations_is_fitted_once() -> None:
    target, *anaphors = (Mention((place,), place) for place in WORDS)
    relations = tuple([Relation("bridging", (anaphor,), ((target,),)) for anaphor in anaphors])
    document = Document("d", ((target,),), entity_ids=("e",), entity_types=("",), relations=relations)
    fitted: list[Mention] = []

    def step(mentions: list[Mention], _: list[int], __: Losses) -> list[Mention]:
        fitted.extend(mentions)
        return mentions

    assert _with_mentions(document, (step,), Losses()).relations == relations
    assert fitted.count(target) == 2  # once in its entity, once for all relations
