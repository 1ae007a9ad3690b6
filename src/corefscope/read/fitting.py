"""Key and response that say the same in different ways: sentences that one side does not know, empty documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base.document import Document
from ..base.errors import AlignmentError, Side, Warnings
from .formats import DocumentReader
from .jsonl.spans import cut_like

UNNAMED = re.compile(r"#[0-9]+")
PART = re.compile(r"(.*); part ([0-9]+)", flags=re.DOTALL)


def same_name(key: str, response: str) -> bool:
    """Whether documents at the same place may be the same.

    A document that has no name may be any, and the part of a document is told in several ways.

    >>> same_name("a", "a"), same_name("#1", "a"), same_name("b", "a")
    (True, True, False)
    >>> same_name("a; part 003", "a_3"), same_name("a; part 000", "a"), same_name("a; part 001", "a")
    (True, True, False)
    """
    return not _spellings(key).isdisjoint(_spellings(response)) or any(map(UNNAMED.fullmatch, (key, response)))


def _spellings(name: str) -> set[str]:
    """What a document may be called besides: ``a; part 000`` is ``a_0`` to others, or only ``a``."""
    found = PART.fullmatch(name)
    if not found:
        return {name}
    part = found[2].lstrip("0")
    return {name, f"{found[1]}_{part or 0}", *(() if part else (found[1],))}


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
    names = key.names, response.names
    if len(names[0]) == len(names[1]) == 1 and same_name(names[0][0], names[1][0]):
        yield next(iter(key)), next(iter(response))
        return
    if not set(names[0]) & set(names[1]):
        raise AlignmentError(
            "has no document of {key}: {first!r} is its first, {key_first!r} that of {key_file}",
            key=Side(key.source.name),
            response=Side(response.source.name),
            hint="documents must be called the same on both sides",
            facts={"first": names[1][0], "key_first": names[0][0], "key_file": key.source.name},
        )
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
