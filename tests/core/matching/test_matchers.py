"""Which pairs of mentions a matcher finds, and with what score; which zeros may be paired."""

from __future__ import annotations

from fractions import Fraction

import pytest

from corefscope.core.document import Mention
from corefscope.core.matching.matchers import MATCHERS, dependency_overlap, kinds_that_fit, zeros_by_kind
from corefscope.core.positions import position


def _mention(*words: int, head: int) -> Mention:
    return Mention(tuple(position(1, word) for word in words), position(1, head))


def _found(match: str, keys: list[Mention], responses: list[Mention]) -> dict[tuple[int, int], Fraction]:
    numbered = [(10 + n, m) for n, m in enumerate(keys)], [(20 + n, m) for n, m in enumerate(responses)]
    return {(k, r): Fraction(common, size) for k, r, common, size in MATCHERS[match].find(*numbered)}


def test_head_match_finds_mentions_with_the_same_head_and_their_share_of_the_key() -> None:
    keys = [_mention(1, 2, 3, 4, head=2), _mention(2, 3, head=3), _mention(2, 4, head=2)]
    responses = [_mention(2, 3, 4, 5, head=2), _mention(2, 9, head=2), _mention(1, 2, 3, head=1)]
    assert _found("head", keys, responses) == {
        (10, 20): Fraction(3, 4),
        (10, 21): Fraction(1, 4),
        (12, 20): Fraction(2, 2),
        (12, 21): Fraction(1, 2),
    }


def test_partial_match_finds_parts_that_hold_the_head_of_the_key() -> None:
    """The head of the response plays no role; what has a word besides is no part."""
    keys = [_mention(1, 2, 3, 4, head=2)]
    responses = [
        _mention(2, 3, head=3),
        _mention(3, 4, head=3),
        _mention(2, 5, head=2),
        _mention(1, 2, 3, 4, head=1),
    ]
    assert _found("partial", keys, responses) == {(10, 20): Fraction(1, 2), (10, 23): Fraction(1)}


def test_exact_match_leaves_nothing_to_find() -> None:
    assert _found("exact", [_mention(1, head=1)], [_mention(1, head=1)]) == {}


@pytest.mark.parametrize("match", ["head", "partial"])
def test_a_word_that_stands_in_two_parts_counts_once(match: str) -> None:
    """The key's parts 1-2 and 2-3 overlap, the response's likewise: three words, not four; two, not three."""
    keys = [_mention(1, 2, 2, 3, head=2)]
    assert _found(match, keys, [_mention(2, 2, 3, head=2)]) == {(10, 20): Fraction(2, 3)}


@pytest.mark.parametrize(("match", "same"), [("head", False), ("partial", True), ("exact", True)])
def test_another_head_makes_another_mention_only_by_head(match: str, same: bool) -> None:
    identity = MATCHERS[match].identity
    assert (identity(_mention(1, 2, head=1)) == identity(_mention(1, 2, head=2))) is same
    assert identity(_mention(1, 2, head=1)) != identity(_mention(1, 3, head=1))


def _zero(*dependencies: tuple[int, str], sentence: int = 1, minor: int = 1) -> Mention:
    node = position(sentence, 5, minor)
    return Mention((node,), node, tuple((position(1, parent), relation) for parent, relation in dependencies))


def test_zeros_meet_where_they_share_a_parent_in_one_sentence() -> None:
    keys = [_zero((1, "a"), (2, "b")), _zero(), _zero((2, "b"), sentence=2)]
    responses = [_zero((2, "x")), _zero((3, "a")), _zero((2, "b"), (1, "a")), _zero((1, "x"), (1, "a"))]
    kinds, other_kinds = (zeros_by_kind(list(enumerate(zeros))) for zeros in (keys, responses))
    fits = {
        kinds[kind][0]: [other_kinds[fit] for fit in fits]
        for kind, fits in kinds_that_fit(kinds, other_kinds).items()
    }
    assert {k: sorted(fit) for k, fit in fits.items()} == {0: [[0], [2], [3]], 1: [], 2: []}


def test_zeros_are_of_one_kind_where_they_agree_in_sentence_and_dependencies() -> None:
    zeros = [
        _zero((1, "a"), (2, "b")),
        _zero((2, "b"), (1, "a"), minor=2),
        _zero((1, "a")),
        _zero((1, "a"), sentence=2),
    ]
    assert list(zeros_by_kind(list(enumerate(zeros))).values()) == [[0, 1], [2], [3]]


def test_dependencies_are_compared_with_and_without_relations() -> None:
    """Key: 1:a 1:b 2:a. Response: 1:a 2:b 3:a 3:b. One in common of 3 and 4; parents: two of 2 and 3."""
    key = _zero((1, "a"), (1, "b"), (2, "a"))
    response = _zero((1, "a"), (2, "b"), (3, "a"), (3, "b"))
    ours, theirs = (kind for zero in (key, response) for kind in zeros_by_kind([(0, zero)]))
    assert dependency_overlap(ours, theirs) == ((1, 3, 4), (2, 2, 3))
