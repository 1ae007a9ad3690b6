"""What became of each entity: into how many pieces the other side cuts it, and what else is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .table import Table


class Pieces(NamedTuple):
    """An entity of k mentions, seen from the other side. It is right if (pieces, missing, foreign) are (1, 0, 0)."""

    size: int
    """k: its mentions."""
    pieces: int
    """Entities of the other side that have mentions of it."""
    largest: int
    """max n: the most of its mentions that one of them has; 0 if there is none."""
    missing: int
    """k − Σ n: its mentions that the other side lacks."""
    foreign: int
    """Σ (r − n): mentions in those entities that are not of it."""


def pieces_of_cells(sizes: Sequence[int], cells: Iterable[tuple[int, int, int]]) -> list[Pieces]:
    """Of entities of these sizes, from the cells (entity, n, r), in the order of the sizes.

    >>> for one in pieces_of_cells([3, 1], [(0, 2, 2), (0, 1, 4)]):
    ...     print(one)
    Pieces(size=3, pieces=2, largest=2, missing=0, foreign=3)
    Pieces(size=1, pieces=0, largest=0, missing=1, foreign=0)
    """
    pieces, largest, common, foreign = ([0] * len(sizes) for _ in range(4))
    for i, n, r in cells:
        pieces[i] += 1
        largest[i] = max(largest[i], n)
        common[i] += n
        foreign[i] += r - n
    missing = [size - shared for size, shared in zip(sizes, common, strict=True)]
    return list(map(Pieces, sizes, pieces, largest, missing, foreign))


def pieces_of_key(table: Table) -> list[Pieces]:
    """Of the key entities of a table, in its order; those of the response are those of the transposed table."""
    sizes, others = ([size for size, _ in side.each_entity()] for side in (table, table.T))
    return pieces_of_cells(sizes, ((i, n, others[j]) for i, j, n in table.each_cell()))
