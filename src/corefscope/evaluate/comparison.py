"""What the same input scores under another rule set, at little more cost."""

from __future__ import annotations

from ..base.document import Document
from ..base.numbers import Counts, headline
from ..count.metrics import GROUPS
from ..match.alignment import Alignment
from .counting import count
from .options import Options
from .prepare import align, odd_positions, pair
from .results import Alternative, Tally
from .rules import REFERENCE


class OtherRules:
    """The CoNLL score under the corrected rules, counted anew only where they align differently."""

    def __init__(self, options: Options) -> None:
        self._ours = Tally(options, GROUPS["conll"])
        self._theirs = Tally(options._replace(rules=REFERENCE), GROUPS["conll"])

    def add(self, key: Document, response: Document, alignment: Alignment, counts: dict[str, Counts]) -> None:
        """Add a document that has been aligned, and counted, under our rules."""
        metrics = self._ours.metrics
        if all(metric.name in counts for metric in metrics):
            row = tuple(counts[metric.name] for metric in metrics)
        else:
            row = count(alignment, metrics, self._ours.options.rules)
        self._ours.add(key.id, row)
        clean = not (alignment.key.repeats or alignment.response.repeats or odd_positions(key, response))
        if clean and alignment.forced:
            self._theirs.add(key.id, row)
            return
        if clean:  # then both rule sets pair the same mentions
            again = pair(alignment.key, alignment.response, self._theirs.options)
        else:
            again = align(key, response, self._theirs.options)
        if not clean or not alignment.mutual or alignment.to_response != again.to_response:
            row = count(again, metrics, REFERENCE)
        self._theirs.add(key.id, row)

    def alternative(self) -> Alternative:
        """Both scores."""
        ours, theirs = (headline(tally.report()["conll"]) for tally in (self._ours, self._theirs))
        return Alternative(self._theirs.options.rules, theirs, ours)
