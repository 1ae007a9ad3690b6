"""LEA: R = Σ_K |K| · (links of K kept) / (links of K), divided by Σ_K |K|

Each key entity counts as many times as it has mentions and is resolved to the degree to which its pairs stay together
in the response: Σ_j C2(n_j) / C2(|K|), which times |K| is Σ n(n−1)/(k−1) over its cells. A singleton is
resolved if its counterpart is a singleton too.

Moosavi and Strube (2016).

>>> from corefscope import score_clusters
>>> score = score_clusters([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])["lea"]
>>> round(score.recall, 4), round(score.precision, 4)
(0.6, 0.6)
"""

from __future__ import annotations

from ..numbers import Numeric
from ..table import Table, vectorised_term
from .base import COUNTS_LINKS, PER_COMPONENT, Explanation, Metric, both_ways, rows


@vectorised_term
def resolved(n: Numeric, k: Numeric, r: Numeric) -> Numeric:
    """n(n − 1)/(k − 1), and for singletons 1 if r = 1; 1 // k is 1 for a singleton and 0 for all others."""
    return n * (n - 1) / (k - 1 + 1 // k) + 1 // (k * r)


def _recall(table: Table) -> tuple[Numeric, Numeric]:
    return table.over_cells(resolved), table.total


LEA = Metric(
    name="lea",
    title="LEA",
    summary="per entity, weighted by its size, the share of its links that the other side keeps",
    cite="moosavi-2016",
    definition=__doc__,
    counts=both_ways(_recall),
    resampling=COUNTS_LINKS,
    explanation=Explanation("entities.lea"),
    engines=PER_COMPONENT,
)
ROWS = rows(LEA)
