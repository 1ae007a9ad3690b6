"""CEAF where the data are: cells that certainly belong to a best assignment are taken until the rest fits here."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.annotations import Any
from ..histogram import Left, Looks, Peeled
from ..terms import Term
from . import statements as sql
from .base import Scratch

CELL = ("n", "k", "r")


class Peeling:
    """The cells of all documents, by the terms that weigh them."""

    def __init__(self, scratch: Scratch, cells: str, local: int) -> None:
        self._scratch, self._cells, self._local = scratch, cells, local

    def peeled(self, term: Term, first: int, after: int) -> Peeled:  # noqa: ARG002
        """What is known of a best assignment in some documents."""
        columns = ("place", "key", "response", *CELL)
        rows = self._scratch.fetch(sql.selected(self._cells, columns, sql.between(first, after)), "fetching cells")
        return Peeled(_none(), _left(rows, first))


def _left(rows: Mapping[str, Any], first: int) -> Left:
    keys, responses = (_dense(rows[name]) for name in ("key", "response"))
    return Left(rows["place"] - first, keys, responses, *[rows[name] for name in CELL])


def _dense(numbers: Any) -> Any:
    """Numbers without gaps, from 0 on."""
    import numpy as np

    if not len(numbers):
        return numbers
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 8 * len(numbers) + 1024:
        return np.unique(numbers, return_inverse=True)[1]
    there = np.zeros(high - low + 1, dtype=bool)
    there[numbers - low] = True
    return (np.cumsum(there) - 1)[numbers - low]


def _none() -> Looks:
    import numpy as np

    nothing = np.empty(0, dtype=np.int64)
    return Looks(nothing, (nothing,) * len(CELL), nothing)
