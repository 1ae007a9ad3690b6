"""Cells of CoNLL-UA files: brackets around markables, and bridging links; in all spellings that are met.

Openings are ``(name=value|…``, closings ``)``, and a bracket that closes at once is a markable of one word. ``@`` may
stand between brackets; a closing may name its markable, as ``m1)``, and may come after what its cell opens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

CHUNK = re.compile(r"\(([^()]*)(\)?)|([^()]*)\)|([^()]+)")
FIELD = re.compile(r"([^|=]*)=([^|]*)")
SEPARATOR = "@"
EMPTY = ("_", "")
NAMES = {"mentionid": "markableid"}
"""Fields that have several names, without ``_`` and in small letters."""
Fields = dict[str, str]


class Chunk(NamedTuple):
    """One bracket of a cell, or both around one word."""

    kind: str
    """``single``, ``opening``, ``closing``, or ``text`` for what is no bracket."""
    text: str
    """What stands in it; of a closing bracket, the id of the markable if it names it."""


@lru_cache(maxsize=1 << 12)
def chunks(cell: str) -> tuple[Chunk, ...]:
    """The brackets of a cell, from left to right.

    >>> [tuple(chunk) for chunk in chunks(")(EntityID=1)@(EntityID=2")]
    [('closing', ''), ('single', 'EntityID=1'), ('opening', 'EntityID=2')]
    >>> [tuple(chunk) for chunk in chunks("m1)m2)")]
    [('closing', 'm1'), ('closing', 'm2')]
    """
    return tuple(_chunks(cell))


def _chunks(cell: str) -> Iterator[Chunk]:
    for match in CHUNK.finditer(cell):
        text = (match[1] or match[3] or match[4] or "").strip(SEPARATOR)
        if match[0][0] == "(":
            yield Chunk("single" if match[2] else "opening", text)
        elif match[0][-1] == ")":
            yield Chunk("closing", text)
        elif text:
            yield Chunk("text", text)


def fields(text: str) -> Fields:
    """The fields of a bracket, whatever their names look like; what has no ``=`` is none.

    >>> fields("EntityId=1|Markable_ID=m1|Min=3,4|new")
    {'entityid': '1', 'markableid': 'm1', 'min': '3,4'}
    """
    return {meaning(name): value.strip() for name, value in FIELD.findall(text)}


@lru_cache(maxsize=1 << 8)
def meaning(name: str) -> str:
    """What a field is, whatever its name looks like."""
    plain = name.strip().replace("_", "").lower()
    return NAMES.get(plain, plain)


def links(cell: str) -> list[Fields]:
    """The bridging links of a cell, with brackets or without.

    >>> [link["mentionanchor"] for link in links("(MarkableID=m3|MentionAnchor=m1)MarkableID=m4|MentionAnchor=m2")]
    ['m1', 'm2']
    """
    texts = [part for chunk in chunks(cell) for part in chunk.text.split(SEPARATOR)]
    return [named for text in texts if (named := fields(text))]


def listed(value: str) -> list[str]:
    """The items of a value such as ``1,2``.

    >>> listed("1, 2"), listed("")
    (['1', '2'], [])
    """
    return [item for part in value.split(",") if (item := part.strip()) not in EMPTY]
