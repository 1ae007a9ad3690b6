"""Edit distance over words, with soft costs for other spellings and for words that were joined or split.

Taking one word for another costs the share of letters that differ. A token split (``can not`` for ``cannot``, either
way round) costs a little for each boundary. Words without counterpart cost ``EACH``, and ``OPENING`` once per run.

The table has a row for each source word and a column for each target word; only a band around its diagonal is filled.
A path that leaves the band inserts and deletes as many words as the band is wide. If that costs more than the best
path inside, this one is optimal; else the band is widened as far as needed. Where that would be too many cells, it is
widened step by step until no path gets cheaper.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat

SAME = 0
CHANGED = 10
"""Cost of another spelling of the same word."""
OTHER = 100
"""Cost of a word that begins and ends with other letters."""
OPENING = 20
EACH = 50
SPLIT = 20
"""Cost of each word boundary that only one side has."""
SWALLOWED = 10
"""Cost of each letter that is missing at the boundary: ``del`` for ``de el``."""
_MAX_SWALLOWED = 2
MAX_PIECES = 64
"""Maximum number of pieces of one word."""

CELLS = 10**7
"""Maximum number of cells of a table."""
_CERTAIN_CELLS = 10**6
"""Cells that are filled to make sure that a path is optimal."""
_NARROW_BAND = 16
_WIDENING = 4

Move = tuple[int, int]
"""Numbers of source words and of target words that one step of a path consumes."""

# ------------------------------------------------------------------ spellings

_QUOTES = dict.fromkeys(map(ord, "‘’‚‛`´′ʼ"), "'") | dict.fromkeys(map(ord, "“”„‟«»″"), '"')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_IGNORED = dict.fromkeys(map(ord, "_ \t\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_EQUIVALENT = {**_QUOTES, **_DASHES, **_IGNORED}
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_LONGER = {"''": '"', "--": "-", "---": "-", **_BRACKETS}


def normalise(word: str) -> str:
    """Normalise case, kinds of quotes and dashes, ``_`` and blanks; a word of nothing else stays as it is.

    >>> normalise("New_York"), normalise("“"), normalise("-LRB-"), normalise("…"), normalise("_")
    ('newyork', '"', '(', '...', '_')
    """
    plain = word if word.isascii() else unicodedata.normalize("NFKC", word)
    plain = plain.casefold().translate(_EQUIVALENT)
    return _LONGER.get(plain, plain) or word


_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_CHARACTERS = {**_QUOTES, **_DASHES, **_INVISIBLE}


def fold_characters(word: str) -> str:
    r"""Fold kinds of quotes, dashes and compatible characters, and leave out white space; case is kept.

    Characters are folded one by one, so that pieces of a word have the pieces of what it is folded to.

    >>> fold_characters("“Zoë’s ﬁrst–born”") == fold_characters('"Zoe\u0308\'sfirst-born"')
    True
    >>> fold_characters("\u3000 \u200b"), fold_characters("New_York")
    ('', 'New_York')
    """
    plain = word.translate(_CHARACTERS)
    return "".join((plain if plain.isascii() else unicodedata.normalize("NFKD", plain)).split())


def spelling_difference(first: str, second: str) -> int:
    """Share of two normalised words that is not in their common prefix and suffix, from 0 to ``OTHER``.

    >>> spelling_difference("dog", "dogs"), spelling_difference("dog", "cat")
    (15, 100)
    """
    prefix = _common_prefix(first, second)
    suffix = _common_prefix(first[prefix:][::-1], second[prefix:][::-1])
    return OTHER - 2 * OTHER * (prefix + suffix) // (len(first) + len(second))


def _common_prefix(first: str, second: str) -> int:
    """Length of the common prefix, by bisection: slices of long words are compared at once."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


# ------------------------------------------------------------------ token splits

Join = tuple[int, int, str]
"""Number of adjacent words that make one word, the cost of that, and the word."""
JoinColumns = tuple["array[int]", "array[int]", "array[int]"]
"""Ends of adjacent words, their numbers, and the costs of joining them."""


