"""The pairing of CorefUD scorer 1.0 and 1.1: each mention looks up its counterpart on the other side by itself.

Two mentions are *equal* if they match: by the same words (exact match), as a part of the key mention that holds its
head (partial match), or by the same head (head match). The counterpart of a mention is the equal one that differs
least from it, by |K △ R| / |K ∪ R|; of several, the one that begins first, then the one that ends first. So several
mentions may have the same counterpart. CEAF counts the mentions of a key entity that have any equal mention in a
response entity, counterpart or not.

Zeros are mentions like others. The programs know the heads of the key in head and partial match only, and those of
the response in head match only. A mention without head is a zero if its first word is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from ..core.document import Mention
from ..core.matching.alignment import NONE, Alignment, Side, check_pairs
from ..core.matching.matchers import Find, Mentions
from ..core.matching.official import in_set_order
from ..core.matching.transform import SAME_WORDS_AND_HEAD
from ..core.numbers import Numeric
from ..core.positions import MINOR_MASK
from ..scale.dense_groups import Overlaps, find_dense_groups, without_groups

Equal = Sequence[tuple[float, int]]
"""The equal mentions of the other side, by number, each with its difference."""


def align(key: Side, response: Side, find: Find) -> Alignment:
    """Align two sides as CorefUD scorer 1.0 and 1.1 do.

    A key mention in several entities, with several heads, looks up its counterpart by each of them. Where the same
    words are one mention whatever the heads (CorefUD scorer 1.0), response mentions find it by its first head.
    """
    if not (find.parts or find.agree_in):
        get = response.numbers.get
        alignment = Alignment.of_pairs(key, response, [get(identity, NONE) for identity in key.identities])
        return alignment._replace(key=_headless(key), response=_headless(response))
    in_entities = _by_heads(key)
    to_response, to_key = [NONE] * len(in_entities.mentions), [NONE] * len(response.mentions)
    shared: dict[tuple[int, int], list[int]] = {}
    pairs = 0
    ours, looked_up, theirs = _LookedUp(in_entities), _LookedUp(key), _LookedUp(response)
    lookups = _Lookups(in_entities, response, find)
    for k, equal in lookups.of_key():
        to_response[k] = theirs.closest(in_entities.mentions[k], equal)
        entities = theirs.entities_of([r for _, r in equal])
        for i in ours.holders[k]:
            for j in entities:
                shared.setdefault((i, j), []).append(k)
        pairs += len(ours.holders[k]) * len(entities)
        check_pairs(response, pairs, len(to_response))
    last = {
        n: k
        for was, now in zip(key.entities, in_entities.entities, strict=True)
        for n, k in zip(was, now, strict=True)
    }
    for r, equal in (lookups if in_entities is key else _Lookups(key, response, find)).of_response():
        to_key[r] = last[looked_up.closest(response.mentions[r], equal)]
    return Alignment(
        in_entities,
        _headless(response) if find.parts else response,
        to_response,
        to_key,
        sum([r != NONE and to_key[r] == k for k, r in enumerate(to_response)]),
        to_response,
        mutual=False,
        competing=lookups.competing,
        shared={entities: sorted(found) for entities, found in shared.items()},
    )


def _by_heads(side: Side) -> Side:
    """The side with a mention for each head that the same words have."""
    if not side.repeats:
        return side
    return Side(side.members, [SAME_WORDS_AND_HEAD(m) for entity in side.members for m in entity], side.document)


class _Lookups:
    """The equal mentions of each mention of two sides."""

    def __init__(self, key: Side, response: Side, find: Find) -> None:
        self._key, self._response = key, response
        sides = key.numbered(range(len(key.mentions))), response.numbered(range(len(response.mentions)))
        groups = find_dense_groups(*sides, find)
        self.competing = sum([len(keys) * len(responses) for keys, responses in groups])
        """The number of pairs in dense groups."""
        self._candidates = list(find(*without_groups(*sides, groups)))
        self._dense = [(group, Overlaps(group, find)) for group in groups]

    def of_key(self) -> Iterator[tuple[int, Equal]]:
        """The mentions of the key that have any."""
        yield from self._sparse(0)
        for (keys, responses), overlaps in self._dense:
            yield from _equal(keys, responses, overlaps.row, overlaps.keys.sizes, overlaps.responses.sizes)

    def of_response(self) -> Iterator[tuple[int, Equal]]:
        """The mentions of the response that have any."""
        yield from self._sparse(1)
        for (keys, responses), overlaps in self._dense:
            yield from _equal(responses, keys, overlaps.column, overlaps.responses.sizes, overlaps.keys.sizes)

    def _sparse(self, side: int) -> Iterable[tuple[int, Equal]]:
        """The mentions of one side that are in no dense group."""
        sizes, other_sizes = ([mention.distinct for mention in side.mentions] for side in (self._key, self._response))
        equal: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for candidate in self._candidates:
            k, r, common, _ = candidate
            union = sizes[k] + other_sizes[r] - common
            equal[candidate[side]].append(((union - common) / union, candidate[1 - side]))
        return equal.items()


def _equal(
    mentions: Mentions, others: Mentions, common_with: Callable[[int], Numeric], sizes: Numeric, other_sizes: Numeric
) -> Iterator[tuple[int, Equal]]:
    """The mentions of a dense group that have equal ones among the others, given how many words they share."""
    for at, (number, _) in enumerate(mentions):
        common = common_with(at)
        found = common.nonzero()[0]
        if len(found):
            union = sizes[at] + other_sizes[found] - common[found]
            differences = ((union - common[found]) / union).tolist()
            yield number, [(difference, others[n][0]) for difference, n in zip(differences, found, strict=True)]


class _LookedUp:
    """A side in which mentions of the other one look up their counterparts."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self.holders: list[list[int]] = [[] for _ in side.mentions]
        """The entities of each mention."""
        for i, entity in enumerate(side.entities):
            for number in entity:
                self.holders[number].append(i)

    def entities_of(self, numbers: Iterable[int]) -> set[int]:
        """The entities that hold any of these mentions."""
        return {i for number in numbers for i in self.holders[number]}

    def closest(self, query: Mention, equal: Equal) -> int:
        """The counterpart of a mention of the other side among the mentions that are equal to it."""
        least = min([difference for difference, _ in equal])
        nearest = [number for difference, number in equal if difference == least]
        if len(nearest) > 1:
            ends = {number: (self._side.mentions[number][0], self._side.mentions[number][2]) for number in nearest}
            first = min(ends.values())
            nearest = [number for number in nearest if ends[number] == first]
        if len(nearest) > 1:  # with other words in between: as the program's set of them has it
            order = in_set_order(self._side.identities, self._overlapping(query))
            return next(number for number in order if number in nearest)
        return nearest[0]

    def _overlapping(self, query: Mention) -> list[int]:
        """The mentions that share words with a mention, in the order in which the program finds them."""
        return list(dict.fromkeys(number for word in query.positions for number in self._by_word.get(word, ())))

    @cached_property
    def _by_word(self) -> dict[int, list[int]]:
        by_word: dict[int, list[int]] = defaultdict(list)
        for number, mention in enumerate(self._side.mentions):
            for word in mention.positions:
                by_word[word].append(number)
        return by_word


def _headless(side: Side) -> Side:
    """The side without heads: a mention is a zero if its first word is one."""

    def by_first_word(mention: Mention) -> Mention:
        return (
            mention if mention.is_zero == bool(mention.first & MINOR_MASK) else mention._replace(head=mention.first)
        )

    members = [tuple(map(by_first_word, entity)) for entity in side.members]
    if all(
        new is old
        for entity, was in zip(members, side.members, strict=True)
        for new, old in zip(entity, was, strict=True)
    ):
        return side
    return Side(members, [side.identities[number] for entity in side.entities for number in entity], side.document)
