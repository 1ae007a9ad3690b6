"""jsonlines: one object a line, mentions as inclusive numbers of words in the document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ...core.document import Document
from ..losses import Losses
from ..sentences import forms_of
from ..writing import Origin, word_positions


def clean_name(name: str) -> str:
    """A name cannot be nothing."""
    return name or "_"


def write(documents: Iterable[Document], origin: Origin, losses: Losses) -> Iterator[str]:
    """The line of each document."""
    for document in documents:
        number = {place: number for number, place in enumerate(word_positions(document))}
        if not origin.same_format:
            losses.add("ids", len(document.entity_ids))
        sentences = [list(forms_of(sentence)) for sentence in document.sentences]
        clusters = [
            [[number[mention.first], number[mention.last]] for mention in entity] for entity in document.entities
        ]
        keeps_names = origin.same_format and not document.local_ids  # the clusters were an object
        named = dict(zip(document.entity_ids, clusters, strict=True)) if keeps_names else clusters
        yield dumped({"doc_key": document.id, "sentences": sentences, "clusters": named}) + "\n"


def dumped(value: object) -> str:
    """JSON in one line; characters as they are, unless some cannot be written in UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
