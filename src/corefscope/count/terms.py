"""Terms: what a cell contributes to a sum. All terms of the metrics at hand are looked up in one pass over cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ..base.numbers import Numeric

Term = Callable[[Numeric, Numeric, Numeric], Numeric]
"""What a cell contributes: a function of n, k and r, and of nothing else. Arithmetic and ``where``, no ``if`` and no
``and``."""
MANY = 1 << 16  # cells that look different; more are not remembered
_VECTORISED: dict[Term, None] = {}


def vectorised_term(term: Term) -> Term:
    """Marks a term that has a value for every cell, 1 ≤ n ≤ k, r: a table works all such terms out in one pass.

    What is not marked gives the same sums, one pass each.
    """
    _VECTORISED[term] = None
    return term


class Values(dict[tuple[int, int, int], tuple[Numeric, ...]]):
    """The values of some terms by (n, k, r): first those of all terms of (n, k, r), then those of (n, r, k).

    Most entities are small, so a few dozen of these make up almost all cells of a corpus: to look values up takes a
    fraction of the time of working them out.

    >>> values = Values([lambda n, k, r: 2 * n / (k + r), lambda n, k, r: n * n / k])
    >>> values[2, 2, 4], list(values)
    ((0.6666666666666666, 2.0, 0.6666666666666666, 1.0), [(2, 2, 4)])
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        super().__init__()
        self._terms = tuple(terms)

    def __missing__(self, cell: tuple[int, int, int]) -> tuple[Numeric, ...]:
        if len(self) >= MANY:
            self.clear()
        n, k, r = cell
        values = self[cell] = tuple([term(n, *sizes) for sizes in ((k, r), (r, k)) for term in self._terms])
        return values


_values = lru_cache(maxsize=64)(Values)
"""The values of some terms, the same for all tables."""


def columns(
    term: Term, n: Sequence[int], k: Sequence[int], r: Sequence[int]
) -> tuple[Mapping[Term, Sequence[Numeric]], Mapping[Term, Sequence[Numeric]]]:
    """The value of a term in each cell, with all marked terms if it is one of them; the same with k and r swapped."""
    exact = bool(n) and isinstance(n[0], Fraction)  # not remembered: 2 and Fraction(2) would share their values
    if exact or term not in _VECTORISED:
        return {term: list(map(term, n, k, r))}, {}
    terms = tuple(_VECTORISED)
    by_cell = map(_values(terms).__getitem__, zip(n, k, r))  # noqa: B905  (a hot loop over columns of one table)
    values = [*zip(*by_cell)] or [()] * (2 * len(terms))  # noqa: B905  (likewise)
    return dict(zip(terms, values)), dict(zip(terms, values[len(terms) :]))  # noqa: B905  (likewise)


class Weighing(NamedTuple):
    """The weights of cells in an assignment. Called with n, k, r, k' and r': what a cell adds for its two entities.

    k' and r' are how many mentions of the two entities have counterparts. A key entity that lacks some may be mapped
    to one of these alone, which is a cell (1, k, 1) that no other entity wants; so may a response entity. An entity
    has that for certain, and a cell that is taken instead weighs so much less. Then max Σ over all assignments = Σ of
    what entities have alone + max Σ over those of the cells by their reduced weights (cells of 0 or less are not
    worth taking). All is arithmetic, for numbers, arrays and the expressions of engines.

    >>> from corefscope.count.metrics.ceaf import shared_mentions
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

    def __call__(
        self, n: Numeric, k: Numeric, r: Numeric, key_matched: Numeric, response_matched: Numeric
    ) -> Numeric:
        """The reduced weight of a cell."""
        weight = self.term(n, k, response_matched if self.common_only else r)
        if self.lone_key:
            weight = weight - self.alone_in_key(k, key_matched)
        if self.lone_response:
            weight = weight - self.alone_in_response(r, response_matched)
        return weight

    def alone_in_key(self, k: Numeric, matched: Numeric) -> Numeric:
        """What a key entity has without any cell; 0 if all its mentions have counterparts."""
        return (k > matched) * self.term(1, k, 1)

    def alone_in_response(self, r: Numeric, matched: Numeric) -> Numeric:
        """What a response entity has."""
        return (r > matched) * (r > 1) * self.term(1, 1, r)

    def lone(
        self, key: Iterable[tuple[int, int]], response: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Numeric]]:
        """The further cells (row, column, weight), from the size and the lone mentions of each entity.

        Negative numbers are rows and columns of their own.
        """
        if self.lone_key:
            yield from ((i, -1 - i, self.term(1, k, 1)) for i, (k, lone) in enumerate(key) if lone)
        if self.lone_response:
            yield from ((-1 - j, j, self.term(1, 1, r)) for j, (r, lone) in enumerate(response) if lone and r > 1)
