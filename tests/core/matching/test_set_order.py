"""Mentions that sort alike stand in the order of the official program's sets, whatever was done to these."""

from __future__ import annotations

import random
from typing import Any

from corefscope.core.document import Mention
from corefscope.core.matching.official import free_in_set_order, zeros_in_set_order
from corefscope.core.matching.transform import SAME_WORDS, SAME_WORDS_AND_HEAD
from corefscope.core.positions import position
from oracles.official import Mention as OfficialMention
from oracles.official_reader import Span


def _identities(rng: random.Random, by_head: bool) -> list[Any]:
    """Spans over few words and an empty node or two, so that many begin and end alike."""
    identities: dict[Any, None] = {}
    while len(identities) < rng.choice((2, 6, 14)):
        first = rng.randint(1, 6)
        last = first + rng.randint(0, 4)
        between = [(word, 0) for word in range(first + 1, last)] + [(first, 1), (last, 2)]
        nodes = sorted({(first, 0), (last, 0), *(node for node in between if rng.random() < 0.4)})
        words = tuple(position(1, *node) for node in nodes)
        identities[words, rng.choice(words) if by_head else words[0]] = None
    return list(identities)


def _official(identities: list[Any], by_head: bool) -> dict[int, OfficialMention]:
    def word(place: int) -> tuple[int, float]:
        number, minor = (place >> 20) & 0xFFFFF, place & 0xFFFFF
        return 1, float(f"{number}.{minor}") if minor else number

    mentions = {}
    for n, identity in enumerate(identities):
        words, head = identity
        mentions[n] = OfficialMention(Span(tuple(map(word, words)), word(head)), "head" if by_head else "exact")
    return mentions


def test_what_is_left_stands_as_in_the_sets_of_the_official_program() -> None:
    """The operations are those of its source, in its order; also that the last set is built anew matters."""
    rng = random.Random(0)
    anew = 0
    for attempt in range(3000):
        by_head = attempt % 2 == 0
        given = _identities(rng, by_head)
        numbers = range(len(given))
        zeros = set(rng.sample(numbers, rng.randint(0, len(given) - 2))) if rng.random() < 0.5 else None
        identical = {n for n in numbers if n not in (zeros or ()) and rng.random() < 0.3}

        official = _official(given, by_head)
        same = SAME_WORDS_AND_HEAD if by_head else SAME_WORDS
        identities = [same(Mention(*identity)) for identity in given]
        number_of = {id(mention): n for n, mention in official.items()}
        mentions = {official[n] for n in numbers}
        left = mentions.copy()
        if zeros is not None:
            left = left - {official[n] for n in zeros}
        left = left - {official[n] for n in identical}
        rebuilt = {mention for mention in left}  # noqa: C416  (as it is written there)

        expected = [number_of[id(mention)] for mention in rebuilt]
        assert free_in_set_order(identities, zeros, identical) == expected
        anew += expected != [number_of[id(mention)] for mention in left]
        if zeros:
            chosen = {mention for mention in mentions if number_of[id(mention)] in zeros}
            assert zeros_in_set_order(identities, zeros) == [number_of[id(mention)] for mention in chosen]
    assert anew
