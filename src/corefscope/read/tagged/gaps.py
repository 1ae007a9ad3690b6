"""The cheapest way from one stretch of words to another, where no anchors help.

Only a band around the diagonal of its table is looked at. A way that leaves it has as many words left out and
invented as it is wide, so if that costs more than the best way inside, this is the best of all; else the band is
widened to where it must be. If that were too many cells, it is widened step by step, until that makes no way cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .seams import SEAM
from .tables import EACH, INVENTED, INVENTED_LONGER, LEFT_OUT_LONGER, PAIR, SEWN, Gap, GapTable, Move

CELLS = 10**7
"""The most cells of a table. A gap for which a narrow band has more was not copied."""
_CAREFUL = 10**6
"""As many cells as are filled to be sure."""
_NARROW = 16
_WIDER = 4


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
    gap = Gap(printed, key)
    # What it costs at least to leave the diagonal by a word, and to return.
    shift = 2 * (SEAM if gap.has_seams else EACH)
    table, before = _filled(gap, margin), -1
    while table.cost > shift * margin and margin < widest and table.cost != before:
        sure = table.cost // shift + 1
        margin = min(sure if sure <= _margin(_CAREFUL, rows, apart) else margin * _WIDER, widest)
        before = table.cost
        del table  # two of them need not be there at once
        table = _filled(gap, margin)
    return list(_from_the_end(table, len(printed), len(key)))[::-1]


def _margin(cells: int, rows: int, apart: int) -> int:
    """How far from the diagonals a band may reach that has so many cells."""
    return (cells // rows - apart - 1) // 2


def _filled(gap: Gap, margin: int) -> GapTable:
    """The table of the cells within so many words of the diagonals that join the corners."""
    longer = len(gap.key) - len(gap.printed)
    return GapTable(gap, min(0, longer) - margin, max(0, longer) + margin)


def _from_the_end(table: GapTable, row: int, column: int) -> Iterator[Move]:
    """The steps of the cheapest way, from the last to the first."""
    while row or column:
        source = table.mark(row, column) & 3
        if source == PAIR:
            yield 1, 1
            row, column = row - 1, column - 1
        elif source == SEWN:
            words, parts = table.seam(row, column)
            yield words, parts
            row, column = row - words, column - parts
        elif source == INVENTED:
            longer = True
            while longer:
                longer = bool(table.mark(row, column) & INVENTED_LONGER)
                yield 1, 0
                row -= 1
        else:
            longer = True
            while longer:
                longer = bool(table.mark(row, column) & LEFT_OUT_LONGER)
                yield 0, 1
                column -= 1
