"""Heads from dependency trees: the first word of a mention whose parent (HEAD) is outside the mention.

Only words qualify, since empty nodes have no basic dependency; a mention of empty nodes alone has its first node as
head. Where no word qualifies, because the words depend on each other in a cycle, the first word is the head. A parent
that is not a number (``_``) is outside. A response without dependencies has those of the key, word by word.
"""

from __future__ import annotations

from ..core.document import Document, Mention
from ..core.positions import MINOR_MASK, SENTENCE_SHIFT


def has_trees(document: Document) -> bool:
    """Whether the sentences of a document have dependencies."""
    from .corefud.nodes import parents

    return not document.sentences or bool(parents(document.sentences[0]))


def with_tree_heads(document: Document, trees: Document | None = None) -> Document:
    """The document with heads of mentions from its basic dependencies, or from those of another over its words."""
    from .corefud.nodes import parents, zero_dependencies

    trees = trees or document
    known: dict[int, dict[int, int | None]] = {}

    def parent_of(word: int) -> int | None:
        number = word >> SENTENCE_SHIFT
        if number not in known:
            known[number] = parents(trees.sentence_of(word))
        return known[number].get(word)

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
