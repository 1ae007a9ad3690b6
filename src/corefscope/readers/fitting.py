"""Key and response that say the same in different ways: sentences that one side does not know, empty documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..document import Document
from ..errors import Warnings
from .catalogue import DocumentReader
from .spans import cut_like

UNNAMED = re.compile(r"#[0-9]+")


def same_name(key: str, response: str) -> bool:
    """Whether documents at the same place may be the same: a document that has no name may be any.

    >>> same_name("a", "a"), same_name("#1", "a"), same_name("b", "a")
    (True, True, False)
    """
    return key == response or any(map(UNNAMED.fullmatch, (key, response)))


def with_same_sentences(key: Document, response: Document) -> tuple[Document, Document]:
    """Both with the sentences of the side that has more of them, if the words are the same.

    Numbers of sentences must agree, too: where a document was cut anew, those of all later ones are shifted.
    """
    shapes = [[(sentence.number, len(sentence.words)) for sentence in side.sentences] for side in (key, response)]
    if shapes[0] == shapes[1]:
        return key, response
    if len(shapes[0]) >= len(shapes[1]):
        return key, cut_like(response, key.sentences) or response
    return cut_like(key, response.sentences) or key, response


def by_name(key: DocumentReader, response: DocumentReader, warnings: Warnings) -> Iterator[tuple[Document, Document]]:
    """Documents that are sorted by name on both sides; one that a side lacks is empty there.

    A table cannot say that a document has no mentions.
    """
    readers, sides = (key, response), [iter(key), iter(response)]
    heads = [next(side, None) for side in sides]
    while any(heads):
        name = min(document.id for document in heads if document is not None)
        pair = []
        for at, document in enumerate(heads):
            if document is not None and document.id == name:
                pair.append(document)
                heads[at] = next(sides[at], None)
            else:
                source = readers[at].source.name
                warnings.add("absent", source, 0, f"document {name!r} is not there: taken for empty")
                pair.append(Document(name, (), path=source))
        yield pair[0], pair[1]
