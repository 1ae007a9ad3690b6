"""Which zeros of the skeleton printed zeros are: by governor, then by place; in order, with the form as tie-break.

A zero is printed behind the word that governs it, wherever it stands in the skeleton. Nothing is moved: what is found
keeps its place. A printed zero that no zero of the skeleton is left for is one more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from .frame import Frame, KeyZero


class PrintedZero(NamedTuple):
    """A zero in the text, and the slots of the skeleton that it may be in: one, if no words were left out there."""

    form: str
    first: int
    last: int


def matched(printed: Sequence[PrintedZero], frame: Frame) -> list[KeyZero | None]:
    """The zero of the skeleton that each printed one is; None for those that it does not have."""
    found: list[KeyZero | None] = [None] * len(printed)
    free = dict.fromkeys(frame.zeros)
    slots_of: tuple[Callable[[KeyZero], Iterable[int]], ...] = (
        lambda zero: (zero.governor,),
        lambda zero: zero.parents,
        lambda zero: (zero.slot,),
    )
    for slots in slots_of if free else ():
        in_slot: dict[int, list[KeyZero]] = {}
        for zero in free:
            for slot in dict.fromkeys(slots(zero)):
                in_slot.setdefault(slot, []).append(zero)
        rest = [number for number, zero in enumerate(found) if zero is None]
        for (first, last), group in groupby(rest, lambda number: printed[number][1:]):
            near = (zero for slot in range(first, last + 1) for zero in in_slot.get(slot, ()))
            candidates = [zero for zero in near if zero in free]
            for number, zero in _paired([(number, printed[number].form) for number in group], candidates):
                found[number] = zero
                del free[zero]
    return found


def _paired(printed: list[tuple[int, str]], candidates: list[KeyZero]) -> list[tuple[int, KeyZero]]:
    """Zeros of one slot: those whose forms are the same, then the others in order."""
    by_form: dict[str, list[KeyZero]] = {}
    for zero in reversed(candidates):
        by_form.setdefault(zero.form, []).append(zero)
    pairs = [(number, by_form[form].pop()) for number, form in printed if form and by_form.get(form)]
    numbers, taken = {number for number, _ in pairs}, {zero for _, zero in pairs}
    others = [number for number, _ in printed if number not in numbers]
    return pairs + list(zip(others, [zero for zero in candidates if zero not in taken], strict=False))
