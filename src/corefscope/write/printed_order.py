"""Words and zeros in the order in which they are printed: zeros right behind the words that govern them.

What reads them back knows of a mention its words, and the zeros that its first or its last tag stands on. It reaches
from the first to the last of these in the order of the file, with all nodes between; zeros that have moved into it
or out of it do not matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ..base.document import Document
from ..base.mention import Mention, mention_order, same_words
from ..base.positions import MINOR_MASK, SENTENCE_SHIFT
from ..read.tagged.frame import Frame, KeyZero
from ..read.tagged.spans import MentionsOver
from ..read.tagged.styles import Style
from .losses import Losses


class Ends(NamedTuple):
    """The first and the last item of a mention, by their numbers in the printed text."""

    first: int
    last: int


class PrintedOrder:
    """The words and zeros of a document as they are printed."""

    __slots__ = ("_number", "_sorted", "_words_before", "forms", "nodes")

    def __init__(self, document: Document, with_zeros: bool = True) -> None:
        frame = Frame(document)
        behind: dict[int, list[KeyZero]] = {}
        for zero in frame.zeros if with_zeros else ():
            behind.setdefault(zero.governor, []).append(zero)
        self.nodes: list[int] = []
        """Their positions, one after the other."""
        self.forms: list[str] = []
        """Their forms; those of zeros may be empty."""
        for number, (place, form) in enumerate([(-1, ""), *zip(frame.places, frame.forms, strict=True)], -1):
            if number >= 0:
                self.nodes.append(place)
                self.forms.append(form)
            for zero in behind.get(number, ()):
                self.nodes.append(zero.place)
                self.forms.append(zero.form)
        self._number = {place: number for number, place in enumerate(self.nodes)}
        self._sorted = sorted([*frame.places, *(zero.place for zero in frame.zeros)])
        self._words_before = list(accumulate((not place & MINOR_MASK for place in self.nodes), initial=0))

    @property
    def words_of_nothing(self) -> int:
        """How many words have no form."""
        return sum(not form and not place & MINOR_MASK for place, form in zip(self.nodes, self.forms, strict=True))

    def ends(self, mention: Mention) -> Ends:
        """Where the tags of a mention stand, so that as much of it as can be is read back, and nothing else is."""
        if len(self._sorted) == self._words_before[-1] and not mention.broken:
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
        for number in sorted(self._number[place] for place in set(mention.positions) if place in self._number):
            if part and self._words_before[number] > self._words_before[part[-1] + 1]:
                if part[-1] >= head:
                    break
                part = []
            part.append(number)
        return part

    def _is_word(self, number: int) -> bool:
        return not self.nodes[number] & MINOR_MASK


def held(style: Style, with_zeros: bool, document: Document, losses: Losses) -> list[list[Mention]]:
    """What can be read back of the mentions of each entity."""
    order, read = PrintedOrder(document, with_zeros), MentionsOver(document)
    entities = []
    for entity in document.entities:
        left = [_read_back(mention, order, read, losses) for mention in entity]
        entities.append(list({same_words(mention): mention for mention in left}.values()))
        losses.add("repeated", len(left) - len(entities[-1]))
    if style.is_json:
        return entities
    spans = [(order.ends(mention), number, mention) for number, entity in enumerate(entities) for mention in entity]
    spans.sort(key=lambda span: (span[0].first, -span[0].last))
    kept: list[list[Mention]] = [[] for _ in entities]
    groups: dict[int, list[Ends]] = {}  # by what must not cross, mentions that are kept and may reach this far
    for ends, number, mention in spans:
        around = groups.setdefault(0 if style.nests else number, [])
        while around and around[-1].last < ends.first:
            around.pop()
        if around and around[-1].first < ends.first and around[-1].last < ends.last:
            losses.add("overlapping" if style.nests else "crossing")
        else:
            around.append(ends)
            kept[number].append(mention)
    return [sorted(entity, key=mention_order) for entity in kept]


def _read_back(mention: Mention, order: PrintedOrder, read: MentionsOver, losses: Losses) -> Mention:
    """A mention as it is read back."""
    places = order.read_back(order.ends(mention))
    if places[0] >> SENTENCE_SHIFT != places[-1] >> SENTENCE_SHIFT:
        places = [place for place in places if place >> SENTENCE_SHIFT == mention.head >> SENTENCE_SHIFT]
        losses.add("sentences")
    left = read.over(places[0], places[-1])
    if left.positions != mention.positions:
        words = (place for place in mention.positions if not place & MINOR_MASK)
        losses.add("empty_nodes" if set(places).issuperset(words) else "parts")
    losses.add("tree_heads", int(left.head != mention.head))
    return left
