"""What an assignment gains by a cell, where entities may also be mapped to mentions without counterpart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .terms import Term


class Weighing(NamedTuple):
    """How cells weigh. Called with n, k, r, k' and r': what a cell adds to what its entities have without it.

    k' and r' are how many mentions of the two entities have counterparts. A key entity that lacks some may be mapped
    to one of these alone, which is a cell (1, k, 1) that no other entity wants; a response entity likewise. An entity
    has that for certain, and a cell that is taken instead weighs so much less. Then max Σ over all assignments = Σ of
    what entities have alone + max Σ over those of the cells by their reduced weights (cells of 0 or less are not
    worth taking). All is arithmetic, for numbers, arrays and the expressions of engines.

    >>> from .metrics.ceaf import shared_mentions
    >>> Weighing(shared_mentions, lone_key=True)(3, 5, 4, 4, 3), Weighing(shared_mentions)(3, 5, 4, 4, 3)
    (2, 3)
    """

    term: Term
    lone_key: bool = False
    """Whether a key entity may be mapped to a mention of its own that has no counterpart."""
    lone_response: bool = False
    """Whether a response entity may; one of a single such mention may not."""
    common_only: bool = False
    """Whether response entities have the size of what they share with the key: r' for r."""

    def __call__(self, n: Any, k: Any, r: Any, key_matched: Any, response_matched: Any) -> Any:
        """The reduced weight of a cell."""
        weight = self.term(n, k, response_matched if self.common_only else r)
        if self.lone_key:
            weight = weight - self.alone_in_key(k, key_matched)
        if self.lone_response:
            weight = weight - self.alone_in_response(r, response_matched)
        return weight

    def alone_in_key(self, k: Any, matched: Any) -> Any:
        """What a key entity has without any cell; 0 if all its mentions have counterparts."""
        return (k > matched) * self.term(1, k, 1)

    def alone_in_response(self, r: Any, matched: Any) -> Any:
        """What a response entity has."""
        return (r > matched) * (r > 1) * self.term(1, 1, r)

    def lone(
        self, key: Iterable[tuple[int, int]], response: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Any]]:
        """The further cells (row, column, weight), from the size and the lone mentions of each entity.

        Negative numbers are rows and columns of their own.
        """
        if self.lone_key:
            yield from ((i, -1 - i, self.term(1, k, 1)) for i, (k, lone) in enumerate(key) if lone)
        if self.lone_response:
            yield from ((-1 - j, j, self.term(1, 1, r)) for j, (r, lone) in enumerate(response) if lone and r > 1)
