"""JSON values with their places in the text, for messages with lines; large arrays take little memory."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, NoReturn

from ...core.errors import InputError

LARGE = 1 << 20
"""Characters from which on a value is read in batches, so that memory holds each of its words once."""
BATCH = 1 << 16
"""Characters of a long array that are read at a time."""
VOCABULARY = 1 << 17
"""Maximum number of words of a large array that are shared."""
BLANKS = re.compile(r"[ \t\n\r]*")


class JsonError(Exception):
    """Text that is not JSON, or that has a name twice; callers turn it into an error with a line."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def refuse(message: str, hint: str = "", code: str = "refused") -> NoReturn:
    """Raise an error about a document; its reader adds the file and the line."""
    raise InputError(message, hint=hint, code=code)


class JsonValue(NamedTuple):
    """A value, where it begins and ends in the text, and its name if it is a member of an object."""

    value: Any
    start: int
    end: int
    name: str = ""


class _RepeatedNameError(Exception):
    pass


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) < len(members):
        seen: set[str] = set()
        for name, _ in members:
            if name in seen:
                raise _RepeatedNameError(name)
            seen.add(name)
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def value_at(text: str, start: int) -> JsonValue:
    """The value that begins at an offset, where there is no blank.

    >>> value_at('x = [1, 2];', 4)
    JsonValue(value=[1, 2], start=4, end=10, name='')
    """
    if len(text) - start > LARGE and text.startswith(("[", "{"), start):
        if short := _decode_valid(text[start : start + BATCH]):
            return JsonValue(short.value, start, start + short.end)
        try:
            return _long_array(text, start) if text[start] == "[" else _long_object(text, start)
        except RecursionError:
            raise JsonError("JSON that is nested too deeply", start) from None
    return _decoded(text, start)


def _decode_valid(text: str) -> JsonValue | None:
    """The value at the beginning of a text; None if it is not all there or not valid."""
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError, _RepeatedNameError):
        return None
    return JsonValue(value, 0, end)


