"""CEAF: R = max over one-to-one maps g of Σ_K φ(K, g(K)), divided by Σ_K φ(K, K)

Key entities are mapped to response entities one to one so that the total similarity is greatest.

- CEAFm: φ3(K, R) = |K ∩ R|, so recall divides by the number of key mentions, precision by that of the response;
- CEAFe: φ4(K, R) = 2 |K ∩ R| / (|K| + |R|), so they divide by the numbers of entities.

All entities count in the denominators, also those without any counterpart. Only the greatest total is needed,
never the map, so ties do not matter.

Luo (2005).

>>> from corefscope import score_clusters
>>> report = score_clusters([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])
>>> round(report["ceafm"].f1, 4), round(report["ceafe"].f1, 4)
(0.8, 0.8)
"""

from __future__ import annotations

from ..numbers import Counts, Numeric
from ..table import Table, vectorised_term
from .base import MAPS_ENTITIES, PER_COMPONENT, Explanation, Metric, rows


@vectorised_term
def shared_mentions(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """φ3 = n"""
    return n


@vectorised_term
def dice(n: Numeric, k: Numeric, r: Numeric) -> Numeric:
    """φ4 = 2n / (k + r)"""
    return 2 * n / (k + r)


def _ceafm(table: Table) -> Counts:
    best = table.best(shared_mentions)
    return best, table.total, best, table.T.total


def _ceafe(table: Table) -> Counts:
    best = table.best(dice)
    return best, table.entities, best, table.T.entities


CEAFE = Metric(
    name="ceafe",
    aliases=("ceaf_e", "ceaf-e", "ceaf_phi4", "phi4", "φ4", "entity_ceaf"),
    title="CEAFe",
    summary="best one-to-one map between entities, each pair worth 2|K∩R|/(|K|+|R|)",
    cite="luo-2005",
    definition=__doc__,
    counts=_ceafe,
    resampling=MAPS_ENTITIES,
    explanation=Explanation("entities.ceafe"),
    engines=PER_COMPONENT,
)
CEAFM = Metric(
    name="ceafm",
    aliases=("ceaf_m", "ceaf-m", "ceaf_phi3", "phi3", "φ3", "mention_ceaf"),
    title="CEAFm",
    summary="best one-to-one map between entities, each pair worth its common mentions",
    cite="luo-2005",
    definition=__doc__,
    counts=_ceafm,
    resampling=MAPS_ENTITIES,
    explanation=Explanation("entities.ceafm"),
    engines=PER_COMPONENT,
)
ROWS = rows(CEAFE, CEAFM)
