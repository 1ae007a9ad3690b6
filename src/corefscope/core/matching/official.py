"""The pairing of CorefUD scorer 1.2, its quirks included, because published scores depend on them.

Zeros by dependencies first, then identical mentions, then the candidates of the match option, each step the best
assignment of the whole document with SciPy's choice among ties. The pairs of different mentions end up in one
dictionary for both directions, in which the second direction overwrites clashes of the first.

Ties depend on the order of Python sets. The scorer sorts mentions by first word, last word and length; mentions that
agree in all three (other words in between, or another head) stay in the order in which CPython iterates over its sets
of them, which is fixed by the hashes of the words' coordinates and by the history of the set. That order is
reproduced here, by doing what the scorer does to objects that have the hashes of its mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

from ..document import text_order
from ..positions import NEXT_WORD, SENTENCE_SHIFT, node_name, positions_in
from ..registry import HOOKS
from .alignment import NONE, Alignment, Side, inverse
from .assignment import Row, assign
from .matchers import Find, Overlap, Pairs, are_crowded, dependency_overlap, kinds_that_fit, zeros_by_kind


class _StandIn:
    __slots__ = ("_hash", "number")

    def __init__(self, number: int, identity: Any) -> None:
        self.number = number
        self._hash = _hash(identity)

    def __hash__(self) -> int:
        return self._hash


def zeros_in_set_order(identities: list[Any], zeros: Collection[int]) -> list[int]:
    """The zeros as the scorer's set of them yields them."""
    mentions = {_StandIn(number, identity) for number, identity in enumerate(identities)}
    return [mention.number for mention in {m for m in mentions if m.number in zeros}]


def free_in_set_order(
    identities: list[Any], paired_zeros: Collection[int] | None, identical: Collection[int]
) -> list[int]:
    """The mentions left after pairing zeros (None: not searched for) and identical mentions."""
    mentions = {_StandIn(number, identity) for number, identity in enumerate(identities)}
    left = mentions.copy()
    if paired_zeros is not None:
        left = left - {mention for mention in mentions if mention.number in paired_zeros}
    left = left - {mention for mention in left if mention.number in identical}
    return [mention.number for mention in {mention for mention in left}]  # noqa: C416  (a set built anew)


def in_set_order(identities: Sequence[Any], numbers: Iterable[int]) -> list[int]:
    """These mentions, known by their words, as a set yields them that they were added to in this order."""
    mentions: set[_StandIn] = set()
    for number in numbers:
        mentions.add(_StandIn(number, identities[number][:3]))
    return [mention.number for mention in mentions]


def _hash(identity: Any) -> int:
    """The hash of the scorer's mention: of the set of its words, and in head matching of its head too."""
    first, last, broken, *head = identity
    words = frozenset(map(_word, positions_in(broken) or range(first, last + 1, NEXT_WORD)))
    return hash((words, frozenset(map(_word, head))) if head else words)


def _word(position: int) -> tuple[int, float]:
    return position >> SENTENCE_SHIFT, float(node_name(position))  # an int has the hash of the float it equals


def align(key: Side, response: Side, find: Find, *, zeros_first: bool) -> Alignment:
    """Align two sides as CorefUD scorer 1.2 does."""
    zero_pairs = _pair_zeros(key, response) if zeros_first else None
    to_response, to_key = _identical(key, response, zero_pairs or [])
    free_pairs, forced, competing = _pair_free(key, response, to_response, to_key, zero_pairs, find)
    for k, r in free_pairs:
        to_response[k], to_key[r] = r, k
    matched = len(to_response) - to_response.count(NONE)
    if zero_pairs and any(key.identities[k] != response.identities[r] for k, r in zero_pairs):
        alignment = _through_one_dictionary(key, response, free_pairs + zero_pairs, matched)
        return alignment._replace(competing=competing)
    forced = forced and zero_pairs is None
    return Alignment(key, response, to_response, to_key, matched, to_response, forced=forced, competing=competing)


def _identical(key: Side, response: Side, zero_pairs: Pairs) -> tuple[list[int], list[int]]:
    """Step 2: mentions that are not paired yet are paired with the identical ones of the other side."""
    get = response.numbers.get
    to_response = [get(identity, NONE) for identity in key.identities]
    to_key = inverse(to_response, len(response.mentions))
    for k, r in zero_pairs:  # paired already, so that mentions identical to them stay without counterpart
        same_as_key, same_as_response = to_response[k], to_key[r]
        if same_as_key != NONE:
            to_key[same_as_key] = NONE
        if same_as_response != NONE:
            to_response[same_as_response] = NONE
    for k, r in zero_pairs:
        to_response[k], to_key[r] = r, k
    return to_response, to_key


