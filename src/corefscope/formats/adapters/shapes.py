"""Reading objects of unknown classes, with errors that say what was expected; character offsets to token spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, islice
from operator import index
from reprlib import repr as brief
from typing import Any, NamedTuple, NoReturn, TypeVar

from ...core.errors import InputError

Span = tuple[int, int]
"""``(start, end)``: 0-based in the whole document, the end not included."""

T = TypeVar("T")


class View(NamedTuple):
    """A part of a framework's object: its value, the expression that reaches it, and the expected shape of the whole.

    >>> View({"cluster": []}, "output", "{'clusters': […]}").field("clusters")
    Traceback (most recent call last):
    corefscope.core.errors.InputError: output has no 'clusters', only 'cluster'
      hint: expected {'clusters': […]}
    """

    value: Any
    name: str
    expected: str

    def refuse(self, problem: str) -> NoReturn:
        """Raise the error about this part, with the expected shape."""
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
        """The items, each as a part."""
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
        """The span of this mention, end exclusive; refuse one that is empty or outside of ``length`` tokens."""
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
    """The sentences of a document: the token at which each begins, and its length."""

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


EXPECTED = "tokens as strings in the order of the text, or as (start, end) character offsets, end not included"


def characters_to_tokens(
    clusters: Iterable[Iterable[Span]], tokens: Sequence[str] | Sequence[Span], text: str | None = None
) -> list[list[Span]]:
    """Clusters of character offsets as clusters of token spans; both leave out their end.

    A mention that does not begin and end where tokens do is an error: it could be scored only by guessing.

    >>> characters_to_tokens([[(0, 12), (17, 24)]], ["Ada", "Lovelace", "saw", "herself"], "Ada Lovelace saw herself")
    [[(0, 2), (3, 4)]]
    >>> characters_to_tokens([[(0, 12), (20, 24)]], [(0, 3), (4, 12), (13, 16), (17, 24)])
    Traceback (most recent call last):
    corefscope.core.errors.InputError: clusters[0][1]: characters 20 to 24 do not begin where a token begins
      hint: let the system read the tokens of the key, or give as tokens= those that the system made

    Parameters
    ----------
    clusters
        Lists of (start, end).
    tokens
        Strings, which are looked up in ``text`` one after the other with nothing but blanks between them; or the
        (start, end) of each.
    text
        What the characters are counted in; needed for tokens that are strings.
    """
    offsets = _offsets(View(tokens, "tokens", EXPECTED), text)
    begins = {start: index for index, (start, _) in enumerate(offsets)}
    ends = {end: index + 1 for index, (_, end) in enumerate(offsets)}

    def read(mention: View) -> Span:
        start, end = mention.numbers("start, end")
        for offset, boundaries, verb in ((start, begins, "begin"), (end, ends, "end")):
            if offset not in boundaries:
                quoted = f" ({text[start:end]!r})" if text and 0 <= start < end else ""
                raise InputError(
                    f"{mention.name}: characters {start} to {end}{quoted} do not {verb} where a token {verb}s",
                    hint="let the system read the tokens of the key, or give as tokens= those that the system made",
                )
        return mention.span(begins[start], ends[end], len(offsets))

    return read_clusters(View(clusters, "clusters", EXPECTED).items(), read)


def _offsets(tokens: View, text: str | None) -> list[Span]:
    """The character offsets of each token."""
    offsets: list[Span] = []
    end_before = 0
    for view in tokens.items():
        token = view.value
        if isinstance(token, str):
            if text is None:
                raise InputError("tokens that are strings need the text that contains them", hint="give text=")
            start = text.find(token, end_before)
            if not token or start < 0 or text[end_before:start].strip():
                rest = text[end_before : end_before + 20]
                message = f"{view.name}, {token!r}, is not what comes next in the text, {rest!r}"
                raise InputError(message, hint="give the offsets of the tokens instead, tokens=[(start, end), …]")
            end = start + len(token)
        else:
            start, end = view.numbers("start, end")
            if not end_before <= start < end:
                view.refuse(f", {(start, end)}, is empty or begins before the token before it ends")
        offsets.append((start, end))
        end_before = end
    return offsets
