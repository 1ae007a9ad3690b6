"""The same ideas as the official pairing, without its bugs: symmetric but for partial matches.

Zeros by dependencies, then identical mentions, then what the match option finds; each step takes the pairs
with the best total score, and among equally good choices the one with the better-ranked pairs: identical spans
first, then the proportionally smallest difference, then the earlier start, then the earlier end.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import NamedTuple

from ..base.document import Mention
from ..base.positions import common_words
from .alignment import NONE, Alignment, Side
from .assignment import assign
from .candidates import Find, Mentions, Overlap, dependency_overlap, zeros_by_parent

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

    def pair(candidates: Iterable[Scored]) -> None:
        for k, r in best_pairs(list(candidates), key.mentions, response.mentions):
            to_response[k] = r
            taken.add(r)

    if zeros_first:
        pair(_zeros(key, response))
    for k, identity in enumerate(key.identities):
        if to_response[k] < 0:
            twin = response.numbers.get(identity, NONE)
            if twin >= 0 and twin not in taken:
                to_response[k] = twin
                taken.add(twin)
    keys = [(k, key.mentions[k]) for k, r in enumerate(to_response) if r < 0]
    responses = [(r, mention) for r, mention in enumerate(response.mentions) if r not in taken]
    if keys and responses:
        pair(_by_words(keys, responses, find))
    return Alignment.of_pairs(key, response, to_response)


def _zeros(key: Side, response: Side) -> Iterable[Scored]:
    """10·F(dependencies) + F(parents), exactly; zeros without dependencies have no candidates here."""
    keys, responses = ([(n, side.mentions[n]) for n in side.zeros] for side in (key, response))
    for k, r in zeros_by_parent(keys, responses):
        dependencies, parents = dependency_overlap(key.mentions[k], response.mentions[r])
        (a, b), (c, d) = _dice(dependencies), _dice(parents)
        yield Scored(k, r, 10 * a * d + c * b, b * d)


def _dice(overlap: Overlap) -> tuple[int, int]:
    """2|A∩B| / (|A|+|B|)"""
    return 2 * overlap.common, overlap.key + overlap.response


def _by_words(keys: Mentions, responses: Mentions, find: Find) -> Iterable[Scored]:
    """2|K∩R| / (|K|+|R|) for what the match option finds: the same from both sides."""
    key_sizes, response_sizes = ({n: len(set(m.positions)) for n, m in side} for side in (keys, responses))
    for k, r, common, _ in find(keys, responses):
        yield Scored(k, r, 2 * common, key_sizes[k] + response_sizes[r])


def best_pairs(candidates: list[Scored], keys: list[Mention], responses: list[Mention]) -> list[tuple[int, int]]:
    """The one-to-one pairs with the best total; ties go to the better-ranked pairs, lexicographically.

    Scores become whole numbers over a common denominator, and below them each rank has a bit of its own, so
    that one assignment is best and sums are exact. Where hundreds of pairs compete with each other, the
    best pair is taken first, then the best that is left.
    """
    chosen: list[tuple[int, int]] = []
    for component in _components(candidates):
        if len(component) == 1:
            chosen.append((component[0].k, component[0].r))
            continue
        if len(component) > CROWDED:
            chosen += _greedy(component, keys, responses)
            continue
        component.sort(key=lambda pair: _rank(keys[pair.k], responses[pair.r]))
        unit = lcm(*(pair.denominator for pair in component))
        shift = len(component)
        row_of = {k: i for i, k in enumerate(sorted({pair.k for pair in component}))}
        column_of = {r: j for j, r in enumerate(sorted({pair.r for pair in component}))}
        rows: list[dict[int, int]] = [{} for _ in row_of]
        for rank, (k, r, numerator, denominator) in enumerate(component):
            weight = numerator * (unit // denominator) << shift | 1 << (shift - 1 - rank)
            rows[row_of[k]][column_of[r]] = weight
        names, others = list(row_of), list(column_of)
        chosen += [(names[i], others[j]) for i, j in assign(rows, len(others))]
    return chosen


def _greedy(pairs: list[Scored], keys: list[Mention], responses: list[Mention]) -> list[tuple[int, int]]:
    """The pair with the best score first (of equals the one that begins, then ends earlier), then the next."""
    taken: set[int] = set()
    chosen = []

    def order(pair: Scored) -> tuple[object, ...]:
        return -pair.numerator / pair.denominator, _places(keys[pair.k], responses[pair.r])

    for k, r, _, _ in sorted(pairs, key=order):
        if k not in taken and ~r not in taken:
            taken.update((k, ~r))
            chosen.append((k, r))
    return chosen


def _rank(key: Mention, response: Mention) -> tuple[object, ...]:
    """Identical first, then by the share of words not in common, start and end; the same from both sides."""
    ours, theirs = key.positions, response.positions
    common = common_words(ours, theirs)
    return (
        ours != theirs or key.head != response.head,
        -common / (len(ours) + len(theirs) - common),
        _places(key, response),
    )


def _places(key: Mention, response: Mention) -> tuple[object, ...]:
    """The starts, then the ends of both, the earlier first; whose is whose comes last."""
    ours, theirs = key.positions, response.positions
    one, other = sorted([(ours[0], ours[-1], ours, key.head), (theirs[0], theirs[-1], theirs, response.head)])
    return one[0], other[0], one[1], other[1], one, other, ours


def _components(candidates: list[Scored]) -> list[list[Scored]]:
    """The candidates in groups that share no mention."""
    parent: dict[int, int] = {}

    def find(node: int) -> int:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for pair in candidates:
        parent[find(pair.k)] = find(~pair.r)
    groups: dict[int, list[Scored]] = {}
    for pair in candidates:
        groups.setdefault(find(pair.k), []).append(pair)
    return list(groups.values())