def _pair_zeros(key: Side, response: Side) -> Pairs | None:
    """Step 1: 10·F(dependencies) + F(parents), whatever the spans are; None if a side has no zeros."""
    keys, responses = key.zeros, response.zeros
    if not keys or not responses:
        return None
    keys = _sorted(key, keys, lambda: zeros_in_set_order(key.identities, set(keys)))
    responses = _sorted(response, responses, lambda: zeros_in_set_order(response.identities, set(responses)))
    key_kinds = zeros_by_kind(key.numbered(keys))
    columns = zeros_by_kind([(j, response.mentions[r]) for j, r in enumerate(responses)])
    rows: dict[int, Row] = {}
    for kind, fits in kinds_that_fit(key_kinds, columns).items():
        row = {
            j: score for fit in fits for score in [_zeros_score(*dependency_overlap(kind, fit))] for j in columns[fit]
        }
        rows.update(dict.fromkeys(key_kinds[kind], row))
    return [(keys[i], responses[j]) for i, j in assign([rows[k] for k in keys], len(responses))]


@lru_cache(maxsize=1 << 12)
def _zeros_score(dependencies: Overlap, parents: Overlap) -> float:
    return 10 * _f_score(dependencies) + _f_score(parents)


def _f_score(overlap: Overlap) -> float:
    """The harmonic mean of two ratios, in the official order of operations."""
    common, key, response = overlap
    if not common:
        return 0.0
    precision, recall = common / key, common / response
    return 2 * precision * recall / (precision + recall)


def _pair_free(
    key: Side, response: Side, to_response: list[int], to_key: list[int], zero_pairs: Pairs | None, find: Find
) -> tuple[Pairs, bool, int]:
    """Step 3: the best assignment of what is left by the scores of the match option.

    Also whether it is the only one, and how many pairs there are in dense groups.
    """

    def free(side: Side, counterparts: list[int], paired_zeros: set[int] | None) -> list[int]:
        def in_set_order() -> list[int]:
            zeros = paired_zeros or ()
            identical = {n for n, counterpart in enumerate(counterparts) if counterpart >= 0 and n not in zeros}
            return free_in_set_order(side.identities, paired_zeros, identical)

        return _sorted(side, [n for n, counterpart in enumerate(counterparts) if counterpart < 0], in_set_order)

    keys = free(key, to_response, None if zero_pairs is None else {k for k, _ in zero_pairs})
    responses = free(response, to_key, None if zero_pairs is None else {r for _, r in zero_pairs})
    numbered = key.numbered(keys), response.numbered(responses)
    if are_crowded(keys, responses):
        dense: tuple[Pairs, int] = HOOKS["assign_dense_groups"](*numbered, find)
        if dense[1]:
            return dense[0], False, dense[1]
    candidates = list(find(*numbered))
    # No mention has two candidates: they are the pairs.
    if len({k for k, _, _, _ in candidates}) == len({r for _, r, _, _ in candidates}) == len(candidates):
        return [(k, r) for k, r, _, _ in candidates], True, 0
    scored = [(k, r, numerator / denominator) for k, r, numerator, denominator in candidates]
    return _assigned(keys, responses, scored), False, 0


def _sorted(side: Side, numbers: list[int], set_order: Callable[[], list[int]]) -> list[int]:
    """By first word, last word and length; ties as the official program's sets have them."""
    order = {number: text_order(side.mentions[number]) for number in numbers}
    if len(set(order.values())) < len(numbers):
        numbers = set_order()
    return sorted(numbers, key=order.__getitem__)


def _assigned(keys: list[int], responses: list[int], scored: Iterable[tuple[int, int, float]]) -> Pairs:
    row_of = {k: i for i, k in enumerate(keys)}
    column_of = {r: j for j, r in enumerate(responses)}
    rows: list[dict[int, float]] = [{} for _ in keys]
    for k, r, score in scored:
        rows[row_of[k]][column_of[r]] = score
    return [(keys[i], responses[j]) for i, j in assign(rows, len(responses))]


def _through_one_dictionary(key: Side, response: Side, pairs: Pairs, matched: int) -> Alignment:
    """Translate every mention as the official metrics do: by the dictionary if it is there, else by itself."""
    different = [(key.identities[k], response.identities[r]) for k, r in pairs]
    different = [(k, r) for k, r in different if k != r]
    translation = dict(different)
    translation.update((r, k) for k, r in different)

    def look_up(side: Side, other: Side) -> list[int]:
        get = other.numbers.get
        return [get(translation.get(identity, identity), NONE) for identity in side.identities]

    get = response.numbers.get
    anaphors = [
        get(identity if identity in response.numbers else translation.get(identity), NONE)
        for identity in key.identities
    ]
    return Alignment(key, response, look_up(key, response), look_up(response, key), matched, anaphors, mutual=False)
