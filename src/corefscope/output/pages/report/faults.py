"""The errors of a document for the page: what they are about, the slices they are in, and who else makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ....study.faults.features import Values

Subject = tuple[int, Any]
"""A kind of error, and one of its mentions: of the key, else the words of one that the response adds."""


class SliceNumbers(dict[tuple[str, str], int]):
    """Numbers for slices, which are a dimension and a value, in the order in which they turn up."""

    def __missing__(self, part: tuple[str, str]) -> int:
        self[part] = len(self)
        return self[part]


class SliceValues:
    """The slices of the mentions that a side shows."""

    def __init__(
        self, numbers: SliceNumbers, values: Sequence[tuple[str, Values]], entries: Iterable[tuple[int, int]]
    ):
        """``values`` has for each dimension those of mentions, ``entries`` where the page shows which mention."""
        self._numbers, self._values, self._mentions = numbers, values, dict(entries)

    def of(self, entries: Iterable[int]) -> Iterator[int]:
        """The numbers of the slices in which these are."""
        for mention in map(self._mentions.get, entries):
            if mention is not None:
                yield from (self._numbers[by, values[mention]] for by, values in self._values if mention in values)


def mark_shared(by_response: Sequence[list[list[Any]]], mentions: Sequence[list[list[int]]]) -> None:
    """Say in the last value of each error which other responses make it: one of the same kind at one of its mentions.

    Responses are bits: 1 is the first, 2 the second. ``mentions`` are those of each response, as the page has them.
    """
    if len(by_response) < 2:
        return
    subjects = [
        [_subjects(fault, own) for fault in faults] for faults, own in zip(by_response, mentions, strict=True)
    ]
    made = [{subject for several in of_response for subject in several} for of_response in subjects]
    for response, faults in enumerate(by_response):
        others = [(1 << other, found) for other, found in enumerate(made) if other != response]
        for fault, about in zip(faults, subjects[response], strict=True):
            fault[-1] = sum(bit for bit, found in others if not found.isdisjoint(about))


def _subjects(fault: list[Any], mentions: list[list[int]]) -> list[Subject]:
    kind, _, key, response, *_ = fault
    return [(kind, mention) for mention in key] or [(kind, tuple(mentions[mention][2:])) for mention in response]
