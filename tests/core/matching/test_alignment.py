"""Sides: mentions by number, owners and zeros; alignments and their inverses."""

from __future__ import annotations

from corefscope.core.document import Mention
from corefscope.core.matching.alignment import NONE, Alignment, Side, inverse
from corefscope.core.positions import position


def _members(side: Side) -> list[list[int]]:
    return [list(entity) for entity in side.entities]


def test_distinct_mentions_are_numbered_through() -> None:
    side = Side.of_hashables(["ab", "c", "de"])
    assert side.mentions == list("abcde")
    assert _members(side) == [[0, 1], [2], [3, 4]]
    assert side.owner == [0, 0, 1, 2, 2]
    assert side.numbers == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
    assert not side.repeats


def test_a_mention_of_several_entities_has_one_number_and_the_last_owner() -> None:
    side = Side.of_hashables(["ab", "bcb", "d"])
    assert side.repeats
    assert side.mentions == side.identities == list("abcd")
    assert _members(side) == [[0, 1], [1, 2, 1], [3]]
    assert side.owner == [0, 1, 1, 2]


def test_of_mentions_that_are_the_same_the_first_stays_and_all_are_remembered() -> None:
    side = Side([["x", "y"], ["z"]], [1, 2, 1])
    assert side.mentions == ["x", "y"]
    assert side.identities == [1, 2]
    assert _members(side) == [[0, 1], [0]]
    assert side.owner == [1, 0]
    assert side.members == [["x", "y"], ["z"]]


def test_zeros_are_the_mentions_whose_head_is_an_empty_node() -> None:
    word, empty = position(1, 3), position(1, 3, 1)
    mentions = [Mention((word, empty), word), Mention((word, empty), empty), Mention((empty,), empty)]
    side = Side([mentions], list(range(3)))
    assert side.zeros == [1, 2]
    assert side.numbered(side.zeros) == [(1, mentions[1]), (2, mentions[2])]


def test_one_to_one_pairs_can_be_read_both_ways() -> None:
    key, response = Side.of_hashables(["abc"]), Side.of_hashables(["xy", "zw"])
    alignment = Alignment.of_pairs(key, response, [2, NONE, 0])
    assert alignment.to_key == [2, NONE, 0, NONE]
    assert alignment.matched == 2
    assert alignment.anaphors == alignment.to_response
    assert alignment.mutual
    assert not alignment.forced


def test_the_inverse_of_nothing() -> None:
    assert inverse([], 2) == [NONE, NONE]
    assert inverse([NONE, NONE], 0) == []
