"""Brackets in canonical order, for all formats that write mentions as brackets around words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class BracketPair(NamedTuple):
    """The brackets around a mention, or around one part of it: where they stand, and what stands in them."""

    first: int
    last: int
    opening: str
    closing: str


def cells(brackets: Iterable[BracketPair]) -> dict[int, list[str]]:
    """What to write at each position.

    First what ends there, the latest opened first; then what begins there, longer first; last what is a single word.
    Where nothing begins that goes on, single words come before what ends: they are inside of it. Brackets around the
    same words keep their order, and close in reverse. So brackets nest wherever they can, and a reader that closes
    what was opened last under an id finds the same mentions again, unless two of one id cross.

    >>> spans = (1, 3, "a-x", "a"), (1, 2, "b", "b"), (2, 2, "c", "c"), (2, 3, "d", "d")
    >>> cells(BracketPair(*span) for span in spans)
    {1: ['(a-x', '(b'], 2: ['b)', '(d', '(c)'], 3: ['d)', 'a)']}
    >>> cells([BracketPair(1, 2, "a", "a"), BracketPair(2, 2, "b", "b")])
    {1: ['(a'], 2: ['(b)', 'a)']}
    """
    ending: dict[int, list[tuple[int, int, str]]] = {}
    beginning: dict[int, list[tuple[int, int, str]]] = {}
    single: dict[int, list[str]] = {}
    for index, (first, last, opening, closing) in enumerate(brackets):
        if first == last:
            single.setdefault(first, []).append(f"({opening})")
        else:
            beginning.setdefault(first, []).append((-last, index, f"({opening}"))
            ending.setdefault(last, []).append((-first, -index, f"{closing})"))
    ordered = {}
    for position in sorted({*ending, *beginning, *single}):
        alone = single.get(position, [])
        ends, begins = ([chunk for *_, chunk in sorted(chunks.get(position, []))] for chunks in (ending, beginning))
        ordered[position] = [*ends, *begins, *alone] if begins else [*alone, *ends]
    return ordered
