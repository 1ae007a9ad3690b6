"""Size profiles: the sizes of the entities of both sides, largest first, side by side; and what numbers alone tell.

Both sides are completed, since a mention without counterpart is a singleton of the other side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate

from ..core.numbers import ratio
from ..core.table import Contingency

Bar = tuple[int, int, int, int]
"""Neighbours in the size profiles: index of the first, how many, their size in the key, in the response."""


def profiles(table: Contingency, back: Contingency) -> list[Bar]:
    """The bars of one document, from its table and the transposed one."""
    sides = _size_by_end(table.sizes(), back.missing), _size_by_end(back.sizes(), table.missing)
    (key_ends, key_sizes), (response_ends, response_sizes) = (([*side], [*side.values(), 0]) for side in sides)
    bars: list[Bar] = []
    start = 0
    for end in sorted({*key_ends, *response_ends}):
        sizes = key_sizes[bisect_left(key_ends, end)], response_sizes[bisect_left(response_ends, end)]
        bars.append((start, end - start, *sizes))
        start = end
    return bars


def _size_by_end(sizes: Mapping[int, int], singletons: int) -> dict[int, int]:
    """How many classes there are of a size or larger → the size; with the singletons that complete the table."""
    sizes = {**sizes}
    if singletons:
        sizes[1] = sizes.get(1, 0) + singletons
    largest_first = sorted(sizes, reverse=True)
    return dict(zip(accumulate([sizes[size] for size in largest_first]), largest_first, strict=True))


def least_muc(mentions: int, key_entities: int, response_entities: int) -> tuple[float, float]:
    """max(0, N − n·m) / (N − n) and max(0, N − n·m) / (N − m): the least recall and precision that MUC can give.

    For partitions of the same N mentions into n key entities and m response entities: Popescu-Belis (2000), PROP. 5
    and Figure 3.

    >>> least_muc(20, 4, 3)
    (0.5, 0.47058823529411764)
    """
    links = max(0, mentions - key_entities * response_entities)
    return ratio(links, mentions - key_entities), ratio(links, mentions - response_entities)
