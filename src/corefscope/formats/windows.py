"""Windows of long texts: a pair of documents becomes a pair for every W words of the key.

Window i has the mentions whose first word is in [iW, (i + 1)W). Entities are cut at windows, and relations keep what
is in one window. An empty node counts as the word before it; at the start of a sentence, as the first word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, zip_longest
from operator import attrgetter

from ..core.document import Document, Mention, mention_order
from ..core.errors import InputError, OptionError
from ..core.metrics import METRICS
from ..core.positions import SENTENCE_SHIFT, coordinates
from ..core.request import Request
from ..core.rules import RULES
from .pairs import Pair, Pairs

Cut = Callable[[int, int], Iterable[range]]
"""The windows of a text of so many words, by the numbers of their words, given their size."""


class WordNumbers:
    """The number of each word in a document, from 0."""

    def __init__(self, document: Document) -> None:
        self._sentences = [sentence.number for sentence in document.sentences]
        *self._starts, total = accumulate([0, *(len(sentence.words) for sentence in document.sentences)])
        self.total: int = total
        self._start_of = dict(zip(self._sentences, self._starts, strict=True))

    def __getitem__(self, position: int) -> int:
        sentence, word, _ = coordinates(position)
        return self._start_of[sentence] + max(word, 1) - 1

    def sentence_of(self, word: int) -> int:
        """The number of the sentence that has a word."""
        return self._sentences[bisect_right(self._starts, word) - 1]


def every(words: int, size: int) -> list[range]:
    """The windows of a text: one after the other.

    >>> every(5, 2)
    [range(0, 2), range(2, 4), range(4, 6)]
    """
    return [range(start, start + size) for start in range(0, max(words, 1), size)]


def check_windows(request: Request) -> None:
    """Refuse what cannot be scored in windows."""
    request.refuse(
        weights="weights are of whole entities, and windows cut them",
        documents="windows cut single texts, and joined texts are one",
    )
    if counted := [name for name in request.metrics if METRICS[name].scope.needs_empty_nodes]:
        raise OptionError(f"{counted[0]} counts empty nodes, whether or not they are mentions, and knows no windows")


def windowed(request: Request, row: Pairs) -> Iterator[Pairs]:
    """A row of pairs for each window."""
    size = int(request.options.windows)
    cut = RULES[request.options.rules].windows or every
    yield from zip_longest(*(cut_pair(pair, size, cut) if pair else () for pair in row))


def cut_pair(pair: Pair, size: int, cut: Cut = every) -> list[Pair]:
    """The pair of each window; a text of one window stays whole."""
    key = pair.key
    if not key.has_words or key.counts_characters:
        why = "counts characters, not words" if key.has_words else "has ids instead of words, so places are not known"
        raise InputError(f"document {key.id!r} {why}", path=key.path, hint="leave --windows out")
    pair = Pair(*(side._replace(copied=None) for side in pair))  # copy reports are of whole texts
    words = WordNumbers(key)
    windows = list(cut(words.total, size))
    if len(windows) < 2:
        return [pair]
    sides = zip(*(_cut(side, words, windows) for side in pair), strict=True)
    return [
        Pair(*(_excerpt(side, f"{key.id} window {number}", extent) for side in sides_of_window))
        for number, (window, sides_of_window) in enumerate(zip(windows, sides, strict=True), 1)
        for extent in [_extent(window, words, sides_of_window)]
    ]


def _cut(document: Document, words: WordNumbers, windows: Sequence[range]) -> list[Document]:
    """The document of each window, over all sentences."""
    starts = [window.start for window in windows]
    pieces: list[dict[int, list[Mention]]] = [{} for _ in windows]
    for i, entity in enumerate(document.entities):
        for mention in entity:
            word = words[mention.first]
            number = bisect_right(starts, word) - 1
            while number >= 0 and word < windows[number].stop:  # windows may overlap
                pieces[number].setdefault(i, []).append(mention)
                number -= 1
    readings: Sequence[Document | None] = [None] * len(windows)
    if document.official:
        readings = _cut(document.official, words, windows)
    cut = []
    for window, by_entity, official in zip(windows, pieces, readings, strict=True):
        kept = sorted(by_entity, key=lambda i: mention_order(by_entity[i][0]))
        entities = tuple([tuple(by_entity[i]) for i in kept])
        new = document.replace_entities(kept, entities, partial(_within, words, window))
        cut.append(new._replace(official=official))
    return cut


def _within(words: WordNumbers, window: range, mention: Mention) -> Mention | None:
    return mention if words[mention.first] in window else None


def _extent(window: range, words: WordNumbers, sides: Iterable[Document]) -> tuple[int, int]:
    """The first and the last sentence of a window, by number: those of its words, and of mentions that go on."""
    numbers = [words.sentence_of(word) for word in (max(window.start, 0), min(window.stop, words.total) - 1)]
    for side in sides:
        for document in filter(None, (side, side.official)):
            mentions = [mention for entity in document.entities for mention in entity]
            numbers += [place >> SENTENCE_SHIFT for mention in mentions for place in (mention.first, mention.last)]
    return min(numbers), max(numbers)


def _excerpt(document: Document, name: str, extent: tuple[int, int]) -> Document:
    """A document and its layers under another name, with the sentences of a window."""
    low, high = (
        bisect_right(document.sentences, number, key=attrgetter("number")) for number in (extent[0] - 1, extent[1])
    )

    def cut(reading: Document) -> Document:
        return reading._replace(
            id=name, sentences=reading.sentences[low:high], deixis=reading.deixis and reading.deixis.both(cut)
        )

    return document.both(cut)
