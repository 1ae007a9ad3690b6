"""The cheapest way from one stretch of words to another, where no anchors help.

Edit distance over words with soft costs: a word taken for another costs what differs of it, words that are glued or
split cost a little for each seam, words left out or invented cost ``EACH``, and ``OPENING`` once for each run.
Only a band around the diagonal is looked at. A way that leaves it has as many words left out and invented as it is
wide, so if that costs more than the best way inside, this is the best of all; else the band is widened to where it
must be. If that were too many cells, it is widened step by step, until that makes no way cheaper.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from .folding import CHANGED, OTHER, SAME, difference, folded
from .seams import MOST, SEAM, seams

OPENING = 20
EACH = 50
CELLS = 10**7
"""The most cells of a table. A gap for which a narrow band has more was not copied."""
_CAREFUL = 10**6
"""As many cells as are filled to be sure."""
_NARROW = 16
_WIDER = 4
_FAR = 1 << 60

# Where a cell was reached from: a step of one word each, of invented words, of words left out, of a seam; and whether
# the run of invented words, or that of words left out, that ends there began earlier.
_PAIR, _INVENTED, _LEFT_OUT, _SEAM = range(4)
_INVENTED_LONGER, _LEFT_OUT_LONGER = 4, 8

_Row = tuple[int, list[int]]
"""The first column of a row, and its costs, with one that is far before and behind."""
Move = tuple[int, int]
"""How many printed words and how many key words a step takes."""


def moves(printed: Sequence[str], key: Sequence[str], cells: int = CELLS) -> list[Move] | None:
    """The cheapest steps from both beginnings to both ends; nothing if the gap is too large.

    >>> moves(["Dog.", "It", "barked"], ["dog", ".", "It", "had", "barked"])
    [(1, 2), (1, 1), (0, 1), (1, 1)]
    """
    apart = abs(len(printed) - len(key))
    rows = min(len(printed), len(key)) + 1
    widest = min(_margin(cells, rows, apart), rows)
    margin = min(_NARROW, rows)
    if margin > widest:
        return None
    gap = _Gap(printed, key)
    shift = 2 * (SEAM if gap.seams else EACH)  # what it costs at least to leave the diagonal by a word, and to return
    cost, before = gap.fill(margin), -1
    while cost > shift * margin and margin < widest and cost != before:
        sure = cost // shift + 1
        margin = min(sure if sure <= _margin(_CAREFUL, rows, apart) else margin * _WIDER, widest)
        cost, before = gap.fill(margin), cost
    return gap.way_back()


def _margin(cells: int, rows: int, apart: int) -> int:
    """How far from the diagonals a band may reach that has so many cells."""
    return (cells // rows - apart - 1) // 2


class _Gap:
    """The table of one gap: a row for each printed word, a column for each word of the key."""

    def __init__(self, printed: Sequence[str], key: Sequence[str]) -> None:
        self.printed, self.key = printed, key
        self.folded = [folded(word) for word in printed], [folded(word) for word in key]
        self.seams = seams(*self.folded)
        self.sewn: dict[tuple[int, int], Move] = {}
        self.marks: list[tuple[int, bytearray]] = []

    def fill(self, margin: int) -> int:
        """The least cost within so many words of the diagonals that join the corners."""
        rows, columns = len(self.printed), len(self.key)
        below, above = min(0, columns - rows) - margin, max(0, columns - rows) + margin
        self.marks = []
        first, best, invented = (
            0,
            [0, *[_FAR] * (columns + 1)],
            [_FAR] * (columns + 2),
        )  # what the first row comes from
        recent: deque[_Row] = deque(maxlen=MOST)
        for row in range(rows + 1):
            start, stop = max(0, row + below), min(columns, row + above) + 1
            corner = start - first  # lists begin one cell before their row, and end one behind it
            over = slice(corner + 1, corner + 1 + stop - start)
            costs = [SAME] * (stop if not row else start == 0)  # column 0 has no word: its corner is far away
            costs += self._costs(row - 1, max(start - 1, 0), stop - 1) if row else []
            sources = zip(best[corner:], best[over], invented[over], costs, strict=False)
            best, invented, marks = self._row(row, start, sources, recent)
            self.marks.append((start, marks))
            first = start
            recent.append((start, best))
        return best[columns - first + 1]

    def _costs(self, row: int, start: int, stop: int) -> list[int]:
        """What it costs to take the printed word of a row for each of some words of the key."""
        word, exact, key = self.folded[0][row], self.printed[row], self.key
        first, last = word[:1], word[-1:]
        return [
            (SAME if key[column] == exact else CHANGED)
            if other == word
            else max(CHANGED, difference(word, other))
            if other[:1] == first or other[-1:] == last
            else OTHER
            for column, other in enumerate(self.folded[1][start:stop], start=start)
        ]

    def _row(
        self,
        row: int,
        start: int,
        sources: Iterable[tuple[int, int, int, int]],
        recent: Sequence[tuple[int, list[int]]],
    ) -> tuple[list[int], list[int], bytearray]:
        """The best costs of a row, those that end with an invented word, and where they come from."""
        best, invented, marks = [_FAR], [_FAR], bytearray()
        before, left_out = _FAR, _FAR
        row_seams = self.seams.get(row, {})
        for column, (corner, over, run, cost) in enumerate(sources, start=start):
            mark = _PAIR
            least = corner + cost
            run += EACH
            over += OPENING + EACH
            if run < over:
                mark = _INVENTED_LONGER
            else:
                run = over
            left_out += EACH
            before += OPENING + EACH
            if left_out < before:
                mark |= _LEFT_OUT_LONGER
            else:
                left_out = before
            if left_out < least:
                least = left_out
                mark |= _LEFT_OUT
            if run < least:
                least = run
                mark = mark & ~3 | _INVENTED
            if column in row_seams:
                for words, parts, cost in row_seams[column]:
                    first, earlier = recent[-words]
                    place = column - parts - first + 1
                    if 0 < place < len(earlier) and earlier[place] + cost < least:
                        least = earlier[place] + cost
                        mark = mark & ~3 | _SEAM
                        self.sewn[row, column] = words, parts
            best.append(least)
            invented.append(run)
            marks.append(mark)
            before = least
        best.append(_FAR)
        invented.append(_FAR)
        return best, invented, marks

    def way_back(self) -> list[Move]:
        """The steps of the cheapest way, from the first to the last."""
        return list(self._from_the_end())[::-1]

    def _from_the_end(self) -> Iterator[Move]:
        row, column = len(self.printed), len(self.key)
        while row or column:
            mark = self._mark(row, column)
            source = mark & 3
            if source == _PAIR:
                yield 1, 1
                row, column = row - 1, column - 1
            elif source == _SEAM:
                words, parts = self.sewn[row, column]
                yield words, parts
                row, column = row - words, column - parts
            elif source == _INVENTED:
                longer = True
                while longer:
                    longer = bool(self._mark(row, column) & _INVENTED_LONGER)
                    yield 1, 0
                    row -= 1
            else:
                longer = True
                while longer:
                    longer = bool(self._mark(row, column) & _LEFT_OUT_LONGER)
                    yield 0, 1
                    column -= 1

    def _mark(self, row: int, column: int) -> int:
        start, marks = self.marks[row]
        return marks[column - start]
