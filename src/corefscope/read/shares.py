"""Shares of a corpus that can be read apart, each to the same documents as if all were read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .document_reader import DocumentReader


class Share:
    """A stretch of the key's files, laid end to end and measured in bytes: the documents that begin in it."""

    __slots__ = ("_begin", "_end", "_places")

    def __init__(self, begin: int = 0, end: int | None = None, places: Sequence[int] = ()) -> None:
        """``places`` are where files begin, and where the last one ends. Without an end it goes on to the last."""
        self._begin, self._end, self._places = begin, end, places

    def holds_beginning(self, file: int) -> bool:
        """Whether a file, by its number, begins in this share."""
        return (not self._begin or self._begin <= self._places[file]) and not self.ends_before(file)

    def begins_after(self, file: int) -> bool:
        """Whether all of a file comes before this share."""
        return self._begin > 0 and self._begin >= self._places[file + 1]

    def ends_before(self, file: int) -> bool:
        """Whether all of a file comes after this share."""
        return self._end is not None and self._end <= self._places[file]

    def documents(self, file: int, readers: Sequence[DocumentReader]) -> range | None:
        """The numbers of the documents of a file that are in this share: all or none, if one reader must read all."""
        key = readers[0]
        if not (self._places and all(reader.starts for reader in readers)):
            return range(len(key.names)) if self.holds_beginning(file) else None
        from bisect import bisect_left  # most corpora are read by one process

        start, end = self._places[file : file + 2]
        # Offsets are those of the unpacked file.
        places = [start, *(start + offset * (end - start) // key.source.size for offset in key.starts[1:])]
        last = len(places) if self._end is None else bisect_left(places, self._end)
        return range(bisect_left(places, self._begin), last) or None


WHOLE = Share()
SKIPPING = 20
"""Per cent of what it takes to read and score some bytes, that it takes to begin after them."""


def shares(files: Sequence[str], count: int) -> list[Share]:
    """So many shares that take equally long: s(n+1) = s(n)·(1 − SKIPPING), as the later ones have more to skip."""
    places = [0, *accumulate(map(os.path.getsize, files))]
    weights = [(100 - SKIPPING) ** number * 100 ** (count - number) for number in range(count)]
    marks = [places[-1] * before // sum(weights) for before in accumulate(weights[:-1], initial=0)]
    return [Share(begin, end, places) for begin, end in zip(marks, [*marks[1:], None], strict=True)]
