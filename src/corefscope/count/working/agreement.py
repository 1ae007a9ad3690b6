"""Agreement over one set of mentions: the Rand index by its pairs, κ by its four counts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..metrics.blanc import pairs
from .sections import Column, Entry, Section, Term, one_each, whole
from .sets import Sets


def rand(sets: Sets) -> list[Section]:
    """Pairs that are together in both, or apart in both."""
    cuts = sets.completed().cuts()
    together = _sum_of_pairs(map(len, cuts.shared.values()))
    key, response = (_sum_of_pairs(cut.size for cut in side) for side in (cuts.key, cuts.response))
    everything = pairs(sum(cut.size for cut in cuts.key))
    kinds = {
        "together in both": (together, together),
        "apart in both": (everything - key - response + together,) * 2,
        "together in the key only": (0, key - together),
        "together in the response only": (0, response - together),
    }
    entries = [Entry((whole(agreed), whole(number)), name=name) for name, (agreed, number) in kinds.items()]
    return [
        Section("Pairs of mentions of both sides", (Column("agreed", (0,)), Column("pairs", (1,))), tuple(entries))
    ]


def _sum_of_pairs(sizes: Iterable[int]) -> int:
    return sum(map(pairs, sizes))


def kappa(sets: Sets) -> list[Section]:
    """The four counts a, b, c and d, from N mentions, n and m classes, and Z pieces."""
    cuts = sets.completed().cuts()
    mentions, classes, others, pieces = (
        sum(cut.size for cut in cuts.key),
        len(cuts.key),
        len(cuts.response),
        len(cuts.shared),
    )
    links = max(mentions - 1, 0)
    a = mentions - pieces
    b, c = mentions - others - a, mentions - classes - a
    d = links - a - b - c
    counts = [
        (f"a, in both: N − Z = {mentions} − {pieces}", whole(a)),
        (f"b, in the response only: N − m − a = {mentions} − {others} − {a}", whole(b)),
        (f"c, in the key only: N − n − a = {mentions} − {classes} − {a}", whole(c)),
        (f"d, in neither: T − a − b − c = {links} − {a} − {b} − {c}", whole(d)),
    ]
    table = one_each(
        f"Of T = N − 1 = {links} links: N = {mentions} mentions, n = {classes} key classes,"
        f" m = {others} response classes, Z = {pieces} pieces",
        "abcd",
        counts,
    )
    if not links:
        return [table]
    agreed, by_chance = (a + d) * links, (a + b) * (a + c) + (b + d) * (c + d)
    rates = [
        ("agreement p", Fraction(agreed, links * links), f"({a} + {d})/{links}"),
        ("by chance e", Fraction(by_chance, links * links), f"({a + b}·{a + c} + {b + d}·{c + d})/{links}²"),
    ]
    shown = tuple([Entry((Term(value, formula),), name=name) for name, value, formula in rates])
    return [table, Section("κ = (p − e)/(1 − e)", (Column("rate"),), shown)]