def _decoded(text: str, start: int) -> JsonValue:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        what = "it ends too early" if error.pos >= len(text.rstrip()) else error.msg
        raise JsonError(f"invalid JSON: {what}", error.pos) from None
    except _RepeatedNameError as error:
        name = str(error)
        written = re.compile(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:")
        second = [match.start() for match in islice(written.finditer(text, start), 2)][-1:] or [start]
        raise JsonError(f"the name {shortened(name)} comes twice in one object", second[0]) from None
    except RecursionError:
        raise JsonError("JSON that is nested too deeply", start) from None
    except ValueError:
        raise JsonError("invalid JSON: a number has too many digits", start) from None
    return JsonValue(value, start, end)


def _long_object(text: str, start: int) -> JsonValue:
    members = items(text, start)
    value: dict[str, Any] = {}
    try:
        while True:
            member = next(members)
            value[member.name] = member.value
    except StopIteration as stop:
        return JsonValue(value, start, stop.value)


def _long_array(text: str, start: int) -> JsonValue:
    """The array at an offset, with equal words as one object; otherwise each would take 50 bytes and more."""
    elements: list[object] = []
    known: dict[str, str] = {}
    offset = after_blanks(text, start + 1)
    if text.startswith("]", offset):
        return _decoded(text, start)
    again = offset
    while True:
        if offset >= again:  # where a batch cannot be cut out, its elements are read one by one
            again = offset + BATCH
            if batch := _batch(text, offset):
                elements += [_shared(element, known) for element in batch.value]
                again = offset = batch.end
        element = _decoded(text, offset)
        elements.append(_shared(element.value, known))
        offset = after_blanks(text, element.end)
        if text.startswith("]", offset):
            return JsonValue(elements, start, offset + 1)
        if not text.startswith(",", offset):
            raise JsonError("invalid JSON: ',' or ']' was expected", offset)
        offset = after_blanks(text, offset + 1)


def _batch(text: str, offset: int) -> JsonValue | None:
    """The elements up to a comma not far away, if that comma is one between elements.

    A comma in a string, or deeper, leaves something open, so that the elements are no valid array.
    """
    opening = text[offset : offset + 1]
    depth = len(text[offset : offset + 9]) - len(text[offset : offset + 9].lstrip("["))
    mark = {"[": "]" * depth, "{": "}", '"': '"'}.get(opening, "") + ","
    cut = text.rfind(mark, offset, offset + BATCH)
    if cut < 0:
        return None
    comma = cut + len(mark) - 1
    array = f"[{text[offset:comma]}]"
    elements = _decode_valid(array)
    if elements is None or elements.end < len(array):
        return None
    return JsonValue(elements.value, offset, after_blanks(text, comma + 1))


def _shared(value: object, known: dict[str, str]) -> object:
    """A word, or the words of a list, as the equal objects that came before."""
    share = known.setdefault if len(known) < VOCABULARY else known.get
    if type(value) is str:
        return share(value, value)
    if type(value) is list and {str}.issuperset(map(type, value)):
        return list(map(share, value, value))
    return value


def values(text: str) -> Iterator[JsonValue]:
    """The values of a text, one after the other."""
    offset = after_blanks(text, 0)
    while offset < len(text):
        value = value_at(text, offset)
        yield value
        offset = after_blanks(text, value.end)


def only_value(text: str) -> Any:
    """The value of a text that has no other."""
    value = value_at(text, after_blanks(text, 0))
    end = after_blanks(text, value.end)
    if end < len(text):
        raise JsonError("invalid JSON: extra data after its end", end)
    return value.value


def items(text: str, start: int) -> Generator[JsonValue, None, int]:
    """The elements of the array, or the members of the object, at an offset, read lazily; returns where it ends.

    >>> [(member.name, member.value) for member in items('{"a": 1, "b": [2]}', 0)]
    [('a', 1), ('b', [2])]
    """
    closing = "}" if text[start] == "{" else "]"
    offset = after_blanks(text, start + 1)
    if text.startswith(closing, offset):
        return offset + 1
    seen: set[str] = set()
    while True:
        name = ""
        if closing == "}":
            name, offset = _name(text, offset, seen)
        item = value_at(text, offset)
        yield item._replace(name=name)
        offset = after_blanks(text, item.end)
        if text.startswith(closing, offset):
            return offset + 1
        if not text.startswith(",", offset):
            raise JsonError(f"invalid JSON: ',' or '{closing}' was expected", offset)
        offset = after_blanks(text, offset + 1)


def locate(text: str, start: int, steps: Sequence[str | int]) -> int:
    """Where the value begins that names and indices lead to from the value at an offset."""
    for step in steps:
        inner = enumerate(items(text, start))
        start = next(item.start for index, item in inner if step == (item.name if isinstance(step, str) else index))
    return start


def after_blanks(text: str, offset: int) -> int:
    """The next offset where there is no blank."""
    blanks = BLANKS.match(text, offset)
    assert blanks is not None
    return blanks.end()


def line_at(text: str, offset: int, first: int = 1) -> int:
    """The line of an offset in a text whose first line has this number."""
    return first + text.count("\n", 0, offset)


def shortened(value: object, length: int = 60) -> str:
    """A value as JSON for a message, cut if it is long.

    >>> shortened([1, "a"]), shortened("x" * 100, 10)
    ('[1, "a"]', '"xxxxxxxxx…')
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return "…"
    return text if len(text) <= length else text[:length] + "…"


def _name(text: str, offset: int, seen: set[str]) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    if not text.startswith('"', offset):
        raise JsonError("invalid JSON: a name in double quotes was expected", offset)
    quoted = value_at(text, offset)
    name = str(quoted.value)
    if name in seen:
        raise JsonError(f"the name {shortened(name)} comes twice in one object", offset)
    seen.add(name)
    colon = after_blanks(text, quoted.end)
    if not text.startswith(":", colon):
        raise JsonError("invalid JSON: ':' was expected", colon)
    return name, after_blanks(text, colon + 1)


def iter_documents(text: str) -> Iterator[JsonValue]:
    """The values of a text, or the elements of its arrays, one after the other."""
    offset = after_blanks(text, 0)
    while offset < len(text):
        if text.startswith("[", offset):
            offset = yield from items(text, offset)
        else:
            value = value_at(text, offset)
            yield value
            offset = value.end
            del value  # release it before the next one is read
        offset = after_blanks(text, offset)
