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

from ...base.numbers import Counts
from ..table import Contingency
from .base import RECALL_PRECISION, Metric, plain


def _count(table: Contingency) -> Counts:
    kept, kept_back = (cells.total - len(cells.n) for cells in (table.cells, table.back))
    return kept, links(table), kept_back, links(table.T)


def links(table: Contingency) -> int:
    """Σ (|K| − 1): the links that hold the entities together."""
    return table.total - len(table.key_sizes)


MUC = Metric(
    name="muc",
    title="MUC",
    summary="links of a minimal spanning of each entity that the other side keeps",
    cite="vilain-1995",
    reads="table",
    fields=RECALL_PRECISION,
    count=_count,
    score=plain,
    definition=__doc__,
)
