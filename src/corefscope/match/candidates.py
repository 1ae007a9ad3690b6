"""Which pairs of mentions may be matched, and how well they fit: sparse, found by looking things up.

Each function takes the mentions that are still free on both sides, with their numbers, and yields the pairs
whose score is above 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set

from ..base.document import Mention
from ..base.positions import SENTENCE_SHIFT, common_words, unbroken
from ..base.record import Record

Candidate = tuple[int, int, int, int]
"""Key mention, response mention, numerator and denominator of the score."""
Mentions = Sequence[tuple[int, Mention]]
Find = Callable[[Mentions, Mentions], Iterator[Candidate]]


def same_head(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
    """|K ∩ R| / |K| where both have the same head."""
    by_head: dict[int, list[tuple[int, Mention, bool]]] = defaultdict(list)
    for r, response in responses:
        by_head[response.head].append((r, response, unbroken(response.positions)))
    for k, key in keys:
        same = by_head.get(key.head)
        if same:
            size, is_unbroken = len(set(key.positions)), unbroken(key.positions)
            for r, response, also_unbroken in same:
                both = is_unbroken and also_unbroken
                yield k, r, common_words(key.positions, response.positions, both), size


def part_with_head(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
    """|R| / |K| where R ⊆ K and the head of K is in R; the head of R does not matter."""
    by_word: dict[int, list[tuple[int, Mention]]] = {key.head: [] for _, key in keys}
    for r, response in responses:
        for position in set(response.positions):
            if position in by_word:
                by_word[position].append((r, response))
    for k, key in keys:
        words = set(key.positions)
        for r, response in by_word[key.head]:
            if words.issuperset(response.positions):
                yield k, r, len(set(response.positions)), len(words)


def nothing(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:  # noqa: ARG001
    """Only identical mentions match: nothing is left to look for."""
    return iter(())


class Overlap(Record):
    """Two sets compared: what they share, and their sizes."""

    common: int
    key: int
    response: int


def dependency_overlap(key: Mention, response: Mention) -> tuple[Overlap, Overlap]:
    """How two zeros agree in their (parent, relation) pairs, and in their parents alone."""
    dependencies = set(key.dependencies), set(response.dependencies)
    parents = _parents(key), _parents(response)
    return _overlap(*dependencies), _overlap(*parents)


def _overlap(key: Set[object], response: Set[object]) -> Overlap:
    return Overlap(len(key & response), len(key), len(response))


def _parents(zero: Mention) -> set[int]:
    return {parent for parent, _ in zero.dependencies}


def zeros_by_parent(keys: Mentions, responses: Mentions) -> Iterator[tuple[int, int]]:
    """Pairs of zeros of one sentence that share a parent in their dependencies.

    Nothing else can have a positive score: who shares a dependency shares its parent.
    """
    by_parent: dict[tuple[int, int], list[int]] = defaultdict(list)
    for r, response in responses:
        for parent in _parents(response):
            by_parent[response.head >> SENTENCE_SHIFT, parent].append(r)
    for k, key in keys:
        sharing: set[int] = set()
        for parent in _parents(key):
            sharing.update(by_parent.get((key.head >> SENTENCE_SHIFT, parent), ()))
        for r in sorted(sharing):
            yield k, r
