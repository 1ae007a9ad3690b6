"""Which printed words are which words of the key, although copying went wrong here and there.

Stretches that agree are found by anchors, words that both sides have once, again and again in what lies between two
of them; what then remains is small, and aligned at the least cost (``gaps``). So time grows with the words and with
the squares of the gaps. The cost of the whole is the least there is where the words in common are there once;
elsewhere an anchor may be a word that the cheapest way does not take for itself, which costs a little more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .anchors import anchors
from .folding import folded
from .gaps import CELLS, moves

KINDS = ("same", "changed", "replaced", "glued", "split", "left out", "invented")
SMALL = 400
"""Cells of a gap in which anchors are not worth it."""
_DEEPEST = 40


class Passage(NamedTuple):
    """Printed words and the words of the key that they are.

    ``same``, ``changed`` (another spelling: case, quotes, blanks) and ``replaced`` words stand for one another one by
    one. ``glued``: one printed word for several of the key; ``split``: several for one. ``left out``: no printed
    words; ``invented``: none of the key. Neighbours of one kind are one step, but for glued and split words.
    """

    text_start: int
    text_stop: int
    key_start: int
    key_stop: int
    kind: str


def aligned(printed: Sequence[str], key: Sequence[str], small: int = SMALL, cells: int = CELLS) -> list[Passage]:
    """Steps that cover both sides in order, without overlap.

    >>> for step in aligned("Ann met Her dog.".split(), "Ann met her old dog .".split()):
    ...     print(*step)
    0 2 0 2 same
    2 3 2 3 changed
    3 3 3 4 left out
    3 4 4 6 glued
    """
    steps: list[Passage] = []
    text_start = key_start = 0
    for words, parts in _moves(printed, key, small, cells):
        step = _step(printed, key, text_start, key_start, words, parts)
        text_start, key_start = step.text_stop, step.key_stop
        if steps and steps[-1].kind == step.kind and step.kind not in ("glued", "split"):
            step = Passage(steps[-1].text_start, step.text_stop, steps.pop().key_start, step.key_stop, step.kind)
        steps.append(step)
    return steps


def keys_of(steps: Sequence[Passage], size: int) -> list[tuple[int, int] | None]:
    """Of each printed word, the first and last number of the words of the key that it stands for."""
    keys: list[tuple[int, int] | None] = [None] * size
    for start, stop, key_start, key_stop, _ in steps:
        if key_start == key_stop:
            continue
        one_by_one = stop - start == key_stop - key_start
        for offset, number in enumerate(range(start, stop)):
            at = key_start + offset
            keys[number] = (at, at) if one_by_one else (key_start, key_stop - 1)
    return keys


def _step(printed: Sequence[str], key: Sequence[str], text: int, word: int, words: int, parts: int) -> Passage:
    """The step of so many printed words and words of the key, from there on."""
    if words and parts and words != parts:
        kind = "glued" if parts > words else "split"
    elif not words or not parts:
        kind = "invented" if words else "left out"
    elif printed[text] == key[word]:
        kind = "same"
    else:
        kind = "changed" if folded(printed[text]) == folded(key[word]) else "replaced"
    return Passage(text, text + words, word, word + parts, kind)


def _moves(printed: Sequence[str], key: Sequence[str], small: int, cells: int) -> Iterator[tuple[int, int]]:
    """How many words each step takes on both sides, from the beginning on."""
    known = {word: folded(word) for word in {*printed, *key}}
    text, words = [known[word] for word in printed], [known[word] for word in key]
    pending = [(0, len(text), 0, len(words), 0)]
    while pending:
        start, stop, first, last, depth = pending.pop()
        if (stop - start) * (last - first) <= small and text[start:stop] != words[first:last]:
            yield from _gap(printed[start:stop], key[first:last], cells)
            continue
        while start < stop and first < last and text[start] == words[first]:
            yield 1, 1
            start, first = start + 1, first + 1
        ends = 0
        while start < stop - ends and first < last - ends and text[stop - 1 - ends] == words[last - 1 - ends]:
            ends += 1
        if ends:
            pending.append((stop - ends, stop, last - ends, last, depth))
        stop, last = stop - ends, last - ends
        deep = depth == _DEEPEST or (stop - start) * (last - first) <= small
        found = [] if deep else anchors(text[start:stop], words[first:last])
        if found:
            bounds = [(start, first), *((start + place, first + other) for place, other in found), (stop, last)]
            pairs = zip(bounds[-2::-1], bounds[:0:-1], strict=True)
            pending += [(start, stop, first, last, depth + 1) for (start, first), (stop, last) in pairs]
        else:
            yield from _gap(printed[start:stop], key[first:last], cells)


def _gap(printed: Sequence[str], key: Sequence[str], cells: int) -> Iterator[tuple[int, int]]:
    """The steps through a gap; all words invented and left out if it was not copied."""
    found = moves(printed, key, cells) if printed and key else None
    if found is not None:
        yield from found
    else:
        for side, move in ((printed, (1, 0)), (key, (0, 1))):
            for _ in side:
                yield move
