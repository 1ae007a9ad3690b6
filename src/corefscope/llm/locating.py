"""Location of mentions that an answer lists as strings, or by offsets, in the words of the key.

The rule for strings: the k-th listing of a string is its k-th occurrence in the text, among those that are free.

- An occurrence begins where a word begins and ends where a word ends. The same characters count first; then case,
  quotes and dashes are folded; at last an occurrence may end within a word, before other characters than letters
  (``Ann's``).
- Strings that are listed as often as they occur, for one entity, leave no choice and come first. Of the others,
  longer strings come first.
- If the mentions of an entity that were located before are listed in the order of the text, a string is looked for
  between its neighbours in the list. Where several entities list a string, an occurrence goes to the listing whose
  next neighbour comes first.
- An occurrence within another mention of the same entity is taken only if there is no other.
- A string that occurs more often than it is listed, or that several entities list, is *ambiguous*: it is located, and
  counted as such.

Offsets may count characters or words, from 0 or 1, and include the end or not: the way in which most of them point to
their strings is taken, and mentions whose offsets do not fit are located by their strings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ..formats.edit_distance import normalise

Words = tuple[int, int]
"""Numbers of the first and the last word of an occurrence."""
PREFIX = 4
"""Characters by which beginnings of occurrences are looked up."""
MAX_STEPS = 10**7
"""Maximum number of places that are looked at; strings of a hostile answer beyond that are not found."""
MAX_PAIRS = 10**6
"""Maximum number of comparisons by neighbours in one document; beyond that, the k-th is the k-th."""


class ListedMention(NamedTuple):
    """A mention as it is listed: its text, its offsets, or both."""

    text: str
    start: int | None = None
    end: int | None = None
    unit: str = ""
    """``characters`` or ``words`` if the answer says what offsets count."""


class ListedEntity(NamedTuple):
    """An entity as it is listed; ``name`` may be an id, or one of its mentions."""

    name: str
    mentions: list[ListedMention]


class Located(NamedTuple):
    """Words of the mentions of each entity, and how they were found."""

    entities: list[dict[Words, None]]
    by_text: int
    by_offset: int
    ambiguous: int
    missing: tuple[str, ...]
    """Strings that were not found."""

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of mentions, by the names of ``LOCATED`` in the copy report."""
        return {
            "by text": self.by_text,
            "by offset": self.by_offset,
            "ambiguous": self.ambiguous,
            "not found": len(self.missing),
        }

    @property
    def found(self) -> int:
        """Number of mentions that were found."""
        return self.by_text + self.by_offset


class _Spelling:
    """The text of the key without blanks, in one spelling, and where its words begin and end."""

    def __init__(self, forms: Iterable[str], spell: Callable[[str], str]) -> None:
        spelt = [spell(form) for form in forms]
        self.text = "".join(spelt)
        ends = list(accumulate(map(len, spelt), initial=0))
        self.starts = ends[:-1]
        self._last_at = {end: number for number, end in enumerate(ends[1:])}
        self._index: dict[str, list[int]] = defaultdict(list)
        for number, start in enumerate(self.starts):
            for size in range(1, PREFIX + 1):
                self._index[self.text[start : start + size]].append(number)

    def find(self, string: str) -> Iterator[Words | None]:
        """Occurrences of a string, without blanks, between words; None for places that are not."""
        for first in self._index.get(string[:PREFIX], ()) if string else ():
            start = self.starts[first]
            last = self._last_at.get(start + len(string))
            yield (
                (first, last) if last is not None and last >= first and self.text.startswith(string, start) else None
            )

    def find_loose(self, string: str) -> Iterator[Words]:
        """Occurrences whose ends may be within words, between letters and other characters."""
        at = self.text.find(string) if string else -1
        while at >= 0:
            end = at + len(string)
            first, last = bisect_right(self.starts, at) - 1, bisect_right(self.starts, end - 1) - 1
            begins = at == self.starts[first] or not self.text[at - 1].isalnum()
            ends = end in self._last_at or not self.text[end].isalnum()
            if begins and ends:
                yield first, last
            at = self.text.find(string, at + 1)


