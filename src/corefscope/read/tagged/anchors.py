"""Where two texts surely agree: what both have once, in the order that both have (patience sorting)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

LETTERS = (8, 16, 32, 64, 128)
"""How many letters from a word on stand for it, where no word is there once, or words are glued."""


def anchors(printed: Sequence[str], key: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places that increase on both sides; none if nothing is there once.

    >>> anchors(["the", "dog", "the", "cat"], ["the", "dog", "the", "the", "cat"])
    [(1, 1), (3, 4)]
    >>> anchors(["thedog", "barkedatthe", "cat"], ["the", "dog", "barked", "atthe", "cats"])
    [(1, 2)]
    """
    found = _in_order(printed, key)
    for letters in LETTERS if not found else ():
        found = [pair for pair in _in_order(_openings(printed, letters), _openings(key, letters)) if any(pair)]
        if found:
            break
    return found


def _openings(words: Sequence[str], letters: int) -> Iterable[str]:
    """So many letters from each word on, whatever words they belong to; the last ones are shorter."""
    text = "".join(words)
    starts = accumulate(map(len, words), initial=0)
    return [text[start : start + letters] for start, _ in zip(starts, words, strict=False)]


def _in_order(printed: Iterable[str], key: Iterable[str]) -> list[tuple[int, int]]:
    """Places of what both sides have once."""
    of_printed, of_key = _once(printed), _once(key)
    return _increasing([(place, of_key[each]) for each, place in of_printed.items() if each in of_key])


def _once(side: Iterable[str]) -> dict[str, int]:
    """The place of each that is there once."""
    places: dict[str, int] = {}
    repeated = set()
    for place, each in enumerate(side):
        if each in places:
            repeated.add(each)
        places[each] = place
    return {each: place for each, place in places.items() if each not in repeated}


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """As many of the pairs as increase on the second side; they increase on the first."""
    ends: list[int] = []  # the smallest last place of a chain of each length
    last: list[int] = []  # the pair that has it
    before: list[int] = []  # the pair before each pair in its chain
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [index]
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
