"""Words that were glued together or split: one word on one side, several on the other, with the same letters.

Nobody writes down all pairs of a word and of neighbours that spell it: where both are repeated, they are as many as
all cells of a table. What is written down grows with the words, and a row of a table asks for its own columns.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

MOST = 64
"""The most words that can be one."""
SEAM = 20
"""What each seam costs that is on one side only."""
SWALLOWED = 10
"""What each letter costs that is missing at the seam: ``del`` for ``de el``."""
_MOST_SWALLOWED = 2

Join = tuple[int, int, str]
"""How many neighbours are one word, what that costs, and the word."""
Columns = tuple["array[int]", "array[int]", "array[int]"]
"""Where neighbours end, how many they are, and what it costs to take them for a word."""
_NONE: Columns = array("i"), array("i"), array("i")


class Seams:
    """Where folded words of one side, neighbours, are joined a word of the other side, nearly to the letter.

    Ends and places are how many words stand before them, with the last one: the first word has place 1.

    >>> glued = Seams(["the", "dog", "."], ["dog."])
    >>> [column.tolist() for column in glued.of_whole("dog.", 0, 4)]
    [[3], [2], [20]]
    >>> [(pieces, cost, places.tolist()) for pieces, cost, places in glued.of_parts(3, 0, 2)]
    [(2, 20, [1])]
    """

    def __init__(self, parts: Sequence[str], wholes: Sequence[str]) -> None:
        places: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        for stop, word in enumerate(wholes, start=1):
            places[word].append(stop)
        self._places = dict(places)
        self._joins: dict[int, list[Join]] = {}
        ends: defaultdict[str, Columns] = defaultdict(lambda: (array("i"), array("i"), array("i")))
        for stop, joins in _joined(parts, self._places):
            self._joins[stop] = joins
            for pieces, cost, spelling in joins:
                for column, value in zip(ends[spelling], (stop, pieces, cost), strict=True):
                    column.append(value)
        self._ends = dict(ends)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._joins)

    def of_whole(self, word: str, start: int, stop: int) -> Columns:
        """The neighbours that are a word, with ends in a stretch; of those with one end, the most words first."""
        if word not in self._ends:
            return _NONE
        ends, pieces, costs = self._ends[word]
        within = slice(bisect_left(ends, start), bisect_left(ends, stop))
        return ends[within], pieces[within], costs[within]

    def of_parts(self, end: int, start: int, stop: int) -> Iterator[tuple[int, int, array[int]]]:
        """How many neighbours with this end are a word, what that costs, and the places of the word in a stretch."""
        for pieces, cost, spelling in self._joins.get(end, ()):
            places = self._places[spelling]
            within = places[bisect_left(places, start) : bisect_left(places, stop)]
            if within:
                yield pieces, cost, within


def _joined(parts: Sequence[str], wholes: Collection[str]) -> Iterator[tuple[int, list[Join]]]:
    """Ends of neighbours that are one of these words, and all that have this end, those of the most words first."""
    sizes = set(map(len, wholes))
    longest = max(sizes, default=0)
    known: dict[Join, Join] = {}
    for stop in range(2, len(parts) + 1):
        found: list[Join] = []
        size = len(parts[stop - 1])
        for start in range(stop - 2, max(stop - MOST, 0) - 1, -1):
            size += len(parts[start])
            if size in sizes:
                found.append((stop - start, SEAM * (stop - start - 1), "".join(parts[start:stop])))
            if start == stop - 2 and not sizes.isdisjoint((size - 1, size - _MOST_SWALLOWED)):
                shortened = _shortened(parts[start], parts[stop - 1])
                found += [(2, SEAM + SWALLOWED * missing, spelling) for spelling, missing in shortened.items()]
            if size > longest:
                break
        found = [known.setdefault(join, join) for join in reversed(found) if join[2] in wholes]
        if found:
            yield stop, found


def _shortened(first: str, second: str) -> dict[str, int]:
    """Two words joined without a few letters at the seam, but neither alone; and how many letters are missing."""
    found: dict[str, int] = {}
    for swallowed in range(1, min(_MOST_SWALLOWED, 2 * (len(first) + len(second)) // 5) + 1):
        for left in range(max(0, swallowed + 1 - len(second)), min(swallowed, len(first) - 1) + 1):
            found.setdefault(first[: len(first) - left] + second[swallowed - left :], swallowed)
    return {spelling: swallowed for spelling, swallowed in found.items() if spelling not in (first, second)}