class TokenSplits:
    """Adjacent words of one side (pieces) that spell a word of the other side, nearly to the letter.

    All pairs would be as many as the cells of a table where both are repeated. The index grows with the words, and
    each row of a table asks for its own columns. An end is the number of words up to and including the last piece; a
    place is that of a whole word.

    >>> splits = TokenSplits(["the", "dog", "."], ["dog."])
    >>> [column.tolist() for column in splits.of_whole("dog.", 0, 4)]
    [[3], [2], [20]]
    >>> [(pieces, cost, places.tolist()) for pieces, cost, places in splits.of_pieces(3, 0, 2)]
    [(2, 20, [1])]
    """

    def __init__(self, pieces: Sequence[str], wholes: Sequence[str]) -> None:
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        for stop, word in enumerate(wholes, start=1):
            self._places[word].append(stop)
        self._joins = dict(_find_joins(pieces, self._places))
        self._ends: defaultdict[str, JoinColumns] = defaultdict(lambda: (array("i"), array("i"), array("i")))
        for stop, joins in self._joins.items():
            for number, cost, spelling in joins:
                for column, value in zip(self._ends[spelling], (stop, number, cost), strict=True):
                    column.append(value)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._joins)

    def of_whole(self, word: str, start: int, stop: int) -> JoinColumns:
        """Pieces that spell a word, with ends in a range; of those with the same end, the most pieces first."""
        if word not in self._ends:
            return array("i"), array("i"), array("i")
        ends, numbers, costs = self._ends[word]
        within = slice(bisect_left(ends, start), bisect_left(ends, stop))
        return ends[within], numbers[within], costs[within]

    def of_pieces(self, end: int, start: int, stop: int) -> Iterator[tuple[int, int, array[int]]]:
        """Numbers of pieces with this end that spell a word, the cost, and the places of the word in a range."""
        for number, cost, spelling in self._joins.get(end, ()):
            places = self._places[spelling]
            within = places[bisect_left(places, start) : bisect_left(places, stop)]
            if within:
                yield number, cost, within


def _find_joins(pieces: Sequence[str], wholes: Collection[str]) -> Iterator[tuple[int, list[Join]]]:
    """Ends of adjacent words that spell one of the whole words, and these joins, those of the most words first."""
    sizes = set(map(len, wholes))
    longest = max(sizes, default=0)
    known: dict[Join, Join] = {}
    for stop in range(2, len(pieces) + 1):
        found: list[Join] = []
        size = len(pieces[stop - 1])
        for start in range(stop - 2, max(stop - MAX_PIECES, 0) - 1, -1):
            size += len(pieces[start])
            if size in sizes:
                found.append((stop - start, SPLIT * (stop - start - 1), "".join(pieces[start:stop])))
            if start == stop - 2 and not sizes.isdisjoint((size - 1, size - _MAX_SWALLOWED)):
                contracted = _contractions(pieces[start], pieces[stop - 1])
                found += [(2, SPLIT + SWALLOWED * missing, spelling) for spelling, missing in contracted.items()]
            if size > longest:
                break
        found = [known.setdefault(join, join) for join in reversed(found) if join[2] in wholes]
        if found:
            yield stop, found


