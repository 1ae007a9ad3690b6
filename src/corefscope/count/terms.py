"""Terms: what a cell contributes to a sum; cells that look alike are asked for once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

Term = Callable[[Any, Any, Any], Any]
"""What a cell contributes: a function of n, k and r, and of nothing else. Arithmetic and ``where``, no ``if`` and no
``and``."""
MANY = 1 << 16  # cells that look different; more are not remembered


class Values(dict[tuple[int, int, int], Any]):
    """The values of a term by (n, k, r).

    Most entities are small, so a few dozen of these make up almost all cells of a corpus: to look a value up takes a
    fraction of the time of working it out.

    >>> values = Values(lambda n, k, r: 2 * n / (k + r))
    >>> values[2, 2, 3], list(values)
    (0.8, [(2, 2, 3)])
    """

    def __init__(self, term: Term) -> None:
        super().__init__()
        self._term = term

    def __missing__(self, cell: tuple[int, int, int]) -> Any:
        if len(self) >= MANY:
            self.clear()
        value = self[cell] = self._term(*cell)
        return value


values_of = lru_cache(maxsize=64)(Values)
"""The values of a term, the same for all tables."""
