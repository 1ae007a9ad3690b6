"""JSON with a place for whatever is wrong with it: deep nesting, long numbers and repeated names included."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

BLANKS = re.compile(r"[ \t\n\r]*")


class JsonError(Exception):
    """Text that is no JSON, or that holds a name twice; callers turn it into an error with a line."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


class JsonValue(NamedTuple):
    """A value and where it stands in the text; of a member of an object also its name."""

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
    """The value that begins at a place, which is not a blank.

    >>> value_at('x = [1, 2];', 4)
    JsonValue(value=[1, 2], start=4, end=10, name='')
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        what = "it ends too early" if error.pos >= len(text.rstrip()) else error.msg
        raise JsonError(f"invalid JSON: {what}", error.pos) from None
    except _RepeatedNameError as error:
        name = str(error)
        raise JsonError(f"the name {shortened(name)} comes twice in one object", _second(text, name, start)) from None
    except RecursionError:
        raise JsonError("JSON that is nested too deeply", start) from None
    except ValueError:
        raise JsonError("invalid JSON: a number has too many digits", start) from None
    return JsonValue(value, start, end)


def values(text: str) -> Iterator[JsonValue]:
    """The values of a text that holds nothing else, one after the other."""
    at = after_blanks(text, 0)
    while at < len(text):
        value = value_at(text, at)
        yield value
        at = after_blanks(text, value.end)


def only_value(text: str) -> Any:
    """The value of a text that holds nothing else."""
    value = value_at(text, after_blanks(text, 0))
    end = after_blanks(text, value.end)
    if end < len(text):
        raise JsonError("invalid JSON: something follows after its end", end)
    return value.value


def elements(text: str, start: int) -> Iterator[JsonValue]:
    """The elements of the array that begins at a place."""
    return _items(text, start, "]")


def members(text: str, start: int) -> Iterator[JsonValue]:
    """The members of the object that begins at a place, lazily: no further than the caller looks.

    >>> [(member.name, member.value) for member in members('{"a": 1, "b": [2]}', 0)]
    [('a', 1), ('b', [2])]
    """
    return _items(text, start, "}")


def locate(text: str, start: int, steps: Sequence[str | int]) -> int:
    """Where in the value at a place something stands that is reached by names and numbers."""
    for step in steps:
        if isinstance(step, str):
            start = next(member.start for member in members(text, start) if member.name == step)
        else:
            start = next(islice(elements(text, start), step, None)).start
    return start


def after_blanks(text: str, at: int) -> int:
    """The next place that is not a blank."""
    blanks = BLANKS.match(text, at)
    assert blanks is not None
    return blanks.end()


def line_at(text: str, at: int, first: int = 1) -> int:
    """The line of a place in a text whose first line has this number."""
    return first + text.count("\n", 0, at)


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


def _items(text: str, start: int, closing: str) -> Iterator[JsonValue]:
    at = after_blanks(text, start + 1)
    if text.startswith(closing, at):
        return
    seen: set[str] = set()
    while True:
        name = ""
        if closing == "}":
            name, at = _name(text, at, seen)
        item = value_at(text, at)
        yield item._replace(name=name)
        at = after_blanks(text, item.end)
        if text.startswith(closing, at):
            return
        if not text.startswith(",", at):
            raise JsonError(f"invalid JSON: ',' or '{closing}' was expected", at)
        at = after_blanks(text, at + 1)


def _name(text: str, at: int, seen: set[str]) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    if not text.startswith('"', at):
        raise JsonError("invalid JSON: a name in double quotes was expected", at)
    quoted = value_at(text, at)
    name = str(quoted.value)
    if name in seen:
        raise JsonError(f"the name {shortened(name)} comes twice in one object", at)
    seen.add(name)
    colon = after_blanks(text, quoted.end)
    if not text.startswith(":", colon):
        raise JsonError("invalid JSON: ':' was expected", colon)
    return name, after_blanks(text, colon + 1)


def _second(text: str, name: str, start: int) -> int:
    """Where a name comes for the second time, as far as a search can tell."""
    written = re.compile(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:")
    places = list(islice(written.finditer(text, start), 2))
    return places[-1].start() if places else start
