"""The table of a gap: what the cheapest way to each place in two stretches of words costs, and where it comes from.

Edit distance over words with soft costs: a word taken for another costs what differs of it, words that are glued or
split cost a little for each seam, words left out or invented cost ``EACH``, and ``OPENING`` once for each run. There
is a row for each printed word and a column for each word of the key, and only a band of cells is filled.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import repeat

from .folding import CHANGED, OTHER, SAME, difference, folded
from .seams import MOST, Seams

OPENING = 20
EACH = 50
_FAR = 1 << 60

# Where a cell was reached from: a step of one word each, of invented words, of words left out, of a seam; and whether
# the run of invented words, or that of words left out, that ends there began earlier.
PAIR, INVENTED, LEFT_OUT, SEWN = range(4)
INVENTED_LONGER, LEFT_OUT_LONGER = 4, 8

Move = tuple[int, int]
"""How many printed words and how many key words a step takes."""
_Row = tuple[int, list[int]]
"""The first column of a row, and its costs, with one that is far before and behind."""
SPLIT = 128
"""The move of a seam is a byte: how many words of the key are glued; or, so much more, into how many one is split."""


class Gap:
    """Two stretches of words, and what it costs to take one of them for another."""

    def __init__(self, printed: Sequence[str], key: Sequence[str]) -> None:
        self.printed, self.key = printed, key
        self.folded = [folded(word) for word in printed], [folded(word) for word in key]
        self.glued = Seams(self.folded[1], self.folded[0])
        self.split = Seams(*self.folded)

    @property
    def has_seams(self) -> bool:
        """Whether any words may be glued or split."""
        return bool(self.glued or self.split)

    def costs(self, row: int, start: int, stop: int) -> bytes:
        """What it costs to take the printed word of a row for each of some words of the key."""
        word, exact, key = self.folded[0][row], self.printed[row], self.key
        first, last = word[:1], word[-1:]
        return bytes(
            [
                (SAME if key[column] == exact else CHANGED)
                if other == word
                else max(CHANGED, difference(word, other))
                if other[:1] == first or other[-1:] == last
                else OTHER
                for column, other in enumerate(self.folded[1][start:stop], start=start)
            ]
        )


class GapTable:
    """The cells of a gap that are at most so far below and above the diagonal, filled row by row."""

    def __init__(self, gap: Gap, below: int, above: int) -> None:
        self._gap = gap
        self._marks: list[tuple[int, bytearray]] = []
        self._sewn: dict[int, bytearray] = {}
        """The moves of the cheapest seams of rows that have any."""
        self._repeated = {word for word, times in Counter(gap.printed).items() if times > 1}
        self._latest: dict[str, tuple[int, bytes]] = {}
        """The first column of the latest row of each of these, and its costs."""
        self.cost = self._fill(below, above)
        """That of the cheapest way from corner to corner."""

    def mark(self, row: int, column: int) -> int:
        """Where a cell is reached from."""
        start, marks = self._marks[row]
        return marks[column - start]

    def seam(self, row: int, column: int) -> Move:
        """The seam that a cell is reached by."""
        return move_of(self._sewn[row][column - self._marks[row][0]])

    def _fill(self, below: int, above: int) -> int:
        rows, columns = len(self._gap.printed), len(self._gap.key)
        # What the first row comes from.
        first, best, invented = 0, [0, *[_FAR] * (columns + 1)], [_FAR] * (columns + 2)
        recent: deque[_Row] = deque(maxlen=MOST)
        for row in range(rows + 1):
            start, stop = max(0, row + below), min(columns, row + above) + 1
            corner = start - first  # lists begin one cell before their row, and end one behind it
            over = slice(corner + 1, corner + 1 + stop - start)
            costs = bytes([SAME] * (stop if not row else start == 0))  # column 0 has no word: its corner is far away
            costs += self._costs(row - 1, max(start - 1, 0), stop - 1) if row else b""
            sewn = self._seams(row, start, stop, recent) if row else repeat(_FAR)
            sources = zip(best[corner:], best[over], invented[over], costs, sewn, strict=False)
            best, invented, marks = _row(sources)
            self._marks.append((start, marks))
            first = start
            recent.append((start, best))
        return best[columns - first + 1]

    def _costs(self, row: int, start: int, stop: int) -> bytes:
        """What a row costs; of a word that an earlier row has, what that row has is not worked out again."""
        word = self._gap.printed[row]
        if word not in self._repeated:
            return self._gap.costs(row, start, stop)
        first, costs = self._latest.get(word, (start, b""))
        costs = costs[start - first :]
        costs += self._gap.costs(row, start + len(costs), stop)
        self._latest[word] = start, costs
        return costs

    def _seams(self, row: int, start: int, stop: int, recent: Sequence[_Row]) -> Iterable[int]:
        """What each cell of a row costs by its cheapest seam, of which the move is kept."""
        word = self._gap.folded[0][row - 1]
        found = [
            (column, cost, parts, recent[-1], parts)
            for column, parts, cost in zip(*self._gap.glued.of_whole(word, start, stop), strict=True)
        ]
        found += [
            (column, cost, 1, recent[-words], SPLIT + words)
            for words, cost, columns in self._gap.split.of_parts(row, start, stop)
            for column in columns
        ]
        if not found:
            return repeat(_FAR)
        least, moves = [_FAR] * (stop - start), bytearray(stop - start)
        for column, cost, parts, (first, earlier), move in found:
            place = column - parts - first + 1
            if 0 < place < len(earlier) and earlier[place] + cost < least[column - start]:
                least[column - start] = earlier[place] + cost
                moves[column - start] = move
        self._sewn[row] = moves
        return least


def move_of(seam: int) -> Move:
    """The move that a byte stands for.

    >>> move_of(2), move_of(128 + 3)
    ((1, 2), (3, 1))
    """
    return (seam - SPLIT, 1) if seam > SPLIT else (1, seam)


def _row(sources: Iterable[tuple[int, int, int, int, int]]) -> tuple[list[int], list[int], bytearray]:
    """The best costs of a row, those that end with an invented word, and where they come from."""
    best, invented, marks = [_FAR], [_FAR], bytearray()
    before, left_out = _FAR, _FAR
    for corner, over, run, cost, sewn in sources:
        mark = PAIR
        least = corner + cost
        run += EACH
        over += OPENING + EACH
        if run < over:
            mark = INVENTED_LONGER
        else:
            run = over
        left_out += EACH
        before += OPENING + EACH
        if left_out < before:
            mark |= LEFT_OUT_LONGER
        else:
            left_out = before
        if left_out < least:
            least = left_out
            mark |= LEFT_OUT
        if run < least:
            least = run
            mark = mark & ~3 | INVENTED
        if sewn < least:
            least = sewn
            mark = mark & ~3 | SEWN
        best.append(least)
        invented.append(run)
        marks.append(mark)
        before = least
    best.append(_FAR)
    invented.append(_FAR)
    return best, invented, marks
