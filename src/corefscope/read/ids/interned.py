"""Texts as numbers, in arrays: equal texts have equal numbers, however many there are.

Rows are dealt into parts by a checksum of their texts, so equal texts are in one part; a part is small enough for a
Python dictionary, which compares the texts themselves. Nothing depends on checksums being different.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .rows import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

PART = 1 << 17  # texts
MOST = 256  # parts; the number of one is a byte


class Parts:
    """Texts dealt into parts by their checksums."""

    def __init__(self, texts: Texts, count: int) -> None:
        import numpy as np

        texts.pack()
        self._view = memoryview(texts.packed)
        size = len(texts)
        self._ends = np.empty(size, dtype=np.min_scalar_type(len(texts.packed)))
        self._part = np.empty(size, dtype=np.uint8)
        row = offset = 0
        for piece in texts.pieces():
            in_piece = piece.split(b"\xff")
            after = row + len(in_piece)
            lengths = np.fromiter(map(len, in_piece), dtype=np.int64, count=len(in_piece)) + 1
            self._ends[row:after] = offset + np.cumsum(lengths) - 1
            self._part[row:after] = _checksums(in_piece) % count
            row, offset = after, offset + len(piece) + 1

    def __getitem__(self, part: int) -> tuple[NDArray[Any], list[bytes]]:
        """The rows of a part, and their texts."""
        import numpy as np

        rows = np.flatnonzero(self._part == part)
        ends = self._ends[rows].tolist()
        starts = (self._ends[rows - 1].astype(np.int64) + 1).tolist()
        if len(rows) and rows[0] == 0:
            starts[0] = 0
        view = self._view
        return rows, [view[start:end].tobytes() for start, end in zip(starts, ends, strict=True)]


def _checksums(texts: list[bytes]) -> NDArray[Any]:
    from zlib import crc32  # the same in every run, so sums are added in the same order

    import numpy as np

    return np.fromiter(map(crc32, texts), dtype=np.uint32, count=len(texts))


def part_count(rows: int) -> int:
    """How many parts so many rows are dealt into."""
    return min(MOST, rows // PART + 1)


def interned(texts: Texts) -> tuple[NDArray[Any], NDArray[Any]]:
    """The number of each text, and how often each number occurs."""
    import numpy as np

    count = part_count(len(texts))
    parts = Parts(texts, count)
    numbers = np.empty(len(texts), dtype=np.int32 if len(texts) < 1 << 31 else np.int64)
    used = 0
    for part in range(count):
        rows, in_part = parts[part]
        number_of: dict[bytes, int] = {}
        numbers[rows] = [number_of.setdefault(text, used + len(number_of)) for text in in_part]
        used += len(number_of)
    return numbers, np.bincount(numbers, minlength=used)


def common_rows(key: Texts, response: Texts) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """The rows of texts that both have, row of the key beside row of the response, in any order.

    Raises
    ------
    RepeatedError
        If a text comes twice in one of them.
    """
    import numpy as np

    count = part_count(max(len(key), len(response)))
    sides = Parts(key, count), Parts(response, count)
    for part in range(count):
        (key_rows, key_texts), (rows, texts) = (side[part] for side in sides)
        row_of = dict(zip(key_texts, key_rows.tolist(), strict=True))
        if len(row_of) < len(key_texts) or len(set(texts)) < len(texts):
            raise RepeatedError
        found = np.array([row_of.get(text, -1) for text in texts], dtype=np.int64)
        common = found >= 0
        yield found[common], rows[common]


class RepeatedError(Exception):
    """A text comes twice."""


def first_rows(numbers: NDArray[Any]) -> list[int]:
    """The first row of each number, of numbers from 0 on."""
    import numpy as np

    rows: list[int] = np.unique(numbers, return_index=True)[1].tolist()
    return rows
