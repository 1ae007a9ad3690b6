"""Words and zeros in the order in which they are printed: zeros right behind the words that govern them.

What reads them back knows of a mention its words, and the zeros that its first or its last tag stands on. It reaches
from the first to the last of these in the order of the file, with all nodes between; zeros that have moved into it
or out of it do not matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ..base.document import Document, Sentence
from ..base.mention import Mention
from ..base.positions import MINOR_MASK, position
from ..base.record import Record
from ..read.tagged.governors import governors


class Ends(Record):
    """The first and the last item of a mention, by their numbers in the printed text."""

    first: int
    last: int


class TextOrder:
    """The words and zeros of a document as they are printed."""

    __slots__ = ("_number", "_sorted", "_words_before", "nodes")

    def __init__(self, document: Document) -> None:
        self.nodes = [place for sentence in document.sentences for place in _printed(sentence)]
        """Their positions, one after the other."""
        self._number = {place: number for number, place in enumerate(self.nodes)}
        self._sorted = sorted(self.nodes)
        self._words_before = list(accumulate((not place & MINOR_MASK for place in self.nodes), initial=0))

    def ends(self, mention: Mention) -> Ends:
        """Where the tags of a mention stand, so that as much of it as can be is read back, and nothing else is."""
        if len(self.nodes) == self._words_before[-1] and not mention.broken:
            return Ends(self._number[mention.first], self._number[mention.last])
        part = self._part(mention)
        words = [number for number in part if self._is_word(number)]
        spans = {Ends(part[0], part[-1]): None, Ends(self._number[mention.head], self._number[mention.head]): None}
        if words:
            firsts, lasts = (part[0], words[0]), (words[-1], part[-1])
            spans |= dict.fromkeys(Ends(first, last) for first in firsts for last in lasts)
        wanted = set(mention.positions)
        sound = [ends for ends in spans if mention.head in (back := set(self.read_back(ends))) and back <= wanted]
        return max(sound, key=lambda ends: len(self.read_back(ends)))

    def read_back(self, ends: Ends) -> Sequence[int]:
        """The positions of a mention whose tags stand there."""
        places = [self.nodes[number] for number in ends]
        places += [place for place in self.nodes[ends.first : ends.last + 1] if not place & MINOR_MASK]
        return self._sorted[bisect_left(self._sorted, min(places)) : bisect_right(self._sorted, max(places))]

    def _part(self, mention: Mention) -> list[int]:
        """The items of the part of a mention that holds its head: no word of others stands between them."""
        part: list[int] = []
        head = self._number[mention.head]
        for number in sorted(self._number[place] for place in set(mention.positions)):
            if part and self._words_before[number] > self._words_before[part[-1] + 1]:
                if part[-1] >= head:
                    break
                part = []
            part.append(number)
        return part

    def _is_word(self, number: int) -> bool:
        return not self.nodes[number] & MINOR_MASK


def _printed(sentence: Sentence) -> list[int]:
    """The nodes of a sentence as they are printed."""
    behind: dict[int, list[int]] = {}
    for zero, word in governors(sentence).items():
        behind.setdefault(word, []).append(zero)
    if not behind:
        return list(sentence.positions)
    printed = behind.get(position(sentence.number, 0), [])
    for word in sentence.positions:
        printed += word, *behind.get(word, ())
    return printed
