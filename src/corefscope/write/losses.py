"""What a format cannot hold, by name: how it is called, and what is written in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..base.errors import amount


class Loss(NamedTuple):
    """One thing that some format has no place for."""

    name: str
    one: str
    many: str
    instead: str
    """What is written in its place."""
    refuses: bool = True
    """Whether a score can change by it, under some way of matching, so that it is never lost unasked."""


LOSSES: dict[str, Loss] = {
    row.name: row
    for row in (
        Loss("zeros", "zero", "zeros", "a zero is dropped, or keeps its words only if it has some"),
        Loss(
            "empty_nodes",
            "mention that holds empty nodes",
            "mentions that hold empty nodes",
            "mentions lose their empty nodes",
        ),
        Loss(
            "discontinuous",
            "discontinuous mention",
            "discontinuous mentions",
            "a discontinuous mention becomes the span from its first to its last word",
        ),
        Loss(
            "sentences",
            "mention that crosses sentences",
            "mentions that cross sentences",
            "a mention that crosses sentences keeps its words in the sentence of its head",
        ),
        Loss(
            "crossing",
            "mention that crosses another of its entity",
            "mentions that cross another of their entity",
            "of mentions of one entity that cross, the first is kept",
        ),
        Loss(
            "heads",
            "head that is not the first word",
            "heads that are not the first word",
            "the first word becomes the head",
        ),
        Loss("dependencies", "zero", "zeros", "a zero is a name like others, without its dependencies"),
        Loss(
            "spans",
            "mention of several words",
            "mentions of several words",
            "a mention is a name, which only exact match can compare",
        ),
        Loss(
            "words",
            "word that cannot be written as it is",
            "words that cannot be written as they are",
            "white space in a word becomes '_', and so does a word of nothing",
        ),
        Loss(
            "names",
            "document name that cannot be written as it is",
            "document names that cannot be written as they are",
            "names get single blanks, and numbers where two would be the same",
        ),
        Loss(
            "documents", "document without words", "documents without words", "documents without words are left out"
        ),
        Loss("ids", "entity id", "entity ids", "entities get other ids", refuses=False),
        Loss("types", "entity type", "entity types", "entity types are left out", refuses=False),
    )
}


class Losses:
    """How often each thing was lost.

    >>> losses = Losses()
    >>> losses.add("zeros", 1200)
    >>> losses.add("heads")
    >>> losses.add("types", 2)
    >>> losses.listed(losses.refused)
    '1,200 zeros, 1 head that is not the first word'
    >>> losses.noted
    {'types': 2}
    """

    __slots__ = ("counts", "entities")

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.entities = 0
        """Entities of which no mention was left."""

    def add(self, name: str, times: int = 1) -> None:
        """Count something that is lost."""
        if times:
            self.counts[name] = self.counts.get(name, 0) + times

    @property
    def refused(self) -> dict[str, int]:
        """What must be asked for: by it, scores can change."""
        return {name: self.counts[name] for name, loss in LOSSES.items() if name in self.counts and loss.refuses}

    @property
    def noted(self) -> dict[str, int]:
        """What is merely said."""
        return {name: self.counts[name] for name, loss in LOSSES.items() if name in self.counts and not loss.refuses}

    def listed(self, counts: Mapping[str, int]) -> str:
        """Counts in words."""
        named = ((LOSSES[name], count) for name, count in counts.items())
        return ", ".join(amount(count, loss.one, loss.many) for loss, count in named)

    def instead(self) -> str:
        """What is written in the place of what was lost."""
        return "; ".join(LOSSES[name].instead for name in self.refused)
