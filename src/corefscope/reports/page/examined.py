"""One response on its way into the page: scored, its faults listed, its lost points and slices counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...analysis.annotated import Annotated
from ...analysis.attribution import Ledger
from ...analysis.features import DIMENSIONS
from ...analysis.pairing import Pairing
from ...analysis.slices import Slice, Slicer
from ...analysis.taxonomy import KINDS, ZERO_KINDS, list_faults
from ...counting import count
from ...document import Document
from ...errors import OptionError, Warnings
from ...evaluate import NO_HEADS
from ...metrics import METRICS, counted
from ...options import Options
from ...prepare import align
from ...readers.corpora import Corpus
from ...results import Report
from ...scoring import Scoring
from .documents import Compared

KIND_NAMES = (*KINDS, *ZERO_KINDS)


def main_metric(names: Sequence[str]) -> str:
    """The metric that the page is about: CoNLL if it was asked for, else the first of which points can be lost.

    >>> main_metric(["muc", "conll"]), main_metric(["d_err", "lea"])
    ('conll', 'lea')
    """
    found = [name for name in names if METRICS[name].perfect == 1]
    if not found:
        raise OptionError(
            f"none of {', '.join(names)} is a score of which points can be lost: add one, such as conll"
        )
    return "conll" if "conll" in found else found[0]


class Examined(Scoring):
    """A response and everything that is found out about it, a document at a time."""

    def __init__(
        self, name: str, corpus: Corpus, warnings: Warnings, options: Options, metrics: str | Sequence[str]
    ) -> None:
        super().__init__(options, metrics)
        self.name, self.corpus = name, corpus
        self._warnings = warnings
        self.main = main_metric(self.tally.names)
        self.order = (self.main, *(name for name in self.tally.names if name != self.main))
        """The metrics as they are shown."""
        self.ledger = Ledger(self.options, [self.main])
        self._slicers = [Slicer(by, self.options, [self.main]) for by in DIMENSIONS]
        self.faults: Counter[str] = Counter()
        self.documents: list[Counter[str]] = []
        """For each document how many faults of each kind there are; those of zeros are kinds of their own."""

    def compare(self, key: Document, response: Document) -> Compared:
        """Score and examine one document."""
        alignment = align(key, response, self.options, self._warnings)
        metrics = self.tally.metrics
        row = count(alignment, metrics, self.options.rules)
        self.tally.add(key.id, row)
        counts = {metric.name: sums for metric, sums in zip(metrics, row, strict=True)}
        pairing = Pairing(alignment, self.ledger.smallest)
        ours, theirs = Annotated(key, alignment.key), Annotated(response, alignment.response)
        self.ledger.add(key.id, pairing, counts)
        of_main = tuple(counts[metric.name] for metric in counted([self.main]))
        for slicer in self._slicers:
            slicer.add(ours, theirs, pairing, of_main)
        faults = list_faults(ours, theirs, pairing)
        self.documents.append(Counter(fault.zero_kind or fault.kind for fault in faults))
        self.faults.update(fault.kind for fault in faults)
        return Compared(key, response, alignment, faults)

    def finished(self) -> Report:
        """The scores of everything that was compared."""
        if self.options.match != "exact":
            for name in self.corpus.headless:
                self._warnings.add("heads", name, 0, NO_HEADS)
        return self.report(list(self._warnings), self.corpus.inputs)

    def slices(self) -> dict[str, list[Slice]]:
        """By dimension, those that divide anything."""
        found = {slicer.by: slicer.slices() for slicer in self._slicers}
        return {by: parts for by, parts in found.items() if len(parts) > 1}
