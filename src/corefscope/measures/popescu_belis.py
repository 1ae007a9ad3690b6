"""MUC, B³, core classes and exclusive cores over one set of mentions (Popescu-Belis 2000)

Key and response are first made to cover one set E of N mentions (his definition 19): each missing mention
becomes a singleton of the response and each spurious one a singleton of the key. With n classes in the key, m
in the response and Z pairs of classes that share mentions:

- ``muc_pb``: R = (N − Z)/(N − n), P = (N − Z)/(N − m).
- ``b3_pb``: R = Σ n_ij²/k_i / N, P = Σ n_ij²/r_j / N.
- ``b3_pb_class``: the same with classes of equal weight, R = Σ (n_ij/k_i)² / n, P = Σ (n_ij/r_j)² / m. (The
  paper divides by |E|, but then a perfect response would score n/N.)
- ``core``: R = (Σ_i max_j n_ij − n)/(N − n): of each key class only the largest piece, its core, counts. Never
  above MUC.
- ``xcore``: key classes choose exclusive cores: by decreasing size (then as listed), each takes the unused
  response class with which it shares most (then the smaller, then as listed). R = Σ |K ∩ xc(K)| / N, P = 1 − Σ
  |xc(K) ∖ K| / N. The paper leaves ties to chance, which would change the score; the order here does not.
- ``xcore_strict``: as ``xcore``, but a key class whose best response class is taken gets none. (The paper does
  not print the rule; both readings fit its examples 1 to 5, and this one can give the recall of 69 % that it prints
  for example 6. For that, of equal pieces the one in the larger class must be the best: so it is here.)

0/0 is 1, as he defines for ``muc_pb`` and ``core``. A spurious or missing singleton becomes a perfect pair of
singletons, which raises all but these two. Documents are pooled by adding numerators and denominators.

MUC is the measure of Vilain et al. (1995) and B³ that of Bagga and Baldwin (1998), in the forms of Popescu-Belis
(2000); the core classes are first in Popescu-Belis and Robba (1998).
"""

from __future__ import annotations

from functools import partial
from sys import maxsize

from ..core.metrics.b_cubed import missing_parts, share
from ..core.metrics.base import (
    COUNTS_ENTITIES,
    COUNTS_LINKS,
    MAPS_ENTITIES,
    PER_COMPONENT,
    Conventions,
    Explanation,
    Metric,
    Scale,
    book_in_both,
    both_ways,
    by_mention,
    elementwise,
    rows,
)
from ..core.numbers import Counts, Numeric, Score, f1, ratio
from ..core.table import Table, vectorised_term

LONE = maxsize  # an added singleton of the response, which only one key class can claim; ranks after all others


def all_mentions(table: Table) -> Numeric:
    """N: the mentions of the key, and the spurious ones of the response."""
    return table.total + table.T.missing


def all_classes(table: Table) -> Numeric:
    """n: the key entities, and the spurious mentions as singletons; of the transposed table, m."""
    return table.entities + table.T.missing


def all_pieces(table: Table) -> Numeric:
    """Z: the cells, and one for each mention without counterpart."""
    return table.pieces + table.missing + table.T.missing


@elementwise
def one_if_nothing(counts: Counts, _: Conventions) -> Score:
    """Recall and precision with 0/0 = 1."""
    recall, precision = ratio(counts[0], counts[1], 1.0), ratio(counts[2], counts[3], 1.0)
    return Score(recall, precision, f1(recall, precision))


def _muc(table: Table) -> tuple[Numeric, Numeric]:
    mentions = all_mentions(table)
    return mentions - all_pieces(table), mentions - all_classes(table)


def _b_cubed(table: Table) -> tuple[Numeric, Numeric]:
    """A missing mention shares 1/k of its class, a spurious one all of its own."""
    return table.over_cells(share) + missing_parts(table) + table.T.missing, all_mentions(table)


