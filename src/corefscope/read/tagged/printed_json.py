"""JSON that a model has printed: words, and mentions by the numbers of their words, as in the CRAC task of 2026.

Whatever stands around the documents is left alone; of those that are cut off or otherwise no JSON, what is whole is
read. Their fields are read as those of jsonlines are; ``##`` and a form
is a zero. A mention that has no words in the document is dropped like one that has none in the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from ..jsonl.fields import CLUSTER_FIELDS, LIST_HINT, has_words, read_fields
from ..jsonl.json_text import JsonError, refuse, salvaged, shortened, value_at
from ..jsonl.spans import checked
from ..jsonl.strings import OFFSETS, STRINGS, told
from .documents import PrintedLine
from .events import Word, Zero
from .lexing import ZERO
from .styles import STYLES
from .tags import Lexed, TaggedSpan

_OBJECT = re.compile(r"""\{(?=\s*(?:"(?:[^"\\]|\\.){0,999}"|'\w{0,99}')\s*:)""")
_WORDS = re.compile(r"""["'](?:tokens|sentences)["']\s*:""")
NEAR = 1000
"""Characters in which the words of an object begin, wherever its fault is."""
LEFT_OUT = "this document is left out"
_TRIES = 8
"""How many times its length a text is searched for what can be salvaged."""


class _Object(NamedTuple):
    """The fields of a document, where it begins and ends in the text, and how many mentions it lost."""

    fields: dict[str, Any]
    start: int
    end: int
    cut: int = 0


def in_json(text: str, faults: dict[int, str]) -> tuple[list[PrintedLine], str]:
    """The documents of a text that are in JSON, and the text without them; for ``faults`` see :func:`_objects`."""
    style = STYLES["json"]
    if not re.search(style.looks_like, text):
        return [], text
    found: list[PrintedLine] = []
    rest: list[str] = []
    line, before = 1, 0
    for _, start, end, _ in _objects(text, faults):
        rest.append(text[before:start] + "\n" * text.count("\n", start, end))
        line += text.count("\n", before, start)
        found.append(PrintedLine(line, text[start:end], style=style))
        line, before = line + text.count("\n", start, end), end
    return found, "".join([*rest, text[before:]])


def _objects(text: str, faults: dict[int, str] | None = None) -> Iterator[_Object]:
    """The objects that have words and clusters, and what is whole of those that are no JSON.

    ``faults`` gets what is wrong with those that have words: where, what, and what is done about it.
    """
    at, tries = 0, _TRIES * len(text)
    while start := _OBJECT.search(text, at):
        at = start.end()
        found: _Object | None
        fault: JsonError | None = None
        try:
            value, begin, end, _ = value_at(text, start.start())
            found = _Object(value, begin, end)
        except JsonError as error:
            words = _WORDS.search(text, at, max(error.offset, at + NEAR)) if tries > 0 else None
            if words is None:
                continue
            found, fault = _salvaged(text, start.start()), error
            tries -= (found.end if found else len(text)) - at
            if not found and words.end() > error.offset >= at:
                continue
        kept = found is not None and has_words(found.fields) and _has_clusters(found.fields)
        if fault and faults is not None and fault.offset not in faults:
            done = "what is whole before or around it is read" if kept else LEFT_OUT
            faults[fault.offset] = f"{fault.message}: {done}"
        if found and kept:
            yield found
            at = found.end


def _salvaged(text: str, start: int) -> _Object | None:
    """What is whole of an object that is no JSON; without clusters, if it ends before them."""
    found = salvaged(text, start)
    fields = found.value
    if not found.clear or not has_words(fields):
        return None
    cut = max(found.cut, int(not found.whole))
    if not found.whole and not _has_clusters(fields):
        fields[OFFSETS] = []
    if STRINGS in fields and fields.get(OFFSETS) is not None:
        fields[STRINGS] = _completed(fields)
    return _Object(fields, start, found.end, cut)


def _has_clusters(fields: dict[str, Any]) -> bool:
    return any(fields.get(name) is not None for name in CLUSTER_FIELDS)


def _completed(fields: dict[str, Any]) -> Any:
    """The strings of mentions as far as there are mentions; where they are cut off, the words there."""
    offsets, strings, tokens = fields[OFFSETS], fields[STRINGS], fields.get("tokens")
    lists = (offsets, strings, tokens, *(offsets if isinstance(offsets, list) else ()))
    if not all(isinstance(each, list) for each in (*lists, *(strings if isinstance(strings, list) else ()))):
        return None
    completed = []
    for number, cluster in enumerate(offsets):
        known = strings[number] if number < len(strings) else []
        rest = cluster[len(known) :]
        completed.append([*known[: len(cluster)], *(_words(tokens, span) for span in rest)])
    return completed


def _words(tokens: Any, span: Any) -> str:
    fits = isinstance(span, list) and len(span) == 2 and all(type(place) is int for place in span)
    return " ".join(map(str, tokens[span[0] : span[1] + 1])) if fits and span[0] >= 0 else ""


def lexed(text: str, repair: str = "") -> Lexed:
    """The words and zeros of a document, and its mentions; the id of an entity is the number of its cluster.

    If a document comes in several objects, these follow each other, and their entities have nothing to do with each
    other.
    """
    items: list[Word | Zero] = []
    spans: list[TaggedSpan] = []
    notes: list[str] = []
    unreadable: list[int] = []
    for part, (fields, start, _, cut) in enumerate(_objects(text)):
        reading = read_fields(fields, "response", repair)
        notes += filter(None, [told(reading)])
        unreadable += [start] * cut
        before = len(items)
        for form in chain.from_iterable(reading.sentences):
            if not isinstance(form, str):
                refuse(f"{shortened(form)} is among the words, but no string", LIST_HINT)
            is_zero = form.startswith(ZERO)
            items.append(Zero(form[len(ZERO) :], start) if is_zero else Word(form, start))
        prefix = f"{part}_" if part else ""
        for number, cluster in enumerate(checked(reading.clusters, 2, reading.field)):
            for first, last in cluster:
                opens, closes = _within(first, last - reading.exclusive, len(items) - before)
                spans.append(TaggedSpan(f"{prefix}{number}", before + opens, before + closes, start))
    return Lexed(items, spans, unreadable, tuple(notes))


def _within(first: int, last: int, size: int) -> tuple[int, int]:
    """The same numbers, if there are such items; else those of nothing at all."""
    return (first, last) if 0 <= first <= last < size else (min(max(first, 1), size), 0)
