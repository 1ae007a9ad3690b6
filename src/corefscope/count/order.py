"""Sorting by small whole numbers."""

from __future__ import annotations

from ..base.annotations import Any


def stable_order(names: Any) -> Any:
    """How to sort names from 0 on, those that are equal in the order in which they stand."""
    import numpy as np

    bits = len(names).bit_length()
    if not len(names) or int(names.max()) >> (62 - bits) or (names[1:] >= names[:-1]).all():
        return np.argsort(names, kind="stable")
    packed = (names.astype(np.int64) << bits) | np.arange(len(names))
    packed.sort()  # which is faster than to sort places by names
    packed &= (1 << bits) - 1
    return packed
