"""Reading objects of unknown classes: an error says what is missing or of another shape, and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate, islice
from operator import index
from reprlib import repr as brief
from typing import Any, NamedTuple, NoReturn, TypeVar

from ...base.errors import InputError

Span = tuple[int, int]
"""``(start, end)``: 0-based in the whole document, the end not included."""

T = TypeVar("T")


class View(NamedTuple):
    """A part of a framework's object: its value, how Python code reaches it, and what is expected of the whole.

    >>> View({"cluster": []}, "output", "{'clusters': […]}").field("clusters")
    Traceback (most recent call last):
    corefscope.base.errors.InputError: output has no 'clusters', only 'cluster'
      hint: expected {'clusters': […]}
    """

    value: Any
    name: str
    expected: str

    def refuse(self, problem: str) -> NoReturn:
        """Say what is wrong with this part, and what was expected."""
        raise InputError(f"{self.name}{problem}", hint=f"expected {self.expected}")

    def fields(self) -> Mapping[Any, Any]:
        """The dictionary that this is."""
        if not isinstance(self.value, Mapping):
            self.refuse(f" is {brief(self.value)}, not a dictionary")
        return self.value

    def field(self, key: str) -> View:
        """The value of a dictionary."""
        fields = self.fields()
        if key not in fields:
            others = ", ".join(map(brief, islice(fields, 8)))
            self.refuse(f" has no {key!r}, only {others}" if others else " is empty")
        return self._replace(value=fields[key], name=f"{self.name}[{key!r}]")

    def attribute(self, name: str) -> View:
        """The value of an attribute."""
        try:
            return self._replace(value=getattr(self.value, name), name=f"{self.name}.{name}")
        except AttributeError:
            self.refuse(f", which is {brief(self.value)}, has no attribute {name!r}")

    def elements(self) -> list[Any]:
        """The items of a list, tuple, array or the like."""
        try:
            if not isinstance(self.value, str | bytes | Mapping):
                return list(self.value)
        except TypeError:
            pass
        self.refuse(f" is {brief(self.value)}, not a list")

    def items(self) -> list[View]:
        """The same items, each as a part."""
        return [self._replace(value=item, name=f"{self.name}[{i}]") for i, item in enumerate(self.elements())]

    def number(self) -> int:
        """A whole number, of Python or of an array library."""
        try:
            return index(self.value)
        except TypeError:
            self.refuse(f" is {brief(self.value)}, not a whole number")

    def numbers(self, names: str) -> list[int]:
        """As many whole numbers as there are names."""
        items = self.items()
        if len(items) != len(names.split(", ")):
            self.refuse(f" is {brief(self.value)}, not ({names})")
        return [item.number() for item in items]

    def span(self, start: int, end: int, length: int, unit: str = "token", within: str = "") -> Span:
        """The span that this mention is, its end not included, if it lies within so many tokens and is not empty."""
        if not 0 <= start < end <= length:
            problem = "which holds nothing" if start >= end else f"but there are {length} {unit}s"
            self.refuse(f"{within} is {unit}s[{start}:{end}], {problem}")
        return start, end


def read_clusters(clusters: Iterable[View], read: Callable[[View], T]) -> list[list[T]]:
    """Clusters of mentions, each mention read by a function."""
    read_so_far = []
    for cluster in clusters:
        mentions = cluster.items()
        if not mentions:
            cluster.refuse(" is empty")
        read_so_far.append([read(mention) for mention in mentions])
    return read_so_far


def read_spans(clusters: View, length: int, unit: str = "token", *, inclusive: bool = False) -> list[list[Span]]:
    """Clusters of ``(start, end)``; ``inclusive`` says that the end is part of the mention."""

    def read(mention: View) -> Span:
        start, end = mention.numbers("start, end")
        return mention.span(start, end + inclusive, length, unit)

    return read_clusters(clusters.items(), read)


class Sentences:
    """The sentences of a document by their lengths: where each begins, counted in tokens of the document."""

    def __init__(self, tokens: Iterable[View]) -> None:
        self._lengths = [len(view.elements()) for view in tokens]
        self._starts = list(accumulate(self._lengths, initial=0))

    def sentence(self, mention: View, number: int) -> Span:
        """The first token of a sentence, counted from 0, and how many it has."""
        if not 0 <= number < len(self._lengths):
            mention.refuse(f" is in sentence {number + 1} of {len(self._lengths)}")
        return self._starts[number], self._lengths[number]

    def span(self, mention: View, number: int, start: int, end: int) -> Span:
        """A mention that counts the tokens of its sentence, as a span of the document."""
        first, length = self.sentence(mention, number)
        mention.span(start, end, length, within=f", in sentence {number + 1},")
        return first + start, first + end
