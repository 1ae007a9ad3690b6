"""Checks on documents of any format: spans that stand twice, mentions of one entity that overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...base.document import Document, Entity
from ...base.mention import Mention, same_words
from ...base.positions import MINOR_MASK, SENTENCE_SHIFT, WORD_SHIFT, node_name
from .problems import Problems, quoted

NEAR = 20  # how many mentions of the same entity that overlap a mention are compared with it


class Guide(NamedTuple):
    """How to tell people where mentions are."""

    line_of: Callable[[int], int]
    """The line on which a word stands."""
    shown: Callable[[Mention], str]
    """A mention in words."""


def check_document(document: Document, guide: Guide, problems: Problems, headless: bool) -> None:
    """Note what is odd about the mentions of a document.

    ``headless``: brackets delimit them, and no heads tell whether those that are read as nested were meant to cross.
    """
    owners: dict[object, int] = {}
    for number, entity in enumerate(document.entities):
        name = _name(document, number)
        for mention in entity:
            owner = owners.setdefault(same_words(mention), number)
            if owner != number:
                message = f"{name} holds {guide.shown(mention)}, as {_name(document, owner)} does"
                problems.add("span-in-two-entities", guide.line_of(mention.first), message)
        if len(entity) > 1:
            _check_entity(entity, name, guide, problems, headless)


def _check_entity(entity: Entity, name: str, guide: Guide, problems: Problems, headless: bool) -> None:
    distinct: dict[object, Mention] = {}
    for mention in entity:
        if same_words(mention) in distinct:
            message = f"{name} holds {guide.shown(mention)} twice"
            problems.add("repeated-mention", guide.line_of(mention.first), message)
        distinct.setdefault(same_words(mention), mention)
    for outer, inner in _overlapping(distinct.values()):
        common = outer.common(inner)
        if common in (outer.distinct, inner.distinct):
            if headless and _could_cross(outer, inner):
                message = f"{name} holds {guide.shown(inner)} inside {guide.shown(outer)}"
                problems.add("ambiguous-nesting", guide.line_of(inner.first), message)
        elif common:
            message = f"{name} holds {guide.shown(inner)}, which crosses {guide.shown(outer)}"
            problems.add("crossing-mentions", guide.line_of(inner.first), message)


def _overlapping(mentions: Iterable[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Each mention with the nearest ones before it that reach into it, as (earlier, later)."""
    active: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.first, -mention.size)):
        active = [other for other in active[-NEAR:] if other.last >= mention.first]
        yield from ((other, mention) for other in active)
        active.append(mention)


def _could_cross(outer: Mention, inner: Mention) -> bool:
    """Whether the same four brackets could have been meant as two mentions that cross."""
    nested = outer.first < inner.first < inner.last < outer.last
    return nested and _unbroken(outer) and _unbroken(inner)


def _unbroken(mention: Mention) -> bool:
    """Whether no word is left out between the first and the last, empty nodes aside."""
    runs = [run for run in mention.runs if not run[0] & MINOR_MASK] if mention.broken else []
    words = sum([(last - first >> WORD_SHIFT) + 1 for first, last in runs])
    return not runs or (runs[-1][1] - runs[0][0] >> WORD_SHIFT) + 1 == words


def _name(document: Document, number: int) -> str:
    return f"entity {quoted(document.entity_ids[number])}" if document.entity_ids else f"entity {number + 1}"


def span_name(mention: Mention) -> str:
    """The words of a mention by their numbers."""
    first, last = mention.first, mention.last
    if first == last:
        return f"word {node_name(first)}"
    further = "" if first >> SENTENCE_SHIFT == last >> SENTENCE_SHIFT else " of a later sentence"
    parts = "" if further or _unbroken(mention) else " (in parts)"
    return f"words {node_name(first)} to {node_name(last)}{further}{parts}"
