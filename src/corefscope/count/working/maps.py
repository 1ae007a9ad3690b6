"""CEAF by its alignment: which entity is mapped to which, and what each pair is worth."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ...base.components import components
from ...match.assignment import assign_component
from ..metrics.ceaf import dice, shared_mentions
from ..terms import Term as Similarity
from .by_mention import without_spurious_singletons
from .cuts import Cut, Cuts
from .sections import RESPONSE, Altered, Column, Entry, Piece, Section, Term, whole
from .sets import Classes, Sets, altered, restricted_to, with_singletons

MAP = "each key entity is mapped to one response entity so that the total is greatest"
WORTH: dict[Similarity, str] = {shared_mentions: "φ3 = |K∩R|", dice: "φ4 = 2|K∩R|/(|K|+|R|)"}


def ceafm(cuts: Cuts) -> list[Section]:
    """With φ3."""
    return _one_map(cuts, shared_mentions)


def ceafe(cuts: Cuts) -> list[Section]:
    """With φ4."""
    return _one_map(cuts, dice)


def _one_map(cuts: Cuts, similarity: Similarity, shown: tuple[Altered, ...] = ()) -> list[Section]:
    """The map, which serves recall and precision; then the response, which the precision divides by."""
    return [
        _map(f"The map: {MAP}; a pair is worth {WORTH[similarity]}", cuts, similarity, (0, 2), shown),
        Section("Precision divides by the response", (Column("φ(R,R)", (3,)),), _selves(cuts.response, similarity)),
    ]


def _map(
    title: str, cuts: Cuts, similarity: Similarity, numerators: tuple[int, ...], shown: tuple[Altered, ...] = ()
) -> Section:
    """Each key entity with what it is mapped to; ``numerators`` are the counts that the similarity adds to."""
    chosen = dict(best_pairs((i, j, _worth(cuts, i, j, similarity)) for i, j in cuts.shared))
    entries = []
    for i, cut in enumerate(cuts.key):
        own = _self(cut, similarity)
        if i not in chosen:
            entries.append(Entry((whole(0, "mapped to none"), own), entity=cut.entity))
            continue
        j = chosen[i]
        common = tuple(cuts.shared[i, j])
        n, other = len(common), cuts.response[j]
        formula = f"2·{n}/({cut.size} + {other.size})" if similarity is dice else str(n)
        worth = Term(_worth(cuts, i, j, similarity), formula)
        entries.append(Entry((worth, own), entity=cut.entity, pieces=(Piece(common, other.entity),)))
    denominators = (1,) if 0 in numerators else ()
    columns = Column("φ(K,R)", numerators), Column("φ(K,K)", denominators)
    return Section(title, columns, tuple(entries), shown)


def _worth(cuts: Cuts, i: int, j: int, similarity: Similarity) -> Fraction:
    n = Fraction(len(cuts.shared[i, j]))
    return Fraction(similarity(n, cuts.key[i].size, cuts.response[j].size))


def _self(cut: Cut, similarity: Similarity) -> Term:
    """φ of an entity and itself."""
    return Term(Fraction(similarity(Fraction(cut.size), cut.size, cut.size)))


def _selves(cuts: Iterable[Cut], similarity: Similarity) -> tuple[Entry, ...]:
    return tuple(
        [
            Entry(
                (_self(cut, similarity),),
                entity=cut.entity,
                pieces=(Piece(tuple([m.mention for m in cut.members])),),
            )
            for cut in cuts
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


def ceaf_orig(sets: Sets) -> list[Section]:
    """CEAF with φ3 on the partitions as they are."""
    return ceafm(sets.cuts())


def ceaf_rn(sets: Sets) -> list[Section]:
    """The same without spurious singletons."""
    kept = without_spurious_singletons(sets)
    return _one_map(kept.cuts(), shared_mentions, (altered("response without spurious singletons", kept.response),))


def ceaf_sys(sets: Sets, similarity: Similarity = shared_mentions) -> list[Section]:
    """A map for the recall, and another for the precision, over sides that are altered for each."""
    kept = without_spurious_singletons(sets)
    for_recall = with_singletons(restricted_to(kept.response, sets.key), RESPONSE, sets.missing)
    for_precision = kept.completed()
    precision = for_precision.cuts()
    return [
        _map(
            f"Recall: {MAP}; a pair is worth {WORTH[similarity]}",
            Sets(sets.key, for_recall).cuts(),
            similarity,
            (0,),
            _shown("recall", sets.key, for_recall),
        ),
        _map(
            "Precision: likewise",
            precision,
            similarity,
            (2,),
            _shown("precision", for_precision.key, for_precision.response),
        ),
        Section(
            "Precision divides by the response", (Column("φ(R,R)", (3,)),), _selves(precision.response, similarity)
        ),
    ]


def ceaf_sys_phi4(sets: Sets) -> list[Section]:
    """The same with φ4."""
    return ceaf_sys(sets, dice)


def _shown(purpose: str, key: Classes, response: Classes) -> tuple[Altered, ...]:
    return altered(f"key for {purpose}", key), altered(f"response for {purpose}", response)
