"""JSON that a model has printed: words, and mentions by the numbers of their words, as in the CRAC task of 2026.

Whatever stands around the documents is left alone. Their fields are read as those of jsonlines are; ``##`` and a form
is a zero. A mention that has no words in the document is dropped like one that has none in the key.
"""

from __future__ import annotations

import re
from itertools import chain

from ..jsonl.fields import CLUSTER_FIELDS, read_fields
from ..jsonl.json_text import JsonError, only_value, value_at
from ..jsonl.spans import checked
from ..jsonl.words import has_words
from .events import Word, Zero
from .lexing import ZERO
from .tags import Lexed, TaggedSpan

_OBJECT = re.compile(r"\{")


def documents(text: str) -> list[str]:
    """The JSON objects of a text that have words and clusters."""
    found = []
    at = 0
    while start := _OBJECT.search(text, at):
        at = start.end()
        try:
            value, begin, end, _ = value_at(text, start.start())
        except JsonError:
            continue
        if has_words(value) and any(name in value for name in CLUSTER_FIELDS):
            found.append(text[begin:end])
            at = end
    return found


def lexed(text: str, repair: str = "") -> Lexed:
    """The words and zeros of a document, and its mentions; the id of an entity is the number of its cluster."""
    reading = read_fields(only_value(text), "response", repair)
    forms = list(chain.from_iterable(reading.sentences))
    items = [
        Zero(form[len(ZERO) :], number) if form.startswith(ZERO) else Word(form, number)
        for number, form in enumerate(forms)
    ]
    spans = [
        TaggedSpan(str(number), *_within(first, last - reading.exclusive, len(items)), 0)
        for number, cluster in enumerate(checked(reading.clusters, 2, reading.field))
        for first, last in cluster
    ]
    return Lexed(items, spans, [])


def _within(first: int, last: int, size: int) -> tuple[int, int]:
    """The same numbers, if there are such items; else those of nothing."""
    return (first, last) if 0 <= first <= last < size else (min(max(first, 0), size), -1)
