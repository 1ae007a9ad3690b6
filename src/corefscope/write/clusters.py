"""Clusters: one JSON object, in which each document has its entities, and each entity the names of its mentions.

The name of a mention is its position: ``2:3-5`` is word 3 to 5 of the second sentence of the document, ``2:3-5,8``
has a gap, and ``2:3.1`` is an empty node. So mentions of the same words have the same name in all files over a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..base.document import Document
from ..base.mention import Mention
from ..base.positions import MINOR_MASK, NEXT_WORD, SENTENCE_SHIFT, id_at, node_name
from ..read.jsonl.fields import CLUSTER_FIELDS
from .ids import distinct
from .jsonl import dumped
from .losses import Losses
from .words import Origin


def clean_name(name: str) -> str:
    """The name of a document cannot be that of a field of clusters.

    >>> clean_name("nw/1"), clean_name("clusters")
    ('nw/1', 'clusters_')
    """
    return name + "_" * (name in CLUSTER_FIELDS)


def write(documents: Iterable[Document], _: Origin, losses: Losses) -> Iterator[str]:
    """The object, one document a line."""
    before = "{\n"
    for document in documents:
        entities = dict(zip(distinct(document, losses), _names(document), strict=True))
        yield f"{before}{dumped(document.id)}: {dumped(entities)}"
        before = ",\n"
    yield "\n}\n" if before != "{\n" else "{}\n"


def _names(document: Document) -> list[list[Any]]:
    """The names of the mentions of each entity; ids that were read are written as they were."""
    if not document.sentences:
        return [[json.loads(id_at(mention.head)) for mention in entity] for entity in document.entities]
    sentences = {sentence.number: index for index, sentence in enumerate(document.sentences, 1)}
    return [[mention_name(mention, sentences) for mention in entity] for entity in document.entities]


def mention_name(mention: Mention, sentences: Mapping[int, int]) -> str:
    """The name of a mention; ``sentences`` maps numbers of sentences in the file to those in the document.

    >>> from corefscope.base.positions import position
    >>> words = (position(9, 3), position(9, 4), position(9, 4, 1), position(9, 5), position(10, 1))
    >>> mention_name(Mention(words, words[0]), {9: 1, 10: 2})
    '1:3-4,4.1,5,2:1'
    """
    parts: list[list[int]] = []  # first and last word of each, or one word or empty node
    for place in dict.fromkeys(mention.positions):
        if parts and place == parts[-1][-1] + NEXT_WORD and not place & MINOR_MASK:
            parts[-1][1:] = [place]
        else:
            parts.append([place])
    names = []
    previous = -1
    for part in parts:
        sentence = part[0] >> SENTENCE_SHIFT
        prefix = f"{sentences[sentence]}:" if sentence != previous else ""
        names.append(prefix + "-".join(map(node_name, part)))
        previous = sentence
    return ",".join(names)
