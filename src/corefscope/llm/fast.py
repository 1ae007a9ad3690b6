"""Fast reading of exact copies: the same mentions as the general reader, or None."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ..core.positions import SENTENCE_SHIFT
from .lexer import ID, ZERO
from .skeleton import Entities
from .styles import STYLES, may_look_like_tags, undisguise

STYLE = STYLES["crac"]
"""The style of the copies that are read here."""
_TAG = rf"(?:\[{ID}\]?|{ID}\])"
_TAGS = re.compile(rf"\|({_TAG}(?:,{_TAG})*)")


class ExactCopy(NamedTuple):
    """Mentions of a copy, as numbers of their first and last words."""

    entities: Entities
    mentions: int
    tagged: int
    """Number of words with tags."""


def exact_copy(text: str, forms: Sequence[str]) -> ExactCopy | None:
    """Read a text that is exactly these words with well-formed tags in the style ``crac``, and has some.

    No word may contain a character of tags. Then no other style has closing tags, or leaves more words of the key
    and fewer others, so that the text is also recognised to be of this style. None if a mention is open at the end,
    or occurs twice in an entity.

    >>> exact_copy("Ann|[e1] met her|[e1],[e2 dog|e2]", ["Ann", "met", "her", "dog"])
    ExactCopy(entities={'e1': {(0, 0): None, (2, 2): None}, 'e2': {(2, 3): None}}, mentions=3, tagged=3)
    """
    items = text.split()
    if len(items) != len(forms) or ZERO in text or may_look_like_tags(forms) or undisguise(text) != text:
        return None
    entities: Entities = {}
    opened: dict[str, list[int]] = {}
    mentions = tagged = 0
    for number, (item, form) in enumerate(zip(items, forms, strict=True)):
        if item == form:
            continue
        tags = _read_tags(item[len(form) :]) if item.startswith(form) else None
        if tags is None:
            return None
        tagged += 1
        for id_ in tags.opened:
            opened.setdefault(id_, []).append(number)
        for id_ in tags.closed:
            starts = opened.get(id_)
            if not starts:
                return None
            span = starts.pop(), number
            spans = entities.setdefault(id_, {})
            if span in spans:
                return None
            spans[span] = None
            mentions += 1
    return ExactCopy(entities, mentions, tagged) if tagged and not any(opened.values()) else None


class _WordTags(NamedTuple):
    """Ids of the mentions that begin and end at a word."""

    opened: list[str]
    closed: list[str]


@lru_cache(maxsize=1 << 12)
def _read_tags(text: str) -> _WordTags | None:
    """Read what follows a word; None if these are not well-formed tags, or an id may also be spelt otherwise."""
    match = _TAGS.fullmatch(text)
    if match is None or text != text.casefold():
        return None
    tags = match[1].split(",")
    opened, closed = ([tag.strip("[]") for tag in tags if tag[end] == sign] for end, sign in ((0, "["), (-1, "]")))
    return _WordTags(opened, closed)


def placed_copy(copy: ExactCopy, places: Sequence[int]) -> Entities | None:
    """The entities with the positions of words; None if a mention runs over the end of a sentence."""
    entities = {
        id_: {(places[first], places[last]): None for first, last in spans} for id_, spans in copy.entities.items()
    }
    spans = chain.from_iterable(entities.values())
    return entities if all(first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT for first, last in spans) else None