def _contractions(first: str, second: str) -> dict[str, int]:
    """Two words joined without a few letters at the boundary, and the number of missing letters."""
    found: dict[str, int] = {}
    for swallowed in range(1, min(_MAX_SWALLOWED, 2 * (len(first) + len(second)) // 5) + 1):
        for left in range(max(0, swallowed + 1 - len(second)), min(swallowed, len(first) - 1) + 1):
            found.setdefault(first[: len(first) - left] + second[swallowed - left :], swallowed)
    return {spelling: swallowed for spelling, swallowed in found.items() if spelling not in (first, second)}


# ------------------------------------------------------------------ the table

_FAR = 1 << 60
# The step that reaches a cell; and whether the run of source words, or of target words, that ends there goes on.
_PAIR, _SOURCE_ONLY, _TARGET_ONLY, _SPLIT = range(4)
_SOURCE_RUN, _TARGET_RUN = 4, 8
_SOURCE_SPLIT = 128
"""A token split is stored as one byte: the number of target words, or this plus the number of source words."""


class WordGap:
    """Two sequences of words without known correspondence, and what it costs to take one word for another."""

    def __init__(self, source: Sequence[str], target: Sequence[str]) -> None:
        self.source = source
        self.target = target
        self.plain_source: list[str] = list(map(normalise, source))
        self.plain_target: list[str] = list(map(normalise, target))
        self.target_splits: TokenSplits = TokenSplits(self.plain_target, self.plain_source)
        self.source_splits: TokenSplits = TokenSplits(self.plain_source, self.plain_target)
        self._difference = lru_cache(maxsize=1 << 16)(spelling_difference)

    def costs(self, row: int, start: int, stop: int) -> bytes:
        """Costs of taking the source word of a row for each target word of a range."""
        word, exact, target = self.plain_source[row], self.source[row], self.target
        first, last = word[:1], word[-1:]
        return bytes(
            [
                (SAME if target[column] == exact else CHANGED)
                if other == word
                else max(CHANGED, self._difference(word, other))
                if other[:1] == first or other[-1:] == last
                else OTHER
                for column, other in enumerate(self.plain_target[start:stop], start=start)
            ]
        )


class CostTable:
    """The cells of a gap within a margin of the diagonals that join its corners, filled row by row."""

    def __init__(self, gap: WordGap, margin: int) -> None:
        self._gap = gap
        self._marks: list[tuple[int, bytearray]] = []
        """First column of each row, and the steps that reach its cells."""
        self._splits: dict[int, bytearray] = {}
        """The cheapest token splits of rows that have any."""
        self.cost: int = self._fill(margin)
        """Cost of the cheapest path from corner to corner."""

    def _fill(self, margin: int) -> int:
        rows, columns = len(self._gap.source), len(self._gap.target)
        below, above = min(0, columns - rows) - margin, max(0, columns - rows) + margin
        # Lists begin one cell before the row, and end one behind it.
        first, best, runs = 0, [0, *[_FAR] * (columns + 1)], [_FAR] * (columns + 2)
        recent: deque[tuple[int, list[int]]] = deque(maxlen=MAX_PIECES)
        for row in range(rows + 1):
            start, stop = max(0, row + below), min(columns, row + above) + 1
            corner = start - first
            over = slice(corner + 1, corner + 1 + stop - start)
            costs = bytes([SAME] * (stop if not row else start == 0))  # column 0 has no word: its corner is far away
            costs += self._gap.costs(row - 1, max(start - 1, 0), stop - 1) if row else b""
            splits = self._split_costs(row, start, stop, recent) if row else repeat(_FAR)
            best, runs, marks = _fill_row(zip(best[corner:], best[over], runs[over], costs, splits, strict=False))
            self._marks.append((start, marks))
            first = start
            recent.append((start, best))
        return best[columns - first + 1]

    def _split_costs(self, row: int, start: int, stop: int, recent: Sequence[tuple[int, list[int]]]) -> Iterable[int]:
        """Costs of the cells of a row by their cheapest token splits, which are stored."""
        word = self._gap.plain_source[row - 1]
        found = [
            (column, cost, parts, recent[-1], parts)
            for column, parts, cost in zip(*self._gap.target_splits.of_whole(word, start, stop), strict=True)
        ]
        found += [
            (column, cost, 1, recent[-words], _SOURCE_SPLIT + words)
            for words, cost, columns in self._gap.source_splits.of_pieces(row, start, stop)
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
        self._splits[row] = moves
        return least

    def path(self) -> list[Move]:
        """The steps of the cheapest path."""
        row, column = len(self._gap.source), len(self._gap.target)
        found: list[Move] = []
        run: Move | None = None  # the step that goes on, as the run that ends there began earlier
        while row or column:
            start, marks = self._marks[row]
            mark = marks[column - start]
            step = mark & 3
            if run == (1, 0) or (run is None and step == _SOURCE_ONLY):
                move = (1, 0)
                run = move if mark & _SOURCE_RUN else None
            elif run == (0, 1) or step == _TARGET_ONLY:
                move = (0, 1)
                run = move if mark & _TARGET_RUN else None
            elif step == _PAIR:
                move = (1, 1)
            else:
                pieces = self._splits[row][column - start]
                move = (pieces - _SOURCE_SPLIT, 1) if pieces > _SOURCE_SPLIT else (1, pieces)
            found.append(move)
            row, column = row - move[0], column - move[1]
        return found[::-1]


def _fill_row(cells: Iterable[tuple[int, int, int, int, int]]) -> tuple[list[int], list[int], bytearray]:
    """Fill a row from the one above: best costs, those of runs of source words, and the steps that reach the cells.

    This loop takes most of the time of an alignment: nothing is called in it.
    """
    best, runs, marks = [_FAR], [_FAR], bytearray()
    before, target_run = _FAR, _FAR
    for corner, over, source_run, cost, split in cells:
        mark = _PAIR
        least = corner + cost
        source_run += EACH
        over += OPENING + EACH
        if source_run < over:
            mark = _SOURCE_RUN
        else:
            source_run = over
        target_run += EACH
        before += OPENING + EACH
        if target_run < before:
            mark |= _TARGET_RUN
        else:
            target_run = before
        if target_run < least:
            least = target_run
            mark |= _TARGET_ONLY
        if source_run < least:
            least = source_run
            mark = mark & ~3 | _SOURCE_ONLY
        if split < least:
            least = split
            mark = mark & ~3 | _SPLIT
        best.append(least)
        runs.append(source_run)
        marks.append(mark)
        before = least
    best.append(_FAR)
    runs.append(_FAR)
    return best, runs, marks


def cheapest_moves(source: Sequence[str], target: Sequence[str], cells: int = CELLS) -> list[Move] | None:
    """The cheapest path through a gap; None if a narrow band has more than so many cells.

    >>> cheapest_moves(["Dog.", "It", "barked"], ["dog", ".", "It", "had", "barked"])
    [(1, 2), (1, 1), (0, 1), (1, 1)]
    """
    apart, rows = abs(len(source) - len(target)), min(len(source), len(target)) + 1
    widest, certain = ((size // rows - apart - 1) // 2 for size in (cells, _CERTAIN_CELLS))
    widest, margin = min(widest, rows), min(_NARROW_BAND, rows)
    if margin > widest:
        return None
    gap = WordGap(source, target)
    # The least cost of leaving the diagonal by a word, and of returning.
    shift = 2 * (SPLIT if gap.source_splits or gap.target_splits else EACH)
    table, before = CostTable(gap, margin), -1
    while table.cost > shift * margin and margin < widest and table.cost != before:
        needed = table.cost // shift + 1
        margin = min(needed if needed <= certain else margin * _WIDENING, widest)
        before = table.cost
        del table  # frees its cells before the next table is filled
        table = CostTable(gap, margin)
    return table.path()
