"""A mention: its words as first and last, its head; all its positions when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter, lt
from typing import Any, NamedTuple

from .positions import (
    FAR,
    LONG,
    MINOR_MASK,
    NEXT_WORD,
    WORD_SHIFT,
    common_to,
    ends_of,
    positions_in,
    runs_in,
    words_in,
)

Dependency = tuple[int, str]  # (position of the parent, relation with its subtypes)


class _Place(NamedTuple):
    """What a mention is kept as. Tuples of it sort as mentions stand in a document."""

    first: int
    shortness: int
    """Minus the number of words, so that of mentions that begin alike the longer one comes first."""
    last: int
    head: int
    """The position of its head word."""
    dependencies: tuple[Dependency, ...] = ()
    """The enhanced dependencies of the head, read only where they matter: on zeros."""
    broken: tuple[int, ...] = ()
    """All positions as runs, if they are not words of one sentence that follow each other; else nothing."""


class Mention(_Place):
    """A set of words with a head; equality never depends on an option.

    Nearly all mentions are words that follow each other: they are kept as first and last word, and their positions
    are made when somebody asks for them.

    >>> Mention((NEXT_WORD, 2 * NEXT_WORD), head=NEXT_WORD)[:4] == (NEXT_WORD, -2, 2 * NEXT_WORD, NEXT_WORD)
    True
    """

    __slots__ = ()

    def __new__(cls, positions: Sequence[int], head: int, dependencies: tuple[Dependency, ...] = ()) -> Mention:
        """Of positions in order; a word is repeated only where parts of one discontinuous mention overlap."""
        place = positions[0], -len(positions), positions[-1], head, dependencies, runs_in(positions)
        return tuple.__new__(cls, place)

    @property
    def positions(self) -> tuple[int, ...]:
        """Increasing; empty nodes inside the span are part of it."""
        return positions_in(self[5]) if self[5] else tuple(range(self[0], self[2] + 1, NEXT_WORD))

    @property
    def runs(self) -> list[tuple[int, int]]:
        """First and last position of words that follow each other; an empty node is mostly a run of its own."""
        return list(zip(*ends_of(self[5]), strict=True)) if self[5] else [(self[0], self[2])]

    @property
    def order(self) -> tuple[int, ...]:
        """What sorts mentions that begin and end alike as their positions do."""
        return self[5] or (self[0], FAR - self[2])

    @property
    def size(self) -> int:
        """The number of words, empty nodes included."""
        return -self[1]

    @property
    def distinct(self) -> int:
        """The number of different words: a word is repeated where parts of a discontinuous mention overlap."""
        return len(set(self.positions)) if self[5] and self.repeats else -self[1]

    @property
    def repeats(self) -> bool:
        """Whether a word is repeated."""
        firsts, lasts = ends_of(self[5])
        return not all(map(lt, lasts, firsts[1:]))

    @property
    def minimum(self) -> tuple[int, ...]:
        """The words that are enough to find it by (MIN); none if the annotation does not say."""
        return ()

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node, whatever else the span holds."""
        return self[3] & MINOR_MASK != 0

    def common(self, other: Mention) -> int:
        """|A ∩ B|: the number of words that two mentions share."""
        if not (self[5] or other[5] or (self[0] | other[0]) & MINOR_MASK):
            return max((min(self[2], other[2]) - max(self[0], other[0]) >> WORD_SHIFT) + 1, 0)
        if LONG * (len(self[5]) + len(other[5])) > self.size + other.size or self.repeats or other.repeats:
            one, two = (words_in(each[5]) if each[5] else each.positions for each in (self, other))
            return len(frozenset(one).intersection(two))
        return common_to(self.runs, other.runs)

    def moved(self, place: Callable[[int], int]) -> Mention:
        """The same mention elsewhere: each of its positions as a function says."""
        dependencies = tuple((place(parent), relation) for parent, relation in self.dependencies)
        return Mention(tuple(map(place, self.positions)), place(self.head), dependencies)

    def _replace(self, **changed: Any) -> Mention:
        """The same mention with another head, other positions or other dependencies."""
        same = {"positions": self.positions, "head": self.head, "dependencies": self.dependencies}
        return type(self)(**{**same, **changed})

    def __getnewargs__(self) -> tuple[Any, ...]:
        """What it is made of, for ``copy`` and ``pickle``."""
        return self.positions, self.head, self.dependencies

    def __repr__(self) -> str:
        from .brief import brief

        shown = f"positions={brief(self.positions, 500)}, head={self.head}"
        return f"Mention({shown}, dependencies={brief(self.dependencies, 500)})"


class MentionWithMinimum(Mention):
    """A mention of which the annotation says which words are enough to find it by.

    >>> mention = MentionWithMinimum((NEXT_WORD, 2 * NEXT_WORD), NEXT_WORD, minimum=(NEXT_WORD,))
    >>> mention.minimum == (NEXT_WORD,) == mention._replace(head=2 * NEXT_WORD).minimum
    True
    """

    __slots__ = ()

    def __new__(
        cls,
        positions: Sequence[int],
        head: int,
        dependencies: tuple[Dependency, ...] = (),
        minimum: tuple[int, ...] = (),
    ) -> MentionWithMinimum:
        """As any mention, with its minimum."""
        return tuple.__new__(cls, (*Mention(positions, head, dependencies), minimum))

    @property
    def minimum(self) -> tuple[int, ...]:
        """The words that are enough."""
        return self[-1]

    def moved(self, place: Callable[[int], int]) -> MentionWithMinimum:
        """The same mention elsewhere, and its minimum alike."""
        positions, head, dependencies = super().moved(place).__getnewargs__()
        return MentionWithMinimum(positions, head, dependencies, tuple(map(place, self.minimum)))

    def _replace(self, **changed: Any) -> Mention:  # type: ignore[override]
        return super()._replace(**{"minimum": self.minimum, **changed})

    def __getnewargs__(self) -> tuple[Any, ...]:
        return *super().__getnewargs__(), self.minimum


def unbroken(first: int, last: int, head: int, minimum: tuple[int, ...] = ()) -> Mention:
    """The mention of all words from one to another of the same sentence: a quarter of the time of the class.

    >>> unbroken(NEXT_WORD, 2 * NEXT_WORD, NEXT_WORD) == Mention((NEXT_WORD, 2 * NEXT_WORD), NEXT_WORD)
    True
    """
    place = first, (first - last >> WORD_SHIFT) - 1, last, head, (), ()
    if minimum:
        return tuple.__new__(MentionWithMinimum, (*place, minimum))
    return tuple.__new__(Mention, place)


def mention_of_runs(runs: tuple[int, ...], size: int, last: int, head: int) -> Mention:
    """The mention of so many words in runs, as :func:`~.positions.runs_in` encodes them."""
    return tuple.__new__(Mention, (runs[0], -size, last, head, (), runs))


mention_order = itemgetter(0, 1, 2)
"""By first word, then longer first, then by last word: how the mentions of an entity stand in a document."""
same_words = itemgetter(0, 2, 5)
"""What mentions have in common that have the same words, whatever their heads are."""


def text_order(mention: Mention) -> tuple[int, int, int]:
    """By first word, then by last word, then shorter first: which of two mentions comes before the other."""
    return mention[0], mention[2], -mention[1]
