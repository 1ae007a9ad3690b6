"""What becomes of each pair of documents under one request: aligned, counted, added up."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from ..base.document import Document
from ..base.errors import OptionError, Warnings
from ..base.numbers import Counts, headline
from ..count.baselines import Baseline, comparable
from ..count.metrics import GROUPS, select
from ..match.alignment import Alignment
from .blocks import Blocks, block_rows, block_size
from .counting import count
from .options import Options
from .prepare import align, odd_positions, pair
from .results import Alternative, Row, Rows, Tally
from .rules import REFERENCE


class Scoring(Tally):
    """A tally that aligns and counts the pairs it is given."""

    def __init__(
        self,
        options: Options,
        metrics: str | Sequence[str],
        *,
        compare_rules: bool = False,
        unit: str | None = None,
    ) -> None:
        """``unit`` is ``sentences`` or ``blocks:N`` if rows of counts are wanted for parts of documents."""
        baseline = options.checked().baseline
        if baseline and compare_rules:
            raise OptionError("rules can be compared only without a baseline")
        if baseline and unit:
            raise OptionError("a baseline is a response to whole documents: parts of documents have none")
        super().__init__(options, comparable(select(metrics)) if baseline else metrics)
        self._baseline = Baseline(baseline, options.singletons, self.metrics) if baseline else None
        self.seen: tuple[int, ...] = (0, 0, 0)
        """How many mentions of the key and of the response were aligned, and how many pairs were found."""
        self._block_size = block_size(unit) if unit else 0
        self._other = _OtherRules(options) if compare_rules and options.rules != REFERENCE else None

    def look_at(self, key: Document, response: Document, warnings: Warnings | None) -> None:
        """Score one document; a scoring that wants to know more finds it out here."""
        self.score(key, response, warnings)

    def score(self, key: Document, response: Document, warnings: Warnings | None) -> tuple[Alignment, Row]:
        """Align and count one document, and add its row."""
        alignment = align(key, response, self.options, warnings)
        sizes = len(alignment.key.mentions), len(alignment.response.mentions), alignment.matched
        self.seen = tuple(map(add, self.seen, sizes))
        if self._block_size:
            blocks = Blocks(key, self._block_size)
            for name, part in block_rows(alignment, blocks, self.metrics, self.options.rules).items():
                self.add(name, part)
            return alignment, ()
        row = count(alignment, self.metrics, self.options.rules)
        self.add(key.id, row)
        if self._baseline:
            self._baseline.add(key.id, list(map(len, alignment.key.entities)))
        if self._other:
            names = [metric.name for metric in self.metrics]
            self._other.score(key, response, alignment, dict(zip(names, row, strict=True)))
        return alignment, row

    @property
    def baseline_rows(self) -> Sequence[Rows]:
        """The rows of the trivial responses that scores are measured from."""
        return self._baseline.samples if self._baseline else ()

    @property
    def alternative(self) -> Alternative | None:
        """The CoNLL score under other rules, if these are compared."""
        return self._other.alternative() if self._other else None


class _OtherRules:
    """The CoNLL score under the corrected rules beside ours: counted anew only where they align differently."""

    def __init__(self, options: Options) -> None:
        self._ours = Tally(options, GROUPS["conll"])
        self._reference = Tally(options._replace(rules=REFERENCE), GROUPS["conll"])

    def score(self, key: Document, response: Document, alignment: Alignment, counts: dict[str, Counts]) -> None:
        """Add a document that has been aligned, and counted, under our rules."""
        metrics = self._ours.metrics
        if all(metric.name in counts for metric in metrics):
            row = tuple(counts[metric.name] for metric in metrics)
        else:
            row = count(alignment, metrics, self._ours.options.rules)
        self._ours.add(key.id, row)
        clean = not (alignment.key.repeats or alignment.response.repeats or odd_positions(key, response))
        if not (clean and alignment.forced):
            # Of clean documents both rule sets pair the same mentions; of others, each prepares its own.
            again = (
                pair(alignment.key, alignment.response, self._reference.options)
                if clean
                else align(key, response, self._reference.options)
            )
            if not clean or not alignment.mutual or alignment.to_response != again.to_response:
                row = count(again, metrics, REFERENCE)
        self._reference.add(key.id, row)

    def alternative(self) -> Alternative:
        """Both scores."""
        ours, reference = (headline(tally.report()["conll"]) for tally in (self._ours, self._reference))
        return Alternative(REFERENCE, reference, ours)
