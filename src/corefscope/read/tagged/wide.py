"""The table of a gap whose band is wide, filled with NumPy: cell by cell the same as ``GapTable``.

There is a line for each word of the shorter side, and a place in it for each word of the longer one. All cells of a
line are worked out at once: what they cost by steps along the line is the least of what stands before them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from ...base.annotations import TYPE_CHECKING
from .folding import CHANGED, OTHER, SAME, difference
from .seams import MOST, Columns
from .tables import (
    EACH,
    INVENTED,
    INVENTED_LONGER,
    LEFT_OUT,
    LEFT_OUT_LONGER,
    OPENING,
    PAIR,
    SEWN,
    SPLIT,
    Gap,
    Move,
    move_of,
)

if TYPE_CHECKING:
    from array import array

    import numpy as np
    from numpy.typing import NDArray

    _Ints = NDArray[np.int32]
    _Bytes = NDArray[np.uint8]
    _Line = tuple[int, _Ints]
    """The first place of a line, and its costs, with one that is far before and behind."""
    _Sewn = tuple[_Ints, _Ints, _Bytes]
    """Places that seams lead to, what these cost from the first corner on, and their moves."""

_FAR = 1 << 30


class WideTable:
    """The cells of a gap that are at most so far below and above the diagonal. No word may be empty."""

    def __init__(self, gap: Gap, below: int, above: int) -> None:
        self._gap = gap
        self._by_rows = len(gap.printed) <= len(gap.key)
        self._marks: list[tuple[int, _Bytes]] = []
        self._sewn: dict[int, _Bytes] = {}
        self.cost = self._fill(below, above) if self._by_rows else self._fill(-above, -below)
        """That of the cheapest way from corner to corner."""

    def mark(self, row: int, column: int) -> int:
        """Where a cell is reached from."""
        line, place = self._at(row, column)
        start, marks = self._marks[line]
        return int(marks[place - start])

    def seam(self, row: int, column: int) -> Move:
        """The seam that a cell is reached by."""
        line, place = self._at(row, column)
        return move_of(int(self._sewn[line][place - self._marks[line][0]]))

    def _at(self, row: int, column: int) -> tuple[int, int]:
        return (row, column) if self._by_rows else (column, row)

    def _fill(self, below: int, above: int) -> int:
        import numpy as np

        costs = _Costs(self._gap, self._by_rows, above - below + 1)
        places = max(len(self._gap.printed), len(self._gap.key))
        ramp = np.arange(places + 1, dtype=np.int32) * np.int32(EACH)
        first, best, skipped = 0, np.full(places + 2, _FAR, np.int32), np.full(places + 2, _FAR, np.int32)
        best[0] = 0
        recent: deque[_Line] = deque(maxlen=MOST)
        for line in range(min(len(self._gap.printed), len(self._gap.key)) + 1):
            start, stop = max(0, line + below), min(places, line + above) + 1
            corner, size = start - first, stop - start
            pair = best[corner : corner + size].copy()
            if line:
                pair[start == 0 :] += costs.of(line - 1, max(start - 1, 0), stop - 1)
            over = best[corner + 1 : corner + 1 + size]
            run = skipped[corner + 1 : corner + 1 + size]
            sewn = self._seams(line, start, stop, recent) if line else None
            best, skipped, marks = self._line(pair, over, run, sewn, ramp)
            self._marks.append((start, marks))
            first = start
            recent.append((start, best))
        return int(best[places - first + 1])

    def _line(
        self, pair: _Ints, over: _Ints, run: _Ints, sewn: _Ints | None, ramp: _Ints
    ) -> tuple[_Ints, _Ints, _Bytes]:
        """The best costs of a line, those that end with a word of its own side alone, and where they come from."""
        import numpy as np

        size = len(pair)
        down, opened = run + EACH, over + (OPENING + EACH)
        down_longer = down < opened
        np.minimum(down, opened, out=down)
        free = np.minimum(pair, down)
        if sewn is not None:
            np.minimum(free, sewn, out=free)
        along = np.full(size, _FAR, np.int32)
        along[1:] = np.minimum.accumulate(free - ramp[:size])[:-1] + ramp[1:size] + OPENING
        best = np.minimum(free, along)
        along_longer = np.zeros(size, bool)
        along_longer[1:] = along[:-1] < best[:-1] + OPENING
        invented, left_out = (down, along) if self._by_rows else (along, down)
        longer = (down_longer, along_longer) if self._by_rows else (along_longer, down_longer)
        marks = longer[0] * np.uint8(INVENTED_LONGER) + longer[1] * np.uint8(LEFT_OUT_LONGER)
        marks += _sources(pair, left_out, invented, sewn)
        return _padded(best), _padded(down), marks

    def _seams(self, line: int, start: int, stop: int, recent: Sequence[_Line]) -> _Ints | None:
        """What each cell of a line costs by its cheapest seam, of which the move is kept; nothing if it has none."""
        import numpy as np

        gap = self._gap
        word = gap.folded[0 if self._by_rows else 1][line - 1]
        if self._by_rows:
            found = [
                *_of_whole(gap.glued.of_whole(word, start, stop), recent, 0),
                *_of_parts(gap.split.of_parts(line, start, stop), recent, SPLIT),
            ]
        else:
            found = [
                *_of_parts(gap.glued.of_parts(line, start, stop), recent, 0),
                *_of_whole(gap.split.of_whole(word, start, stop), recent, SPLIT),
            ]
        if not found:
            return None
        least, moves = np.full(stop - start, _FAR, np.int32), np.zeros(stop - start, np.uint8)
        for places, costs, move in found:
            better = costs < least[places - start]
            least[places[better] - start] = costs[better]
            moves[places[better] - start] = move[better]
        self._sewn[line] = moves
        return least


class _Costs:
    """What it costs to take the word of a line for each of the words of its places."""

    def __init__(self, gap: Gap, by_rows: bool, width: int) -> None:
        import numpy as np

        sides = (gap.printed, gap.folded[0]), (gap.key, gap.folded[1])
        (self._words, self._folded), (places, alike) = sides if by_rows else sides[::-1]
        numbers: dict[str, int] = {}
        self._numbers = np.array([numbers.setdefault(word, len(numbers)) for word in places])
        self._distinct = len(numbers) <= width
        """Whether words of places are compared once, however often they are there."""
        known = dict(zip(places, alike, strict=True))
        self._others = list(known.items()) if self._distinct else list(zip(places, alike, strict=True))
        self._begins = np.array([ord(other[0]) for _, other in self._others])
        self._ends = np.array([ord(other[-1]) for _, other in self._others])
        self._found: dict[str, _Bytes] = {}

    def of(self, line: int, start: int, stop: int) -> _Bytes:
        """The costs of a line, from one place up to another."""
        if not self._distinct:
            return self._compared(line, start, stop)
        word = self._words[line]
        if word not in self._found:
            self._found[word] = self._compared(line, 0, len(self._others))
        found: _Bytes = self._found[word][self._numbers[start:stop]]
        return found

    def _compared(self, line: int, start: int, stop: int) -> _Bytes:
        """What the word of a line costs for other words; only those that begin or end like it are looked at."""
        import numpy as np

        exact, word = self._words[line], self._folded[line]
        costs = np.full(stop - start, OTHER, np.uint8)
        near = (self._begins[start:stop] == ord(word[0])) | (self._ends[start:stop] == ord(word[-1]))
        for at in np.flatnonzero(near).tolist():
            other, alike = self._others[start + at]
            if alike == word:
                costs[at] = SAME if other == exact else CHANGED
            else:
                costs[at] = max(CHANGED, difference(word, alike))
        return costs


def _padded(costs: _Ints) -> _Ints:
    """A line with a cell before and one behind that are far away."""
    import numpy as np

    padded = np.full(len(costs) + 2, _FAR, np.int32)
    padded[1:-1] = costs
    return padded


def _sources(pair: _Ints, left_out: _Ints, invented: _Ints, sewn: _Ints | None) -> _Bytes:
    """Which step each cell is reached by: the cheapest, and of those that cost the same, the first."""
    import numpy as np

    sources = np.where(left_out < pair, np.uint8(LEFT_OUT), np.uint8(PAIR))
    least = np.minimum(pair, left_out)
    sources[invented < least] = INVENTED
    if sewn is not None:
        sources[sewn < np.minimum(least, invented)] = SEWN
    return sources


def _of_whole(found: Columns, recent: Sequence[_Line], kind: int) -> Iterator[_Sewn]:
    """Seams between the word of a line and several words of places."""
    import numpy as np

    if found[0]:
        ends, pieces, costs = (np.asarray(column, np.int32) for column in found)
        first, earlier = recent[-1]
        at = ends - pieces - first + 1
        inside = at > 0
        ends, pieces, costs, at = ends[inside], pieces[inside], costs[inside], at[inside]
        yield ends, earlier[at] + costs, (pieces + kind).astype(np.uint8)


def _of_parts(found: Iterable[tuple[int, int, array[int]]], recent: Sequence[_Line], kind: int) -> Iterator[_Sewn]:
    """Seams between words of several lines and the word of a place."""
    import numpy as np

    for pieces, cost, within in found:
        places = np.asarray(within, np.int32)
        first, earlier = recent[-pieces]
        at = places - first
        inside = (at > 0) & (at < len(earlier))
        places, at = places[inside], at[inside]
        yield places, earlier[at] + np.int32(cost), np.full(len(places), pieces + kind, np.uint8)
