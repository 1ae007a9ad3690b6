"""Identity metrics with split antecedents from their definitions: pair loops, exhaustive search, exact fractions.

A side is a list of (mentions, elements): a set of mentions, and a frozenset of frozensets of mentions or None. Where
a mention is in several entities, as under the rules of CorefUD scorer 1.2, the last one owns it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import Any

Elements = frozenset[frozenset[Any]]
Entity = tuple[frozenset[Any], Elements | None]
Side = Sequence[Entity]
Weights = Mapping[Elements, tuple[Elements, Fraction]]
Row = tuple[Fraction, Fraction, Fraction, Fraction]
METRICS = ("muc", "bcub", "ceafe", "ceafm", "blanc", "lea")


def f1(row: Row) -> Fraction:
    recall, precision = part(*row[:2]), part(*row[2:])
    return part(2 * recall * precision, recall + precision)


def part(numerator: Fraction | int, denominator: Fraction | int) -> Fraction:
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def members(entity: Entity) -> list[Any]:
    return [*entity[0], *([entity[1]] if entity[1] is not None else [])]


def place(member: Any, other: Side, weights: Weights) -> tuple[int, Fraction] | None:
    """Where the counterpart of a member is, and how much it counts."""
    weight = Fraction(1)
    if member in weights:
        member, weight = weights[member]
    elif is_plural(member):
        return None
    owners = [j for j, entity in enumerate(other) if member in members(entity)]
    return (owners[-1], weight) if owners else None


def is_plural(member: Any) -> bool:
    return isinstance(member, frozenset)


def muc(side: Side, other: Side, weights: Weights, inside: bool) -> tuple[Fraction, Fraction]:
    kept = total = Fraction(0)
    for entity in side:
        size = len(members(entity))
        if inside and size == 1:
            found = place(members(entity)[0], other, weights)
            total += 1
            kept += found is not None and len(members(other[found[0]])) == 1
            continue
        total += size - 1
        places = [place(mention, other, weights) for mention in entity[0]]
        linked = {found[0] for found in places if found}
        lost = Fraction(sum(found is None for found in places))
        if entity[1] is not None:
            found = place(entity[1], other, weights)
            lost += 1 - found[1] if found and found[0] in linked else 1
        kept += size - lost - len(linked)
    return kept, total


def b_cubed(side: Side, other: Side, weights: Weights, _: bool) -> tuple[Fraction, Fraction]:
    kept = Fraction(0)
    for entity in side:
        together: dict[int, Fraction] = {}
        for member in members(entity):
            found = place(member, other, weights)
            if found:
                together[found[0]] = together.get(found[0], Fraction(0)) + found[1]
        kept += sum((n * n for n in together.values()), Fraction(0)) / len(members(entity))
    return kept, Fraction(sum(len(members(entity)) for entity in side))


def lea(side: Side, other: Side, weights: Weights, _: bool) -> tuple[Fraction, Fraction]:
    kept = Fraction(0)
    for entity in side:
        size = len(members(entity))
        if size == 1:
            found = place(members(entity)[0], other, weights)
            kept += found is not None and len(members(other[found[0]])) == 1
            continue
        links = sum(weight for weight, _ in links_kept(members(entity), other, weights, apart=False))
        kept += Fraction(size * links) / (size * (size - 1) // 2)
    return kept, Fraction(sum(len(members(entity)) for entity in side))


def links_kept(
    listed: Sequence[Any], other: Side, weights: Weights, *, apart: bool
) -> Iterator[tuple[Fraction, tuple[int, int]]]:
    """The weight of each pair of members that the other side has apart, or together, and their numbers."""
    places = [place(member, other, weights) for member in listed]
    for one, two in combinations(range(len(listed)), 2):
        here, there = places[one], places[two]
        if here and there and (here[0] != there[0]) == apart:
            yield here[1] * there[1], (one, two)


def ceaf(key: Side, response: Side, weights: Weights, *, by_size: bool) -> Row:
    def similarity(i: int, j: int) -> Fraction:
        common = Fraction(len(key[i][0] & response[j][0]))
        plural = key[i][1]
        if plural is not None and plural in weights:
            partner, weight = weights[plural]
            common += weight if response[j][1] == partner else 0
        return 2 * common / (len(members(key[i])) + len(members(response[j]))) if by_size else common

    @cache
    def best(i: int, free: frozenset[int]) -> Fraction:
        """The best total of the key entities from one on with the response entities that are free."""
        if i == len(key) or not free:
            return Fraction(0)
        return max(
            [best(i + 1, free), *(similarity(i, j) + best(i + 1, free - {j}) for j in free if similarity(i, j))]
        )

    total = best(0, frozenset(range(len(response))))
    totals = [Fraction(len(side) if by_size else sum(len(members(e)) for e in side)) for side in (key, response)]
    return total, totals[0], total, totals[1]


def links(key: Side, response: Side, weights: Weights, *, apart: bool) -> Row:
    listed = [(i, member) for i, entity in enumerate(key) for member in members(entity)]
    kept = sum(
        (
            weight
            for weight, (one, two) in links_kept([member for _, member in listed], response, weights, apart=apart)
            if (listed[one][0] != listed[two][0]) == apart
        ),
        Fraction(0),
    )

    def total(side: Side) -> Fraction:
        sizes = [len(members(entity)) for entity in side]
        within = sum(size * (size - 1) // 2 for size in sizes)
        return Fraction(sum(sizes) * (sum(sizes) - 1) // 2 - within if apart else within)

    return kept, total(key), kept, total(response)


def rows(
    metric: str, key: Side, response: Side, weights: tuple[Weights, Weights, Weights], inside: bool = False
) -> list[Row]:
    """The counts of a metric, of BLANC two rows."""
    if metric == "blanc":
        return [links(key, response, weights[2], apart=apart) for apart in (False, True)]
    if metric in ("ceafe", "ceafm"):
        return [ceaf(key, response, weights[2], by_size=metric == "ceafe")]
    half = {"muc": muc, "bcub": b_cubed, "lea": lea}[metric]
    return [(*half(key, response, weights[0], inside), *half(response, key, weights[1], inside))]


def score_of(metric: str, counts: list[Row], same: bool) -> tuple[Fraction, Fraction, Fraction]:
    present = [row for row in counts if row[1] or row[3] or metric != "blanc"]
    if not present:
        return (Fraction(same),) * 3
    figures = [(part(*row[:2]), part(*row[2:]), f1(row)) for row in present]
    recall, precision, f = (part(sum(column), len(figures)) for column in zip(*figures, strict=True))
    return recall, precision, f


NONE: tuple[Weights, Weights, Weights] = ({}, {}, {})


Pairs = list[tuple[Elements, Elements]]
Rank = Callable[[tuple[Elements, Elements]], Any]


def alignments(metric: str, key: Side, response: Side) -> Iterator[Pairs]:
    """All best maps between plurals: equal ones first, then the greatest total of F1."""
    ours, theirs = ([e for _, e in side if e is not None] for side in (key, response))
    equal = [(p, p) for p in ours if p in theirs]
    free, others = [p for p in ours if p not in theirs], [q for q in theirs if q not in ours]
    if len(free) > len(others):
        swapped = True
        free, others = others, free
    else:
        swapped = False
    maps = []
    for chosen in permutations(others, len(free)):
        pairs = [(q, p) if swapped else (p, q) for p, q in zip(free, chosen, strict=True)]
        maps.append((sum((inner(metric, *pair)[1][2] for pair in pairs), Fraction(0)), pairs))
    best = max(total for total, _ in maps)
    for total, pairs in maps:
        if total == best:
            yield equal + [pair for pair in pairs if inner(metric, *pair)[1][2]]


def alignment(metric: str, key: Side, response: Side, rank: Rank) -> Pairs:
    """Of all best maps the one with the best-ranked pair, then the next: by F1, then as ``rank`` says."""

    def ranked(pairs: Pairs) -> list[Any]:
        return sorted((-inner(metric, *pair)[1][2], rank(pair)) for pair in pairs if pair[0] != pair[1])

    return min(alignments(metric, key, response), key=ranked)


def inner(metric: str, p: Elements, q: Elements) -> tuple[list[Row], tuple[Fraction, Fraction, Fraction]]:
    sides = [[(leaf, None) for leaf in plural] for plural in (p, q)]
    counts = rows(metric, sides[0], sides[1], NONE, inside=True)
    return counts, score_of(metric, counts, p == q)


def expected(metric: str, key: Side, response: Side) -> Iterator[list[Row]]:
    """The counts under every best map between plurals."""
    for pairs in alignments(metric, key, response):
        yield whole(metric, key, response, pairs)


def whole(metric: str, key: Side, response: Side, pairs: Pairs) -> list[Row]:
    """The counts under a map between plurals."""
    scored = [(p, q, inner(metric, p, q)[1]) for p, q in pairs]
    weights: tuple[Weights, Weights, Weights] = (
        {p: (q, score[0]) for p, q, score in scored if score[0]},
        {q: (p, score[1]) for p, q, score in scored if score[1]},
        {p: (q, score[2]) for p, q, score in scored if score[2]},
    )
    return rows(metric, key, response, weights)


def split(metric: str, key: Side, response: Side, pairs: Pairs) -> list[Row]:
    """The counts of elements: numerators of the pairs of a map, denominators of all plurals."""
    counted = [inner(metric, p, q)[0] for p, q in pairs]
    nothing: Elements = frozenset()
    of_key, of_response = (
        [inner(metric, plural, nothing)[0] for _, plural in side if plural is not None] for side in (key, response)
    )
    return [
        (
            sum((counts[n][0] for counts in counted), Fraction(0)),
            sum((counts[n][1] for counts in of_key), Fraction(0)),
            sum((counts[n][2] for counts in counted), Fraction(0)),
            sum((counts[n][1] for counts in of_response), Fraction(0)),
        )
        for n in range(2 if metric == "blanc" else 1)
    ]
