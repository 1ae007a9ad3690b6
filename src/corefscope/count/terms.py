"""Terms: what a cell contributes to a sum. All terms of the metrics at hand are looked up in one pass over cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

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
