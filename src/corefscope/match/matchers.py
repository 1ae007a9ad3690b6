"""How a mention of the key finds its mention of the response.

``MATCHERS`` is the catalogue: what counts as the same mention, and which other pairs may be matched.
"""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from .candidates import Find, nothing, part_with_head, same_head
from .transform import SAME_WORDS, SAME_WORDS_AND_HEAD, Identity


class Matcher(NamedTuple):
    """One way to match mentions."""

    name: str
    title: str
    identity: Identity
    find: Find
    needs_heads: bool = True
    """Whether it matters which word of a mention is its head."""
    symmetric: bool = True
    """Whether swapping key and response leaves the pairs as they are."""


MATCHERS: dict[str, Matcher] = {
    matcher.name: matcher
    for matcher in (
        Matcher(
            "head",
            "same head word; the best overlap if several mentions share it",
            SAME_WORDS_AND_HEAD,
            Find(same_head, agree_in=attrgetter("head")),
        ),
        Matcher(
            "partial",
            "part of the key mention that holds its head",
            SAME_WORDS,
            Find(part_with_head, parts=True),
            symmetric=False,
        ),
        Matcher("exact", "the same words", SAME_WORDS, Find(nothing), needs_heads=False),
    )
}

ZEROS: dict[str, str] = {
    "dependent": "zeros match by their dependencies first, wherever they stand",
    "linear": "zeros match by their position, like all other mentions",
}
