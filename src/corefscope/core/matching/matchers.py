"""Matchers: which mentions are the same, and which other pairs of mentions may be matched.

``MATCHERS`` has one row for each value of ``--match``. A function that finds candidates takes the mentions that are
still free on both sides, with their numbers, and yields the pairs whose score is above 0, found by look-up and never
by comparing all pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from ..document import Dependency, Mention
from ..positions import SENTENCE_SHIFT
from .transform import SAME_WORDS, SAME_WORDS_AND_HEAD, Identity

Candidate = tuple[int, int, int, int]
"""Key mention, response mention, numerator and denominator of the score."""
Mentions = Sequence[tuple[int, Mention]]
FindPairs = Callable[[Mentions, Mentions], Iterator[Candidate]]
Pairs = list[tuple[int, int]]

CROWDED = 20_000
"""Pairs of mentions; from here on they are not listed, but scored by rows with NumPy (``scale/dense_groups``)."""


def are_crowded(keys: Sequence[object], responses: Sequence[object]) -> bool:
    """Whether mentions have so many pairs that some of them may compete in dense groups."""
    return len(keys) * len(responses) > CROWDED


def same_head(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
    """|K ∩ R| / |K| where both have the same head."""
    by_head: dict[int, list[tuple[int, Mention]]] = defaultdict(list)
    for numbered in responses:
        by_head[numbered[1].head].append(numbered)
    for k, key in keys:
        for r, response in by_head.get(key.head, ()):
            yield k, r, key.common(response), key.distinct


def part_with_head(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
    """|R| / |K| where R ⊆ K and the head of K is in R; the head of R does not matter.

    If K has minimal words (``Mention.minimum``), all of them must be in R.
    """
    by_word: dict[int, list[tuple[int, Mention]]] = {key.head: [] for _, key in keys}
    for r, response in responses:
        for position in set(response.positions):
            if position in by_word:
                by_word[position].append((r, response))
    for k, key in keys:
        for r, response in by_word[key.head]:
            if key.common(response) == response.distinct and _has_minimum(key, response):
                yield k, r, response.distinct, key.distinct


def _has_minimum(key: Mention, response: Mention) -> bool:
    return len(key.minimum) < 2 or set(response.positions).issuperset(key.minimum)


def no_candidates(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:  # noqa: ARG001
    """No pairs: only identical mentions match."""
    return iter(())


class Find(NamedTuple):
    """A way to find candidates."""

    pairs: FindPairs
    agree_in: Callable[[Mention], int] | None = None
    """The feature, such as the head, if two mentions are candidates exactly when they have the same one."""
    parts: bool = False
    """Whether the candidates are parts of the key mention that hold its head."""

    def __call__(self, keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
        """The candidates among these mentions."""
        return self.pairs(keys, responses)


class Overlap(NamedTuple):
    """Two sets compared: what they share, and their sizes."""

    common: int
    key: int
    response: int


class Kind(NamedTuple):
    """All that zeros are matched by."""

    sentence: int
    dependencies: frozenset[Dependency]
    parents: frozenset[int]


def dependency_overlap(key: Kind, response: Kind) -> tuple[Overlap, Overlap]:
    """How two zeros agree in their (parent, relation) pairs, and in their parents alone."""
    _, ours, our_parents = key
    _, theirs, their_parents = response
    common, common_parents = len(ours & theirs), len(our_parents & their_parents)
    return _overlaps(common, len(ours), len(theirs), common_parents, len(our_parents), len(their_parents))


@lru_cache(maxsize=1 << 12)  # where many zeros fit many, most of them overlap alike
def _overlaps(*sizes: int) -> tuple[Overlap, Overlap]:
    return Overlap(*sizes[:3]), Overlap(*sizes[3:])


def zeros_by_kind(zeros: Mentions) -> dict[Kind, list[int]]:
    """The zeros of each kind: zeros of one kind have the same candidates with the same scores."""
    by_kind: dict[Kind, list[int]] = defaultdict(list)
    for number, zero in zeros:
        parents = frozenset([parent for parent, _ in zero.dependencies])
        by_kind[Kind(zero.head >> SENTENCE_SHIFT, frozenset(zero.dependencies), parents)].append(number)
    return by_kind


def kinds_that_fit(keys: Iterable[Kind], responses: Iterable[Kind]) -> dict[Kind, list[Kind]]:
    """For each kind of the key the kinds of the response with its sentence and a parent in common.

    No other kind can have a positive score, since a shared dependency is a shared parent.
    """
    by_parent: dict[tuple[int, int], list[Kind]] = defaultdict(list)
    for response in responses:
        for parent in response.parents:
            by_parent[response.sentence, parent].append(response)
    return {
        key: list(dict.fromkeys(fit for parent in key.parents for fit in by_parent.get((key.sentence, parent), ())))
        for key in keys
    }


class Matcher(NamedTuple):
    """One way to match mentions."""

    name: str
    title: str
    identity: Identity
    find: Find
    needs_heads: bool = True
    """Whether it matters which word of a mention is its head."""
    symmetric: bool = True
    """Whether swapping key and response leaves the pairs as they are."""


MATCHERS: dict[str, Matcher] = {
    matcher.name: matcher
    for matcher in (
        Matcher(
            "head",
            "same head word; the best overlap if several mentions share it",
            SAME_WORDS_AND_HEAD,
            Find(same_head, agree_in=attrgetter("head")),
        ),
        Matcher(
            "partial",
            "part of the key mention that holds its head",
            SAME_WORDS,
            Find(part_with_head, parts=True),
            symmetric=False,
        ),
        Matcher("exact", "the same words", SAME_WORDS, Find(no_candidates), needs_heads=False),
    )
}

ZEROS: dict[str, str] = {
    "dependent": "zeros match by their dependencies first, not by their position",
    "linear": "zeros match by their position, like all other mentions",
}
