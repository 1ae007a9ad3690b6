"""Explanations of measures of whole partitions: κ, Rand, DMT, D-err, entropies, variation of information."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import NamedTuple

from ...core.metrics.blanc import pairs
from ...core.table import Bar, profiles
from ...measures.single_valued import D_ERR, SURPLUS, centroid
from .pieces import (
    Column,
    EntityPieces,
    Entry,
    Partitions,
    Section,
    SplitEntity,
    Term,
    completion,
    one_each,
    total,
    whole,
)


class PairCounts(NamedTuple):
    """Pairs of mentions of completed partitions, by whether they are in one class."""

    both: int
    key: int
    response: int
    every: int
    mentions: int


def _count_pairs(partitions: Partitions) -> PairCounts:
    sides = partitions.completed().pieces()
    mentions = sum(split.size for split in sides.key)
    return PairCounts(
        sum(pairs(len(shared)) for shared in sides.shared.values()),
        sum(pairs(split.size) for split in sides.key),
        sum(pairs(split.size) for split in sides.response),
        pairs(mentions),
        mentions,
    )


def rand(partitions: Partitions) -> list[Section]:
    """Rand index: pairs that are together in both, or apart in both."""
    both, key, response, every, _ = _count_pairs(partitions)
    apart = every - key - response + both
    rows = [
        ("together in both", both, both),
        ("apart in both", apart, apart),
        ("together in the key only", 0, key - both),
        ("together in the response only", 0, response - both),
    ]
    entries = [Entry((whole(agreed), whole(number)), name=name) for name, agreed, number in rows]
    columns = Column("agreed", (0,)), Column("pairs", (1,))
    return [Section("Pairs of mentions of both sides", columns, tuple(entries))]


def adjusted_rand(partitions: Partitions) -> list[Section]:
    """Adjusted Rand index: the pairs of each side, and the common pairs expected by chance."""
    both, key, response, every, mentions = _count_pairs(partitions)
    by_chance = Term(Fraction(key * response, every), f"{key}·{response}/{every}") if every else whole(0)
    terms = (
        ("TP, together in both", whole(both)),
        ("together in the key", whole(key)),
        ("together in the response", whole(response)),
        ("E, in both by chance", by_chance),
        (f"all pairs of N = {mentions} mentions", whole(every)),
    )
    return [one_each("(TP − E)/((key + response)/2 − E)", ("TP", "key", "response", "E", "pairs"), terms)]


def kappa(partitions: Partitions) -> list[Section]:
    """κ: the counts a, b, c and d, from N mentions, n and m classes, and Z pieces."""
    sides = partitions.completed().pieces()
    mentions = sum(split.size for split in sides.key)
    classes, others, pieces = len(sides.key), len(sides.response), len(sides.shared)
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


SORTED = "Sizes of the classes of both sides, completed, largest first"


def dmt(partitions: Partitions) -> list[Section]:
    """DMT: the size differences of classes of the same rank."""
    table = partitions.table()
    entries = []
    for bar in profiles(table, table.T):
        _, width, key, response = bar
        times = f"{width} × " if width > 1 else ""
        term = whole(width * abs(key - response), f"{times}|{key} − {response}|")
        entries.append(Entry((term,), name=_place(bar)))
    mentions = sum(len(one.mentions) for one in partitions.completed().key)
    largest = whole(2 * max(mentions - 1, 0), f"2 × ({mentions} − 1)" if mentions else "")
    return [
        Section(f"{SORTED}: DMT = 1 − distance / largest distance", (Column("distance", (0,)),), tuple(entries)),
        Section("The largest distance", (Column("2(N − 1)", (1,)),), (Entry((largest,), name="N mentions"),)),
    ]


def d_err(partitions: Partitions) -> list[Section]:
    """D-err: the centroids of the surplus of each side, and their distance."""
    table = partitions.table()
    bars: list[Bar] = profiles(table, table.T)
    surplus = []
    for bar in bars:
        _, width, key, response = bar
        more = width * (key - response)
        terms = whole(more) if more > 0 else None, whole(-more) if more < 0 else None
        surplus.append(Entry(terms, name=_place(bar)))
    sides = bars, [(start, width, response, key) for start, width, key, response in bars]
    centroids = []
    for name, side in zip(("of the key", "of the response"), sides, strict=True):
        x, y = centroid(*[Fraction(sum(term(*bar) for bar in side)) for term in SURPLUS])
        centroids.append(Entry((Term(Fraction(x)), Term(Fraction(y))), name=name))
    magnitude, documents, recall, precision = D_ERR.counts(table)
    mentions, length = sum(len(one.mentions) for one in partitions.completed().key), sum(bar[1] for bar in bars)
    counts = Term(magnitude), whole(int(documents)), whole(int(recall)), whole(int(precision))
    return [
        Section(f"{SORTED}: what each has more than the other", (Column("key"), Column("response")), tuple(surplus)),
        Section(
            "Centroids of the surplus: place among the classes, height", (Column("x"), Column("y")), tuple(centroids)
        ),
        Section(
            f"D-err: the distance of the centroids / √({mentions}² + ({length} − 1)²); r if the surplus of the key"
            " comes first, p if that of the response does",
            tuple([Column(title, (field,)) for field, title in enumerate(("magnitude", "documents", "r", "p"))]),
            (Entry(counts, name="this document"),),
        ),
    ]


def _place(bar: Bar) -> str:
    start, width, key, response = bar
    places = f"{start + 1}–{start + width}" if width > 1 else str(start + 1)
    return f"class {places}: {key} and {response}"


def entropy(partitions: Partitions) -> list[Section]:
    """Entropies: N·H as sums over classes, and over the cells of a class. Counts are those of ``ENTROPY.fields``."""
    complete, altered = completion(partitions)
    sides = complete.pieces()
    mentions = sum(split.size for split in sides.key)

    def entries(side: EntityPieces) -> tuple[Entry, ...]:
        rows = []
        for split in side.key:
            value = split.size * (log(mentions) - log(split.size))
            own = Term(value, f"{split.size} ln({mentions}/{split.size})")
            rows.append(_class_entry(side, split, own, _conditional_entropy(split)))
        return tuple(rows)

    return [
        Section(
            f"Recall = 1 − H(R|K)/H(R), precision = 1 − H(K|R)/H(K). Key classes of N = {mentions} mentions:"
            " N·H(K) = Σ k ln(N/k), N·H(R|K) = Σ n ln(k/n)",
            (Column("N·H(K)", (2,)), Column("N·H(R|K)", (1,)), Column("k", (4,))),
            entries(sides),
            altered,
        ),
        Section(
            "Response classes: N·H(R) = Σ r ln(N/r), N·H(K|R) = Σ n ln(r/n)",
            (Column("N·H(R)", (0,)), Column("N·H(K|R)", (3,)), Column("r")),
            entries(sides.T),
        ),
    ]


def variation_of_information(partitions: Partitions) -> list[Section]:
    """Variation of information: N·H of each side given the other, by cluster."""
    complete, altered = completion(partitions)
    key, response = (
        tuple([_class_entry(side, split, _conditional_entropy(split)) for split in side.key])
        for side in (complete.pieces(), complete.pieces().T)
    )
    title = "(N·H(R|K) + N·H(K|R))/N. Key clusters: N·H(R|K) = Σ n ln(k/n)"
    other_title = "Response clusters: N·H(K|R) = Σ n ln(r/n)"
    return [
        Section(title, (Column("N·H(R|K)", (0,)), Column("k", (2,))), key, altered),
        Section(other_title, (Column("N·H(K|R)", (1,)), Column("r")), response),
    ]


def _class_entry(sides: EntityPieces, split: SplitEntity, *terms: Term) -> Entry:
    """The entry of a class: its terms, its size, and its pieces."""
    return Entry((*terms, whole(split.size)), entity=split.entity, pieces=sides.shown_pieces(split))


def _conditional_entropy(split: SplitEntity) -> Term:
    """Σ n ln(k/n): the contribution of a class to the conditional entropy."""
    sizes = list(map(len, split.pieces))
    value = total(n * (log(split.size) - log(n)) for n in sizes)
    return Term(float(value), " + ".join(f"{n} ln({split.size}/{n})" for n in sizes))
