"""Printed JSON: words, and mentions by the numbers of their words, as in the CRAC task of 2026.

Text around the documents is ignored. Fields are read like those of jsonlines; ``##`` and a form is a zero. A mention
without words in the document is dropped like one without words in the key.

Of JSON that is cut off, or has a comma or a bracket too many, complete values are salvaged up to the point where
nothing can be parsed any more. There everything that is open ends; an incomplete string or number, and an unclosed
list that is empty or holds numbers only, is left out, as more may follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from ..formats.jsonl.fields import CLUSTER_FIELDS, LIST_HINT, has_words, read_fields
from ..formats.jsonl.json_text import JsonError, refuse, shortened, value_at
from ..formats.jsonl.spans import checked
from ..formats.jsonl.strings import OFFSETS, STRINGS, describe_repair
from .lexer import ZERO, LexedText, TaggedSpan, Word, Zero

JSON_DOCUMENT = r"""["']tokens["']\s*:\s*\[\s*["']|["']clusters_token_offsets["']\s*:\s*\["""
"""Regular expression that printed JSON matches."""
_OBJECT = re.compile(r"""\{(?=\s*(?:"(?:[^"\\]|\\.){0,999}"|'\w{0,99}')\s*:)""")
_WORDS = re.compile(r"""["'](?:tokens|sentences)["']\s*:""")
NEAR = 1000
"""Maximum offset of the words in an object, wherever the syntax error is."""
_MAX_PARSED = 8
"""Maximum number of characters parsed while salvaging, as a multiple of the length of the text."""


class _Object(NamedTuple):
    """Fields of a document, where it begins and ends in the text, and the number of incomplete mentions."""

    fields: dict[str, Any]
    start: int
    end: int
    cut: int = 0


def find_json_documents(text: str, faults: dict[int, str]) -> tuple[list[tuple[int, str]], str]:
    """The JSON documents of a text with their line numbers, and the text without them.

    ``faults`` collects syntax errors by offset, and what is done about them.
    """
    if not re.search(JSON_DOCUMENT, text):
        return [], text
    found: list[tuple[int, str]] = []
    rest: list[str] = []
    line, before = 1, 0
    for _, start, end, _ in _objects(text, faults):
        rest.append(text[before:start] + "\n" * text.count("\n", start, end))
        line += text.count("\n", before, start)
        found.append((line, text[start:end]))
        line, before = line + text.count("\n", start, end), end
    return found, "".join([*rest, text[before:]])


def _objects(text: str, faults: dict[int, str] | None = None) -> Iterator[_Object]:
    """The objects that have words and clusters, and the readable parts of broken ones."""
    at, budget = 0, _MAX_PARSED * len(text)
    while start := _OBJECT.search(text, at):
        at = start.end()
        found: _Object | None
        fault: JsonError | None = None
        try:
            value, begin, end, _ = value_at(text, start.start())
            found = _Object(value, begin, end)
        except JsonError as error:
            words = _WORDS.search(text, at, max(error.offset, at + NEAR)) if budget > 0 else None
            if words is None:
                continue
            found, fault = _salvage(text, start.start()), error
            budget -= (found.end if found else len(text)) - at
            if not found and words.end() > error.offset >= at:
                continue
        kept = found is not None and has_words(found.fields) and _has_clusters(found.fields)
        if fault and faults is not None and fault.offset not in faults:
            done = "what is whole before or around it is read" if kept else "this document is left out"
            faults[fault.offset] = f"{fault.message}: {done}"
        if found and kept:
            yield found
            at = found.end


def _salvage(text: str, start: int) -> _Object | None:
    """Salvage a broken object; it has no clusters if it ends before them."""
    found = JsonSalvage(text, start)
    fields = found.value
    if not found.has_unique_names or not has_words(fields):
        return None
    cut = max(found.cut, int(not found.is_whole))
    if not found.is_whole and not _has_clusters(fields):
        fields[OFFSETS] = []
    if STRINGS in fields and fields.get(OFFSETS) is not None:
        fields[STRINGS] = _complete_strings(fields)
    return _Object(fields, start, found.end, cut)


def _has_clusters(fields: dict[str, Any]) -> bool:
    return any(fields.get(name) is not None for name in CLUSTER_FIELDS)


def _complete_strings(fields: dict[str, Any]) -> list[list[str]] | None:
    """The strings of the mentions; where they are cut off, the words at the offsets."""
    offsets, strings, tokens = fields[OFFSETS], fields[STRINGS], fields.get("tokens", ())
    lists = (offsets, strings, tokens, *(offsets if isinstance(offsets, list) else ()))
    if not all(isinstance(each, list) for each in (*lists, *(strings if isinstance(strings, list) else ()))):
        return None
    completed = []
    for number, cluster in enumerate(offsets):
        known = strings[number][: len(cluster)] if number < len(strings) else []
        completed.append([*known])
        for span in cluster[len(known) :]:
            fits = isinstance(span, list) and len(span) == 2 and all(type(place) is int for place in span)
            words = tokens[span[0] : span[1] + 1] if fits and span[0] >= 0 else []
            completed[-1].append(" ".join(map(str, words)))
    return completed


def lex_json(text: str, repair: str = "") -> LexedText:
    """Words, zeros and mentions of a document; the id of an entity is the number of its cluster.

    A document may be printed as several objects, one after the other; they share no entities.
    """
    items: list[Word | Zero] = []
    spans: list[TaggedSpan] = []
    notes: list[str] = []
    unreadable: list[int] = []
    for part, (fields, start, _, cut) in enumerate(_objects(text)):
        reading = read_fields(fields, "response", repair)
        notes += filter(None, [describe_repair(reading)])
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
                last, size = last - reading.exclusive, len(items) - before
                if not 0 <= first <= last < size:  # no such items: an empty mention, which is dropped later
                    first, last = min(max(first, 1), size), 0
                spans.append(TaggedSpan(f"{prefix}{number}", before + first, before + last, start))
    return LexedText(items, spans, unreadable, tuple(notes))


_TOKEN = re.compile(
    r"""\s*(?:(?P<sign>[][{},:])|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<number>-?[0-9]{1,18}(?![0-9.eE])|-?[0-9]{1,18}\.[0-9]+)|(?P<word>null|true|false|None|True|False)\b)""",
    re.DOTALL,
)
_CONSTANTS = {"null": None, "None": None, "true": True, "True": True, "false": False, "False": False}
_NAMED = re.compile(r"\s*:")


class JsonSalvage:
    """The readable part of the object that begins at an offset, although it is not valid JSON.

    >>> found = JsonSalvage('{"tokens": ["a", "b",], "clusters": [[[0, 0], [1', 0)
    >>> found.value, found.end, found.cut, found.is_whole
    ({'tokens': ['a', 'b'], 'clusters': [[[0, 0]]]}, 48, 1, False)
    """

    def __init__(self, text: str, start: int) -> None:
        self.value: dict[str, Any] = {}
        self.end: int = start
        self.cut: int = 0
        """Number of lists of numbers that are left out because they are not closed."""
        self.is_whole: bool = False
        """Whether the object is closed."""
        self.has_unique_names: bool = True
        self._open: list[dict[str, object] | list[object]] = []
        """Open objects and lists, the innermost last."""
        self._name = ""
        while token := _TOKEN.match(text, self.end):
            self.end = token.end()
            sign = token["sign"]
            if sign in ("{", "["):
                self._begin({} if sign == "{" else [])
            elif sign in ("}", "]"):
                self._close(dict if sign == "}" else list)
                if not self._open:
                    self.is_whole = True
                    return
            elif token["string"] is not None and _NAMED.match(text, self.end):
                while not isinstance(self._open[-1], dict):  # a name in a list belongs to the object around it
                    self._open.pop()
                self._name = _unquote(token["string"])
            elif token["string"] is not None:
                self._put(_unquote(token["string"]))
            elif (number := token["number"]) is not None:
                self._put(float(number) if "." in number else int(number))
            elif not sign:
                self._put(_CONSTANTS[token["word"]])
        self._drop_incomplete()

    def _begin(self, value: dict[str, object] | list[object]) -> None:
        if self._open:
            self._put(value)
        else:
            value = self.value
        self._open.append(value)
        self._name = ""

    def _put(self, value: object) -> None:
        inner = self._open[-1]
        if isinstance(inner, list):
            inner.append(value)
        elif self._name:
            self.has_unique_names &= self._name not in inner
            inner[self._name] = value
            self._name = ""

    def _close(self, kind: type) -> None:
        """Close the innermost value of a kind, with what is open in it; ignore a bracket that closes nothing."""
        if kind is list and not isinstance(self._open[-1], list):
            return
        while not isinstance(self._open.pop(), kind):
            pass
        self._name = ""

    def _drop_incomplete(self) -> None:
        """Remove the lists that are open at the end and hold nothing but numbers."""
        while self._open:
            inner = self._open.pop()
            if isinstance(inner, list) and {int}.issuperset(map(type, inner)):
                self.cut += bool(inner)
                outer = self._open[-1]
                if isinstance(outer, list):
                    outer.pop()
                elif outer and next(reversed(outer.values())) is inner:
                    outer.popitem()


def _unquote(quoted: str) -> str:
    """Text of a string in double or single quotes."""
    if quoted[0] == "'":
        inner = re.sub(r"\\(.)", lambda sign: sign[1] if sign[1] == "'" else sign[0], quoted[1:-1])
        quoted = '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]
