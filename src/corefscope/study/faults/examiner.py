"""What is found out about a pair of documents while it is scored, whoever asks: ``errors`` or the report page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...base.document import Document
from ...base.errors import Warnings
from ...count.metrics import counted
from ...evaluate.request import Request
from ...evaluate.scoring import Scoring
from ...match.alignment import Alignment
from .annotated import Annotated
from .attribution import Ledger
from .pairing import Pairing
from .slices import slicers
from .taxonomy import Fault, list_faults


class Findings(NamedTuple):
    """A pair of documents and what is wrong with the response."""

    key: Annotated
    response: Annotated
    alignment: Alignment
    pairing: Pairing
    faults: list[Fault]


class Examiner(Scoring):
    """A scoring that also finds faults, counts what they cost, and divides documents into slices."""

    def __init__(
        self,
        request: Request,
        names: str | Sequence[str],
        metric: str,
        *,
        by: Sequence[str],
        slice_metrics: Sequence[str],
    ) -> None:
        """``metric`` is the one whose lost points are attributed; it and ``slice_metrics`` are among ``names``."""
        request.refuse(baseline="errors are counted from a perfect response, and every slice would need its own")
        super().__init__(request.options, names)
        self.metric = metric
        self.ledger = Ledger(self.options, [metric])
        self.slicers = slicers(by, self.options, slice_metrics)
        self._in_slices = [self.metrics.index(part) for part in counted(slice_metrics)]

    def examine(self, key: Document, response: Document, warnings: Warnings | None) -> Findings:
        """Score one document, and find out everything about it."""
        alignment, row = self.score(key, response, warnings)
        pairing = Pairing(alignment, self.ledger.smallest)
        self.ledger.add(key.id, pairing, {metric.name: sums for metric, sums in zip(self.metrics, row, strict=True)})
        ours, theirs = Annotated(key, alignment.key), Annotated(response, alignment.response)
        in_slices = tuple([row[at] for at in self._in_slices])
        for slicer in self.slicers:
            slicer.add(ours, theirs, pairing, in_slices)
        return Findings(ours, theirs, alignment, pairing, list_faults(ours, theirs, pairing))
