"""Explanations of measures of whole partitions: κ, Rand, DMT, D-err, entropies, variation of information."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import log

from ...core.metrics.blanc import pairs
from ...core.table import Bar, profiles
from ...measures.single_valued import D_ERR, SURPLUS, centroid
from .pieces import EntityPieces, Partitions, SplitEntity, completion
from .sections import Column, Entry, Section, Term, one_each, total, whole


def rand(partitions: Partitions) -> list[Section]:
    """Rand index: pairs that are together in both, or apart in both."""
    sides = partitions.completed().pieces()
    together = _sum_of_pairs(map(len, sides.shared.values()))
    key, response = (_sum_of_pairs(split.size for split in side) for side in (sides.key, sides.response))
    everything = pairs(sum(split.size for split in sides.key))
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


def kappa(partitions: Partitions) -> list[Section]:
    """κ: the counts a, b, c and d, from N mentions, n and m classes, and Z pieces."""
    sides = partitions.completed().pieces()
    mentions, classes, others, pieces = (
        sum(split.size for split in sides.key),
        len(sides.key),
        len(sides.response),
        len(sides.shared),
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
    surplus = [
        Entry((whole(key) if key else None, whole(response) if response else None), name=_place(bar))
        for bar in bars
        for key, response in [(bar[1] * max(bar[2] - bar[3], 0), bar[1] * max(bar[3] - bar[2], 0))]
    ]
    sides = bars, [(start, width, response, key) for start, width, key, response in bars]
    centroids = [
        Entry(tuple([Term(Fraction(x)) for x in centroid(*[_sum(term, side) for term in SURPLUS])]), name=name)
        for name, side in zip(("of the key", "of the response"), sides, strict=True)
    ]
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


def _sum(term: Callable[[int, int, int, int], int], bars: list[Bar]) -> Fraction:
    return Fraction(sum(term(*bar) for bar in bars))


def _place(bar: Bar) -> str:
    start, width, key, response = bar
    places = f"{start + 1}–{start + width}" if width > 1 else str(start + 1)
    return f"class {places}: {key} and {response}"


RESPONSE_ENTROPY, RESPONSE_GIVEN_KEY, KEY_ENTROPY, KEY_GIVEN_RESPONSE, MENTIONS = range(5)


def entropy(partitions: Partitions) -> list[Section]:
    """Entropies: N·H as sums over classes, and over the cells of a class."""
    complete, shown = completion(partitions)
    sides = complete.pieces()
    mentions = sum(split.size for split in sides.key)
    return [
        Section(
            f"Recall = 1 − H(R|K)/H(R), precision = 1 − H(K|R)/H(K). Key classes of N = {mentions} mentions:"
            " N·H(K) = Σ k ln(N/k), N·H(R|K) = Σ n ln(k/n)",
            (Column("N·H(K)", (KEY_ENTROPY,)), Column("N·H(R|K)", (RESPONSE_GIVEN_KEY,)), Column("k", (MENTIONS,))),
            _classes(sides, mentions),
            shown,
        ),
        Section(
            "Response classes: N·H(R) = Σ r ln(N/r), N·H(K|R) = Σ n ln(r/n)",
            (Column("N·H(R)", (RESPONSE_ENTROPY,)), Column("N·H(K|R)", (KEY_GIVEN_RESPONSE,)), Column("r")),
            _classes(sides.T, mentions),
        ),
    ]


def _classes(sides: EntityPieces, mentions: int) -> tuple[Entry, ...]:
    return tuple([about(sides, split, _own(split, mentions), left_open(split)) for split in sides.key])


def about(sides: EntityPieces, split: SplitEntity, *terms: Term) -> Entry:
    """The entry of a class: its terms, its size, and its pieces."""
    return Entry((*terms, whole(split.size)), entity=split.entity, pieces=sides.shown_pieces(split))


def _own(split: SplitEntity, mentions: int) -> Term:
    return Term(split.size * (log(mentions) - log(split.size)), f"{split.size} ln({mentions}/{split.size})")


def left_open(split: SplitEntity) -> Term:
    """Σ n ln(k/n): the contribution of a class to the conditional entropy."""
    sizes = list(map(len, split.pieces))
    value = total(n * (log(split.size) - log(n)) for n in sizes)
    return Term(float(value), " + ".join(f"{n} ln({split.size}/{n})" for n in sizes))


def adjusted_rand(partitions: Partitions) -> list[Section]:
    """Adjusted Rand index: the pairs of each side, and the common pairs expected by chance."""
    sides = partitions.completed().pieces()
    both = _sum_of_pairs(map(len, sides.shared.values()))
    key, response = (_sum_of_pairs(split.size for split in side) for side in (sides.key, sides.response))
    mentions = sum(split.size for split in sides.key)
    every = pairs(mentions)
    by_chance = Fraction(key * response, every) if every else Fraction(0)
    terms = (
        ("TP, together in both", whole(both)),
        ("together in the key", whole(key)),
        ("together in the response", whole(response)),
        ("E, in both by chance", Term(by_chance, f"{key}·{response}/{every}" if every else "")),
        (f"all pairs of N = {mentions} mentions", whole(every)),
    )
    return [one_each("(TP − E)/((key + response)/2 − E)", ("TP", "key", "response", "E", "pairs"), terms)]


def variation_of_information(partitions: Partitions) -> list[Section]:
    """Variation of information: N·H of each side given the other, by cluster."""
    complete, shown = completion(partitions)
    sides = complete.pieces()
    return [
        Section(
            "(N·H(R|K) + N·H(K|R))/N. Key clusters: N·H(R|K) = Σ n ln(k/n)",
            (Column("N·H(R|K)", (0,)), Column("k", (2,))),
            _clusters(sides),
            shown,
        ),
        Section(
            "Response clusters: N·H(K|R) = Σ n ln(r/n)", (Column("N·H(K|R)", (1,)), Column("r")), _clusters(sides.T)
        ),
    ]


def _clusters(sides: EntityPieces) -> tuple[Entry, ...]:
    return tuple([about(sides, split, left_open(split)) for split in sides.key])
