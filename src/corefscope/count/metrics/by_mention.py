"""What each mention adds to the counts of a metric, booked on the block of the text in which its first word stands.

Only metrics whose counts are sums over mentions can be booked (``Metric.resampling``); the others say why not.
A mention is judged by the whole document: its entity stays whole, however many blocks it runs through.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...base.mention import Mention
from ...base.numbers import Counts, ratio
from ...match.alignment import NONE, Alignment, Side

BlockOf = Callable[[int], int]
"""The block in which a word stands, from its position."""
Booking = tuple[int, Counts]
"""A block, and what is added to its row."""
ByMention = Callable[[Alignment, BlockOf], Iterable[Booking]]


class Resampling(NamedTuple):
    """Counts of parts of a document: what each mention adds, or why the counts are no sums over mentions."""

    by_mention: ByMention | None = None
    reason: str = "is not known to be one"
    """Why not, as the end of a sentence about the metric."""


COUNTS_LINKS = Resampling(reason="counts links, whose two ends may stand in different blocks")
MAPS_ENTITIES = Resampling(reason="maps whole entities to each other, which run through many blocks")
COUNTS_ENTITIES = Resampling(reason="counts entities, which run through many blocks")


class Seen(NamedTuple):
    """A mention as metrics of the B³ family see it."""

    mention: Mention
    size: int
    """Mentions of its entity."""
    common: int
    """Those whose counterparts stand in one entity with its own; 0 without counterpart."""
    matched: int
    """Mentions of its entity that have counterparts."""

    @property
    def unmatched(self) -> int:
        """1 if it has no counterpart."""
        return int(not self.common)

    @property
    def share(self) -> float:
        """n/k, as in B³."""
        return ratio(self.common, self.size)

    @property
    def share_or_own(self) -> float:
        """The same; without counterpart, 1/k, as if it stood alone on the other side."""
        return ratio(self.common or 1, self.size)


def book_in_both(seen: Seen) -> Counts:
    """What a mention of the key adds if, without counterpart, it becomes a singleton of the response."""
    return seen.share_or_own, 1, seen.unmatched, seen.unmatched


Look = Callable[[Side, Side, Sequence[int], Sequence[int]], list[Seen]]
Terms = Callable[[Seen], Counts]
"""What a mention adds to the counts of recall and of precision."""


def in_entities(side: Side, other: Side, counterparts: Sequence[int], _: Sequence[int]) -> list[Seen]:
    """Mentions as often as they stand in an entity, by the map of their own side."""
    members = [(number, i) for i, entity in enumerate(side.entities) for number in entity]
    return _seen(side, other, members, [counterparts[number] for number, _ in members])


def in_partition(side: Side, other: Side, counterparts: Sequence[int], back: Sequence[int]) -> list[Seen]:
    """Mentions in the entity that owns them, with counterparts that are mutual."""
    mutual = [m if m != NONE and back[m] == number else NONE for number, m in enumerate(counterparts)]
    return _seen(side, other, list(enumerate(side.owner)), mutual)


def _seen(side: Side, other: Side, members: Sequence[tuple[int, int]], counterparts: Sequence[int]) -> list[Seen]:
    """``members`` are mentions with their entities."""
    owners = [other.owner[m] if m != NONE else NONE for m in counterparts]
    sizes = Counter(i for _, i in members)
    cells = Counter((i, j) for (_, i), j in zip(members, owners, strict=True) if j != NONE)
    matched = Counter(i for (_, i), j in zip(members, owners, strict=True) if j != NONE)
    return [
        Seen(side.mentions[number], sizes[i], cells[i, j], matched[i])
        for (number, i), j in zip(members, owners, strict=True)
    ]


def by_mention(of_key: Terms, of_response: Terms, look: Look = in_partition) -> Resampling:
    """Books what each mention of the key adds, then what each mention of the response adds."""

    def book(alignment: Alignment, block_of: BlockOf) -> Iterator[Booking]:
        key, response, to_response, to_key = alignment[:4]
        for seen in look(key, response, to_response, to_key):
            yield block_of(seen.mention.first), of_key(seen)
        for seen in look(response, key, to_key, to_response):
            yield block_of(seen.mention.first), of_response(seen)

    return Resampling(book)
