"""A naive oracle of the rule set ``corrected``: which entity owns a mention, and which mentions are paired.

It is written from the definitions (decision 004, "Matching" in docs/design.md) and shares no code with the package.
Every set of pairs is tried, in exact fractions, so only small documents can be asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

Word = tuple[int, int, int]  # sentence, word, and 0 or the number of an empty node after that word


class Mention(NamedTuple):
    words: tuple[Word, ...]
    head: Word
    dependencies: tuple[tuple[Word, str], ...] = ()
    minimum: tuple[Word, ...] = ()  # what a part of the mention must have, if that is not its head alone


Entity = list[Mention]
Pair = tuple[Mention, Mention]
Candidates = dict[Pair, Fraction]


def identity(mention: Mention, match: str) -> Any:
    """By head, the words and the head make the mention; otherwise the words alone."""
    return (mention.words, mention.head) if match == "head" else mention.words


# ---- ownership


def prepared(entities: list[Entity], match: str, singletons: str) -> list[Entity]:
    """Each mention once, in the entity that owns it; without singletons if they are dropped."""
    return [entity for entity in owned(entities, match) if len(entity) > (1 if singletons == "drop" else 0)]


def owned(entities: list[Entity], match: str) -> list[Entity]:
    """The mentions that each entity owns."""
    distinct = [
        [m for n, m in enumerate(entity) if all(identity(m, match) != identity(o, match) for o in entity[:n])]
        for entity in entities
    ]

    def claim(number: int) -> Any:
        """The largest entity first; of equally large ones the one that begins first; then as they stand."""
        return -len(distinct[number]), [m.words for m in distinct[number]], number

    def owner(mention: Mention) -> int:
        holders = [
            number
            for number, entity in enumerate(distinct)
            if any(identity(m, match) == identity(mention, match) for m in entity)
        ]
        return min(holders, key=claim)

    return [[m for m in entity if owner(m) == number] for number, entity in enumerate(distinct)]


# ---- pairs


def matched(key: list[Entity], response: list[Entity], match: str, zeros: str) -> set[Pair]:
    """The pairs of mentions of two sides that are prepared."""
    keys = [m for entity in key for m in entity]
    responses = [m for entity in response for m in entity]
    pairs: set[Pair] = set()

    def step(score: Any) -> None:
        free_keys = [k for k in keys if all(k != one for one, _ in pairs)]
        free_responses = [r for r in responses if all(r != other for _, other in pairs)]
        scores = {(k, r): score(k, r) for k in free_keys for r in free_responses}
        pairs.update(best({pair: value for pair, value in scores.items() if value > 0}))

    if zeros == "dependent":
        step(zero_score)
    step(lambda k, r: Fraction(identity(k, match) == identity(r, match)))
    if match == "head":
        step(lambda k, r: dice(k.words, r.words) if k.head == r.head else Fraction(0))
    if match == "partial":
        step(
            lambda k, r: (
                dice(k.words, r.words) if {*(k.minimum or [k.head])} <= {*r.words} <= {*k.words} else Fraction(0)
            )
        )
    return pairs


def dice(one: Any, other: Any) -> Fraction:
    """2|A∩B| / (|A|+|B|)"""
    one, other = set(one), set(other)
    return Fraction(2 * len(one & other), len(one) + len(other)) if one or other else Fraction(0)


def zero_score(key: Mention, response: Mention) -> Fraction:
    """10·F(dependencies) + F(parents) of two zeros of one sentence."""
    if not key.head[2] or not response.head[2] or key.head[0] != response.head[0]:
        return Fraction(0)
    parents = [{parent for parent, _ in mention.dependencies} for mention in (key, response)]
    return 10 * dice(key.dependencies, response.dependencies) + dice(*parents)


def rank(pair: Pair) -> Any:
    """What decides between sets of pairs with the same total: the least of these first."""
    key, response = pair
    words = set(key.words), set(response.words)
    first, second = sorted(pair, key=lambda m: (m.words[0], m.words[-1], m.words, m.head))
    return (
        (key.words, key.head) != (response.words, response.head),
        1 - Fraction(len(words[0] & words[1]), len(words[0] | words[1])),
        (first.words[0], second.words[0]),
        (first.words[-1], second.words[-1]),
        (first.words, first.head, second.words, second.head),
        key.words,
    )


def best(candidates: Candidates) -> set[Pair]:
    """The one-to-one set with the best total; of several the one with the best-ranked pair, then the next, …"""
    chosen: set[Pair] = set()
    for group in independent(sorted(candidates, key=rank)):
        chosen |= max(
            one_to_one(group), key=lambda pairs: (sum(candidates[p] for p in pairs), [p in pairs for p in group])
        )
    return chosen


def independent(pairs: list[Pair]) -> list[list[Pair]]:
    """The pairs in groups that share no mention of a side: what is best in each is best in all."""
    groups: list[list[Pair]] = []
    for k, r in pairs:
        touched = [group for group in groups if any(k == one or r == other for one, other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append([*(pair for group in touched for pair in group), (k, r)])
    return [sorted(group, key=pairs.index) for group in groups]


def one_to_one(pairs: list[Pair]) -> Iterator[set[Pair]]:
    """All sets of these pairs in which no mention stands twice."""
    if not pairs:
        yield set()
        return
    (k, r), rest = pairs[0], pairs[1:]
    yield from one_to_one(rest)
    for chosen in one_to_one([(one, other) for one, other in rest if one != k and other != r]):
        yield {(k, r), *chosen}
