"""Tags laid over the skeleton: they stand on boundaries, and move with what their word aligns to.

- An opening tag stands before its word, a closing one behind it. If the word is in the skeleton in another spelling,
  or another word in its place, the tag stays there; words that were printed as one are all in the mention.
- If the word is not in the skeleton, an opening tag moves right and a closing one left, to the next word or zero
  within the mention; a mention without any is dropped.
- A stop that is glued to a word (``dog.``) is no part of a mention that begins or ends with the word.
- A mention over the end of a sentence is cut there: the part in the sentence in which it begins counts.
- A mention reaches from the first to the last of the words between its tags. A zero that has one of the tags is its
  first or last node, too, unless words outside the tags would come in: a zero is printed behind its governor, which
  may be far from its place.
- A mention that is never closed is read by policy (``Printed.unclosed``); a closing tag without an opening one is a
  mention of its word, or dropped under ``drop``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from ...base.positions import MINOR_MASK, SENTENCE_SHIFT
from .account import DROPPED, MOVED, PLACED, REPAIRED, Copied, DoubtfulMention
from .aligning import Passage, keys_of
from .events import Word, Zero
from .frame import Frame, behind, greatest_minors
from .printed import WORD
from .tags import Lexed, TaggedSpan
from .zeros import PrintedZero, matched


class NewZero(NamedTuple):
    """An empty node that the skeleton does not have."""

    place: int
    form: str
    slot: int


class Landing(NamedTuple):
    """Where a mention is read: its first and last position; or why it is not, and the position nearest to it."""

    first: int
    last: int
    opening_moved: int = 0
    closing_moved: int = 0
    reason: str = ""


Entities = dict[str, dict[tuple[int, int], None]]
"""First and last position of the mentions of each entity."""


class Placing:
    """One document's text over one document of the skeleton."""

    def __init__(self, frame: Frame, text: Lexed, steps: Sequence[Passage]) -> None:
        self._frame, self._items = frame, text.items
        self._keys = _keys_of(text.items, steps)
        """Of each word of the text, the first and last number of the words of the skeleton that it stands for."""
        printed = [-1] * len(frame.forms)
        for key in filter(None, self._keys):
            printed[key[0] : key[1] + 1] = range(key[0], key[1] + 1)
        self.last_printed = list(accumulate(printed, max))
        """Of each word of the skeleton, the number of the last one up to it that was printed; -1 if none was."""
        self._next_word, self._previous_word = _nearest([key is not None for key in self._keys])
        self.new_zeros: list[NewZero] = []
        self._zeros = self._placed_zeros()
        known = [key is not None or number in self._zeros for number, key in enumerate(self._keys)]
        self._next, self._previous = _nearest(known)

    def lines(self, line_of: Callable[[int], int]) -> list[int]:
        """The line in which each sentence of the skeleton begins: that of its first word that was printed."""
        printed = {key[0]: item.at for item, key in zip(self._items, self._keys, strict=True) if key is not None}
        lines: list[int] = []
        before = 0
        for sentence in self._frame.document.sentences:
            words = range(before, before + len(sentence.words))
            at = next((printed[word] for word in words if word in printed), None)
            lines.append(line_of(at) if at is not None else lines[-1] if lines else 0)
            before += len(words)
        return lines

    def _placed_zeros(self) -> dict[int, tuple[int, int]]:
        """The position and the slot of each zero of the text, by its number among the items."""
        items = self._items
        numbers = [number for number, item in enumerate(items) if isinstance(item, Zero)]
        if not numbers:
            return {}
        slots = [self._slots(number) for number in numbers]
        printed = [
            PrintedZero(items[number].form, first, last)
            for number, (first, _, last) in zip(numbers, slots, strict=True)
        ]
        minors = greatest_minors(self._frame)
        placed: dict[int, tuple[int, int]] = {}
        for number, (_, slot, _), zero in zip(numbers, slots, matched(printed, self._frame), strict=True):
            if zero:
                placed[number] = zero.place, zero.slot
            elif (place := behind(self._frame, slot, minors)) is not None:
                self.new_zeros.append(NewZero(place, items[number].form, slot))
                placed[number] = place, slot
        return placed

    def _slots(self, number: int) -> tuple[int, int, int]:
        """The slots that a zero may be in: from the first word that it is printed behind, that word's last, the last.

        Words that were left out before the next word may be what governs it.
        """
        first, own = self._key(self._previous_word[number]) or (-1, -1)
        following = self._key(self._next_word[number])
        if following and own >= 0 and following[0] <= self._frame.last_of_sentence(own):
            return first, own, max(own, following[0] - 1)
        return first, own, own

    def _key(self, number: int) -> tuple[int, int] | None:
        return self._keys[number] if 0 <= number < len(self._keys) else None

    def ends(self, span: TaggedSpan, unclosed: str) -> Landing:
        """Where a mention begins and ends in the skeleton."""
        opens, closes = span.opens, span.closes
        if not span.id:
            return self._nowhere(span, "without id")
        if span.tags == 1 and unclosed not in (WORD, "sentence"):
            return self._nowhere(span, "never closed" if closes is None else "never opened")
        if opens is not None and closes is not None and closes < opens:
            return self._nowhere(span, "empty")
        start = self._next[opens] if opens is not None else self._previous[closes or 0] if closes != -1 else -1
        stop = self._previous[closes] if opens is not None and closes is not None else start
        chatter = span.tags == 1 and not self._next[0] <= max(opens or 0, closes or 0) <= self._previous[-1]
        if chatter or not 0 <= start <= stop < len(self._items):
            return self._nowhere(span, "nothing left")
        first, last, word = self._nodes(start, stop)
        moved = int(opens is not None and start != opens), int(closes is not None and stop != closes)
        if word < 0:  # a zero of a document without words
            return Landing(first, last, *moved)
        end_of_sentence = self._frame.last_of_sentence(word)
        if (closes is None and unclosed != WORD) or last > self._frame.places[end_of_sentence] | MINOR_MASK:
            last = max(first, self._frame.places[max(self.last_printed[end_of_sentence], word)])
            moved = moved[0], 1
        return Landing(first, last, *moved)

    def _nodes(self, start: int, stop: int) -> tuple[int, int, int]:
        """The positions from one item to another, and the number of a word in the sentence of the first."""
        places = self._frame.places
        tagged = [self._zeros[number] for number in (start, stop) if number in self._zeros]
        head, tail = self._next_word[start], self._previous_word[stop]
        if head > tail:
            (first, slot), (last, other) = sorted((tagged[0], tagged[-1]))
            word = slot if slot >= 0 and _same_sentence(places[slot], first) else slot + 1
            return (first, last if slot == other else first, min(word, len(places) - 1))
        first_key, last_key = self._keys[head], self._keys[tail]
        assert first_key is not None
        assert last_key is not None
        begin, end = first_key[0], last_key[1]
        if head == start:
            begin = self._trimmed(range(first_key[0], first_key[1] + 1))
        if tail == stop:
            end = self._trimmed(range(last_key[1], last_key[0] - 1, -1))
        if begin > end:
            begin, end = first_key[0], last_key[1]
        first, last = places[begin], places[end]
        for place, slot in tagged:
            if slot == begin - 1 and _same_sentence(place, places[begin]):
                first = place
            elif slot == end and _same_sentence(place, places[end]):
                last = place
        return first, last, begin

    def _trimmed(self, words: range) -> int:
        """The first of words that were printed as one that is more than a stop."""
        forms = self._frame.forms
        return next((word for word in words if any(map(str.isalnum, forms[word]))), words[0])

    def _nowhere(self, span: TaggedSpan, reason: str) -> Landing:
        """A mention that is dropped, and the place that is nearest to it."""
        number = max(0, *(number for number in (span.opens, span.closes) if number is not None))
        for near in (self._next[number], self._previous[number]):
            if 0 <= near < len(self._items):
                place = self._nodes(near, near)[0]
                return Landing(place, place, reason=reason)
        return Landing(0, 0, reason=reason)