def _plain(form: str) -> str:
    return "".join(form.split())


@lru_cache(maxsize=1 << 14)
def fold(string: str) -> str:
    """A string without blanks, in one case, with one kind of quotes and dashes.

    >>> fold("Ann’s  Dog")
    "ann'sdog"
    """
    return "".join(map(normalise, string.split()))


_COMMENT = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*\Z")
_AROUND = re.compile(r"\A[\W_]+|[\W_]+\Z")


class KeyText:
    """The words of a key, in which strings are found."""

    def __init__(self, forms: Sequence[str], sentence_ends: Sequence[int] = ()) -> None:
        self.forms = forms
        self._exact, self._folded = _Spelling(forms, _plain), _Spelling(forms, normalise)
        self._found: dict[str, list[Words]] = {}
        self._steps = 0
        self._ends = sentence_ends

    def find(self, string: str) -> list[Words]:
        """All occurrences of a string; of its folded spelling, if case or quotes differ."""
        key = fold(string)
        if key not in self._found:
            found = self._search(self._folded.find(key))
            if not found and any(map(str.isalnum, key)) and self._steps < MAX_STEPS:
                self._steps += len(self._folded.text) // 10
                found = self._search(self._folded.find_loose(key))
            self._found[key] = found
        return self._found[key]

    def find_exact(self, string: str) -> list[Words]:
        """Occurrences of the same characters."""
        return self._search(self._exact.find(_plain(string)))

    def _search(self, places: Iterable[Words | None]) -> list[Words]:
        found = []
        for words in places:
            self._steps += 1
            if self._steps > MAX_STEPS:
                break
            if words is not None:
                found.append(words)
        return found

    def spelling_of(self, listed: str) -> str:
        """The string of a listed mention as it occurs: without quotes or a comment, if it occurs only so.

        >>> KeyText(["Ann", "left"]).spelling_of("Ann (line 1)"), KeyText(["Ann", "left"]).spelling_of("Eve")
        ('Ann', 'Eve')
        """
        for string in (listed, _COMMENT.sub("", listed), _AROUND.sub("", _COMMENT.sub("", listed))):
            if string and self.find(string):
                return string
        return listed

    def knows(self, listed: str) -> bool:
        """Whether a listed string occurs."""
        return bool(self.find(self.spelling_of(listed)))

    @property
    def size(self) -> int:
        """Number of characters."""
        return len(self._exact.text)

    def is_passage(self, text: str) -> bool:
        """Whether a text, with whatever blanks, is a part of the key."""
        return fold(text) in self._folded.text

    def within_sentence(self, words: Words) -> Words:
        """The part of an occurrence that is in the sentence of its first word."""
        at = bisect_right(self._ends, words[0]) if self._ends else 0
        return (words[0], min(words[1], self._ends[at] - 1)) if self._ends and at < len(self._ends) else words


class _Listing(NamedTuple):
    """One listed string that is to be located: the number of its entity, and its place in the list."""

    entity: int
    place: int
    text: str


