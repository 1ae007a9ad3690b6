"""Numbers and text as people read them: percentages, p-values, terminal styles, escaped control characters."""

from __future__ import annotations

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def shown(text: str) -> str:
    """Text with control characters escaped, so that a terminal does not obey them.

    >>> shown(chr(27) + "[31m")[1:]
    'x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def percent(value: float) -> str:
    """A ratio as a percentage.

    >>> percent(0.81205)
    '81.20'
    """
    return f"{100 * value:.2f}"


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Two ratios as percentages, with enough decimals to show that they differ.

    >>> told_apart(0.5, 0.51), told_apart(0.97999, 0.98)
    (('50.00', '51.00'), ('97.999', '98.000'))
    """
    first, second = 100 * one, 100 * other
    digits = next((n for n in range(2, 11) if round(first, n) != round(second, n)), 2)
    return f"{first:.{digits}f}", f"{second:.{digits}f}"


def p_value(value: float) -> str:
    """A p-value in three digits.

    >>> p_value(0.0123), p_value(0.00001), p_value(1)
    ('.012', '<.001', '1')
    """
    if value < 0.0005:
        return "<.001"
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1"


def styled(text: str, style: str, colour: bool) -> str:
    """The text in a style, if ``colour`` is on."""
    return f"{style}{text}{PLAIN}" if colour else text