def placed(lexed: Lexed, placing: Placing, unclosed: str, copied: Copied, line_of: Callable[[int], int]) -> Entities:
    """The mentions of a document by entity, first and last position of each; what became of all tags is counted."""
    entities: Entities = {}
    copied.tags[DROPPED, "unreadable"] += len(lexed.unreadable)
    for span in lexed.spans:
        landing = placing.ends(span, unclosed)
        found = entities.setdefault(span.id, {}) if not landing.reason else {}
        if (landing.first, landing.last) in found:
            landing = landing._replace(reason="repeated")
        if landing.reason:
            fate = DROPPED
            copied.tags[DROPPED, landing.reason] += span.tags
        elif span.tags == 1:
            fate = REPAIRED
            copied.tags[REPAIRED, ""] += 1
        else:
            moved = landing.opening_moved + landing.closing_moved
            fate = MOVED if moved else PLACED
            copied.tags[MOVED, ""] += moved
            copied.tags[PLACED, ""] += 2 - moved
        if not landing.reason:
            found[landing.first, landing.last] = None
        if fate != PLACED:
            marked = DoubtfulMention(span.id, fate, landing.reason, landing.first, landing.last, line_of(span.at))
            copied.marked.append(marked)
    return {id_: mentions for id_, mentions in entities.items() if mentions}


def _same_sentence(one: int, other: int) -> bool:
    return one >> SENTENCE_SHIFT == other >> SENTENCE_SHIFT


def _keys_of(items: Sequence[Word | Zero], steps: Sequence[Passage]) -> list[tuple[int, int] | None]:
    """Those of words, and none for zeros."""
    numbers = [number for number, item in enumerate(items) if isinstance(item, Word)]
    keys: list[tuple[int, int] | None] = [None] * len(items)
    for number, key in zip(numbers, keys_of(steps, len(numbers)), strict=True):
        keys[number] = key
    return keys


def _nearest(known: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Of each item, and of the end: the next one that is known, or the number of all; and the last one, or -1."""
    size = len(known)
    previous = [*(number if known[number] else -1 for number in range(size)), -1]
    following = [size, *(number if known[number] else size for number in reversed(range(size)))]
    return list(accumulate(following, min))[::-1], list(accumulate(previous, max))
