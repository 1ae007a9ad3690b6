"""Spellings of one word: what is left of it without case, kinds of quotes and dashes, ``_`` and blanks."""

from __future__ import annotations

import unicodedata

SAME = 0
CHANGED = 10
"""Another spelling of the same word."""
OTHER = 100
"""A word that begins and ends with other letters."""
_LONG = 16
"""Letters of a word that are worth comparing at once."""

_QUOTES = dict.fromkeys(map(ord, "‘’‚‛`´′ʼ"), "'") | dict.fromkeys(map(ord, "“”„‟«»″"), '"')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_NOTHING = dict.fromkeys(map(ord, "_ \t\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_ALIKE = {**_QUOTES, **_DASHES, **_NOTHING}
_LONGER = {
    "''": '"',
    "--": "-",
    "---": "-",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}


def folded(word: str) -> str:
    """What all spellings of a word share; a word that consists of nothing else stays as it is.

    >>> folded("New_York"), folded("“"), folded("-LRB-"), folded("…"), folded("_")
    ('newyork', '"', '(', '...', '_')
    """
    plain = word if word.isascii() else unicodedata.normalize("NFKC", word)
    plain = plain.casefold().translate(_ALIKE)
    return _LONGER.get(plain, plain) or word


def difference(first: str, second: str) -> int:
    """From 0 to ``OTHER``: the share of two folded words that is not in their common beginning and end.

    >>> difference("dog", "dogs"), difference("dog", "cat")
    (15, 100)
    """
    shorter = min(len(first), len(second))
    begins = 0 if shorter < _LONG else _surely_alike(first, second)
    while begins < shorter and first[begins] == second[begins]:
        begins += 1
    rest = shorter - begins
    ends = 0 if rest < _LONG else _surely_alike(first[: -rest - 1 : -1], second[: -rest - 1 : -1])
    while ends < rest and first[-1 - ends] == second[-1 - ends]:
        ends += 1
    return OTHER - 2 * OTHER * (begins + ends) // (len(first) + len(second))


def _surely_alike(first: str, second: str) -> int:
    """How many letters long words begin with in common, or a few less: many are compared at a time."""
    shorter = min(len(first), len(second))
    alike, step = 0, _LONG
    while step <= shorter - alike and first[alike : alike + step] == second[alike : alike + step]:
        alike += step
        step *= 2
    while step > _LONG:
        step //= 2
        if step <= shorter - alike and first[alike : alike + step] == second[alike : alike + step]:
            alike += step
    return alike


def word_cost(printed: str, key: str) -> int:
    """What it costs to take one word for the other.

    >>> word_cost("Dog", "Dog"), word_cost("dog", "Dog"), word_cost("Hound", "Dog")
    (0, 10, 100)
    """
    if printed == key:
        return SAME
    first, second = folded(printed), folded(key)
    return CHANGED if first == second else max(CHANGED, difference(first, second))
