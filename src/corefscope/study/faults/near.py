"""Mentions without counterpart that are meant for each other all the same: other words, or attached elsewhere.

Three steps, each over what the ones before have left, each the one-to-one pairs with the best total:

1. zeros of one sentence that share a parent in their enhanced dependencies (10·F of dependencies + F of parents);
2. mentions with the same head, by the Dice coefficient of their words;
3. mentions that have more words in common than not: 2·|K ∩ R| > |K ∪ R|.

Where neither side says which words are heads, so that every mention seems to have its first word for a head,
the second step is left out for all but zeros.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

from ...base.document import Mention
from ...match.candidates import Candidate, Mentions, same_head
from ...match.corrected import Scored, best_pairs, by_dependencies, by_words


def near_pairs(
    keys: list[Mention], responses: list[Mention], free_keys: list[int], free_responses: list[int]
) -> list[tuple[int, int]]:
    """The pairs (key mention, response mention) among the mentions with these numbers."""
    has_heads = _has_heads(keys) or _has_heads(responses)
    pairs: list[tuple[int, int]] = []
    for step in (_zeros, partial(by_words, find=same_head if has_heads else _same_node), _more_than_half):
        taken, also_taken = {k for k, _ in pairs}, {r for _, r in pairs}
        left = [(k, keys[k]) for k in free_keys if k not in taken]
        also_left = [(r, responses[r]) for r in free_responses if r not in also_taken]
        if not left or not also_left:
            break
        pairs += best_pairs(list(step(left, also_left)), keys, responses)
    return pairs


def _has_heads(mentions: list[Mention]) -> bool:
    return any(mention.head != mention.positions[0] and not mention.is_zero for mention in mentions)


def _zeros(keys: Mentions, responses: Mentions) -> Iterable[Scored]:
    return by_dependencies(_only_zeros(keys), _only_zeros(responses))


def _same_node(keys: Mentions, responses: Mentions) -> Iterator[Candidate]:
    return same_head(_only_zeros(keys), _only_zeros(responses))


def _only_zeros(side: Mentions) -> Mentions:
    return [(number, mention) for number, mention in side if mention.is_zero]


def _more_than_half(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    """2·|K ∩ R| / (|K| + |R|) where 3·|K ∩ R| > |K| + |R|."""
    holders: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    for r, mention in responses:
        words = set(mention.positions)
        sizes[r] = len(words)
        for position in words:
            holders[position].append(r)
    for k, mention in keys:
        words = set(mention.positions)
        for r, common in Counter(r for position in words for r in holders.get(position, ())).items():
            if 3 * common > len(words) + sizes[r]:
                yield Scored(k, r, 2 * common, len(words) + sizes[r])
