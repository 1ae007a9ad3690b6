"""Mentions given as offsets and as strings: check that both agree, or repair the offsets.

``conllu2json`` of the CRAC 2026 task, called without ``-z``, leaves zeros (``##``) out of ``tokens`` but counts them
in ``clusters_token_offsets``: all offsets after a zero are too large, and those of zeros point to other words.
The strings in ``clusters_text_mentions`` are right. White space, ``_`` and case are not compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from unicodedata import normalize

from ...core.errors import amount
from .json_text import refuse, shortened
from .spans import Clusters, DocumentFields, checked

ZERO = "##"
NEAR = 12
"""Places of a string that are tried on either side of its offset."""
OFFSETS = "clusters_token_offsets"
STRINGS = "clusters_text_mentions"
"""The words of each mention of ``clusters_token_offsets`` in one string."""
HINT = "export it again with zeros (conllu2json -z), or find mentions by their strings: --repair offsets"

Place = tuple[int, int]
"""The numbers of the first and of the last word."""


class SearchableWords:
    """The words of a document, in which strings are searched.

    >>> words = SearchableWords(["The", "New_York", "of", "the", "new"])
    >>> words.places("the"), words.places("The new york"), words.places("York")
    ([(0, 0), (3, 3)], [(0, 1)], [])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words: list[str] = [word if isinstance(word, str) else "" for word in words]
        plain = list(map(_plain, self.words))
        self._text = "".join(plain)
        self._starts = list(accumulate(map(len, plain), initial=0))
        self.has_zeros: bool = any(word.startswith(ZERO) for word in self.words)
        self._known: dict[str, list[Place]] = {}

    def holds(self, span: Sequence[int]) -> bool:
        """Whether a span is within the document."""
        return 0 <= span[0] <= span[1] < len(self.words)

    def says(self, span: Sequence[int], string: str) -> bool:
        """Whether the words of a span are the string."""
        return self.holds(span) and self._text[self._starts[span[0]] : self._starts[span[1] + 1]] == _plain(string)

    def places(self, string: str) -> list[Place]:
        """All places of the string; zeros in it are ignored if there are none among the words."""
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
    """A string as it is compared."""
    return "".join(normalize("NFKC", text).casefold().replace("_", " ").split())


def nearest_places(
    spans: Sequence[Sequence[int]], strings: Sequence[str], text: SearchableWords
) -> list[Place | None]:
    """The likeliest place of each string, or None.

    In the order of the spans, the distance of places from spans changes as little as possible from mention to
    mention; where that leaves a choice, distances are small.

    >>> text = SearchableWords("a b a b c a".split())
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


def reconcile(value: object, reading: DocumentFields, repair: str, document: str) -> DocumentFields:
    """The reading if strings and offsets agree, or the repaired one; otherwise raise an error."""
    if value is None or reading.field != OFFSETS:
        return reading
    clusters = checked(reading.clusters, 2, OFFSETS)
    strings = list(chain.from_iterable(_strings(value, clusters)))
    spans = list(chain.from_iterable(clusters))
    text = SearchableWords(chain.from_iterable(reading.sentences))
    wrong = [not text.says(*mention) for mention in zip(spans, strings, strict=True)]
    if not any(wrong):
        return reading
    places = nearest_places(spans, strings, text)
    if repair == "offsets":
        found = iter(places)
        kept = [[list(place) for _ in cluster if (place := next(found))] for cluster in clusters]
        moved = sum(place is not None and list(place) != span for place, span in zip(places, spans, strict=True))
        return reading._replace(clusters=list(filter(None, kept)), moved=moved, lost=places.count(None))
    first = wrong.index(True)
    span = spans[first]
    there = shortened(" ".join(text.words[span[0] : span[1] + 1])) if text.holds(span) else "not in the document"
    found_at = sorted((span[0], place[0]) for place, span in zip(places, spans, strict=True) if place)
    shifts = [offset - place for offset, place in found_at]
    grows = shifts == sorted(shifts) and min(shifts, default=0) >= 0
    lacks = max(shifts, default=0) > 0 or any(ZERO in string for string in strings)
    reason = ": offsets count zeros (##) that tokens lack" if not text.has_zeros and grows and lacks else ""
    ends = list(accumulate(map(len, clusters)))
    cluster = next(index for index, end in enumerate(ends) if first < end)
    at, string = f"[{cluster}][{first - ends[cluster] + len(clusters[cluster])}]", shortened(strings[first])
    refuse(
        f"document {document!r}: {OFFSETS}{at} is {span}, {there}, but {STRINGS}{at} is {string}{reason}",
        HINT,
        "offsets-and-strings",
    )


def describe_repair(reading: DocumentFields) -> str:
    """Message about repaired offsets; empty if there are none."""
    if not reading.moved and not reading.lost:
        return ""
    gone = f"; {amount(reading.lost, 'mention')} whose string was not found left out" if reading.lost else ""
    return f"offsets of {amount(reading.moved, 'mention')} repaired by their strings{gone}"


def _strings(value: object, clusters: Clusters) -> list[list[str]]:
    """The strings, one for each mention."""
    is_nested = isinstance(value, list) and all(isinstance(cluster, list) for cluster in value)
    strings: list[list[str]] = value if isinstance(value, list) and is_nested else []
    if not is_nested or not all(isinstance(string, str) for string in chain.from_iterable(strings)):
        refuse(f"{STRINGS} is not a list of clusters of strings", "it has the words of each mention in one string")
    if list(map(len, strings)) != list(map(len, clusters)):
        refuse(f"{STRINGS} and {OFFSETS} do not hold as many mentions", "leave out the one that is wrong")
    return strings
