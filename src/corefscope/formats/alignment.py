"""Alignment of two texts: of their words, or of their characters.

:func:`align_words` aligns two sequences of words and returns blocks that cover both. A string is a sequence of its
characters, so it aligns these as well. :func:`target_words` reads from the blocks where each source word is in the
target.

Anchors, words that both sides have exactly once, are found repeatedly between the anchors found before. The gaps
that remain are small, and aligned at minimum cost (:mod:`.edit_distance`). So time grows with the number of words and
with the squares of the gaps. The alignment is optimal where the words that both sides share are unique; elsewhere an
anchor may be a word that the cheapest path does not pair, which costs a little more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from typing import NamedTuple

from .edit_distance import CELLS, Move, cheapest_moves, normalise

COPIED = ("same", "changed", "glued", "split")
"""Kinds of blocks whose target words are all in the source."""
SMALL = 400
"""Cells of a gap below which anchors do not pay."""
_MAX_DEPTH = 40
LETTERS = (8, 16, 32, 64, 128)
"""Letters from the beginning of a word on that serve as anchors where no word is unique, or words are glued."""


class AlignedBlock(NamedTuple):
    """Source words and the target words that they correspond to.

    ``same``, ``changed`` (another spelling: case, quotes, blanks) and ``replaced`` words correspond one to one.
    ``glued``: one source word for several target words; ``split``: several for one. ``left out``: no source words;
    ``invented``: no target words. Adjacent blocks of one kind are merged, except glued and split words.
    """

    source_start: int
    source_stop: int
    target_start: int
    target_stop: int
    kind: str

    @property
    def source_size(self) -> int:
        """Number of source words."""
        return self.source_stop - self.source_start

    @property
    def target_size(self) -> int:
        """Number of target words."""
        return self.target_stop - self.target_start


def align_words(
    source: Sequence[str], target: Sequence[str], small: int = SMALL, cells: int = CELLS
) -> list[AlignedBlock]:
    """Align two sequences of words: blocks that cover both sides in order, without overlap.

    Parameters
    ----------
    source, target
        The words, such as those that a model printed and those it was given; or two strings, whose characters are
        aligned.
    small
        Gaps of at most so many cells are aligned by edit distance without searching anchors.
    cells
        Gaps that need more cells count as words invented and words left out.

    >>> for block in align_words("Ann met Her dog.".split(), "Ann met her old dog .".split()):
    ...     print(*block)
    0 2 0 2 same
    2 3 2 3 changed
    3 3 3 4 left out
    3 4 4 6 glued
    >>> for block in align_words("Ann’s  dog", "Ann's dog"):
    ...     print(*block)
    0 3 0 3 same
    3 4 3 4 changed
    4 5 4 5 same
    5 6 5 5 invented
    6 10 5 9 same
    """
    blocks: list[AlignedBlock] = []
    source_at = target_at = 0
    for words, parts in _find_moves(source, target, small, cells):
        if words and parts and words != parts:
            kind = "glued" if parts > words else "split"
        elif not words or not parts:
            kind = "invented" if words else "left out"
        elif source[source_at] == target[target_at]:
            kind = "same"
        else:
            kind = "changed" if normalise(source[source_at]) == normalise(target[target_at]) else "replaced"
        start, first = source_at, target_at
        if blocks and blocks[-1].kind == kind and kind not in ("glued", "split"):
            start, _, first, _, _ = blocks.pop()
        source_at, target_at = source_at + words, target_at + parts
        blocks.append(AlignedBlock(start, source_at, first, target_at, kind))
    return blocks


def target_words(blocks: Sequence[AlignedBlock], size: int) -> list[tuple[int, int] | None]:
    """First and last target word of each of ``size`` source words; None for words without counterpart.

    >>> target_words(align_words(["Her", "dog."], ["her", "old", "dog", "."]), 2)
    [(0, 0), (2, 3)]
    """
    found: list[tuple[int, int] | None] = [None] * size
    for block in blocks:
        if not block.target_size:
            continue
        one_to_one = block.source_size == block.target_size
        for at, number in enumerate(range(block.source_start, block.source_stop), block.target_start):
            found[number] = (at, at) if one_to_one else (block.target_start, block.target_stop - 1)
    return found


def _find_moves(source: Sequence[str], target: Sequence[str], small: int, cells: int) -> Iterator[Move]:
    """The steps of the alignment, from the beginning on."""
    plain = {word: normalise(word) for word in {*source, *target}}
    text, words = [plain[word] for word in source], [plain[word] for word in target]
    pending = [(0, len(text), 0, len(words), 0)]
    while pending:
        start, stop, first, last, depth = pending.pop()
        if (stop - start) * (last - first) <= small and text[start:stop] != words[first:last]:
            yield from _cross_gap(source[start:stop], target[first:last], cells)
            continue
        while start < stop and first < last and text[start] == words[first]:
            yield 1, 1
            start, first = start + 1, first + 1
        ends = 0
        while start < stop - ends and first < last - ends and text[stop - 1 - ends] == words[last - 1 - ends]:
            ends += 1
        if ends:
            pending.append((stop - ends, stop, last - ends, last, depth))
        stop, last = stop - ends, last - ends
        is_final = depth == _MAX_DEPTH or (stop - start) * (last - first) <= small
        anchors = [] if is_final else find_anchors(text[start:stop], words[first:last])
        if anchors:
            bounds = [(start, first), *((start + place, first + other) for place, other in anchors), (stop, last)]
            pairs = zip(bounds[-2::-1], bounds[:0:-1], strict=True)
            pending += [(start, stop, first, last, depth + 1) for (start, first), (stop, last) in pairs]
        else:
            yield from _cross_gap(source[start:stop], target[first:last], cells)


def _cross_gap(source: Sequence[str], target: Sequence[str], cells: int) -> Iterable[Move]:
    """The steps through a gap; if it is too large, all words are invented and left out."""
    found = cheapest_moves(source, target, cells) if source and target else None
    return chain(repeat((1, 0), len(source)), repeat((0, 1), len(target))) if found is None else found


def find_anchors(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Places of words that both sides have once, increasing on both sides (patience sorting).

    >>> find_anchors(["the", "dog", "the", "cat"], ["the", "dog", "the", "the", "cat"])
    [(1, 1), (3, 4)]
    >>> find_anchors(["thedog", "barkedatthe", "cat"], ["the", "dog", "barked", "atthe", "cats"])
    [(1, 2)]
    """
    found = _match_unique(source, target)
    for letters in LETTERS if not found else ():
        found = [pair for pair in shared_beginnings(source, target, letters) if any(pair)]
        if found:
            break
    return found


def shared_beginnings(source: Sequence[str], target: Sequence[str], letters: int) -> list[tuple[int, int]]:
    """Places of words from which on both sides have the same letters, which neither has elsewhere; increasing."""
    return _match_unique(_beginnings(source, letters), _beginnings(target, letters))


def _beginnings(words: Sequence[str], letters: int) -> Sequence[str]:
    """So many letters from the beginning of each word on, across words; the last ones are shorter."""
    text = "".join(words)
    starts = accumulate(map(len, words), initial=0)
    return [text[start : start + letters] for start, _ in zip(starts, words, strict=False)]


def _match_unique(source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
    """Places of what both sides have exactly once, the longest chain that increases on both."""
    in_source, in_target = Counter(source), Counter(target)
    places = {each: place for place, each in enumerate(target) if in_target[each] == 1}
    shared = [(at, places[each]) for at, each in enumerate(source) if in_source[each] == 1 and each in places]
    return _longest_increasing(shared)


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of pairs that increases on the second side; they increase on the first."""
    ends: list[int] = []  # the smallest last place of a chain of each length
    last: list[int] = []  # the pair that has it
    before: list[int] = []  # the pair before each pair in its chain
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [index]
    found = []
    index = last[-1] if last else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]
