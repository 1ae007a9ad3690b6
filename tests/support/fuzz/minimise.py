"""A failing file made short: as little as still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
TRIALS = 400


def minimised(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """The file without the lines, and then without the bytes, that it can do without (ddmin)."""
    trials = [TRIALS]
    lines = _without(data.splitlines(keepends=True), lambda kept: fails(b"".join(kept)), trials)
    return bytes(_without(list(b"".join(lines)), lambda kept: fails(bytes(kept)), trials))


def _without(items: Sequence[T], fails: Callable[[Sequence[T]], bool], trials: list[int]) -> Sequence[T]:
    size = len(items) // 2
    while size:
        at = 0
        while at < len(items) and trials[0]:
            trials[0] -= 1
            shorter = [*items[:at], *items[at + size :]]
            if shorter and fails(shorter):
                items = shorter
            else:
                at += size
        size //= 2
    return items
