"""One response on its way into the page: scored, its faults listed, its lost points and slices counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...base.document import Document
from ...base.errors import OptionError
from ...count.metrics import METRICS, headline_metric
from ...evaluate.files import reports
from ...evaluate.options import Options
from ...evaluate.request import Request
from ...evaluate.results import Report
from ...read.corpus import Corpus
from ...study.faults.examine import Examiner
from ...study.faults.features import DIMENSIONS
from ...study.faults.slices import Slice
from ...study.faults.taxonomy import KINDS, ZERO_KINDS
from .documents import Compared

KIND_NAMES = (*KINDS, *ZERO_KINDS)


def main_metric(names: Sequence[str]) -> str:
    """The metric that the page is about: CoNLL if it was asked for, else the first of which points can be lost.

    >>> main_metric(["muc", "conll"]), main_metric(["d_err", "lea"])
    ('conll', 'lea')
    """
    scores = [name for name in names if METRICS[name].perfect == 1]
    if not scores:
        raise OptionError(
            f"none of {', '.join(names)} is a score of which points can be lost: add one, such as conll"
        )
    return headline_metric(scores)


class Examined(Examiner):
    """A response and everything that is found out about it, a document at a time."""

    def __init__(self, name: str, corpus: Corpus, request: Request) -> None:
        names = request.metrics
        main = main_metric(names)
        super().__init__(request, names, main, by=tuple(DIMENSIONS), slice_metrics=[main])
        self.name, self.corpus, self._request = name, corpus, request
        self.order = (main, *(name for name in names if name != main))
        """The metrics as they are shown."""
        self.faults: Counter[str] = Counter()
        self.documents: list[Counter[str]] = []
        """For each document how many faults of each kind there are; those of zeros are kinds of their own."""

    def compare(self, key: Document, response: Document) -> Compared:
        """Score and examine one document."""
        _, _, alignment, pairing, faults = self.examine(key, response, self.corpus.warnings)
        self.documents.append(Counter(fault.zero_kind or fault.kind for fault in faults))
        self.faults.update(fault.kind for fault in faults)
        return Compared(key, response, alignment, pairing, faults)

    def finished(self) -> Report:
        """The scores of everything that was compared."""
        return reports(self._request, self.corpus, [self])[0]

    def slices(self, options: Options) -> dict[str, list[Slice]]:
        """By dimension, those that divide anything."""
        return {slicer.by: parts for slicer in self.slicers if len(parts := slicer.slices(options)) > 1}
