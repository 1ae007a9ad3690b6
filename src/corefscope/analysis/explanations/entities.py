"""Explanations entity by entity: MUC, B³, CEAF, LEA, cores and exact clusters, with their variants."""

from __future__ import annotations

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
    Classes,
    EntityPieces,
    Member,
    Partitions,
    SplitEntity,
    altered_side,
    completion,
    restricted_to,
    with_singletons,
    without_singletons,
)
from .sections import RESPONSE, AlteredSide, Column, Entry, Piece, Section, Term, recall_and_precision, total, whole

Work = Callable[[EntityPieces, SplitEntity], tuple[Term, Term]]
"""Computes the terms of an entity for the numerator and the denominator."""


def _both_ways(sides: EntityPieces, columns: tuple[str, str], titles: tuple[str, str], work: Work) -> list[Section]:
    """A section for the key entities (recall) and one for the response entities (precision)."""
    return [
        Section(
            title,
            own,
            tuple(
                [Entry(work(side, split), entity=split.entity, pieces=side.shown_pieces(split)) for split in side.key]
            ),
        )
        for title, own, side in zip(titles, recall_and_precision(*columns), (sides, sides.T), strict=True)
    ]


def _completed(
    partitions: Partitions, columns: tuple[str, str], titles: tuple[str, str], work: Work
) -> list[Section]:
    """The same for partitions, completed first so that both have the same mentions."""
    complete, shown = completion(partitions)
    first, *others = _both_ways(complete.pieces(), columns, titles, work)
    return [first._replace(altered=shown), *others]


MUC_TITLES = (
    "Recall: a key entity in p pieces keeps |K| − p of its |K| − 1 links",
    "Precision: a response entity in p pieces keeps |R| − p of its |R| − 1 links",
)


