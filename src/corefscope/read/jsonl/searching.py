"""Strings of mentions, looked for among the words of their document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from unicodedata import normalize

ZERO = "##"
NEAR = 12
"""Places of a string on either side of where it should be that are looked at."""

Place = tuple[int, int]
"""The numbers of the first and of the last word."""


class Searched:
    """The words of a document, in which strings are looked for.

    >>> words = Searched(["The", "New_York", "of", "the", "new"])
    >>> words.places("the"), words.places("The new york"), words.places("York")
    ([(0, 0), (3, 3)], [(0, 1)], [])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = [word if isinstance(word, str) else "" for word in words]
        plain = list(map(_plain, self.words))
        self._text = "".join(plain)
        self._starts = list(accumulate(map(len, plain), initial=0))
        self.has_zeros = any(word.startswith(ZERO) for word in self.words)
        self._known: dict[str, list[Place]] = {}

    def holds(self, span: Sequence[int]) -> bool:
        """Whether there are such words."""
        return 0 <= span[0] <= span[1] < len(self.words)

    def says(self, span: Sequence[int], string: str) -> bool:
        """Whether these words are the string."""
        return self.holds(span) and self._text[self._starts[span[0]] : self._starts[span[1] + 1]] == _plain(string)

    def places(self, string: str) -> list[Place]:
        """Wherever the string stands; zeros in it do not count if there are none among the words."""
        parts = string.split()
        wanted = _plain("".join(part for part in parts if self.has_zeros or not part.startswith(ZERO)))
        if wanted not in self._known:
            self._known[wanted] = list(self._found(wanted)) if wanted else []
        return self._known[wanted]

    def _found(self, wanted: str) -> Iterator[Place]:
        starts = self._starts
        start = self._text.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            first, after = bisect_left(starts, start), bisect_left(starts, end)
            if starts[first] == start and starts[after] == end:
                yield first, after - 1
            start = self._text.find(wanted, start + 1)


def _plain(text: str) -> str:
    """What is compared of strings."""
    return "".join(normalize("NFKC", text).casefold().replace("_", " ").split())


def nearest_places(spans: Sequence[Sequence[int]], strings: Sequence[str], text: Searched) -> list[Place | None]:
    """A place for each string, so that places are as far from the spans as those of the mentions before; or None.

    From mention to mention, in the order of the spans, that distance changes least in all, and where that leaves a
    choice, distances are small.

    >>> text = Searched("a b a b c a".split())
    >>> nearest_places([(1, 2), (4, 4), (6, 6), (9, 9)], ["a b", "b", "c", "x"], text)
    [(0, 1), (3, 3), (4, 4), None]
    """
    places: list[Place | None] = [None] * len(spans)
    paths: list[tuple[int, int, Place, int]] = []  # cost, distance, place, which of the paths before
    trellis = []
    for number in sorted(range(len(spans)), key=lambda number: tuple(spans[number])):
        first = spans[number][0]
        choices = text.places(strings[number])
        near = bisect_left(choices, (first, 0))
        steps = []
        for place in choices[max(near - NEAR, 0) : near + NEAR]:
            distance = first - place[0]
            cost, before = min(
                ((cost + len(spans) * abs(distance - last), index) for index, (cost, last, *_) in enumerate(paths)),
                default=(len(spans) * abs(distance), 0),
            )
            steps.append((cost + abs(distance), distance, place, before))
        if steps:
            trellis.append((number, steps))
            paths = steps
    best = min(range(len(paths)), key=paths.__getitem__, default=0)
    for number, steps in reversed(trellis):
        places[number], best = steps[best][2:]
    return places
