"""JSON that is cut off, or has a comma or a bracket too many: what of it is whole.

Values that are whole are read up to where nothing can be understood any more. There all that is open ends; a string
or a number that ends there, and a list that is not closed and empty or of numbers, is left out: more may follow.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"""\s*(?:(?P<sign>[][{},:])|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<number>-?[0-9]{1,18}(?![0-9.eE])|-?[0-9]{1,18}\.[0-9]+)|(?P<word>null|true|false|None|True|False)\b)""",
    re.DOTALL,
)
_WORDS = {"null": None, "None": None, "true": True, "True": True, "false": False, "False": False}
_NAMED = re.compile(r"\s*:")


class Salvaged(NamedTuple):
    """What is left of an object."""

    value: dict[str, Any]
    end: int
    cut: int = 0
    """How many lists of numbers are not closed and therefore left out."""
    whole: bool = True
    """Whether it is closed."""
    clear: bool = True
    """Whether no name comes twice."""


def salvaged(text: str, start: int) -> Salvaged:
    """What is whole of the object that begins at an offset.

    >>> salvaged('{"tokens": ["a", "b",], "clusters": [[[0, 0], [1', 0)
    Salvaged(value={'tokens': ['a', 'b'], 'clusters': [[[0, 0]]]}, end=48, cut=1, whole=False, clear=True)
    """
    return _Salvage(text, start).read()


class _Salvage:
    def __init__(self, text: str, start: int) -> None:
        self._text, self._end = text, start
        self._open: list[Any] = []
        """Objects and lists that are open, the innermost last."""
        self._names: list[str] = []
        """For each of them the name under which it is to be put into the one around it, if that is an object."""
        self._name = ""
        self._clear = True

    def read(self) -> Salvaged:
        """All of it."""
        root: dict[str, Any] = {}
        token = _TOKEN.match(self._text, self._end)
        while token:
            self._end = token.end()
            sign = token["sign"]
            if sign in ("{", "["):
                self._begin(root if not self._open else {} if sign == "{" else [])
            elif sign in ("}", "]"):
                self._close(dict if sign == "}" else list)
                if not self._open:
                    return Salvaged(root, self._end, clear=self._clear)
            elif not sign:
                self._value(token)
            token = _TOKEN.match(self._text, self._end)
        cut = 0
        while self._open:
            inner = self._open[-1]
            if isinstance(inner, list) and {int}.issuperset(map(type, inner)):
                self._open.pop()
                self._names.pop()
                cut += bool(inner)
            else:
                self._end_one()
        return Salvaged(root, self._end, cut, False, self._clear)

    def _begin(self, value: Any) -> None:
        self._open.append(value)
        self._names.append(self._name)
        self._name = ""

    def _value(self, token: re.Match[str]) -> None:
        """A string, a number or a word; a name in a list belongs to the object around it."""
        if (string := token["string"]) is None:
            number = token["number"]
            self._put(_WORDS[token["word"]] if number is None else float(number) if "." in number else int(number))
            return
        found = _string(string)
        if _NAMED.match(self._text, self._end):
            while not isinstance(self._open[-1], dict):
                self._end_one()
            self._name = found
        else:
            self._put(found)

    def _put(self, value: Any) -> None:
        if isinstance(self._open[-1], list):
            self._open[-1].append(value)
        elif self._name:
            self._clear &= self._name not in self._open[-1]
            self._open[-1][self._name] = value
            self._name = ""

    def _close(self, kind: type) -> None:
        """The innermost one of a kind ends, with what is open in it; a sign that closes nothing is passed over."""
        if kind is list and not isinstance(self._open[-1], list):
            return
        while not isinstance(self._open[-1], kind):
            self._end_one()
        self._end_one()

    def _end_one(self) -> None:
        value, self._name = self._open.pop(), self._names.pop()
        if self._open:
            self._put(value)
        self._name = ""


def _string(quoted: str) -> str:
    """The text of a string in double or single quotes."""
    if quoted[0] == "'":
        inner = re.sub(r"\\(.)", lambda sign: sign[1] if sign[1] == "'" else sign[0], quoted[1:-1])
        quoted = '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]
