"""JSON that a model has printed: words, and mentions by the numbers of their words, as in the CRAC task of 2026.

Whatever stands around the documents is left alone. Their fields are read as those of jsonlines are; ``##`` and a form
is a zero. A mention that has no words in the document is dropped like one that has none in the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from ..jsonl.fields import CLUSTER_FIELDS, read_fields
from ..jsonl.json_text import JsonError, JsonValue, line_at, value_at
from ..jsonl.spans import checked
from ..jsonl.strings import told
from ..jsonl.words import has_words
from .events import Word, Zero
from .lexing import ZERO
from .tags import Lexed, TaggedSpan

_OBJECT = re.compile(r'\{(?=\s*"(?:[^"\\]|\\.){0,999}"\s*:)')
_WORDS = re.compile(r'"(?:tokens|sentences)"\s*:')
NEAR = 1000
"""Characters in which the words of an object begin, if nobody knows where its fault is."""


def documents(text: str, faults: dict[int, str] | None = None) -> list[tuple[int, str]]:
    """The JSON objects of a text that have words and clusters, each with the number of its first line.

    ``faults`` gets those that have words but are no JSON: where the fault is, and what it is.
    """
    found = []
    line, before = 1, 0
    for _, start, end, _ in _objects(text, faults):
        line, before = line_at(text[before:start], start, line), start
        found.append((line, text[start:end]))
    return found


def _objects(text: str, faults: dict[int, str] | None = None) -> Iterator[JsonValue]:
    at = 0
    while start := _OBJECT.search(text, at):
        at = start.end()
        try:
            found = value_at(text, start.start())
        except JsonError as error:
            stop = error.offset if error.offset >= at else at + NEAR
            if faults is not None and error.offset not in faults and _WORDS.search(text, at, stop):
                faults[error.offset] = error.message
            continue
        if has_words(found.value) and any(found.value.get(name) is not None for name in CLUSTER_FIELDS):
            yield found
            at = found.end


def lexed(text: str, repair: str = "") -> Lexed:
    """The words and zeros of a document, and its mentions; the id of an entity is the number of its cluster.

    If a document comes in several objects, these follow each other, and their entities have nothing to do with each
    other.
    """
    items: list[Word | Zero] = []
    spans: list[TaggedSpan] = []
    notes: list[str] = []
    for part, (fields, start, *_) in enumerate(_objects(text)):
        reading = read_fields(fields, "response", repair)
        notes += filter(None, [told(reading)])
        before = len(items)
        for form in chain.from_iterable(reading.sentences):
            is_zero = form.startswith(ZERO)
            items.append(Zero(form[len(ZERO) :], start) if is_zero else Word(form, start))
        prefix = f"{part}_" if part else ""
        for number, cluster in enumerate(checked(reading.clusters, 2, reading.field)):
            for first, last in cluster:
                opens, closes = _within(first, last - reading.exclusive, len(items) - before)
                spans.append(TaggedSpan(f"{prefix}{number}", before + opens, before + closes, start))
    return Lexed(items, spans, [], tuple(notes))


def _within(first: int, last: int, size: int) -> tuple[int, int]:
    """The same numbers, if there are such items; else those of nothing at all."""
    return (first, last) if 0 <= first <= last < size else (min(max(first, 1), size), 0)