@vectorised_term
def share_by_class(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """(n/k)²"""
    return n * n / (k * k)


@vectorised_term
def part_by_class(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """n/k²"""
    return n / (k * k)


def _b_cubed_by_class(table: Table) -> tuple[Numeric, Numeric]:
    missing = table.over_entities(lambda k: 1 / k) - table.over_cells(part_by_class)
    return table.over_cells(share_by_class) + missing + table.T.missing, all_classes(table)


def _core(table: Table) -> tuple[Numeric, Numeric]:
    classes = all_classes(table)
    return table.over_best_cells() + table.T.missing - classes, all_mentions(table) - classes


def _exclusive_cores(table: Table, sign: int = 1, *, second_choice: bool = True) -> Counts:
    """Key classes choose in turn, by decreasing size; missing and spurious mentions are singletons that come last.

    Each takes the least (−n, ±r, number of the response class), where ``sign`` is that of r, unless it is used; then
    it makes a second choice, or takes nothing.
    """
    entities, response_entities = list(table.each_entity()), list(table.T.each_entity())
    candidates: list[list[tuple[int, int, int]]] = [[] for _ in entities]
    for i, j, n in table.each_cell():
        candidates[i].append((-n, sign * response_entities[j][0], j))
    used: set[int] = set()
    common = outside = 0
    for i in sorted(range(len(entities)), key=lambda i: -entities[i][0]):
        choices = [choice for choice in candidates[i] if choice[2] not in used] if second_choice else candidates[i]
        if entities[i][1]:
            choices.append((-1, sign, LONE))  # one of its missing mentions, now a singleton of the response
        minus_n, signed_r, j = min(choices, default=(0, 0, LONE))
        if j not in used:
            common -= minus_n
            outside += sign * signed_r + minus_n
        if j != LONE:
            used.add(j)
    for j, (size, spurious) in enumerate(response_entities):
        if spurious and j not in used:  # the first of its spurious mentions, now a singleton of the key, takes it
            common += 1
            outside += size - 1
    mentions = all_mentions(table)
    return common, mentions, mentions - outside, mentions


_row = partial(
    Metric,
    cite="popescu-belis-2000",
    reads="partition",
    score=one_if_nothing,
    definition=__doc__,
    engines=PER_COMPONENT,
)
ONE_IF_NOTHING = Scale(defines_nothing=lambda _: True)  # his definitions 5, 6, 13 and 14
ONE_BY_ONE = PER_COMPONENT._replace(
    depends_on_order=True,
    each_entity="lets entities choose one after the other, so that it must know each of them",
)
ROWS = rows(
    _row(
        *("muc_pb", "MUC (P-B)", "MUC over one set of mentions, 0/0 = 1"),
        cite=("vilain-1995", "popescu-belis-2000"),
        explanation=Explanation("entities.muc"),
        counts=both_ways(_muc),
        scale=ONE_IF_NOTHING,
        resampling=COUNTS_LINKS,
    ),
    _row(
        *("b3_pb", "B³ (P-B)", "B³ over one set of mentions"),
        cite=("bagga-1998", "popescu-belis-2000"),
        explanation=Explanation("entities.b_cubed"),
        counts=both_ways(_b_cubed),
        resampling=by_mention(book_in_both, lambda seen: (seen.unmatched, seen.unmatched, seen.share_or_own, 1)),
    ),
    _row(
        *("b3_pb_class", "B³ by class", "the same with classes of equal weight"),
        cite=("bagga-1998", "popescu-belis-2000"),
        explanation=Explanation("entities.by_class"),
        counts=both_ways(_b_cubed_by_class),
        resampling=COUNTS_ENTITIES,
    ),
    _row(
        *("core", "C", "core classes: of each class only the largest piece counts"),
        cite=("popescu-belis-1998", "popescu-belis-2000"),
        explanation=Explanation("entities.core"),
        counts=both_ways(_core),
        scale=ONE_IF_NOTHING,
        resampling=COUNTS_ENTITIES,
    ),
    _row(
        *("xcore", "XC", "exclusive cores: each key class gets one response class"),
        explanation=Explanation("entities.exclusive_cores:exclusive"),
        counts=_exclusive_cores,
        engines=ONE_BY_ONE,
        resampling=MAPS_ENTITIES,
        scale=Scale(symmetric=False),
    ),
    _row(
        *("xcore_strict", "XC (strict)", "exclusive cores: a key class whose best response class is taken gets none"),
        explanation=Explanation("entities.exclusive_cores:strict"),
        counts=partial(_exclusive_cores, sign=-1, second_choice=False),
        engines=ONE_BY_ONE,
        resampling=MAPS_ENTITIES,
        scale=Scale(symmetric=False),
    ),
)
