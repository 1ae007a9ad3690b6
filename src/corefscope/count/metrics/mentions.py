"""Mention detection: R = matched mentions / key mentions, P = matched mentions / response mentions

What counts as matched is what the match and zeros options say. A mention that stands in several entities counts
once.

>>> from corefscope import score_clusters
>>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]], metrics="mentions")["mentions"].recall
0.75
"""

from __future__ import annotations

from ...base.numbers import Counts
from ..table import Contingency
from .base import RECALL_PRECISION, Metric, plain


def _count(table: Contingency) -> Counts:
    return table.matched, table.mentions, table.matched, table.response_mentions


MENTIONS = Metric(
    name="mentions",
    title="Mentions",
    summary="mention detection: which mentions are found at all",
    cite="pradhan-2014",
    reads="table",
    fields=RECALL_PRECISION,
    count=_count,
    score=plain,
    definition=__doc__,
    compares_entities=False,
)
