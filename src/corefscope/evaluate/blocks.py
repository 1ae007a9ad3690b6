"""Parts of a document in place of documents: for a corpus of a single document, such as a novel.

How sure a score is, is learned from how documents differ. Where there is only one, its sentences, or blocks of
sentences, can stand for documents if the counts of a metric are **sums over mentions**: what a mention contributes is
booked on the block in which its first word stands, and the rows of the blocks add up to the row of the document.
Entities stay whole: a mention is judged by the whole document, whatever is resampled.

- ``bcub``, ``b3_0``, ``b3_all``, ``b3_rn``, ``b3_sys``, ``b3_pb``: each mention has its share, such as n/k.
- ``mentions``: each mention is found or not.
- ``mor``: each mention has its words. The best map is that of each sentence, since only mentions that share words are
  mapped to each other; sentences that a mention ties together are mapped together.
- ``zero``: each anaphor is right, lost, wrongly linked or spurious.

Other metrics count entities, links or pairs, or choose a map of entities. These reach over many blocks, and
:func:`check_bookable` refuses them with the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isclose
from typing import NamedTuple

from ..base.document import Document, Mention
from ..base.errors import InputError, OptionError
from ..base.numbers import Counts, add, ratio
from ..base.positions import SENTENCE_SHIFT
from ..count.metrics import METRICS
from ..count.metrics.anaphors import verdicts
from ..count.metrics.base import Metric
from ..count.metrics.overlap import MOR
from ..match.alignment import NONE, Alignment, Side
from .counting import count

CAUTION = (
    "blocks of one document depend on each other: an entity runs through many of them, and no other document is seen "
    "at all; take intervals for too narrow and p-values for too small"
)

Booking = tuple[int, Counts]
"""A block, and what is added to its row."""


class Blocks:
    """The sentences of a document in blocks of so many sentences; the last may have fewer."""

    def __init__(self, document: Document, size: int = 1) -> None:
        numbers = [sentence.number for sentence in document.sentences]
        if not numbers:
            raise InputError(f"document {document.id!r} has no sentences that could be resampled", path=document.path)
        self._block = {number: at // size for at, number in enumerate(numbers)}
        parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        self.names = [f"{document.id}#{part[0]}-{part[-1]}" for part in parts]
        """One for each block: the document, and the numbers of its first and last sentence."""

    def of(self, mention: Mention) -> int:
        """The block in which the first word of a mention stands."""
        return self._block[mention.positions[0] >> SENTENCE_SHIFT]

    def reach(self, mention: Mention) -> int:
        """The block in which its last word stands."""
        return self._block[mention.positions[-1] >> SENTENCE_SHIFT]


def block_size(unit: str) -> int:
    """The number of sentences that ``sentences`` or ``blocks:N`` stands for.

    >>> block_size("sentences"), block_size("blocks:20")
    (1, 20)
    """
    if unit == "sentences":
        return 1
    found = re.fullmatch(r"blocks:([1-9][0-9]{0,8})", unit, re.ASCII)
    if not found:
        raise OptionError(f"unknown unit {unit!r}: choose sentences, or blocks:N for blocks of N sentences")
    return int(found[1])


def block_rows(
    alignment: Alignment, blocks: Blocks, metrics: Sequence[Metric], rules: str
) -> dict[str, tuple[Counts, ...]]:
    """By block the counts of each metric, in the form in which a report has them by document.

    What does not add up to the counts of the document is refused. That happens where rules count otherwise than the
    metrics are defined: pairs of zeros that maps no longer show, or mentions that stand twice.
    """
    check_bookable([metric.name for metric in metrics])
    columns = []
    for metric, whole in zip(metrics, count(alignment, metrics, rules), strict=True):
        columns.append(_column(BOOKED[metric.name](alignment, blocks), len(blocks.names)))
        if not all(isclose(ours, theirs, abs_tol=1e-9) for ours, theirs in zip(add(columns[-1]), whole, strict=True)):
            raise OptionError(
                f"under the rules {rules}, {metric.title} is not a sum over mentions in documents like this one; "
                "it is under the corrected rules"
            )
    return dict(zip(blocks.names, zip(*columns, strict=True), strict=True))


def _column(bookings: Iterable[Booking], size: int) -> list[Counts]:
    booked: list[list[Counts]] = [[(0, 0, 0, 0)] for _ in range(size)]
    for block, counts in bookings:
        booked[block].append(counts)
    return [add(rows) for rows in booked]


def check_bookable(names: Sequence[str]) -> None:
    """Refuse metrics whose counts have no place in the text, and say why."""
    reasons = [f"{METRICS[name].title} {_reason(name)}" for name in names if name not in BOOKED]
    if reasons:
        raise OptionError(
            "parts of a document can be resampled only with metrics that are sums over mentions "
            f"({', '.join(BOOKED)}): {'; '.join(reasons)}"
        )


def _reason(name: str) -> str:
    parts = [METRICS[part].title for part in METRICS[name].parts if part not in BOOKED]
    if parts:
        return f"is made from {' and '.join(parts)}, which are not"
    return next((reason for reason, names in REASONS.items() if name in names), "is not known to be one")


REASONS: dict[str, tuple[str, ...]] = {
    "counts links, whose two ends may stand in different blocks": ("muc", "muc_pb", "blanc", "rand", "lea", "kappa"),
    "maps whole entities to each other, which run through many blocks": (
        *("ceafe", "ceafm", "ceaf_orig", "ceaf_rn", "ceaf_sys", "xcore"),
    ),
    "counts entities, which run through many blocks": ("core", "b3_pb_class", "dmt", "d_err"),
    "depends on how many mentions the whole document has": ("entropy",),
}


class Seen(NamedTuple):
    """A mention as metrics see that are sums over mentions."""

    mention: Mention
    size: int
    """Mentions of its entity."""
    common: int
    """Those whose counterparts stand in one entity with its own; 0 without counterpart."""
    twins: int
    """Mentions of its entity that have counterparts."""

    @property
    def lone(self) -> int:
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


def _in_entities(side: Side, other: Side, twins: Sequence[int]) -> list[Seen]:
    """Mentions as often as they stand in an entity, by the map of their own side."""
    members = [(number, i) for i, entity in enumerate(side.entities) for number in entity]
    return _seen(side, members, [other.owner[twins[n]] if twins[n] != NONE else NONE for n, _ in members])


def _in_partition(side: Side, other: Side, twins: Sequence[int], back: Sequence[int]) -> list[Seen]:
    """Mentions in the entity that owns them, with counterparts that are mutual."""
    mutual = [twin if twin != NONE and back[twin] == number else NONE for number, twin in enumerate(twins)]
    return _seen(side, list(enumerate(side.owner)), [other.owner[twin] if twin != NONE else NONE for twin in mutual])


def _seen(side: Side, members: Sequence[tuple[int, int]], others: Sequence[int]) -> list[Seen]:
    """``members`` are mentions with their entities, ``others`` the entities of their counterparts."""
    sizes = Counter(i for _, i in members)
    cells = Counter((i, j) for (_, i), j in zip(members, others, strict=True) if j != NONE)
    twins = Counter(i for (_, i), j in zip(members, others, strict=True) if j != NONE)
    return [
        Seen(side.mentions[number], sizes[i], cells[i, j], twins[i])
        for (number, i), j in zip(members, others, strict=True)
    ]


Book = Callable[[Alignment, Blocks], Iterator[Booking]]
Terms = Callable[[Seen], Counts]
"""What a mention adds to the counts of recall and of precision."""


def _b_cubed(alignment: Alignment, blocks: Blocks) -> Iterator[Booking]:
    key, response, to_response, to_key = alignment[:4]
    for seen in _in_entities(key, response, to_response):
        yield blocks.of(seen.mention), (seen.share, 1, 0, 0)
    for seen in _in_entities(response, key, to_key):
        yield blocks.of(seen.mention), (0, 0, seen.share, 1)


def _over_partition(of_key: Terms, of_response: Terms) -> Book:
    def book(alignment: Alignment, blocks: Blocks) -> Iterator[Booking]:
        key, response, to_response, to_key = alignment[:4]
        for seen in _in_partition(key, response, to_response, to_key):
            yield blocks.of(seen.mention), of_key(seen)
        for seen in _in_partition(response, key, to_key, to_response):
            yield blocks.of(seen.mention), of_response(seen)

    return book


def _spurious_singletons_out(seen: Seen) -> Counts:
    return (0, 0, 0, 0) if seen.size == 1 and seen.lone else (0, 0, seen.share_or_own, 1)


def _mentions(alignment: Alignment, blocks: Blocks) -> Iterator[Booking]:
    for mention, twin in zip(alignment.key.mentions, alignment.to_response, strict=True):
        yield blocks.of(mention), (int(twin != NONE), 1, 0, 0)
    for mention, twin in zip(alignment.response.mentions, alignment.to_key, strict=True):
        yield blocks.of(mention), (0, 0, int(twin != NONE), 1)


def _overlaps(alignment: Alignment, blocks: Blocks) -> Iterator[Booking]:
    sides = [[side.mentions[n] for entity in side.entities for n in entity] for side in alignment[:2]]
    together = _tied_together(sides[0] + sides[1], blocks)
    groups: dict[int, tuple[list[Mention], list[Mention]]] = {}
    for at, side in enumerate(sides):
        for mention in side:
            block, words = blocks.of(mention), len(mention.positions)
            groups.setdefault(together[block], ([], []))[at].append(mention)
            yield block, (0, 0, 0, words) if at else (0, words, 0, 0)
    for block, mentions in groups.items():
        key, response = (Side([of_side], list(range(len(of_side)))) for of_side in mentions)
        overlap = MOR.count(Alignment.of_pairs(key, response, [NONE] * len(key.mentions)))[0]
        yield block, (overlap, 0, overlap, 0)


def _tied_together(mentions: Iterable[Mention], blocks: Blocks) -> list[int]:
    """For each block the first of those that mentions tie it to: usually the block itself."""
    reach = list(range(len(blocks.names)))
    for mention in mentions:
        reach[blocks.of(mention)] = max(reach[blocks.of(mention)], blocks.reach(mention))
    found: list[int] = []
    start, end = 0, -1
    for block, last in enumerate(reach):
        start = block if block > end else start
        end = max(end, last)
        found.append(start)
    return found


def _zeros(alignment: Alignment, blocks: Blocks) -> Iterator[Booking]:
    for mention, right, in_key, in_response in verdicts(alignment):
        yield blocks.of(mention), (right, in_key, right, in_response)


BOOKED: dict[str, Book] = {
    "bcub": _b_cubed,
    "mor": _overlaps,
    "zero": _zeros,
    "mentions": _mentions,
    "b3_0": _over_partition(
        lambda seen: (seen.share, 1, 0, 0),
        lambda seen: (0, 0, ratio(seen.common, seen.twins), 1 - seen.lone),
    ),
    "b3_all": _over_partition(
        lambda seen: (seen.share_or_own, 1, 0, 0),
        lambda seen: (0, 0, seen.share_or_own, 1),
    ),
    "b3_rn": _over_partition(lambda seen: (seen.share_or_own, 1, 0, 0), _spurious_singletons_out),
    "b3_sys": _over_partition(
        lambda seen: (seen.share_or_own, 1, seen.lone, seen.lone),
        _spurious_singletons_out,
    ),
    "b3_pb": _over_partition(
        lambda seen: (seen.share_or_own, 1, seen.lone, seen.lone),
        lambda seen: (seen.lone, seen.lone, seen.share_or_own, 1),
    ),
}
"""How the counts of a metric are booked on blocks, for those that are sums over mentions."""
