"""A position is one int that orders all words and empty nodes of a file.

``sentence << 40 | word << 20 | minor``, so that 3 < 3.1 < 3.10 < 4, and key and response count alike. Where mentions
are ids without words, a position is made from the text of the id (``formats/tables/rows.py``).

The minor of an empty node is the number after the point, below 100,000. From 100,000 on it is that number read as
a decimal fraction (:func:`decimal`). From 200,000 on it has leading zeros: 3.01 is not 3.1, and follows all others.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, compress, count, islice, repeat
from operator import eq, ne
from typing import Any, NamedTuple

SENTENCE_SHIFT = 40
WORD_SHIFT = 20
NEXT_WORD = 1 << WORD_SHIFT
MINOR_MASK = NEXT_WORD - 1
WORD_MASK = (1 << SENTENCE_SHIFT) - 1
LONGEST = (1 << SENTENCE_SHIFT - WORD_SHIFT) - 1
"""Words of a sentence that positions can tell apart."""
FAR = 1 << 100
"""More than any two positions of words together."""
LONG = 4
"""Mentions with at least so many words for each end of a run are compared run by run, not word by word."""
DECIMAL = 100_000
PADDED = 200_000
DIGITS = 5
PADDED_NUMBERS = 10_000
"""The number of minors reserved for each number of leading zeros."""


def position(sentence: int, word: int, minor: int = 0) -> int:
    """The position of a word, or with ``minor`` of an empty node.

    >>> position(1, 3) < position(1, 3, 1) < position(1, 3, 10) < position(1, 4) < position(2, 1)
    True
    """
    return sentence << SENTENCE_SHIFT | word << WORD_SHIFT | minor


def word_positions(sentence: int, words: int) -> range:
    """The positions of the words of a sentence, given how many it has.

    >>> list(word_positions(7, 2)) == [position(7, 1), position(7, 2)]
    True
    """
    start = sentence << SENTENCE_SHIFT
    return range(start + NEXT_WORD, start + (words + 1 << WORD_SHIFT), NEXT_WORD)


def parse_position(sentence: int, name: str) -> int | None:
    """The position that a CoNLL-U id such as ``3`` or ``3.1`` names; None if it is not such an id.

    >>> parse_position(1, "3.10") == position(1, 3, 10), parse_position(1, "3.0"), parse_position(1, "x")
    (True, None, None)
    >>> parse_position(1, "3.1") == parse_position(1, "3.01")
    False
    """
    word, dot, minor = name.partition(".")
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        return None
    if not dot:
        return position(sentence, int(word))
    if not (minor.isascii() and minor.isdigit() and len(minor) <= DIGITS and int(minor)) or word != str(int(word)):
        return None
    number = int(minor)
    zeros = len(minor) - len(str(number))
    return position(sentence, int(word), number if not zeros else PADDED + (zeros - 1) * PADDED_NUMBERS + number)


def coordinates(position: int) -> tuple[int, int, int]:
    """The (sentence, word, minor) of a position: the inverse of :func:`position`."""
    return position >> SENTENCE_SHIFT, (position & WORD_MASK) >> WORD_SHIFT, position & MINOR_MASK


def node_name(position: int) -> str:
    """The CoNLL-U id of the word or empty node at a position.

    >>> node_name(position(7, 3)), node_name(position(7, 3, 10)), node_name(parse_position(7, "3.01"))
    ('3', '3.10', '3.01')
    """
    _, word, minor = coordinates(position)
    if minor < DECIMAL:
        return f"{word}.{minor}" if minor else str(word)
    if minor < PADDED:
        return f"{word}.{minor - DECIMAL:0{DIGITS}}".rstrip("0")
    zeros, number = divmod(minor - PADDED, PADDED_NUMBERS)
    return f"{word}.{'0' * (zeros + 1)}{number}"


@lru_cache(maxsize=1 << 16)
def decimal(position: int) -> int:
    """The position of an empty node whose id is read as a decimal number: that of 3.1 and of 3.10 is the same.

    >>> decimal(position(1, 3, 1)) == decimal(position(1, 3, 10)) < decimal(position(1, 3, 2))
    True
    >>> decimal(parse_position(1, "3.01")) < decimal(position(1, 3, 1))
    True
    """
    minor = position & MINOR_MASK
    if not minor or DECIMAL <= minor < PADDED:
        return position
    # 1 and 10 become 10000, 11 becomes 11000, 01 becomes 01000: as many digits as a minor can have.
    digits = node_name(position).partition(".")[2]
    return position - minor + DECIMAL + int(digits.ljust(DIGITS, "0"))


def in_file(position: int) -> int:
    """The position in the file of a decimal, as an inverse of :func:`decimal`; for 3.10 it is that of 3.1.

    >>> in_file(decimal(position(1, 3, 10))) == position(1, 3, 1)
    True
    """
    named = parse_position(position >> SENTENCE_SHIFT, node_name(position))
    return position if named is None else named


def id_at(position: int) -> str:
    """The id at a position, where mentions have no words, as JSON."""
    number = position >> WORD_SHIFT
    return number.to_bytes((number.bit_length() + 7) // 8, "big").decode("utf-8", errors="replace")


def shown_id(position: int) -> str:
    """The same id for display: a string without its quotes."""
    import json

    text = id_at(position)
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of runs of numbers that follow each other.

    >>> runs_of([3, 4, 7])
    [(3, 4), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def cuts_in(positions: Sequence[int]) -> list[int]:
    """The indices of the positions that do not follow the one before as the next word.

    >>> cuts_in([position(1, 3), position(1, 4), position(1, 4, 1), position(1, 5)])
    [2, 3]
    """
    nexts = map(NEXT_WORD.__add__, positions)
    return list(compress(count(1), map(ne, islice(positions, 1, None), nexts)))


def runs_in(positions: Sequence[int]) -> tuple[int, ...]:
    """First and last position of each run of words of one sentence that follow each other; empty if all are one run.

    These tuples sort in the order of the positions. Of two runs with the same start, the longer one sorts first if
    the shorter is followed by a greater position, as usual: so the last is stored as ``FAR`` minus itself. It is
    stored unchanged if less than the next word follows: an empty node, or a repeated word.

    >>> runs_in([position(1, 3), position(1, 4)])
    ()
    >>> runs_in([1 << 20, 2 << 20, 4 << 20]) == (1 << 20, FAR - (2 << 20), 4 << 20, FAR - (4 << 20))
    True
    >>> runs_in([1 << 20, (1 << 20) + 1]) == (1 << 20, 1 << 20, (1 << 20) + 1, FAR - (1 << 20) - 1)
    True
    """
    if isinstance(positions, NodeRange):  # which need not look at all positions
        return positions.runs()
    run = range(positions[0], positions[-1] + 1, NEXT_WORD)  # very many where sentences end in between
    if len(positions) == len(run) and (positions == run or all(map(eq, positions, run))):
        return ()
    ends = run_ends(positions, cuts_in(positions))
    return (positions[0], *ends, FAR - positions[-1]) if ends else ()


def run_ends(positions: Sequence[int], cuts: Sequence[int]) -> list[int]:
    """For each cut the end of the run before it, as in :func:`runs_in`, and the start of the run after it."""
    return list(chain.from_iterable([_end(positions[cut - 1], positions[cut]) for cut in cuts]))


@lru_cache(maxsize=1 << 16)  # mentions across the same cuts share these numbers
def _end(last: int, then: int) -> tuple[int, int]:
    return last if then < last + NEXT_WORD else FAR - last, then


class NodeCuts(NamedTuple):
    """The starts of all runs but the first in an order of positions, and the ends of the runs before them."""

    indices: list[int]
    ends: tuple[int, ...]
    """Two for each: the end of the run before, and the position that begins the next."""

    @classmethod
    def of(cls, order: Sequence[int]) -> NodeCuts:
        """The cuts in an order."""
        cuts = cuts_in(order)
        return cls(cuts, tuple(run_ends(order, cuts)))


class NodeRange(Sequence[int]):
    """Positions of a sentence that follow each other in its order, from one index up to another."""

    __slots__ = ("_cuts", "_order", "_range")

    def __init__(self, order: Sequence[int], cuts: NodeCuts, start: int, stop: int) -> None:
        self._order, self._cuts, self._range = order, cuts, range(start, stop)

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, index: Any) -> Any:
        chosen = self._range[index]
        return self._order[chosen] if isinstance(chosen, int) else [self._order[i] for i in chosen]

    def runs(self) -> tuple[int, ...]:
        """The same as :func:`runs_in`, found without looking at all positions."""
        start, stop = self._range.start, self._range.stop
        cuts, ends = self._cuts
        inside = slice(2 * bisect_right(cuts, start), 2 * bisect_left(cuts, stop))
        first, between, last = (self._order[start],), ends[inside], (FAR - self._order[stop - 1],)
        return first + between + last if between else ()  # to unpack them would make a list first


def ends_of(runs: Sequence[int]) -> tuple[Sequence[int], list[int]]:
    """The first positions of runs, and the last."""
    return runs[::2], [last if last < FAR >> 1 else FAR - last for last in runs[1::2]]


def positions_in(runs: Sequence[int]) -> tuple[int, ...]:
    """All positions of runs: the inverse of :func:`runs_in`, if there are several.

    >>> positions_in(runs_in((1, 2, 2, 3)))
    (1, 2, 2, 3)
    """
    firsts, lasts = ends_of(runs)
    return tuple(chain.from_iterable(map(range, firsts, [last + 1 for last in lasts], repeat(NEXT_WORD))))


@lru_cache(maxsize=1 << 8)  # a mention is compared with many others
def words_in(runs: tuple[int, ...]) -> frozenset[int]:
    """The same as a set."""
    return frozenset(positions_in(runs))


def common_to(runs: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> int:
    """The number of positions in both, of which none is repeated.

    >>> common_to([(1 << 20, 3 << 20), (5 << 20, 6 << 20)], [(2 << 20, 5 << 20)])
    3
    """
    total = i = j = 0
    while i < len(runs) and j < len(others):
        (first, last), (other_first, other_last) = runs[i], others[j]
        if not (first ^ other_first) & MINOR_MASK:
            total += max((min(last, other_last) - max(first, other_first) >> WORD_SHIFT) + 1, 0)
        if last < other_last:
            i += 1
        else:
            j += 1
    return total
