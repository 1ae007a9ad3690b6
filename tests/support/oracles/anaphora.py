"""Anaphora resolution as Popescu-Belis (2000, section 4.4) tells it: mentions are numbers in the order of the text.

Sets and loops over all anaphors and all mentions; exact fractions, and None where there is nothing to divide by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

Partition = Sequence[Collection[int]]
Figures = tuple[Fraction | None, Fraction | None]


def _class_of(partition: Partition, mention: int) -> set[int]:
    return next((set(members) for members in partition if mention in members), set())


def _rate(outcomes: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(outcomes), len(outcomes)) if outcomes else None


def _mentions(partition: Partition) -> list[int]:
    return sorted(mention for members in partition for mention in members)


def by_classes(key: Partition, response: Partition, anaphors: set[int], full: set[int]) -> Figures:
    """Attached to one right full mention at least; and how many of the full mentions it is attached to are right."""
    attached = []
    for anaphor in _mentions(key):
        right = (_class_of(key, anaphor) & full) - {anaphor}
        if anaphor in anaphors and right:
            attached.append(bool(_class_of(response, anaphor) & right))
    pairs = []
    for anaphor in _mentions(response):
        if anaphor in anaphors:
            others = (_class_of(response, anaphor) & full) - {anaphor}
            pairs += [other in _class_of(key, anaphor) for other in others]
    return _rate(attached), _rate(pairs)


def by_links(key: Partition, response: Partition, anaphors: set[int], candidates: set[int]) -> Figures:
    """The nearest candidate before it in its response class is its antecedent."""

    def antecedent(partition: Partition, anaphor: int) -> int | None:
        before = [m for m in _class_of(partition, anaphor) & candidates if m < anaphor]
        return max(before, default=None)

    def is_right(anaphor: int) -> bool:
        return antecedent(response, anaphor) in _class_of(key, anaphor)

    of_key, of_response = (
        [anaphor for anaphor in _mentions(side) if anaphor in anaphors and antecedent(side, anaphor) is not None]
        for side in (key, response)
    )
    return _rate([is_right(anaphor) for anaphor in of_key]), _rate([is_right(anaphor) for anaphor in of_response])
