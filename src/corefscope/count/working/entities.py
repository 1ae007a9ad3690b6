"""Entity by entity: MUC and core classes by their pieces, LEA by its links, B³ by class; exclusive cores."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ...match.alignment import NONE
from ..metrics.blanc import pairs
from ..metrics.lea import resolved
from ..metrics.popescu_belis import share_by_class
from .cuts import Cut, Cuts, Member
from .sections import Column, Entry, Piece, Section, Term, recall_and_precision, total, whole
from .sets import Sets, completion

Work = Callable[[Cuts, Cut], tuple[Term, Term]]
"""What an entity adds to the numerator and to the denominator."""


def _both_ways(cuts: Cuts, columns: tuple[str, str], titles: tuple[str, str], work: Work) -> list[Section]:
    """A section for the entities of the key, which make the recall, and one for those of the response."""
    return [
        Section(
            title,
            own,
            tuple([Entry(work(side, cut), entity=cut.entity, pieces=side.shown_pieces(cut)) for cut in side.key]),
        )
        for title, own, side in zip(titles, recall_and_precision(*columns), (cuts, cuts.T), strict=True)
    ]


def _completed(sets: Sets, columns: tuple[str, str], titles: tuple[str, str], work: Work) -> list[Section]:
    """The same of partitions that are first made to cover the same mentions."""
    complete, shown = completion(sets)
    first, *others = _both_ways(complete.cuts(), columns, titles, work)
    return [first._replace(altered=shown), *others]


MUC_TITLES = (
    "Recall: a key entity in p pieces keeps |K| − p of its |K| − 1 links",
    "Precision: a response entity in p pieces keeps |R| − p of its |R| − 1 links",
)


def _kept(_: Cuts, cut: Cut) -> tuple[Term, Term]:
    pieces = len(cut.pieces)
    return (
        whole(cut.size - pieces, f"{cut.size} − {pieces}"),
        whole(cut.size - 1, f"{cut.size} − 1"),
    )


def muc(cuts: Cuts) -> list[Section]:
    """Pieces of every entity."""
    return _both_ways(cuts, ("kept", "links"), MUC_TITLES, _kept)


def muc_pb(sets: Sets) -> list[Section]:
    """The same over one set of mentions."""
    return _completed(sets, ("kept", "links"), MUC_TITLES, _kept)


def lea(cuts: Cuts) -> list[Section]:
    """Every entity as many times as it has mentions."""
    return _both_ways(
        cuts,
        ("resolved", "mentions"),
        (
            "Recall: each key entity counts |K| × kept links / links",
            "Precision: each response entity counts |R| × kept links / links",
        ),
        _resolved,
    )


def _resolved(cuts: Cuts, cut: Cut) -> tuple[Term, Term]:
    cells = [(len(piece), cuts.response[piece[0].other].size) for piece in cut.pieces if piece[0].other != NONE]
    value = total(Fraction(resolved(Fraction(n), cut.size, r)) for n, r in cells)
    if cut.size == 1:
        alone = "found alone" if value else "not found alone"
        return Term(value, alone), whole(1)
    kept, links = sum(pairs(n) for n, _ in cells), pairs(cut.size)
    return Term(value, f"{cut.size} × {kept}/{links}"), whole(cut.size)


def core(sets: Sets) -> list[Section]:
    """Of each class the largest piece."""
    return _completed(
        sets,
        ("in core", "links"),
        (
            "Recall: of each key class only the largest piece c, its core, counts: |c| − 1 of |K| − 1",
            "Precision: the same of the response classes",
        ),
        _largest,
    )


def _largest(_: Cuts, cut: Cut) -> tuple[Term, Term]:
    largest = max(map(len, cut.pieces))
    return whole(largest - 1, f"{largest} − 1"), whole(cut.size - 1, f"{cut.size} − 1")


def by_class(sets: Sets) -> list[Section]:
    """B³ with classes of equal weight."""
    return _completed(
        sets,
        ("share", "classes"),
        ("Recall: each key class counts Σ (n/|K|)² over its pieces", "Precision: the same of the response classes"),
        _squares,
    )


def _squares(_: Cuts, cut: Cut) -> tuple[Term, Term]:
    sizes = list(map(len, cut.pieces))
    value = total(Fraction(share_by_class(Fraction(n), cut.size, 0)) for n in sizes)
    return Term(value, " + ".join(f"({n}/{cut.size})²" for n in sizes)), whole(1)


# Exclusive cores


def exclusive_cores(sets: Sets) -> list[Section]:
    """Key classes choose in turn, by decreasing size, the unused response class with which they share most."""
    return _chosen(
        sets,
        _best_unused,
        "Recall: by decreasing size, each key class takes the unused response class it shares most with",
    )


def strict_cores(sets: Sets) -> list[Section]:
    """A key class whose best response class is used gets none."""
    return _chosen(
        sets,
        _best_or_none,
        "Recall: by decreasing size, each key class takes the response class it shares most with, unless it is used",
    )


def _chosen(sets: Sets, choose: Callable[[Cuts, Cut, set[int]], list[Member]], title: str) -> list[Section]:
    """What the key classes take in turn."""
    complete, shown = completion(sets)
    cuts = complete.cuts()
    used: set[int] = set()
    recall, precision = [], []
    for cut in sorted(cuts.key, key=lambda cut: -cut.size):
        core = choose(cuts, cut, used)
        common, outside = len(core), 0
        if core:
            used.add(core[0].other)
            outside = cuts.response[core[0].other].size - common
        chosen = whole(common) if core else whole(0, "none is left")
        pieces = (cuts.piece(core) if core else Piece(tuple([m.mention for m in cut.members])),)
        recall.append(Entry((chosen, whole(cut.size)), entity=cut.entity, pieces=pieces))
        if outside:
            others = [m for m in cuts.response[core[0].other].members if cuts.key[m.other] is not cut]
            beyond = Piece(tuple([m.mention for m in others]), cuts.response[core[0].other].entity)
            precision.append(Entry((whole(-outside), None), entity=cut.entity, pieces=(beyond,)))
    mentions = sum(cut.size for cut in cuts.key)
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


def _best_or_none(cuts: Cuts, cut: Cut, used: set[int]) -> list[Member]:
    """The largest piece, of equal ones that in the larger class, then as listed; nothing if the class is used."""
    best = min(cut.pieces, key=lambda piece: (-len(piece), -cuts.response[piece[0].other].size, piece[0].other))
    return best if best[0].other not in used else []


def _best_unused(cuts: Cuts, cut: Cut, used: set[int]) -> list[Member]:
    """The largest piece in an unused response class; of equal ones that in the smaller class, then as listed."""
    free = [piece for piece in cut.pieces if piece[0].other not in used]
    best: list[Member] = min(
        free,
        key=lambda piece: (-len(piece), cuts.response[piece[0].other].size, piece[0].other),
        default=[],
    )
    return best
