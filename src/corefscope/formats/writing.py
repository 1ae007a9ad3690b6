"""Parts that writers share: words, brackets in canonical order, nested and crossing spans, and entity ids."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import ne
from typing import NamedTuple

from ..core.document import Document, Sentence
from ..core.positions import runs_of
from .losses import Losses
from .sentences import Tag

LINE_ENDS = re.compile(r"[\n\r\ud800-\udfff]+")
"""Characters that no line can hold: line ends, and half surrogate pairs, which UTF-8 cannot write."""
BREAKS = re.compile(r"[\t\n\r\ud800-\udfff]+")
"""Characters that no cell of a table with tabs can hold."""
ABOUT_ENTITIES = ("Entity=", "Bridge=", "SplitAnte=", "Split=")
"""Prefixes of the attributes of MISC that hold entities and links."""


class Origin(NamedTuple):
    """The file that documents were read from."""

    same_format: bool
    """Whether it has the format that is written."""
    tags: Callable[[Sentence], list[Tag]]
    """Part of speech and speaker of each word of a sentence."""
    has_heads: bool = False
    """Whether it says which words are heads."""
    conllu: bool = False
    """Whether its lines have the columns of CoNLL-U."""


def word_positions(document: Document) -> list[int]:
    """The positions of all ordinary words of a document."""
    return [place for sentence in document.sentences for place in sentence.positions]


class Run(NamedTuple):
    """Consecutive words or empty nodes."""

    first: int
    last: int


def runs(positions: tuple[int, ...], order: Sequence[int]) -> list[Run]:
    """The parts of a mention without gaps, in an order of nodes that has all of its positions.

    >>> runs((1, 2, 5), [1, 2, 3, 5])
    [Run(first=1, last=2), Run(first=5, last=5)]
    """
    first, last = bisect_left(order, positions[0]), bisect_left(order, positions[-1])
    if last - first + 1 == len(positions) == len(set(positions)):
        return [Run(positions[0], positions[-1])]
    numbers = runs_of(bisect_left(order, place) for place in positions)
    return [Run(order[first], order[last]) for first, last in numbers]


class BracketPair(NamedTuple):
    """The brackets around a mention, or around one part of it: their positions and their content."""

    first: int
    last: int
    opening: str
    closing: str


def cells(brackets: Iterable[BracketPair]) -> dict[int, list[str]]:
    """The brackets to write at each position.

    First mentions that end there, the latest opened first; then those that begin there, longer first; then single
    words. Where no longer mention begins, single words come before mentions that end: they are inside of them.
    Brackets around the same words keep their order, and close in reverse. So brackets nest wherever they can, and a
    reader that closes the latest bracket of an id finds the same mentions again, unless two of one id cross.

    >>> spans = (1, 3, "a-x", "a"), (1, 2, "b", "b"), (2, 2, "c", "c"), (2, 3, "d", "d")
    >>> cells(BracketPair(*span) for span in spans)
    {1: ['(a-x', '(b'], 2: ['b)', '(d', '(c)'], 3: ['d)', 'a)']}
    >>> cells([BracketPair(1, 2, "a", "a"), BracketPair(2, 2, "b", "b")])
    {1: ['(a'], 2: ['(b)', 'a)']}
    """
    ending: dict[int, list[tuple[int, int, str]]] = {}
    beginning: dict[int, list[tuple[int, int, str]]] = {}
    single: dict[int, list[str]] = {}
    for index, (first, last, opening, closing) in enumerate(brackets):
        if first == last:
            single.setdefault(first, []).append(f"({opening})")
        else:
            beginning.setdefault(first, []).append((-last, index, f"({opening}"))
            ending.setdefault(last, []).append((-first, -index, f"{closing})"))
    ordered = {}
    for position in sorted({*ending, *beginning, *single}):
        alone = single.get(position, [])
        ends, begins = ([chunk for *_, chunk in sorted(chunks.get(position, []))] for chunks in (ending, beginning))
        ordered[position] = [*ends, *begins, *alone] if begins else [*alone, *ends]
    return ordered


Runs = tuple[tuple[int, int], ...]
"""A span by its unbroken parts, (first, last) in nodes of the document: equal if the sets of nodes are."""


def overlapping(spans: Iterable[Runs]) -> tuple[set[Runs], set[Runs]]:
    """The distinct spans that are nested in another one, and those that cross another one.

    Unbroken spans are swept from left to right and back, in n log n steps. Broken ones are compared with the spans
    that share a word with them, and no others.
    """
    spans = list(spans)
    broken = [index for index, span in enumerate(spans) if len(span) > 1]
    unbroken = [span[0] for span in spans if len(span) == 1]
    inside, cut_on_the_left = _sweep(unbroken)
    _, cut_on_the_right = _sweep([(-last, -first) for first, last in unbroken])
    nested: set[Runs] = {(span,) for span in inside}
    crossing: set[Runs] = {(span,) for span in cut_on_the_left}
    crossing |= {((-last, -first),) for first, last in cut_on_the_right}
    if broken:
        _compare(spans, broken, nested, crossing)
    return nested, crossing


def _sweep(spans: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The unbroken spans inside another, and those in whose middle an earlier one ends."""
    inside, cut = [], []
    ends: list[int] = []  # of the spans that have begun, in order
    still_open = 0
    for first, last in sorted(spans, key=lambda span: (span[0], -span[1])):
        still_open = bisect_left(ends, first, still_open)
        index = bisect_left(ends, last, still_open)
        if index > still_open:
            cut.append((first, last))
        if index < len(ends):
            inside.append((first, last))
        if index == len(ends) or ends[index] != last:
            ends.insert(index, last)
    return inside, cut


