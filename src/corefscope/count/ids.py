"""The contingency table of two large documents of ids, counted with arrays: the same id is the same mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..read.ids.rows import DocumentRows, RepeatedError, common_rows
from .arrays import ArrayContingency, tabulate_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray


def tabulate_ids(key: DocumentRows, response: DocumentRows, smallest: int) -> ArrayContingency | None:
    """Count the rows of two documents, without entities of fewer than ``smallest`` mentions.

    None if a mention stands in several entities, or several times in one: rule sets disagree about these, and the
    general way is to be taken.
    """
    import numpy as np

    (of_key, key_sizes), (of_response, response_sizes) = (_entities(side, smallest) for side in (key, response))
    pairs = np.empty(min(len(key), len(response)), dtype=np.int64)
    count = in_common = 0
    try:
        for key_rows, rows in common_rows(key.mentions, response.mentions):
            in_common += len(rows)
            first, second = of_key[key_rows], of_response[rows]
            kept = (first >= 0) & (second >= 0)
            before, count = count, count + int(kept.sum())
            pairs[before:count] = first[kept].astype(np.int64) * len(response_sizes) + second[kept]
    except RepeatedError:
        return None
    finally:
        key.forget()
        response.forget()
    del of_key, of_response  # what follows needs memory, too
    table = tabulate_pairs(pairs[:count], key_sizes, response_sizes)
    table.ids_in_common = in_common
    return table


def _entities(side: DocumentRows, smallest: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The entity of each row, -1 if it is left out, and the sizes of entities."""
    import numpy as np

    numbers, sizes = side.interned()
    if smallest < 2:
        return numbers, sizes
    kept = sizes >= smallest
    return np.where(kept, np.cumsum(kept) - 1, -1)[numbers], sizes[kept]
