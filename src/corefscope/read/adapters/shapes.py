"""Reading objects of unknown classes: whatever is missing or of another shape is said, with what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate, islice
from operator import index
from reprlib import repr as brief
from typing import Any, NoReturn, TypeVar

from ...base.errors import InputError

Span = tuple[int, int]
"""``(start, end)``: 0-based in the whole document, the end not included."""

T = TypeVar("T")


class Shape:
    """The shape that a framework's objects have, in words; its methods read parts of such an object.

    ``where`` names the part in messages, as in ``output['clusters'][0]``.

    >>> Shape("{'clusters': […]}").field({"cluster": []}, "clusters", "output")
    Traceback (most recent call last):
    corefscope.base.errors.InputError: output has no 'clusters', only 'cluster'
      hint: expected {'clusters': […]}
    """

    __slots__ = ("_expected",)

    def __init__(self, expected: str) -> None:
        self._expected = expected

    def refuse(self, message: str) -> NoReturn:
        """Say what is wrong, and what was expected."""
        raise InputError(message, hint=f"expected {self._expected}")

    def field(self, thing: object, name: str, where: str) -> Any:
        """The value of a dictionary."""
        if not isinstance(thing, Mapping):
            self.refuse(f"{where} is {brief(thing)}, not a dictionary")
        if name not in thing:
            others = ", ".join(map(brief, islice(thing, 8)))
            self.refuse(f"{where} has no {name!r}, only {others}" if others else f"{where} is empty")
        return thing[name]

    def attribute(self, thing: object, name: str, where: str) -> Any:
        """The value of an attribute."""
        try:
            return getattr(thing, name)
        except AttributeError:
            self.refuse(f"{where}, which is {brief(thing)}, has no attribute {name!r}")

    def items(self, thing: Any, where: str) -> list[Any]:
        """The items of a list, tuple, array or the like."""
        try:
            if not isinstance(thing, str | bytes | Mapping):
                return list(thing)
        except TypeError:
            pass
        self.refuse(f"{where} is {brief(thing)}, not a list")

    def number(self, thing: Any, where: str) -> int:
        """A whole number, of Python or of an array library."""
        try:
            return index(thing)
        except TypeError:
            self.refuse(f"{where} is {brief(thing)}, not a whole number")

    def numbers(self, thing: Any, names: str, where: str) -> list[int]:
        """As many whole numbers as there are names."""
        items = self.items(thing, where)
        if len(items) != len(names.split(", ")):
            self.refuse(f"{where} is {brief(thing)}, not ({names})")
        return [self.number(item, f"{where}[{at}]") for at, item in enumerate(items)]

    def clusters(self, thing: Any, where: str, read: Callable[[Any, str], T]) -> list[list[T]]:
        """Clusters of mentions, each mention read by a function of itself and its place."""
        clusters = []
        for at, cluster in enumerate(self.items(thing, where)):
            mentions = self.items(cluster, f"{where}[{at}]")
            if not mentions:
                self.refuse(f"{where}[{at}] is empty")
            clusters.append([read(mention, f"{where}[{at}][{number}]") for number, mention in enumerate(mentions)])
        return clusters

    def span(self, start: int, end: int, length: int, where: str, unit: str = "token") -> Span:
        """A span, its end not included, if it lies within so many tokens and holds at least one."""
        if not 0 <= start < end <= length:
            wrong = "which holds nothing" if start >= end else f"but there are {length} {unit}s"
            self.refuse(f"{where} is {unit}s[{start}:{end}], {wrong}")
        return start, end

    def spans(self, length: int, unit: str = "token", *, inclusive: bool = False) -> Callable[[Any, str], Span]:
        """Reads ``(start, end)``; ``inclusive`` says that the end is part of the mention."""

        def read(mention: Any, where: str) -> Span:
            start, end = self.numbers(mention, "start, end", where)
            return self.span(start, end + inclusive, length, where, unit)

        return read


class Sentences:
    """The sentences of a document by their lengths: where each begins, counted in tokens of the document."""

    __slots__ = ("_lengths", "_shape", "_starts")

    def __init__(self, shape: Shape, lengths: list[int]) -> None:
        self._shape = shape
        self._lengths = lengths
        self._starts = list(accumulate(lengths, initial=0))[:-1]

    @classmethod
    def of(cls, shape: Shape, thing: Any, read: Callable[[object, str, str], Any], tokens: str) -> Sentences:
        """The sentences of a list; ``read`` finds the part of each that is called ``tokens``."""
        lengths = []
        for at, sentence in enumerate(shape.items(thing, "sentences")):
            where = f"sentences[{at}]"
            lengths.append(len(shape.items(read(sentence, tokens, where), f"the {tokens} of {where}")))
        return cls(shape, lengths)

    def start(self, number: int, where: str) -> int:
        """The first token of a sentence, counted from 0."""
        if not 0 <= number < len(self._starts):
            self._shape.refuse(f"{where} is in sentence {number + 1} of {len(self._starts)}")
        return self._starts[number]

    def length(self, number: int, where: str) -> int:
        """The number of tokens of a sentence."""
        self.start(number, where)
        return self._lengths[number]

    def span(self, number: int, start: int, end: int, where: str) -> Span:
        """A span of one sentence, as a span of the document."""
        first = self.start(number, where)
        self._shape.span(start, end, self._lengths[number], f"{where}, in sentence {number + 1},")
        return first + start, first + end
