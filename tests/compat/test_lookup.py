"""The look-up of CorefUD scorer 1.0 and 1.1; its figures are tested in `tests/compat/test_rules.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefscope.compat.lookup import align
from corefscope.core.document import Document, Mention
from corefscope.core.errors import InputError
from corefscope.core.matching import matchers
from corefscope.core.matching.alignment import NONE, Side
from corefscope.core.matching.matchers import MATCHERS
from corefscope.core.matching.transform import SAME_WORDS, SAME_WORDS_AND_HEAD
from corefscope.core.positions import position
from examples import examples
from strategies import small_documents


def _side(*entities: tuple[Mention, ...], by_head: bool = True) -> Side:
    identity = SAME_WORDS_AND_HEAD if by_head else SAME_WORDS
    return Side(entities, [identity(mention) for entity in entities for mention in entity])


def _mention(*words: float, head: int = 0) -> Mention:
    places = [position(1, int(word), round(word % 1 * 10)) for word in words]
    return Mention(tuple(places), position(1, head) if head else places[0])


def test_a_mention_finds_the_one_that_differs_least_then_the_earlier_one() -> None:
    key = _side((_mention(2, 3, 4, head=3), _mention(3, 4, head=3)))
    response = _side((_mention(1, 2, 3, 4, head=3), _mention(2, 3, 4, 5, head=3), _mention(3, 4, 5, head=3)))
    alignment = align(key, response, MATCHERS["head"].find)
    assert alignment.to_response == [0, 2]  # 1/4 twice; 1/3
    assert alignment.to_key == [0, 0, 1]
    assert alignment.shared == {(0, 0): [0, 1]}
    assert not alignment.mutual


def test_partial_match_looks_for_parts_with_the_head_of_the_key() -> None:
    key = _side((_mention(1, 2, 3, head=2), _mention(4, 5)), by_head=False)
    response = _side((_mention(2, 3), _mention(1)), (_mention(1, 2),), by_head=False)
    alignment = align(key, response, MATCHERS["partial"].find)
    assert alignment.to_response == [2, NONE]  # of two parts that differ alike, the earlier one
    assert alignment.to_key == [0, NONE, 0]
    assert alignment.shared == {(0, 0): [0], (0, 1): [0]}


def test_a_key_mention_with_two_heads_in_two_entities_is_found_by_the_first() -> None:
    key = _side((_mention(1, 2, head=1),), (_mention(1, 2, head=2),), by_head=False)
    response = _side((_mention(1), _mention(2)), by_head=False)
    alignment = align(key, response, MATCHERS["partial"].find)
    assert [alignment.key.mentions[k].head for k in (0, 1)] == [position(1, 1), position(1, 2)]
    assert alignment.to_response == [0, 1]  # each looks up by its own head
    assert alignment.to_key == [1, NONE]  # found by the first head, and owned by the last entity


@pytest.mark.parametrize("match", ["exact", "partial"])
def test_without_heads_the_first_word_says_what_is_a_zero(match: str) -> None:
    zero = _mention(1.1, 2, head=2)
    side = _side((zero, _mention(4)), by_head=False)
    alignment = align(side, side, MATCHERS[match].find)
    assert [mention.is_zero for mention in alignment.response.mentions] == [True, False]
    assert [mention.is_zero for mention in alignment.key.mentions] == [match == "exact", False]


@given(small_documents(), small_documents(), st.sampled_from(["head", "partial"]))
@examples(200)
def test_dense_groups_are_looked_up_as_one_by_one(key: Document, response: Document, match: str) -> None:
    matcher = MATCHERS[match]
    sides = [
        Side(side.entities, [matcher.identity(mention) for entity in side.entities for mention in entity])
        for side in (key, response)
    ]
    one_by_one = align(sides[0], sides[1], matcher.find)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matchers, "CROWDED", 0)
        dense = align(sides[0], sides[1], matcher.find)
    assert dense[2:-1] == one_by_one[2:-1]


def test_too_many_pairs_of_entities_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefscope.core.matching.alignment.MAX_PAIRS", 10)
    side = _side(*[(_mention(1, *range(2, last), head=1),) for last in range(2, 7)])
    with pytest.raises(InputError, match="pairs of key and response entities share a mention, and 10 can be scored"):
        align(side, side, MATCHERS["head"].find)
