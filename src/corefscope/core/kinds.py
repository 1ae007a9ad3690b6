"""Kinds of mentions: ``pronoun,zero``, or ``upos=NOUN,PROPN`` for the part of speech of the head."""

from __future__ import annotations

import re

from .document import TYPES
from .errors import OptionError

UPOS = "upos="


def kinds_in(only: str) -> tuple[str, ...]:
    """The types of mentions, or the tags, that are listed; OptionError if there is no such type.

    >>> kinds_in("pronoun,zero"), kinds_in("upos=NOUN,PROPN")
    (('pronoun', 'zero'), ('NOUN', 'PROPN'))
    """
    kinds = tuple(kind.strip() for kind in only.removeprefix(UPOS).split(","))
    if only.startswith(UPOS):
        if not all(re.fullmatch(r"[A-Za-z_]+", kind) for kind in kinds):
            raise OptionError(f"only {only!r} is no list of UPOS tags: write upos=NOUN or upos=NOUN,PROPN")
        return kinds
    if unknown := [kind for kind in kinds if kind not in TYPES]:
        raise OptionError.unknown("kind of mention", unknown, (*TYPES, UPOS + "TAG"))
    return kinds


def needs_upos(only: str) -> bool:
    """Whether the kinds cannot be told without parts of speech: all but zeros."""
    return kinds_in(only) != ("zero",)
