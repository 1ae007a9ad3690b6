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

from typing import Any

from ..table import Contingency
from .base import RECALL_PRECISION, Metric, both_ways, plain


def links_kept(n: Any, k: Any, r: Any) -> Any:  # noqa: ARG001
    """(n − 1): what is left of the key entity here is held together by one link less than it has mentions."""
    return n - 1


def links(table: Contingency) -> Any:
    """Σ (|K| − 1): the links that hold the entities together."""
    return table.total - len(table.key_sizes)


MUC = Metric(
    name="muc",
    title="MUC",
    summary="links of a minimal spanning of each entity that the other side keeps",
    cite="vilain-1995",
    reads="table",
    fields=RECALL_PRECISION,
    count=both_ways(links_kept, links),
    score=plain,
    definition=__doc__,
)
