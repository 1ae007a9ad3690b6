"""Coreference cells of CoNLL files: their brackets, and the mentions that these mark."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

from ..base.document import Document, Entity, Sentence
from ..base.mention import Mention
from ..base.positions import FAR, SENTENCE_SHIFT, WORD_MASK, WORD_SHIFT, word_positions

CHUNK = re.compile(r"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|([()])|([^()|]+)")
_NEW = tuple.__new__
NOT_OPEN, CONTINUED, REOPENED = "closed-never-opened", "bare-id", "opened-after-closed"
"""Faults of brackets. The last two are none to readers: an id without bracket while a mention of it is open; and a
cell that closes a mention and then begins another of the same id, of which they warn."""


class Mentions:
    """The brackets of one document: a stack per id.

    Brackets of a cell count from left to right: ``5)|(5`` ends a mention and begins another. To the reference scorer
    it is a mention of one word inside of the first, because it opens what a cell opens before it closes. Once there
    is such a cell, ``official`` has the mentions as the reference finds them.
    """

    def __init__(self) -> None:
        self.of_ids: defaultdict[str, list[Mention]] = defaultdict(list)
        """The mentions of each id, none if it is never closed. Ids are in the order of their first brackets; of one
        cell, those of single words come first."""
        self.opened: defaultdict[str, list[int]] = defaultdict(list)
        """The first words of mentions that are not closed yet."""
        self.sizes: dict[int, int] = {}
        """The number of words of each sentence that has ended."""
        self._words_before = [0]
        """The number of words before each sentence, as far as somebody asked for it."""
        self._seams: list[int] = []
        """The last word of a sentence and the first of the next, as :func:`runs_in` has them, likewise."""
        self.official: Mentions | None = None

    def feed(self, cell: str, position: int) -> list[tuple[str, str]]:
        """Read the cell of a word, on past its faults: these are codes of validation, each with a chunk."""
        singles, opened, closed, in_order = _brackets(cell)
        if in_order or self.official:
            return self._feed_in_order(cell, position)
        not_open = self.feed_in_groups(position, singles, opened, closed)
        return [(NOT_OPEN, id_) for id_ in not_open] if not_open else []

    def _feed_in_order(self, cell: str, position: int) -> list[tuple[str, str]]:
        chunks = CHUNK.findall(cell)
        faults = [(REOPENED, id_) for id_ in _reopened(chunks)]
        if faults and self.official is None:
            self.official = self._copy()
        singles, opens, closes, _ = _brackets(cell)
        if self.official:
            self.official.feed_in_groups(position, singles, opens, closes)
        for id_ in singles + opens:
            self.of_ids[id_]  # now it has its place
        for single, opened, closed, bracket, other in chunks:
            if single or opened or closed:
                groups = [(id_,) if id_ else () for id_ in (single, opened, closed)]
                faults += [(NOT_OPEN, id_) for id_ in self.feed_in_groups(position, *groups)]
            else:
                faults.append((CONTINUED if self.opened.get(other) else "bad-cell", bracket or other))
        return faults

    def feed_in_groups(
        self, position: int, singles: Sequence[str], opened: Sequence[str], closed: Sequence[str]
    ) -> list[str]:
        """Read the brackets of a word as the reference does, kind by kind; returns what was not open."""
        of_ids, stacks = self.of_ids, self.opened
        for id_ in singles:
            of_ids[id_].append(_NEW(Mention, (position, -1, position, position, (), ())))
        for id_ in opened:
            of_ids[id_]  # now it has its place
            stacks[id_].append(position)
        not_open = []
        for id_ in closed:
            if not (stack := stacks.get(id_)):
                not_open.append(id_)
                continue
            first = stack.pop()
            if first >> SENTENCE_SHIFT == position >> SENTENCE_SHIFT:
                place = first, (first - position >> WORD_SHIFT) - 1, position, first, (), ()
                of_ids[id_].append(_NEW(Mention, place))
            else:
                of_ids[id_].append(self._broken(first, position))
        return not_open

    def _broken(self, first: int, last: int) -> Mention:
        """The mention from a word of one sentence to a word of another; runs share the numbers of their ends."""
        start = next(iter(self.sizes))
        begins, ends = ((place >> SENTENCE_SHIFT) - start for place in (first, last))
        for number in range(start + len(self._words_before) - 1, start + ends):
            words = word_positions(number, self.sizes[number])
            self._words_before.append(self._words_before[-1] + len(words))
            self._seams += FAR - words[-1], word_positions(number + 1, 1)[0]
        runs = (first, *self._seams[2 * begins : 2 * ends], FAR - last)
        before, after = ((place & WORD_MASK) >> WORD_SHIFT for place in (first, last))
        words_between = self._words_before[ends] - self._words_before[begins]
        return _NEW(Mention, (first, before - 1 - words_between - after, last, first, (), runs))

    def _copy(self) -> Mentions:
        """The same mentions to go on from; the sizes of sentences, which nobody reads in two ways, are shared."""
        new = Mentions()
        new.sizes = self.sizes
        new.of_ids.update({id_: list(mentions) for id_, mentions in self.of_ids.items()})
        new.opened.update({id_: list(stack) for id_, stack in self.opened.items()})
        return new

    def entities(self) -> dict[str, Entity]:
        """The entities that have mentions, by their first brackets; mentions in order."""
        return {id_: tuple(sorted(mentions)) for id_, mentions in self.of_ids.items() if mentions}

    def document(self, name: str, sentences: tuple[Sentence, ...], path: str) -> Document:
        """The document; entities by their first brackets."""
        entities = self.entities()
        return Document(
            name,
            tuple(entities.values()),
            entity_ids=tuple(entities),
            entity_types=("",) * len(entities),
            sentences=sentences,
            path=path,
            official=self.official.document(name, sentences, path) if self.official else None,
        )


@lru_cache(maxsize=1 << 14)  # the same few cells come again in every document
def _brackets(cell: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]:
    """The ids of one-word, opening and closing brackets; and whether their order matters, or there is more."""
    chunks = CHUNK.findall(cell)
    singles = tuple([chunk[0] for chunk in chunks if chunk[0]])
    opened = tuple([chunk[1] for chunk in chunks if chunk[1]])
    closed = tuple([chunk[2] for chunk in chunks if chunk[2]])
    brackets = len(singles) + len(opened) + len(closed)
    return singles, opened, closed, bool(opened and closed) or brackets < len(chunks)


def _reopened(chunks: list[tuple[str, ...]]) -> list[str]:
    """The ids of which a cell closes a mention that was open before it, and leaves open one that it opens."""
    opened: Counter[str] = Counter()
    closed: dict[str, None] = {}
    for _, opening, closing, *_ in chunks:
        if opening:
            opened[opening] += 1
        elif opened[closing]:
            opened[closing] -= 1
        elif closing:
            closed[closing] = None
    return [id_ for id_ in closed if opened[id_]]