def _kept(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    pieces = len(split.pieces)
    return (
        whole(split.size - pieces, f"{split.size} − {pieces}"),
        whole(split.size - 1, f"{split.size} − 1"),
    )


def muc(sides: EntityPieces) -> list[Section]:
    """MUC: the pieces of every entity."""
    return _both_ways(sides, ("kept", "links"), MUC_TITLES, _kept)


def muc_pb(partitions: Partitions) -> list[Section]:
    """MUC over completed partitions."""
    return _completed(partitions, ("kept", "links"), MUC_TITLES, _kept)


def lea(sides: EntityPieces) -> list[Section]:
    """LEA: every entity, weighted by its size."""
    return _both_ways(
        sides,
        ("resolved", "mentions"),
        (
            "Recall: each key entity counts |K| × kept links / links",
            "Precision: each response entity counts |R| × kept links / links",
        ),
        _resolved,
    )


def _resolved(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    cells = [(len(piece), sides.response[piece[0].other].size) for piece in split.pieces if piece[0].other != NONE]
    value = total(Fraction(resolved(Fraction(n), split.size, r)) for n, r in cells)
    if split.size == 1:
        alone = "found alone" if value else "not found alone"
        return Term(value, alone), whole(1)
    kept, links = sum(pairs(n) for n, _ in cells), pairs(split.size)
    return Term(value, f"{split.size} × {kept}/{links}"), whole(split.size)


def core(partitions: Partitions) -> list[Section]:
    """Core classes: the largest piece of each class."""
    return _completed(
        partitions,
        ("in core", "links"),
        (
            "Recall: of each key class only the largest piece c, its core, counts: |c| − 1 of |K| − 1",
            "Precision: the same of the response classes",
        ),
        _largest,
    )


def _largest(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    largest = max(map(len, split.pieces))
    return whole(largest - 1, f"{largest} − 1"), whole(split.size - 1, f"{split.size} − 1")


def by_class(partitions: Partitions) -> list[Section]:
    """B³ with classes of equal weight."""
    return _completed(
        partitions,
        ("share", "classes"),
        ("Recall: each key class counts Σ (n/|K|)² over its pieces", "Precision: the same of the response classes"),
        _squares,
    )


def _squares(_: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    sizes = list(map(len, split.pieces))
    value = total(Fraction(share_by_class(Fraction(n), split.size, 0)) for n in sizes)
    return Term(value, " + ".join(f"({n}/{split.size})²" for n in sizes)), whole(1)


def exact_clusters(partitions: Partitions) -> list[Section]:
    """1 for each cluster that the other side has with exactly the same mentions."""
    titles = (
        "Recall: key clusters, and whether the response has the same",
        "Precision: response clusters, and whether the key has the same",
    )
    return _both_ways(partitions.pieces(), ("same", "clusters"), titles, _same)


def _same(sides: EntityPieces, split: SplitEntity) -> tuple[Term, Term]:
    first = split.members[0]
    same = first.other != NONE and first.common == split.size == sides.response[first.other].size
    return whole(int(same)), whole(1)


# Exclusive cores


def exclusive_cores(partitions: Partitions) -> list[Section]:
    """Key classes choose in turn, by decreasing size, the unused response class that shares most with them."""
    return _chosen(
        partitions,
        _best_unused,
        "Recall: by decreasing size, each key class takes the unused response class it shares most with",
    )


def strict_cores(partitions: Partitions) -> list[Section]:
    """A key class whose best response class is used gets none."""
    return _chosen(
        partitions,
        _best_or_none,
        "Recall: by decreasing size, each key class takes the response class it shares most with, unless it is used",
    )


def _chosen(
    partitions: Partitions, choose: Callable[[EntityPieces, SplitEntity, set[int]], list[Member]], title: str
) -> list[Section]:
    """The choices of the key classes in turn."""
    complete, shown = completion(partitions)
    sides = complete.pieces()
    used: set[int] = set()
    recall, precision = [], []
    for split in sorted(sides.key, key=lambda split: -split.size):
        core = choose(sides, split, used)
        common, outside = len(core), 0
        if core:
            used.add(core[0].other)
            outside = sides.response[core[0].other].size - common
        chosen = whole(common) if core else whole(0, "none is left")
        pieces = (sides.piece(core) if core else Piece(tuple([m.mention for m in split.members])),)
        recall.append(Entry((chosen, whole(split.size)), entity=split.entity, pieces=pieces))
        if outside:
            others = [m for m in sides.response[core[0].other].members if sides.key[m.other] is not split]
            beyond = Piece(tuple([m.mention for m in others]), sides.response[core[0].other].entity)
            precision.append(Entry((whole(-outside), None), entity=split.entity, pieces=(beyond,)))
    mentions = sum(split.size for split in sides.key)
    everything = Entry((whole(mentions), whole(mentions)), name="all mentions")
    return [
        Section(
            title,
            (Column("in core", (0,)), Column("mentions", (1,))),
            tuple(recall),
            shown,
        ),
        Section(
            "Precision: all mentions, less those of each exclusive core that its key class does not have",
            (Column("inside", (2,)), Column("mentions", (3,))),
            (everything, *precision),
        ),
    ]


def _best_or_none(sides: EntityPieces, split: SplitEntity, used: set[int]) -> list[Member]:
    """The largest piece; ties go to the larger class, then to the first; empty if the class is used."""
    best = min(split.pieces, key=lambda piece: (-len(piece), -sides.response[piece[0].other].size, piece[0].other))
    return best if best[0].other not in used else []


def _best_unused(sides: EntityPieces, split: SplitEntity, used: set[int]) -> list[Member]:
    """The largest piece in an unused response class; ties go to the smaller class, then to the first."""
    free = [piece for piece in split.pieces if piece[0].other not in used]
    best: list[Member] = min(
        free,
        key=lambda piece: (-len(piece), sides.response[piece[0].other].size, piece[0].other),
        default=[],
    )
    return best


COLUMNS = recall_and_precision("share", "mentions")
RECALL = "Recall: each mention of the key counts the share of its entity that the response has with it"
PRECISION = "Precision: each mention of the response counts the share of its entity that the key has with it"


def b_cubed(sides: EntityPieces) -> list[Section]:
    """B³: n/k for each mention."""
    return [_shares(RECALL, COLUMNS[0], sides), _shares(PRECISION, COLUMNS[1], sides.T)]


def _shares(title: str, columns: tuple[Column, Column], sides: EntityPieces) -> Section:
    """A section for the entities of the first side."""
    return Section(title, columns, tuple([_of_entity(sides, split) for split in sides.key]))


def _of_entity(sides: EntityPieces, split: SplitEntity) -> Entry:
    """An entity with an entry for each of its mentions."""
    entries = []
    for piece in split.pieces:
        for member in piece:
            share = Term(Fraction(member.common, split.size), f"{member.common}/{split.size}")
            entries.append(Entry((share, whole(1)), pieces=(sides.piece([member]),)))
    value = total(entry.terms[0].value for entry in entries if entry.terms[0])
    return Entry(
        (Term(value, _sum(split)), whole(split.size)),
        entity=split.entity,
        pieces=sides.shown_pieces(split),
        entries=tuple(entries),
    )


def _sum(split: SplitEntity) -> str:
    """The shares of all mentions as a sum; equal ones as a product."""
    counted: dict[int, int] = {}
    for piece in split.pieces:
        for member in piece:
            counted[member.common] = counted.get(member.common, 0) + 1
    return " + ".join(
        f"{times} × {common}/{split.size}" if times > 1 else f"{common}/{split.size}"
        for common, times in counted.items()
    )


def _altered(
    title: str, columns: tuple[Column, Column], own: Classes, other: Classes, names: tuple[str, str]
) -> Section:
    """The shares of one side against the other, both altered; the alterations are shown."""
    section = _shares(title, columns, Partitions(own, other).pieces())
    return section._replace(altered=(altered_side(names[0], own), altered_side(names[1], other)))


FOR_RECALL = ("key for recall", "response for recall")
FOR_PRECISION = ("response for precision", "key for precision")


def _recall_with_missing(partitions: Partitions) -> Section:
    response = with_singletons(partitions.response, RESPONSE, partitions.missing)
    return _altered(RECALL, COLUMNS[0], partitions.key, response, FOR_RECALL)


def _precision(response: Classes, key: Classes) -> Section:
    return _altered(PRECISION, COLUMNS[1], response, key, FOR_PRECISION)


def b3_0(partitions: Partitions) -> list[Section]:
    """Missing mentions count 0; spurious ones are removed for the precision."""
    recall = _altered(RECALL, COLUMNS[0], partitions.key, partitions.response, FOR_RECALL)
    return [recall, _precision(restricted_to(partitions.response, partitions.key), partitions.key)]


def b3_all(partitions: Partitions) -> list[Section]:
    """Missing and spurious mentions are singletons of the other side."""
    return [_recall_with_missing(partitions), _precision(partitions.response, partitions.completed().key)]


def b3_rn(partitions: Partitions) -> list[Section]:
    """The same without spurious singletons."""
    kept = without_singletons(partitions.response, set(partitions.spurious))
    return [_recall_with_missing(partitions), _precision(kept, Partitions(partitions.key, kept).completed().key)]


def b3_sys(partitions: Partitions) -> list[Section]:
    """The same, with the missing mentions as singletons of the response for the precision, too."""
    complete = without_spurious_singletons(partitions).completed()
    return [_recall_with_missing(partitions), _precision(complete.response, complete.key)]


def without_spurious_singletons(partitions: Partitions) -> Partitions:
    """The key, and the response without spurious singletons (R⁻)."""
    return partitions._replace(response=without_singletons(partitions.response, set(partitions.spurious)))


def b3_pb(partitions: Partitions) -> list[Section]:
    """B³ over completed partitions."""
    complete, shown = completion(partitions)
    first, second = b_cubed(complete.pieces())
    return [first._replace(altered=shown), second]


MAP = "each key entity is mapped to one response entity so that the total is greatest"
WORTH: dict[Similarity, str] = {shared_mentions: "φ3 = |K∩R|", dice: "φ4 = 2|K∩R|/(|K|+|R|)"}


def ceafm(sides: EntityPieces) -> list[Section]:
    """CEAF with φ3, the number of shared mentions."""
    return _one_map(sides, shared_mentions)


def ceafe(sides: EntityPieces) -> list[Section]:
    """CEAF with φ4, the Dice coefficient."""
    return _one_map(sides, dice)


def _one_map(sides: EntityPieces, similarity: Similarity, shown: tuple[AlteredSide, ...] = ()) -> list[Section]:
    """The map for recall and precision, then the denominator of the precision."""
    return [
        _map(f"The map: {MAP}; a pair is worth {WORTH[similarity]}", sides, similarity, (0, 2), shown),
        Section("Precision divides by the response", (Column("φ(R,R)", (3,)),), _selves(sides.response, similarity)),
    ]


def _map(
    title: str,
    sides: EntityPieces,
    similarity: Similarity,
    numerators: tuple[int, ...],
    shown: tuple[AlteredSide, ...] = (),
) -> Section:
    """Each key entity with what it is mapped to; ``numerators`` are the counts that the similarity adds to."""
    chosen = dict(best_pairs((i, j, _worth(sides, i, j, similarity)) for i, j in sides.shared))
    entries = []
    for i, split in enumerate(sides.key):
        own = _self(split, similarity)
        if i not in chosen:
            entries.append(Entry((whole(0, "mapped to none"), own), entity=split.entity))
            continue
        j = chosen[i]
        common = tuple(sides.shared[i, j])
        n, other = len(common), sides.response[j]
        formula = f"2·{n}/({split.size} + {other.size})" if similarity is dice else str(n)
        worth = Term(_worth(sides, i, j, similarity), formula)
        entries.append(Entry((worth, own), entity=split.entity, pieces=(Piece(common, other.entity),)))
    denominators = (1,) if 0 in numerators else ()
    columns = Column("φ(K,R)", numerators), Column("φ(K,K)", denominators)
    return Section(title, columns, tuple(entries), shown)


def _worth(sides: EntityPieces, i: int, j: int, similarity: Similarity) -> Fraction:
    n = Fraction(len(sides.shared[i, j]))
    return Fraction(similarity(n, sides.key[i].size, sides.response[j].size))


def _self(split: SplitEntity, similarity: Similarity) -> Term:
    """φ of an entity and itself."""
    return Term(Fraction(similarity(Fraction(split.size), split.size, split.size)))


def _selves(sides: Iterable[SplitEntity], similarity: Similarity) -> tuple[Entry, ...]:
    return tuple(
        [
            Entry(
                (_self(split, similarity),),
                entity=split.entity,
                pieces=(Piece(tuple([m.mention for m in split.members])),),
            )
            for split in sides
        ]
    )


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


# Variants for mentions that differ


def ceaf_orig(partitions: Partitions) -> list[Section]:
    """CEAF with φ3 on the partitions as they are."""
    return ceafm(partitions.pieces())


def ceaf_rn(partitions: Partitions) -> list[Section]:
    """The same without spurious singletons."""
    kept = without_spurious_singletons(partitions)
    return _one_map(
        kept.pieces(), shared_mentions, (altered_side("response without spurious singletons", kept.response),)
    )


def ceaf_sys(partitions: Partitions, similarity: Similarity = shared_mentions) -> list[Section]:
    """One map for the recall and one for the precision, each over altered sides."""
    kept = without_spurious_singletons(partitions)
    for_recall = with_singletons(restricted_to(kept.response, partitions.key), RESPONSE, partitions.missing)
    for_precision = kept.completed()
    precision = for_precision.pieces()
    return [
        _map(
            f"Recall: {MAP}; a pair is worth {WORTH[similarity]}",
            Partitions(partitions.key, for_recall).pieces(),
            similarity,
            (0,),
            _shown("recall", partitions.key, for_recall),
        ),
        _map(
            "Precision: the same with the sides swapped",
            precision,
            similarity,
            (2,),
            _shown("precision", for_precision.key, for_precision.response),
        ),
        Section(
            "Precision divides by the response", (Column("φ(R,R)", (3,)),), _selves(precision.response, similarity)
        ),
    ]


def ceaf_sys_phi4(partitions: Partitions) -> list[Section]:
    """The same with φ4."""
    return ceaf_sys(partitions, dice)


def _shown(purpose: str, key: Classes, response: Classes) -> tuple[AlteredSide, ...]:
    return altered_side(f"key for {purpose}", key), altered_side(f"response for {purpose}", response)
