"""B³: R = Σ_m |K_m ∩ R_m| / |K_m|, divided by the number of key mentions

K_m and R_m are the entities of mention m; a mention without counterpart contributes 0. Precision divides by
|R_m| and by the number of response mentions. The n mentions of a cell contribute n/k each: n²/k.

Bagga and Baldwin (1998).

>>> from corefscope import score_clusters
>>> score = score_clusters([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])["bcub"]
>>> round(score.recall, 4), round(score.precision, 4)
(0.7333, 0.7333)
"""

from __future__ import annotations

from ..numbers import Numeric
from ..table import Table, vectorised_term
from .base import PER_COMPONENT, Explanation, Metric, both_ways, by_mention, in_entities, rows


@vectorised_term
def share(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """n·n/k: each of n mentions sees n of the k mentions of its key entity."""
    return n * n / k


@vectorised_term
def part(n: Numeric, k: Numeric, r: Numeric) -> Numeric:  # noqa: ARG001
    """n/k: the part of the key entity that is in this cell."""
    return n / k


def missing_parts(table: Table) -> Numeric:
    """Σ (missing in K)/|K| = number of key entities − Σ n/k"""
    return table.entities - table.over_cells(part)


def _recall(table: Table) -> tuple[Numeric, Numeric]:
    return table.over_cells(share), table.total


B_CUBED = Metric(
    name="bcub",
    aliases=("b3", "b_3", "b-3", "b^3", "b³", "bcubed", "b_cubed", "b-cubed"),
    title="B³",
    summary="per mention, the share of its entity that the other side has together with it",
    cite="bagga-1998",
    definition=__doc__,
    counts=both_ways(_recall),
    resampling=by_mention(lambda seen: (seen.share, 1, 0, 0), lambda seen: (0, 0, seen.share, 1), in_entities),
    explanation=Explanation("entities.b_cubed"),
    engines=PER_COMPONENT,
)
ROWS = rows(B_CUBED)
