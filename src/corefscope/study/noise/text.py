"""What noise needs to know of the text: its words, and which spans an entity can hold side by side."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...base.document import Document, Mention, Sentence
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT


def plain_words(sentence: Sentence) -> Iterator[int]:
    """The positions of all words of a sentence that are not mere punctuation."""
    for position, word in zip(sentence.positions, sentence.words, strict=True):
        if any(map(str.isalnum, word.partition("\t")[2])):
            yield position


def is_word(position: int) -> bool:
    """Whether a position is that of a word, not of an empty node."""
    return not position & MINOR_MASK


class TextOrder:
    """The words and empty nodes of each sentence, in the order of the text."""

    def __init__(self, document: Document) -> None:
        self._nodes = {sentence.number: sentence.nodes for sentence in document.sentences}

    def of(self, position: int) -> Sequence[int]:
        """All positions of the sentence in which a position is; none if the format has no words."""
        return self._nodes.get(position >> SENTENCE_SHIFT, ())

    def continuous(self, mention: Mention) -> bool:
        """Whether nothing is left out between the first and the last word, and both are in one sentence."""
        nodes = self.of(mention.positions[0])
        start = bisect_left(nodes, mention.positions[0])
        return tuple(nodes[start : start + len(mention.positions)]) == mention.positions

    def clash(self, one: Mention, other: Mention) -> bool:
        """Whether brackets of one entity cannot tell the two apart: they are the same, cross, or are interlaced."""
        first, last = one.positions[0], one.positions[-1]
        start, end = other.positions[0], other.positions[-1]
        if last < start or end < first:
            return False
        if one.positions == other.positions or not (self.continuous(one) and self.continuous(other)):
            return True
        return not (first <= start and end <= last) and not (start <= first and last <= end)
