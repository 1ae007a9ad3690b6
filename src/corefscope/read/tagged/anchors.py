"""Where two texts surely agree: words that both have once, in the order that both have (patience sorting)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence

RUNS = (1, 2, 4, 8, 16, 32)
"""How many words in a row stand for one another, where no single word is there once."""


def anchors(printed: Sequence[int], key: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of places with the same word that increase on both sides; none if nothing is there once.

    >>> anchors([1, 2, 1, 3], [1, 2, 1, 1, 3])
    [(1, 1), (3, 4)]
    """
    for length in RUNS:
        of_printed, of_key = (_once(_runs(side, length)) for side in (printed, key))
        found = _increasing([(place, of_key[run]) for run, place in of_printed.items() if run in of_key])
        if found:
            return found
    return []


def _runs(side: Sequence[int], length: int) -> Iterable[Hashable]:
    """Each word, or each run of so many words, by its first word."""
    return side if length == 1 else zip(*(side[start:] for start in range(length)), strict=False)


def _once(runs: Iterable[Hashable]) -> dict[Hashable, int]:
    """The place of each run that is there once."""
    places: dict[Hashable, int] = {}
    repeated = set()
    for place, run in enumerate(runs):
        if run in places:
            repeated.add(run)
        places[run] = place
    return {run: place for run, place in places.items() if run not in repeated}


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
