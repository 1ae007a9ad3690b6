"""How much is tried of what could be tried for ever, decided in one place: hypothesis' profile.

``make test`` tries half of what a test names, ``make test-thorough`` all of it; both the same every time.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def examples(number: int, **others: Any) -> settings:
    """Settings for so many examples of hypothesis."""
    return settings(max_examples=_tried(number), **others)


def seeds(number: int) -> range:
    """So many seeds of tests that draw their examples themselves."""
    return range(_tried(number))


def _tried(number: int) -> int:
    return number * settings().max_examples // 100
