"""Explanations entity by entity: MUC, B³, CEAF, LEA, cores and exact clusters, with their variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from ...core.components import components
from ...core.matching.alignment import NONE
from ...core.matching.assignment import assign_component
from ...core.metrics.blanc import pairs
from ...core.metrics.ceaf import dice, shared_mentions
from ...core.metrics.lea import resolved
from ...core.table import Term as Similarity
from ...measures.popescu_belis import share_by_class
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
    altered_side,
    completion,
    recall_and_precision,
    total,
    whole,
)

Titles = tuple[str, str]
"""What is counted for recall and for precision."""
EntityTerms = Callable[[EntityPieces, SplitEntity], tuple[Term, Term]]
"""Computes the terms of an entity for the numerator and the denominator."""


def _by_entity(
    sides: EntityPieces, titles: Titles, columns: tuple[str, str], terms: EntityTerms, altered: Altered = ()
) -> list[Section]:
    """An entry for each key entity (recall) and for each response entity (precision)."""
    entries = [
        [Entry(terms(side, split), entity=split.entity, pieces=side.shown_pieces(split)) for split in side.key]
        for side in (sides, sides.T)
    ]
    return recall_and_precision(titles, columns, entries, altered)


def _by_class(partitions: Partitions, titles: Titles, columns: tuple[str, str], terms: EntityTerms) -> list[Section]:
    """An entry for each class of partitions, completed so that both have the same mentions."""
    complete, altered = completion(partitions)
    return _by_entity(complete.pieces(), titles, columns, terms, altered)


MUC_TITLES = (
    "a key entity in p pieces keeps |K| − p of its |K| − 1 links",
    "a response entity in p pieces keeps |R| − p of its |R| − 1 links",
)


def _kept_links(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    size, pieces = split.size, len(split.pieces)
    return whole(size - pieces, f"{size} − {pieces}"), whole(size - 1, f"{size} − 1")


def muc(sides: EntityPieces) -> list[Section]:
    """MUC: the pieces of every entity."""
    return _by_entity(sides, MUC_TITLES, ("kept", "links"), _kept_links)


def muc_pb(partitions: Partitions) -> list[Section]:
    """MUC over completed partitions."""
    return _by_class(partitions, MUC_TITLES, ("kept", "links"), _kept_links)


def lea(sides: EntityPieces) -> list[Section]:
    """LEA: every entity, weighted by its size."""
    titles = (
        "each key entity counts |K| × kept links / links",
        "each response entity counts |R| × kept links / links",
    )
    return _by_entity(sides, titles, ("resolved", "mentions"), _resolved)


def _resolved(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    cells = [(len(piece), sides.response[piece[0].other].size) for piece in split.pieces if piece[0].other != NONE]
    value = total(Fraction(resolved(Fraction(n), split.size, r)) for n, r in cells)
    if split.size == 1:
        return Term(value, "found alone" if value else "not found alone"), whole(1)
    kept, links = sum(pairs(n) for n, _ in cells), pairs(split.size)
    return Term(value, f"{split.size} × {kept}/{links}"), whole(split.size)


def core(partitions: Partitions) -> list[Section]:
    """Core classes: the largest piece of each class."""
    titles = (
        "of each key class only the largest piece c, its core, counts: |c| − 1 of |K| − 1",
        "of each response class only the largest piece c, its core, counts: |c| − 1 of |R| − 1",
    )

    def terms(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        largest = max(map(len, split.pieces))
        return whole(largest - 1, f"{largest} − 1"), whole(split.size - 1, f"{split.size} − 1")

    return _by_class(partitions, titles, ("in core", "links"), terms)


def by_class(partitions: Partitions) -> list[Section]:
    """B³ with classes of equal weight."""
    titles = (
        "each key class counts Σ (n/|K|)² over its pieces",
        "each response class counts Σ (n/|R|)² over its pieces",
    )

    def terms(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        sizes = list(map(len, split.pieces))
        value = total(Fraction(share_by_class(Fraction(n), split.size, 0)) for n in sizes)
        return Term(value, " + ".join(f"({n}/{split.size})²" for n in sizes)), whole(1)

    return _by_class(partitions, titles, ("share", "classes"), terms)


def exact_clusters(partitions: Partitions) -> list[Section]:
    """1 for each cluster that the other side has with exactly the same mentions."""
    titles = (
        "key clusters, and whether the response has the same",
        "response clusters, and whether the key has the same",
    )

    def terms(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
        first = split.members[0]
        same = first.other != NONE and first.common == split.size == sides.response[first.other].size
        return whole(int(same)), whole(1)

    return _by_entity(partitions.pieces(), titles, ("same", "clusters"), terms)


# Exclusive cores


def exclusive_cores(partitions: Partitions) -> list[Section]:
    """Key classes choose in turn, by decreasing size, the unused response class that shares most with them."""
    title = "by decreasing size, each key class takes the unused response class it shares most with"
    return _exclusive(partitions, title, strict=False)


def strict_cores(partitions: Partitions) -> list[Section]:
    """A key class whose best response class is used gets none."""
    title = "by decreasing size, each key class takes the response class it shares most with, unless it is used"
    return _exclusive(partitions, title, strict=True)


def _exclusive(partitions: Partitions, title: str, *, strict: bool) -> list[Section]:
    """The choices of the key classes in turn; of equal pieces, ``strict`` prefers the one in the larger class."""
    complete, altered = completion(partitions)
    sides = complete.pieces()
    used: set[int] = set()

    def rank(piece: list[Member]) -> tuple[int, int, int]:
        size = sides.response[piece[0].other].size
        return -len(piece), -size if strict else size, piece[0].other

    recall, precision = [], []
    for split in sorted(sides.key, key=lambda split: -split.size):
        candidates = [piece for piece in split.pieces if strict or piece[0].other not in used]
        core = min(candidates, key=rank, default=[])
        if not core or core[0].other in used:
            pieces = (Piece(split.mentions),)
            recall.append(Entry((whole(0, "none is left"), whole(split.size)), entity=split.entity, pieces=pieces))
            continue
        used.add(core[0].other)
        own = Entry((whole(len(core)), whole(split.size)), entity=split.entity, pieces=(sides.piece(core),))
        recall.append(own)
        response = sides.response[core[0].other]
        if others := [m.mention for m in response.members if sides.key[m.other] is not split]:
            beyond = (Piece(tuple(others), response.entity),)
            precision.append(Entry((whole(-len(others)), None), entity=split.entity, pieces=beyond))
    mentions = sum(split.size for split in sides.key)
    everything = Entry((whole(mentions), whole(mentions)), name="all mentions")
    return [
        Section(f"Recall: {title}", (Column("in core", (0,)), Column("mentions", (1,))), tuple(recall), altered),
        Section(
            "Precision: all mentions, less those of each exclusive core that its key class does not have",
            (Column("inside", (2,)), Column("mentions", (3,))),
            (everything, *precision),
        ),
    ]


# B³

B_CUBED_TITLES = (
    "each mention of the key counts the share of its entity that the response has with it",
    "each mention of the response counts the share of its entity that the key has with it",
)


def _b_cubed(recall: EntityPieces, precision: EntityPieces, altered: Altered = ()) -> list[Section]:
    """n/k for each mention: of the key for recall, of the response for precision."""
    entries = [[_shares(side, split) for split in side.key] for side in (recall, precision.T)]
    return recall_and_precision(B_CUBED_TITLES, ("share", "mentions"), entries, altered)


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


def b_cubed(sides: EntityPieces) -> list[Section]:
    """B³: n/k for each mention."""
    return _b_cubed(sides, sides)


def b3_pb(partitions: Partitions) -> list[Section]:
    """B³ over completed partitions."""
    complete, altered = completion(partitions)
    return _b_cubed(complete.pieces(), complete.pieces(), altered)


def _altered_b_cubed(recall: Partitions, precision: Partitions) -> list[Section]:
    """B³ with one pair of altered sides for the recall and another for the precision; both are shown."""
    first, second = _b_cubed(recall.pieces(), precision.pieces(), _altered_for("recall", recall))
    return [first, second._replace(altered=_altered_for("precision", precision)[::-1])]


def _altered_for(purpose: str, partitions: Partitions) -> Altered:
    key, response = partitions
    return altered_side(f"key for {purpose}", key), altered_side(f"response for {purpose}", response)


def b3_0(partitions: Partitions) -> list[Section]:
    """Missing mentions count 0; spurious ones are removed for the precision."""
    return _altered_b_cubed(partitions, partitions.without_spurious())


def b3_all(partitions: Partitions) -> list[Section]:
    """Missing and spurious mentions are singletons of the other side."""
    return _altered_b_cubed(partitions.with_missing(), partitions.with_spurious())


def b3_rn(partitions: Partitions) -> list[Section]:
    """The same without spurious singletons."""
    kept = partitions.without_spurious_singletons()
    return _altered_b_cubed(partitions.with_missing(), kept.with_spurious())


def b3_sys(partitions: Partitions) -> list[Section]:
    """The same, with the missing mentions as singletons of the response for the precision, too."""
    kept = partitions.without_spurious_singletons()
    return _altered_b_cubed(partitions.with_missing(), kept.completed())


# CEAF

MAP = "each key entity is mapped to one response entity so that the total is greatest; a pair is worth"
WORTH: dict[Similarity, str] = {shared_mentions: "φ3 = |K∩R|", dice: "φ4 = 2|K∩R|/(|K|+|R|)"}


def ceafm(sides: EntityPieces) -> list[Section]:
    """CEAF with φ3, the number of shared mentions."""
    return _one_map(sides, shared_mentions)


def ceafe(sides: EntityPieces) -> list[Section]:
    """CEAF with φ4, the Dice coefficient."""
    return _one_map(sides, dice)


def ceaf_orig(partitions: Partitions) -> list[Section]:
    """CEAF with φ3 on the partitions as they are."""
    return _one_map(partitions.pieces(), shared_mentions)


def ceaf_rn(partitions: Partitions) -> list[Section]:
    """The same without spurious singletons."""
    kept = partitions.without_spurious_singletons()
    altered = (altered_side("response without spurious singletons", kept.response),)
    return _one_map(kept.pieces(), shared_mentions, altered)


def ceaf_sys(partitions: Partitions, similarity: Similarity = shared_mentions) -> list[Section]:
    """One map for the recall and one for the precision, each over altered sides."""
    recall = partitions.without_spurious().with_missing()
    precision = partitions.without_spurious_singletons().completed()
    return [
        _map("Recall", recall.pieces(), similarity, (0,), _altered_for("recall", recall)),
        _map("Precision", precision.pieces(), similarity, (2,), _altered_for("precision", precision)),
        _response_sizes(precision.pieces(), similarity),
    ]


def ceaf_sys_phi4(partitions: Partitions) -> list[Section]:
    """The same with φ4."""
    return ceaf_sys(partitions, dice)


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
            entries.append(Entry((whole(0, "mapped to none"), own), entity=split.entity))
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
