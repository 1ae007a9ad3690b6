"""B³ and CEAF for end-to-end systems, whose mentions are not those of the key (Cai and Strube 2010)

Mentions of the key without counterpart are *missing*, mentions of the response without counterpart are
*spurious*; the paper calls both twinless. R⁻ is the response without its spurious singletons, of which there are q.
(``bcub``, which counts 0 for both, is none of these variants.)

- ``b3_0``: missing mentions count 0 in the recall; spurious ones are taken out of the response before the
  precision.
- ``b3_all``: a missing mention counts 1/|K| in the recall as if it were a singleton of the response, a spurious one
  1/|R| in the precision.
- ``b3_rn``: the same, with the precision over R⁻.
- ``b3_sys``: recall as in ``b3_all``; the precision is that of R⁻ with the missing mentions as singletons
  against the key with the spurious ones as singletons.
- ``ceaf_orig``: CEAF with φ3 = |K ∩ R|, as Luo defined it (the same as ``ceafm`` on partitions).
- ``ceaf_rn``: the same, with the precision over R⁻.
- ``ceaf_sys``: the precision is that of the pair of ``b3_sys``; the recall is that of the key against R⁻
  restricted to the mentions of the key, with the missing ones as singletons. Two different maps serve the two.
- ``ceaf_sys_phi4``: ``ceaf_sys`` with φ4 = 2 |K ∩ R| / (|K| + |R|). **Not recommended**: the authors show it as a
  counterexample (Table 6). A system that links two spurious mentions scores more (.607) than one that leaves them
  alone (.533), because all entities weigh the same, singletons included; ``ceaf_sys`` has .632 and .667.

All come from the table and its margins; Σ (missing in K)/|K| is the number of key entities minus Σ n/k over the
cells. ``b3_0`` and ``b3_all`` are those of Stoyanov et al. (2009), ``b3_rn`` and ``ceaf_rn`` those of Rahman and Ng
(2009), all as Cai and Strube describe them. The paper does not say what 0/0 is: it follows the rule set. Documents
are pooled by adding numerators and denominators.
"""

from __future__ import annotations

from functools import partial

from ..core.metrics.b_cubed import missing_parts, share
from ..core.metrics.base import (
    MAPS_ENTITIES,
    PER_COMPONENT,
    Explanation,
    Metric,
    Scale,
    book_in_both,
    both_ways,
    by_mention,
    rows,
)
from ..core.metrics.base import MentionOverlap as Seen
from ..core.metrics.ceaf import CEAFM, dice, shared_mentions
from ..core.numbers import Counts, Numeric, ratio
from ..core.table import Table, Weighing, vectorised_term