class _Locator:
    """Location of the mentions of all entities of one document."""

    def __init__(self, key: KeyText, sizes: Sequence[int]) -> None:
        self._key = key
        self.words: list[list[Words | None]] = [[None] * size for size in sizes]
        """Words of each listed mention, as far as they are located."""
        self.used: set[Words] = set()
        self._own: list[set[Words]] = [set() for _ in sizes]
        self._comparisons = 0

    def put(self, entity: int, place: int, words: Words) -> None:
        self.words[entity][place] = words
        self.used.add(words)
        self._own[entity].add(words)

    def locate(self, listings: Sequence[_Listing]) -> int:
        """Locate listings; the number of ambiguous ones."""
        groups: dict[str, list[_Listing]] = defaultdict(list)
        for listing in listings:
            groups[fold(listing.text)].append(listing)
        certain: list[list[_Listing]] = []
        others: list[list[_Listing]] = []
        for group in groups.values():
            free = [words for words in self._key.find(group[0].text) if words not in self.used]
            is_shared = len({listing.entity for listing in group}) > 1
            (others if is_shared or len(free) > len(group) else certain).append(group)
        for group in certain:
            self._locate(group, in_order=False)
        ambiguous = 0
        for group in sorted(others, key=lambda group: -len(fold(group[0].text))):
            self._locate(group, in_order=True)
            ambiguous += sum(self.words[each.entity][each.place] is not None for each in group)
        return ambiguous

    def _locate(self, group: Sequence[_Listing], in_order: bool) -> None:
        """Locate the listings of one string: the same characters first, then other spellings."""
        by_spelling: dict[str, list[_Listing]] = defaultdict(list)
        for listing in group:
            by_spelling[_plain(listing.text)].append(listing)
        for same in by_spelling.values():
            self._assign(same, self._key.find_exact(same[0].text), in_order)
        rest = [each for each in group if self.words[each.entity][each.place] is None]
        if rest:
            self._assign(rest, self._key.find(rest[0].text), in_order)

    def _assign(self, group: Sequence[_Listing], occurrences: Sequence[Words], in_order: bool) -> None:
        """Assign occurrences to listings: by neighbours, then the k-th to the k-th."""
        sizes = {each.entity: len(self.words[each.entity]) + len(self._own[each.entity]) for each in group}
        self._comparisons += len(group) * len(occurrences) * (1 + sum(sizes.values()))
        few = self._comparisons <= MAX_PAIRS
        passes = [(True, True), (False, True), (True, False)] if few and in_order else [(True, False)] if few else []
        for outside, by_neighbours in passes:
            pending = [each for each in group if self.words[each.entity][each.place] is None]
            if not pending:
                return
            limits = {
                each: self._neighbours(each) if by_neighbours else (-1, len(self._key.forms)) for each in pending
            }
            for words in occurrences:
                if words in self.used:
                    continue
                fitting = [
                    each
                    for each in pending
                    if limits[each][0] <= words[0] < limits[each][1]
                    and not (outside and self._is_nested(each, words))
                ]
                if fitting:
                    chosen = min(fitting, key=lambda each: limits[each][1])
                    pending.remove(chosen)
                    self.put(chosen.entity, chosen.place, words)
        free = iter([words for words in occurrences if words not in self.used])
        for listing in group:
            if self.words[listing.entity][listing.place] is None and (last := next(free, None)) is not None:
                self.put(listing.entity, listing.place, last)

    def _is_nested(self, listing: _Listing, words: Words) -> bool:
        """Whether an occurrence is within another mention of the entity."""
        return any(first <= words[0] and words[1] <= last for first, last in self._own[listing.entity])

    def _neighbours(self, listing: _Listing) -> tuple[int, int]:
        """First words of the located neighbours in the list of the entity, if it is in the order of the text."""
        located = [(place, words[0]) for place, words in enumerate(self.words[listing.entity]) if words is not None]
        firsts = [first for _, first in located]
        if firsts != sorted(firsts):
            return -1, len(self._key.forms)
        before = [first for place, first in located if place < listing.place]
        after = [first for place, first in located if place > listing.place]
        return (before[-1] if before else -1), (after[0] + 1 if after else len(self._key.forms))


def locate(entities: Sequence[ListedEntity], key: KeyText) -> Located:
    """Locate the mentions of all entities in the words of a key."""
    by_offset = _by_offsets(entities, key)
    locator = _Locator(key, [len(entity.mentions) for entity in entities])
    listings = []
    for number, entity in enumerate(entities):
        for place, mention in enumerate(entity.mentions):
            words = by_offset.get((number, place))
            if words is not None:
                locator.put(number, place, words)
            elif mention.text:
                listings.append(_Listing(number, place, key.spelling_of(mention.text)))
    ambiguous = locator.locate(listings)
    found = [
        dict.fromkeys(key.within_sentence(words) for words in located if words is not None)
        for located in locator.words
    ]
    missing = [
        mention.text or f"{mention.start}–{mention.end}"
        for entity, located in zip(entities, locator.words, strict=True)
        for mention, words in zip(entity.mentions, located, strict=True)
        if words is None
    ]
    total = sum(words is not None for located in locator.words for words in located)
    return Located(found, total - len(by_offset), len(by_offset), ambiguous, tuple(missing))


