"""Brackets in canonical order, for all formats that write mentions as brackets around words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Bracket(NamedTuple):
    """A mention, or one part of it: where it begins and ends, and what stands in its brackets."""

    first: int
    last: int
    opening: str
    closing: str


def cells(brackets: Iterable[Bracket]) -> dict[int, list[str]]:
    """What to write at each place.

    First what ends there, the latest opened first; then what begins there, longer first; last what is a single word.
    Where nothing begins that goes on, single words come before what ends: they are inside of it. Brackets around the
    same words keep their order, and close in reverse. So brackets nest wherever they can, and a reader that closes
    what was opened last under an id finds the same mentions again, unless two of one id cross.

    >>> cells([Bracket(1, 3, "a-x", "a"), Bracket(1, 2, "b", "b"), Bracket(2, 2, "c", "c"), Bracket(2, 3, "d", "d")])
    {1: ['(a-x', '(b'], 2: ['b)', '(d', '(c)'], 3: ['d)', 'a)']}
    >>> cells([Bracket(1, 2, "a", "a"), Bracket(2, 2, "b", "b")])
    {1: ['(a'], 2: ['(b)', 'a)']}
    """
    ending: dict[int, list[tuple[int, int, str]]] = {}
    beginning: dict[int, list[tuple[int, int, str]]] = {}
    single: dict[int, list[str]] = {}
    for at, (first, last, opening, closing) in enumerate(brackets):
        if first == last:
            single.setdefault(first, []).append(f"({opening})")
        else:
            beginning.setdefault(first, []).append((-last, at, f"({opening}"))
            ending.setdefault(last, []).append((-first, -at, f"{closing})"))
    found = {}
    for place in sorted({*ending, *beginning, *single}):
        alone = single.get(place, [])
        ends, begins = ([chunk for *_, chunk in sorted(at.get(place, []))] for at in (ending, beginning))
        found[place] = [*ends, *begins, *alone] if begins else [*alone, *ends]
    return found
