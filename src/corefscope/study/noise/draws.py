"""Random choices that are the same in every process and every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """The choices for one kind of noise in one document.

    All are made from ``Random.random``, the only method whose sequence Python promises to keep.

    >>> Draws(0, "drop", "doc").shuffled("abcdef")
    ['f', 'e', 'c', 'd', 'b', 'a']
    """

    def __init__(self, seed: int, kind: str, document: str) -> None:
        self._random = Random(f"{seed}-{kind}-{document}").random

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` − 1."""
        return int(self._random() * limit)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        keys = [self._random() for _ in items]
        return [items[at] for at in sorted(range(len(items)), key=keys.__getitem__)]
