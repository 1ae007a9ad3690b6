"""Weights of cells as SQL: what weighs numbers and arrays is called with symbols, and returns an expression."""

from __future__ import annotations

from typing import Any


class Symbol:
    """An expression of SQL that arithmetic makes longer.

    Divisions are those of doubles in every engine; what is true is 1, what is not 0.

    >>> n, k, r = map(Symbol, "nkr")
    >>> print(2 * n / (k + r))
    (CAST((2 * n) AS DOUBLE) / CAST((k + r) AS DOUBLE))
    >>> print((k > n) * k - 1)
    ((CASE WHEN k > n THEN 1 ELSE 0 END * k) - 1)
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __add__(self, other: Any) -> Symbol:
        return Symbol(f"({self} + {other})")

    def __radd__(self, other: Any) -> Symbol:
        return Symbol(f"({other} + {self})")

    def __sub__(self, other: Any) -> Symbol:
        return Symbol(f"({self} - {other})")

    def __rsub__(self, other: Any) -> Symbol:
        return Symbol(f"({other} - {self})")

    def __mul__(self, other: Any) -> Symbol:
        return Symbol(f"({self} * {other})")

    def __rmul__(self, other: Any) -> Symbol:
        return Symbol(f"({other} * {self})")

    def __truediv__(self, other: Any) -> Symbol:
        return Symbol(f"({_double(self)} / {_double(other)})")

    def __rtruediv__(self, other: Any) -> Symbol:
        return Symbol(f"({_double(other)} / {_double(self)})")

    def __gt__(self, other: Any) -> Symbol:
        return Symbol(f"CASE WHEN {self} > {other} THEN 1 ELSE 0 END")

    def __ge__(self, other: Any) -> Symbol:
        return Symbol(f"CASE WHEN {self} >= {other} THEN 1 ELSE 0 END")


def _double(value: Any) -> str:
    return f"CAST({value} AS DOUBLE)"


def at_least_0(value: Symbol) -> Symbol:
    """The value, or 0 if it is negative."""
    return Symbol(f"GREATEST({value}, 0)")