# ------------------------------------------------------------------ offsets

Place = tuple[int, int]
"""Number of an entity, and of a mention in its list."""
_NO_BLANK_BEFORE, _NO_BLANK_AFTER = frozenset(".,;:!?)]}%’'\"”"), frozenset("([{$“")


class _Reading(NamedTuple):
    """One way to read offsets."""

    unit: str
    base: int
    """Number of the first word or character."""
    past: int
    """1 if the end is past the mention."""
    words_of: Callable[[int, int], Words | None]


def _readings(key: KeyText) -> Iterator[_Reading]:
    """Ways to read offsets: words, then characters; without the end, then with it."""
    size = len(key.forms)
    for base in (0, 1):
        for past in (0, 1):

            def of_words(start: int, end: int, base: int = base, past: int = past) -> Words | None:
                first, last = start - base, end - base - past
                return (first, last) if 0 <= first <= last < size else None

            yield _Reading("words", base, past, of_words)
    for text_starts in _layouts(key.forms):
        begins = {start: number for number, start in enumerate(text_starts)}
        sizes = map(len, key.forms)
        ends = {start + size: number for number, (start, size) in enumerate(zip(text_starts, sizes, strict=True))}
        for base in (0, 1):
            for past in (1, 0):

                def of_characters(
                    start: int,
                    end: int,
                    begins: dict[int, int] = begins,
                    ends: dict[int, int] = ends,
                    base: int = base,
                    past: int = past,
                ) -> Words | None:
                    first, last = begins.get(start - base), ends.get(end - base - past + 1)
                    return (first, last) if first is not None and last is not None and first <= last else None

                yield _Reading("characters", base, past, of_characters)


def _layouts(forms: Sequence[str]) -> Iterator[list[int]]:
    """Where words begin in the text: with blanks between all words, and without blanks before stops."""
    for natural in (False, True):
        starts: list[int] = []
        at = 0
        for number, form in enumerate(forms):
            before = forms[number - 1][-1:] if number else ""
            if number and not (natural and (form[:1] in _NO_BLANK_BEFORE or before in _NO_BLANK_AFTER)):
                at += 1
            starts.append(at)
            at += len(form)
        yield starts


def _by_offsets(entities: Sequence[ListedEntity], key: KeyText) -> dict[Place, Words]:
    """Words of the mentions that have offsets which can be trusted."""
    given = {
        (number, place): mention
        for number, entity in enumerate(entities)
        for place, mention in enumerate(entity.mentions)
        if mention.start is not None and mention.end is not None
    }
    if not given:
        return {}
    with_text = any(mention.text for mention in given.values())
    units = {mention.unit for mention in given.values() if mention.unit}
    pairs = [(mention.start or 0, mention.end or 0) for mention in given.values()]
    best: dict[Place, Words] = {}
    for reading in _readings(key):
        plausible = reading.base == 0 and (reading.unit != "words" or reading.past == _past(pairs))
        if (units and reading.unit not in units) or not (with_text or plausible):
            continue
        found: dict[Place, Words] = {}
        for place, (start, end) in zip(given, pairs, strict=True):
            words = reading.words_of(start, end)
            text = given[place].text
            if words is not None and (not text or fold(text) == fold(" ".join(key.forms[words[0] : words[1] + 1]))):
                found[place] = words
        if len(found) > len(best):
            best = found
    return best if 2 * len(best) >= len(given) else {}


def _past(pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether ends seem to be past the mentions: no mention has the same number twice."""
    return all(start != end for start, end in pairs) and min(start for start, _ in pairs) >= 0
