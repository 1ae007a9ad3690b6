"""Which part of what was printed is the copy, where a text is printed more than once: the prompt again, a draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .aligning import Passage, aligned
from .events import Word
from .folding import folded
from .tags import Lexed

MORE = 1.4
"""So many times the words of the key are printed at least where it may be printed twice."""
BACK = 0.4
"""The share of the key by which words that it has once go back, where another copy begins."""
HALF = 0.5
"""A later copy counts if it has this share of the tags, and of the words, of the best."""


def aligned_copy(text: Lexed, key: Sequence[str]) -> list[Passage]:
    """The steps from printed words to those of the key; what is no part of the copy that counts is invented.

    Of several copies the one with the most tags counts, or a later one that has half of its tags and words at least.
    """
    words = text.words
    start, stop = _best(text, words, key) if len(words) >= MORE * len(key) > 0 else (0, len(words))
    steps = aligned(words[start:stop], key)
    if stop - start == len(words):
        return steps
    within = [Passage(start + each[0], start + each[1], *each[2:]) for each in steps]
    before = [Passage(0, start, 0, 0, "invented")] if start else []
    behind = [Passage(stop, len(words), len(key), len(key), "invented")] if stop < len(words) else []
    return [*before, *within, *behind]


def _best(text: Lexed, words: Sequence[str], key: Sequence[str]) -> tuple[int, int]:
    """The words of the copy that counts: from one number up to another."""
    copies = _copies(words, key)
    if len(copies) < 2:
        return 0, len(words)
    tags = _tags(text)
    sizes = [(sum(tags[start:stop]), known) for start, stop, known in copies]
    most = max(sizes)
    good = [at for at, size in enumerate(sizes) if size[0] >= HALF * most[0] and size[1] >= HALF * most[1]]
    start, stop, _ = copies[good[-1] if good else sizes.index(most)]
    return start, stop


def _copies(words: Sequence[str], key: Sequence[str]) -> list[tuple[int, int, int]]:
    """The first word of each copy, the one behind its last, and how many words it has that the key has once.

    What stands between the last of these and the first of the next copy may be part of either.
    """
    counts = Counter(map(folded, key))
    places = {word: place for place, word in enumerate(map(folded, key)) if counts[word] == 1}
    back = BACK * len(key)
    found: list[tuple[int, int, int]] = []
    start = known = furthest = last = 0
    for number, word in enumerate(words):
        place = places.get(folded(word))
        if place is None:
            continue
        if known and place <= furthest - back:
            found.append((start, number, known))
            start, known, furthest = last + 1, 0, place
        furthest, last, known = max(furthest, place), number, known + 1
    return [*found, (start, len(words), known)]


def _tags(text: Lexed) -> list[int]:
    """How many tags stand at each word."""
    numbers: list[int] = []
    words = 0
    for item in text.items:
        numbers.append(words)
        words += isinstance(item, Word)
    tags = [0] * (words + 1)
    for span in text.spans:
        for number in (span.opens, span.closes):
            if number is not None and 0 <= number < len(numbers):
                tags[numbers[number]] += 1
    return tags
