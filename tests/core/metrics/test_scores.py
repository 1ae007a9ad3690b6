"""Scores from counts, boundary cases included: against the words of the definitions, in exact fractions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest

from corefscope.core.numbers import Score, prf
from corefscope.core.rules import RULES
from corefscope.measures.popescu_belis import one_if_nothing

NUMBERS = (0, 1, 3)
Figures = tuple[Fraction, Fraction, Fraction]


def _figures(recalled: int, in_key: int, precise: int, in_response: int, nothing: int = 0) -> Figures:
    """``nothing`` is what 0/0 is."""
    recall = Fraction(recalled, in_key) if in_key else Fraction(nothing)
    precision = Fraction(precise, in_response) if in_response else Fraction(nothing)
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else Fraction(0)


def _possible(both: int, *wholes: int) -> bool:
    """What both sides have, each of them has."""
    return all(both <= whole for whole in wholes)


def _close(score: Score, expected: Sequence[Fraction]) -> bool:
    return tuple(score) == pytest.approx([float(figure) for figure in expected], abs=1e-15)


POSSIBLE = [
    (recalled, in_key, precise, in_response)
    for recalled, in_key, precise, in_response in itertools.product(NUMBERS, repeat=4)
    if _possible(recalled, in_key) and _possible(precise, in_response)
]


@pytest.mark.parametrize("nothing", [0, 1])
def test_recall_and_precision(nothing: int) -> None:
    """What neither side has scores ``nothing``, what one side lacks 0."""
    for counts in POSSIBLE:
        both_empty = not (counts[1] or counts[3])
        assert _close(prf(counts, float(nothing)), _figures(*counts, nothing if both_empty else 0)), counts


def test_nothing_is_everything_to_popescu_belis() -> None:
    for counts in POSSIBLE:
        assert _close(one_if_nothing(counts, RULES["corefud-1.2"].conventions), _figures(*counts, 1)), counts


@pytest.mark.parametrize("rules", sorted(RULES))
def test_blanc(rules: str) -> None:
    """The mean over the kinds of link that somebody has (of the CoNLL scorer: that the key has)."""
    for counts in itertools.product(NUMBERS, repeat=7):
        linked, apart, unmatched = counts[:3], counts[3:6], counts[6]
        if not (_possible(*linked) and _possible(*apart)):
            continue
        kinds = [
            _figures(both, in_key, both, in_response)
            for both, in_key, in_response in (linked, apart)
            if in_key or (in_response and rules != "conll-8.01")
        ]
        expected = [sum(figures, Fraction(0)) / len(kinds) for figures in zip(*kinds, strict=True)]
        if not kinds:
            expected = [Fraction(rules == "corrected" and not unmatched)] * 3
        assert _close(RULES[rules].conventions.blanc(counts), expected), counts
