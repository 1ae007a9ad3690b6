"""Sorting by small whole numbers."""

from __future__ import annotations

from typing import Any


def stable_order(names: Any) -> Any:
    """How to sort names from 0 on, those that are equal in the order in which they stand."""
    return stably_sorted(names)[0]


def stably_sorted(names: Any) -> tuple[Any, Any]:
    """How to sort names from 0 on, those that are equal in the order in which they stand; and the names so sorted.

    >>> import numpy as np
    >>> stably_sorted(np.array([2, 0, 2, 1]))
    (array([1, 3, 0, 2]), array([0, 1, 2, 2]))
    """
    import numpy as np

    bits = len(names).bit_length()
    if not len(names) or int(names.max()) >> (62 - bits) or (names[1:] >= names[:-1]).all():
        order = np.argsort(names, kind="stable")
        return order, names[order]
    packed = (names.astype(np.int64) << bits) | np.arange(len(names))
    packed.sort()  # which is faster than to sort places by names
    return packed & ((1 << bits) - 1), packed >> bits
