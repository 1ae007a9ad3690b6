"""MUC: R = Σ_K (|K| − p(K)) / Σ_K (|K| − 1)

p(K) is the number of pieces into which the response cuts the key entity K; a mention without counterpart
is a piece of its own. Precision swaps key and response. Since a key entity loses one link per piece, the numerator
is Σ (n − 1) over the cells of the table. Singletons add 0/0: MUC does not see them.

Vilain et al. (1995).

>>> from corefscope import score_clusters
>>> score_clusters([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]])["muc"].f1
0.6666666666666666
"""

from __future__ import annotations

from ..table import Table
from .base import COUNTS_LINKS, PER_COMPONENT, Explanation, Metric, both_ways, rows


def _recall(table: Table) -> tuple[int, int]:
    """Σ (n − 1), the links that are kept, and Σ (|K| − 1), those that hold the entities together."""
    return table.common - table.pieces, table.total - table.entities


MUC = Metric(
    name="muc",
    title="MUC",
    summary="links of a minimal spanning of each entity that the other side keeps",
    cite="vilain-1995",
    definition=__doc__,
    counts=both_ways(_recall),
    resampling=COUNTS_LINKS,
    explanation=Explanation("entities.muc"),
    engines=PER_COMPONENT,
)
ROWS = rows(MUC)
