"""What printed text consists of, in every style: words, zeros, and tags that open and close mentions.

``at`` is the offset in the text of the document, for messages.
"""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A word as it was printed."""

    form: str
    at: int


class Zero(NamedTuple):
    """An empty node, ``##`` and its form if it has one."""

    form: str
    at: int


class Open(NamedTuple):
    """A mention begins before the next word or zero; without an id, the tag that closes it says whose it is."""

    id: str
    at: int


class Close(NamedTuple):
    """A mention ends behind the last word or zero: that of this id that was opened last."""

    id: str
    at: int
    innermost: bool = False
    """Whether it closes what was opened last, whatever it is, and gives it this id."""


class Unreadable(NamedTuple):
    """What is no word and, because it was cut off or mangled, no tag either."""

    text: str
    at: int


Event = Word | Zero | Open | Close | Unreadable
