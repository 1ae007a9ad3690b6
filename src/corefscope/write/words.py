"""What writers know of words: their positions and forms, and their tags in the file they come from."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..base.document import Document, Sentence
from ..base.positions import runs_of
from ..read.tags import Tag

LINE_ENDS = re.compile(r"[\n\r\ud800-\udfff]+")
"""What no line can hold: its end, and half characters, which UTF-8 cannot write."""


class Origin(NamedTuple):
    """What a writer may ask about the file that documents were read from."""

    same_format: bool
    """Whether it is of the format that is written."""
    tags: Callable[[Sentence], list[Tag]]
    """Part of speech and speaker of each word of a sentence."""
    has_heads: bool = False
    """Whether it says which words are heads."""
    conllu: bool = False
    """Whether its lines have the columns of CoNLL-U."""


def word_positions(document: Document) -> list[int]:
    """The positions of all ordinary words of a document."""
    return [place for sentence in document.sentences for place in sentence.positions]


def forms(sentence: Sentence) -> list[str]:
    """The words of a sentence without their numbers."""
    return [word.partition("\t")[2] for word in sentence.words]


class Run(NamedTuple):
    """Words, or empty nodes, that follow each other."""

    first: int
    last: int


def runs(positions: tuple[int, ...], order: Sequence[int]) -> list[Run]:
    """The parts of a mention without gaps, in an order of nodes that holds all of its positions.

    >>> runs((1, 2, 5), [1, 2, 3, 5])
    [Run(first=1, last=2), Run(first=5, last=5)]
    """
    first, last = bisect_left(order, positions[0]), bisect_left(order, positions[-1])
    if last - first + 1 == len(positions) == len(set(positions)):  # all there are from the first to the last
        return [Run(positions[0], positions[-1])]
    numbers = runs_of(bisect_left(order, place) for place in positions)
    return [Run(order[first], order[last]) for first, last in numbers]
