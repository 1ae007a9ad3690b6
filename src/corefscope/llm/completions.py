"""Files of many answers: JSON lines that wrap what a model printed, one document each.

Read are results of batches (OpenAI, Anthropic, Gemini, vLLM), logs of lm-evaluation-harness, and lines with an id and
a completion: ``{"id": "doc1", "completion": "…"}``. An object is such a line if it has an answer in one of
:data:`ANSWER_FIELDS` and no clusters of its own; so it is not mistaken for a jsonlines document, which has clusters.

The file is read twice, line by line: for the ids, and for the answers. Answers belong to the documents with their
ids; if no id is that of a document, to those with the same number, or in the same order if there are as many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.errors import Warnings, amount
from ..formats.jsonl.fields import CLUSTER_FIELDS
from ..formats.jsonl.json_text import JsonError, only_value, shortened
from ..formats.pairs import same_name
from ..formats.source import Source

ID_FIELDS = (
    "custom_id",
    "doc_key",
    "doc_id",
    "document_id",
    "key",
    "id",
    "request_id",
    "name",
    "doc",
    "index",
    "idx",
)
ANSWER_FIELDS = (
    *("response", "result", "filtered_resps", "resps", "completion", "completions", "output", "outputs"),
    *(
        "generated_text",
        "generation",
        "prediction",
        "predictions",
        "answer",
        "choices",
        "content",
        "model_output",
        "text",
    ),
)
_PARTS = (
    *("body", "message", "choices", "candidates", "content", "parts", "outputs", "output", "text", "output_text"),
    *("generated_text", "completion", "value"),
)
LONG_LINE = 1 << 20
"""Bytes of the first line that are looked at to recognise such a file."""
MAX_DEPTH = 12


class Completion(NamedTuple):
    """An answer; or the reason why there is none."""

    id: str
    text: str
    failure: str = ""


class _Extent(NamedTuple):
    """Where an answer is in the file."""

    id: str
    start: int
    end: int
    line: int
    failure: str


def read_completion(fields: Mapping[str, Any]) -> Completion | None:
    """The answer that an object wraps; None if it wraps none."""
    if any(fields.get(name) is not None for name in CLUSTER_FIELDS):
        return None
    present = [name for name in ANSWER_FIELDS if name in fields]
    if not present:
        return None
    name = _id(fields)
    failure = _failure(fields)
    for field in present:
        value = fields[field]
        text = _text(value)
        if text:
            return Completion(name, text)
        if isinstance(value, list | dict) and value and not failure and not isinstance(value, str):
            return Completion(name, json.dumps(value, ensure_ascii=False))
    return Completion(name, "", failure or "the answer is empty")


def _id(fields: Mapping[str, Any]) -> str:
    """Id of the document; of a log of lm-evaluation-harness, that in its document if it has one."""
    document = fields.get("doc")
    if isinstance(document, dict):
        for field in ID_FIELDS:
            if isinstance(document.get(field), str) and document[field]:
                return str(document[field])
    for field in ID_FIELDS:
        value = fields.get(field)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return ""


def _text(value: object, depth: int = 0) -> str:
    """The text in a wrapper: the first choice, all text parts of a content."""
    if isinstance(value, str):
        return value
    if depth > MAX_DEPTH:
        return ""
    if isinstance(value, list):
        if value and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in value):
            return "".join(part["text"] for part in value if part.get("type") not in ("thinking", "reasoning"))
        wrapped: list[object] = [
            part for part in value if isinstance(part, dict) or (isinstance(part, str) and len(value) == 1)
        ]
        wrapped += [part for part in value if isinstance(part, list) and len(value) == 1]
        return next(filter(None, (_text(part, depth + 1) for part in wrapped)), "")
    if isinstance(value, dict):
        if value.get("type") in ("thinking", "reasoning"):
            return ""
        return next(filter(None, (_text(value[part], depth + 1) for part in _PARTS if part in value)), "")
    return ""


def _failure(fields: Mapping[str, Any]) -> str:
    """Why a request has no answer, as far as the file says."""
    result, response = fields.get("result"), fields.get("response")
    for holder in (fields, result, response):
        if not isinstance(holder, dict):
            continue
        error = holder.get("error")
        if isinstance(error, dict):
            inner = error.get("error", error)
            error = inner.get("message") or inner.get("type") if isinstance(inner, dict) else inner
        if error:
            return f"the request failed: {shortened(error)}"
        if isinstance(status := holder.get("status_code"), int) and status >= 400:
            return f"the request failed with status {status}"
        if holder.get("type") in ("errored", "expired", "canceled", "cancelled"):
            return f"the request {holder['type']}"
    return ""


def holds_completions(source: Source) -> bool:
    """Whether the first object of a file wraps an answer."""
    first = source.read(source.start, min(source.size, source.start + LONG_LINE)).lstrip()
    is_array = first[:1] == b"["
    if is_array and first[1:].lstrip()[:1] == b"{":
        text = first.decode("utf-8", errors="replace")
        try:
            fields, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
        except (ValueError, RecursionError):
            return False
        return read_completion(fields) is not None
    if first[:1] != b"{":
        return False
    try:
        fields = json.loads(first.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and read_completion(fields) is not None


class CompletionFile:
    """The answers of a file, by document; one is in memory at a time."""

    def __init__(self, source: Source, names: Sequence[str], warnings: Warnings) -> None:
        self._source = source
        self._warnings = warnings
        self._extents = list(self._find())
        self._of_document = self._match(names)

    def line_of(self, number: int) -> int:
        """Line of the answer to a document."""
        extent = self._of_document.get(number)
        return extent.line if extent else 0

    def answer(self, number: int) -> Completion | None:
        """The answer to a document, by its number; None if there is none."""
        extent = self._of_document.get(number)
        if extent is None:
            return None
        if extent.failure:
            return Completion(extent.id, "", extent.failure)
        fields = only_value(self._source.text(extent.start, extent.end))
        return read_completion(fields)

    def _find(self) -> Iterator[_Extent]:
        """All answers of the file: one object a line, or an array of them."""
        start, size = self._source.start, self._source.size
        if self._source.read(start, start + 4096).lstrip()[:1] == b"[":
            yield from self._find_in_array()
            return
        line = 0
        for offset, piece in self._source.pieces(b"\n"):
            at = offset
            for data in piece.split(b"\n"):
                if data.strip() or at + len(data) < min(offset + len(piece), size):
                    line += 1
                if data.strip():
                    yield from self._extent(self._source.decoded(data, at), at, at + len(data), line)
                at += len(data) + 1

    def _find_in_array(self) -> Iterator[_Extent]:
        source = self._source
        source.check_memory(source.start, source.size)
        text = source.text(source.start, source.size)
        decoder = json.JSONDecoder()
        at, offset, before = text.index("[") + 1, source.start, 0
        while start := re.compile(r"[\s,]*(?=\{)").match(text, at):
            try:
                _, at = decoder.raw_decode(text, start.end())
            except (ValueError, RecursionError):
                self._warnings.add("broken", source.name, 0, "JSON is broken: what is whole before it is read")
                return
            offset += len(text[before : start.end()].encode())
            end = offset + len(text[start.end() : at].encode())
            yield from self._extent(text[start.end() : at], offset, end, text.count("\n", 0, start.end()) + 1)
            offset, before = end, at

    def _extent(self, text: str, start: int, end: int, line: int) -> Iterator[_Extent]:
        try:
            fields = only_value(text)
        except JsonError as fault:
            self._warnings.add("broken", self._source.name, line, f"{fault.message}: this answer is left out")
            return
        completion = read_completion(fields) if isinstance(fields, dict) else None
        if completion is None:
            self._warnings.add("broken", self._source.name, line, "this line has no answer: left out")
        else:
            yield _Extent(completion.id, start, end, line, completion.failure)

    def _match(self, names: Sequence[str]) -> dict[int, _Extent]:
        """Answers by the number of their document."""
        numbers = {name: number for number, name in enumerate(names)}
        by_spelling = {}
        if not any(extent.id in numbers for extent in self._extents):
            by_spelling = self._match_otherwise(names)
        found: dict[int, _Extent] = {}
        for place, extent in enumerate(self._extents):
            number = by_spelling.get(place) if by_spelling else numbers.get(extent.id)
            if number is None:
                message = f"the answer {shortened(extent.id)} belongs to no document of the key: left out"
                self._warnings.add("outside", self._source.name, extent.line, message)
            elif number in found:
                message = f"another answer to document {names[number]!r}: the first one is read"
                self._warnings.add("repeated", self._source.name, extent.line, message)
            else:
                found[number] = extent
        return found

    def _match_otherwise(self, names: Sequence[str]) -> dict[int, int]:
        """Numbers of documents by those of answers, if ids are no names: by similar names, numbers, or order."""
        ids = [extent.id for extent in self._extents]
        if len(ids) * len(names) <= 10**6:
            similar = {
                place: number
                for place, id_ in enumerate(ids)
                for number, name in enumerate(names)
                if id_ and same_name(name, id_) and not re.fullmatch("#[0-9]+", name)
            }
            if similar:
                return similar
        given = [int(id_) for id_ in ids if re.fullmatch(r"[0-9]{1,9}", id_)]
        if len(given) == len(ids) and len({*given}) == len(given) and given:
            base = min(1, *given) if max(given) >= len(names) else 0
            if max(given) - base < len(names):
                return {place: number - base for place, number in enumerate(given)}
        if len(ids) == len(names):
            if any(ids) and len(ids) > 1:
                message = f"no id is that of a document: {amount(len(ids), 'answer')} read in order"
                self._warnings.add("documents", self._source.name, 0, message)
            return {place: place for place in range(len(ids))}
        return {}
