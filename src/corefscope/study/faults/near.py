"""Mentions without counterpart that are meant for each other all the same: other words, or attached elsewhere.

Three steps, each over what the ones before have left, each the one-to-one pairs with the best total:

1. zeros of one sentence that share a parent in their enhanced dependencies (10·F of dependencies + F of parents);
2. mentions with the same head, by the Dice coefficient of their words;
3. mentions that have more words in common than not: 2·|K ∩ R| > |K ∪ R|.

Where neither side says which words are heads, so that every mention seems to have its first word for a head,
the second step is left out for all but zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ...base.document import Mention
from ...match.candidates import Mentions, dependency_overlap, same_head, zeros_by_parent
from ...match.corrected import Scored, best_pairs

Find = Callable[[Mentions, Mentions], Iterator[Scored]]


def near_pairs(
    keys: list[Mention], responses: list[Mention], free_keys: list[int], free_responses: list[int]
) -> list[tuple[int, int]]:
    """The pairs (key mention, response mention) among the mentions with these numbers."""
    has_heads = _has_heads(keys) or _has_heads(responses)
    found: list[tuple[int, int]] = []
    for find in (_zeros, _same_head if has_heads else _same_node, _more_than_half):
        ours = [(k, keys[k]) for k in free_keys]
        theirs = [(r, responses[r]) for r in free_responses]
        pairs = best_pairs(list(find(ours, theirs)), keys, responses)
        if pairs:
            found += pairs
            taken, also_taken = {k for k, _ in pairs}, {r for _, r in pairs}
            free_keys = [k for k in free_keys if k not in taken]
            free_responses = [r for r in free_responses if r not in also_taken]
        if not free_keys or not free_responses:
            break
    return found


def _has_heads(mentions: list[Mention]) -> bool:
    return any(mention.head != mention.positions[0] and not mention.is_zero for mention in mentions)


def _zeros(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    ours, theirs = ({n: m for n, m in side if m.is_zero} for side in (keys, responses))
    for k, r in zeros_by_parent(list(ours.items()), list(theirs.items())):
        dependencies, parents = dependency_overlap(ours[k], theirs[r])
        size, size_of_parents = dependencies.key + dependencies.response, parents.key + parents.response
        score = 10 * 2 * dependencies.common * size_of_parents + 2 * parents.common * size
        yield Scored(k, r, score, size * size_of_parents)


def _same_head(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    sizes = {r: len(set(mention.positions)) for r, mention in responses}
    for k, r, common, size in same_head(keys, responses):
        yield Scored(k, r, 2 * common, size + sizes[r])


def _same_node(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    """The same for zeros only."""
    return _same_head(*([pair for pair in side if pair[1].is_zero] for side in (keys, responses)))


def _more_than_half(keys: Mentions, responses: Mentions) -> Iterator[Scored]:
    holders: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    for r, mention in responses:
        words = set(mention.positions)
        sizes[r] = len(words)
        for place in words:
            holders.setdefault(place, []).append(r)
    for k, mention in keys:
        words = set(mention.positions)
        for r, common in Counter(r for place in words for r in holders.get(place, ())).items():
            if 3 * common > len(words) + sizes[r]:
                yield Scored(k, r, 2 * common, len(words) + sizes[r])
