"""Text for people: percentages, styles, and words of files made harmless.

Exact numbers as text: fractions, how they come about, and what a calculation by hand leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..analysis.explain import Calculation, spell_out
from ..analysis.explanations.sections import Number, Section, Term
from ..core.metrics import METRICS
from ..core.metrics.base import RECALL_PRECISION
from ..core.numbers import Score, headline
from .columns import width_of

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def shown(text: str) -> str:
    """Text from a file, made harmless: what a terminal would obey is escaped.

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
    """Two ratios as percentages, with as many decimals as it takes to see that they differ.

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
    """The text in a style, if there may be colours."""
    return f"{style}{text}{PLAIN}" if colour else text


LARGEST = 10**6  # denominators beyond are shown as decimals only
NAMES = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


def term_text(term: Term | None, room: int) -> str:
    """A term, with its formula if there is room for it."""
    if term is None:
        return ""
    value = exact(term.value)
    if not term.formula or term.formula == value:
        return value
    return f"{term.formula} = {value}" if width_of(term.formula) <= room else f"… = {value}"


def exact(value: Number) -> str:
    """A fraction; of what is no fraction, or an unwieldy one, four decimals."""
    if isinstance(value, Fraction) and value.denominator < LARGEST:
        return str(value)
    return f"{float(value):.4f}"


def with_decimal(value: Number) -> str:
    """Exactly, and as a decimal if it is no whole number."""
    if isinstance(value, Fraction) and 1 < value.denominator < LARGEST:
        return f"{exact(value)} = {float(value):.4f}"
    return exact(value)


def totals(section: Section) -> list[str]:
    """The sums of those columns that add to the counts."""
    return [
        "" if number is None or not column.fields else with_decimal(number)
        for number, column in zip(section.totals(), section.columns, strict=True)
    ]


def figures(calculation: Calculation) -> Iterator[list[str]]:
    """The components of a score, then its figures: how each comes about, exactly, and in percent."""
    for name, value in calculation.components.items():
        if isinstance(value, Score):
            for figure, number in value._asdict().items():
                label = f"{spell_out(name)}, {figure.replace('f1', 'F1')}"
                yield [label, "", exact(number), percent(float(number))]
        else:
            yield [name, "", exact(value), ""]
    for name, number in calculation.score._asdict().items():
        if isinstance(number, str):
            yield [name, number, "", ""]
        else:
            yield [
                NAMES.get(name, METRICS[calculation.metric].title),
                _how(calculation, name),
                exact(number),
                percent(float(number)),
            ]


def _how(calculation: Calculation, figure: str) -> str:
    """The last step to a figure, of scores that are ratios or means."""
    if calculation.parts:
        figures = " + ".join(exact(headline(part.score)) for part in calculation.parts)
        return f"({figures}) / {len(calculation.parts)}"
    if METRICS[calculation.metric].fields != RECALL_PRECISION:
        return _of_kinds(calculation, figure)
    if figure == "f1":
        return "2PR / (P + R)"
    first = 0 if figure == "recall" else 2
    return " / ".join(map(_in_brackets, calculation.counts[first : first + 2]))


def _of_kinds(calculation: Calculation, figure: str) -> str:
    """How the figure of a metric that is the mean of its components comes about: one that nobody has is left out."""
    kinds = [getattr(value, figure) for value in calculation.components.values() if isinstance(value, Score)]
    if not any(kinds):
        return ""
    is_mean = len(kinds) * getattr(calculation.score, figure) == sum(kinds)
    return "mean of both kinds" if is_mean else "of the kind that counts"


def _in_brackets(value: Number) -> str:
    text = exact(value)
    return f"({text})" if "/" in text else text
