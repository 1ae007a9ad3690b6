"""The clusters that were read, as the cases of ``golden/llm`` name them: numbers of words, ``z2``, ``x7``."""

from __future__ import annotations

from corefscope.core.document import Document
from corefscope.core.positions import MINOR_MASK, node_name

Place = int | str
Clusters = set[frozenset[tuple[Place, Place]]]


def clusters_read(document: Document, key: Document) -> Clusters:
    """A number is a word of the document, ``z2`` the second empty node of the key, ``x7`` a new one behind word 7."""
    names: dict[int, Place] = {}
    words = zeros = 0
    for sentence, of_key in zip(document.sentences, key.sentences, strict=True):
        known = set(of_key.empty)
        for node in sorted(sentence.nodes):
            if not node & MINOR_MASK:
                words += 1
                names[node] = words
            elif node_name(node) in known:
                zeros += 1
                names[node] = f"z{zeros}"
            else:
                names[node] = f"x{words}"
    return {frozenset((names[mention.first], names[mention.last]) for mention in each) for each in document.entities}
