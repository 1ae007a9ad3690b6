"""What noise needs to know of the text: its words, and which spans an entity can hold side by side."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...base.document import Document, Mention, Sentence
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT


def plain_words(document: Document) -> Iterator[int]:
    """The positions of all words that are not mere punctuation."""
    for sentence in document.sentences:
        yield from plain_words_of(sentence)


def plain_words_of(sentence: Sentence) -> Iterator[int]:
    """The same for one sentence."""
    for place, word in zip(sentence.positions, sentence.words, strict=True):
        if any(map(str.isalnum, word.partition("\t")[2])):
            yield place


class TextOrder:
    """The words and empty nodes of each sentence, in the order of the text."""

    def __init__(self, document: Document) -> None:
        self._sentences = {sentence.number: sentence for sentence in document.sentences}
        self._nodes: dict[int, Sequence[int]] = {}

    def of(self, place: int) -> Sequence[int]:
        """All positions of the sentence in which a position is; none if the format has no words."""
        number = place >> SENTENCE_SHIFT
        if number not in self._nodes:
            self._nodes[number] = self._sentences[number].nodes if number in self._sentences else ()
        return self._nodes[number]

    def continuous(self, mention: Mention) -> bool:
        """Whether nothing is left out between the first and the last word, and both are in one sentence."""
        first, last = mention.positions[0], mention.positions[-1]
        if first >> SENTENCE_SHIFT != last >> SENTENCE_SHIFT:
            return False
        nodes = self.of(first)
        start = bisect_left(nodes, first)
        return tuple(nodes[start : start + len(mention.positions)]) == mention.positions

    def clash(self, one: Mention, other: Mention) -> bool:
        """Whether brackets of one entity cannot tell the two apart: they are the same, cross, or are interlaced."""
        (first, last), (start, end) = _ends(one), _ends(other)
        if last < start or end < first:
            return False
        if one.positions == other.positions:
            return True
        if not (self.continuous(one) and self.continuous(other)):
            return True
        return not (first <= start and end <= last) and not (start <= first and last <= end)


def is_word(place: int) -> bool:
    """Whether a position is that of a word, not of an empty node."""
    return not place & MINOR_MASK


def _ends(mention: Mention) -> tuple[int, int]:
    return mention.positions[0], mention.positions[-1]
