"""Words that were glued together or split: one word on one side, several on the other, with the same letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST = 64
"""The most words that can be one."""
SEAM = 20
"""What each seam costs that is on one side only."""
SWALLOWED = 10
"""What each letter costs that is missing at the seam: ``del`` for ``de el``."""
_MOST_SWALLOWED = 2

Seam = tuple[int, int, int]
"""How many printed words and how many words of the key are one, and what that costs."""


def seams(printed: Sequence[str], key: Sequence[str]) -> dict[int, dict[int, list[Seam]]]:
    """Where folded words of one side, joined, are a word of the other, nearly to the letter.

    By how many printed words, and how many words of the key, stand before their end. Takes as long as there are
    words, not pairs of them.

    >>> seams(["dog."], ["the", "dog", "."])
    {1: {3: [(1, 2, 20)]}}
    """
    found: dict[int, dict[int, list[Seam]]] = {}
    for whole, stop, pieces, cost in _joined(key, printed):
        found.setdefault(whole, {}).setdefault(stop, []).append((1, pieces, cost))
    for whole, stop, pieces, cost in _joined(printed, key):
        found.setdefault(stop, {}).setdefault(whole, []).append((pieces, 1, cost))
    return found


def _joined(parts: Sequence[str], wholes: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """(one behind the whole word, one behind its parts, how many parts, cost)."""
    places: dict[str, list[int]] = {}
    for stop, word in enumerate(wholes, start=1):
        places.setdefault(word, []).append(stop)
    longest = max(map(len, places), default=0)
    for start, first in enumerate(parts):
        joined = first
        for stop in range(start + 2, min(start + MOST, len(parts)) + 1):
            if len(joined) > longest + _MOST_SWALLOWED:
                break
            spellings = _shortened(first, parts[stop - 1]) if stop == start + 2 else {}
            for spelling, swallowed in {**spellings, joined + parts[stop - 1]: 0}.items():
                for whole in places.get(spelling, ()):
                    yield whole, stop, stop - start, SEAM * (stop - start - 1) + SWALLOWED * swallowed
            joined += parts[stop - 1]


def _shortened(first: str, second: str) -> dict[str, int]:
    """Two words joined without a few letters at the seam, but neither alone; and how many letters are missing."""
    found: dict[str, int] = {}
    for swallowed in range(1, min(_MOST_SWALLOWED, 2 * (len(first) + len(second)) // 5) + 1):
        for left in range(max(0, swallowed + 1 - len(second)), min(swallowed, len(first) - 1) + 1):
            found.setdefault(first[: len(first) - left] + second[swallowed - left :], swallowed)
    return {spelling: swallowed for spelling, swallowed in found.items() if spelling not in (first, second)}
