"""Which spans are nested in others, and which cross others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import chain

Runs = tuple[tuple[int, int], ...]
"""A span by its unbroken parts, (first, last) in nodes of the document: equal if the sets of nodes are."""


def overlapping(spans: Iterable[Runs]) -> tuple[set[Runs], set[Runs]]:
    """Which of these distinct spans are nested in another one, and which cross another one.

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
    """Of unbroken spans, those inside another, and those in whose middle another ends that began before them."""
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
    """How many words and empty nodes a span has."""
    return sum(last - first + 1 for first, last in span)
