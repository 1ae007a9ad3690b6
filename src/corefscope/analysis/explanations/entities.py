"""Explanations entity by entity (MUC, B³, CEAF, LEA, cores), and of measures of whole partitions (κ, entropy, …)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import log

from ...core.components import components
from ...core.matching.alignment import NONE, Alignment
from ...core.matching.assignment import assign_component
from ...core.metrics.blanc import pairs
from ...core.metrics.ceaf import dice, shared_mentions
from ...core.metrics.lea import resolved
from ...core.table import Term as Similarity
from ...measures.major import best_map, entity_names, setting_of
from ...measures.popescu_belis import share_by_class
from ...measures.profiles import Bar, profiles
from ...measures.single_valued import D_ERR, SURPLUS, centroid
from .pieces import (
    Altered,
    Column,
    EntityPieces,
    Entry,
    Member,
    Partitions,
    Piece,
    Section,
    SplitEntity,
    Term,
    completed_pieces,
    one_each,
    recall_and_precision,
    total,
    whole,
)

EntityTerms = Callable[[EntityPieces, SplitEntity], tuple[Term, Term]]
"""Computes the terms of an entity for the numerator and the denominator."""
ShownPieces = Callable[[EntityPieces, SplitEntity], tuple[Piece, ...]]


def _by_entity(
    source: EntityPieces | Partitions,
    title: str,
    columns: tuple[str, str],
    terms: EntityTerms,
    shown: ShownPieces = EntityPieces.shown_pieces,
) -> list[Section]:
    """An entry for each key entity (recall) and for each response entity (precision)."""
    sides, altered = completed_pieces(source)
    entries = [
        [Entry(terms(side, split), entity=split.entity, pieces=shown(side, split)) for split in side.key]
        for side in (sides, sides.T)
    ]
    return recall_and_precision(title, columns, entries, altered)


def muc(source: EntityPieces | Partitions) -> list[Section]:
    """MUC: the pieces of every entity."""
    title = "a {side} entity in p pieces keeps |{E}| − p of its |{E}| − 1 links"

    def terms(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        size, pieces = split.size, len(split.pieces)
        return whole(size - pieces, f"{size} − {pieces}"), whole(size - 1, f"{size} − 1")

    return _by_entity(source, title, ("kept", "links"), terms)


def lea(sides: EntityPieces) -> list[Section]:
    """LEA: every entity, weighted by its size."""
    title = "each {side} entity counts |{E}| × kept links / links"

    def terms(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        found = [piece for piece in split.pieces if piece[0].other != NONE]
        cells = [(len(piece), sides.response[piece[0].other].size) for piece in found]
        value = total(Fraction(resolved(Fraction(n), split.size, r)) for n, r in cells)
        if split.size == 1:
            return Term(value, "found alone" if value else "not found alone"), whole(1)
        kept, links = sum(pairs(n) for n, _ in cells), pairs(split.size)
        return Term(value, f"{split.size} × {kept}/{links}"), whole(split.size)

    return _by_entity(sides, title, ("resolved", "mentions"), terms)


def core(partitions: Partitions) -> list[Section]:
    """Core classes: the largest piece of each class."""
    title = "of each {side} class only the largest piece c counts: |c| − 1 of |{E}| − 1; its core class is c*"

    def shown(sides: EntityPieces, split: SplitEntity) -> tuple[Piece, ...]:
        largest = max(map(len, split.pieces))
        cores = [len(piece) == largest for piece in split.pieces]
        note = "c*" if sum(cores) == 1 else "c*, or another as large"
        return tuple(
            [sides.piece(piece, note if core else "") for piece, core in zip(split.pieces, cores, strict=True)]
        )

    def terms(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        largest = max(map(len, split.pieces))
        return whole(largest - 1, f"{largest} − 1"), whole(split.size - 1, f"{split.size} − 1")

    return _by_entity(partitions, title, ("in core", "links"), terms, shown)


def by_class(partitions: Partitions) -> list[Section]:
    """B³ with classes of equal weight."""
    title = "each {side} class counts Σ (n/|{E}|)² over its pieces"

    def terms(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        sizes = list(map(len, split.pieces))
        value = total(Fraction(share_by_class(Fraction(n), split.size, 0)) for n in sizes)
        return Term(value, " + ".join(f"({n}/{split.size})²" for n in sizes)), whole(1)

    return _by_entity(partitions, title, ("share", "classes"), terms)


def exact_clusters(partitions: Partitions) -> list[Section]:
    """1 for each cluster that the other side has with exactly the same mentions."""
    title = "{side} clusters, and whether the {other} has the same"

    def terms(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        first = split.members[0]
        same = first.other != NONE and first.common == split.size == sides.response[first.other].size
        return whole(int(same)), whole(1)

    return _by_entity(partitions.pieces(), title, ("same", "clusters"), terms)


# Exclusive cores


CORES = {
    "exclusive": "by decreasing size, each key class takes as xc* the unused response class it shares most with",
    "strict": "by decreasing size, each key class takes as xc* the response class it shares most with,"
    " or none if that is taken",
}


def exclusive_cores(choice: str, partitions: Partitions) -> list[Section]:
    """The choices of the key classes in turn, by decreasing size; ``choice`` is one of ``CORES``.

    Of equal pieces, ``strict`` prefers the one in the larger class.
    """
    strict = choice == "strict"
    sides, altered = completed_pieces(partitions)
    used: set[int] = set()

    def rank(piece: list[Member]) -> tuple[int, int, int]:
        size = sides.response[piece[0].other].size
        return -len(piece), -size if strict else size, piece[0].other

    recall, precision = [], []
    for split in sorted(sides.key, key=lambda split: -split.size):
        candidates = [piece for piece in split.pieces if strict or piece[0].other not in used]
        core = min(candidates, key=rank, default=split.pieces[0])
        notes = {core[0].other: "xc*"} if core[0].other not in used else dict.fromkeys(used, "taken")
        pieces = tuple([sides.piece(piece, notes.get(piece[0].other, "")) for piece in split.pieces])
        common = 0 if core[0].other in used else len(core)
        recall.append(Entry((whole(common), whole(split.size)), entity=split.entity, pieces=pieces))
        if not common:
            continue
        used.add(core[0].other)
        response = sides.response[core[0].other]
        if others := [m.mention for m in response.members if sides.key[m.other] is not split]:
            beyond = (Piece(tuple(others), response.entity),)
            precision.append(Entry((whole(-len(others)), None), entity=split.entity, pieces=beyond))
    mentions = sum(split.size for split in sides.key)
    everything = Entry((whole(mentions), whole(mentions)), name="all mentions")
    return [
        Section(
            f"Recall: {CORES[choice]}", (Column("in core", (0,)), Column("mentions", (1,))), tuple(recall), altered
        ),
        Section(
            "Precision: all mentions, less those of each exclusive core that its key class does not have",
            (Column("inside", (2,)), Column("mentions", (3,))),
            (everything, *precision),
        ),
    ]


# B³


def b_cubed(source: EntityPieces | Partitions) -> list[Section]:
    """B³: n/k for each mention."""
    sides, altered = completed_pieces(source)
    return _b_cubed(sides, sides, altered)


def _b_cubed(recall: EntityPieces, precision: EntityPieces, altered: Altered) -> list[Section]:
    """n/k for each mention: of the key for recall, of the response for precision."""
    title = "each mention of the {side} counts the share of its entity that the {other} has with it"
    entries = [[_shares(side, split) for split in side.key] for side in (recall, precision.T)]
    return recall_and_precision(title, ("share", "mentions"), entries, altered)


def _shares(sides: EntityPieces, split: SplitEntity) -> Entry:
    """An entity with an entry for each of its mentions; equal shares are shown as a product."""
    entries = []
    for piece in split.pieces:
        for member in piece:
            share = Term(Fraction(member.common, split.size), f"{member.common}/{split.size}")
            entries.append(Entry((share, whole(1)), pieces=(sides.piece([member]),)))
    shares = Counter(entry.terms[0] for entry in entries if entry.terms[0])
    formula = " + ".join(
        f"{times} × {share.formula}" if times > 1 else share.formula for share, times in shares.items()
    )
    value = total(share.value * times for share, times in shares.items())
    return Entry(
        (Term(value, formula), whole(split.size)),
        entity=split.entity,
        pieces=sides.shown_pieces(split),
        entries=tuple(entries),
    )


def altered_b_cubed(variant: str, partitions: Partitions) -> list[Section]:
    """B³ with one pair of altered sides for the recall and another for the precision; both are shown.

    Missing and spurious mentions are singletons of the other side; ``b3_0`` counts 0 for missing mentions and removes
    spurious ones for the precision. ``b3_rn`` is without spurious singletons, and ``b3_sys`` moreover has the missing
    mentions as singletons of the response for the precision, too, and no spurious mentions for the recall (lines 2
    and 10 of Algorithm 1).
    """
    kept = partitions.without_spurious_singletons()
    recall = {
        "b3_0": partitions,
        "b3_sys": partitions.without_spurious().with_missing(),
    }.get(variant, partitions.with_missing())
    precision = {
        "b3_0": partitions.without_spurious,
        "b3_all": partitions.with_spurious,
        "b3_rn": kept.with_spurious,
        "b3_sys": kept.completed,
    }[variant]()
    first, second = _b_cubed(recall.pieces(), precision.pieces(), _altered_for("recall", recall))
    return [first, second._replace(altered=_altered_for("precision", precision)[::-1])]


def _altered_for(purpose: str, partitions: Partitions) -> Altered:
    return partitions.altered(f"key for {purpose}", f"response for {purpose}")


# CEAF

MAP = "each key entity is mapped to one response entity so that the total is greatest; a pair is worth"
WORTH: dict[Similarity, str] = {shared_mentions: "φ3 = |K∩R|", dice: "φ4 = 2|K∩R|/(|K|+|R|)"}


def ceafm(source: EntityPieces | Partitions) -> list[Section]:
    """CEAF with φ3, the number of shared mentions; of partitions as they are."""
    return _one_map(source.pieces() if isinstance(source, Partitions) else source, shared_mentions)


def ceafe(sides: EntityPieces) -> list[Section]:
    """CEAF with φ4, the Dice coefficient."""
    return _one_map(sides, dice)


def ceaf_rn(partitions: Partitions) -> list[Section]:
    """The same without spurious singletons."""
    kept = partitions.without_spurious_singletons()
    altered = kept.altered("key", "response without spurious singletons")[1:]
    return _one_map(kept.pieces(), shared_mentions, altered)


def ceaf_sys(phi: str, partitions: Partitions) -> list[Section]:
    """One map for the recall and one for the precision, each over altered sides; ``phi`` is ``phi3`` or ``phi4``."""
    similarity = dice if phi == "phi4" else shared_mentions
    recall = partitions.without_spurious().with_missing()
    precision = partitions.without_spurious_singletons().completed()
    return [
        _map("Recall", recall.pieces(), similarity, (0,), _altered_for("recall", recall)),
        _map("Precision", precision.pieces(), similarity, (2,), _altered_for("precision", precision)),
        _response_sizes(precision.pieces(), similarity),
    ]


def _one_map(sides: EntityPieces, similarity: Similarity, altered: Altered = ()) -> list[Section]:
    """The map for recall and precision, then the denominator of the precision."""
    return [_map("The map", sides, similarity, (0, 2), altered), _response_sizes(sides, similarity)]


def _map(
    name: str, sides: EntityPieces, similarity: Similarity, numerators: tuple[int, ...], altered: Altered
) -> Section:
    """Each key entity with what it is mapped to; ``numerators`` are the counts that the similarity adds to."""

    def worth(i: int, j: int) -> Fraction:
        n = Fraction(len(sides.shared[i, j]))
        return Fraction(similarity(n, sides.key[i].size, sides.response[j].size))

    chosen = dict(best_pairs((i, j, worth(i, j)) for i, j in sides.shared))
    entries = []
    for i, split in enumerate(sides.key):
        own = _similarity_to_itself(split, similarity)
        if i not in chosen:
            unmapped = (Piece(split.mentions),)
            entries.append(Entry((whole(0, "mapped to none"), own), entity=split.entity, pieces=unmapped))
            continue
        j = chosen[i]
        common, other = tuple(sides.shared[i, j]), sides.response[j]
        formula = f"2·{len(common)}/({split.size} + {other.size})" if similarity is dice else str(len(common))
        pieces = (Piece(common, other.entity),)
        entries.append(Entry((Term(worth(i, j), formula), own), entity=split.entity, pieces=pieces))
    columns = Column("φ(K,R)", numerators), Column("φ(K,K)", (1,) if 0 in numerators else ())
    return Section(f"{name}: {MAP} {WORTH[similarity]}", columns, tuple(entries), altered)


def _response_sizes(sides: EntityPieces, similarity: Similarity) -> Section:
    """The denominator of the precision."""
    entries = [
        Entry((_similarity_to_itself(split, similarity),), entity=split.entity, pieces=(Piece(split.mentions),))
        for split in sides.response
    ]
    return Section("Precision divides by the response", (Column("φ(R,R)", (3,)),), tuple(entries))


def _similarity_to_itself(split: SplitEntity, similarity: Similarity) -> Term:
    return Term(Fraction(similarity(Fraction(split.size), split.size, split.size)))


def best_pairs(cells: Iterable[tuple[int, int, Fraction]]) -> list[tuple[int, int]]:
    """The pairs (row, column) of a best one-to-one assignment; cells are (row, column, weight)."""
    rows: dict[int, dict[int, Fraction]] = {}
    for i, j, weight in cells:
        rows.setdefault(i, {})[j] = weight
    numbers, weights = list(rows), list(rows.values())
    pairs = []
    for group in components(weights) if weights else ():
        local = [{j: float(weight) for j, weight in weights[i].items()} for i in group]
        pairs += [(numbers[group[row]], column) for row, column in assign_component(local)]
    return pairs


def major(name: str, source: Partitions | Alignment) -> list[Section]:
    """Major entities and what each is mapped to, under the settings in the name of a metric."""
    setting = setting_of(name)
    sides = (source if isinstance(source, Partitions) else Partitions.of_alignment(source)).pieces()
    sizes, others = [split.size for split in sides.key], [split.size for split in sides.response]
    cells = {cell: len(both) for cell, both in sides.shared.items() if sizes[cell[0]] >= setting.least}
    if isinstance(source, Alignment):
        names, of_others = map(entity_names, source[:2])
        chosen = {i: j for i, j in cells if names[i] == of_others[j]}
    else:
        chosen = best_map(((i, j, n) for (i, j), n in cells.items()), sizes, others)
    entries = []
    for i, split in enumerate(sides.key):
        if split.size < setting.least:
            continue
        weight, pieces, worth = setting.weight(split.size), (Piece(split.mentions),), whole(0, "mapped to none")
        if i in chosen:
            n, j = cells[i, chosen[i]], chosen[i]
            formula = f"{split.size} · " * setting.is_micro + f"2·{n}/({split.size} + {others[j]})"
            worth = Term(weight * Fraction(dice(Fraction(n), split.size, others[j])), formula)
            pieces = (Piece(tuple(sides.shared[i, j]), sides.response[j].entity),)
        entries.append(Entry((worth, whole(weight)), entity=split.entity, pieces=pieces))
    how = "the one of its name" if setting.by_name else "one to one so that the sum of F is greatest"
    title = f"each key entity of {setting.least} or more mentions is mapped to a response entity, {how}"
    columns = (
        Column("|K|·F" if setting.is_micro else "F", (0,)),
        Column("|K|" if setting.is_micro else "entities", (1,)),
    )
    return [Section(f"{title}; F = 2|K∩R|/(|K|+|R|)", columns, tuple(entries))]


def _count_pairs(partitions: Partitions) -> tuple[int, int, int, int, int]:
    """Pairs in one class of both sides, of the key, of the response; all pairs; and the mentions, sides completed."""
    sides = partitions.completed().pieces()
    mentions = sum(split.size for split in sides.key)
    both = sum(pairs(len(shared)) for shared in sides.shared.values())
    key, response = (sum(pairs(split.size) for split in side) for side in (sides.key, sides.response))
    return both, key, response, pairs(mentions), mentions


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
        terms = whole(more) if more >= 0 else None, whole(-more) if more <= 0 else None
        surplus.append(Entry(terms, name=_place(bar)))
    sides = bars, [(start, width, response, key) for start, width, key, response in bars]
    centroids = []
    for name, side in zip(("of the key", "of the response"), sides, strict=True):
        surplus_sums = [Fraction(sum(term(*bar) for bar in side)) for term in SURPLUS]
        x, y = centroid(*surplus_sums)
        if surplus_sums[0]:  # places are counted from 1, as above
            centroids.append(Entry((Term(Fraction(x + 1)), Term(Fraction(y))), name=name))
    magnitude, documents, recall, precision = D_ERR.counts(table)
    mentions, length = sum(len(one.mentions) for one in partitions.completed().key), sum(bar[1] for bar in bars)
    counts = Term(magnitude), whole(int(documents)), whole(int(recall)), whole(int(precision))
    title = "Centroids of the surplus: place among the classes, height"
    return [
        Section(f"{SORTED}: what each has more than the other", (Column("key"), Column("response")), tuple(surplus)),
        *([Section(title, (Column("x"), Column("y")), tuple(centroids))] if centroids else []),
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
    sides, altered = completed_pieces(partitions)
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
    sides, altered = completed_pieces(partitions)
    key, response = (
        tuple([_class_entry(side, split, _conditional_entropy(split)) for split in side.key])
        for side in (sides, sides.T)
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
