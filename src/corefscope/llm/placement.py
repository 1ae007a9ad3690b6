"""Placement of tags on the words of the skeleton: a tag moves with the word that its printed word is aligned with.

- An opening tag applies before its word, a closing one after it. If the word is in the skeleton in another spelling,
  or another word is in its place, the tag stays there; words that were printed as one are all in the mention.
- If the word is not in the skeleton, an opening tag moves right and a closing one left, to the next word or zero
  within the mention; a mention without any is dropped.
- Punctuation that is attached to a word (``dog.``) is not part of a mention that begins or ends with the word.
- A mention across the end of a sentence is cut there: the part in its first sentence counts.
- A mention extends from the first to the last of the words between its tags. A zero that has one of the tags is its
  first or last node, too, unless that would include words outside the tags: a zero is printed after its governor,
  which may be far from its place.
- ``PrintedOptions.unclosed`` sets how a mention that is never closed is read; a closing tag without an opening one is
  a mention of its word, or dropped under ``drop``.

Printed zeros are matched with those of the skeleton by governor, then by place; in order, with the form as
tie-break. Zeros of the skeleton keep their places; a printed zero without counterpart is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from ..core.positions import MINOR_MASK, SENTENCE_SHIFT
from ..formats.alignment import AlignedBlock, target_words
from .copy_report import DROPPED, MOVED, PLACED, REPAIRED, DocumentCopy, DoubtfulMention
from .lexer import LexedText, TaggedSpan, Word, Zero
from .options import WORD
from .skeleton import Entities, KeyZero, SkeletonIndex


def match_zeros(printed: Sequence[tuple[str, int, int]], zeros: Iterable[KeyZero]) -> list[KeyZero | None]:
    """Match printed zeros with those of the skeleton; None for zeros that the skeleton does not have.

    A printed zero is its form, and the first and last slot that it may be in: several if words were left out there.
    """
    found: list[KeyZero | None] = [None] * len(printed)
    free = dict.fromkeys(zeros)
    slots_of: tuple[Callable[[KeyZero], Iterable[int]], ...] = (
        lambda zero: (zero.governor,),
        lambda zero: zero.parents,
        lambda zero: (zero.slot,),
    )
    for slots in slots_of if free else ():
        in_slot: dict[int, list[KeyZero]] = {}
        for zero in free:
            for slot in dict.fromkeys(slots(zero)):
                in_slot.setdefault(slot, []).append(zero)
        rest = [number for number, zero in enumerate(found) if zero is None]
        for (first, last), group in groupby(rest, lambda number: printed[number][1:]):
            near = (zero for slot in range(first, last + 1) for zero in in_slot.get(slot, ()))
            candidates = [zero for zero in near if zero in free]
            for number, zero in _pair_zeros([(number, printed[number][0]) for number in group], candidates):
                found[number] = zero
                del free[zero]
    return found


def _pair_zeros(printed: list[tuple[int, str]], candidates: list[KeyZero]) -> list[tuple[int, KeyZero]]:
    """Pair the zeros of one slot: those of the same form, then the others in order."""
    by_form: dict[str, list[KeyZero]] = {}
    for zero in reversed(candidates):
        by_form.setdefault(zero.form, []).append(zero)
    pairs = [(number, by_form[form].pop()) for number, form in printed if form and by_form.get(form)]
    numbers, taken = {number for number, _ in pairs}, {zero for _, zero in pairs}
    others = [number for number, _ in printed if number not in numbers]
    return pairs + list(zip(others, [zero for zero in candidates if zero not in taken], strict=False))


class PlacedSpan(NamedTuple):
    """First and last position of a mention; or the reason why it is dropped, and the nearest position."""

    first: int
    last: int
    moved: int = 0
    """Number of tags that were moved."""
    reason: str = ""


class TagPlacer:
    """Placement of the tags of one document, by the numbers of its items (words and zeros)."""

    def __init__(self, skeleton: SkeletonIndex, text: LexedText, blocks: Sequence[AlignedBlock]) -> None:
        self._skeleton, self._items = skeleton, text.items
        words = [number for number, item in enumerate(text.items) if isinstance(item, Word)]
        self._keys: list[tuple[int, int] | None] = [None] * len(text.items)
        """First and last word of the skeleton that each item corresponds to; None for zeros."""
        for number, key in zip(words, target_words(blocks, len(words)), strict=True):
            self._keys[number] = key
        printed = [-1] * len(skeleton.forms)
        for key in filter(None, self._keys):
            printed[key[0] : key[1] + 1] = range(key[0], key[1] + 1)
        self._last_printed = list(accumulate(printed, max))
        """Number of the last word up to each word of the skeleton that was printed; -1 if none was."""
        self._next_word, self._previous_word = _nearest([key is not None for key in self._keys])
        self.new_zeros: list[tuple[int, str]] = []
        """Position and form of zeros that the skeleton does not have."""
        self._zeros = self._place_zeros()
        """Position and slot of each zero, by its number."""
        known = [key is not None or number in self._zeros for number, key in enumerate(self._keys)]
        self._next, self._previous = _nearest(known)

    def sentence_lines(self, line_of: Callable[[int], int]) -> list[int]:
        """Line on which each sentence of the skeleton begins: that of its first word that was printed."""
        printed = {key[0]: item.at for item, key in zip(self._items, self._keys, strict=True) if key is not None}
        lines: list[int] = []
        before = 0
        for sentence in self._skeleton.document.sentences:
            words = range(before, before + len(sentence.words))
            at = next((printed[word] for word in words if word in printed), None)
            lines.append(line_of(at) if at is not None else lines[-1] if lines else 0)
            before += len(words)
        return lines

    def _place_zeros(self) -> dict[int, tuple[int, int]]:
        zeros = {number: item.form for number, item in enumerate(self._items) if isinstance(item, Zero)}
        if not zeros:
            return {}
        slots = [self._slots(number) for number in zeros]
        printed = [(form, first, last) for form, (first, _, last) in zip(zeros.values(), slots, strict=True)]
        minors = self._skeleton.greatest_minors()
        found: dict[int, tuple[int, int]] = {}
        matches = match_zeros(printed, self._skeleton.zeros)
        for (number, form), (_, slot, _), zero in zip(zeros.items(), slots, matches, strict=True):
            if zero:
                found[number] = zero.place, zero.slot
            elif (place := self._skeleton.add_zero(slot, minors)) is not None:
                self.new_zeros.append((place, form))
                found[number] = place, slot
        return found

    def _slots(self, number: int) -> tuple[int, int, int]:
        """Slots that a zero may be in: after the first and the last word of its printed word, and the last possible.

        Words that were left out before the next printed word may govern it.
        """
        before, after = self._previous_word[number], self._next_word[number]
        first, own = (self._keys[before] if before >= 0 else None) or (-1, -1)
        following = self._keys[after] if after < len(self._keys) else None
        if following and own >= 0 and following[0] <= self._skeleton.last_of_sentence(own):
            return first, own, max(own, following[0] - 1)
        return first, own, own

    def place(self, span: TaggedSpan, unclosed: str) -> PlacedSpan:
        """Place a mention on the skeleton."""
        opens, closes = span.opens, span.closes
        if not span.id:
            return self._drop(span, "without id")
        if span.tags == 1 and unclosed not in (WORD, "sentence"):
            return self._drop(span, "never closed" if closes is None else "never opened")
        if opens is not None and closes is not None and closes < opens:
            return self._drop(span, "empty")
        start = self._next[opens] if opens is not None else self._previous[closes or 0] if closes != -1 else -1
        stop = self._previous[closes] if opens is not None and closes is not None else start
        is_chatter = span.tags == 1 and not self._next[0] <= max(opens or 0, closes or 0) <= self._previous[-1]
        if is_chatter or not 0 <= start <= stop < len(self._items):
            return self._drop(span, "nothing left")
        first, last, word = self._positions(start, stop)
        opening_moved, closing_moved = opens is not None and start != opens, closes is not None and stop != closes
        if word < 0:  # a zero of a document without words
            return PlacedSpan(first, last, opening_moved + closing_moved)
        places, end = self._skeleton.places, self._skeleton.last_of_sentence(word)
        if (closes is None and unclosed != WORD) or last > places[end] | MINOR_MASK:
            last = max(first, places[max(self._last_printed[end], word)])
            closing_moved = True
        return PlacedSpan(first, last, opening_moved + closing_moved)

    def _positions(self, start: int, stop: int) -> tuple[int, int, int]:
        """First and last position of a range of items, and the number of a word in the sentence of the first."""
        places = self._skeleton.places
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
            begin = self._skip_punctuation(range(first_key[0], first_key[1] + 1))
        if tail == stop:
            end = self._skip_punctuation(range(last_key[1], last_key[0] - 1, -1))
        if begin > end:
            begin, end = first_key[0], last_key[1]
        first, last = places[begin], places[end]
        for place, slot in tagged:
            if slot == begin - 1 and _same_sentence(place, places[begin]):
                first = place
            elif slot == end and _same_sentence(place, places[end]):
                last = place
        return first, last, begin

    def _skip_punctuation(self, words: range) -> int:
        """The first of words that were printed as one that has a letter or digit."""
        forms = self._skeleton.forms
        return next((word for word in words if any(map(str.isalnum, forms[word]))), words[0])

    def _drop(self, span: TaggedSpan, reason: str) -> PlacedSpan:
        """Drop a mention, and find the nearest position."""
        number = max(0, *(number for number in (span.opens, span.closes) if number is not None))
        for near in (self._next[number], self._previous[number]):
            if 0 <= near < len(self._items):
                place = self._positions(near, near)[0]
                return PlacedSpan(place, place, reason=reason)
        return PlacedSpan(0, 0, reason=reason)


def place_mentions(
    text: LexedText, placer: TagPlacer, unclosed: str, report: DocumentCopy, line_of: Callable[[int], int]
) -> Entities:
    """Place the mentions of a document, and report where their tags were placed."""
    entities: Entities = {}
    report.tags[DROPPED, "unreadable"] += len(text.unreadable)
    for span in text.spans:
        placed = placer.place(span, unclosed)
        reason = placed.reason
        mentions = entities.setdefault(span.id, {}) if not reason else {}
        if (placed.first, placed.last) in mentions:
            reason = "repeated"
        if reason:
            fate = DROPPED
            report.tags[DROPPED, reason] += span.tags
        else:
            mentions[placed.first, placed.last] = None
            if span.tags == 1:
                fate, reason = REPAIRED, "never closed" if span.closes is None else "never opened"
                report.tags[REPAIRED, ""] += 1
            else:
                fate = MOVED if placed.moved else PLACED
                report.tags[MOVED, ""] += placed.moved
                report.tags[PLACED, ""] += 2 - placed.moved
        if fate != PLACED:
            line = line_of(span.at)
            report.doubtful.append(DoubtfulMention(span.id, fate, reason, placed.first, placed.last, line))
    return {id_: mentions for id_, mentions in entities.items() if mentions}


def _same_sentence(one: int, other: int) -> bool:
    return one >> SENTENCE_SHIFT == other >> SENTENCE_SHIFT


def _nearest(known: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Next known item from each item and from the end on, or their number; and the previous one, or -1."""
    size = len(known)
    previous = [*(number if known[number] else -1 for number in range(size)), -1]
    following = [size, *(number if known[number] else size for number in reversed(range(size)))]
    return list(accumulate(following, min))[::-1], list(accumulate(previous, max))
