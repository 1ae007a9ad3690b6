"""Heads from dependency trees: the first word of a mention whose parent (HEAD) is outside the mention.

Only words qualify, since empty nodes have no basic dependency; a mention of empty nodes alone has its first node as
head. Where no word qualifies, because the words depend on each other in a cycle, the first word is the head. A parent
that is not a number (``_``) is outside. A response without dependencies has those of the key, word by word.
"""

from __future__ import annotations

from itertools import chain

from ..core.document import Document, Mention
from ..core.positions import MINOR_MASK, SENTENCE_SHIFT
from .corefud.nodes import BasicTree, zero_dependencies

MANY = 12
"""From so many mentions of several words on, it is suspicious that the head of each is its first word."""


class FirstWordHeads:
    """Whether all mentions of a side have their first word as head, as if the head was never set.

    >>> FirstWordHeads().suspicious
    False
    """

    __slots__ = ("_others", "_spans")

    def __init__(self) -> None:
        self._spans = 0
        self._others = False

    def add(self, document: Document) -> None:
        """Look at the mentions of a document, up to the first one with another head."""
        if self._others or document.rows is not None:  # of very many ids, mentions are made only if they are needed
            return
        for mention in chain.from_iterable(document.entities):
            if mention.head != mention.first:
                self._others = True
                return
            self._spans += mention.size > 1

    def merge(self, later: FirstWordHeads) -> None:
        """Add the mentions of later documents."""
        self._spans += later._spans
        self._others = self._others or later._others

    @property
    def suspicious(self) -> bool:
        """Whether many mentions have several words, and all have their first word as head."""
        return self._spans >= MANY and not self._others

    def __str__(self) -> str:
        return (
            f"each of the {self._spans:,} mentions of several words has its first word as head, as if heads were not"
            " set"
        )


def has_trees(document: Document) -> bool:
    """Whether the sentences of a document have dependencies."""
    return not document.sentences or bool(BasicTree(document.sentences[0]))


def with_tree_heads(document: Document, trees: Document | None = None) -> Document:
    """The document with heads of mentions from its basic dependencies, or from those of another over its words."""
    trees = trees or document
    known: dict[int, BasicTree] = {}

    def parent_of(word: int) -> int | None:
        number = word >> SENTENCE_SHIFT
        if number not in known:
            known[number] = BasicTree(trees.sentence_of(word))
        return known[number].parent(word)

    def with_head(mention: Mention) -> Mention:
        positions = mention.positions
        words = [position for position in positions if not position & MINOR_MASK]
        head = words[0] if words else positions[0]
        if len(words) > 1:
            span = set(positions)
            head = next((word for word in words if parent_of(word) not in span), head)
        if head == mention.head:
            return mention
        return mention._replace(head=head, dependencies=zero_dependencies(document.sentence_of(head), head))

    entities = tuple([tuple(map(with_head, entity)) for entity in document.entities])
    return document.replace_entities(range(len(entities)), entities, with_head)
