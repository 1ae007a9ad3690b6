"""Parts of a document in place of documents: for a corpus of a single document, such as a novel.

How sure a score is, is learned from how documents differ. Where there is only one, its sentences, or blocks of
sentences, can replace documents if the counts of a metric are **sums over mentions**: what a mention contributes is
booked on the block of its first word, and the rows of the blocks add up to the row of the document.
Entities stay whole: a mention is always judged by the whole document.

Whether they are, and what each mention adds, is said by each metric (``Metric.resampling``). Others count entities,
links or pairs, or choose a map of entities. These reach over many blocks, and :func:`check_bookable` refuses them
with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isclose

from ..core.document import Document
from ..core.errors import InputError, OptionError
from ..core.matching.alignment import Alignment
from ..core.metrics import METRICS
from ..core.metrics.base import Metric
from ..core.numbers import Counts, add
from ..core.options import Options
from ..core.positions import SENTENCE_SHIFT
from ..core.steps import count

CAUTION = (
    "blocks of one document depend on each other: an entity runs through many of them, and no other document is seen "
    "at all; take intervals for too narrow and p-values for too small"
)


class Blocks:
    """The sentences of a document in blocks of so many sentences; the last may have fewer."""

    def __init__(self, document: Document, size: int = 1) -> None:
        numbers = [sentence.number for sentence in document.sentences]
        if not numbers:
            raise InputError(f"document {document.id!r} has no sentences that could be resampled", path=document.path)
        self._block = {number: i // size for i, number in enumerate(numbers)}
        parts = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        self.names = [f"{document.id}#{part[0]}-{part[-1]}" for part in parts]
        """One for each block: the document, and the numbers of its first and last sentence."""

    def of(self, position: int) -> int:
        """The block of a word."""
        return self._block[position >> SENTENCE_SHIFT]


def block_size(unit: str) -> int:
    """The number of sentences in a block, from ``sentences`` or ``blocks:N``.

    >>> block_size("sentences"), block_size("blocks:20")
    (1, 20)
    """
    if unit == "sentences":
        return 1
    blocks = re.fullmatch(r"blocks:([1-9][0-9]{0,8})", unit, re.ASCII)
    if not blocks:
        raise OptionError(f"unknown unit {unit!r}: choose sentences, or blocks:N for blocks of N sentences")
    return int(blocks[1])


def block_rows(
    alignment: Alignment, blocks: Blocks, metrics: Sequence[Metric], options: Options
) -> dict[str, tuple[Counts, ...]]:
    """By block the counts of each metric, in the form in which a report has them by document.

    What does not add up to the counts of the document is refused. That happens where rules count otherwise than the
    metrics are defined: pairs of zeros that maps no longer show, or mentions that occur twice.
    """
    check_bookable([metric.name for metric in metrics])
    columns = []
    for metric, whole in zip(metrics, count(alignment, metrics, options), strict=True):
        assert metric.resampling.by_mention
        booked: list[list[Counts]] = [[(0,) * len(metric.fields)] for _ in blocks.names]
        for block, counts in metric.resampling.by_mention(alignment, blocks.of):
            booked[block].append(counts)
        columns.append([add(rows) for rows in booked])
        sums = zip(add(columns[-1]), whole, strict=True)
        if not all(isclose(total, expected, abs_tol=1e-9) for total, expected in sums):
            raise OptionError(
                f"under the rules {options.rules}, {metric.title} is not a sum over mentions in documents like this "
                "one; it is under the corrected rules"
            )
    return dict(zip(blocks.names, zip(*columns, strict=True), strict=True))


def rows_by_block(
    key: Document, alignment: Alignment, unit: str, metrics: Sequence[Metric], options: Options
) -> dict[str, tuple[Counts, ...]]:
    """The rows of the blocks of a document, by their names."""
    return block_rows(alignment, Blocks(key, block_size(unit)), metrics, options)


def bookable() -> list[str]:
    """The metrics whose counts are sums over mentions."""
    return [name for name, metric in METRICS.items() if metric.resampling.by_mention]


def check_bookable(names: Sequence[str]) -> None:
    """Refuse metrics whose counts have no place in the text, and say why."""
    reasons = []
    for metric in map(METRICS.__getitem__, names):
        if not metric.resampling.by_mention:
            parts = [METRICS[part].title for part in metric.parts if not METRICS[part].resampling.by_mention]
            reason = f"is made from {' and '.join(parts)}, which are not" if parts else metric.resampling.reason
            reasons.append(f"{metric.title} {reason}")
    if reasons:
        raise OptionError(
            "parts of a document can be resampled only with metrics that are sums over mentions "
            f"({', '.join(bookable())}): {'; '.join(reasons)}"
        )
