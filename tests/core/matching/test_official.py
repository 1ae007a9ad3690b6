"""The pairing of the official rules, against the literal oracle on small documents; quirks worked by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from corefscope.core.choices import Match, Zeros
from corefscope.core.document import Document, Mention
from corefscope.core.matching import official
from corefscope.core.matching.alignment import NONE, Alignment, Side
from corefscope.core.matching.matchers import MATCHERS, Overlap
from corefscope.core.matching.transform import SAME_WORDS_AND_HEAD
from corefscope.core.options import Options
from corefscope.core.positions import coordinates, position
from corefscope.core.steps import align
from examples import examples
from oracles import official as oracle
from oracles.official_reader import Span
from strategies import small_documents


def _word(place: int) -> tuple[int, float]:
    sentence, word, minor = coordinates(place)
    return sentence, float(f"{word}.{minor}") if minor else word


def _for_oracle(side: Side, match: str) -> list[oracle.Mention]:
    """The mentions of a side by their numbers."""
    return [
        oracle.Mention(
            Span(
                tuple(map(_word, mention.positions)),
                _word(mention.head),
                mention.is_zero,
                tuple((_word(parent), relation) for parent, relation in mention.dependencies),
            ),
            match,
        )
        for mention in side.mentions
    ]


def _check(alignment: Alignment, match: str, zeros: str) -> None:
    key, response = (_for_oracle(side, match) for side in (alignment.key, alignment.response))
    key_entities = [[key[n] for n in entity] for entity in alignment.key.entities]
    response_entities = [[response[n] for n in entity] for entity in alignment.response.entities]
    pairs = oracle.match_mentions(key_entities, response_entities, match, zeros)
    table = oracle.translation(pairs)

    def counterparts(mentions: list[oracle.Mention], others: list[oracle.Mention]) -> list[int]:
        translated = [table.get(mention, mention) for mention in mentions]
        return [others.index(mention) if mention in others else NONE for mention in translated]

    assert alignment.matched == len(pairs)
    assert alignment.to_response == counterparts(key, response)
    assert alignment.to_key == counterparts(response, key)
    asked = [mention if mention in response else table.get(mention, mention) for mention in key]
    assert alignment.anaphors == [response.index(mention) if mention in response else NONE for mention in asked]
    back = [alignment.to_key[r] if r != NONE else k for k, r in enumerate(alignment.to_response)]
    if alignment.mutual:
        assert back == list(range(len(key)))
        assert alignment.anaphors == alignment.to_response


@pytest.mark.parametrize("zeros", ["dependent", "linear"])
@pytest.mark.parametrize("match", ["head", "partial", "exact"])
@given(small_documents(), small_documents())
@examples(100)
def test_small_documents_are_paired_as_the_oracle_pairs_them(
    match: Match, zeros: Zeros, key: Document, response: Document
) -> None:
    _check(align(key, response, Options(match=match, zeros=zeros, singletons="keep")), match, zeros)


# ---- by hand: words are numbered from 1, empty node 2.1 stands after word 2


def _mention(*numbers: float, head: float, attached: str = "") -> Mention:
    def place(number: float) -> int:
        return position(1, int(number), round(number % 1 * 10))

    return Mention(tuple(map(place, numbers)), place(head), ((position(1, 1), attached),) if attached else ())


def _aligned(keys: list[Mention], responses: list[Mention], **options: Any) -> Alignment:
    key, response = (Side([mentions], list(map(SAME_WORDS_AND_HEAD, mentions))) for mentions in (keys, responses))
    return official.align(key, response, MATCHERS["head"].find, zeros_first=options.get("zeros_first", True))


def test_one_candidate_each_leaves_nothing_to_choose() -> None:
    alignment = _aligned([_mention(1, 2, head=1), _mention(4, head=4)], [_mention(4, 5, head=4), _mention(1, head=1)])
    assert alignment.to_response == [1, 0]
    assert alignment.forced
    several = _aligned([_mention(1, 2, head=1)], [_mention(1, head=1), _mention(1, 2, 3, head=1)])
    assert several.to_response == [1]
    assert not several.forced


def test_with_zeros_on_both_sides_there_was_a_choice() -> None:
    zero = _mention(2.1, head=2.1, attached="obj")
    assert not _aligned([zero], [zero]).forced
    assert _aligned([zero], [zero], zeros_first=False).forced
    assert _aligned([zero], [_mention(1, head=1)]).forced


def test_zeros_go_both_ways_through_one_dictionary() -> None:
    """The key's 2.1 pairs with 4.1 and its 4.1 with 2.1: the way back overwrites the way there, here with itself."""
    keys = [_mention(2.1, head=2.1, attached="obj"), _mention(4.1, head=4.1, attached="nsubj")]
    responses = [_mention(2.1, head=2.1, attached="nsubj"), _mention(4.1, head=4.1, attached="obj")]
    alignment = _aligned(keys, responses)
    assert alignment.to_response == alignment.to_key == [1, 0]
    assert alignment.anaphors == [0, 1]  # the score for zeros asks for the mention itself first
    assert alignment.mutual is False


def test_what_a_zero_has_taken_is_not_there_for_identical_mentions() -> None:
    """4.1 of the response is taken by 2.1 of the key, so that the identical 4.1 of the key goes without.

    In the dictionary for both directions 4.1 leads to 2.1, which the response does not have.
    """
    keys = [_mention(2.1, head=2.1, attached="obj"), _mention(4.1, head=4.1)]
    alignment = _aligned(keys, [_mention(4.1, head=4.1, attached="obj")])
    assert alignment.matched == 1
    assert alignment.to_key == [0]
    assert alignment.to_response == [0, NONE]


def test_what_is_identical_to_a_paired_zero_is_free_for_others() -> None:
    """The key's 2.1 is an object, as the response's 4.1 is: the response's 2.1 is free, and is the head of 2.1 3."""
    keys = [_mention(2.1, head=2.1, attached="obj"), _mention(2.1, 3, head=2.1, attached="obj")]
    alignment = _aligned(keys, [_mention(4.1, head=4.1, attached="obj"), _mention(2.1, head=2.1)])
    assert alignment.matched == 2
    _check(alignment, "head", "dependent")


def test_zeros_that_sort_alike_are_paired_as_the_oracle_pairs_them() -> None:
    """The same two empty nodes with either head, on both sides: sorting by first word, last word and length ties."""
    mentions = [_mention(2.1, 2.2, head=head, attached="obj") for head in (2.1, 2.2)]
    for keys in (mentions, mentions[::-1]):
        _check(_aligned(keys, mentions), "head", "dependent")
        _check(_aligned(keys, mentions[:1]), "head", "dependent")


def test_zeros_score_the_harmonic_mean_of_two_ratios() -> None:
    """One of two and one of three: 2 · 1/2 · 1/3 / (1/2 + 1/3) = 2/5. Nothing in common scores 0, also of nothing."""
    assert official._f_score(Overlap(1, 2, 3)) == pytest.approx(2 / 5)
    assert official._f_score(Overlap(0, 0, 0)) == 0
