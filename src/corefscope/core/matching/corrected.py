"""The pairing of the rule set ``corrected``: the steps of ``official``, without its bugs.

Zeros by dependencies, then identical mentions, then what the match option finds; each step takes the pairs
with the best total score, and among equally good choices the one with the better-ranked pairs: identical spans
first, then the proportionally smallest difference, then the earlier start, then the earlier end. Swapping the sides
leaves the pairs as they are, but for partial matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, starmap
from math import lcm
from typing import NamedTuple

from ..components import components
from ..document import Mention
from ..numbers import Numeric
from .alignment import NONE, Alignment, Side
from .assignment import assign
from .dense_groups import (
    NO_PAIR,
    DenseGroup,
    Overlaps,
    best_first,
    find_dense_groups,
    find_dense_zeros,
    without_groups,
)
from .matchers import Find, FindPairs, Mentions, Overlap, dependency_overlap, kinds_that_fit, zeros_by_kind
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
        keys, responses = key.numbered(key.zeros), response.numbered(response.zeros)
        groups = find_dense_zeros(keys, responses)
        rest = without_groups(keys, responses, groups)
        pair(chain.from_iterable(starmap(_pair_zeros_of_group, groups)), by_dependencies(*rest))
    for k, identity in enumerate(key.identities):
        if to_response[k] < 0:
            r = response.numbers.get(identity, NONE)
            if r >= 0 and r not in taken:
                to_response[k] = r
                taken.add(r)
    keys = key.numbered(k for k, r in enumerate(to_response) if r < 0)
    responses = response.numbered(r for r in range(len(response.mentions)) if r not in taken)
    if keys and responses:
        groups = find_dense_groups(keys, responses, find)
        rest = without_groups(keys, responses, groups)
        pair(chain.from_iterable([_pair_group(group, find) for group in groups]), by_words(*rest, find.pairs))
    return Alignment.of_pairs(key, response, to_response)


def by_dependencies(keys: Mentions, responses: Mentions) -> Iterable[Scored]:
    """10·F(dependencies) + F(parents) of zeros, exactly; those without dependencies have no candidates here."""
    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    candidates: dict[int, list[tuple[int, int, int]]] = {}
    for kind, fits in kinds_that_fit(by_kind, by_other_kind).items():
        scored = sorted(
            (r, *_zeros_score(*dependency_overlap(kind, fit))) for fit in fits for r in by_other_kind[fit]
        )
        candidates.update(dict.fromkeys(by_kind[kind], scored))
    return (Scored(k, *scored) for k, _ in keys for scored in candidates[k])


@lru_cache(maxsize=1 << 12)
def _zeros_score(dependencies: Overlap, parents: Overlap) -> tuple[int, int]:
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


def _pair_zeros_of_group(keys: Mentions, responses: Mentions) -> list[tuple[int, int]]:
    """Pair a dense group of zeros, the best pair first: zeros of one kind share one row, or column, of scores."""
    import numpy as np

    by_kind, by_other_kind = zeros_by_kind(keys), zeros_by_kind(responses)
    column_of = {kind: j for j, kind in enumerate(by_other_kind)}
    scores = np.full((len(by_kind), len(by_other_kind)), NO_PAIR)
    for i, (kind, fits) in enumerate(kinds_that_fit(by_kind, by_other_kind).items()):
        for fit in fits:
            numerator, denominator = _zeros_score(*dependency_overlap(kind, fit))
            scores[i, column_of[fit]] = numerator / denominator
    rows, columns = (
        np.array([kind_of[number] for number, _ in side])
        for side, kinds in ((keys, by_kind), (responses, by_other_kind))
        for kind_of in [{number: i for i, numbers in enumerate(kinds.values()) for number in numbers}]
    )
    return best_first(keys, responses, lambda i: scores[rows[i], columns], lambda j: scores[rows, columns[j]])


def _pair_group(group: DenseGroup, find: Find) -> list[tuple[int, int]]:
    """Pair a dense group of mentions, the best pair first."""
    import numpy as np

    overlaps = Overlaps(group, find)
    sizes, other_sizes = overlaps.keys.sizes, overlaps.responses.sizes

    def scores(common: Numeric, both_sizes: Numeric) -> Numeric:
        score = 2 * common / both_sizes
        return np.where(common, score, NO_PAIR) if find.parts else score

    return best_first(
        *group,
        lambda i: scores(overlaps.row(i), sizes[i] + other_sizes),
        lambda j: scores(overlaps.column(j), sizes + other_sizes[j]),
    )


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