def _compare(spans: list[Runs], broken: list[int], nested: set[Runs], crossing: set[Runs]) -> None:
    """Find what is nested and what crosses among pairs with a broken span."""
    nodes = sorted(set(chain.from_iterable(_nodes(spans[index]) for index in broken)))
    holders: dict[int, list[int]] = {node: [] for node in nodes}
    for index, span in enumerate(spans):
        for first, last in span:
            for node in nodes[bisect_left(nodes, first) : bisect_right(nodes, last)]:
                holders[node].append(index)
    for index in broken:
        span = spans[index]
        common = Counter(chain.from_iterable(holders[node] for node in _nodes(span)))
        del common[index]
        for other_index, shared in common.items():
            other = spans[other_index]
            if shared < span_length(span) and shared < span_length(other):
                crossing |= {span, other}
            else:
                nested.add(span if shared == span_length(span) else other)


def _nodes(span: Runs) -> Iterable[int]:
    return chain.from_iterable(range(first, last + 1) for first, last in span)


def span_length(span: Runs) -> int:
    """The number of words and empty nodes of a span."""
    return sum(last - first + 1 for first, last in span)


NUMBER = re.compile(r"e?(0|[1-9][0-9]{0,17})")
USABLE = re.compile(r"[^\s()\[\]|=<>,:\-]+")
"""An id in CorefUD: no character of the syntax of brackets, Bridge and SplitAnte."""


def ids_of(document: Document) -> tuple[str, ...]:
    """The ids of the entities of a document; numbers if it has none."""
    return document.entity_ids or tuple(str(number) for number in range(len(document.entities)))


def distinct(document: Document, losses: Losses) -> list[str]:
    """Entity ids of any text, made unique in the document."""
    taken: set[str] = set()
    old = ids_of(document)
    new = [free_name(id_, taken, ".") for id_ in old]
    losses.add("ids", sum(map(ne, old, new)))
    return new


def free_name(name: str, taken: set[str], separator: str) -> str:
    """The name, with the next free number if it is taken; the result is added to ``taken``."""
    new, number = name, 1
    while new in taken:
        number += 1
        new = f"{name}{separator}{number}"
    taken.add(new)
    return new


def numbers(document: Document, losses: Losses) -> list[str]:
    """Entity numbers, as in CoNLL-2012: 12 for ``12`` and ``e12``, the next free one for other ids."""
    return _filled([_number(id_) for id_ in ids_of(document)], set(), "", losses)


def unique(document: Document, taken: set[str], losses: Losses, usable: re.Pattern[str] = USABLE) -> list[str]:
    """Entity ids as in CorefUD, ``e12`` for ``12``, none of which an earlier document has.

    ``usable`` matches the ids that the format allows; the next free number replaces any other.
    """
    proposed = []
    for id_ in ids_of(document):
        number = _number(id_)
        proposed.append(f"e{number}" if number else id_ if usable.fullmatch(id_) else "")
    return _filled(proposed, taken, "e", losses)


def _number(id_: str) -> str:
    match = NUMBER.fullmatch(id_)
    return match[1] if match else ""


def _filled(proposed: Iterable[str], taken: set[str], prefix: str, losses: Losses) -> list[str]:
    """The proposed ids that are free; the next free number for those that are empty or taken."""
    ids = []
    for id_ in proposed:
        ids.append(id_ if id_ not in taken else "")
        if id_:
            taken.add(id_)
    number = len(taken)
    for index, id_ in enumerate(ids):
        if not id_:
            while f"{prefix}{number}" in taken:
                number += 1
            ids[index] = f"{prefix}{number}"
            taken.add(ids[index])
            losses.add("ids")
    return ids
