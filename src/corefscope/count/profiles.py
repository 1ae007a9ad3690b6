"""Size profiles: the sizes of the entities of both sides, largest first, side by side.

Both sides are completed: a mention without counterpart is a singleton of the other side. Where one side has no more
entities, the size is 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .table import Contingency

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


Runs = tuple[Any, Any, Any]
"""Documents, sizes and numbers of entities, as arrays; a size may stand several times."""


def profiles_by_document(key: Runs, response: Runs) -> tuple[Any, tuple[Any, Any, Any, Any]]:
    """The bars of many documents, as arrays: the document of each, and its four numbers. Some bars are 0 wide."""
    import numpy as np

    ends = [_ends(*side) for side in (key, response)]
    documents, end = (np.concatenate([ends[0][at], ends[1][at]]) for at in (0, 1))
    in_key = np.arange(len(documents)) < len(ends[0][0])
    order = np.lexsort((end, documents))
    documents, end, in_key = documents[order], end[order], in_key[order]
    start = np.concatenate(([0], end[:-1])) * np.concatenate(([False], documents[1:] == documents[:-1]))
    # The entities that end at a bar or after it: of either side, the first run that has not ended before.
    sizes = [
        _size_at(documents, np.cumsum(ours) - ours, of_documents, of_sizes)
        for ours, (of_documents, _, of_sizes) in zip((in_key, ~in_key), ends, strict=True)
    ]
    return documents, (start, end - start, sizes[0], sizes[1])


def _ends(documents: Any, sizes: Any, entities: Any) -> Runs:
    """Documents, how many entities of a document are in this run or before it, and sizes: largest first."""
    import numpy as np

    order = np.lexsort((-sizes, documents))
    documents, ends = documents[order], np.cumsum(entities[order])
    first = np.searchsorted(documents, documents)
    return documents, ends - np.concatenate(([0], ends))[first], sizes[order]


def _size_at(documents: Any, run: Any, of_documents: Any, of_sizes: Any) -> Any:
    """The size of a run, and 0 if it belongs to another document: then this side has no more entities here."""
    import numpy as np

    of_documents, of_sizes = np.append(of_documents, -1), np.append(of_sizes, 0)
    return np.where(of_documents[run] == documents, of_sizes[run], 0)
