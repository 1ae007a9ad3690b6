"""The CoNLL reference scorer 8.01, naively: lists of chains of (start, end) spans, loops over mentions and pairs.

A twin of corefscope.compat.conll_counts for small documents that shares nothing with it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product

Span = tuple[int, int]
Chains = list[list[Span]]
Row = dict[str, tuple[float, ...]]


def score(key: Chains, response: Chains) -> Row:
    """Numerators and denominators; BLANC: common, key, response links, then the same of non-links."""
    ours, theirs, matched = _numbered(key, response)
    return {
        "muc": _muc(ours, theirs),
        "bcub": _b_cubed(ours, theirs),
        "ceafm": _ceaf(ours, theirs, lambda a, b: sum(m in b for m in a), sum(map(len, ours)), sum(map(len, theirs))),
        "ceafe": _ceaf(
            ours, theirs, lambda a, b: 2 * sum(m in b for m in a) / (len(a) + len(b)), len(ours), len(theirs)
        ),
        "blanc": _blanc(ours, theirs),
        "mentions": (
            matched,
            len({span for chain in key for span in chain}),
            matched,
            len({span for chain in response for span in chain}),
        ),
    }


def _numbered(key: Chains, response: Chains) -> tuple[list[list[int]], list[list[int]], int]:
    numbers: dict[Span, int] = {}
    count = 0
    for chain in key:
        for span in chain:
            numbers[span] = count  # a span that is repeated has the number of its last occurrence
            count += 1
    found: dict[Span, int] = {}
    kept: Chains = []
    for chain in response:
        stays = []
        for span in chain:
            if span in found:
                continue
            if span in numbers:
                found[span] = numbers[span]
            stays.append(span)
        if stays:
            kept.append(stays)
    matched = len(found)
    for chain in kept:
        for span in chain:
            if span not in found:
                found[span] = count
                count += 1
    return [[numbers[s] for s in chain] for chain in key], [[found[s] for s in chain] for chain in kept], matched


def _last_owner(chains: list[list[int]]) -> dict[int, int]:
    return {m: i for i, chain in enumerate(chains) for m in chain}


def _muc(key: list[list[int]], response: list[list[int]]) -> tuple[float, ...]:
    owner = _last_owner(key)
    correct = 0
    for chain in response:
        for i, one in enumerate(chain):
            correct += any(one in owner and other in owner and owner[one] == owner[other] for other in chain[i + 1 :])
    return correct, sum(len(c) - 1 for c in key), correct, sum(len(c) - 1 for c in response)


def _b_cubed(key: list[list[int]], response: list[list[int]]) -> tuple[float, ...]:
    owner = _last_owner(key)
    recall = precision = 0.0
    for chain in response:
        for mention in chain:
            mine = key[owner[mention]] if mention in owner else []
            common = sum(other in mine for other in chain)
            precision += common / len(chain)
            recall += common / len(mine) if mine else 0
    return recall, sum(map(len, key)), precision, sum(map(len, response))


def _ceaf(
    key: list[list[int]],
    response: list[list[int]],
    similarity: Callable[[list[int], list[int]], float],
    key_total: int,
    response_total: int,
) -> tuple[float, ...]:
    few, many = (key, response) if len(key) <= len(response) else (response, key)
    swap = few is not key
    best = max(
        sum(similarity(b, a) if swap else similarity(a, b) for a, b in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    return best, key_total, best, response_total


def _blanc(key: list[list[int]], response: list[list[int]]) -> tuple[float, ...]:
    def links(chains: list[list[int]]) -> tuple[set[tuple[int, ...]], set[tuple[int, ...]]]:
        together = {tuple(sorted(pair)) for chain in chains for pair in combinations(chain, 2)}
        apart = {tuple(sorted(pair)) for a, b in combinations(chains, 2) for pair in product(a, b)}
        return together, apart

    ours, theirs = links(key), links(response)
    counts: list[int] = []
    for kind in (0, 1):
        counts += [len(ours[kind] & theirs[kind]), len(ours[kind]), len(theirs[kind])]
    return tuple(counts)
