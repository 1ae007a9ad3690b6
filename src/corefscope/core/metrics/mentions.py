"""Mention detection: R = matched mentions / key mentions, P = matched mentions / response mentions

What counts as matched is what the match and zeros options say. A mention in several entities counts once.

>>> from corefscope import score_clusters
>>> score_clusters([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]], metrics="mentions")["mentions"].recall
0.75
"""

from __future__ import annotations

from collections.abc import Iterator

from ..matching.alignment import NONE, Alignment
from ..numbers import Numeric
from ..table import Table
from .base import PER_COMPONENT, Applicability, BlockOf, Booking, Explanation, Metric, Resampling, both_ways, rows


def _recall(table: Table) -> tuple[Numeric, Numeric]:
    return table.matched, table.mentions


def _by_mention(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
    for mention, counterpart in zip(alignment.key.mentions, alignment.to_response, strict=True):
        yield block_of(mention.first), (int(counterpart != NONE), 1, 0, 0)
    for mention, counterpart in zip(alignment.response.mentions, alignment.to_key, strict=True):
        yield block_of(mention.first), (0, 0, int(counterpart != NONE), 1)


MENTIONS = Metric(
    name="mentions",
    aliases=("md", "mention", "mention_detection", "mention-detection"),
    title="Mentions",
    summary="mention detection: which mentions are found at all",
    cite="pradhan-2014",
    definition=__doc__,
    counts=both_ways(_recall),
    scope=Applicability(compares_entities=False),
    resampling=Resampling(_by_mention),
    explanation=Explanation("mentions.detection"),
    engines=PER_COMPONENT,
)
ROWS = rows(MENTIONS)