@vectorised_term
def is_singleton_response(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """1 if the response entity is a singleton, else 0"""
    return 1 // r


def _spurious_singletons(table: Table) -> Numeric:
    """The number q of response entities of one mention that has no counterpart."""
    return table.T.over_entities(lambda r: 1 // r) - table.over_cells(is_singleton_response)


def _b3_0(table: Table) -> Counts:
    precision = table.over_cells_and_matched(lambda n, matched: n * n / matched)
    return table.over_cells(share), table.total, precision, table.common


_b3_all = both_ways(lambda table: (table.over_cells(share) + missing_parts(table), table.total))


def _b3_rn(table: Table) -> Counts:
    recall, mentions, precision, response_mentions = _b3_all(table)
    dropped = _spurious_singletons(table)
    return recall, mentions, precision - dropped, response_mentions - dropped


def _b3_sys(table: Table) -> Counts:
    recall, mentions, precision, response_mentions = _b3_rn(table)
    return recall, mentions, precision + table.missing, response_mentions + table.missing


def _ceaf_rn(table: Table) -> Counts:
    recall, mentions, precision, response_mentions = CEAFM.counts(table)
    return recall, mentions, precision, response_mentions - _spurious_singletons(table)


def _ceaf_sys(table: Table) -> Counts:
    """An entity with missing mentions may be mapped to one of them instead: a cell of weight 1 of its own."""
    recall = table.best_of(Weighing(shared_mentions, lone_key=True))
    precision = table.best_of(Weighing(shared_mentions, lone_key=True, lone_response=True))
    system_mentions = table.T.total - _spurious_singletons(table) + table.missing
    return recall, table.total, precision, system_mentions


def _ceaf_sys_phi4(table: Table) -> Counts:
    """The same cells; for the recall, response entities have the size of what they share with the key."""
    recall = table.best_of(Weighing(dice, lone_key=True, common_only=True))
    precision = table.best_of(Weighing(dice, lone_key=True, lone_response=True))
    return recall, table.entities, precision, table.T.entities - _spurious_singletons(table) + table.missing


_row = partial(
    Metric,
    cite="cai-2010",
    reads="partition",
    definition=__doc__,
    scale=Scale(symmetric=False),
    engines=PER_COMPONENT,
)


def _book_recall(seen: Seen) -> Counts:
    return seen.share_or_own, 1, 0, 0


def _book_precision(seen: Seen) -> Counts:
    return 0, 0, seen.share_or_own, 1


def _book_without_spurious_singletons(seen: Seen) -> Counts:
    return (0, 0, 0, 0) if seen.size == 1 and seen.unmatched else _book_precision(seen)


ROWS = rows(
    _row(
        *("b3_0", "B³₀", "B³ over the mentions both sides have; missing ones count 0"),
        cite=("stoyanov-2009", "cai-2010"),
        explanation=Explanation("entities.altered_b_cubed:b3_0"),
        counts=_b3_0,
        resampling=by_mention(
            lambda seen: (seen.share, 1, 0, 0),
            lambda seen: (0, 0, ratio(seen.common, seen.matched), 1 - seen.unmatched),
        ),
    ),
    _row(
        *("b3_all", "B³_all", "B³ with missing and spurious mentions as singletons"),
        cite=("stoyanov-2009", "cai-2010"),
        explanation=Explanation("entities.altered_b_cubed:b3_all"),
        counts=_b3_all,
        resampling=by_mention(_book_recall, _book_precision),
        scale=Scale(symmetric=True),
    ),
    _row(
        *("b3_rn", "B³_r&n", "B³_all without spurious singletons in the precision"),
        cite=("rahman-2009", "cai-2010"),
        explanation=Explanation("entities.altered_b_cubed:b3_rn"),
        counts=_b3_rn,
        resampling=by_mention(_book_recall, _book_without_spurious_singletons),
    ),
    _row(
        *("b3_sys", "B³_sys", "B³ for system mentions: both sides made to cover the same mentions"),
        explanation=Explanation("entities.altered_b_cubed:b3_sys"),
        counts=_b3_sys,
        resampling=by_mention(book_in_both, _book_without_spurious_singletons),
    ),
    _row(
        *("ceaf_orig", "CEAF_orig", "CEAF with φ3, as defined by Luo"),
        cite=("luo-2005", "cai-2010"),
        explanation=Explanation("entities.ceafm"),
        counts=CEAFM.counts,
        resampling=MAPS_ENTITIES,
        scale=Scale(symmetric=True),
    ),
    _row(
        *("ceaf_rn", "CEAF_r&n", "CEAF_orig without spurious singletons in the precision"),
        cite=("rahman-2009", "cai-2010"),
        explanation=Explanation("entities.ceaf_rn"),
        counts=_ceaf_rn,
        resampling=MAPS_ENTITIES,
    ),
    _row(
        *("ceaf_sys", "CEAF_sys", "CEAF for system mentions, with a map of its own for recall"),
        explanation=Explanation("entities.ceaf_sys:phi3"),
        counts=_ceaf_sys,
        resampling=MAPS_ENTITIES,
    ),
    _row(
        *("ceaf_sys_phi4", "CEAF_sys φ4: not recommended"),
        "CEAF_sys with φ4: a counterexample of its authors, who advise against it",
        explanation=Explanation("entities.ceaf_sys:phi4"),
        counts=_ceaf_sys_phi4,
        resampling=MAPS_ENTITIES,
        note="not recommended: its authors show it as a counterexample",
    ),
)
