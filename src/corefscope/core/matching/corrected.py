"""The pairing of the rule set ``corrected``: the steps of ``official``, without its bugs.

Zeros by dependencies, then identical mentions, then what the match option finds; each step takes the pairs
with the best total score, and among equally good choices the one with the better-ranked pairs: identical spans
first, then the proportionally smallest difference, then the earlier start, then the earlier end. Swapping the sides
leaves the pairs as they are, but for partial matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from math import lcm
from typing import NamedTuple

from ..components import components
from ..document import Mention
from ..registry import HOOKS
from .alignment import NONE, Alignment, Side
from .assignment import assign
from .matchers import (
    Find,
    FindPairs,
    Mentions,
    Overlap,
    Pairs,
    are_crowded,
    dependency_overlap,
    kinds_that_fit,
    zeros_by_kind,
)
from .transform import SAME_WORDS_AND_HEAD

CROWDED = 400  # pairs that compete with each other


class Scored(NamedTuple):
    """A candidate pair with its score as a fraction."""

    k: int
    r: int
    numerator: int
    denominator: int


def align(key: Side, response: Side, find: Find, *, zeros_first: bool) -> Alignment:
    """Align two sides, each mention with at most one of the other side."""
    to_response = [NONE] * len(key.mentions)
    taken: set[int] = set()

    def pair(pairs: Iterable[tuple[int, int]], candidates: Iterable[Scored]) -> None:
        for k, r in chain(pairs, best_pairs(list(candidates), key.mentions, response.mentions)):
            to_response[k] = r
            taken.add(r)

    if zeros_first:
        keys: Mentions = key.numbered(key.zeros)
        responses: Mentions = response.numbered(response.zeros)
        dense, keys, responses = _dense_pairs("pair_dense_zeros", keys, responses)
        pair(dense, by_dependencies(keys, responses))
    for k, identity in enumerate(key.identities):
        if to_response[k] < 0:
            r = response.numbers.get(identity, NONE)
            if r >= 0 and r not in taken:
                to_response[k] = r
                taken.add(r)
    keys = key.numbered(k for k, r in enumerate(to_response) if r < 0)
    responses = response.numbered(r for r in range(len(response.mentions)) if r not in taken)
    if keys and responses:
        dense, keys, responses = _dense_pairs("pair_dense_mentions", keys, responses, find)
        pair(dense, by_words(keys, responses, find.pairs))
    return Alignment.of_pairs(key, response, to_response)


def _dense_pairs(hook: str, keys: Mentions, responses: Mentions, *find: Find) -> tuple[Pairs, Mentions, Mentions]:
    """The pairs of dense groups, the best first, and the mentions that are in no such group."""
    if not are_crowded(keys, responses):
        return [], keys, responses
    found: tuple[Pairs, Mentions, Mentions] = HOOKS[hook](keys, responses, *find)
    return found


def by_dependencies(keys: Mentions, responses: Mentions) -> Iterable[Scored]:
    """10·F(dependencies) + F(parents) of zeros, exactly; those without dependencies have no candidates here."""
    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    candidates: dict[int, list[tuple[int, int, int]]] = {}
    for kind, fits in kinds_that_fit(by_kind, by_other_kind).items():
        scored = sorted((r, *zeros_score(*dependency_overlap(kind, fit))) for fit in fits for r in by_other_kind[fit])
        candidates.update(dict.fromkeys(by_kind[kind], scored))
    return (Scored(k, *scored) for k, _ in keys for scored in candidates[k])


@lru_cache(maxsize=1 << 12)
def zeros_score(dependencies: Overlap, parents: Overlap) -> tuple[int, int]:
    """10·F(dependencies) + F(parents) of two zeros, as a fraction."""
    (a, b), (c, d) = _dice(dependencies), _dice(parents)
    return 10 * a * d + c * b, b * d


def _dice(overlap: Overlap) -> tuple[int, int]:
    """2|A∩B| / (|A|+|B|)"""
    return 2 * overlap.common, overlap.key + overlap.response


def by_words(keys: Mentions, responses: Mentions, find: FindPairs) -> Iterable[Scored]:
    """2|K∩R| / (|K|+|R|) for what the match option finds: the same from both sides."""
    key_sizes, response_sizes = ({n: m.distinct for n, m in side} for side in (keys, responses))
    for k, r, common, _ in find(keys, responses):
        yield Scored(k, r, 2 * common, key_sizes[k] + response_sizes[r])


def best_pairs(candidates: list[Scored], keys: list[Mention], responses: list[Mention]) -> list[tuple[int, int]]:
    """The one-to-one pairs with the best total; ties go to the better-ranked pairs, lexicographically.

    Where hundreds of pairs compete with each other, the best pair is taken first, then the best that is left.
    """
    chosen: list[tuple[int, int]] = []
    for group in _competing(candidates):
        if len(group) == 1:
            chosen.append((group[0].k, group[0].r))
        elif len(group) > CROWDED:
            chosen += _greedy(group, keys, responses)
        else:
            chosen += _optimal(group, keys, responses)
    return chosen


def _competing(candidates: list[Scored]) -> list[list[Scored]]:
    """The candidates in groups that share no mention."""
    by_key: dict[int, list[Scored]] = {}
    for pair in candidates:
        by_key.setdefault(pair.k, []).append(pair)
    rows = list(by_key.values())
    groups = components([[pair.r for pair in row] for row in rows])
    return [[pair for i in group for pair in rows[i]] for group in groups]


def _optimal(pairs: list[Scored], keys: list[Mention], responses: list[Mention]) -> list[tuple[int, int]]:
    """An assignment in whole numbers, of which exactly one is best, so that floating point has no say."""
    pairs.sort(key=lambda pair: _rank(keys[pair.k], responses[pair.r]))
    names, other_names = sorted({pair.k for pair in pairs}), sorted({pair.r for pair in pairs})
    row_of = {k: i for i, k in enumerate(names)}
    column_of = {r: j for j, r in enumerate(other_names)}
    rows: list[dict[int, int]] = [{} for _ in names]
    # Scores over a common denominator are whole numbers. Below each, one bit for every pair breaks ties:
    # the bit of a pair outweighs those of all worse-ranked pairs together, and all bits together no score.
    unit = lcm(*(pair.denominator for pair in pairs))
    tie_break = 1 << len(pairs)
    scale = tie_break
    for k, r, numerator, denominator in pairs:
        tie_break >>= 1
        rows[row_of[k]][column_of[r]] = numerator * (unit // denominator) * scale + tie_break
    return [(names[i], other_names[j]) for i, j in assign(rows, len(other_names))]


def _greedy(pairs: list[Scored], keys: list[Mention], responses: list[Mention]) -> list[tuple[int, int]]:
    """The pair with the best score first (of equals the one that begins, then ends earlier), then the next."""
    chosen: dict[int, int] = {}
    taken: set[int] = set()

    def order(pair: Scored) -> tuple[object, ...]:
        return -pair.numerator / pair.denominator, _places(keys[pair.k], responses[pair.r])

    for k, r, _, _ in sorted(pairs, key=order):
        if k not in chosen and r not in taken:
            chosen[k] = r
            taken.add(r)
    return list(chosen.items())


def _rank(key: Mention, response: Mention) -> tuple[object, ...]:
    """Identical first, then by the share of words in common, start and end; the same from both sides."""
    different = SAME_WORDS_AND_HEAD(key) != SAME_WORDS_AND_HEAD(response)
    return different, -key.common(response) / (key.size + response.size), _places(key, response)


def _places(key: Mention, response: Mention) -> tuple[object, ...]:
    """The starts, then the ends of both, the earlier first; which of them is the key comes last."""
    one, other = sorted((m.first, m.last, m.order, m.head) for m in (key, response))
    return one[0], other[0], one[1], other[1], one, other, _is_later(key, response)


def _is_later(mention: Mention, other: Mention) -> bool:
    """Whether its positions come after those of another, in the order of tuples."""
    if mention.first != other.first or not (mention.broken or other.broken):
        return (mention.first, mention.last) > (other.first, other.last)
    return mention.positions > other.positions
