"""Scores above a baseline: (s − b)/(1 − b), where b is what another response to the same key scores

A response that knows nothing scores more than 0 in most measures. Measured against such a response, it scores 0 and a
perfect one still 1; worse ones are negative. Popescu-Belis (2000), section 4.1.

The other response is trivial or drawn at random (``measures/baselines``); or it is a file, the output of a simple
system, which is read and scored like any response (``formats/adjustments``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import OptionError
from .metrics import METRICS
from .numbers import AnyScore, mean, ratio

BASELINES: dict[str, str] = {
    "none": "the response in which no mentions corefer",
    "all": "the response in which all mentions corefer",
    "random": "random responses with the sizes of the key's entities",
}


FILE = "file"
OF_FILE = rf"{FILE}(-[0-9a-f]{{12}})?"
"""A pattern of what options call a baseline that is a file: by the SHA-256 of its content, once it was read."""


def of_file(digest: str) -> str:
    """What options call a file, or several, of this SHA-256, if it is known.

    >>> of_file("0123456789abcdef")
    'file-0123456789ab'
    """
    return f"{FILE}-{digest[:12]}" if digest else FILE


def comparable(names: Sequence[str], baseline: str) -> tuple[str, ...]:
    """The metrics among these that have a baseline.

    If it is a file, all; if it is made here, those that compare entities and need no words.
    """
    if baseline not in BASELINES:
        return tuple(names)
    fit = tuple(
        name for name in names if METRICS[name].scope.compares_entities and not METRICS[name].scope.needs_words
    )
    if not fit:
        raise OptionError(
            f"no baseline can be made for {', '.join(names)}: only for metrics that compare entities, not words"
        )
    return fit


def above(score: Any, baselines: Sequence[AnyScore], perfect: float = 1.0) -> Any:
    """A score with every figure measured from the mean of the same figure of the baselines.

    An error measure such as D-err, of which 0 is ``perfect``, stays as it is.
    """
    if perfect != 1:
        return score
    means = [mean(figures) for figures in zip(*baselines, strict=True)]
    return type(score)(*map(_from, score, means))


def _from(figure: float, base: float) -> float:
    """(s − b)/(1 − b); where the baseline is perfect, only a perfect score is."""
    return ratio(figure - base, 1 - base, nothing=(figure == base) * 1.0)
