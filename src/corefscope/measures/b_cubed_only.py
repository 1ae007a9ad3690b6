"""B³ (only): R = Σ_{m ∈ S} |K_m ∩ R_m| / |K_m|, divided by the number of mentions of S in the key

S are the mentions that ``--only`` selects with ``--classes whole``, such as pronouns (without it, all): their
entities stay whole, and only they are averaged over. Precision divides by |R_m| and by the number of mentions of S
in the response. A mention belongs to the one entity that owns it; a mention without counterpart contributes 0. Every
side says which of its mentions are in S. 0/0 follows the rule set. Documents are pooled by adding numerators and
denominators.

Popescu-Belis (2000), section 4.4: "compute recall and precision scores for each RE using the B³ measure, and use only
the relevant RE subset for the final average". His other idea, to restrict both partitions to S, is ``--only`` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.document import Mention
from ..core.matching.alignment import Alignment, Side
from ..core.metrics.b_cubed import B_CUBED
from ..core.metrics.base import (
    Applicability,
    BlockOf,
    Booking,
    EngineSupport,
    Explanation,
    MentionOverlap,
    Metric,
    Resampling,
    in_partition,
    rows,
)
from ..core.numbers import Counts, add


def _selected(side: Side, other: Side, to_other: Sequence[int], back: Sequence[int]) -> Iterator[MentionOverlap]:
    """The mentions of S on one side."""
    document = side.document
    for seen in in_partition(side, other, to_other, back):
        if document is None or document.anaphors is None or document.anaphors(document, seen.mention):
            yield seen


def selected_overlaps(alignment: Alignment) -> tuple[list[MentionOverlap], list[MentionOverlap]]:
    """The mentions of S: those of the key, and those of the response."""
    key, response, to_response, to_key = alignment[:4]
    return (
        [*_selected(key, response, to_response, to_key)],
        [*_selected(response, key, to_key, to_response)],
    )


def _count(alignment: Alignment) -> Counts:
    return add([(0, 0, 0, 0), *(counts for _, counts in _shares(alignment))])


def _shares(alignment: Alignment) -> Iterator[tuple[Mention, Counts]]:
    """What each mention of S adds."""
    in_key, in_response = selected_overlaps(alignment)
    for seen in in_key:
        yield seen.mention, (seen.share, 1, 0, 0)
    for seen in in_response:
        yield seen.mention, (0, 0, seen.share, 1)


def _book(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
    for mention, counts in _shares(alignment):
        yield block_of(mention.first), counts


ROWS = rows(
    Metric(
        name="b3_only",
        title="B³ (only)",
        summary="B³ averaged over the mentions that --only selects, in entities that stay whole",
        cite="popescu-belis-2000",
        definition=__doc__,
        reads="alignment",
        counts=_count,
        scope=Applicability(needs_words=True),
        engines=EngineSupport(counts_of_ids=B_CUBED.counts),
        resampling=Resampling(_book),
        explanation=Explanation("mentions.selected_b_cubed"),
    )
)
