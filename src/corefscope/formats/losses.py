"""What a format cannot hold: the words for it, and what is written instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ..core.errors import amount

_REFUSED = """
zeros: zero, zeros
  > a zero is dropped, or keeps its words only if it has some
empty_nodes: mention that holds empty nodes, mentions that hold empty nodes
  > mentions lose their empty nodes
places: zero that is not numbered by its place, zeros that are not numbered by their places
  > zeros are counted behind the word that they stand behind
discontinuous: discontinuous mention, discontinuous mentions
  > a discontinuous mention becomes the span from its first to its last word
parts: mention that is not printed in one piece, mentions that are not printed in one piece
  > a mention that is not printed in one piece becomes the part that holds its head
sentences: mention that crosses sentences, mentions that cross sentences
  > a mention that crosses sentences keeps its words in the sentence of its head
crossing: mention that clashes with another of its entity, mentions that clash with another of their entity
  > of mentions of one entity that cross, or of which one begins at the last word of the other, the first is kept
shared: mention that is in several entities, mentions that are in several entities
  > a mention that is in several entities stays in the largest
overlapping: mention that crosses another, mentions that cross others
  > of mentions that cross, the first is kept
repeated: mention that its entity has already, mentions that their entity has already
  > an entity has a mention once
relations: relation to another entity, relations to another entity
  > bridging and split antecedents are left out
links: link that cannot be said, links that cannot be said
  > links to an entity itself, or to or from what is not written, are left out
anchors: anchor that is not the nearest mention, anchors that are not the nearest mention
  > of the anchor of bridging only the entity is written
non_referring: non-referring mention, non-referring mentions
  > non-referring mentions are left out
deixis: mention of discourse deixis, mentions of discourse deixis
  > discourse deixis is left out
minima: minimum (Min), minima (Min)
  > of a minimum the first word is kept, as the head, where heads are kept
heads: head that is not the first word, heads that are not the first word
  > the first word becomes the head
tree_heads: head that the tree does not tell, heads that the tree does not tell
  > the head is the first word that depends on a word outside of the mention
dependencies: zero, zeros
  > a zero is a name like others, without its dependencies
spans: mention of several words, mentions of several words
  > a mention is a name, which only exact match can compare
words: word that cannot be written as it is, words that cannot be written as they are
  > white space in a word becomes '_', and so does a word of nothing
names: document name that cannot be written as it is, document names that cannot be written as they are
  > names get single blanks, and numbers where two would be the same
documents: document without words, documents without words
  > documents without words are left out
"""
"""What is lost only if the user asks for it: scores can change by it. One and many of it, and what is written."""
_NOTED = """
ids: entity id, entity ids
  > entities get other ids
types: entity type, entity types
  > entity types are left out
"""
"""What no score depends on."""
_ENTRY = re.compile(r"^(\w+): (.+), (.+)\n  > (.+)$", re.MULTILINE)


class Loss(NamedTuple):
    """One thing that some format has no place for."""

    name: str
    one: str
    many: str
    instead: str
    """What is written in its place."""
    refuses: bool
    """Whether a score can change by it, under some way of matching, so that it is never lost unasked."""


LOSSES: dict[str, Loss] = {
    name: Loss(name, one, many, instead, refuses)
    for catalogue, refuses in ((_REFUSED, True), (_NOTED, False))
    for name, one, many, instead in _ENTRY.findall(catalogue)
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
        self.counts: Counter[str] = Counter()
        self.entities = 0
        """Entities of which no mention was left."""

    def add(self, name: str, times: int = 1) -> None:
        """Count something that is lost."""
        if times:
            self.counts[name] += times

    @property
    def refused(self) -> dict[str, int]:
        """What must be asked for: by it, scores can change."""
        return {name: self.counts[name] for name, loss in LOSSES.items() if loss.refuses and self.counts[name]}

    @property
    def noted(self) -> dict[str, int]:
        """What the user is only told."""
        return {name: self.counts[name] for name, loss in LOSSES.items() if not loss.refuses and self.counts[name]}

    def listed(self, counts: Mapping[str, int]) -> str:
        """Counts in words."""
        return ", ".join(amount(count, LOSSES[name].one, LOSSES[name].many) for name, count in counts.items())

    def instead(self) -> str:
        """What is written in the place of what was lost."""
        return "; ".join(LOSSES[name].instead for name in self.refused)
